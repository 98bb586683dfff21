from __future__ import annotations

import pytest
from odd_replies import RELATIONS

from kgbench_methods.common.labels import find_labels, weight_in


def found(text: str, *labels: str) -> list[str]:
    return [match.label for match in find_labels(text, labels or RELATIONS)]


def test_longest_first_and_each_stretch_once() -> None:
    text = "people.person.nationality-location.country.capital, people.person and people.person.nationality."
    assert found(text) == [
        "people.person.nationality-location.country.capital",
        "people.person",
        "people.person.nationality",
    ]


def test_places_are_those_of_the_text() -> None:
    (match,) = find_labels("use film.film.starring!", RELATIONS)
    assert "use film.film.starring!"[match.start : match.end] == match.label


@pytest.mark.parametrize(
    "text",
    [
        "apart",
        "partx",
        "part_of",
        "re-part",
        "part-time",
        "a.part",
        "part.whole",
        "part1",
        "1part",
        "teilpart",
        "épart",
        "_part",
    ],
)
def test_no_label_inside_a_word_or_a_longer_label(text: str) -> None:
    assert found(text, "part") == []


@pytest.mark.parametrize(
    "text", ["part", "(part)", '"part"', "part.", "a. part", "part. Then", "part: x", "{part}", ",part;"]
)
def test_label_between_boundaries(text: str) -> None:
    assert found(text, "part") == ["part"]


def test_half_of_an_unknown_joined_label_is_not_found() -> None:
    assert found("people.person.nationality-made.up") == []


def test_labels_of_any_script_and_empty_ones() -> None:
    assert found("связь, 属于", "связь", "属于", "", " ") == ["связь", "属于"]


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("(0.4)", 0.4),
        ("(Score: .25))", 0.25),
        (": 1", 1.0),
        ("0", 0.0),
        ("1.0.", 1.0),
        ("40%", 0.4),
        ("40.5 %", 0.405),
        ("3 then 0.2", 0.2),
        ("2.5", None),
        ("m.0412", None),
        ("1.2.3", None),
        ("v0.4x", None),
        ("250%", None),
        ("", None),
    ],
)
def test_weight(text: str, weight: float | None) -> None:
    assert weight_in(text) == (pytest.approx(weight) if weight is not None else None)
