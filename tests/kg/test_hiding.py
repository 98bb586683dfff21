"""Graphs without some of their facts: the same facts from every side, by the triple alone."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.contracts import GraphCard, Profile
from kgbench.errors import GraphPartial, UsageError
from kgbench.kg.gate import GraphGate
from kgbench.kg.hiding import Hiding, HidingGraph, Listed, Thinning
from kgbench.testing import toy_graph
from kgbench.testing.graphs import MemoryGraph
from kgbench.types import Direction, Entity, Literal, Neighbours, Relation, Triple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench.contracts import KnowledgeGraph
    from kgbench.types import Term

OUT, IN = Direction.OUT, Direction.IN
NONE: Mapping[str, str] = {}
R = Relation("r", "r")


def facts(graph: KnowledgeGraph, nodes: Sequence[Entity], direction: Direction) -> set[tuple[Term, str, Term]]:
    """Every fact that walking in one direction finds."""
    found = set()
    for node in nodes:
        for relation in graph.relations([node], direction)[node]:
            for start, term in graph.neighbours([node], relation, direction).pairs:
                found.add((start, relation.id, term) if direction is OUT else (term, relation.id, start))
    return found


def entities(graph: MemoryGraph) -> list[Entity]:
    return [term for term in graph.terms if isinstance(term, Entity)]


def thinned(graph: MemoryGraph, share: float, seed: int = 0, inverses: Mapping[str, str] = NONE) -> HidingGraph:
    return HidingGraph(graph, [Thinning(share, seed, inverses)], graph.card)


def without(graph: MemoryGraph, *triples: tuple[str, str, str], inverses: Mapping[str, str] = NONE) -> HidingGraph:
    return HidingGraph(graph, [Listed(triples, inverses)], graph.card)


# --- Thinning ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_both_directions_hide_the_same_facts(share: float) -> None:
    graph = toy_graph()
    left, nodes = thinned(graph, share), entities(graph)
    outward, inward = facts(left, nodes, OUT), facts(left, nodes, IN)
    between = {fact for fact in outward if isinstance(fact[2], Entity)}
    assert inward == between
    every = {(t.subject, t.relation.id, t.object) for t in graph.triples}
    assert outward < every
    assert outward


def test_a_relation_with_nothing_left_is_not_offered() -> None:
    graph = toy_graph()
    left = thinned(graph, 0.5)
    for node, direction in product(entities(graph), (OUT, IN)):
        for relation in left.relations([node], direction)[node]:
            assert left.neighbours([node], relation, direction).pairs
    whole = sum(len(graph.relations([node], OUT)[node]) for node in entities(graph))
    assert sum(len(left.relations([node], OUT)[node]) for node in entities(graph)) < whole


def test_the_share_is_kept_and_larger_shares_hide_what_smaller_ones_hide() -> None:
    pairs = [(Entity(f"n{number}"), Entity(f"m.{number * 7}")) for number in range(4000)]
    hidden = {
        share: {pair for pair in pairs if Thinning(share, 0, NONE).hides(pair[0], R, pair[1])} for share in (0.2, 0.5)
    }
    assert len(hidden[0.2]) / len(pairs) == pytest.approx(0.2, abs=0.03)
    assert len(hidden[0.5]) / len(pairs) == pytest.approx(0.5, abs=0.03)
    assert hidden[0.2] < hidden[0.5]


def test_another_seed_hides_other_facts() -> None:
    graph, nodes = toy_graph(), entities(toy_graph())
    assert facts(thinned(graph, 0.5), nodes, OUT) != facts(thinned(graph, 0.5, seed=1), nodes, OUT)


def test_neither_order_nor_company_decides() -> None:
    graph = toy_graph()
    other = MemoryGraph(graph.triples[::-2], names=graph.all_names)
    nodes = entities(other)
    alone, among = facts(thinned(other, 0.4), nodes, OUT), facts(thinned(graph, 0.4), nodes, OUT)
    kept = {(t.subject, t.relation.id, t.object) for t in other.triples}
    assert alone == among & kept


def test_which_facts_are_hidden_does_not_change_with_versions() -> None:
    """Published numbers on thinned graphs rest on this."""
    rule = Thinning(0.3, 0, NONE)
    hidden = [number for number in range(20) if rule.hides(Entity("m.0a"), R, Entity(f"m.0b{number}"))]
    assert hidden == [4, 6, 8, 11, 17, 19]
    assert [y for y in range(1990, 2000) if rule.hides(Entity("m.0a"), R, Literal(str(y)))] == [1991, 1994, 1995, 1996]


@given(st.text(min_size=1), st.text(min_size=1), st.integers(0, 5))
def test_a_fact_and_its_declared_inverse_fall_together(head: str, tail: str, seed: int) -> None:
    inverses = {"parent": "child", "child": "parent"}
    rule = Thinning(0.5, seed, inverses)
    forth = rule.hides(Entity(head), Relation("p1", "parent"), Entity(tail))
    back = rule.hides(Entity(tail), Relation("c1", "child"), Entity(head))
    assert forth == back


def test_terms_are_not_run_together() -> None:
    """A value and an entity of one spelling, and parts that meet at another place, are other facts."""
    rules = [Thinning(0.5, seed, NONE) for seed in range(40)]
    one = [rule.hides(Entity("a"), R, Entity("b")) for rule in rules]
    assert one != [rule.hides(Entity("a"), R, Literal("b")) for rule in rules]
    assert one != [rule.hides(Entity("ar"), Relation("", ""), Entity("b")) for rule in rules]
    assert one == [rule.hides(Entity("a"), R, Entity("b")) for rule in rules]


# --- Listed facts ------------------------------------------------------------------------------------------------------


def test_a_listed_fact_is_hidden_from_both_ends() -> None:
    left = without(toy_graph(), ("pavo", "person.child", "brenka"))
    child = Relation("person.child", "person.child")
    assert left.neighbours([Entity("pavo")], child, OUT).pairs == ()
    assert left.neighbours([Entity("brenka")], child, IN).pairs == ()
    assert left.relations([Entity("pavo")], OUT)[Entity("pavo")] == ()
    assert child not in left.relations([Entity("brenka")], IN)[Entity("brenka")]
    assert left.neighbours([Entity("brenka")], child, OUT).pairs == ((Entity("brenka"), Entity("ilse")),)


def test_the_declared_inverse_of_a_listed_fact_is_hidden_too() -> None:
    parent, child = Relation("parent", "parent"), Relation("child", "child")
    a, b = Entity("a"), Entity("b")
    graph = MemoryGraph([Triple(a, parent, b), Triple(b, child, a)])
    both = without(graph, ("a", "parent", "b"), inverses={"parent": "child", "child": "parent"})
    assert facts(both, [a, b], OUT) == set()
    assert facts(without(graph, ("a", "parent", "b")), [a, b], OUT) == {(b, "child", a)}


def test_facts_of_other_entities_cost_no_read() -> None:
    class Counting(MemoryGraph):
        reads = 0

        def neighbours(
            self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int | None = None
        ) -> Neighbours:
            self.reads += 1
            return super().neighbours(entities, relation, direction, limit)

    graph = Counting(toy_graph().triples)
    left = without(graph, ("pavo", "person.child", "brenka"))
    assert left.relations([Entity("ashgrove")], OUT)[Entity("ashgrove")]
    assert graph.reads == 0
    left.relations([Entity("pavo")], OUT)
    assert graph.reads == 1


# --- Rows --------------------------------------------------------------------------------------------------------------


def test_hidden_rows_do_not_use_up_the_limit() -> None:
    graph = MemoryGraph([Triple(Entity("a"), R, Entity(f"n{number}")) for number in range(6)])
    left = without(graph, ("a", "r", "n0"), ("a", "r", "n1"))
    found = left.neighbours([Entity("a")], R, OUT, limit=2)
    assert (found.pairs, found.cut) == (((Entity("a"), Entity("n2")), (Entity("a"), Entity("n3"))), True)
    assert not left.neighbours([Entity("a")], R, OUT, limit=4).cut


def test_a_hub_does_not_make_the_relations_of_others_vanish() -> None:
    """All entities of a read share its row limit."""
    many = [Triple(Entity("a"), R, Entity(f"n{number:02d}")) for number in range(9)]
    graph = MemoryGraph([*many, Triple(Entity("b"), R, Entity("x"))], profile=Profile("memory", row_limit=5))
    left = thinned(graph, 0.0001)
    assert left.relations([Entity("a"), Entity("b")], OUT) == {Entity("a"): (R,), Entity("b"): (R,)}


def test_an_incomplete_answer_stays_incomplete_and_loses_hidden_rows() -> None:
    class Partial(MemoryGraph):
        def neighbours(
            self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int | None = None
        ) -> Neighbours:
            raise GraphPartial(super().neighbours(entities, relation, direction, limit), "its time was up")

    graph = Partial([Triple(Entity("a"), R, Entity("b")), Triple(Entity("a"), R, Entity("c"))])
    notes: list[str] = []
    gate = GraphGate(without(graph, ("a", "r", "b")), notes.append)
    assert gate.neighbours([Entity("a")], R, OUT).pairs == ((Entity("a"), Entity("c")),)
    assert notes == ["kg_partial"]


def test_a_query_of_the_methods_own_is_refused() -> None:
    with pytest.raises(UsageError, match=r"SPARQL query of its own.*kg\.hide or kg\.thin"):
        thinned(toy_graph(), 0.5).select("SELECT * WHERE { ?s ?p ?o }")


def test_names_and_classes_are_all_there() -> None:
    graph = toy_graph()
    left = thinned(graph, 0.9)
    assert left.names([Entity("brenka")]) == graph.names([Entity("brenka")])
    assert left.types([Entity("job1")]) == graph.types([Entity("job1")])


@pytest.mark.parametrize(
    ("hiding", "text"),
    [
        (Hiding(), ""),
        (Hiding(crucial=True), "hide=crucial"),
        (Hiding(thin=0.2), "thin=0.2,thin_seed=0"),
        (Hiding(crucial=True, thin=0.2, thin_seed=3), "hide=crucial,thin=0.2,thin_seed=3"),
    ],
)
def test_what_is_hidden_in_words(hiding: Hiding, text: str) -> None:
    assert hiding.text == text
    assert bool(hiding) == bool(text)


def test_fingerprints_differ_by_what_is_hidden() -> None:
    cards = [GraphCard("g", Profile("plain"), "f" * 64)]
    prints = {
        Hiding(c, t, s).fingerprint(cards[0].fingerprint) for c in (True, False) for t in (0.2, 0.3) for s in (0, 1)
    }
    assert len(prints) == 8
