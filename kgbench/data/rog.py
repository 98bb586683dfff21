"""WebQSP and CWQ as RoG published them: parquet files in which each question brings its own subgraph.

Nodes of these graphs are names; where Freebase has none, the MID stands in its place. So the id of an entity is its
name, here and in the gold, and homonyms are one node.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgbench.data.fields import text_field, text_list
from kgbench.data.hub import Release
from kgbench.data.parquet import files_of, split_pattern
from kgbench.data.published import FREEBASE_ID
from kgbench.data.records import Dataset, TopicFields, make_record, tags_of, without_repeats
from kgbench.data.source import Reading
from kgbench.types import Gold, GoldAnswer

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.types import JsonObject, QuestionRecord

RELEASES = {
    "rog-webqsp": Release("rmanluo/RoG-webqsp", "c0632533135a06f8c5d536b420deec5fcb5c58f3"),
    "rog-cwq": Release("rmanluo/RoG-cwq", "b0f6275586286312c4e99ef4b0adc65463c91f8e"),
}
RECORDS = {
    ("rog-webqsp", "test"): 1628,
    ("rog-cwq", "test"): 3531,
}
"""Published number of questions, where it is known."""
SOURCE_RECORDS = {("rog-webqsp", "test"): 1639}
"""Questions of the data set that the release was made from, where they are more."""
FILE_SPLITS = {"dev": "validation"}
"""Splits whose files have another name."""
COLUMNS = ("id", "question", "answer", "q_entity", "a_entity")
"""What is read. The column ``graph`` is the adapter's; ``choices`` is not used."""
_VALUE = re.compile(r"[+-]?[0-9][0-9.,:TZ+-]*")
"""A bare string that is a date or a number."""
LOCATION = "rog:"
"""Before the pattern of the files, this is a location that the adapter for such graphs opens."""


def files_pattern(split: str) -> str:
    """Pattern of the files of a split in the release."""
    return f"{FILE_SPLITS.get(split, split)}-*.parquet"


def load_rog(name: str, path: Path, split: str = "test", insist: bool = False, strict: bool = True) -> Dataset:
    """Load RoG's release of WebQSP or CWQ.

    Args:
        name: ``rog-webqsp`` or ``rog-cwq``.
        path: a parquet file, or a folder with ``test-*.parquet`` (and likewise) in it or in its folder ``data``.
        split: ``test``, ``train`` or ``dev``; a file is taken for it whatever its name.
        insist: a number of records other than the published one is an error, not a note.
        strict: False drops and reports records with faults instead of stopping.

    Returns:
        The questions; their graphs stay in the files, where the adapter for ``rog:`` finds them by question id.

    Raises:
        PrerequisiteMissing: there is no such file.
        MissingExtra: no reader of parquet files is installed.
        DataError: faults in the files, each with its row.
    """
    pattern = split_pattern(path, FILE_SPLITS.get(split, split))
    files = files_of(pattern)
    reading = Reading(files, strict)
    reading.read(files.rows(COLUMNS, f"the data set {name}"), _record)
    _check_count(reading, name, split, insist)
    return Dataset(name, tuple(reading.questions), reading.report(), f"{LOCATION}{pattern}")


def _check_count(reading: Reading, name: str, split: str, insist: bool) -> None:
    expected = RECORDS.get((name, split))
    if expected is not None and reading.total != expected:
        problem = f"{reading.total} records, where the published {split} split of {name} has {expected}"
        if insist:
            raise reading.file.error(problem)
        reading.notes.append(problem)
    of = SOURCE_RECORDS.get((name, split))
    if of is not None and reading.total == expected:
        reading.notes.append(f"{expected} of the {of} questions: the release leaves out those without an answer")


def _record(record: JsonObject) -> QuestionRecord:
    question_id = text_field(record, "id")
    text = text_field(record, "question")
    answers = without_repeats(_answer(name) for name in text_list(record, "answer") if name.strip())
    topics = {name: _name(name) for name in text_list(record, "q_entity") if name.strip()}
    gold = Gold(question_id, answers)
    return make_record(question_id, text, TopicFields(topics, {}), gold, tags_of(record, COLUMNS[:4]))


def _answer(name: str) -> GoldAnswer:
    if _VALUE.fullmatch(name):
        return GoldAnswer(name=name)  # without an id, scoring reads it as a date or a number too
    return GoldAnswer(id=name, name=_name(name) or None)


def _name(node: str) -> str:
    """The name of a node; empty for a MID, which stands where there is none."""
    return "" if re.fullmatch(FREEBASE_ID, node) else node
