"""The shared SPARQL texts, and the guard against queries that leave the graph."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kgbench.errors import GraphError
from kgbench.types import Direction
from kgbench_adapters import queries

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
