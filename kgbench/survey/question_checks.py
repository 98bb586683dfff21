"""What may be wrong with one's own questions: in themselves, and against their graph."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.data.jsonl import FIELDS, load_jsonl
from kgbench.data.records import GOLD_IS_TOPIC, NO_GOLD, NO_TOPIC, TEXT_FIXED
from kgbench.data.source import open_source
from kgbench.errors import DataError
from kgbench.survey.known import NOTHING, mention_of
from kgbench.text import norm
from kgbench.types import Entity, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from kgbench.data.source import SourceFile
    from kgbench.survey.known import Known
    from kgbench.survey.values import GoldNodes
    from kgbench.types import QuestionRecord

    Tell = Callable[[Finding], None]

_OTHER_NAMES = {
    "gold": "answers",
    **dict.fromkeys(("topic", "topics", "entities", "q_entity"), "topic_entities"),
}
"""What fields are called elsewhere -> what they are called here."""
_ALIKE = 0.8
_FLAGS = {
    NO_GOLD: "the question has no gold answer: it counts as a miss whatever is answered",
    NO_TOPIC: "the question has no topic entity: methods that start from one cannot answer it",
    GOLD_IS_TOPIC: "a gold answer is a topic entity itself, or has its name",
}


@dataclass(frozen=True)
class ReadQuestions:
    """Questions with the lines on which they stand."""

    file: str
    records: tuple[QuestionRecord, ...]
    lines: tuple[int, ...]
    """One a record."""


def read_questions(path: Path, tell: Tell) -> ReadQuestions:
    """Read questions, and tell of every record that cannot be read.

    Args:
        path: a JSONL file.
        tell: hears each finding.

    Raises:
        PrerequisiteMissing: there is no such file.
    """
    dataset = load_jsonl(path, strict=False)
    report = dataset.report
    source = open_source(path)
    if not dataset.questions and _one_value(source):
        text = "the file is one JSON value; one object a line is needed (jq -c '.[]' makes them of a list)"
        tell(Finding(Severity.HINT, "json_not_lines", text, report.file))
    dropped = {where.partition(" (")[0]: reason for where, reason in report.dropped}  # without the question's id
    for place, reason in dropped.items():
        tell(Finding(Severity.ERROR, "bad_record", f"{reason}; the question is left out", report.file, _line(place)))
    if not report.records:
        tell(Finding(Severity.ERROR, "no_questions", "the file holds no question", report.file))
    places = [row.place for row in source.lines() if row.place not in dropped]
    return ReadQuestions(report.file, dataset.questions, tuple(map(_line, places)))


def _one_value(source: SourceFile) -> bool:
    try:
        source.json()
    except DataError:
        return False
    return True


def _line(place: str) -> int:
    number = place.rpartition(" ")[2]
    return int(number) if number.isdecimal() else 0


def check_alone(questions: ReadQuestions, tell: Tell) -> None:
    """Look at questions without a graph: fields under another name, no gold, no topic, gold that is the topic."""
    for record, line in zip(questions.records, questions.lines, strict=True):
        for flag, text in _FLAGS.items():
            if flag in record.gold.flags:
                tell(Finding(Severity.WARNING, flag, text, questions.file, line))
        for text in _misnamed(record):
            tell(Finding(Severity.WARNING, "misnamed_field", text, questions.file, line))
        if TEXT_FIXED in record.tags:
            text = "the text was encoded twice: it is asked as it stands"
            tell(Finding(Severity.HINT, "encoded_twice", text, questions.file, line))


def _misnamed(record: QuestionRecord) -> Iterable[str]:
    """Fields of which nothing was found, while a tag has nearly their name."""
    empty = {
        "answers": not record.gold.answers,
        "topic_entities": not record.question.topics,
        "mentions": not record.mentions,
    }
    for tag in record.tags:
        near = difflib.get_close_matches(tag.casefold(), FIELDS, n=1, cutoff=_ALIKE)
        meant = _OTHER_NAMES.get(tag.casefold()) or (near[0] if near else "")
        if empty.get(meant):
            yield f'the field "{tag}" is a tag and is not read as "{meant}"'


def check_against(
    questions: ReadQuestions, known: Mapping[Entity, Known], gold_nodes: GoldNodes | None, tell: Tell
) -> None:
    """Look at questions beside their graph: ids that it lacks, names that it has otherwise, topics without a mention.

    Args:
        questions: the questions.
        known: what the graph knows of their topics and gold entities.
        gold_nodes: finds values and names in the graph; None where it cannot be read whole.
        tell: hears each finding.
    """
    for record, line in zip(questions.records, questions.lines, strict=True):
        for severity, kind, text in (*_topics(record, known), *_gold(record, known, gold_nodes)):
            tell(Finding(severity, kind, text, questions.file, line))


_Fault = tuple[Severity, str, str]


def _topics(record: QuestionRecord, known: Mapping[Entity, Known]) -> Iterable[_Fault]:
    for topic in record.question.topics:
        found = known.get(topic, NOTHING)
        if not found.present:
            yield Severity.ERROR, "unknown_topic", "a topic entity is not in the graph"
        if found.mediator:
            yield Severity.WARNING, "mediator_topic", "a topic entity is a mediator: methods read through it"
        if _differs(record.topic_names.get(topic), found):
            yield Severity.WARNING, "other_topic_name", "a topic entity has another name in the graph"
        if mention_of(record, topic, found) is None:
            text = 'a topic entity is not named in the question: prompts show its handle; "mentions" may say its words there'
            yield Severity.WARNING, "no_mention", text


def _gold(record: QuestionRecord, known: Mapping[Entity, Known], gold_nodes: GoldNodes | None) -> Iterable[_Fault]:
    missing = 0
    for answer in record.gold.answers:
        found = known.get(Entity(answer.id), NOTHING) if answer.id else NOTHING
        if answer.id and not found.present:
            missing += 1
        elif not answer.id and gold_nodes is not None and not gold_nodes.of(answer):
            yield Severity.WARNING, "unknown_value", "a gold answer given by value or name is not in the graph"
        if found.mediator:
            yield Severity.WARNING, "mediator_gold", "a gold answer is a mediator: no method can give it"
        if answer.name and _differs(answer.name, found):
            yield Severity.WARNING, "other_gold_name", "a gold answer has another name in the graph"
    if missing and missing == len(record.gold.answers):
        yield Severity.ERROR, "unknown_gold", "no gold answer is in the graph"
    elif missing:
        yield Severity.WARNING, "unknown_gold", "some gold answers are not in the graph"


def _differs(name: str | None, found: Known) -> bool:
    """True where both sides have a name and none is the other's, by the strict rules of comparison."""
    return bool(name and found.every_name) and norm(name or "") not in set(map(norm, found.every_name))
