"""Which graph a question reads: one for all, or its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgbench.contracts import GraphCard, KnowledgeGraph, Profile
from kgbench.errors import GraphError, UsageError
from kgbench.kg.hiding import Hiding
from kgbench.kg.open import open_graph, open_graphs
from kgbench.kg.source import GraphSource
from kgbench.testing import toy_graph
from kgbench.testing.graphs import MemoryGraph
from kgbench.types import Direction, Entity, Relation, Triple

if TYPE_CHECKING:
    from pathlib import Path

R = Relation("r", "r")


class Own:
    """A graph of one fact for each question."""

    card = GraphCard("own", Profile("plain"), "f")

    def graph_for(self, question_id: str) -> KnowledgeGraph:
        if question_id == "nobody":
            raise GraphError("no graph")
        return MemoryGraph([Triple(Entity("a"), R, Entity(question_id))])


def reached(graph: KnowledgeGraph) -> list[str]:
    return [term.id for _, term in graph.neighbours([Entity("a")], R, Direction.OUT).pairs if isinstance(term, Entity)]


def test_one_graph_is_every_questions_graph() -> None:
    graph = toy_graph()
    source = GraphSource(graph)
    assert source.graph_for("one") is source.graph_for("two") is source.shared is source.before_questions() is graph
    assert source.card is graph.card


def test_each_question_has_its_own() -> None:
    source = GraphSource(Own())
    assert source.shared is None
    assert reached(source.graph_for("one")) == ["one"]
    assert reached(source.graph_for("two")) == ["two"]
    with pytest.raises(GraphError):
        source.graph_for("nobody")


def test_before_the_first_question_there_is_none_of_these() -> None:
    graph = GraphSource(Own()).before_questions()
    assert graph.card.name == "own"
    for read in (lambda: graph.names([]), lambda: graph.relations([], Direction.OUT), lambda: graph.select("")):
        with pytest.raises(UsageError, match="before the first question"):
            read()


def test_hidden_facts_are_those_of_the_question() -> None:
    source = GraphSource(Own(), Hiding(crucial=True))
    assert reached(source.graph_for("one", [("a", "r", "one")])) == []
    assert reached(source.graph_for("two", [("a", "r", "one")])) == ["two"]
    with pytest.raises(UsageError, match="before the first question"):
        GraphSource(toy_graph(), Hiding(crucial=True)).before_questions().names([])


def test_what_is_thinned_is_thinned_before_the_first_question_too() -> None:
    source = GraphSource(toy_graph(), Hiding(thin=0.5))
    with pytest.raises(UsageError, match="would see the facts"):
        source.before_questions().select("")


def test_the_card_tells_a_thinned_graph_from_the_whole_one() -> None:
    whole, thin = GraphSource(toy_graph()), GraphSource(toy_graph(), Hiding(thin=0.2))
    assert thin.card.name == "memory[thin=0.2,thin_seed=0]"
    assert thin.card.fingerprint != whole.card.fingerprint
    assert thin.card.triples is None
    assert thin.graph_for("one").card == thin.card
    described = GraphSource(toy_graph(), description="abc")
    assert described.card.fingerprint != whole.card.fingerprint


def test_graphs_of_questions_open_where_one_graph_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Adapter:
        @staticmethod
        def accepts(location: str) -> bool:
            return location.startswith("own:")

        @staticmethod
        def open(location: str, profile: object = None) -> Own:
            return Own()

    monkeypatch.setattr("kgbench.registry.names", lambda group: ["own"])
    monkeypatch.setattr("kgbench.registry.load", lambda group, name: Adapter)
    assert isinstance(open_graphs("own:x"), Own)
    with pytest.raises(UsageError, match="a graph for each question, and here one graph is needed"):
        open_graph("own:x")


FAMILY = """
@prefix e: <http://ex.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:parentOf <http://www.w3.org/2002/07/owl#inverseOf> e:childOf ; rdfs:label "parent of" .
e:childOf rdfs:label "child of" .
e:a e:parentOf e:b . e:b e:childOf e:a . e:c e:childOf e:a .
"""


@pytest.mark.parametrize(
    "listed", [("a", "http://ex.org/parentOf", "b"), ("b", "http://ex.org/childOf", "a"), ("a", "parent of", "b")]
)
def test_a_listed_fact_is_hidden_under_its_inverse_by_id_and_by_label(
    tmp_path: Path, listed: tuple[str, str, str]
) -> None:
    path = tmp_path / "family.ttl"
    path.write_text(FAMILY, encoding="utf-8")
    head, relation, tail = listed
    source = GraphSource(open_graph(str(path)), Hiding(crucial=True))
    graph = source.graph_for("q", [(f"http://ex.org/{head}", relation, f"http://ex.org/{tail}")])
    a, b = Entity("http://ex.org/a"), Entity("http://ex.org/b")
    assert graph.relations([a, b], Direction.OUT) == {a: (), b: ()}
    found = graph.relations([a, b], Direction.IN)
    assert ([each.label for each in found[a]], found[b]) == (["child of"], ()), "the fact of the other child is left"
