"""What is sent: by POST, with a User-Agent, to the given address alone, a few at a time."""

from __future__ import annotations

import base64
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.errors import GraphError, MissingExtra, PrerequisiteMissing, UsageError
from kgbench.testing import sparql_fake as fake
from kgbench.types import Direction, Entity, Relation
from kgbench_adapters.sparql import limits
from kgbench_adapters.sparql.adapter import SparqlAdapter
from kgbench_adapters.sparql.address import Address
from kgbench_adapters.sparql.limits import EndpointLimiter
from kgbench_adapters.sparql.retry import RetryPolicy
from kgbench_adapters.sparql.transport import time_limit_parameters

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.testing.sparql_fake import SparqlServer

    Serve = Callable[..., SparqlServer]
    Connect = Callable[..., SparqlAdapter]

DATA = "<http://example.org/a> <http://example.org/r> <http://example.org/b> ."
A, R = Entity("http://example.org/a"), Relation("http://example.org/r", "r")


def test_queries_go_by_post_with_a_user_agent_and_ask_for_json(serve: Serve, connect: Connect) -> None:
    server = serve(DATA, server="Virtuoso/07.20.3229 (Linux)")
    graph = connect(server, timeout=12.0)
    graph.relations([A], Direction.OUT)
    (request,) = server.queries
    assert request.method == "POST"
    assert request.headers["user-agent"].startswith("kgbench/")
    assert request.headers["accept"].startswith("application/sparql-results+json")
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert request.parameters == {"timeout": ("12000",)}
    assert graph.server.make == "Virtuoso/07.20.3229"


def test_a_user_agent_of_ones_own(serve: Serve, connect: Connect) -> None:
    server = serve(DATA)
    connect(server, user_agent="lab/1.0 (mail@example.org)").relations([A], Direction.OUT)
    assert server.queries[0].headers["user-agent"] == "lab/1.0 (mail@example.org)"
    for wrong in ("two\r\nHost: elsewhere", "Zürich"):
        with pytest.raises(UsageError, match="user_agent"):
            connect(server, user_agent=wrong)


def test_sender_and_time_limit_of_the_environment(serve: Serve, clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGBENCH_USER_AGENT", "lab/2.0 (mail@example.org)")
    monkeypatch.setenv("KGBENCH_KG_TIMEOUT", "90")
    server = serve(DATA)
    graph = SparqlAdapter.open(server.url, "plain", cache_mode="off", timing=clock.timing)
    graph.relations([A], Direction.OUT)
    assert {query.headers["user-agent"] for query in server.queries} == {"lab/2.0 (mail@example.org)"}
    assert server.queries[-1].parameters == {"timeout": ("90000",)}
    assert graph.server.timeout == 90.0


def test_a_long_query_is_sent_whole(serve: Serve, connect: Connect) -> None:
    server = serve(DATA)
    graph = connect(server)
    entities = [Entity(f"http://example.org/{'x' * 300}{number}") for number in range(300)]
    assert graph.relations([*entities, A], Direction.OUT)[A] == (R,)
    assert max(len(request.query) for request in server.queries) > 90_000


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        ("", {"timeout": "30000"}),
        ("virtuoso/07.20.3229", {"timeout": "30000"}),
        ("apache jena fuseki (4.9.0)", {"timeout": "30"}),
        ("oxigraph/0.5.13", {}),
    ],
)
def test_each_make_is_told_its_time_limit_in_its_own_way(make: str, expected: dict[str, str]) -> None:
    assert time_limit_parameters(make, 30.0) == expected


def test_credentials_and_graphs_of_an_address_are_sent_and_never_shown(serve: Serve, connect: Connect) -> None:
    server = serve(DATA)
    place = server.url.removeprefix("http://")
    graph = connect(f"http://me:s%40crt@{place}?default-graph-uri=http://g.example/1&k=v", graph="http://g.example/2")
    request = server.queries[-1]
    assert request.headers["authorization"] == "Basic " + base64.b64encode(b"me:s@crt").decode()
    assert request.parameters["default-graph-uri"] == ("http://g.example/1", "http://g.example/2")
    assert request.parameters["k"] == ("v",)
    server.script(fake.page())
    with pytest.raises(GraphError) as caught:
        graph.relations([A], Direction.OUT)
    for text in (str(caught.value), repr(graph._opened.endpoint.address), str(graph.server), graph.card.name):
        assert "s@crt" not in text
        assert "s%40crt" not in text
    assert "k=v" not in str(caught.value)


@pytest.mark.parametrize(
    ("credentials", "sent"),
    [("reader@", b"reader:s@crt"), ("reader:other@", b"reader:other"), ("", None), ("@", None)],
)
def test_the_environment_gives_the_password_of_a_user_that_the_address_names(
    serve: Serve, connect: Connect, monkeypatch: pytest.MonkeyPatch, credentials: str, sent: bytes | None
) -> None:
    monkeypatch.setenv("KGBENCH_KG_PASSWORD", "s@crt")
    server = serve(DATA)
    connect(server.url.replace("://", f"://{credentials}")).relations([A], Direction.OUT)
    header = server.queries[-1].headers.get("authorization")
    assert header == (None if sent is None else f"Basic {base64.b64encode(sent).decode()}")


@pytest.mark.parametrize(
    "location", ["http:///x", "ftp://example.org/x", "http://[::1", "http://host:port/", "nothing"]
)
def test_no_address(location: str) -> None:
    with pytest.raises(UsageError, match="must look like") as caught:
        Address.parse(location)
    assert location not in str(caught.value)


def test_addresses() -> None:
    address = Address.parse("https://u@[2001:db8::1]:8443/päth?x=1&default-graph-uri=g#f")
    assert address.url == "https://[2001:db8::1]:8443/p%C3%A4th?x=1"
    assert (address.shown, address.user, address.graphs) == ("https://[2001:db8::1]:8443/p%C3%A4th", "u", ("g",))
    loopbacks = ["http://localhost/", "http://127.0.0.7:1/", "http://[::1]/", "http://a.localhost/"]
    assert all(Address.parse(location).is_loopback for location in loopbacks)
    assert not Address.parse("http://localhost.example.org/").is_loopback


def test_what_the_adapter_accepts() -> None:
    assert SparqlAdapter.accepts("http://localhost:8890/sparql")
    assert SparqlAdapter.accepts("https://query.wikidata.org/sparql")
    assert not SparqlAdapter.accepts("/data/graph")
    assert not SparqlAdapter.accepts("graph.ttl")


def test_this_machine_is_asked_directly_whatever_the_proxy(
    serve: Serve, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert connect(serve(DATA)).relations([A], Direction.OUT) == {A: (R,)}


def test_a_redirect_is_not_followed(serve: Serve, connect: Connect) -> None:
    elsewhere, server = serve(DATA), serve(DATA)
    graph = connect(server)
    for code in (301, 302, 307, 308):
        server.script(fake.status(code, Location=elsewhere.url))
        with pytest.raises(GraphError, match="it redirects to"):
            graph.relations([A], Direction.OUT)
    assert elsewhere.queries == ()


# --- First contact -----------------------------------------------------------------------------------------------------


def test_a_wrong_path_is_named_at_first_contact(serve: Serve, connect: Connect, clock: Any) -> None:
    server = serve(DATA)
    server.script(*[fake.status(404)] * 5)
    with pytest.raises(
        PrerequisiteMissing, match=r"nothing at this path; check the path .*Virtuoso: /sparql"
    ) as caught:
        connect(server)
    assert len(server.queries) == 1
    assert caught.value.exit_code == 3
    assert isinstance(caught.value, GraphError)
    assert clock.slept == []


def test_no_server_is_named_at_first_contact(connect: Connect, clock: Any) -> None:
    with pytest.raises(
        PrerequisiteMissing, match=r"http://127.0.0.1:9/sparql cannot be reached .* whether the server runs"
    ):
        connect("http://127.0.0.1:9/sparql")
    assert clock.slept == []


def test_an_overloaded_server_is_waited_for_at_first_contact_too(serve: Serve, connect: Connect) -> None:
    server = serve(DATA)
    server.script(fake.too_many_requests("2"), fake.status(503))
    assert connect(server).relations([A], Direction.OUT) == {A: (R,)}


def test_without_the_library_the_extra_is_named(
    serve: Serve, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "SPARQLWrapper", None)
    with pytest.raises(MissingExtra, match=r'pip install "kgbench\[sparql\]"'):
        connect(serve(DATA))


@pytest.mark.parametrize("options", [{"timeout": 0}, {"parallel": 0}, {"colour": "red"}])
def test_wrong_options(serve: Serve, connect: Connect, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        connect(serve(DATA), **options)


def test_a_policy_out_of_range() -> None:
    with pytest.raises(UsageError, match="retries >= 0"):
        RetryPolicy(retries=-1)


# --- One limiter an endpoint -------------------------------------------------------------------------------------------


def test_threads_and_open_graphs_share_one_limiter(serve: Serve, connect: Connect) -> None:
    server = serve(DATA)
    graphs = [connect(server, parallel=2), connect(server, parallel=9)]
    barrier = threading.Barrier(8)

    def work(number: int) -> object:
        barrier.wait()
        return [graphs[number % 2].relations([A], Direction.OUT) for _ in range(5)]

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(8)))
    assert results == [[{A: (R,)}] * 5] * 8
    assert 1 <= server.most_at_once <= 2


def test_public_servers_get_few_requests_at_a_time() -> None:
    from kgbench_adapters.profiles import of_host

    assert of_host("query.wikidata.org") == "wikidata"
    assert of_host("dbpedia.org") == "dbpedia"
    assert of_host("notwikidata.org") is None
    assert limits.limiter_of("http://made.up/1", 2) is limits.limiter_of("http://made.up/1", 5)
    assert limits.limiter_of("http://made.up/1", 5).parallel == 2


def test_other_parameters_of_an_address_are_the_same_endpoint(serve: Serve, connect: Connect) -> None:
    server = serve(DATA)
    graphs = [connect(server), connect(f"{server.url}?k=1"), connect(f"{server.url}?k=2", graph="http://g.example/")]
    limiters = {id(graph._opened.endpoint._limiter) for graph in graphs}
    assert len(limiters) == 1


def test_what_one_thread_is_told_to_wait_the_others_wait_too(clock: Any) -> None:
    limiter = EndpointLimiter(4)
    with limiter.slot(clock.timing):
        limiter.hold(30.0, clock.timing)
    with limiter.slot(clock.timing):
        assert clock.slept == [30.0]
    with limiter.slot(clock.timing):
        assert clock.slept == [30.0]


def test_a_server_that_asks_to_wait_holds_the_whole_endpoint(serve: Serve, connect: Connect, clock: Any) -> None:
    server = serve(DATA)
    graph, other = connect(server, retries=RetryPolicy(retries=0)), connect(server)
    server.script(fake.too_many_requests("20"))
    with pytest.raises(GraphError, match="too many requests"):
        graph.relations([A], Direction.OUT)
    assert clock.slept == []
    other.relations([A], Direction.OUT)
    assert clock.slept == [20.0]


def test_traffic_counts_what_went_over_the_wire(serve: Serve, connect: Connect, tmp_path: Path) -> None:
    server = serve(DATA)
    graph = connect(server, cache=tmp_path / "reads.sqlite", cache_mode="on")
    opened = graph.traffic
    server.script(fake.status(503))
    graph.relations([A], Direction.OUT)
    graph.relations([A], Direction.OUT)
    now = graph.traffic
    assert (now.requests - opened.requests, now.retries, now.cached, now.partial) == (2, 1, 1, 0)
