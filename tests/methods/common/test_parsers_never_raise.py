"""No text makes a parser raise, take long, or return what it must not."""

from __future__ import annotations

import random
from time import process_time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from odd_replies import ODD_REPLIES, RELATIONS

from kgbench_methods.common.answers import Group, is_abstention, read_answers, vote_key
from kgbench_methods.common.braces import parse_braced
from kgbench_methods.common.json_replies import json_list, json_lists, json_object, strings_in
from kgbench_methods.common.labels import find_labels
from kgbench_methods.common.lists import list_items, parse_numbers, parse_relations
from kgbench_methods.common.paths import path_pieces, path_text

MUTATIONS = 10_000
PIECES = (
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    "|",
    ";",
    ",",
    "\n",
    "\\",
    "->",
    "(0.4)",
    "1. ",
    "- ",
    "```",
    "<think>",
    "</think>",
    "\\u00",
    "é",
    "𝒳",
    "\ud800",
)


def check_all(text: str) -> None:
    """Run every parser and check what must hold of its result whatever the text."""
    for group in Group:
        reading = read_answers(text, group)
        assert all(answer and not is_abstention(answer) for answer in reading.answers if "\\u" not in text)
        assert len(set(reading.answers)) == len(reading.answers)
        assert reading.parsed or not reading.answers
        vote_key(reading.answers)
    assert parse_braced(text).truncated <= bool(parse_braced(text).groups)
    read = parse_relations(text, RELATIONS, limit=3)
    assert len(read.labels) == len(set(read.labels)) <= 3
    assert set(read.labels) <= set(RELATIONS)
    assert all(choice.weight is None or 0 <= choice.weight <= 1 for choice in read.chosen)
    assert bool(read.labels) == (read.form != "none")
    numbers = parse_numbers(text, 5, limit=3).numbers
    assert len(numbers) == len(set(numbers)) <= 3
    assert all(1 <= number <= 5 for number in numbers)
    assert all(item.strip() for item in list_items(text))
    pieces = path_pieces(text)
    assert len(pieces) <= 8
    assert len({path_text(piece) for piece in pieces}) == len(pieces)
    found: dict[str, Any] | None = json_object(text, ("type", "description"))
    assert found is None or found
    strings_in(json_list(text))
    strings_in(list(json_lists(text)))
    assert all(text[match.start : match.end] == match.label for match in find_labels(text, RELATIONS))


@pytest.mark.parametrize("reply", ODD_REPLIES, ids=range(len(ODD_REPLIES)))
def test_odd_replies(reply: str) -> None:
    check_all(reply)


@given(st.text())
@example("\ud800")
def test_any_text(text: str) -> None:
    check_all(text)


@given(st.lists(st.sampled_from((*PIECES, *RELATIONS, "unknown", "path:", "0.4", " ")), max_size=30).map("".join))
def test_any_mixture_of_structure(text: str) -> None:
    check_all(text)


def test_ten_thousand_mutated_replies() -> None:
    generator = random.Random(20240611)  # noqa: S311
    short = [reply for reply in ODD_REPLIES if len(reply) < 1000]
    for _ in range(MUTATIONS):
        check_all(_mutated(generator.choice(short), generator))


def _mutated(text: str, generator: random.Random) -> str:
    for _ in range(generator.randint(1, 4)):
        start, end = sorted(generator.randint(0, len(text)) for _ in range(2))
        head, middle, tail = text[:start], text[start:end], text[end:]
        text = generator.choice(
            (
                head + tail,
                head + middle * 2 + tail,
                head + generator.choice(PIECES) + middle + tail,
                head + middle,
                tail + head,
                head + middle[::-1] + tail,
            )
        )
    return text


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "{",
        '"',
        "'",
        "(",
        " ",
        "\n",
        "- ",
        "1. ",
        "[1] ",
        "{a} ",
        "<think>",
        "</think>",
        "type:",
        "path: ",
        "```\n",
        "a, ",
        "[a, ",
        "->",
        "(0.",
        "*",
        "[ ( ",
    ],
)
def test_long_replies_take_no_long_time(piece: str) -> None:
    # A pattern that is quadratic in the length of the text takes ten seconds and more; a linear one a tenth of one.
    began = process_time()
    check_all(piece * (40_000 // len(piece)))
    assert process_time() - began < 3
