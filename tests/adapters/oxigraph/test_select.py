"""SELECT queries from outside, and the time limits of all reads."""

from __future__ import annotations

import socket
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import GraphError
from kgbench.types import Direction, Entity, Literal, Relation
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter
from kgbench_adapters.oxigraph.deadline import Deadline, run_within
from kgbench_adapters.profiles import vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    MakeFolder = Callable[..., Path]

IDS = "https://kgbench.invalid/id/"


@pytest.fixture
def graph(graph_folder: MakeFolder) -> OxigraphAdapter:
    rows = [f"n{number}\tr\tn{(number * 7) % 400}" for number in range(400)]
    folder = graph_folder(triples=[*rows, 'a b\tr\t"x"@EN', "a b\tq\t_:m"])
    return OxigraphAdapter.open(str(folder), replace(vocabulary("plain").profile, row_limit=50))


def test_rows_hold_terms_or_none(graph: OxigraphAdapter) -> None:
    rows = graph.select(
        f"SELECT ?s ?o ?none {{ ?s <https://kgbench.invalid/relation/r> ?o FILTER(?s = <{IDS}a%20b>) }}"
    )
    assert rows == ((Entity("a b"), Literal("x", "", "en"), None),)
    assert graph.select(f"SELECT ?o {{ <{IDS}a%20b> <https://kgbench.invalid/relation/q> ?o }}") == ((Entity("_:m"),),)
    assert graph.select("SELECT ?s { ?s <http://example.org/none> ?o }") == ()


def test_rows_are_bounded_by_the_profile(graph: OxigraphAdapter) -> None:
    assert len(graph.select("SELECT * { ?s ?p ?o }")) == 50
    assert len(graph.select("SELECT * { ?s ?p ?o } LIMIT 7")) == 7


@pytest.mark.parametrize(
    "query", ["ASK { ?s ?p ?o }", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "DESCRIBE <http://a>"]
)
def test_other_forms_are_refused(graph: OxigraphAdapter, query: str) -> None:
    with pytest.raises(GraphError, match="no SELECT query"):
        graph.select(query)


@pytest.mark.parametrize(
    "query", ["", "SELECT ?x {", "SELECT ?x { ?x Secret }", "DELETE WHERE { ?s ?p ?o }", "\x00", "\ud800"]
)
def test_a_malformed_query_is_a_graph_error_that_quotes_nothing(graph: OxigraphAdapter, query: str) -> None:
    with pytest.raises(GraphError, match=r"not valid SPARQL|could not be evaluated") as caught:
        graph.select(query)
    assert "Secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert len(graph.select("SELECT * { ?s ?p ?o }")) == 50, "nothing was deleted"


def test_no_query_reaches_another_server(graph: OxigraphAdapter) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        for call in (
            f"SERVICE <http://127.0.0.1:{port}/> {{ ?a ?b ?c }}",
            f"SERVICE SILENT <http://127.0.0.1:{port}/> {{}}",
        ):
            with pytest.raises(GraphError, match="must not leave the graph"):
                graph.select(f"SELECT * {{ ?s ?p ?o . {call} }}")
        graph.select(f"SELECT * FROM <http://127.0.0.1:{port}/> {{ ?s ?p ?o }}")  # noqa: S608 - SPARQL
        with pytest.raises(BlockingIOError):
            server.accept()


def test_a_query_that_works_too_long_is_left_behind(graph_folder: MakeFolder) -> None:
    rows = [f"n{number}\tr\tn{number}" for number in range(700)]
    graph = OxigraphAdapter.open(str(graph_folder(triples=rows)), timeout=0.05)
    with pytest.raises(GraphError, match=r"did not answer within 0\.05 s"):
        graph.select("SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?q ?d . FILTER(?a != ?d) }")
    assert len(graph.select("SELECT * { ?s ?p ?o } LIMIT 3")) == 3


def test_every_read_looks_at_the_clock(graph_folder: MakeFolder) -> None:
    rows = [f"hub\tr\tn{number}" for number in range(5000)]
    graph = OxigraphAdapter.open(str(graph_folder(triples=rows)), timeout=0)
    hub = Entity("hub")
    for read in (
        lambda: graph.relations([hub], Direction.OUT),
        lambda: graph.neighbours([hub], Relation("r", "r"), Direction.OUT),
        lambda: graph.select("SELECT * { ?s ?p ?o }"),
    ):
        with pytest.raises(GraphError, match="did not answer within 0 s"):
            read()


def test_watching_rows_stops_at_the_deadline() -> None:
    seconds = [0.0]
    deadline = Deadline(2.0, clock=lambda: seconds[0])
    passed = []
    with pytest.raises(GraphError, match="within 2 s"):
        for row in deadline.watch(range(10_000), every=100):
            passed.append(row)
            seconds[0] = len(passed) / 1000
    assert len(passed) == 2099


def test_work_in_time_gives_its_result_or_its_error() -> None:
    deadline = Deadline(30)
    assert run_within(deadline, lambda: 7) == 7


def test_an_error_leaves_the_frames_of_its_thread_behind() -> None:
    def fail() -> None:
        try:
            {}["x"]
        except KeyError:
            raise ValueError("y") from None

    with pytest.raises(ValueError, match="y") as caught:
        run_within(Deadline(30), fail)
    assert caught.value.__context__ is None, "its frames would hold cursors that this thread must not drop"
    assert "fail" not in [entry.name for entry in caught.traceback]


def test_runaway_work_cannot_pile_up() -> None:
    release, ended = Event(), []

    def hang() -> None:
        release.wait(30)
        ended.append(1)

    for _ in range(20):
        with pytest.raises(GraphError, match="did not answer"):
            run_within(Deadline(0.005), hang)
    release.set()
    assert run_within(Deadline(30), lambda: "free again") == "free again"
    assert len(ended) <= 8
