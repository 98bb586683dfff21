"""One's own questions: a JSONL file with one record a line (the form that the demo is shipped in, too)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.data.answers import gold_answers
from kgbench.data.fields import RecordFault, id_field, names_by_id, text_field
from kgbench.data.records import Dataset, TopicFields, make_record, tags_of
from kgbench.data.source import Reading, open_source
from kgbench.types import Gold

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.types import JsonObject, QuestionRecord

FIELDS = ("id", "question", "topic_entities", "mentions", "answers")
"""Fields with a meaning; every other one is a tag."""


def load_jsonl(path: Path, name: str = "jsonl", graph: Path | None = None, strict: bool = True) -> Dataset:
    """Loads questions from a JSONL file.

    Args:
        path: the file, in UTF-8.
        name: name of the data set.
        graph: the folder of the graph that the questions are about, where it is known.
        strict: False drops and reports records with faults instead of stopping.

    Raises:
        PrerequisiteMissing: there is no such file.
        DataError: faults in the file, each with its line.
    """
    file = open_source(path)
    reading = Reading(file, strict)
    reading.read(file.lines(), _record)
    if not reading.total:
        reading.notes.append("the file holds no question")
    return Dataset(name, tuple(reading.questions), reading.report(), graph)


def _record(record: JsonObject) -> QuestionRecord:
    question_id = id_field(record, "id")
    text = text_field(record, "question")
    topics = names_by_id(record, "topic_entities")
    gold = Gold(question_id, gold_answers(record))
    mentions = _mentions(record, text, topics)
    return make_record(question_id, text, TopicFields(topics, mentions), gold, tags_of(record, FIELDS))


def _mentions(record: JsonObject, text: str, topics: dict[str, str]) -> dict[str, str]:
    mentions = {topic: words for topic, words in names_by_id(record, "mentions").items() if words}
    if not mentions.keys() <= topics.keys():
        raise RecordFault('field "mentions" holds an id that is no topic entity')
    if any(words.casefold() not in text.casefold() for words in mentions.values()):
        raise RecordFault('field "mentions" holds words that are not in the question')
    return mentions
