"""The graph as a method sees it: ids and labels, mediators joined, everything read remembered."""

from __future__ import annotations

from seam_desk import ASHGROVE, BRENKA, UNNAMED, VELM, Desk, desk

from kgbench.contracts import Profile
from kgbench.seam.view import GraphView
from kgbench.testing import toy_graph
from kgbench.types import Direction, Entity, JoinedRelation, Literal, Relation

JOB, EMPLOYER = Relation("person.job", "person.job"), Relation("job.employer", "job.employer")
QUILL = Entity("quill")


def view_of(table: Desk) -> GraphView:
    return GraphView(table.graph, table.session)


def test_relations_are_sorted_by_label_and_bookkeeping_is_left_out_by_use() -> None:
    table = Desk(graph=toy_graph(Profile(name="p", skip={"explore": ("person.child*", "job.*")})))
    view = view_of(table)
    every = [relation.label for relation in view.relations(BRENKA, Direction.OUT)]
    assert every == ["person.child", "person.child.godchild", "person.friend", "person.job", "person.lives_in"]
    explored = [relation.label for relation in view.relations(BRENKA, Direction.OUT, use="explore")]
    assert explored == ["person.friend", "person.job", "person.lives_in"]
    assert [relation.label for relation in view.relations(BRENKA, Direction.OUT, use="describe")] == every
    assert view.skips(JoinedRelation(JOB, Direction.OUT, EMPLOYER, Direction.OUT), "explore")
    assert view.relations([], Direction.OUT) == ()


def test_joined_relations_lead_through_mediators_and_not_back() -> None:
    view = view_of(desk())
    forward = JoinedRelation(JOB, Direction.OUT, EMPLOYER, Direction.OUT)
    backward = JoinedRelation(EMPLOYER, Direction.IN, JOB, Direction.IN)
    assert view.neighbours(BRENKA, forward, Direction.OUT) == (ASHGROVE,)
    assert view.neighbours(ASHGROVE, backward, Direction.IN) == (BRENKA, Entity("tamsin1"))
    assert (forward.label, forward.direction) == ("person.job-job.employer", Direction.OUT)
    assert (backward.label, backward.direction) == ("person.job-job.employer", Direction.IN)
    prize, winner = Relation("win.prize", "win.prize"), Relation("win.winner", "win.winner")
    statement = JoinedRelation(prize, Direction.IN, winner, Direction.OUT)
    assert view.neighbours(QUILL, statement, Direction.IN) == (BRENKA,)
    assert statement.direction is Direction.OUT


def test_a_missing_name_makes_no_mediator() -> None:
    view = view_of(desk())
    assert not view.is_mediator(UNNAMED)
    assert view.is_mediator(Entity("job1"))
    assert not view.are_mediators([Entity("job1"), UNNAMED])


def test_what_is_read_is_remembered_and_counted() -> None:
    table = desk()
    view = view_of(table)
    reached = view.neighbours(ASHGROVE, Relation("company.phone", "company.phone"), Direction.OUT)
    assert [term.lexical for term in reached if isinstance(term, Literal)] == ["0417 3301", "0417 3302", "0417 3303"]
    assert set(reached) <= set(table.session.touched)
    assert table.session.notes["graph_reads"] == 1
    assert view.types(VELM) == ("town",)
    assert "town" in table.session.labels


def test_a_cut_is_counted() -> None:
    table = Desk(graph=toy_graph(Profile(name="p", row_limit=10)))
    residents = view_of(table).neighbours(VELM, Relation("person.lives_in", "person.lives_in"), Direction.IN)
    assert len(residents) == 10
    assert table.session.notes["graph_cut"] == 1
