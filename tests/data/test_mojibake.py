"""Undoing double encoding, and leaving everything else alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.data.mojibake import repaired


@pytest.mark.parametrize(
    ("broken", "sound"),
    [
        ("BeyoncÃ©", "Beyoncé"),
        ("Ã…land", "Åland"),
        ("the â€œThree Gorgesâ€\x9d dam", "the “Three Gorges” dam"),
        ("2010â€“2012", "2010–2012"),
        ("BeyoncÃƒÂ©", "Beyoncé"),
        ("Ãlesund", "Ãlesund"),
        ("café", "café"),
        ("“quoted”", "“quoted”"),
        ("Łódź", "Łódź"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_examples(broken: str, sound: str) -> None:
    assert repaired(broken) == sound


@given(st.text(alphabet=st.characters(min_codepoint=0xC0, max_codepoint=0x24F), max_size=8))
def test_a_text_encoded_twice_is_restored(text: str) -> None:
    try:
        broken = text.encode("utf-8").decode("cp1252")
    except UnicodeDecodeError:
        return
    assert repaired(broken) == repaired(text)


@given(st.text())
def test_never_fails_and_keeps_ascii(text: str) -> None:
    kept = "".join(character for character in text if character.isascii())
    result = repaired(text)
    assert "".join(character for character in result if character.isascii()) == kept
