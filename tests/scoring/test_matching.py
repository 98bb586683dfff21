from __future__ import annotations

from typing import Any, cast

import pytest

from kgbench.scoring.matching import gold_index, is_unresolved
from kgbench.types import AnswerItem, Gold, GoldAnswer

XSD = "http://www.w3.org/2001/XMLSchema#"


def entity(entity_id: str, name: str = "", **more: Any) -> AnswerItem:
    return AnswerItem("entity", name or entity_id, (entity_id,), **more)


def text(value: str, *ids: str) -> AnswerItem:
    return AnswerItem("text", value, ids)


def gold(*answers: GoldAnswer, **more: Any) -> Gold:
    return Gold("q", answers, **more)


def matches(item: AnswerItem, record: Gold, *, year: bool = False, aliases: bool = True) -> bool:
    return bool(gold_index(record, aliases).matched(item, year))


SPRINGFIELDS = gold(GoldAnswer(id="m.01", name="Springfield"))


def test_rule_a_entities_match_by_id_and_names_are_not_consulted() -> None:
    assert matches(entity("m.01", "Another name"), SPRINGFIELDS)
    assert not matches(entity("m.02", "Springfield"), SPRINGFIELDS)


def test_a_text_that_names_two_homonyms_stands_for_both() -> None:
    assert matches(text("Springfield", "m.02", "m.01"), SPRINGFIELDS)
    assert not matches(text("Springfield", "m.02", "m.03"), SPRINGFIELDS)


def test_rule_c_a_text_matches_a_name_or_an_alias() -> None:
    record = gold(GoldAnswer(id="m.01", name="United States of America", aliases=("USA",)))
    assert matches(text("the United States of America"), record)
    assert matches(text("USA"), record)
    assert not matches(text("USA"), record, aliases=False)
    assert not matches(text("United States"), record)


def test_rule_c_an_entity_matches_a_gold_without_id_by_its_local_name() -> None:
    record = gold(GoldAnswer(name="Springfield"), GoldAnswer(id="m.09", name="Shelbyville"))
    assert matches(entity("m.02", "Springfield"), record)
    assert not matches(entity("m.02", "Shelbyville"), record)


def test_an_alias_does_not_become_the_name_where_there_is_none() -> None:
    record = gold(GoldAnswer(id="m.01", name=None, aliases=("Ogdenville",)))
    assert matches(text("Ogdenville"), record)
    assert not matches(text("Ogdenville"), record, aliases=False)


@pytest.mark.parametrize(
    ("prediction", "right"), [("July 17, 1954", True), ("1954-07-17", True), ("1954", False), ("1954-07-18", False)]
)
def test_rule_b_dates(prediction: str, right: bool) -> None:
    record = gold(GoldAnswer(value="1954-07-17", datatype=XSD + "date"))
    assert matches(text(prediction), record) is right
    assert matches(AnswerItem("literal", prediction), record) is right


def test_a_bare_string_matches_by_name_or_by_value() -> None:
    assert matches(text("March 4, 1841"), gold(GoldAnswer(name="1841-03-04")))
    assert matches(text("1841"), gold(GoldAnswer(name="1841-03-04")), year=True)
    assert matches(text("five"), gold(GoldAnswer(name="5")))
    assert not matches(text("1.5"), gold(GoldAnswer(name="15")))


@pytest.mark.parametrize("name", ["null", "UnName_Entity", ""])
def test_placeholders_name_nothing(name: str) -> None:
    record = gold(GoldAnswer(id="m.01", name=name))
    assert not matches(text(name), record)
    assert matches(entity("m.01"), record)


@pytest.mark.parametrize("handle", ["m.0415x9", "g.1yl5_x", "m.0415x9 (river, lake)"])
def test_a_handle_that_was_not_issued_matches_nothing(handle: str) -> None:
    assert is_unresolved(text(handle))
    assert not matches(text(handle), gold(GoldAnswer(id="m.0415x9", name="m.0415x9"), GoldAnswer(name="g.1yl5_x")))


def test_an_entity_whose_name_holds_a_handle_is_matched_by_its_own_id() -> None:
    item = entity("m.01", "Route m.02abc")
    assert matches(item, gold(GoldAnswer(id="m.01")))
    assert not matches(item, gold(GoldAnswer(id="m.02abc")))
    assert matches(text("Route m.02abc"), gold(GoldAnswer(name="Route m.02abc")))


def test_golds_given_twice_are_one() -> None:
    record = gold(
        GoldAnswer(id="m.01", name="A"),
        GoldAnswer(id="m.01", name="B"),
        GoldAnswer(value="5"),
        GoldAnswer(value="five"),
        GoldAnswer(name="The Who"),
        GoldAnswer(name="who"),
    )
    index = gold_index(record, True)
    assert index.size == 3
    assert index.position == (0, 0, 1, 1, 2, 2)
    assert index.matched(text("B"), False) == {0}


def test_gold_answers_must_be_a_list() -> None:
    with pytest.raises(TypeError, match="question q are a string"):
        gold_index(Gold("q", cast("Any", "Paris")), True)
