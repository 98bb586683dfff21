from __future__ import annotations

import re
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.scoring.loose import (
    LooseForm,
    arog_candidate,
    arog_raw_hit,
    intended_candidate,
    literal_candidate,
    literal_hit,
    loose_hit,
    substring_match,
)
from kgbench.scoring.released import gog_hit, pog_hit
from kgbench.types import AnswerItem, Gold, GoldAnswer, RestoredPrediction


def hit(form: LooseForm, raw: str, *answers: GoldAnswer, items: tuple[AnswerItem, ...] = ()) -> bool:
    return loose_hit(form, RestoredPrediction(items=items, raw=raw), Gold("q", answers))


@pytest.mark.parametrize(
    ("reply", "candidate"),
    [("It is {A}. And {B}", "A"), ("}{A}", ""), ("x {A", ""), ("x {AB", "A"), ("no braces", "no braces"), ("{}", "")],
)
def test_literal_cuts_at_the_first_braces_of_the_whole_reply(reply: str, candidate: str) -> None:
    assert literal_candidate(reply) == candidate


def test_literal_null_is_not_right() -> None:
    assert not literal_hit("{NULL}", ["NULL"])
    assert literal_hit("{null}", ["NULL"])


@pytest.mark.parametrize(
    ("reply", "candidate"),
    [
        ("It is {A}. And {B}", "A"),
        ("{Yes}. So {A}", "A"),
        ("{ no }, but {A}", "A"),
        ("{Yes} {No} {A}", "A"),
        ("{Yes}. It is A.", ""),
        ("{Yes}. It is {A", "A"),
        ("It is {A\nand so on", "A\nand so on"),
        ("It is A", "It is A"),
        ("{}", ""),
    ],
)
def test_intended_takes_the_first_group_that_is_no_flag(reply: str, candidate: str) -> None:
    assert intended_candidate(reply) == candidate


@pytest.mark.parametrize("form", [LooseForm.INTENDED, LooseForm.INTENDED_NOECHO, LooseForm.AROG])
@pytest.mark.parametrize("reply", ["", "   ", "{}", "{ }", "{Yes}", "\n"])
def test_nothing_is_never_right(form: LooseForm, reply: str) -> None:
    assert not hit(form, reply, GoldAnswer(name="Yes and no, {Yes}"), GoldAnswer(name=" "), GoldAnswer(name=""))


def test_noecho_needs_braces_or_parsed_answers() -> None:
    gold = GoldAnswer(name="Niger")
    answer = (AnswerItem("text", "Niger"),)
    assert hit(LooseForm.INTENDED, "Is it Niger?", gold)
    assert not hit(LooseForm.INTENDED_NOECHO, "Is it Niger?", gold)
    assert hit(LooseForm.INTENDED_NOECHO, "Is it Niger?", gold, items=answer)
    assert hit(LooseForm.INTENDED_NOECHO, "{Niger}", gold)


def test_gold_strings_are_names_and_aliases_else_the_value_else_the_id() -> None:
    for form in (LooseForm.LITERAL, LooseForm.INTENDED, LooseForm.AROG):
        assert hit(form, "{USA}", GoldAnswer(id="m.01", name="United States", aliases=("USA",)))
        assert hit(form, "{1841-03-04}", GoldAnswer(value="1841-03-04"))
        assert hit(form, "{m.01}", GoldAnswer(id="m.01"))
        assert not hit(form, "{m.01}", GoldAnswer(id="m.02", name="United States"))


def test_arog_removes_flags_first_then_takes_the_first_group() -> None:
    assert arog_candidate("{Yes}. It is {A}") == "A"
    assert arog_candidate("{No}. It is A") == ". It is A"


def test_arog_cuts_round_brackets_but_compares_a_mapped_name_whole() -> None:
    georgia = AnswerItem("entity", "Georgia (country)", ("m.01",))
    reply = "{Georgia (country) (place)}"
    assert hit(LooseForm.AROG, reply, GoldAnswer(id="m.02", name="(country)"), items=(georgia,))
    assert not hit(LooseForm.AROG, reply, GoldAnswer(id="m.02", name="place"), items=(georgia,))
    assert hit(LooseForm.AROG_RAW, reply, GoldAnswer(name="Georgia"))


def test_arog_matches_ids_by_equality_only() -> None:
    assert hit(LooseForm.AROG, "{m.02mjmr (person)}", GoldAnswer(id="m.02mjmr", name="A B"))
    assert not hit(LooseForm.AROG, "{m.02mjmr (person)}", GoldAnswer(id="m.02mj", name="A B"))
    assert hit(LooseForm.AROG_RAW, "{m.02mjmr (person)}", GoldAnswer(id="m.02mj", name="A B"))


def test_arog_compares_ids_of_any_shape_by_equality() -> None:
    nameless = AnswerItem("entity", "n0412x", ("n0412x",))
    assert hit(LooseForm.AROG, "{n0412x}", GoldAnswer(id="n0412x"), items=(nameless,))
    assert not hit(LooseForm.AROG, "{n0412x}", GoldAnswer(id="n0412"), items=(nameless,))
    assert hit(LooseForm.INTENDED, "{n0412x}", GoldAnswer(id="n0412"), items=(nameless,))


def test_arog_takes_no_id_out_of_a_name() -> None:
    route = AnswerItem("entity", "Route m.02abc", ("m.01",))
    assert not hit(LooseForm.AROG, "{Route m.02abc}", GoldAnswer(id="m.02abc", name="Oslo"), items=(route,))


def test_arog_matches_an_entity_by_id_though_the_reply_shows_its_name() -> None:
    lake = AnswerItem("entity", "Big Lake", ("m.01",))
    assert hit(LooseForm.AROG, "{Big Lake}", GoldAnswer(id="m.01", name="Grosser See"), items=(lake,))
    assert not hit(LooseForm.INTENDED, "{Big Lake}", GoldAnswer(id="m.01", name="Grosser See"), items=(lake,))


def test_short_golds_match_only_whole_in_the_arog_form() -> None:
    assert hit(LooseForm.AROG, "{9}", GoldAnswer(value="9"))
    assert not hit(LooseForm.AROG, "{19}", GoldAnswer(value="9"))
    assert hit(LooseForm.AROG, "{Upper}", GoldAnswer(name="Up"))


def test_a_string_as_gold_list_is_read_letter_by_letter_by_the_raw_form_alone() -> None:
    assert arog_raw_hit("{a wrong reply}", "Paris")
    assert not arog_raw_hit("{a wrong reply}", ["Paris"])
    for form in LooseForm:
        with pytest.raises(TypeError, match="are a string"):
            loose_hit(form, RestoredPrediction(raw="{a}"), Gold("q", cast("Any", "Paris")))


def test_the_match_ignores_case_and_spaces() -> None:
    assert substring_match(" New York ", "newyork city")
    assert not substring_match("York-New", "New York")


def test_gog_joins_the_answers_and_keeps_spaces() -> None:
    assert gog_hit(["Paris", "Rome"], ["paris rome"])
    assert not gog_hit(["NewYork"], ["New York"])
    assert gog_hit([], ["Paris"])


@pytest.mark.parametrize(
    ("results", "right"),
    [
        ('{"A": {"Sufficient": "Yes", "Answer": ["Rome", "Paris"]}, "R": "x"}', True),
        ('so {"Answer": "Paris"}', True),
        ('{"Answer": "Rome", "Answer": "Paris"', True),
        ("{broken [Rome, 'Paris']", True),
        ('{"Answer": "Rome"}', False),
        ("Paris", False),
        ("[]", True),
    ],
)
def test_pog_reads_json_then_the_last_answer_then_a_list(results: str, right: bool) -> None:
    assert pog_hit(results, ["Paris"]) is right


@given(st.text(alphabet="{}\na ", max_size=40))
def test_groups_are_those_of_the_published_pattern(reply: str) -> None:
    matches = list(re.finditer(r"\{(.*?)\}", reply))
    groups = [match[1] for match in matches]
    rest = reply[matches[-1].end() if matches else 0 :]
    unclosed = [rest.partition("{")[2]] if "{" in rest else []
    whole = [] if "{" in reply else [reply]
    assert intended_candidate(reply) == [*whole, *groups, *unclosed, ""][0]
    assert arog_candidate(reply) == [*groups, reply][0]


@pytest.mark.parametrize("reply", ["{" * 200_000, "{\n" * 100_000 + "}", "{" * 200_000 + "\n}"])
def test_braces_alone_are_read_in_linear_time(reply: str) -> None:
    """Squared, these would take minutes."""
    assert "}" not in intended_candidate(reply)[:-1]
    assert arog_candidate(reply)
