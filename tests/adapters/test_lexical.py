"""Whether a literal's text is a value of its datatype."""

from __future__ import annotations

import pytest

from kgbench.types import Literal
from kgbench_adapters.lexical import fits, looks_like_value
from kgbench_adapters.terms import XSD

RIGHT = [
    ("integer", ["0", "-7", "+07"]),
    ("nonNegativeInteger", ["12"]),
    ("decimal", ["1", "1.", ".5", "-1.50"]),
    ("double", ["1e6", "-1.5E-3", "INF", "-INF", "NaN", "2"]),
    ("boolean", ["true", "0"]),
    ("date", ["2024-02-29", "2000-01-01Z", "-0044-03-15", "12024-02-29", "2024-12-31+01:00"]),
    ("dateTime", ["2024-02-29T23:59:59", "2024-02-29T24:00:00Z", "2024-02-29T00:00:00.25-05:00"]),
    ("time", ["08:30:00"]),
    ("gYear", ["1999", "2006+01:00", "-0044"]),
    ("gYearMonth", ["1999-12"]),
]
WRONG = [
    ("integer", ["", "1.0", "one", "1 000", "１"]),
    ("decimal", ["1,5", "1e6", "."]),
    ("double", ["inf", "1e"]),
    ("boolean", ["True", "yes"]),
    ("date", ["2023-02-29", "2024-13-01", "24-01-01", "2024-1-1", "2024-01-01T00:00:00", "01.02.2024"]),
    ("dateTime", ["2024-02-30T00:00:00", "2024-02-29 12:00:00", "2024-02-29T25:00:00"]),
    ("gYear", ["99", "2024-01"]),
    ("gYearMonth", ["1999-13"]),
]


def cases(table: list[tuple[str, list[str]]]) -> list[tuple[str, str]]:
    return [(kind, text) for kind, texts in table for text in texts]


@pytest.mark.parametrize(("kind", "text"), cases(RIGHT))
def test_values_of_a_datatype(kind: str, text: str) -> None:
    assert fits(Literal(text, XSD + kind))


@pytest.mark.parametrize(("kind", "text"), cases(WRONG))
def test_texts_that_are_no_values(kind: str, text: str) -> None:
    assert not fits(Literal(text, XSD + kind))


def test_other_datatypes_and_texts_are_not_judged() -> None:
    assert fits(Literal("x", "http://example.org/length"))
    assert fits(Literal("x", XSD + "anyURI"))
    assert fits(Literal("x"))
    assert fits(Literal("x", "", "en"))


@pytest.mark.parametrize("text", ["2024-02-29", "17", "-3.5", "1,5", "2024-02-29T12:00:00Z", "true"])
def test_bare_values(text: str) -> None:
    assert looks_like_value(text)


@pytest.mark.parametrize("text", ["p17", "m.0123", "Q5", "17a", "2024-02", "http://e/1", "truth"])
def test_bare_ids(text: str) -> None:
    assert not looks_like_value(text)
