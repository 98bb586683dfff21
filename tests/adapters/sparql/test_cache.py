"""Reads on disk: complete ones alone, each of its own graph."""

from __future__ import annotations

import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import DataError, GraphError, UsageError
from kgbench.testing import sparql_fake as fake
from kgbench.types import Direction, Entity, Relation
from kgbench_adapters.sparql.cache import CACHE_MODES, ReadCache, cache_file
from kgbench_adapters.sparql.retry import RetryPolicy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.testing.sparql_fake import Fault, SparqlServer
    from kgbench_adapters.sparql.adapter import SparqlAdapter

    Serve = Callable[..., SparqlServer]
    Connect = Callable[..., SparqlAdapter]

DATA = "<http://example.org/a> <http://example.org/r> <http://example.org/b>, <http://example.org/c> ."
A, R = Entity("http://example.org/a"), Relation("http://example.org/r", "r")
ROW = {"s": {"type": "uri", "value": "http://example.org/a"}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "reads.sqlite"


def test_a_complete_read_is_not_asked_for_twice(serve: Serve, connect: Connect, path: Path) -> None:
    server = serve(DATA)
    first = connect(server, cache=path, cache_mode="on")
    wanted = first.neighbours([A], R, Direction.OUT)
    assert len(server.queries) == 1
    again = connect(server, cache=path, cache_mode="on")
    assert again.neighbours([A], R, Direction.OUT) == wanted
    assert again.select("SELECT ?o { ?s ?p ?o } ORDER BY ?o") == again.select("SELECT ?o { ?s ?p ?o } ORDER BY ?o")
    assert len(server.queries) == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "fault",
    [
        fake.partial_content(1),
        fake.sql_state("S1TAT", 1),
        fake.sql_state("S1TAT", 0),
        fake.broken_off(1),
        fake.page(),
        fake.other_json({}),
        fake.status(400),
        fake.virtuoso_error("S1T00", "SR171", "Transaction timed out"),
        fake.cut_json(),
        fake.lost_connection(),
        fake.too_many_requests("2"),
        fake.status(404),
        fake.status(503),
    ],
)
def test_what_is_not_complete_is_asked_for_again(serve: Serve, connect: Connect, path: Path, fault: Fault) -> None:
    server = serve(DATA)
    graph = connect(server, cache=path, cache_mode="on", retries=RetryPolicy(retries=0))
    for read in (lambda: graph.neighbours([A], R, Direction.OUT), lambda: graph.select("SELECT ?o { ?s ?p ?o }")):
        server.script(fault)
        with pytest.raises(GraphError):
            read()
        right = read()
        assert len(getattr(right, "pairs", right)) == 2


def test_a_capped_answer_is_kept_only_once_it_is_complete(serve: Serve, connect: Connect, path: Path) -> None:
    server = serve(DATA, always=(fake.first_rows(1),))
    graph = connect(server, cache=path, cache_mode="on")
    with pytest.raises(GraphError, match="1 rows at most"):
        graph.select("SELECT ?o { ?s ?p ?o }")
    assert len(graph.neighbours([A], R, Direction.OUT).pairs) == 2
    server.forget()
    assert len(graph.neighbours([A], R, Direction.OUT).pairs) == 2
    assert server.queries == ()
    with pytest.raises(GraphError, match="1 rows at most"):
        graph.select("SELECT ?o { ?s ?p ?o }")


def test_a_cut_is_kept_as_a_cut(serve: Serve, connect: Connect, path: Path) -> None:
    server = serve(DATA)
    graph = connect(server, cache=path, cache_mode="on")
    first, again = (graph.neighbours([A], R, Direction.OUT, 1) for _ in range(2))
    assert first == again
    assert again.cut
    assert len(graph.neighbours([A], R, Direction.OUT, 2).pairs) == 2


def test_other_content_profile_or_graph_is_another_entry(serve: Serve, connect: Connect, path: Path) -> None:
    server = serve(DATA)
    connect(server, cache=path, cache_mode="on").neighbours([A], R, Direction.OUT)
    for profile, options in (("freebase", {}), ("plain", {"graph": "http://example.org/g"})):
        graph = connect(server, profile, cache=path, cache_mode="on", **options)
        graph.neighbours([A], Relation("http://example.org/r", "r"), Direction.OUT)
        assert len(server.queries) == 1
    server._store.update("INSERT DATA { <http://example.org/a> <http://example.org/r> <http://example.org/d> }")
    graph = connect(server, cache=path, cache_mode="on")
    assert len(graph.neighbours([A], R, Direction.OUT).pairs) == 3


def test_modes(path: Path) -> None:
    def cache(mode: str) -> ReadCache:
        return ReadCache(path, mode, ("g",))  # type: ignore[arg-type]

    assert set(CACHE_MODES) == {"off", "read", "refresh", "on"}
    cache("off").put("q", [ROW], more=False)
    assert cache("read").get("q") is None
    assert not path.exists()
    cache("on").put("q", [ROW], more=False)
    assert cache("read").get("q") == ((ROW,), False)
    assert (cache("off").get("q"), cache("refresh").get("q")) == (None, None)
    cache("read").put("q2", [ROW], more=False)
    cache("on").put("q", [], more=True)
    assert cache("on").get("q") == ((ROW,), False), "the first read stays"
    cache("refresh").put("q", [], more=True)
    assert cache("on").get("q") == ((), True)
    assert len(cache("on")) == 1
    with pytest.raises(UsageError, match="choose one of"):
        cache("sometimes")


def test_another_programs_file_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(UsageError, match="another program"):
        ReadCache(path, "on", ())
    path.write_text("no database at all, and long enough to be read as one" * 20)
    with pytest.raises(DataError, match="cannot be used"):
        ReadCache(path, "on", ())


def test_a_newer_layout_and_damaged_rows(path: Path) -> None:
    cache = ReadCache(path, "on", ())
    cache.put("q", [ROW], more=False)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE reads SET rows = '[1'")
    connection.close()
    assert cache.get("q") is None
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(UsageError, match="newer kgbench"):
        ReadCache(path, "on", ())


def test_text_that_sqlite_cannot_hold_is_not_kept(path: Path) -> None:
    cache = ReadCache(path, "on", ())
    cache.put("q\ud800", [{"s": {"type": "literal", "value": "\ud800"}}], more=False)
    assert cache.get("q\ud800") is None


def test_many_threads(path: Path) -> None:
    caches = [ReadCache(path, "on", ("g",)) for _ in range(3)]

    def work(number: int) -> bool:
        cache = caches[number % 3]
        cache.put(f"q{number % 20}", [ROW], more=False)
        return cache.get(f"q{number % 20}") == ((ROW,), False)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(200)))
    assert len(caches[0]) == 20


def test_a_closed_cache_does_no_harm(serve: Serve, connect: Connect, path: Path) -> None:
    server = serve(DATA)
    graph = connect(server, cache=path, cache_mode="on")
    graph.close()
    for _ in range(2):
        assert len(graph.neighbours([A], R, Direction.OUT).pairs) == 2
    assert len(server.queries) == 2


def test_where_the_file_stands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KGBENCH_CACHE", str(tmp_path))
    assert cache_file() == tmp_path / "graph-reads.sqlite"
    monkeypatch.delenv("KGBENCH_CACHE")
    assert cache_file().name == "graph-reads.sqlite"
