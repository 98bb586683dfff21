"""What the loaders of published files share: checks of ids, of counts, and of topics."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from kgbench.data.fields import RecordFault, names_by_id
from kgbench.data.records import PLACEHOLDER_IDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgbench.data.source import Reading
    from kgbench.types import JsonObject

FREEBASE_ID = re.compile(r"[mg]\.[0-9a-z_]+")

PublishedCounts = dict[int, dict[int, int]]
"""Number of records of a published file -> topic entities a question -> questions (empty: not known)."""


def freebase_topics(record: JsonObject, name: str = "topic_entity") -> dict[str, str]:
    """The topic entities of a record, placeholders among them.

    Raises:
        RecordFault: the field is missing or no object, or an id has not Freebase's form.
    """
    if name not in record:
        raise RecordFault(f'field "{name}" is missing: is this the file with linked topic entities?')
    topics = names_by_id(record, name)
    for topic in topics:
        require_freebase_id(topic, name)
    return topics


def require_freebase_id(identifier: str, name: str) -> None:
    """Lets Freebase ids and placeholders pass.

    Raises:
        RecordFault: for any other id.
    """
    if identifier not in PLACEHOLDER_IDS and not FREEBASE_ID.fullmatch(identifier):
        raise RecordFault(f'field "{name}" holds an id that is none of Freebase (such as m.0abc)')


def check_counts(reading: Reading, published: PublishedCounts, insist: bool) -> None:
    """Compares the numbers of records and topics with those of the published file.

    Args:
        reading: after all records are read.
        published: the files that are known.
        insist: a difference is an error, not a note.

    Raises:
        DataError: with `insist`, if the numbers differ.
    """
    sizes = Counter(len(record.question.topics) for record in reading.questions)
    problem = ""
    if reading.total not in published:
        expected = " or ".join(str(number) for number in published)
        problem = f"{reading.total} records, where the published file has {expected}"
    elif published[reading.total] and Counter(published[reading.total]) != sizes:
        problem = f"{reading.total} records as published, but other numbers of topic entities: {_histogram(sizes)}"
    if problem and insist:
        raise reading.file.error(f"{problem}; name the path to load another file of this form")
    if problem:
        reading.notes.append(problem)


def _histogram(sizes: Mapping[int, int]) -> str:
    return ", ".join(f"{size}: {count}" for size, count in sorted(sizes.items()))
