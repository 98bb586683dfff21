"""QALD-10: gold keys that are items, numbers, dates, lexemes and plain strings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.data.load import load_dataset
from kgbench.data.qald10 import XSD
from kgbench.errors import DataError
from kgbench.types import Entity, GoldAnswer

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.data.records import Dataset


def load(folder: Path, *answers: Any, **fields: Any) -> Dataset:
    records = [
        {"question": "Where is it?", "qid_topic_entity": {"Q901": "Velmora"}, "answer": answer, **fields}
        for answer in answers
    ]
    path = folder / "qald_10-en.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    return load_dataset("qald10", path)


@pytest.mark.parametrize(
    ("key", "label", "expected"),
    [
        ("Q902", "Port Zell", GoldAnswer(id="Q902", name="Port Zell")),
        ("Q903", "N", GoldAnswer(id="Q903")),
        ("L44-S1", "quay", GoldAnswer(id="L44-S1", name="quay")),
        ("+100", "+100", GoldAnswer(value="100", datatype=f"{XSD}decimal")),
        ("-2.5", "-2.5", GoldAnswer(value="-2.5", datatype=f"{XSD}decimal")),
        ("1931-05-06T00:00:00Z", "x", GoldAnswer(value="1931-05-06", datatype=f"{XSD}date")),
        ("Ulm Quay", "Ulm Quay", GoldAnswer(name="Ulm Quay")),
        ("Ulm Quay", "N", GoldAnswer(name="Ulm Quay")),
    ],
)
def test_kinds_of_gold(tmp_path: Path, key: str, label: str, expected: GoldAnswer) -> None:
    (record,) = load(tmp_path, {key: label}).questions
    assert record.gold.answers == (expected,)
    assert record.question.topics == (Entity("Q901"),)
    assert record.question.id == "qald10-001"


def test_zero_and_empty_gold_are_flagged(tmp_path: Path) -> None:
    dataset = load(tmp_path, {"0": "0"}, {}, {"Q1": "x"})
    assert [record.gold.flags for record in dataset.questions] == [("zero_gold",), ("no_gold",), ()]
    assert any("the gold of 1 questions is 0" in note for note in dataset.report.notes)


def test_placeholder_topics_are_dropped_and_other_graphs_ids_refused(tmp_path: Path) -> None:
    dataset = load(tmp_path, {"Q1": "x"}, qid_topic_entity={"UnknownQID": "?", "Q2": "y"})
    assert dataset.questions[0].question.topics == (Entity("Q2"),)
    with pytest.raises(DataError, match=r"record 1: .* no item of Wikidata"):
        load(tmp_path, {"Q1": "x"}, qid_topic_entity={"m.0abc": "y"})
    with pytest.raises(DataError, match="must be an object of ids and labels, found a list"):
        load(tmp_path, ["Q1"])


def test_the_published_number(tmp_path: Path) -> None:
    assert any("has 333" in note for note in load(tmp_path, {"Q1": "x"}).report.notes)


def test_one_value_in_two_spellings_is_one_answer(tmp_path: Path) -> None:
    (record,) = load(tmp_path, {"+100": "N", "100": "100"}).questions
    assert record.gold.answers == (GoldAnswer(value="100", datatype=f"{XSD}decimal"),)
