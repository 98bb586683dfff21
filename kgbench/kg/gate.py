"""The gate in front of a graph: every read is counted and bounded, every failure named without a name in it.

An adapter may be a stranger's. What it raises may quote a query, an id or a server's page; of that only the kind of the
failure passes, except where the adapter raised one of kgbench's own errors, whose texts hold no names by their contract.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from kgbench.errors import GraphError, GraphPartial, KgbenchError
from kgbench.kg.server import server_of
from kgbench.types import Neighbours, NodeKind, NodeNames

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.contracts import GraphCard, KnowledgeGraph
    from kgbench.kg.server import ServerCard
    from kgbench.types import Direction, Entity, Relation, Term

Result = TypeVar("Result")
_Rows = tuple[tuple["Term | None", ...], ...]


@dataclass(frozen=True, slots=True)
class GraphReads:
    """What was read through a gate."""

    reads: int = 0
    """Reads of relations, neighbours, types and queries: what a method asked for. A batch is one read."""
    rows: int = 0
    """Relations, neighbours, classes and rows that these gave."""
    cuts: int = 0
    """Reads that reached a row limit."""
    failures: int = 0
    """Reads that ended in an error."""
    name_reads: int = 0
    """Reads of names: the harness's own."""


class GraphGate:
    """A graph behind a gate; one gate a question keeps the counts apart. Itself a ``KnowledgeGraph``.

    Args:
        graph: an open graph.
        note: hears ``kg_partial`` for each incomplete answer, which the gate then goes on with; without it such an
            answer is an error.
    """

    def __init__(self, graph: KnowledgeGraph, note: Callable[[str], None] | None = None) -> None:
        self._graph = graph
        self._note = note
        self._lock = Lock()
        self._counts = dict.fromkeys(GraphReads.__dataclass_fields__, 0)

    @property
    def card(self) -> GraphCard:
        """What the graph is."""
        return self._graph.card

    @property
    def reads(self) -> GraphReads:
        """What was read so far."""
        with self._lock:
            return GraphReads(**self._counts)

    @property
    def server(self) -> ServerCard | None:
        """What the graph tells of the server behind it, where there is one."""
        return server_of(self._graph)

    def relations(self, entities: Sequence[Entity], direction: Direction) -> dict[Entity, tuple[Relation, ...]]:
        """Distinct relations of each entity; one read."""
        found = self._guarded("relations", lambda: self._graph.relations(entities, direction))
        self._count(reads=1, rows=sum(map(len, found.values())))
        return {entity: found.get(entity, ()) for entity in entities}

    def neighbours(
        self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int | None = None
    ) -> Neighbours:
        """Terms that each entity reaches, at most as many as the profile's row limit; one read."""
        bound = self._bound(limit)
        found = self._guarded("neighbours", lambda: self._graph.neighbours(entities, relation, direction, bound))
        if len(found.pairs) > bound:
            found = Neighbours(found.pairs[:bound], cut=True)
        self._count(reads=1, rows=len(found.pairs), cuts=int(found.cut))
        return found

    def names(self, entities: Sequence[Entity]) -> dict[Entity, NodeNames]:
        """Names: LOCAL, never handed to a method; counted apart."""
        found = self._guarded("names", lambda: self._graph.names(entities))
        self._count(name_reads=1)
        return {entity: found.get(entity, NodeNames(None)) for entity in entities}

    def types(self, entities: Sequence[Entity]) -> dict[Entity, NodeKind]:
        """Classes of each entity; one read."""
        found = self._guarded("types", lambda: self._graph.types(entities))
        self._count(reads=1, rows=sum(len(kind.classes) for kind in found.values()))
        return {entity: found.get(entity, NodeKind()) for entity in entities}

    def select(self, sparql: str) -> _Rows:
        """Rows of a SELECT query, at most as many as the profile's row limit; one read."""
        bound = self._bound(None)
        found = self._guarded("select", lambda: self._graph.select(sparql))
        # The contract's rows do not say whether they were cut; as many as the limit means that there may be more.
        self._count(reads=1, rows=min(len(found), bound), cuts=int(len(found) >= bound))
        return found[:bound]

    def _bound(self, limit: int | None) -> int:
        most = self._graph.card.profile.row_limit
        if limit is None:
            return most
        if limit < 1:
            raise GraphError("the row limit of a read must be at least 1")
        return min(limit, most)

    def _guarded(self, operation: str, read: Callable[[], Result]) -> Result:
        try:
            return read()
        except GraphPartial as partial:
            if self._note is None:
                self._count(failures=1)
                raise
            self._note("kg_partial")
            result: Result = partial.result
            return result
        except KgbenchError:
            self._count(failures=1)
            raise
        except Exception as error:  # noqa: BLE001 - an adapter is foreign code; any failure of it ends the question alone
            self._count(failures=1)
            kind = type(error).__name__
        # Raised outside the handler: a chained exception would bring the foreign text into tracebacks.
        raise GraphError(
            f"reading {operation} failed in the graph adapter ({kind}); "
            "try the graph with one question: kgbench run --limit 1 --jobs 1"
        )

    def _count(self, **steps: int) -> None:
        with self._lock:
            for name, step in steps.items():
                self._counts[name] += step


def _conforms(gate: GraphGate) -> KnowledgeGraph:
    """Holds the type checker to the contract; never called."""
    return gate
