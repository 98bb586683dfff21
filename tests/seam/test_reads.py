"""What a method asks of the graph is remembered in order: once a request, bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seam_desk import ASHGROVE, BRENKA, UNNAMED, VELM, Desk, desk

from kgbench.contracts import Profile
from kgbench.seam import reads
from kgbench.seam.view import GraphView
from kgbench.testing import toy_graph
from kgbench.types import Direction, JoinedRelation, Relation

if TYPE_CHECKING:
    import pytest

LIVES_IN = Relation("person.lives_in", "person.lives_in")
JOB, EMPLOYER = Relation("person.job", "person.job"), Relation("job.employer", "job.employer")


def test_each_request_is_one_entry_behind_the_calls_before_it() -> None:
    table = desk()
    view = GraphView(table.graph, table.session)
    every = len(view.relations([BRENKA, VELM], Direction.OUT))
    table.session.calls = 2
    joined = JoinedRelation(JOB, Direction.OUT, EMPLOYER, Direction.OUT)
    assert view.neighbours(BRENKA, joined, Direction.OUT) == (ASHGROVE,)
    assert not view.is_mediator(UNNAMED)
    assert view.types(VELM) == ("town",)
    assert [tuple(read) for read in table.session.reads.kept] == [
        (0, "relations", 2, None, "out", every, False),
        (2, "neighbours", BRENKA, "person.job-job.employer", "out", 1, False),
        (2, "mediators", UNNAMED, None, None, 0, False),
        (2, "types", VELM, None, None, 1, False),
    ]


def test_what_is_known_already_and_what_was_not_asked_is_no_read() -> None:
    table = desk()
    view = GraphView(table.graph, table.session)
    view.relations([], Direction.OUT)
    view.types(VELM)
    view.types(VELM)
    view.is_mediator(VELM)
    assert len(table.session.reads.kept) == 1


def test_a_cut_read_says_so() -> None:
    table = Desk(graph=toy_graph(Profile(name="p", row_limit=10)))
    GraphView(table.graph, table.session).neighbours(VELM, LIVES_IN, Direction.IN)
    (read,) = table.session.reads.kept
    assert (read.found, read.cut) == (10, True)


def test_a_joined_read_is_cut_where_one_of_its_hops_is() -> None:
    backward = JoinedRelation(EMPLOYER, Direction.IN, JOB, Direction.IN)
    for limit, cut in ((1, True), (100, False)):
        table = Desk(graph=toy_graph(Profile(name="p", row_limit=limit)))
        GraphView(table.graph, table.session).neighbours(ASHGROVE, backward, Direction.IN)
        assert [read.cut for read in table.session.reads.kept] == [cut]


def test_reads_beyond_the_limit_are_counted_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "LIMIT", 3)
    table = desk()
    view = GraphView(table.graph, table.session)
    for _ in range(5):
        view.relations(BRENKA, Direction.OUT)
    assert (len(table.session.reads.kept), table.session.reads.left_out) == (3, 2)
