"""A graph that answers in part: the question goes on with what came, says so, and is asked again on resume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.errors import GraphPartial
from kgbench.testing import run_once, toy_graph, toy_records
from kgbench.types import RETRIED_ON_RESUME, SCORED, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.testing import MemoryGraph
    from kgbench.types import Direction, Entity, Neighbours, Relation


class Hurried:
    """The toy graph on a server whose time is always up."""

    def __init__(self, graph: MemoryGraph) -> None:
        self._graph = graph
        self.card = graph.card
        self.relations, self.names, self.types = graph.relations, graph.names, graph.types

    def neighbours(
        self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int | None = None
    ) -> Neighbours:
        raise GraphPartial(self._graph.neighbours(entities, relation, direction, limit), "its time was up")


def test_a_partial_answer_is_named_scored_and_asked_again() -> None:
    run = run_once("arog", graph=Hurried(toy_graph()), records=toy_records("forward mediator"))
    record = run.record("forward mediator")
    assert record["status"] == Status.KG_PARTIAL
    assert record["notes"]["kg_partial"] > 0
    assert record["prediction"]["items"]
    assert Status.KG_PARTIAL in SCORED and Status.KG_PARTIAL in RETRIED_ON_RESUME
