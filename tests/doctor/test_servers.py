"""SPARQL endpoints: a fake one in order and with faults. Real ones are looked at beside the adapter's own tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from doctor_desk import jsonl, rows_of

from kgbench.doctor import coverage
from kgbench.doctor.rows import State
from kgbench.spec import RunSpec
from kgbench.testing import sparql_fake as fake
from kgbench.testing.sparql_fake import SparqlServer
from kgbench_adapters.sparql.makes import make_of, product_of

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.doctor.rows import CheckRow

pytest.importorskip("SPARQLWrapper", reason='the extra "sparql" is not installed: pip install "kgbench[sparql]"')

NAMESPACE = "http://rdf.freebase.com/ns/"
DATA = f"""PREFIX f: <{NAMESPACE}>
f:m.0a f:type.object.name "Ilse Moll"@en ; f:people.person.child f:m.0b .
f:m.0c f:people.person.child f:m.0d .
"""


@pytest.fixture
def own_questions(tmp_path: Path) -> str:
    return f"jsonl:{jsonl(tmp_path / 'q.jsonl', ['m.0a', 'm.0b', 'm.0c'])}"


def rows_over(server: SparqlServer, questions: str, **settings: Any) -> dict[str, CheckRow]:
    return rows_of(RunSpec(kg=server.url, dataset=questions, **settings))


def test_an_endpoint_in_order(own_questions: str) -> None:
    with SparqlServer(DATA, server="Virtuoso/07.20.3229 (Linux) x86_64") as server:
        rows = rows_over(server, own_questions)
    assert rows["graph"].state is State.OK
    assert rows["graph"].facts["profile"] == "freebase"
    assert rows["server"].facts["product"] == "Virtuoso"
    assert "Virtuoso (Virtuoso/07.20.3229) at http://127.0.0.1" in rows["server"].found
    assert "it says when its time was up" in rows["server"].found
    assert rows["queries"].state is State.OK
    assert (rows["topics"].state, rows["topics"].facts["present"]) == (State.OK, 3)
    assert not any("SERVICE" in query.query for query in server.queries)


def test_a_wrong_dump_fails_with_the_hint(tmp_path: Path) -> None:
    questions = f"jsonl:{jsonl(tmp_path / 'other.jsonl', ['m.0x', 'm.0y', 'm.0a'])}"
    with SparqlServer(DATA) as server:
        row = rows_over(server, questions)["topics"]
    assert (row.state, row.facts["missing_ids"]) == (State.FAILED, ["m.0x", "m.0y"])
    assert "wrong dump" in row.next
    assert "?default-graph-uri=IRI" in row.next


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (fake.page(), 'text/html and no result: "<!doctype html>'),
        (fake.status(404), "there is nothing at this path"),
        (fake.too_many_requests("120"), "(too many requests)"),
        (fake.status(401), "it wants other credentials"),
        (fake.status(503), "(overload)"),
        (fake.cut_json(), "ends in the middle"),
        (fake.lost_connection(), "closed the connection in the middle"),
    ],
)
def test_faults_fail_after_one_request(own_questions: str, fault: fake.Fault, words: str) -> None:
    with SparqlServer(DATA, always=[fault]) as server:
        rows = rows_over(server, own_questions)
    assert rows["graph"].state is State.FAILED
    assert words in rows["graph"].found
    assert len(server.queries) == 1
    assert {rows[name].state for name in ("queries", "topics", "answers")} == {State.NOT_CHECKED}
    assert rows["model"].state is State.OK


def test_a_server_that_fails_later_fails_the_lookup(own_questions: str) -> None:
    with SparqlServer(DATA, rewrite=lambda number, query: query if "m.0b" not in query else "no SPARQL") as server:
        rows = rows_over(server, own_questions)
    assert rows["graph"].state is State.OK
    assert rows["coverage"].state is State.FAILED
    assert "status 400" in rows["coverage"].found


def test_a_row_cap_is_told(own_questions: str) -> None:
    many = "".join(f"f:m.0{number:05d} f:people.person.child f:m.0a .\n" for number in range(1_500))
    with SparqlServer(f"{DATA}{many}", always=[fake.first_rows(1_000)]) as server:
        row = rows_over(server, own_questions)["server"]
    assert row.facts["row_cap"] == 1_000
    assert "gives 1,000 rows at most" in row.found


def test_large_sets_are_sampled_at_a_server(own_questions: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "SAMPLE_OF_SERVER", 2)
    with SparqlServer(DATA) as server:
        row = rows_over(server, own_questions)["topics"]
    assert (row.facts["asked"], row.facts["total"], row.facts["sampled"]) == (2, 3, True)


def test_nothing_is_kept_of_what_a_server_said(own_questions: str, tmp_path: Path) -> None:
    with SparqlServer(DATA) as server:
        rows_over(server, own_questions)
        first = len(server.queries)
        rows_over(server, own_questions)
    assert len(server.queries) == 2 * first
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("headers", "host", "make", "product"),
    [
        ({"server": "Virtuoso/07.20.3229 (Linux) i686"}, "h", "Virtuoso/07.20.3229", "Virtuoso"),
        ({"server": "nginx", "x-sparql-default-graph": "g"}, "h", "Virtuoso behind nginx", "Virtuoso"),
        ({"x-sql-state": "00000"}, "h", "Virtuoso", "Virtuoso"),
        ({"server": "Oxigraph/0.5.9"}, "h", "Oxigraph/0.5.9", "oxigraph"),
        ({"server": "Apache Jena Fuseki (5.1.0)"}, "h", "Apache Jena Fuseki", "Apache Jena Fuseki"),
        ({"server": "nginx/1.2"}, "query.wikidata.org", "nginx/1.2", "Blazegraph"),
        ({"server": "nginx/1.2"}, "dbpedia.org", "nginx/1.2", "Virtuoso"),
        ({"server": "nginx/1.2"}, "h", "nginx/1.2", ""),
        ({"server": "ä\x1b[31m" + "x" * 99}, "h", "??[31m" + "x" * 54, ""),
        ({}, "h", "", ""),
    ],
)
def test_makes_of_servers(headers: dict[str, str], host: str, make: str, product: str) -> None:
    assert make_of(headers) == make
    assert product_of(make, host).name == product
