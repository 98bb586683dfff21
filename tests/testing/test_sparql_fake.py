"""The fake SPARQL server answers rightly, and wrongly as told."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from kgbench.testing import sparql_fake as fake

DATA = "".join(f"<http://example.org/s> <http://example.org/p> {number} .\n" for number in range(6))
ROWS = "SELECT ?o { ?s ?p ?o } ORDER BY ?o"


def ask(server: fake.SparqlServer, query: str = ROWS, **parameters: str) -> tuple[int, dict[str, str], bytes]:
    place = urlsplit(server.url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=5)
    try:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", place.path, urlencode({"query": query, **parameters}), headers)
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    finally:
        connection.close()


def values(body: bytes) -> list[int]:
    content: dict[str, Any] = json.loads(body)
    return [int(row["o"]["value"]) for row in content["results"]["bindings"]]


def test_right_answers_and_what_was_asked() -> None:
    with fake.SparqlServer(DATA, server="Made/1") as server:
        status, headers, body = ask(server, timeout="5")
        assert (status, headers["content-type"], headers["server"]) == (
            200,
            "application/sparql-results+json",
            "Made/1",
        )
        assert values(body) == [0, 1, 2, 3, 4, 5]
        assert [ask(server, query)[0] for query in ("SELECT", "ASK { ?s ?p ?o }")] == [400, 400]
        assert server.queries[0].query == ROWS
        assert server.queries[0].parameters == {"timeout": ("5",)}
        server.forget()
        assert server.queries == ()


def test_faults_come_in_turn_and_then_no_more() -> None:
    with fake.SparqlServer(DATA) as server:
        server.script(fake.status(503, Retry_After="3"), fake.no_fault(), fake.page(), fake.too_many_requests(None))
        seen = [ask(server)[:2] for _ in range(5)]
    assert [status for status, _ in seen] == [503, 200, 200, 429, 200]
    assert seen[0][1]["retry-after"] == "3"
    assert seen[2][1]["content-type"].startswith("text/html")
    assert "retry-after" not in seen[3][1]


def test_partial_answers() -> None:
    with fake.SparqlServer(DATA) as server:
        server.script(fake.partial_content(2), fake.sql_state("S1TAT", 3), fake.broken_off(1), fake.cut_json())
        answers = [ask(server) for _ in range(4)]
    assert [status for status, _, _ in answers] == [206, 200, 500, 200]
    assert values(answers[0][2]) == [0, 1]
    assert (answers[1][1]["x-sql-state"], values(answers[1][2])) == ("S1TAT", [0, 1, 2])
    assert b"Virtuoso S1TAT Error" in answers[2][2]
    with pytest.raises(ValueError, match=r".*"):
        json.loads(answers[3][2])


def test_a_lost_connection() -> None:
    with fake.SparqlServer(DATA) as server:
        server.script(fake.lost_connection())
        with pytest.raises(http.client.IncompleteRead):
            ask(server)


def test_a_cap_and_another_order() -> None:
    with fake.SparqlServer(DATA, always=(fake.another_order(1), fake.first_rows(4))) as server:
        first, second = values(ask(server)[2]), values(ask(server)[2])
        assert len(first) == len(second) == 4
        assert first != second
        assert ask(server, "SELECT")[0] == 400


def test_a_rewritten_query() -> None:
    with fake.SparqlServer(DATA, rewrite=lambda number, query: f"{query} LIMIT {number}") as server:
        assert [len(values(ask(server)[2])) for _ in range(3)] == [1, 2, 3]
