"""What a method asked of the graph while it answered one question, in order, and how much came back.

Entries hold entities, so they stay in memory with the session; :mod:`kgbench.run.steps` writes them without ids.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kgbench.types import Direction, Entity

LIMIT = 500
"""How many reads of one question are kept; a method that reads more is counted beyond."""


class ReadKind(StrEnum):
    """What a read asked for."""

    RELATIONS = "relations"
    NEIGHBOURS = "neighbours"
    TYPES = "types"
    MEDIATORS = "mediators"
    """Which of some entities are mediators."""
    SELECT = "select"


class Read(NamedTuple):
    """One read of the graph, as the method asked for it."""

    calls: int
    """Model calls that the question had made before."""
    kind: ReadKind
    of: Entity | int | None
    """The entity, or how many at once; None for a query that names none."""
    relation: str | None
    """Label of the relation that was followed."""
    direction: Direction | None
    found: int
    """What the method got: relations, neighbours, classes, mediators or rows."""
    cut: bool
    """True where the row limit was reached."""


class ReadLog:
    """The first reads of a question, and how many there were beyond."""

    __slots__ = ("kept", "left_out")

    def __init__(self) -> None:
        self.kept: list[Read] = []
        self.left_out = 0

    def add(self, read: Read) -> None:
        """Keep a read, or count it where there are too many."""
        if len(self.kept) >= LIMIT:
            self.left_out += 1
        else:
            self.kept.append(read)
