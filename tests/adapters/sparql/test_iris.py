"""Ids of remote graphs: full IRIs, illegal characters encoded or refused, never another query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.types import Direction, Entity, Relation
from kgbench_adapters import queries
from kgbench_adapters.profiles.vocabulary import Namespaces
from kgbench_adapters.sparql.iris import Nodes, ServerIris

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.testing.sparql_fake import SparqlServer
    from kgbench_adapters.sparql.adapter import SparqlAdapter

    Serve = Callable[..., SparqlServer]
    Connect = Callable[..., SparqlAdapter]

BELOW = ServerIris(Namespaces("http://dbpedia.org/resource/", "", ""))
FULL = ServerIris(Namespaces())


@pytest.mark.parametrize(
    ("given", "iri"),
    [
        ("Berlin", "http://dbpedia.org/resource/Berlin"),
        ("Dad's_Root_Beer_(brand),_100%", "http://dbpedia.org/resource/Dad's_Root_Beer_(brand),_100%25"),
        ("AC/DC", "http://dbpedia.org/resource/AC/DC"),
        ("Category:Ships", "http://dbpedia.org/resource/Category:Ships"),
        ("Zürich", "http://dbpedia.org/resource/Zürich"),
        ("with space", "http://dbpedia.org/resource/with%20space"),
        ("what?#", "http://dbpedia.org/resource/what%3F%23"),
        ("x> } UNION { ?s ?p ?o", "http://dbpedia.org/resource/x%3E%20%7D%20UNION%20%7B%20%3Fs%20%3Fp%20%3Fo"),
        ("\ud800", "http://dbpedia.org/resource/%ED%A0%80"),
        ("http://dbpedia.org/ontology/Person", "http://dbpedia.org/ontology/Person"),
        ("urn:uuid:1 2", "urn:uuid:1%202"),
        ("", ""),
    ],
)
def test_an_id_below_a_namespace(given: str, iri: str) -> None:
    assert BELOW.entity_iri(given) == iri


@pytest.mark.parametrize(
    ("given", "iri"),
    [
        ("http://example.org/a b", "http://example.org/a%20b"),
        ("http://example.org/100%", "http://example.org/100%25"),
        ("http://example.org/100%25", "http://example.org/100%25"),
        ("http://example.org/x> } UNION { ?s ?p ?o", "http://example.org/x%3E%20%7D%20UNION%20%7B%20?s%20?p%20?o"),
        ("Berlin", ""),
        ("x> } UNION { ?s ?p ?o", ""),
        ("", ""),
    ],
)
def test_an_id_that_is_an_iri(given: str, iri: str) -> None:
    assert FULL.entity_iri(given) == iri


@pytest.mark.parametrize(
    ("iri", "short"),
    [
        ("http://dbpedia.org/resource/Berlin", "Berlin"),
        ("http://dbpedia.org/resource/100%25", "100%25"),
        ("http://dbpedia.org/resource/a?b", "http://dbpedia.org/resource/a?b"),
        ("http://dbpedia.org/resource/", "http://dbpedia.org/resource/"),
        ("http://dbpedia.org/resource/http://x.org/", "http://dbpedia.org/resource/http://x.org/"),
        ("http://elsewhere.org/Berlin", "http://elsewhere.org/Berlin"),
    ],
)
def test_an_iri_is_shortened_only_where_the_id_leads_back(iri: str, short: str) -> None:
    assert BELOW.entity_id(iri) == short
    assert BELOW.entity_iri(short) == iri


@given(st.text(max_size=30))
def test_no_id_changes_the_shape_of_a_query(text: str) -> None:
    for iris in (BELOW, FULL):
        address = Nodes(iris).address(text)
        if address:
            query = queries.relations_of([address], Direction.OUT).text(1)
            assert query == queries.relations_of(["X"], Direction.OUT).text(1).replace("X", address, 1)
            assert not set(address) & set('<>"{}|^`\\ \n')


@given(st.text(alphabet="abé%20/?#:>{ '", max_size=12))
def test_every_iri_of_a_namespace_comes_back(text: str) -> None:
    iri = BELOW.entity_iri(text)
    assert not iri or BELOW.entity_iri(BELOW.entity_id(iri)) == iri


DATA = """
<http://example.org/Dad's_Root_Beer_(brand),_100%25> <http://example.org/made_by> <http://example.org/dad> .
"""


def test_odd_ids_are_asked_in_full_or_not_at_all(serve: Serve, connect: Connect) -> None:
    server = serve(DATA)
    graph = connect(server)
    odd = [
        Entity("http://example.org/Dad's_Root_Beer_(brand),_100%"),
        Entity("http://example.org/x> } UNION { ?s ?p ?o"),
        Entity("x> } UNION { ?s ?p ?o"),
        Entity("no iri at all"),
    ]
    found = graph.relations(odd, Direction.OUT)
    assert [[relation.label for relation in found[entity]] for entity in odd] == [["made_by"], [], [], []]
    assert len(server.queries) == 1
    assert "<http://example.org/Dad's_Root_Beer_(brand),_100%25>" in server.queries[0].query
    assert "UNION {" not in server.queries[0].query
    server.forget()
    assert graph.relations(odd[2:], Direction.OUT) == {odd[2]: (), odd[3]: ()}
    assert graph.neighbours([odd[0]], Relation("no iri", ""), Direction.OUT).pairs == ()
    assert (graph.names(odd[2:])[odd[2]].name, graph.types(odd[2:])[odd[2]].mediator) == (None, False)
    assert server.queries == ()


def test_two_ids_of_one_node_are_both_answered(serve: Serve, connect: Connect) -> None:
    graph = connect(serve(DATA))
    ids = [
        Entity("http://example.org/Dad's_Root_Beer_(brand),_100%"),
        Entity("http://example.org/Dad's_Root_Beer_(brand),_100%25"),
    ]
    found = graph.relations(ids, Direction.OUT)
    assert found[ids[0]] == found[ids[1]] != ()


def test_values_of_results_become_terms() -> None:
    nodes = Nodes(FULL)
    assert nodes.term(None) is None
    assert nodes.term({"type": "triple", "value": {}}) is None
    assert nodes.term({"type": "uri", "value": "http://example.org/a"}) == Entity("http://example.org/a")
    assert nodes.term({"type": "bnode", "value": "b0"}) == Entity("_:b0")
    number = {"type": "typed-literal", "value": "007", "datatype": "http://www.w3.org/2001/XMLSchema#int"}
    assert getattr(nodes.term(number), "lexical", None) == "7"
    german = nodes.term({"type": "literal", "value": "x", "xml:lang": "DE"})
    assert getattr(german, "language", None) == "de"


def test_blank_nodes() -> None:
    nodes = Nodes(FULL)
    assert nodes.address("_:b0") is None, "in the graph, but not to be asked about"
    assert nodes.address("_:nodeID://b10000") == "nodeID://b10000"
    assert nodes.address("_:nodeID://b1> ?p ?o") is None
    text = queries.relations_of(["nodeID://b1", "nodeID://b2", "http://example.org/a"], Direction.IN).text(9)
    assert text.count("UNION") == 2
    assert "VALUES ?s { <http://example.org/a> }" in text
    ox.Store().query(text)
