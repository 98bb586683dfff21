"""The parsers of PoG's replies: odd forms are read, no text raises, and code is text."""

from __future__ import annotations

import os
import random
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_replies import ODD_REPLIES, RELATIONS

from kgbench.testing.malformed import MALFORMED_REPLIES
from kgbench_methods.pog.replies import (
    Correction,
    Verdict,
    exact_correction,
    exact_labels,
    exact_names,
    exact_verdict,
    read_correction,
    read_labels,
    read_memory,
    read_names,
    read_numbers,
    read_objectives,
    read_verdict,
)

YES = Verdict(yes=True, answers=("Ilm",))


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ('{"A": {"Sufficient": "Yes", "Answer": "Ilm"}, "R": "so"}', YES),
        ('{"A": {"Sufficient": "yes", "Answer": "Ilm"}', YES),
        ('{"A": {"Sufficient": true, "Answer": "Ilm"}, "R": null}', YES),
        ('Sure!\n```json\n{"A": {"Sufficient": "Yes", "Answer": "Ilm"}, "R": "so"}\n```', YES),
        ('{{"A": {"Sufficient": "Yes", "Answer": "Ilm"}, "R": "so"}}', YES),
        ("{'A': {'Sufficient': 'Yes', 'Answer': 'Ilm'}, 'R': 'it''s so'}", YES),
        ('{"Sufficient": "Yes", "Answer": "Ilm"}', YES),
        ('{"a": {"SUFFICIENT": "Yes.", "answer": "Ilm"}}', YES),
        ('{"A": {"Sufficient": Yes, "Answer": "Ilm"}, "R": "so"}', YES),
        ("Sufficient: Yes\nAnswer: Ilm", YES),
        ("**Sufficient**: Yes\n**Answer**: Ilm", YES),
        ('<think>{"A": {"Sufficient": "No"}}</think>{"A": {"Sufficient": "Yes", "Answer": "Ilm"}}', YES),
        ('{"A": {"Sufficient": "Yes", "Answer": ["Ilm"]}, "R": ""}', Verdict(True, ("Ilm",), listed=True)),
        ('{"A": {"Sufficient": "Yes", "Answer": ["Ilm", "Oder", "Ilm"]}}', Verdict(True, ("Ilm", "Oder"), listed=True)),
        ("{'A': {'Sufficient': 'Yes', 'Answer': ['Ilm', 'Oder']}}", Verdict(True, ("Ilm", "Oder"), listed=True)),
        ('{"A": {"Sufficient": "Yes", "Answer": ["Ilm", "Od', Verdict(True, ("Ilm", '"Od'), listed=True)),
        ('{"A": {"Sufficient": "Yes", "Answer": "The "Ilm" river"}, "R": "so"}', Verdict(True, ('The "Ilm" river',))),
        ('{"A": {"Sufficient": "Yes", "Answer": 1911}}', Verdict(True, ("1911",))),
        ('{"A": {"Sufficient": "Yes", "Answer": [1911, 2.5]}}', Verdict(True, ("1911", "2.5"), listed=True)),
        ('{"A": {"Sufficient": "No", "Answer": null}, "R": "so"}', Verdict(False, ())),
        ('{"A": {"Sufficient": "No", "Answer": "Null"}}', Verdict(False, ())),
        ('{"A": {"Sufficient": "No"}}', Verdict(False, None)),
        ('{"A": {"Sufficient": "Yes", "Answer": ""}}', Verdict(True, ())),
        ('{"A": {"Sufficient": "Yes", "Answer": []}}', Verdict(True, (), listed=True)),
        ('{"A": {"Answer": "Ilm"}}', Verdict(None, ("Ilm",))),
        ('{"A": {"Sufficient": "perhaps", "Answer": "Ilm"}}', Verdict(None, ("Ilm",))),
        ("I cannot say.", None),
        ("", None),
        ("{}", None),
        ('{"B": 1}', None),
    ],
)
def test_verdicts(reply: str, verdict: Verdict | None) -> None:
    assert read_verdict(reply) == verdict


def test_the_exact_verdict_wants_double_quotes_and_every_key() -> None:
    assert exact_verdict('x {"A": {"Sufficient": "Yes", "Answer": "Ilm"}, "R": "so"}') == YES
    listed = exact_verdict('{"A": {"Sufficient": "Yes", "Answer": ["Ilm", "Oder"]}, "R": "so"}')
    assert listed == Verdict(True, ("Ilm", "Oder"), listed=True)
    for reply in (
        '{"A": {"Sufficient": "Yes", "Answer": "Ilm"}}',
        '{"A": {"Sufficient": "Yes", "Answer": null}, "R": "so"}',
        '{"A": {"Sufficient": true, "Answer": "Ilm"}, "R": "so"}',
        '{"A": {"Sufficient": "Yes", "Answer": []}, "R": "so"}',
        "{'A': {'Sufficient': 'Yes', 'Answer': 'Ilm'}, 'R': 'so'}",
    ):
        assert exact_verdict(reply) is None


@pytest.mark.parametrize(
    ("reply", "correction"),
    [
        ('{"Add": "Yes", "Reason": "a town is missing"}', Correction(True, "a town is missing")),
        ('{"Add": "No", "Reason": "fine"}', Correction(False, "fine")),
        ("{'Add': 'yes', 'Reason': 'it''s missing'}", Correction(True, "it''s missing")),
        ('```\n{"add": true, "reason": null}\n```', Correction(True)),
        ('{"Add": "No"}', Correction(False)),
        ("Add: No\nReason: fine", Correction(False, "fine")),
        ('{"Add": "Yes", "Reason": "cut o', Correction(True, "cut o")),
        ('{"Add": "maybe"}', None),
        ("no idea", None),
    ],
)
def test_corrections(reply: str, correction: Correction | None) -> None:
    assert read_correction(reply) == correction


def test_the_exact_correction_wants_both_keys() -> None:
    assert exact_correction('so: {"Add": "Yes", "Reason": "x"}') == Correction(True, "x")
    assert exact_correction('{"Add": "Yes"}') is None
    assert exact_correction("{'Add': 'Yes', 'Reason': 'x'}") is None


@pytest.mark.parametrize(
    ("reply", "objectives"),
    [
        ('["x", "y"]', '["x", "y"]'),
        ('Of course: ["x",\n "y"] done', '["x",\n "y"]'),
        ("['x'] and ['y']", "['x'] and ['y']"),
        ("1. find x\n2. find y", '["find x", "find y"]'),
        ("- find x", '["find x"]'),
        ('["x", "y', '["x", "\\"y"]'),
        ("[]", None),
        ("plain words", None),
    ],
)
def test_objectives(reply: str, objectives: str | None) -> None:
    assert read_objectives(reply) == objectives


def test_memory_is_everything_between_the_outer_braces() -> None:
    assert read_memory('Notes: {"1": {"x": "y"}} and {"2": 1} end') == '{"1": {"x": "y"}} and {"2": 1}'
    assert read_memory("{never checked: at all}") == "{never checked: at all}"
    assert [read_memory(reply) for reply in ("", "{}", "{ }", "}{", "{open", "no")] == [None] * 6


def test_lists_that_choose_nothing_are_lists() -> None:
    assert read_labels("[]", RELATIONS) == read_numbers("[]", 3) == read_names("Best: []") == ()
    assert read_labels("none", RELATIONS) is None
    assert read_labels('["made.up"]', RELATIONS) is None
    assert read_numbers("none", 3) is None
    assert read_numbers("[7]", 3) is None


def test_exact_lists() -> None:
    film, place = "film.film.starring", "people.person.place_of_birth"
    assert exact_labels(f"['{film}', 'made.up', \"{place}\"]", RELATIONS) == (film, place)
    assert exact_labels(f"['{place}'] but better ['{film}']", RELATIONS) == (film,)
    for reply in (f"1. {film}", f"[{film}]", f'["{film}"', "", "[[" * 4000, f"[*{RELATIONS}]"):
        assert exact_labels(reply, RELATIONS) is None
    assert exact_names("['Ilm', 'Oder']") == exact_names("[Ilm, Oder]") == ("Ilm", "Oder")
    assert exact_names("['a'] or ['b']") == ("b",)
    assert exact_names(r"""["Jo's", 'Jo\'s, "Inc"',]""") == ("Jo's", 'Jo\'s, "Inc"')
    assert exact_names("no [a] b [c] end", whole=True) == ("a] b [c",)


@pytest.mark.parametrize(
    "code", ["[__import__('os').environ.setdefault('POG_READ', '1')]", "[print('x')]", "[x for x in (1, 2)]"]
)
def test_code_is_text(code: str) -> None:
    assert exact_labels(code, RELATIONS) is None
    exact_names(code)
    read_labels(code, RELATIONS)
    assert "POG_READ" not in os.environ


# --- nothing raises ---------------------------------------------------------------------------------------------------

PIECES = (
    *"{}[]\",':\\\n",
    "'",
    "```",
    '"A"',
    '"Answer":',
    '"Sufficient":',
    '"R":',
    "Yes",
    "null",
    "m.0b",
    "<think>",
    "é",
)


def check_all(text: str) -> None:
    """Run every parser and check what must hold whatever the text."""
    labels = read_labels(text, RELATIONS)
    assert set(labels or ()) <= set(RELATIONS)
    assert set(exact_labels(text, RELATIONS) or ()) <= set(RELATIONS)
    assert all(1 <= number <= 5 for number in read_numbers(text, 5) or ())
    for names in (read_names(text), exact_names(text), exact_names(text, whole=True)):
        assert all(name for name in names or ())
    for verdict in (read_verdict(text), read_verdict(text, "known"), exact_verdict(text)):
        if verdict is not None:
            assert len(set(verdict.answers or ())) == len(verdict.answers or ())
            assert isinstance(verdict.as_one_text, str)
    for correction in (read_correction(text), exact_correction(text)):
        assert correction is None or isinstance(correction.reason, str)
    assert read_objectives(text) != ""
    assert read_memory(text) != ""


@pytest.mark.parametrize("reply", [*ODD_REPLIES, *MALFORMED_REPLIES])
def test_odd_replies(reply: str) -> None:
    check_all(reply)


@given(st.text())
def test_any_text(text: str) -> None:
    check_all(text)


@given(st.lists(st.sampled_from((*PIECES, *RELATIONS)), max_size=30).map("".join))
def test_any_mixture_of_structure(text: str) -> None:
    check_all(text)


def test_ten_thousand_mutated_replies() -> None:
    generator = random.Random(20241023)  # noqa: S311
    seeds = [reply for reply in (*ODD_REPLIES, *WELL_FORMED) if len(reply) < 500]
    for _ in range(10_000):
        text = generator.choice(seeds)
        for _ in range(generator.randint(1, 3)):
            start, end = sorted(generator.randint(0, len(text)) for _ in range(2))
            text = text[:start] + generator.choice(("", text[start:end] * 2, generator.choice(PIECES))) + text[end:]
        check_all(text)


WELL_FORMED = (
    '{"A": {"Sufficient": "Yes", "Answer": ["Ilm", "m.0bcd123"]}, "R": "the triples say so"}',
    "{'A': {'Sufficient': 'No', 'Answer': null}, 'R': 'nothing'}",
    '{"Add": "Yes", "Reason": "a town is missing"}',
    '{"1": "known", "2": ["a", "b"]}',
    '["people.person.nationality", "film.film.starring"]',
    "[1, 3]",
)


@pytest.mark.parametrize(
    "piece", ["[", "{", '"', "[[", '"Answer":[', '"Answer": "', "add: ", "'Add'  ", "[a, ", "\n- "]
)
def test_long_replies_take_no_long_time(piece: str) -> None:
    began = process_time()
    check_all(piece * (40_000 // len(piece)))
    assert process_time() - began < 3
