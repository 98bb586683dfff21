"""WebQSP, CWQ, GrailQA, SimpleQuestions and WebQuestions in their published forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.data.cwq import load_cwq
from kgbench.data.cwq_gold import NAMES_FILE
from kgbench.data.grailqa import load_grailqa
from kgbench.data.name_gold import load_simpleqa, load_webquestions
from kgbench.data.webqsp import load_webqsp
from kgbench.errors import DataError, UsageError
from kgbench.types import Entity, GoldAnswer

if TYPE_CHECKING:
    from kgbench.data.records import Dataset

FIXTURES = Path(__file__).parent / "fixtures"
CWQ = FIXTURES / "cwq" / "cwq.json"
PORT, QUAY = GoldAnswer(id="m.0inv02", name="Port Zell"), GoldAnswer(id="g.11inv3", name="Ulm Quay")
SECRET = "Zorvane Quill"

Change = Callable[[list[dict[str, Any]]], None]


def changed(source: Path, folder: Path, change: Change) -> Path:
    """A copy of a fixture with its records changed."""
    records = json.loads(source.read_text(encoding="utf-8"))
    change(records)
    path = folder / source.name
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def setter(field: str, value: object) -> Change:
    def change(records: list[dict[str, Any]]) -> None:
        records[1][field] = value

    return change


# --- WebQSP ------------------------------------------------------------------------------------------------------------


def test_webqsp_gold_is_the_union_and_keeps_its_parses() -> None:
    record = load_webqsp(FIXTURES / "webqsp.json").questions[0]
    assert record.question.id == "WebQTest-9001"
    assert record.question.text == "what harbours does Velmora have?"
    assert record.question.topics == (Entity("m.0inv01"),)
    assert record.gold.answers == (PORT, QUAY, GoldAnswer(value="1931-05-06"))
    assert record.gold.parses == ((0, 1), (1, 2))
    assert record.gold.flags == ()


def test_webqsp_keeps_questions_without_gold_and_flags_them() -> None:
    dataset = load_webqsp(FIXTURES / "webqsp.json")
    assert [record.gold.flags for record in dataset.questions] == [(), ("no_gold",), ("gold_is_topic",)]
    assert dataset.questions[1].gold.parses == ((),)
    assert (dataset.report.records, dataset.report.kept) == (3, 3)


def test_webqsp_keeps_what_holds_the_gold_as_tags() -> None:
    record = load_webqsp(FIXTURES / "webqsp.json").questions[0]
    assert set(record.tags) == {"ProcessedQuestion", "qid_topic_entity", "Parses"}


def test_webqsp_release_without_linked_topics_takes_them_from_the_parses() -> None:
    record = load_webqsp(FIXTURES / "webqsp_release.json").questions[0]
    assert record.question.topics == (Entity("m.0inv01"), Entity("m.0inv07"))
    assert record.topic_names == {Entity("m.0inv01"): "Velmora"}
    assert record.gold.parses == ((0,), (), ())


def answers_of_second(answers: object) -> Change:
    def change(records: list[dict[str, Any]]) -> None:
        records[1]["Parses"][0]["Answers"] = answers

    return change


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (answers_of_second(SECRET), 'field "Answers" must be a list, found a string'),
        (answers_of_second(None), 'field "Answers" is missing'),
        (answers_of_second([SECRET]), r'field "Answers\[\]" must be an object'),
        (answers_of_second([{"AnswerType": "Thing", "AnswerArgument": "x"}]), 'field "AnswerType" must be'),
        (answers_of_second([{"AnswerType": "Entity", "AnswerArgument": 3}]), 'field "AnswerArgument" must be a string'),
        (
            answers_of_second([{"AnswerType": "Entity", "AnswerArgument": "m.0x", "EntityName": [SECRET]}]),
            'field "EntityName" must be a string or null, found a list',
        ),
        (setter("Parses", {}), 'field "Parses" must be a list, found an object'),
        (setter("topic_entity", {SECRET: SECRET}), 'field "topic_entity" holds an id that is none of Freebase'),
        (setter("topic_entity", [SECRET]), 'field "topic_entity" must be an object of ids and names, found a list'),
        (setter("RawQuestion", None), 'field "RawQuestion" must be a string, found null'),
        (setter("QuestionId", "WebQTest-9001"), "the id is given twice, first in record 1"),
    ],
)
def test_webqsp_faults(tmp_path: Path, change: Change, expected: str) -> None:
    with pytest.raises(DataError, match=f"webqsp.json: record 2: .*{expected}") as caught:
        load_webqsp(changed(FIXTURES / "webqsp.json", tmp_path, change))
    assert SECRET not in str(caught.value)


# --- CWQ ---------------------------------------------------------------------------------------------------------------


def names(dataset: Dataset, number: int = 0) -> list[str | None]:
    return [answer.name for answer in dataset.questions[number].gold.answers]


def test_cwq_gold_is_expanded_by_the_names_file() -> None:
    dataset = load_cwq(CWQ)
    assert names(dataset) == ["Port Zell", "Ulm Quay"]
    assert dataset.questions[0].gold.flags == ("unnamed_results_dropped",)
    assert names(dataset, 1) == ["Sarnach"]
    assert any(f"gold expanded by {NAMES_FILE}" in note for note in dataset.report.notes)
    assert any("single answer of 1 questions" in note for note in dataset.report.notes)


def test_cwq_single_gold() -> None:
    dataset = load_cwq(CWQ, gold="single")
    assert names(dataset) == ["Port Zell"]
    assert not any("gold" in note for note in dataset.report.notes)


def test_cwq_without_the_names_file_falls_back_and_says_so(tmp_path: Path) -> None:
    dataset = load_cwq(changed(CWQ, tmp_path, lambda _: None))
    assert names(dataset) == ["Port Zell"]
    assert any(f"{NAMES_FILE} is not beside the file" in note for note in dataset.report.notes)


def test_cwq_repairs_a_question_that_was_encoded_twice_beside_the_raw_text() -> None:
    broken, sound = load_cwq(CWQ).questions
    assert "Ã…lÃ¥n" in broken.question.text
    assert broken.tags["text_fixed"] == "Which harbour of Velmora was founded by Ålån Zint?"
    assert "text_fixed" not in sound.tags


def test_cwq_question_without_topics_is_kept_and_flagged() -> None:
    record = load_cwq(CWQ).questions[1]
    assert record.question.topics == ()
    assert record.gold.flags == ("no_topic",)
    assert record.tags["compositionality_type"] == "composition"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (setter("answer", ["Sarnach", SECRET]), 'field "answer" must be a string, found a list'),
        (setter("answer", ""), 'field "answer" is empty'),
        (lambda records: records[1].pop("topic_entity"), 'field "topic_entity" is missing'),
        (setter("ID", "WebQTest-9001_aa11"), "the id is given twice, first in record 1"),
    ],
)
def test_cwq_faults(tmp_path: Path, change: Change, expected: str) -> None:
    with pytest.raises(DataError, match=f"cwq.json: record 2: {expected}") as caught:
        load_cwq(changed(CWQ, tmp_path, change))
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("content", [{"Q?": SECRET}, {"Q?": [SECRET, None]}, [SECRET]])
def test_cwq_names_file_must_hold_lists(tmp_path: Path, content: object) -> None:
    path = changed(CWQ, tmp_path, lambda _: None)
    (tmp_path / NAMES_FILE).write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(DataError, match=NAMES_FILE) as caught:
        load_cwq(path)
    assert SECRET not in str(caught.value)


def test_cwq_refuses_an_unknown_kind_of_gold() -> None:
    with pytest.raises(UsageError, match='one of expanded, single, aliases; got "all"'):
        load_cwq(CWQ, gold="all")


# --- GrailQA -----------------------------------------------------------------------------------------------------------


def test_grailqa_answers_named_null_are_unnamed() -> None:
    first, count, sample = load_grailqa(FIXTURES / "grailqa.json").questions
    assert first.question.id == "2100000000001"
    assert first.gold.answers == (GoldAnswer(id="m.0inv05", name="Zell Mill"), GoldAnswer(id="g.11inv6"))
    assert first.gold.flags == ()
    assert count.gold.answers == (GoldAnswer(value="4"),)
    assert sample.gold.flags == ("unnamed_gold",)


def test_grailqa_topics_that_were_lost_are_restored_on_demand() -> None:
    as_linked = load_grailqa(FIXTURES / "grailqa.json").questions
    restored = load_grailqa(FIXTURES / "grailqa.json", topics_from_graph=True).questions
    assert [record.question.topics for record in as_linked[:2]] == [(Entity("m.0inv08"),), ()]
    assert [record.question.topics for record in restored[:2]] == [(Entity("m.0inv08"),), (Entity("g.11inv9"),)]
    assert restored[1].topic_names == {Entity("g.11inv9"): "Port Zell"}
    assert "no_topic" in as_linked[1].gold.flags
    assert "no_topic" not in restored[1].gold.flags


def test_grailqa_levels_are_tags() -> None:
    levels = [record.tags["level"] for record in load_grailqa(FIXTURES / "grailqa.json").questions]
    assert levels == ["zero-shot", "i.i.d.", "compositional"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (setter("answer", SECRET), 'field "answer" must be a list, found a string'),
        (setter("answer", [{"answer_type": "Class", "answer_argument": "x"}]), 'field "answer_type" must be'),
        (
            setter("answer", [{"answer_type": "Value", "answer_argument": 4}]),
            'field "answer_argument" must be a string',
        ),
        (setter("qid", 2100000000001), "the id is given twice, first in record 1"),
        (setter("qid", None), 'field "qid" must be a string, found null'),
    ],
)
def test_grailqa_faults(tmp_path: Path, change: Change, expected: str) -> None:
    with pytest.raises(DataError, match=f"grailqa.json: record 2: {expected}") as caught:
        load_grailqa(changed(FIXTURES / "grailqa.json", tmp_path, change))
    assert SECRET not in str(caught.value)


# --- Names alone -------------------------------------------------------------------------------------------------------


def test_simpleqa() -> None:
    dataset = load_simpleqa(FIXTURES / "simpleqa.json")
    assert [record.question.id for record in dataset.questions] == ["simpleqa-0001", "simpleqa-0002"]
    assert names(dataset) == ["Zell Mill"]
    assert dataset.questions[0].tags == {"relation": "mills"}


def test_webquestions() -> None:
    dataset = load_webquestions(FIXTURES / "webquestions.json")
    assert names(dataset) == ["Zell Mill", "Ulm Quay"]
    assert dataset.questions[0].question.topics == (), "a topic that was not linked is none"
    assert dataset.questions[0].gold.flags == ("no_topic",)
    assert dataset.questions[1].question.topics == (Entity("m.0inv05"),)


def test_webquestions_refuses_a_string_as_gold(tmp_path: Path) -> None:
    path = changed(FIXTURES / "webquestions.json", tmp_path, setter("answers", SECRET))
    with pytest.raises(DataError, match='record 2: field "answers" must be a list, found a string'):
        load_webquestions(path)


# --- Whole files -------------------------------------------------------------------------------------------------------

LOADERS: dict[str, Callable[..., Dataset]] = {
    "webqsp.json": load_webqsp,
    "cwq/cwq.json": load_cwq,
    "grailqa.json": load_grailqa,
    "simpleqa.json": load_simpleqa,
    "webquestions.json": load_webquestions,
}


@pytest.mark.parametrize("fixture", LOADERS)
def test_other_counts_than_published_are_noted_or_refused(fixture: str) -> None:
    path = FIXTURES / fixture
    dataset = LOADERS[fixture](path)
    expected = f"{len(dataset.questions)} records, where the published file has"
    assert any(note.startswith(expected) for note in dataset.report.notes)
    with pytest.raises(DataError, match=expected):
        LOADERS[fixture](path, insist=True)


def test_published_count_with_other_topics_is_refused(tmp_path: Path) -> None:
    def thousand(records: list[dict[str, Any]]) -> None:
        first = records[0]
        records[:] = [{**first, "qid": number} for number in range(1000)]

    path = changed(FIXTURES / "grailqa.json", tmp_path, thousand)
    with pytest.raises(DataError, match="other numbers of topic entities: 1: 1000"):
        load_grailqa(path, insist=True)
    assert len(load_grailqa(path, topics_from_graph=True, insist=True).questions) == 1000


@pytest.mark.parametrize("fixture", LOADERS)
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"other": 1}', "expected a list of records, found"),
        (b'[{"x": 1},\n', "line 2, column 1: not JSON"),
        (b'["\xe9"]', "not UTF-8 at byte 2"),
        (b"[NaN]", "NaN is no JSON value"),
        (b"[3]", "record 1: expected an object, found a number"),
    ],
)
def test_files_of_another_form(tmp_path: Path, fixture: str, content: bytes, expected: str) -> None:
    path = tmp_path / "data.json"
    path.write_bytes(content)
    with pytest.raises(DataError, match=f"data.json: {expected}"):
        LOADERS[fixture](path)


def test_lenient_mode_drops_and_reports(tmp_path: Path) -> None:
    path = changed(FIXTURES / "grailqa.json", tmp_path, setter("answer", SECRET))
    dataset = load_grailqa(path, strict=False)
    assert [record.question.id for record in dataset.questions] == ["2100000000001", "2100000000003"]
    assert dataset.report.dropped == (("record 2 (2100000000002)", 'field "answer" must be a list, found a string'),)


@pytest.mark.parametrize("fixture", LOADERS)
def test_extra_fields_reach_tags_alone(tmp_path: Path, fixture: str) -> None:
    def add(records: list[dict[str, Any]]) -> None:
        for record in records:
            record["canary"] = SECRET

    plain = LOADERS[fixture](FIXTURES / fixture).questions
    dataset = LOADERS[fixture](changed(FIXTURES / fixture, tmp_path, add))
    for record, before in zip(dataset.questions, plain, strict=True):
        assert record.tags.pop("canary") == SECRET
        assert (record.question, record.topic_names, record.mentions) == (
            before.question,
            before.topic_names,
            before.mentions,
        )
        assert record.tags == before.tags
