"""Queries from outside: the same ones as the embedded engine takes, bounded, with nothing else let through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgbench.errors import GraphError
from kgbench.types import Entity, Literal
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.testing.sparql_fake import SparqlServer
    from kgbench_adapters.sparql.adapter import SparqlAdapter

    Serve = Callable[..., SparqlServer]
    Connect = Callable[..., SparqlAdapter]

DATA = "".join(f"<http://example.org/n{n:02}> <http://example.org/age> {n} .\n" for n in range(30))
AGES = "SELECT ?s ?age { ?s <http://example.org/age> ?age }"


@pytest.mark.parametrize(
    "query",
    [
        f"{AGES} ORDER BY DESC(?age) LIMIT 3",
        f"{AGES} ORDER BY ?age",
        f"{AGES} ORDER BY ?age OFFSET 25",
        f"{AGES} ORDER BY ?age # a comment at the end",
        "SELECT (MAX(?age) AS ?oldest) { ?s ?p ?age }",
        "PREFIX e: <http://example.org/> SELECT ?x ?age { e:n07 e:age ?age OPTIONAL { e:n07 e:none ?x } }",
        f"{AGES} ORDER BY ?age LIMIT 5 VALUES ?age {{ 3 4 }}",
        "SELECT ?s { ?s ?p ?o FILTER(?o < 3) } ORDER BY ?s",
        "BASE <http://example.org/> SELECT * { <n01> <age> ?age }",
    ],
)
def test_both_engines_give_the_same_rows(serve: Serve, connect: Connect, tmp_path: Path, query: str) -> None:
    (tmp_path / "g.ttl").write_text(DATA, encoding="utf-8")
    graph = connect(serve(DATA))
    assert graph.select(query) == OxigraphAdapter.open(str(tmp_path / "g.ttl")).select(query)


def test_a_query_gets_a_limit_where_it_has_none(serve: Serve, connect: Connect) -> None:
    server = serve(DATA)
    graph = connect(server)
    for query in (AGES, f"{AGES} LIMIT 3", f"{AGES} # LIMIT 3"):
        graph.select(query)
    assert [query.query.rpartition("LIMIT ")[2] for query in server.queries] == ["10000", "3", "10000"]


def test_unbound_values_are_none(serve: Serve, connect: Connect) -> None:
    graph = connect(serve(DATA))
    query = "SELECT ?x ?s ?o { ?s ?p ?o OPTIONAL { ?s <http://none> ?x } FILTER(?o = 4) }"
    number = Literal("4", "http://www.w3.org/2001/XMLSchema#integer")
    assert graph.select(query) == ((None, Entity("http://example.org/n04"), number),)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT ?s { ?s ?p", "not valid SPARQL"),
        ("ASK { ?s ?p ?o }", "no SELECT query"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "no SELECT query"),
        ("DELETE WHERE { ?s ?p ?o }", "not valid SPARQL"),
        ("SELECT * { ?s ?p ?o } ; DROP ALL", "not valid SPARQL"),
        ("DEFINE get:soft 'replace' SELECT * FROM <http://elsewhere.example/> { ?s ?p ?o }", "not valid SPARQL"),
        ("SELECT * { SERVICE <http://elsewhere.example/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT ?s { ?s ?p ?o . FILTER(bif:contains(?o, 'x')) }", "not valid SPARQL"),
        ("", "not valid SPARQL"),
    ],
)
def test_what_never_reaches_the_server(serve: Serve, connect: Connect, query: str, said: str) -> None:
    server = serve(DATA)
    graph = connect(server)
    with pytest.raises(GraphError, match=said) as caught:
        graph.select(query)
    assert server.queries == ()
    assert "elsewhere" not in str(caught.value)


def test_a_query_that_would_keep_a_regular_expression_busy_does_not(serve: Serve, connect: Connect) -> None:
    prologue = " ".join(f"PREFIX p{n}: <http://example.org/{n}:>" for n in range(200))
    assert connect(serve(DATA)).select(f"{prologue} {AGES} ORDER BY ?s LIMIT 1")[0][0] == Entity(
        "http://example.org/n00"
    )
