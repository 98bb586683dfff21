from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.scoring.normalise import TypedValue, asks_for_year, lexical, parse_date, parse_number, text_key
from kgbench.text import norm

XSD = "http://www.w3.org/2001/XMLSchema#"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", "5"),
        ("five", "5"),
        ("Twenty", "20"),
        ("zero", "0"),
        ("-0", "0"),
        ("5,000", "5000"),
        ("1'234'567.5", "1234567.5"),
        ("5 000", "5000"),
        ("−5", "-5"),
        ("5.0", "5"),
        (".5", "0.5"),
        ("1.5E3", "1500"),
        ('"5"^^xsd:integer', "5"),
        (f'"5.50"^^<{XSD}decimal>', "5.5"),
        ("5^^xsd:integer", "5"),
    ],
)
def test_numbers_are_read_by_value(text: str, value: str) -> None:
    assert parse_number(text) == Decimal(value)


@pytest.mark.parametrize(
    "text", ["", ".", "5,00", "1,2", "twenty one", "5 km", "m.05", "1e", "5-6", "--5", "nan", "9" * 99]
)
def test_other_texts_are_no_numbers(text: str) -> None:
    assert parse_number(text) is None


def test_long_numbers_keep_every_digit() -> None:
    assert text_key("1" * 40) != text_key("1" * 39 + "2")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1954-07-17", (1954, 7, 17)),
        ("July 17, 1954", (1954, 7, 17)),
        ("July 17th 1954", (1954, 7, 17)),
        ("17 July 1954", (1954, 7, 17)),
        ("the 17th of July, 1954", (1954, 7, 17)),
        ("Jul. 17, 1954", (1954, 7, 17)),
        ("Sept 1, 1954", (1954, 9, 1)),
        ("1954 July 17", (1954, 7, 17)),
        ("1954/7/17", (1954, 7, 17)),
        ("17/07/1954", (1954, 7, 17)),
        ("07/17/1954", (1954, 7, 17)),
        ("07/07/1954", (1954, 7, 7)),
        ("July 1954", (1954, 7)),
        ("1954-07", (1954, 7)),
        ("1954", (1954,)),
        ("2006+01:00", (2006,)),
        ("2006Z", (2006,)),
        ("1954-07-17T00:00:00Z", (1954, 7, 17)),
        (f'"1954-07-17"^^<{XSD}date>', (1954, 7, 17)),
        ("44 BC", (-44,)),
        ("-0044", (-44,)),
        ("March 15, 44 BC", (-44, 3, 15)),
        ("AD 79", (79,)),
    ],
)
def test_dates_are_read_as_far_as_they_say(text: str, parts: tuple[int, ...]) -> None:
    assert parse_date(text) == parts


@pytest.mark.parametrize(
    "text",
    ["", "07/08/1954", "1954-13-01", "1954-02-30", "July", "Mayor 1954", "in 1954", "12345", "195", "17", "1954-1958"],
)
def test_other_texts_are_no_dates(text: str) -> None:
    assert parse_date(text) is None


def test_a_year_question_says_so_in_its_text() -> None:
    assert asks_for_year("In what  year did she leave?")
    assert asks_for_year("Which year was it?")
    assert not asks_for_year("When was it?")


def test_a_literal_gives_its_value() -> None:
    assert lexical('"blue"@en') == "blue"
    assert lexical('"x"') == lexical(f'"x"^^<{XSD}string>') == lexical("x") == "x"
    assert lexical('say "x"') == 'say "x"'


@pytest.mark.parametrize(
    ("value", "datatype", "text", "equal"),
    [
        ("1954-07-17", XSD + "date", "July 17, 1954", True),
        ("1954-07-17", XSD + "date", "1954-07-17", True),
        ("1954-07-17", XSD + "date", "1954", False),
        ("1954-07", XSD + "gYearMonth", "1954-07-17", True),
        ("2006+01:00", XSD + "gYear", "2006", True),
        ("2006", XSD + "gYear", "2006+01:00", True),
        ("2006", XSD + "gYear", "2007", False),
        ("1998", "", "1998-05-01", True),
        ("1998", XSD + "integer", "1998-05-01", False),
        ("5000", XSD + "integer", "5,000", True),
        ("5", XSD + "int", "five", True),
        ("15", XSD + "decimal", "1.5", False),
        ("-5", XSD + "integer", "5", False),
        ("5", XSD + "integer", "m.05", False),
        ("x", XSD + "string", "x", True),
        ("x", "", f'"x"^^<{XSD}string>', True),
        ("1", XSD + "boolean", "true", True),
        ("true", XSD + "boolean", "false", False),
        ("not a date", XSD + "date", "not a date", True),
        ("", "", "", False),
    ],
)
def test_typed_equality(value: str, datatype: str, text: str, equal: bool) -> None:
    assert TypedValue.read(value, datatype).equals(text, year_is_enough=False) is equal


def test_a_year_is_enough_where_the_question_asks_for_one() -> None:
    gold = TypedValue.read("1841-03-04", XSD + "date")
    assert gold.equals("1841", year_is_enough=True)
    assert gold.equals("May 1, 1841", year_is_enough=True)
    assert not gold.equals("1842", year_is_enough=True)


def test_keys_of_numbers_keep_the_point_that_norm_would_drop() -> None:
    assert norm("1.5") == norm("15")
    assert text_key("1.5") != text_key("15")
    assert text_key("5,000") == text_key("5000")


def test_a_name_of_nothing_but_punctuation_or_articles_keeps_a_key() -> None:
    assert text_key("!!!") == "!!!"
    assert text_key("The The") == "the the"
    assert text_key(" \n ") == ""


def test_norm_is_the_strict_normaliser() -> None:
    assert norm("The Beyoncé—Knowles  (A.)") == "beyonce knowles"
    assert norm("University of Missouri–Kansas City") == norm("university of missouri-kansas city")


@given(st.text())
def test_norm_is_idempotent(text: str) -> None:
    assert norm(norm(text)) == norm(text)


@given(st.text())
def test_only_blank_texts_have_an_empty_key_and_no_reader_raises(text: str) -> None:
    assert (text_key(text) == "") == (text.strip() == "")
    parse_date(text)


@given(st.integers(-(10**15), 10**15))
def test_an_integer_equals_itself_with_separators(number: int) -> None:
    assert parse_number(f"{number:,}") == parse_number(str(number)) == number


@given(st.dates(min_value=date(1000, 1, 1)))
def test_a_written_date_is_its_iso_form(day: date) -> None:
    assert (
        parse_date(f"{day:%B} {day.day}, {day.year}") == parse_date(day.isoformat()) == (day.year, day.month, day.day)
    )
