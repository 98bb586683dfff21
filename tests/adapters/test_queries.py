"""The shared SPARQL texts, and the guard against queries that leave the graph."""

from __future__ import annotations

import json

import pyoxigraph as ox
import pytest

from kgbench.errors import GraphError
from kgbench.types import Direction
from kgbench_adapters import queries
from kgbench_adapters.terms import XSD

ADDRESS = "http://127.0.0.1:9/sparql"


def test_every_text_is_bounded_and_parses() -> None:
    iris = ["http://example.org/a", "http://example.org/b"]
    texts = [
        queries.relations(iris, Direction.OUT, 7),
        queries.relations(iris, Direction.IN, 7),
        queries.neighbours(iris, iris[0], Direction.OUT, 7),
        queries.neighbours(iris, iris[0], Direction.IN, 7, ordered=True),
        queries.properties(iris, iris, 7),
    ]
    for text in texts:
        assert text.endswith("LIMIT 7")
        assert "PREFIX" not in text
        assert list(ox.Store().query(text)) == []
    for text in (queries.predicates(), queries.classes(iris)):
        assert list(ox.Store().query(text)) == []


IRIS = ["http://example.org/a", "http://example.org/b"]


@pytest.mark.parametrize(
    "query",
    [
        queries.relations_of(IRIS, Direction.OUT),
        queries.relations_of(IRIS[:1], Direction.IN),
        queries.neighbours_of(IRIS, IRIS[0], Direction.OUT),
        queries.neighbours_of(IRIS, IRIS[0], Direction.IN),
        queries.neighbours_of(IRIS[:1], IRIS[0], Direction.IN),
        queries.properties_of(IRIS, IRIS),
        queries.properties_of(IRIS, IRIS, ("en", "")),
        queries.links_of(IRIS[0]),
        queries.predicates_in_use(),
        queries.classes_in_use(IRIS),
        queries.any_member(IRIS, IRIS),
        queries.any_subject(IRIS),
        queries.occurring(IRIS),
    ],
)
def test_a_query_whole_in_order_and_in_pages_has_the_same_rows(query: queries.Query) -> None:
    store = ox.Store()
    a, b, name = (ox.NamedNode(iri) for iri in (*IRIS, "http://example.org/name"))
    values = [a, b, ox.BlankNode("x"), *(ox.Literal(text) for text in ("a", "b")), ox.Literal("a", language="en")]
    store.extend(
        ox.Quad(subject, predicate, value) for subject in (a, b) for predicate in (a, name) for value in values
    )
    whole = rows(store, query.everything())
    assert whole
    in_order = rows(store, query.ordered(1000))
    assert sorted(in_order) == sorted(whole)
    assert rows(store, query.ordered(2)) == in_order[:2]
    pages = [row for start in range(0, len(whole) + 2, 2) for row in rows(store, query.page(2, start, 1000))]
    assert pages == in_order
    assert len(rows(store, query.page(1000, 0, 3))) == min(3, len(whole))
    assert [json.loads(row) for row in rows(store, query.count())] == [[f'"{len(whole)}"^^<{XSD}integer>']]
    assert len(rows(store, query.text(1, len(whole) - 1))) == 1
    assert rows(store, query.text(1, len(whole))) == []


def rows(store: ox.Store, text: str) -> list[str]:
    solutions = store.query(text)
    assert isinstance(solutions, ox.QuerySolutions)
    return [json.dumps([str(value) for value in solution]) for solution in solutions]


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT * {{ SERVICE <{ADDRESS}> {{ ?s ?p ?o }} }}",
        f"select * {{ service<{ADDRESS}> {{ ?s ?p ?o }} }}",
        f"SELECT * {{ SERVICE SILENT <{ADDRESS}> {{ ?s ?p ?o }} }}",
        f"PREFIX e: <{ADDRESS}> SELECT * {{ ?a ?b ?c.SERVICEe:{{ ?s ?p ?o }} }}",
        f"PREFIX e: <{ADDRESS}> SELECT * {{ ?a ?b ?c.SERVICE#\ne:{{ ?s ?p ?o }} }}",
        f"PREFIX : <{ADDRESS}> SELECT * {{ ?a ?b 1SERVICE:{{ ?s ?p ?o }} }}",
        f"PREFIX é: <{ADDRESS}> SELECT * {{ SERVICE é:{{ ?s ?p ?o }} }}",
        f"SELECT * {{ VALUES ?x {{<{ADDRESS}>}} service?x{{ ?s ?p ?o }} }}",
        f"SELECT * {{ ?a ?b trueSERVICE <{ADDRESS}> {{ ?s ?p ?o }} }}",
        f"SELECT * {{ ?a ?b ?c FILTER(?c<1)SERVICE#>\n<{ADDRESS}>{{?s ?p ?o}}}}",
        f"PREFIX e: <http://e/> SELECT * {{ ?a ?b e:a\\' SERVICE <{ADDRESS}> {{ ?s ?p ?o }} FILTER(?x = 'b') }}",
        f"SELECT * {{ \\u0053ERVICE <{ADDRESS}> {{ ?s ?p ?o }} }}",
    ],
)
def test_a_query_that_calls_a_service_is_refused(query: str) -> None:
    with pytest.raises(GraphError, match="SERVICE clause") as caught:
        queries.check_stays_inside(query)
    assert ADDRESS not in str(caught.value)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?service { ?service <http://example.org/service> ?o }",
        'SELECT * { ?s <http://example.org#service> "customer service desk" }',
        "PREFIX e: <http://e/> SELECT * { ?s e:service ?o . ?s e:room-service ?x }",
        "SELECT * { ?s <https://kgbench.invalid/relation/hospital.service> ?home_service . ?s ?p ?o }",
    ],
)
def test_the_word_alone_is_no_call(query: str) -> None:
    queries.check_stays_inside(query)
