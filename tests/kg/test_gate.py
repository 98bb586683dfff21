"""The gate: counts, bounds, and errors without names."""

from __future__ import annotations

import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from kgbench.contracts import GraphCard, Profile
from kgbench.errors import GraphError, GraphPartial
from kgbench.kg.gate import GraphGate, GraphReads
from kgbench.types import ClassLabel, Direction, Entity, Neighbours, NodeKind, NodeNames, Relation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SECRET = "Ann Orvane m.0secret"
A, B = Entity("a"), Entity("b")
RELATION = Relation("r", "r")


class Graph:
    """A graph of a stranger's: it ignores limits, and fails with whatever it is told to."""

    card = GraphCard("g", Profile("plain", row_limit=5), "f")

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self.limits: list[int | None] = []

    def _fail(self) -> None:
        if self.error is not None:
            raise self.error

    def relations(self, entities: Sequence[Entity], direction: Direction) -> dict[Entity, tuple[Relation, ...]]:
        self._fail()
        return {A: (RELATION, Relation("q", "q"))}

    def neighbours(
        self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int | None = None
    ) -> Neighbours:
        self._fail()
        self.limits.append(limit)
        return Neighbours(tuple((A, Entity(f"n{number}")) for number in range(8)))

    def names(self, entities: Sequence[Entity]) -> dict[Entity, NodeNames]:
        self._fail()
        return {entity: NodeNames("Ann") for entity in entities}

    def types(self, entities: Sequence[Entity]) -> dict[Entity, NodeKind]:
        self._fail()
        return {entity: NodeKind((ClassLabel("t"),)) for entity in entities}

    def select(self, sparql: str) -> tuple[tuple[Entity, ...], ...]:
        self._fail()
        return tuple((Entity(f"n{number}"),) for number in range(int(sparql)))


READS: list[Callable[[GraphGate], object]] = [
    lambda gate: gate.relations([A], Direction.OUT),
    lambda gate: gate.neighbours([A], RELATION, Direction.OUT),
    lambda gate: gate.names([A]),
    lambda gate: gate.types([A]),
    lambda gate: gate.select("1"),
]


def test_reads_are_counted_and_names_apart() -> None:
    gate = GraphGate(Graph())
    for read in READS:
        read(gate)
    assert gate.reads == GraphReads(reads=4, rows=2 + 5 + 1 + 1, cuts=1, failures=0, name_reads=1)
    assert gate.card is Graph.card


def test_every_entity_asked_for_is_in_the_answer() -> None:
    class Empty(Graph):
        def names(self, entities: Sequence[Entity]) -> dict[Entity, NodeNames]:
            return {}

        def types(self, entities: Sequence[Entity]) -> dict[Entity, NodeKind]:
            return {}

    gate = GraphGate(Empty())
    assert gate.relations([A, B], Direction.OUT)[B] == ()
    assert gate.names([B]) == {B: NodeNames(None)}
    assert gate.types([B]) == {B: NodeKind()}


@pytest.mark.parametrize(("asked", "passed", "pairs"), [(None, 5, 5), (3, 3, 3), (99, 5, 5)])
def test_limits_are_bounded_and_held_even_if_the_adapter_ignores_them(
    asked: int | None, passed: int, pairs: int
) -> None:
    graph = Graph()
    found = GraphGate(graph).neighbours([A], RELATION, Direction.OUT, asked)
    assert graph.limits == [passed]
    assert (len(found.pairs), found.cut) == (pairs, True)


def test_a_limit_below_one_is_refused_before_the_read() -> None:
    graph = Graph()
    with pytest.raises(GraphError, match="at least 1"):
        GraphGate(graph).neighbours([A], RELATION, Direction.OUT, 0)
    assert graph.limits == []


@pytest.mark.parametrize(("rows", "kept", "cuts"), [(4, 4, 0), (5, 5, 1), (9, 5, 1)])
def test_rows_of_a_query_are_bounded(rows: int, kept: int, cuts: int) -> None:
    gate = GraphGate(Graph())
    assert len(gate.select(str(rows))) == kept
    assert gate.reads.cuts == cuts


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("error", [ValueError(SECRET), OSError(SECRET), KeyError(SECRET), RuntimeError(SECRET)])
def test_a_failure_is_named_by_kind_without_what_it_says(read: Callable[[GraphGate], object], error: Exception) -> None:
    gate = GraphGate(Graph(error))
    with pytest.raises(GraphError, match=rf"failed in the graph adapter \({type(error).__name__}\)") as caught:
        read(gate)
    shown = "".join(traceback.format_exception(caught.value))
    assert "Orvane" not in shown
    assert "0secret" not in shown
    assert gate.reads.failures == 1


def test_an_error_of_ones_own_passes_as_it_is() -> None:
    error = GraphError("the server sent text/html")
    with pytest.raises(GraphError) as caught:
        GraphGate(Graph(error)).types([A])
    assert caught.value is error


def test_an_interrupt_is_no_graph_error() -> None:
    with pytest.raises(KeyboardInterrupt):
        GraphGate(Graph(KeyboardInterrupt())).types([A])


def test_counts_hold_under_threads() -> None:
    gate = GraphGate(Graph())
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: gate.types([A]), range(500)))
    assert gate.reads.reads == gate.reads.rows == 500


def test_an_incomplete_answer_is_used_and_told_of_where_somebody_listens() -> None:
    came = Neighbours(((A, B),), cut=False)
    partial = GraphPartial(came, "its time was up")
    heard: list[str] = []
    assert GraphGate(Graph(partial), heard.append).neighbours([A], RELATION, Direction.OUT) == came
    assert heard == ["kg_partial"]
    with pytest.raises(GraphPartial, match="its time was up"):
        GraphGate(Graph(partial)).neighbours([A], RELATION, Direction.OUT)
