from __future__ import annotations

import random
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_replies import ODD_REPLIES, RELATIONS

from kgbench_methods.tog.replies import (
    read_relations,
    read_relations_strictly,
    read_scores,
    read_scores_anywhere,
    read_verdict,
)

NATION, BIRTH, PERSON, JOINED, CAPITAL, STARRING = RELATIONS
MUTATIONS = 10_000


def chosen(reply: str, limit: int | None = None, *, repeats: bool = False) -> list[tuple[str, float]]:
    reading = read_relations(reply, RELATIONS, limit, repeats=repeats)
    return [(choice.label, round(choice.score, 4)) for choice in reading.chosen]


# --- relations ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        f"1. {{{NATION} (Score: 0.6)}}: why\n2. {{{STARRING} (Score: 0.4)}}: why",
        f"1. {{{NATION} (Score: 0.6))}}: why\n2. {{{STARRING} (Score: 0.4))}}: why",
        f"{NATION} (0.6)\n{STARRING} (0.4)",
        f"- **{NATION}**: 0.6\n- **{STARRING}**: 0.4",
        f"{{{{{NATION} (Score: 0.6)}}}}\n{{{{{STARRING} (Score: 0.4)}}}}",
        f"{{{NATION} (Score: 0.6)}}, {{{STARRING} (Score: 0.4)}}",
        f'```json\n[{{"relation": "{NATION}", "score": 0.6}}, {{"relation": "{STARRING}", "score": 0.4}}]\n```',
        f'[\n {{\n "relation": "{NATION}",\n "score": 0.6\n }},\n {{\n "relation": "{STARRING}",\n "score": 0.4\n }}\n]',
        f"<think>{CAPITAL} (Score: 1.0)?</think>1. {NATION} 60%\n2. {STARRING} 40 %",
        f"1. {NATION} (Score: 0.6): better than {CAPITAL}, whose score is 0.9\n2. {STARRING} (Score: 0.4)",
    ],
)
def test_relations_and_scores_are_read_in_many_forms(reply: str) -> None:
    assert chosen(reply) == [(NATION, 0.6), (STARRING, 0.4)]


def test_missing_scores_are_equal_shares() -> None:
    assert chosen(f'["{NATION}", "{STARRING}"]') == [(NATION, 0.5), (STARRING, 0.5)]
    assert chosen(f"{NATION}\n{STARRING} and {CAPITAL} (0.9)") == [(NATION, 0.3333), (STARRING, 0.3333), (CAPITAL, 0.9)]


def test_a_number_on_the_line_below_is_a_score_only_where_it_says_so() -> None:
    assert chosen(f"{NATION}\n1 of 2 steps\n{STARRING}\n**Score:** 0.9") == [(NATION, 0.5), (STARRING, 0.9)]


def test_a_joined_label_is_one_label_and_its_halves_are_not_in_it() -> None:
    halves = f"1. {{{JOINED} (Score: 0.7)}}\n2. {{{CAPITAL} (Score: 0.3)}}"
    assert chosen(halves) == [(JOINED, 0.7), (CAPITAL, 0.3)]
    only_joined = read_relations(f"{NATION} (0.5)\n{CAPITAL} (0.5)", [JOINED])
    assert only_joined.chosen == ()


def test_unknown_relations_are_dropped_and_counted() -> None:
    reading = read_relations(f"1. {{made.up (Score: 0.8)}}\n2. {{{NATION} (Score: 0.2)}}", RELATIONS)
    assert [choice.label for choice in reading.chosen] == [NATION]
    assert reading.unknown == 1


def test_of_a_repeated_label_the_first_counts_before_the_cut() -> None:
    reply = f"{NATION} (0.5)\n{NATION} (0.1)\n{STARRING} (0.3)\n{CAPITAL} (0.2)"
    assert chosen(reply, 2) == [(NATION, 0.5), (STARRING, 0.3)]
    assert chosen(reply, repeats=True) == [(NATION, 0.5), (NATION, 0.1), (STARRING, 0.3), (CAPITAL, 0.2)]


def strictly(reply: str) -> list[tuple[str, float]]:
    return [(choice.label, choice.score) for choice in read_relations_strictly(reply, RELATIONS).chosen]


def test_the_strict_form_is_the_only_one_that_is_read_strictly() -> None:
    assert strictly(f"1. {{{NATION} (Score: 0.6)}}: why {{{STARRING} (Score: 0.4)}}") == [
        (NATION, 0.6),
        (STARRING, 0.4),
    ]
    for reply in (
        f"{{{NATION} (Score: 0.6))}}",
        f"{NATION} (Score: 0.6)",
        f"{{{NATION}(Score: 0.6)}}",
        f"{{{NATION}}}",
    ):
        assert strictly(reply) == []
    assert strictly(f"{{{NATION} (Score: 0.6)}} {{{STARRING} (Score: 0.4.1)}}") == []


# --- scores ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Score: 0.7, 0.2, 0.1\nBecause 0.9 of them fit.", (0.7, 0.2, 0.1)),
        ("0.7, 0.2, 0.1", (0.7, 0.2, 0.1)),
        ("1, 0, 0", (1.0, 0.0, 0.0)),
        ("70, 20, 10", (0.7, 0.2, 0.1)),
        ("**Scores:** .7; .2; .1.", (0.7, 0.2, 0.1)),
        ("Scores:\n[0.7, 0.2, 0.1]", (0.7, 0.2, 0.1)),
        ("1. 0.7\n2. 0.2\n3. 0.1", (0.7, 0.2, 0.1)),
        ("1. m.0bcd123: 0.7\n2. m.0bcd124: 0.2\n3. m.0bcd125: 0.1", (0.7, 0.2, 0.1)),
        ("0, 0, 0", (0.0, 0.0, 0.0)),
        ("<think>0.1, 0.1, 0.8</think>0.7, 0.2, 0.1", (0.7, 0.2, 0.1)),
    ],
)
def test_scores_are_read_in_the_order_shown(reply: str, expected: tuple[float, ...]) -> None:
    assert read_scores(reply, 3) == pytest.approx(expected)


@pytest.mark.parametrize("reply", ["", "0.7, 0.3", "0.1, 0.2, 0.3, 0.4", "none of them", "1. 0.7\n3. 0.2"])
def test_another_number_of_scores_is_no_reading(reply: str) -> None:
    assert read_scores(reply, 3) is None


def test_read_anywhere_decimals_of_the_reason_count_and_integers_do_not() -> None:
    assert read_scores_anywhere("0.7, 0.3\nThe first fits.", 2) == (0.7, 0.3)
    assert read_scores_anywhere("0.7, 0.3\nThe first is 0.4 better.", 2) is None
    assert read_scores_anywhere("1, 0", 2) is None
    assert read_scores("1, 0", 2) == (1.0, 0.0)


# --- verdict -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "sufficient", "form"),
    [
        ("{Yes} It is {Paris}.", True, "braces"),
        ("{ YES }. {Paris}", True, "braces"),
        ("{{Yes}} {Paris}", True, "braces"),
        ("{Yes", True, "braces"),
        ("{No} Not yet. {Paris}", False, "braces"),
        ("Yes, it is Paris.", True, "bare"),
        ("**yes**", True, "bare"),
        ("No.", False, "bare"),
        ("{Yes, it is} {Paris}", False, "none"),
        ("{Paris} {Yes}", False, "none"),
        ("It is enough: yes.", False, "none"),
        ("", False, "none"),
        ("<think>{Yes}</think>{No}", False, "braces"),
    ],
)
def test_verdicts(reply: str, sufficient: bool, form: str) -> None:
    verdict = read_verdict(reply)
    assert (verdict.sufficient, verdict.form) == (sufficient, form)
    assert sufficient or not verdict.rest


def test_what_follows_the_yes_is_kept() -> None:
    assert read_verdict("}{Yes} It is {Paris}.").rest == " It is {Paris}."
    assert read_verdict("Yes, it is Paris.").rest == ", it is Paris."
    assert read_verdict("{{Yes}} {Paris}").rest == " {Paris}"


# --- any text ----------------------------------------------------------------------------------------------------------


def check_all(text: str) -> None:
    """Run every parser and check what must hold of its result whatever the text."""
    reading = read_relations(text, RELATIONS, 3)
    assert len({choice.label for choice in reading.chosen}) == len(reading.chosen) <= 3
    assert all(choice.label in RELATIONS and 0 <= choice.score <= 1 for choice in reading.chosen)
    strict = read_relations_strictly(text, RELATIONS, repeats=True)
    assert all(choice.label in RELATIONS and choice.score < float("inf") for choice in strict.chosen)
    for count in (2, 5):
        for scores in (read_scores(text, count), read_scores_anywhere(text, count)):
            assert scores is None or (len(scores) == count and all(0 <= score < float("inf") for score in scores))
    verdict = read_verdict(text)
    assert verdict.sufficient <= (verdict.form != "none")


@pytest.mark.parametrize("reply", ODD_REPLIES, ids=range(len(ODD_REPLIES)))
def test_odd_replies(reply: str) -> None:
    check_all(reply)


PIECES = (
    "{",
    "}",
    "(Score: ",
    "0.4",
    "1",
    ")",
    "\n",
    "1. ",
    "- ",
    "Yes",
    "No",
    ", ",
    ": ",
    "%",
    "<think>",
    "</think>",
    "\ud800",
)


@given(st.lists(st.sampled_from((*PIECES, *RELATIONS)), max_size=30).map("".join))
def test_any_mixture_of_structure(text: str) -> None:
    check_all(text)


def test_ten_thousand_mutated_replies() -> None:
    generator = random.Random(20231127)  # noqa: S311
    short = [reply for reply in ODD_REPLIES if len(reply) < 1000]
    for _ in range(MUTATIONS):
        text = generator.choice(short)
        for _ in range(generator.randint(1, 3)):
            start, end = sorted(generator.randint(0, len(text)) for _ in range(2))
            text = text[:start] + generator.choice(PIECES) + text[generator.choice((start, end)) :]
        check_all(text)


@pytest.mark.parametrize(
    "piece", ["{", "1", "1.", "0.5, ", "- ", "\n", " ", "{a (Score: ", f"{NATION}\n", f"{NATION}, ", "1. a\n"]
)
def test_long_replies_take_no_long_time(piece: str) -> None:
    began = process_time()
    check_all(piece * (40_000 // len(piece)))
    assert process_time() - began < 3
