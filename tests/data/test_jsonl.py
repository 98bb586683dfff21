"""One's own questions: what a good file becomes, and that every fault is named with its line."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from kgbench.data.jsonl import load_jsonl
from kgbench.data.load import load_dataset
from kgbench.errors import DataError, PrerequisiteMissing
from kgbench.types import Entity, GoldAnswer, QuestionRecord

FIXTURES = Path(__file__).parent / "fixtures"
XSD = "http://www.w3.org/2001/XMLSchema#"
SECRET = "Zorvane Quill"
"""Stands for every name and value of a private graph: no error may hold it."""


@pytest.fixture(scope="module")
def own() -> dict[str, QuestionRecord]:
    return {record.question.id: record for record in load_jsonl(FIXTURES / "own.jsonl").questions}


def write_lines(folder: Path, *records: object) -> Path:
    path = folder / "q.jsonl"
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def good(**changes: Any) -> dict[str, Any]:
    return {
        "id": "q1",
        "question": "Who is it?",
        "topic_entities": {"n1": SECRET},
        "answers": [{"id": "n2"}],
        **changes,
    }


def test_question_gold_and_tags_are_kept_apart(own: dict[str, QuestionRecord]) -> None:
    record = own["own-1"]
    assert record.question.text == "Who runs Larch Bay?"
    assert record.question.topics == (Entity("n1"),)
    assert record.topic_names == {Entity("n1"): "Larch Bay"}
    assert record.gold.answers == (GoldAnswer(id="n2", name="Orva Tinz", aliases=("O. Tinz",)),)
    assert record.gold.answers[0].names == ("Orva Tinz", "O. Tinz")
    assert record.tags == {"hops": 1, "answerable": "exact", "score": 0.5}


def test_literals_numbers_and_texts_as_gold(own: dict[str, QuestionRecord]) -> None:
    assert own["own-2"].gold.answers == (
        GoldAnswer(value="2021-03-04", datatype=f"{XSD}date"),
        GoldAnswer(value="12.5"),
        GoldAnswer(value="7"),
        GoldAnswer(name="blue"),
    )
    assert own["own-2"].mentions == {Entity("n2"): "Orvie"}


def test_missing_gold_and_missing_topic_are_flagged_not_refused(own: dict[str, QuestionRecord]) -> None:
    record = own["3"]
    assert record.question.topics == ()
    assert record.gold.answers == ()
    assert record.gold.flags == ("no_gold", "no_topic")
    assert own["own-1"].gold.flags == ()


def test_placeholder_topics_go_and_nameless_ones_stay(own: dict[str, QuestionRecord]) -> None:
    record = own["own-4"]
    assert record.question.topics == (Entity("n1"),)
    assert record.topic_names == {}
    assert record.gold.answers == (GoldAnswer(id="n9"),), "an answer given twice counts once"
    assert record.gold.flags == ("unnamed_gold",)


def test_report(own: dict[str, QuestionRecord]) -> None:
    report = load_jsonl(FIXTURES / "own.jsonl").report
    assert (report.file, report.records, report.kept, report.dropped, report.notes) == ("own.jsonl", 4, 4, (), ())
    assert report.sha256 == hashlib.sha256((FIXTURES / "own.jsonl").read_bytes()).hexdigest()
    assert list(own) == ["own-1", "own-2", "3", "own-4"], "file order"


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "answers as a string": (good(answers=SECRET), 'field "answers" must be a list, found a string'),
    "answers as an object": (good(answers={"id": "n2"}), 'field "answers" must be a list, found an object'),
    "aliases as a string": (
        good(answers=[{"id": "n2", "aliases": SECRET}]),
        'field "aliases" must be a list, found a string',
    ),
    "alias of another type": (good(answers=[{"id": "n2", "aliases": [1]}]), 'field "aliases[]" must be a string'),
    "an empty answer object": (good(answers=[{}]), "neither id, name nor value"),
    "an empty answer text": (good(answers=[" "]), "an empty answer"),
    "null among the answers": (
        good(answers=[None]),
        '"answers[]" must be an object, a string or a number, found null',
    ),
    "id and value": (good(answers=[{"id": "n2", "value": SECRET}]), "both an id and a value"),
    "id and another mid": (good(answers=[{"id": "n2", "mid": "n3"}]), "an id and another mid"),
    "value as a list": (good(answers=[{"value": [SECRET]}]), 'field "answers[].value" must be a string or a number'),
    "name as a number": (good(answers=[{"id": "n2", "name": 5}]), 'field "name" must be a string, found a number'),
    "topics as a list": (
        good(topic_entities=["n1"]),
        "must be an object of ids and names, found a list",
    ),
    "topic with an empty id": (good(topic_entities={" ": SECRET}), 'field "topic_entities" holds an empty id'),
    "topic named by a list": (good(topic_entities={"n1": [SECRET]}), 'field "topic_entities.*" must be a string'),
    "mention of no topic": (good(mentions={"n7": "it"}), "an id that is no topic entity"),
    "mention not in the text": (good(mentions={"n1": SECRET}), "words that are not in the question"),
    "no question": ({"id": "q1", "answers": []}, 'field "question" is missing'),
    "blank question": (good(question="  "), 'field "question" is empty'),
    "question of another type": (good(question=["x"]), 'field "question" must be a string, found a list'),
    "no id": ({"question": SECRET}, 'field "id" is missing'),
    "id of another type": (good(id=True), 'field "id" must be a string, found true or false'),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_named_with_file_and_line_and_without_values(tmp_path: Path, name: str) -> None:
    record, expected = FAULTS[name]
    path = write_lines(tmp_path, good(id="q0"), "", record)
    with pytest.raises(DataError) as caught:
        load_jsonl(path)
    assert str(caught.value).startswith("q.jsonl: line 3: ")
    assert expected in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f'{{"id": "{SECRET}', "line 2: not JSON at column"),
        ('{"id": NaN}', "line 2: NaN is no JSON value"),
        (f'["{SECRET}"]', "line 2: expected an object, found a list"),
    ],
)
def test_line_that_is_no_record(tmp_path: Path, line: str, expected: str) -> None:
    with pytest.raises(DataError, match=expected) as caught:
        load_jsonl(write_lines(tmp_path, good(), line))
    assert SECRET not in str(caught.value)


def test_line_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(b'{"id": "q1", "question": "Who?"}\n{"id": "q2", "question": "caf\xe9"}\n')
    with pytest.raises(DataError, match="line 2: not UTF-8 at byte 29"):
        load_jsonl(path)


def test_an_id_given_twice_names_both_lines(tmp_path: Path) -> None:
    path = write_lines(tmp_path, good(id="q1"), good(id="q2"), good(id="q1"))
    with pytest.raises(DataError, match="line 3: the id is given twice, first in line 1"):
        load_jsonl(path)


def test_all_faults_come_at_once_and_a_flood_is_cut(tmp_path: Path) -> None:
    path = write_lines(tmp_path, *[good(id=f"q{number}", answers="x") for number in range(25)])
    with pytest.raises(DataError) as caught:
        load_jsonl(path)
    lines = str(caught.value).splitlines()
    assert lines[0] == "q.jsonl: 25 faults"
    assert lines[1].strip().startswith("line 1: ")
    assert lines[-1].strip() == "and 5 more"
    assert len(lines) == 22


def test_lenient_mode_drops_and_reports(tmp_path: Path) -> None:
    path = write_lines(tmp_path, good(id="q1"), good(id="q2", answers="x"), good(id="q1"), good(id="q3"))
    dataset = load_jsonl(path, strict=False)
    assert [record.question.id for record in dataset.questions] == ["q1", "q3"]
    assert (dataset.report.records, dataset.report.kept) == (4, 2)
    assert dataset.report.dropped == (
        ("line 2 (q2)", 'field "answers" must be a list, found a string'),
        ("line 3 (q1)", "the id is given twice, first in line 1"),
    )


@pytest.mark.parametrize("field", ["id", "ID", "QuestionId", "qid"])
def test_what_was_dropped_goes_by_its_id_where_it_has_one(tmp_path: Path, field: str) -> None:
    record = {key: value for key, value in good(answers="x").items() if key != "id"}
    path = write_lines(tmp_path, {**record, field: 7}, record, "[]", {**record, field: True})
    places = [place for place, _ in load_jsonl(path, strict=False).report.dropped]
    assert places == ["line 1 (7)", "line 2", "line 3", "line 4"]


def test_empty_file_loads_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_bytes(b"")
    dataset = load_jsonl(path)
    assert dataset.questions == ()
    assert dataset.report.notes == ("the file holds no question",)


def test_byte_order_mark_and_crlf_are_harmless(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf" + json.dumps(good()).encode() + b"\r\n" + json.dumps(good(id="q2")).encode() + b"\r\n"
    )
    assert [record.question.id for record in load_jsonl(path).questions] == ["q1", "q2"]


def test_absent_file(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteMissing, match=r"none\.jsonl is not there"):
        load_jsonl(tmp_path / "none.jsonl")


def test_line_separators_inside_a_text_do_not_split_the_line(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    text = "Who\u2028wrote\x85this?"
    path.write_text(json.dumps(good(question=text), ensure_ascii=False) + "\n", encoding="utf-8")
    assert load_jsonl(path).questions[0].question.text == text


def test_datatypes_of_plain_strings_are_empty(tmp_path: Path) -> None:
    answers = [
        {"value": "4-217", "datatype": "xsd:string"},
        {"value": "blau", "datatype": "rdf:langString"},
        {"value": "2006", "datatype": f"{XSD}gYear"},
        {"value": True},
    ]
    dataset = load_jsonl(write_lines(tmp_path, good(answers=answers)))
    assert [(answer.value, answer.datatype) for answer in dataset.questions[0].gold.answers] == [
        ("4-217", ""),
        ("blau", ""),
        ("2006", f"{XSD}gYear"),
        ("true", ""),
    ]


def test_gold_that_is_the_topic_is_flagged(tmp_path: Path) -> None:
    by_id = good(id="a", answers=[{"id": "n1"}])
    by_name = good(id="b", answers=[f"the {SECRET.upper()}!"])
    neither = good(id="c", answers=[{"id": "n2", "name": "Other"}])
    dataset = load_jsonl(write_lines(tmp_path, by_id, by_name, neither))
    assert ["gold_is_topic" in record.gold.flags for record in dataset.questions] == [True, True, False]


@pytest.mark.parametrize(
    ("line", "fault"), [("[" * 200_000, "JSON nested too deeply"), (f"[{'1' * 5000}]", "a number with too many digits")]
)
def test_json_beyond_the_reader_is_a_fault_like_any_other(tmp_path: Path, line: str, fault: str) -> None:
    path = write_lines(tmp_path, good(), line)
    with pytest.raises(DataError, match=f"line 2: {fault}"):
        load_jsonl(path)
    path.write_text(line, encoding="utf-8")
    with pytest.raises(DataError, match=rf"q\.jsonl: {fault}"):
        load_dataset("cwq", path)
