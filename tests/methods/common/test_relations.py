from __future__ import annotations

from kgbench.data.records import QuestionRecord
from kgbench.seam.policy import PrivacyPolicy
from kgbench.seam.session import Session, SessionSeed
from kgbench.seam.view import GraphView
from kgbench.testing.graphs import MemoryGraph, parse_triples
from kgbench.testing.harness import TEST_KEY
from kgbench.types import Direction, Entity, Gold, Literal, Question, Relation, Triple
from kgbench_methods.common.relations import Edge, Way, WayBack, leads_on, offer, ways_of

FACTS = """
ann   knows  bob
cas   knows  ann
ann   likes  tea
dora  likes  tea
ann   born   "1911"^^gYear
"""
KNOWS, LIKES, BORN = (Relation(label, label) for label in ("knows", "likes", "born"))
ANN, BOB, CAS, TEA, DORA = (Entity(name) for name in ("ann", "bob", "cas", "tea", "dora"))


def view(inverses: dict[str, str] | None = None) -> GraphView:
    record = QuestionRecord(Question("q", "?"), Gold("q", ()))
    session = Session(record, PrivacyPolicy(), TEST_KEY, SessionSeed("test", 0, 0))
    return GraphView(MemoryGraph(parse_triples(FACTS), inverses=inverses), session)


def anything(_: object) -> bool:
    return True


def test_ways_lead_out_before_in_and_a_label_is_offered_once() -> None:
    ways = ways_of(view(), ANN)
    assert ways == [
        Way(BORN, Direction.OUT),
        Way(KNOWS, Direction.OUT),
        Way(LIKES, Direction.OUT),
        Way(KNOWS, Direction.IN),
    ]
    offered = offer(ways)
    assert offered.relations == [BORN, KNOWS, LIKES]
    assert offered.by_label["knows"] == [Way(KNOWS, Direction.OUT), Way(KNOWS, Direction.IN)]


def test_an_edge_knows_its_fact() -> None:
    assert Edge(ANN, KNOWS, Direction.OUT, BOB).triple == Triple(ANN, KNOWS, BOB)
    assert Edge(ANN, KNOWS, Direction.IN, CAS).triple == Triple(CAS, KNOWS, ANN)


def test_only_the_triple_that_one_came_by_is_left_out() -> None:
    back, graph = WayBack(), view()
    back.came(Edge(ANN, LIKES, Direction.OUT, TEA), graph)
    home = Way(LIKES, Direction.IN)
    assert back.sources(TEA, home) == {ANN}
    assert leads_on(graph, TEA, home, back, anything), "dora likes tea too"
    assert not leads_on(graph, TEA, home, back, lambda term: term != DORA)
    assert back.sources(TEA, Way(LIKES, Direction.OUT)) == frozenset()
    back.came(Edge(ANN, KNOWS, Direction.OUT, BOB), graph)
    assert not leads_on(graph, BOB, Way(KNOWS, Direction.IN), back, anything)


def test_a_declared_inverse_leads_back_too() -> None:
    back = WayBack()
    back.came(Edge(ANN, LIKES, Direction.OUT, TEA), view({"likes": "liked_by"}))
    liked_by = Relation("liked_by", "liked_by")
    assert back.sources(TEA, Way(liked_by, Direction.OUT)) == {ANN}
    assert back.sources(TEA, Way(liked_by, Direction.IN)) == frozenset()


def test_a_literal_is_never_left() -> None:
    back = WayBack()
    back.came(Edge(ANN, BORN, Direction.OUT, Literal("1911")), view())
    assert back == WayBack()
