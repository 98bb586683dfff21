"""Handles: one-to-one, unlinkable across questions, repaired only where one is meant."""

from __future__ import annotations

import re
import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kgbench.errors import PrerequisiteMissing
from kgbench.seam import pseudonyms as module
from kgbench.seam.pseudonyms import ALPHABET, MasterKey, Pseudonyms, hkdf, load_master_key
from kgbench.types import Entity, Literal

if TYPE_CHECKING:
    from pathlib import Path

XSD = "http://www.w3.org/2001/XMLSchema#"
KEY = MasterKey(bytes(range(32)))
SESSION = {"method": "arog", "seed": 0, "trial": 0, "question_id": "q1", "text": "Who?"}
texts = st.text(max_size=12)
terms = st.one_of(
    st.builds(Entity, texts),
    st.builds(Literal, texts, st.sampled_from(["", f"{XSD}date"]), st.sampled_from(["", "de"])),
)


def fresh(**changes: object) -> Pseudonyms:
    return Pseudonyms(KEY.session(**{**SESSION, **changes}))


def test_hkdf_is_the_one_of_rfc_5869() -> None:
    """Appendix A.3: no salt, no info, 42 bytes from 22 bytes of 0x0b."""
    expected = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
    assert hkdf(b"\x0b" * 22, b"", 42).hex() == expected


@given(st.lists(terms, unique=True, max_size=40))
def test_handles_are_one_to_one_and_hold_no_vowel(many: list[Entity | Literal]) -> None:
    issued = fresh()
    handles = [issued.handle(term) for term in many]
    assert len(set(handles)) == len(many)
    assert [issued.handle(term) for term in many] == handles
    assert [issued.issued(handle) for handle in handles] == many
    assert all(re.fullmatch(rf"m\.0[{ALPHABET}]{{7}}", handle) for handle in handles)
    assert not set("aeiouyl") & set(ALPHABET)


def test_what_enters_the_session_key() -> None:
    """Method, seed, question id, question text and trial; nothing else can be given."""
    usual = KEY.session(**SESSION)
    others = [
        KEY.session(**{**SESSION, name: value})
        for name, value in {"method": "tog", "seed": 1, "trial": 1, "question_id": "q2", "text": "Who"}.items()
    ]
    others.append(MasterKey(bytes(32)).session(**SESSION))
    others.append(KEY.session(**{**SESSION, "question_id": "q1W", "text": "ho?"}))
    assert usual not in others
    assert len(set(others)) == len(others)
    assert KEY.session(**SESSION) == usual
    assert KEY.run(method="arog", seed=0) not in (usual, KEY.run(method="arog", seed=1), KEY.run(method="tog", seed=0))


def test_two_questions_or_two_keys_share_no_handle() -> None:
    every = [Entity(f"e{number}") for number in range(200)]
    sets = [
        {issued.handle(term) for term in every}
        for issued in (fresh(), fresh(question_id="q2"), Pseudonyms(MasterKey(b"\x01" * 32).session(**SESSION)))
    ]
    assert not sets[0] & sets[1]
    assert not sets[0] & sets[2]


def test_a_collision_is_retried_the_same_way_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HANDLE_DIGITS", 1)
    every = [Entity(f"e{number}") for number in range(len(ALPHABET))]
    first, second = ([issued.handle(term) for term in every] for issued in (fresh(), fresh()))
    assert sorted(first) == sorted(f"m.0{symbol}" for symbol in ALPHABET)
    assert first == second


def test_no_handle_equals_an_id_that_the_question_read() -> None:
    term = Entity("e1")
    taken = fresh().handle(term)
    issued = fresh()
    issued.read([taken])
    assert issued.handle(term) != taken


def test_source_ids_show_entities_and_keep_literals_keyed() -> None:
    issued = Pseudonyms(KEY.session(**SESSION), source_ids=True)
    literal = Literal("1911", f"{XSD}gYear")
    assert issued.handle(Entity("m.0abc")) == "m.0abc"
    assert issued.handle(literal) == fresh().handle(literal)


def test_ids_of_which_one_begins_another_are_told_apart() -> None:
    issued = Pseudonyms(KEY.session(**SESSION), source_ids=True)
    one, ten = Entity("m.0t1"), Entity("m.0t10")
    for entity in (one, ten):
        issued.handle(entity)
    assert issued.find("m.0t10 and m.0t1.").terms == (ten, one)
    assert issued.restore("m.0t10, m.0t1, xm.0t1, m.0t1x", {one: "One", ten: "Ten"}) == "Ten, One, xm.0t1, m.0t1x"


def test_small_misspellings_are_repaired() -> None:
    issued = fresh()
    term = Entity("e1")
    handle = issued.handle(term)
    digits = handle[2:]
    other = next(symbol for symbol in ALPHABET if symbol != digits[-1])
    misspelt = [handle.upper(), digits, digits.upper(), handle[:-1] + other, handle[:-1], handle + handle[-1]]
    for written in misspelt:
        found = issued.find(f"It is {written}, I think")
        assert (found.terms, found.repaired, found.unknown) == ((term,), 1, 0), written
    for written in (handle[:-2] + other + other, handle + "qq", "m.0ea41uo", "m.0zzzzzz"):
        found = issued.find(written)
        assert (found.terms, found.repaired, found.unknown) == ((), 0, 1), written
    assert issued.find(f"x{handle} {handle}x1yz").terms == ()
    assert issued.find(f"{handle} {handle}").terms == (term,)


def test_a_slip_between_two_handles_stays_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["1111111", "1111113"])
    monkeypatch.setattr(module, "_digits", lambda digest: next(drawn))
    issued = fresh()
    issued.handle(Entity("e1")), issued.handle(Entity("e2"))
    found = issued.find("m.01111112")
    assert (found.terms, found.unknown) == ((), 1)


@settings(max_examples=60)
@given(st.integers(0, 49), st.integers(2, 9), st.sampled_from(ALPHABET + "aeiou"))
def test_a_changed_letter_never_names_another_entity(place: int, position: int, symbol: str) -> None:
    issued = fresh()
    every = [Entity(f"e{number}") for number in range(50)]
    handles = [issued.handle(entity) for entity in every]
    written = handles[place][:position] + symbol + handles[place][position + 1 :]
    assume(written not in handles)
    assert issued.find(written).terms in ((every[place],), ())


def test_the_key_is_made_once_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(module.KEY_VARIABLE, raising=False)
    first = load_master_key(tmp_path / "kgbench")
    assert load_master_key(tmp_path / "kgbench") == first
    assert stat.S_IMODE((tmp_path / "kgbench" / "key").stat().st_mode) == 0o600
    assert [entry.name for entry in (tmp_path / "kgbench").iterdir()] == ["key"]
    assert first.secret.hex() not in repr(first)
    assert re.fullmatch(r"[0-9a-f]{8}", first.key_id)
    assert first.key_id not in first.secret.hex()


def test_the_key_may_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(module.KEY_VARIABLE, KEY.secret.hex().upper())
    assert load_master_key(tmp_path) == KEY
    monkeypatch.setenv(module.KEY_VARIABLE, "not hex")
    with pytest.raises(PrerequisiteMissing, match="64 hex digits") as caught:
        load_master_key(tmp_path)
    assert "not hex" not in str(caught.value)
