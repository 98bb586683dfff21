"""Servers, and a clock that no test waits for."""

from __future__ import annotations

import itertools
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.testing.sparql_fake import SparqlServer
from kgbench_adapters.sparql.adapter import SparqlAdapter
from kgbench_adapters.sparql.retry import Timing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytest.importorskip("SPARQLWrapper", reason='the extra "sparql" is not installed: pip install "kgbench[sparql]"')


class FakeTime:
    """A clock that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def wall(self) -> float:
        return 1_700_000_000.0

    def sleep(self, seconds: float) -> None:
        if seconds:
            self.slept.append(seconds)
        self.now += seconds

    def chance(self) -> float:
        return 0.0

    @property
    def timing(self) -> Timing:
        return Timing(self.monotonic, self.wall, self.sleep, self.chance)


@pytest.fixture
def clock() -> FakeTime:
    return FakeTime()


@pytest.fixture
def serve() -> Iterator[Callable[..., SparqlServer]]:
    """Start a server: ``serve(turtle, always=...)``; it stops after the test."""
    running: list[SparqlServer] = []

    def start(data: str = "", **options: Any) -> SparqlServer:
        server = SparqlServer(data, **options)
        server.__enter__()
        running.append(server)
        return server

    yield start
    for server in running:
        server.__exit__(None, None, None)


@pytest.fixture
def connect(clock: FakeTime) -> Callable[..., SparqlAdapter]:
    """Open the graph of a server, or of a URL; what it was asked while it was opened is forgotten."""

    def open_graph(server: SparqlServer | str, profile: Any = "plain", **options: Any) -> SparqlAdapter:
        url = server if isinstance(server, str) else server.url
        chosen = {"cache_mode": "off", "timing": clock.timing, "timeout": 5.0, "grace": 1.0, **options}
        graph = SparqlAdapter.open(url, profile, **chosen)
        if isinstance(server, SparqlServer):
            server.forget()
        return graph

    return open_graph


# --- Real servers ------------------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(command: list[str], ready: str) -> subprocess.Popen[str]:
    """Start a server and wait until it says that it is ready."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if ready in line:
            threading.Thread(target=process.stderr.read, daemon=True).start()  # or the pipe fills up
            return process
    process.wait(10)
    pytest.fail(f"{command[0]} ended before it was ready: {''.join(said)[-500:]}")


@pytest.fixture(scope="session")
def oxigraph_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], str]]:
    """Serve an N-Triples file by oxigraph's own server; returns the endpoint's address."""
    beside = Path(sys.executable).with_name("oxigraph")
    binary = shutil.which("oxigraph") or (str(beside) if beside.exists() else None)
    if binary is None:
        pytest.skip("oxigraph's server is not installed: pip install oxigraph")
    running: list[subprocess.Popen[str]] = []

    def serve_file(path: Path) -> str:
        store, place = tmp_path_factory.mktemp("oxigraph"), f"127.0.0.1:{free_port()}"
        load = [binary, "load", "--location", str(store), "--file", str(path)]
        subprocess.run(load, check=True, capture_output=True, timeout=120)
        command = [binary, "serve-read-only", "--location", str(store), "--bind", place]
        running.append(start(command, "Listening for requests"))
        return f"http://{place}/query"

    yield serve_file
    for process in running:
        process.terminate()
        process.wait(20)


VIRTUOSO_SETTINGS = """
[Database]
DatabaseFile = {folder}/v.db
ErrorLogFile = {folder}/v.log
LockFile = {folder}/v.lck
TransactionFile = {folder}/v.trx
xa_persistent_file = {folder}/v.pxa
[TempDatabase]
DatabaseFile = {folder}/temp.db
TransactionFile = {folder}/temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql_port}
DisableUnixSocket = 1
CheckpointInterval = 0
NumberOfBuffers = 20000
MaxDirtyBuffers = 15000
DirsAllowed = {folder}, {data}
[HTTPServer]
ServerPort = 127.0.0.1:{http_port}
ServerRoot = {folder}
ServerThreads = 8
[SPARQL]
ResultSetMaxRows = 2000
MaxQueryExecutionTime = 60
"""


@pytest.fixture(scope="session")
def virtuoso_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], str]]:
    """Serve an N-Triples file by Virtuoso 7, as a named graph; returns the endpoint's address with the graph in it."""
    server, client = shutil.which("virtuoso-t"), shutil.which("isql-vt")
    if server is None or client is None:
        pytest.skip("Virtuoso is not installed: apt-get install virtuoso-opensource-7-bin")
    folder, sql_port, http_port = tmp_path_factory.mktemp("virtuoso"), free_port(), free_port()
    settings = folder / "virtuoso.ini"
    data = tmp_path_factory.getbasetemp()
    settings.write_text(
        VIRTUOSO_SETTINGS.format(folder=folder, data=data, sql_port=sql_port, http_port=http_port), encoding="utf-8"
    )
    process = start([server, "+configfile", str(settings), "+foreground"], "Server online at")

    graphs = itertools.count(1)

    def serve_file(path: Path) -> str:
        graph = f"http://example.org/graphs/{next(graphs)}"
        load = f"DB.DBA.TTLP_MT(file_to_string_output('{path}'), '', '{graph}', 512);"
        subprocess.run(
            [client, f"127.0.0.1:{sql_port}", "dba", "dba", f"exec={load}"],
            check=True,
            capture_output=True,
            timeout=120,
        )
        return f"http://127.0.0.1:{http_port}/sparql?default-graph-uri={graph}"

    yield serve_file
    process.kill()  # it has nothing to keep
    process.wait(20)
