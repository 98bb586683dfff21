"""QALD-10 (English) with linked topics (``qald_10-en.json``): 333 questions over Wikidata."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgbench.data.fields import RecordFault, names_by_id, text_field, wrong_type
from kgbench.data.published import PublishedCounts, check_counts
from kgbench.data.records import PLACEHOLDER_IDS, Dataset, TopicFields, make_record, tags_of, without_repeats
from kgbench.data.source import Reading, open_source
from kgbench.types import Gold, GoldAnswer

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.types import JsonObject, QuestionRecord

PUBLISHED: PublishedCounts = {333: {1: 190, 2: 118, 3: 24, 4: 1}}
FIELDS = ("question", "answer", "qid_topic_entity")
NO_LABEL = "N"
"""What the file writes for an answer without a label."""
ZERO_GOLD = "zero_gold"
"""Flag of a question whose gold is 0: a count, or a "no" that is written so."""
XSD = "http://www.w3.org/2001/XMLSchema#"

_ITEM = re.compile(r"Q[1-9][0-9]*")
_LEXEME = re.compile(r"L[1-9][0-9]*(?:-[SF][1-9][0-9]*)?")
_DATE = re.compile(r"\+?(?P<day>-?[0-9]{4,}-[0-9]{2}-[0-9]{2})T00:00:00Z")
_NUMBER = re.compile(r"\+?(?P<number>-?[0-9]+(?:\.[0-9]+)?)")


def load_qald10(path: Path, insist: bool = False, strict: bool = True) -> Dataset:
    """Load QALD-10.

    Gold is an object of ids and labels. Half of the questions have keys that are no items: numbers (``+100``), dates with
    a time of midnight, lexemes and plain strings; the first two become values, a string is an answer by name. Records
    have no id; theirs is the place in the file. Arguments and errors as for ``load_webqsp``.
    """
    file = open_source(path)
    reading = Reading(file, strict)

    def make(record: JsonObject) -> QuestionRecord:
        return _record(record, f"qald10-{reading.total:03d}")

    reading.read(file.records(), make)
    check_counts(reading, PUBLISHED, insist)
    zeros = sum(ZERO_GOLD in record.gold.flags for record in reading.questions)
    if zeros:
        reading.notes.append(f"the gold of {zeros} questions is 0: a count, or a no that is written so")
    return Dataset("qald10", tuple(reading.questions), reading.report())


def _record(record: JsonObject, question_id: str) -> QuestionRecord:
    text = text_field(record, "question")
    if "qid_topic_entity" not in record:
        raise RecordFault('field "qid_topic_entity" is missing: is this the file with linked topic entities?')
    topics = names_by_id(record, "qid_topic_entity")
    if any(topic not in PLACEHOLDER_IDS and not _ITEM.fullmatch(topic) for topic in topics):
        raise RecordFault('field "qid_topic_entity" holds an id that is no item of Wikidata (such as Q42)')
    if not isinstance(record.get("answer"), dict):
        raise wrong_type("answer", "an object of ids and labels", record.get("answer"))
    answers = without_repeats(_answer(key, label) for key, label in names_by_id(record, "answer").items())
    flags = (ZERO_GOLD,) if any(answer.value == "0" for answer in answers) else ()
    gold = Gold(question_id, answers, flags=flags)
    return make_record(question_id, text, TopicFields(topics, {}), gold, tags_of(record, FIELDS))


def _answer(key: str, label: str) -> GoldAnswer:
    name = label if label and label != NO_LABEL else None
    if _ITEM.fullmatch(key) or _LEXEME.fullmatch(key):
        return GoldAnswer(id=key, name=name)
    if date := _DATE.fullmatch(key):
        return GoldAnswer(value=date["day"], datatype=f"{XSD}date")
    if number := _NUMBER.fullmatch(key):
        return GoldAnswer(value=number["number"], datatype=f"{XSD}decimal")
    return GoldAnswer(name=name or key)
