"""The common record that every loader makes, and what a loaded data set is.

Question, gold and tags never travel together: only the question reaches a method, only scoring reads the gold, and tags
(most of which hold the gold in some form) serve filters and reports.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.data.fields import RecordFault
from kgbench.data.mojibake import repaired
from kgbench.text import norm
from kgbench.types import Entity, Gold, GoldAnswer, Question, QuestionRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from kgbench.types import JsonObject

PLACEHOLDER_IDS = frozenset({"UnknownMID", "UnknownQID"})
"""What published files write for a topic that was not linked."""

NO_GOLD = "no_gold"
NO_TOPIC = "no_topic"
UNNAMED_GOLD = "unnamed_gold"
GOLD_IS_TOPIC = "gold_is_topic"
TEXT_FIXED = "text_fixed"
"""Tag with the repaired text of a question that was encoded twice; the question itself keeps the text as published."""


@dataclass(frozen=True)
class LoadReport:
    """What became of the records of a file."""

    file: str
    """Name of the file, without its folder."""
    sha256: str
    """Of the file's bytes, and of further files that decide what a record says."""
    records: int
    """Records in the file."""
    kept: int
    dropped: tuple[tuple[str, str], ...] = ()
    """Place in the file, with the question id in parentheses where the record has one, and reason."""
    notes: tuple[str, ...] = ()
    """What a reader of results should know: a gold that could not be expanded, a count that is not the published one."""


@dataclass(frozen=True)
class Dataset:
    """Questions with their gold, in file order."""

    name: str
    questions: tuple[QuestionRecord, ...]
    report: LoadReport
    graph: Path | str | None = None
    """Location of the graph that belongs to the questions, where they bring one; of all their graphs, where each brings
    one of its own."""


@dataclass(frozen=True)
class TopicFields:
    """What a record says of its topic entities."""

    names: Mapping[str, str]
    """Id to name, in the order of exploration; the name is empty where there is none."""
    mentions: Mapping[str, str]
    """Id to the question's own words."""


def make_record(
    question_id: str,
    text: str,
    topics: TopicFields,
    gold: Gold,
    tags: Mapping[str, object],
) -> QuestionRecord:
    """Puts a record together: drops placeholder topics, marks the gold's quality, repairs a text encoded twice.

    Args:
        question_id: unique in its data set.
        text: as published.
        topics: may hold placeholders.
        gold: its flags are kept and completed.
        tags: every field of the source record that is none of the above.
    """
    linked = {topic: name for topic, name in topics.names.items() if topic not in PLACEHOLDER_IDS}
    fixed = repaired(text)
    return QuestionRecord(
        question=Question(question_id, text, tuple(Entity(topic) for topic in linked)),
        gold=Gold(gold.question_id, gold.answers, gold.parses, (*gold.flags, *_quality_flags(gold.answers, linked))),
        topic_names={Entity(topic): name for topic, name in linked.items() if name},
        mentions={Entity(topic): words for topic, words in topics.mentions.items() if topic in linked},
        tags=_tags(tags, fixed if fixed != text else None),
    )


def _tags(tags: Mapping[str, object], fixed: str | None) -> JsonObject:
    return {**tags, **({TEXT_FIXED: fixed} if fixed is not None else {})}


def _quality_flags(answers: Sequence[GoldAnswer], topics: Mapping[str, str]) -> list[str]:
    """Marks for questions that a second column of the results leaves out (never silently)."""
    topic_names = {norm(name) for name in topics.values()} - {""}
    is_topic = any(answer.id in topics or norm(answer.name or "") in topic_names for answer in answers)
    unnamed = bool(answers) and not any(answer.names or answer.value for answer in answers)
    marks = {NO_GOLD: not answers, UNNAMED_GOLD: unnamed, GOLD_IS_TOPIC: is_topic, NO_TOPIC: not topics}
    return [flag for flag, holds in marks.items() if holds]


def without_repeats(answers: Iterable[GoldAnswer]) -> tuple[GoldAnswer, ...]:
    """The answers in order, each once."""
    return tuple(dict.fromkeys(answers))


def tags_of(record: JsonObject, taken: Iterable[str]) -> JsonObject:
    """The fields of a record that no other part of it took."""
    used = set(taken)
    return {name: value for name, value in record.items() if name not in used}


def require_unique(question_id: str, place: str, seen: dict[str, str]) -> None:
    """Remembers the place of a question id.

    Raises:
        RecordFault: the id was seen before.
    """
    if question_id in seen:
        raise RecordFault(f"the id is given twice, first in {seen[question_id]}")
    seen[question_id] = place
