"""Whether entities stand in a graph: they have a name, or stand in a statement."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from kgbench.errors import GraphError
from kgbench.kg.gate import GraphGate
from kgbench.types import Direction, Entity

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from kgbench.contracts import KnowledgeGraph

    Look = Callable[[KnowledgeGraph, Sequence[Entity]], list[Entity]]

BATCH = 300
"""Entities of one read: one request to a server."""


@dataclass(frozen=True, slots=True)
class Presence:
    """What was found of some ids."""

    total: int
    """Ids to look for; where questions have graphs of their own, an id counts once a question."""
    asked: int
    """Those that were looked up."""
    present: int
    missing: tuple[str, ...]
    """Distinct ids that were not found, sorted."""
    partial: bool = False
    """True where the server's answers were incomplete: some of the missing ones may be there."""

    @property
    def share(self) -> float:
        """Share of the ids looked up that were found."""
        return self.present / self.asked


def in_graph(graph: KnowledgeGraph, ids: Collection[str], most: int) -> Presence:
    """Look for ids in one graph.

    Args:
        graph: where.
        ids: distinct ids, at least one.
        most: of more than these, a sample is looked up, always the same one.

    Raises:
        GraphError: the graph cannot be read.
    """
    asked = sample(ids, most)
    missing, partial = _missing(graph, asked)
    return Presence(len(ids), len(asked), len(asked) - len(missing), tuple(missing), partial)


def in_own_graphs(
    graph_for: Callable[[str], KnowledgeGraph], ids: Mapping[str, Collection[str]], most: int
) -> Presence:
    """Look for the ids of each question in its own graph.

    Args:
        graph_for: opens the graph of a question, by its id; one that has none has none of its ids.
        ids: question id -> distinct ids; at least one question has some.
        most: questions; of more, a sample is looked at, always the same one.
    """
    wanted = {question: named for question, named in ids.items() if named}
    asked = present = 0
    missing: set[str] = set()
    for question in sample(wanted, most):
        named = sorted(wanted[question])
        try:
            absent, _ = _missing(graph_for(question), named)
        except GraphError:
            absent = named
        asked += len(named)
        present += len(named) - len(absent)
        missing.update(absent)
    return Presence(sum(map(len, wanted.values())), asked, present, tuple(sorted(missing)))


def sample(ids: Collection[str], most: int) -> list[str]:
    """Return all ids, or as many of them as are wanted; sorted. Which ones depends on the ids alone."""
    return sorted(ids if len(ids) <= most else sorted(ids, key=_shuffled)[:most])


def _shuffled(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _missing(graph: KnowledgeGraph, ids: Sequence[str]) -> tuple[list[str], bool]:
    """Ids that a graph does not have, and whether its answers were incomplete."""
    incomplete: list[str] = []
    reader = GraphGate(graph, note=incomplete.append)
    left = [Entity(each) for each in ids]
    # Names first: they are cheapest, and nearly every entity has one.
    for look in (_named, _with_relations(Direction.OUT), _with_relations(Direction.IN)):
        found = {entity for batch in _batches(left) for entity in look(reader, batch)}
        left = [entity for entity in left if entity not in found]
    return [entity.id for entity in left], bool(incomplete)


Item = TypeVar("Item")


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


def _named(graph: KnowledgeGraph, batch: Sequence[Entity]) -> list[Entity]:
    return [entity for entity, names in graph.names(batch).items() if names.name is not None or names.aliases]


def _with_relations(direction: Direction) -> Look:
    def look(graph: KnowledgeGraph, batch: Sequence[Entity]) -> list[Entity]:
        return [entity for entity, relations in graph.relations(batch, direction).items() if relations]

    return look
