"""Every way in which a server is known to fail: named, retried as told, never an empty neighbourhood."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.errors import GraphError, GraphPartial
from kgbench.testing import sparql_fake as fake
from kgbench.types import Direction, Entity, Relation
from kgbench_adapters.sparql.responses import excerpt
from kgbench_adapters.sparql.retry import RetryPolicy, Timing

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.testing.sparql_fake import Fault, SparqlServer
    from kgbench.types import Neighbours
    from kgbench_adapters.sparql.adapter import SparqlAdapter

    Serve = Callable[..., SparqlServer]
    Connect = Callable[..., SparqlAdapter]

DATA = """
PREFIX e: <http://example.org/>
e:anna e:knows e:ben, e:carl, e:dora ; <http://www.w3.org/2000/01/rdf-schema#label> "Anna Quillfeather" .
"""
ANNA = Entity("http://example.org/anna")
KNOWS = Relation("http://example.org/knows", "knows")


@pytest.fixture
def server(serve: Serve) -> SparqlServer:
    return serve(DATA)


@pytest.fixture
def graph(server: SparqlServer, connect: Connect) -> SparqlAdapter:
    return connect(server)


def friends(graph: SparqlAdapter) -> list[str]:
    return names_in(graph.neighbours([ANNA], KNOWS, Direction.OUT))


def names_in(found: Neighbours) -> list[str]:
    return [term.id.rpartition("/")[2] for _, term in found.pairs if isinstance(term, Entity)]


ALL = ["ben", "carl", "dora"]


def one_row(term: object) -> object:
    return {"head": {"vars": ["s", "p", "o"]}, "results": {"bindings": [{"o": term}]}}


@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        (fake.too_many_requests("2"), [2.0]),
        (fake.too_many_requests("0"), [1.0]),
        (fake.too_many_requests("Tue, 14 Nov 2023 22:13:29 GMT"), [9.0]),
        (fake.too_many_requests("Thu, 01 Jan 1970 00:00:00 GMT"), [1.0]),
        (fake.too_many_requests("soon"), [0.5]),
        (fake.too_many_requests(None), [0.5]),
        (fake.status(503, Retry_After="7"), [7.0]),
        (fake.status(404), [0.5]),
        (fake.status(404, Retry_After="3"), [3.0]),
        (fake.status(500, "java.lang.OutOfMemoryError"), [0.5]),
        (fake.virtuoso_error("40001", "SR172", "Transaction deadlocked"), [0.5]),
        (fake.page(status=502), [0.5]),
        (fake.cut_json(), [0.5]),
        (fake.lost_connection(), [0.5]),
    ],
)
def test_what_may_pass_is_tried_again(
    server: SparqlServer, graph: SparqlAdapter, clock: Any, fault: Fault, waits: list[float]
) -> None:
    server.script(fault)
    assert friends(graph) == ALL
    assert len(server.queries) == 2
    assert clock.slept == waits
    assert (graph.traffic.retries, graph.traffic.waited) == (1, sum(waits))


def test_a_read_that_times_out_then_429_then_an_answer(server: SparqlServer, connect: Connect, clock: Any) -> None:
    graph = connect(server, timeout=0.2, grace=0.05)
    before = graph.traffic
    server.script(fake.never(), fake.too_many_requests("2"))
    assert friends(graph) == ALL
    assert len(server.queries) == 3
    assert clock.slept[1] >= 2.0
    assert graph.traffic.retries - before.retries == 2


def test_a_read_that_always_times_out_is_named_after_the_second_time(server: SparqlServer, connect: Connect) -> None:
    graph = connect(server, timeout=0.1, grace=0.05)
    server.script(*[fake.never()] * 9)
    with pytest.raises(GraphError, match=r"did not answer within 0.15 s.*larger time limit"):
        friends(graph)
    assert len(server.queries) == 2


def test_retries_are_bounded_and_doubled(server: SparqlServer, connect: Connect, clock: Any) -> None:
    graph = connect(server, retries=RetryPolicy(retries=4, first_wait=1.0, cap=3.0))
    server.script(*[fake.status(503)] * 9)
    with pytest.raises(GraphError, match=r"status 503 \(overload\) \(5 requests failed") as caught:
        friends(graph)
    assert caught.value.status == "kg_error"
    assert len(server.queries) == 5
    assert clock.slept == [0.5, 1.0, 1.5, 1.5]


def test_a_server_that_asks_for_too_long_a_wait_is_not_waited_for(
    server: SparqlServer, graph: SparqlAdapter, clock: Any
) -> None:
    server.script(fake.too_many_requests("3600"))
    with pytest.raises(GraphError, match="too many requests"):
        friends(graph)
    assert clock.slept == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (fake.page("<html><body>Please log in</body></html>"), "text/html.*Please log in"),
        (fake.status(400, "parse error near anna"), "status 400: it refuses the query"),
        (fake.status(401), "wants other credentials"),
        (fake.status(403), "wants other credentials"),
        (fake.status(307, Location="https://u:p@elsewhere.example/sparql?k=1"), r"redirects to https://elsewhere\.example/sparql;"),
        (fake.status(200, "s\nhttp://example.org/anna"), "with text/plain and no result"),
        (fake.other_json({"head": {}, "boolean": True}), "no result of a SELECT query"),
        (fake.other_json([]), "no result of a SELECT query"),
        (fake.other_json({"head": {"vars": ["s"]}, "results": {"bindings": [{"s": 1}]}}), "no result of a SELECT"),
        (fake.other_json(one_row({"type": "uri", "value": 3})), "no result of a SELECT"),
        (fake.other_json(one_row({"type": "uri", "value": {}})), "no result of a SELECT"),
        (fake.other_json(one_row({"type": "literal", "value": "3", "datatype": 3})), "no result of a SELECT"),
        (fake.other_json(one_row({"type": "literal", "value": "x", "xml:lang": ["en"]})), "no result of a SELECT"),
        (fake.virtuoso_error("37000", "SP030", "syntax error", 400), r"status 400 \(37000 SP030\): it refuses"),
        (fake.virtuoso_error("42000", "SR452", "The estimated execution time 9999 (sec) exceeds"), "it estimates"),
        (fake.virtuoso_error("S1T00", "SR171", "Transaction timed out"), "S1T00 SR171.*its time limit was reached"),
        (fake.virtuoso_error("S1TAT", "RC", "Returning partial results"), "S1TAT.*its time limit was reached"),
        (fake.virtuoso_error("22023", "SR586", "Incomplete RDF box"), "22023 SR586"),
        (fake.status(500, "java.util.concurrent.TimeoutException"), "its time limit was reached"),
    ],
)  # fmt: skip
def test_what_will_not_pass_is_named_at_once(
    server: SparqlServer, graph: SparqlAdapter, fault: Fault, said: str
) -> None:
    server.script(fault)
    with pytest.raises(GraphError, match=said) as caught:
        friends(graph)
    assert len(server.queries) == 1
    assert server.url in str(caught.value)
    assert "; " in str(caught.value), "what to do next"
    assert caught.value.__context__ is None
    assert friends(graph) == ALL


def test_html_with_a_success_status_shows_address_type_and_beginning_but_nothing_of_the_query(
    server: SparqlServer, graph: SparqlAdapter
) -> None:
    page = f"<title>Error for anna</title> <http://example.org/anna> said {'x' * 300}<table><td>Anna Quillfeather</td>"
    server.script(fake.page(page))
    with pytest.raises(GraphError) as caught:
        friends(graph)
    message = str(caught.value)
    assert f"{server.url} answered with status 200, but with text/html" in message
    assert "<title>Error for …</title>" in message
    assert "anna" not in message.lower()
    assert "x" * 150 in message
    assert "x" * 200 not in message


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<p>Bad gateway: http://inside.example/who</p>", "<p>Bad gateway: …</p>"),
        ("<h1>Results</h1>\n<table><tr><td>Ben Quillfeather</td>", "<h1>Results</h1> "),
        ("<h1>Results</h1>\n<PRE>Ben Quillfeather</PRE>", "<h1>Results</h1> "),
        ("query: SELECT Dad%27s Dad's", "query: SELECT … …'s"),
    ],
)
def test_the_beginning_of_a_page_shows_no_data(page: str, shown: str) -> None:
    assert excerpt(page.encode(), "SELECT * { <http://example.org/Dad%27s> }") == shown


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (fake.partial_content(2), "status 206"),
        (fake.sql_state("S1TAT", 2), "X-SQL-State"),
        (fake.broken_off(2), "while it wrote its rows"),
    ],
)
def test_a_partial_answer_is_named_and_keeps_what_came(
    server: SparqlServer, graph: SparqlAdapter, fault: Fault, reason: str
) -> None:
    server.script(fault)
    with pytest.raises(GraphPartial, match=reason) as caught:
        friends(graph)
    assert caught.value.status == "kg_partial"
    kept = names_in(caught.value.result)
    assert len(kept) == 2
    assert set(kept) < set(ALL)
    assert graph.traffic.partial == 1
    assert len(server.queries) == 1
    assert friends(graph) == ALL


@pytest.mark.parametrize("fault", [fake.partial_content(0), fake.sql_state("S1TAT", 0), fake.broken_off(0)])
def test_a_partial_answer_without_a_row_is_an_error(server: SparqlServer, graph: SparqlAdapter, fault: Fault) -> None:
    server.script(fault)
    with pytest.raises(GraphError) as caught:
        friends(graph)
    assert not isinstance(caught.value, GraphPartial)
    assert caught.value.status == "kg_error"


def test_every_read_names_a_partial_answer(server: SparqlServer, graph: SparqlAdapter) -> None:
    reads: list[Callable[[], object]] = [
        lambda: graph.relations([ANNA], Direction.OUT),
        lambda: graph.neighbours([ANNA], KNOWS, Direction.OUT),
        lambda: graph.names([ANNA]),
        lambda: graph.select("SELECT ?o { ?s ?p ?o }"),
    ]
    for read in reads:
        server.script(fake.sql_state("S1TAT", 1))
        with pytest.raises(GraphPartial) as caught:
            read()
        assert caught.value.result


def test_a_sql_state_of_success_is_none(server: SparqlServer, graph: SparqlAdapter) -> None:
    server.script(fake.sql_state("00000", 3))
    assert friends(graph) == ALL


def test_an_endless_answer_is_cut(server: SparqlServer, graph: SparqlAdapter, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = graph._opened.endpoint._transport._settings
    object.__setattr__(settings, "most_bytes", 1 << 20)
    server.script(lambda right: fake.ServerResponse(b" " * (2 << 20), content_type="application/sparql-results+json"))
    with pytest.raises(GraphError, match="sent more than 1 MB"):
        friends(graph)


def test_an_answer_that_trickles_ends_at_the_deadline(server: SparqlServer, connect: Connect) -> None:
    seconds = itertools.count(step=2.0)
    slow = Timing(clock=lambda: next(seconds), sleep=lambda seconds: None)
    graph = connect(server, timing=slow, retries=RetryPolicy(retries=0))
    server.script(lambda right: fake.ServerResponse(b" " * (2 << 20), content_type="application/sparql-results+json"))
    with pytest.raises(GraphError, match="did not answer within 6 s"):
        friends(graph)
    assert friends(graph) == ALL, "an answer in one piece is read in time"


def test_an_unreachable_server_is_tried_again_once_it_has_answered(serve: Serve, connect: Connect) -> None:
    server = serve(DATA)
    graph = connect(server)
    server.__exit__(None, None, None)
    with pytest.raises(GraphError, match=r"cannot be reached \(ConnectionRefusedError\) \(4 requests failed"):
        friends(graph)
    server._closing.clear()
