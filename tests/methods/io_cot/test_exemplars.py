from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from kgbench.text import norm
from kgbench_methods.common.answers import Group, read_answers
from kgbench_methods.common.chain_of_thought import CHAIN_OF_THOUGHT
from kgbench_methods.common.worked_questions import WORKED_QUESTIONS
from kgbench_methods.io_cot.prompts import DIRECT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CASES = [
    *((template, Group.FIRST) for template in DIRECT.values()),
    *((template, Group.LAST) for template in CHAIN_OF_THOUGHT.values()),
]


def test_there_are_six_different_questions() -> None:
    assert len({norm(worked.question) for worked in WORKED_QUESTIONS}) == 6
    assert len({norm(worked.topic) for worked in WORKED_QUESTIONS}) == 6


@pytest.mark.parametrize(("template", "group"), CASES, ids=lambda case: getattr(case, "name", case))
def test_every_reply_parses_to_its_answer(template: object, group: Group) -> None:
    for example, worked in zip(template.examples, WORKED_QUESTIONS, strict=True):  # type: ignore[attr-defined]
        assert example.slots == {"question": worked.question}
        reading = read_answers(example.reply, group)
        assert reading.answers == (worked.answer,)
        assert reading.flags == ()
        assert example.reply.count("{") == 1


@pytest.mark.parametrize("worked", WORKED_QUESTIONS, ids=lambda worked: worked.topic)
def test_reasoning_agrees_with_the_answer(worked: object) -> None:
    question, reasoning = norm(worked.question), norm(worked.reasoning)  # type: ignore[attr-defined]
    topic, answer = norm(worked.topic), norm(worked.answer)  # type: ignore[attr-defined]
    assert f" {topic} " in f" {question} "
    assert set(topic.split()) & set(reasoning.split()), "the reasoning starts elsewhere"
    last_sentence = worked.reasoning.rstrip(".").rpartition(". ")[2]  # type: ignore[attr-defined]
    assert f" {answer} " in f" {norm(last_sentence)} "
    assert f" {answer} " not in f" {question} "


def assert_no_exemplar_is_used(records: Iterable[dict[str, object]]) -> int:
    """Check questions and topic names; return how many records there were."""
    texts = {norm(worked.question) for worked in WORKED_QUESTIONS}
    topics = {norm(worked.topic) for worked in WORKED_QUESTIONS}
    checked = list(records)
    for record in checked:
        assert norm(str(record["question"])) not in texts
        names = record["topic_entities"]
        assert isinstance(names, dict)
        used = topics & {norm(str(name)) for name in names.values()}
        assert not used, f"record {record['id']} is about {used}"
    return len(checked)


def test_no_exemplar_belongs_to_a_data_set(real_data: Path) -> None:
    paths = sorted((real_data / "questions").glob("*.jsonl"))
    assert paths
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert assert_no_exemplar_is_used(json.loads(line) for line in lines) > 0


def test_no_exemplar_belongs_to_the_demo() -> None:
    text = files("kgbench").joinpath("data", "demo", "files", "questions.jsonl").read_text(encoding="utf-8")
    assert assert_no_exemplar_is_used(json.loads(line) for line in text.splitlines()) > 0


def test_a_used_exemplar_would_be_found() -> None:
    worked = WORKED_QUESTIONS[0]
    record = {"id": "x", "question": "who?", "topic_entities": {"m.1": worked.topic.upper()}}
    with pytest.raises(AssertionError, match="is about"):
        assert_no_exemplar_is_used([record])
