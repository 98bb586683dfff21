"""GoG's files for incomplete graphs (``data_with_ct_0.4.json``): WebQSP or CWQ, and with each question the facts to hide.

They differ from the files they were made from in ``answer``, which is a list of names, and in fields that hold the
gold; those are tags, which no method reaches. The share in a file's name is how many of the facts that a gold query
rests on were drawn, at random, to be hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.data.crucial import CRUCIAL, read_crucial_triples
from kgbench.data.fields import RecordFault, required_list, text_field, text_list
from kgbench.data.published import freebase_topics
from kgbench.data.records import Dataset, TopicFields, make_record, tags_of, without_repeats
from kgbench.data.source import Reading, open_source
from kgbench.data.webqsp import webqsp_record
from kgbench.types import Gold, GoldAnswer

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.types import JsonObject, QuestionRecord

RECORDS = 1000
FIELDS = ("ID", "question", "topic_entity", "answer")


def load_gog(name: str, path: Path, strict: bool = True) -> Dataset:
    """Load one of GoG's files.

    Args:
        name: ``gog-webqsp`` or ``gog-cwq``.
        path: the file.
        strict: False drops and reports records with faults instead of stopping.

    Raises:
        PrerequisiteMissing: there is no such file.
        DataError: faults in the file, each with the number of its record. An ``answer`` that is a string belongs to the
            file without facts to hide (``webqsp`` or ``cwq``), and is such a fault.
    """
    file = open_source(path)
    reading = Reading(file, strict)
    reading.read(file.records(), _of_webqsp if name == "gog-webqsp" else _of_cwq)
    if reading.total != RECORDS:
        reading.notes.append(f"{reading.total} records, where the published files have {RECORDS}")
    listing = sum(bool(record.tags.get(CRUCIAL)) for record in reading.questions)
    reading.notes.append(
        f"{listing} of {len(reading.questions)} questions list facts, which --set kg.hide=crucial hides"
    )
    return Dataset(name, tuple(reading.questions), reading.report())


def _of_webqsp(record: JsonObject) -> QuestionRecord:
    _check(record)
    return webqsp_record(record)


def _of_cwq(record: JsonObject) -> QuestionRecord:
    _check(record)
    question_id = text_field(record, "ID")
    names = [name for name in text_list(record, "answer") if name.strip()]
    gold = Gold(question_id, without_repeats(GoldAnswer(name=name) for name in names))
    topics = TopicFields(freebase_topics(record), {})
    return make_record(question_id, text_field(record, "question"), topics, gold, tags_of(record, FIELDS))


def _check(record: JsonObject) -> None:
    required_list(record, "answer")
    if CRUCIAL not in record:
        raise RecordFault(f'field "{CRUCIAL}" is missing: is this a file data_with_ct_*.json?')
    read_crucial_triples(record)
