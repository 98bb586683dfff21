"""The facts that a question lists to be hidden from its graph: the field ``mid_crucial_triples`` of GoG's files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.data.fields import RecordFault
from kgbench.errors import DataError

if TYPE_CHECKING:
    from kgbench.types import JsonObject, QuestionRecord

CRUCIAL = "mid_crucial_triples"
_FORM = f'field "{CRUCIAL}" must be a list of [head, relation, tail], each an id in quotes'

ListedTriple = tuple[str, str, str]


def read_crucial_triples(record: JsonObject) -> tuple[ListedTriple, ...]:
    """The listed facts of a source record, ids of head, relation and tail; none where the field is absent or null.

    Raises:
        RecordFault: the field has another form.
    """
    listed = record.get(CRUCIAL)
    if listed is None:
        return ()
    if not isinstance(listed, list):
        raise RecordFault(_FORM)
    return tuple(map(_triple, listed))


def _triple(item: object) -> ListedTriple:
    if not isinstance(item, list) or len(item) != 3 or not all(isinstance(part, str) and part for part in item):
        raise RecordFault(_FORM)
    head, relation, tail = item
    return head, relation, tail


def crucial_triples(record: QuestionRecord) -> tuple[ListedTriple, ...]:
    """The listed facts of a loaded question.

    Raises:
        DataError: the field has another form.
    """
    try:
        return read_crucial_triples(record.tags)
    except RecordFault as fault:
        raise DataError(f"question {record.question.id}: {fault}") from None
