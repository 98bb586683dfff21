"""The words by which a question names its topic, and masking them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgbench.seam.mentions import find_mention, mask_question
from kgbench.seam.pseudonyms import MasterKey, Pseudonyms
from kgbench.types import Entity

ANN, ANNAPOLIS, IAN = Entity("e1"), Entity("e2"), Entity("e3")


@pytest.mark.parametrize(
    ("text", "name", "aliases", "expected"),
    [
        ("Where does Brenka Moll live?", "Brenka Moll", (), "Brenka Moll"),
        ("where does brenka MOLL live", "Brenka Moll", (), "brenka MOLL"),
        ("Where is Café-Olé?", "cafe ole", (), "Café-Olé"),
        ("who founded the works", "Ashgrove Works", ("The Works",), "the works"),
        ("Which works did Ashgrove Works, in Velm, build?", "Ashgrove Works", (), "Ashgrove Works"),
        ("what is Brenka's job?", "Brenka", (), "Brenka"),
        ("all winners' prizes", "winners", (), "winners"),
        ("what did catherine do?", "Catherine, Duchess of Orrel", (), "catherine"),
        ("who married duchess of orrel?", "Catherine, Duchess of Orrel", (), "duchess"),
        ("who played the sheriff?", "The Long Valley", (), None),
        ("what is of it?", "Is Of It", (), "is of it"),
        ("who is at no?", "No At All", (), None),
        ("go up to me", "Up", (), "up"),
        ("an ox", "Ox Ford", (), None),
        ("anything", "", (), None),
    ],
    ids=str,
)
def test_finding_a_mention(text: str, name: str, aliases: tuple[str, ...], expected: str | None) -> None:
    assert find_mention(text, name, aliases) == expected


def test_the_records_own_words_go_first_if_the_question_has_them() -> None:
    assert find_mention("Did kate MIDDLE come?", "Catherine", (), given="Kate Middle") == "kate MIDDLE"
    assert find_mention("Did Catherine come?", "Catherine", (), given="Kate Middle") == "Catherine"


@pytest.mark.parametrize("text", ["Die Straße nach Ulm", "İzmir and Ulm", "ﬃ Ulm"])
def test_letters_that_grow_when_folded_move_nothing(text: str) -> None:
    assert find_mention(text, "x", (), given="ulm") == "Ulm"


def test_the_records_own_words_are_whole_words() -> None:
    assert find_mention("Annapolis or Ann?", "x", (), given="Ann") == "Ann"
    assert find_mention("Annapolis?", "Anne", (), given="Ann") is None


def test_three_names_in_one_question() -> None:
    """Two maskings; a word that begins or ends like a name stays, and so does an article."""
    text = "Did Ann visit Annapolis with an Italian?"
    mentions = {entity: found for entity, name in NAMES.items() if (found := find_mention(text, name))}
    assert mentions == {ANN: "Ann", ANNAPOLIS: "Annapolis"}
    issued = Pseudonyms(MasterKey(bytes(32)).secret)
    handles = {entity: issued.handle(entity) for entity in mentions}
    masked = mask_question(text, mentions, handles)
    assert masked == f"Did {handles[ANN]} visit {handles[ANNAPOLIS]} with an Italian?"
    assert issued.restore(masked, dict(mentions)) == text


NAMES = {ANN: "Ann", ANNAPOLIS: "Annapolis", IAN: "Ian"}


def test_masking_takes_the_longest_first_and_keeps_possessives() -> None:
    mentions = {ANN: "Ann", IAN: "Ann Moll"}
    handles = {ANN: "m.01", IAN: "m.02"}
    assert mask_question("Ann Moll's aunt is Ann; ANN, not Anna.", mentions, handles) == (
        "m.02's aunt is m.01; m.01, not Anna."
    )
    assert mask_question("Ann (or so)", {}, {}) == "Ann (or so)"
    assert mask_question("a+b? a+b!", {ANN: "a+b"}, {ANN: "m.01"}) == "m.01? m.01!"


@pytest.mark.parametrize(("mention", "text"), [("İzmir", "Where is izmir?"), ("Izmir", "Where is İzmir?")])
def test_letters_without_one_lower_case_do_no_harm(mention: str, text: str) -> None:
    """Whether they count as equal is open; masking may not fail on them."""
    assert mask_question(text, {ANN: mention}, {ANN: "m.01"}) in (text, "Where is m.01?")


def test_a_name_behind_a_full_stop_comes_back() -> None:
    issued = Pseudonyms(bytes(32))
    masked = mask_question("Did Dr.Ann come?", {ANN: "Ann"}, {ANN: issued.handle(ANN)})
    assert "Ann" not in masked
    assert issued.restore(masked, {ANN: "Ann"}) == "Did Dr.Ann come?"


words = st.text("abnéß-'|{}\n", min_size=1, max_size=6).filter(lambda word: word.strip() == word)


@settings(max_examples=200)
@given(st.lists(words, min_size=1, max_size=8), st.sets(st.integers(0, 7), max_size=4))
def test_unmasking_a_masked_question_gives_it_back(pieces: list[str], chosen: set[int]) -> None:
    text = " ".join(pieces)
    named = dict.fromkeys(pieces[place] for place in sorted(chosen) if place < len(pieces))
    mentions = {Entity(f"e{number}"): word for number, word in enumerate(named)}
    issued = Pseudonyms(bytes(32))
    masked = mask_question(text, mentions, {entity: issued.handle(entity) for entity in mentions})
    assert issued.restore(masked, dict(mentions)) == text
