from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench_methods.common.answers import (
    AnswerReading,
    Group,
    is_abstention,
    item_key,
    read_answers,
    split_answers,
    vote_key,
    write_answers,
)


@pytest.mark.parametrize(
    ("reply", "answers"),
    [
        ("{A}", ("A",)),
        ("First {B}, so the answer is {A}.", ("A",)),
        ("{A; B}", ("A", "B")),
        ("{A | B}", ("A", "B")),
        ("{A\nB}", ("A", "B")),
        ("{{A}}", ("A",)),
        ("{ A. }", ("A",)),
        ('{"A"}', ("A",)),
        ('{"A."}', ("A",)),
        ('{"A".}', ("A",)),
        ('{"A" | "B"}', ("A", "B")),
        ('{"A; B"}', ("A", "B")),
        ("{**A**}", ("A",)),
        ("{“A”}", ("A",)),
        ("{A | A}", ("A",)),
        ("{A || B}", ("A", "B")),
        ("{Washington, D.C.}", ("Washington, D.C",)),
        ("{Paris, Texas | Rome, Georgia}", ("Paris, Texas", "Rome, Georgia")),
        ("{Don't Look Now}", ("Don't Look Now",)),
        ("{'Don't Look Now'}", ("Don't Look Now",)),
        ("{'Round Midnight}", ("'Round Midnight",)),
        ("{'A' and 'B'}", ("'A' and 'B'",)),
        ("{1. A\n2. B}", ("A", "B")),
        ("{- A\n- B}", ("A", "B")),
        ("{1. FC Union}", ("1. FC Union",)),
        ("{1. FC Union | 1. FC Nord}", ("1. FC Union", "1. FC Nord")),
        ("{1.5 | 2.5}", ("1.5", "2.5")),
        ("{**A** and **B**}", ("**A** and **B**",)),
        (r"{Beyonc\u00e9}", ("Beyoncé",)),
        (r"{\ud800}", (r"\ud800",)),
    ],
)
def test_answers_of_the_last_group(reply: str, answers: tuple[str, ...]) -> None:
    reading = read_answers(reply)
    assert reading.answers == answers
    assert reading.flags == ()


def test_first_group_for_replies_that_begin_with_the_answer() -> None:
    assert read_answers("{A}. Not {B}.", Group.FIRST).answers == ("A",)
    assert read_answers("{A}. Not {B}.", Group.LAST).answers == ("B",)


@pytest.mark.parametrize(
    "word", ["", " ", ".", "null", "None", "UNKNOWN", "n/a", "N/A.", '"unknown"', "|", "null | none"]
)
def test_abstention_is_parsed_and_holds_no_answer(word: str) -> None:
    assert read_answers("{" + word + "}") == AnswerReading(parsed=True)


def test_abstention_beside_an_answer_is_dropped() -> None:
    assert split_answers("A | unknown") == ("A",)


@pytest.mark.parametrize("reply", ["", "  ", "Paris", "I'm sorry, I can't.", "Paris}", "<think>{Paris}"])
def test_without_braces_nothing_is_parsed(reply: str) -> None:
    reading = read_answers(reply)
    assert reading == AnswerReading()
    assert reading.flags == ("no_parse",)


def test_unclosed_braces_are_read_and_flagged() -> None:
    reading = read_answers("so the answer is {Par")
    assert reading.answers == ("Par",)
    assert reading.flags == ("truncated",)


def test_written_abstention() -> None:
    assert write_answers(None) == write_answers([]) == "{unknown}"
    assert read_answers(write_answers(None)) == AnswerReading(parsed=True)


def test_names_that_look_like_a_numbered_list_survive() -> None:
    assert read_answers(write_answers(["1. FC Union", "2. Liga"])).answers == ("1. FC Union", "2. Liga")


def test_plain_names_are_written_plainly() -> None:
    assert (
        write_answers(["m.0b7k2xq1 (river, water)", "Dad's Root Beer"])
        == "{m.0b7k2xq1 (river, water) | Dad's Root Beer}"
    )


@pytest.mark.parametrize(
    "name",
    [
        "x | y",
        "{Awake}",
        "AC; DC",
        "a }",
        "two\nlines",
        '"quoted"',
        "D.C.",
        "None",
        "1. FC Union",
        "- dash",
        " pad ",
        r"\u0041",
        "\\",
        "**",
        "*",
        "_",
    ],
)
def test_odd_names_survive_write_and_parse(name: str) -> None:
    assert read_answers(write_answers([name])).answers == (name,)
    assert read_answers(write_answers([name, "Other"])).answers == (name, "Other")
    assert read_answers(write_answers(["Other", name])).answers == ("Other", name)


names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<"), min_size=1)


@given(st.lists(names, min_size=1, max_size=4, unique=True))
def test_parse_undoes_write(answers: list[str]) -> None:
    assert read_answers(write_answers(answers)).answers == tuple(answers)


@pytest.mark.parametrize("text", ["none", " NONE ", "N/a"])
def test_abstention_words(text: str) -> None:
    assert is_abstention(text)


@pytest.mark.parametrize("text", ["nonesuch", "Null Island", "no", "0"])
def test_names_that_only_begin_like_an_abstention(text: str) -> None:
    assert not is_abstention(text)


def test_votes_are_normalised_sets() -> None:
    assert vote_key(["The Beatles", "Abba"]) == vote_key(["ABBA", "Beatles"])
    assert vote_key(["Abba"]) != vote_key(["Abba", "Beatles"])
    assert vote_key(["Beyoncé"]) == vote_key(["beyonce"])


def test_an_answer_that_the_normaliser_empties_still_has_a_key() -> None:
    assert item_key("?!") == "?!"
    assert item_key("?!") != item_key("!?")
