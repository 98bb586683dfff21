"""A SPARQL server for tests: a real engine on the loopback, whose right answers faults turn into wrong ones.

A fault is a function from the right response to the one that is sent.
"""

from __future__ import annotations

import json
import random
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from kgbench.testing.http_fake import ServerResponse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

Fault = Callable[[ServerResponse], ServerResponse]

_JSON = "application/sparql-results+json"


@dataclass(frozen=True, slots=True)
class RecordedQuery:
    """One request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    query: str
    parameters: Mapping[str, tuple[str, ...]]
    """Every other parameter."""


# --- Faults ------------------------------------------------------------------------------------------------------------


def no_fault() -> Fault:
    """The right response, between two wrong ones."""
    return lambda right: right


def never() -> Fault:
    """No response: the client's deadline ends the wait."""
    return lambda right: replace(right, hang=True)


def page(text: str = "<!doctype html><title>Down for maintenance</title>", status: int = 200) -> Fault:
    """An HTML page, as proxies and wrong addresses send it."""
    return lambda right: ServerResponse(text.encode(), status, content_type="text/html; charset=utf-8")


def status(code: int, text: str = "", **headers: str) -> Fault:
    """Another status with a plain text; underscores in header names stand for hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda right: ServerResponse(text.encode(), code, named, content_type="text/plain")


def too_many_requests(retry_after: str | None) -> Fault:
    """Status 429, with Retry-After where one is given."""
    return status(429, "slow down", **({} if retry_after is None else {"Retry_After": retry_after}))


def partial_content(rows: int) -> Fault:
    """Status 206 and the first rows only."""
    return lambda right: replace(first_rows(rows)(right), status=206)


def sql_state(state: str, rows: int) -> Fault:
    """Status 200, the first rows only, and Virtuoso's header that says so."""
    header = {"X-SQL-State": state, "X-SQL-Message": "RC...: Returning incomplete results"}
    return lambda right: replace(first_rows(rows)(right), headers=header)


def broken_off(rows: int) -> Fault:
    """Status 500, some rows and then Virtuoso's error text, as its version 7.2.5 sends them when its time is up."""

    def fault(right: ServerResponse) -> ServerResponse:
        content = json.loads(right.body)
        written = ",\n".join(json.dumps(row) for row in content["results"]["bindings"][:rows])
        head = json.dumps({"head": content["head"]})[:-1]
        broken = "{Virtuoso S1TAT Error RC...: Returning incomplete results, query interrupted by result timeout."
        text = f'{head}, "results": {{ "bindings": [\n{written},\n    {broken}'
        return ServerResponse(text.encode(), 500, content_type="text/plain")

    return fault


def virtuoso_error(state: str, code: str, text: str, http_status: int = 500) -> Fault:
    """A Virtuoso error page."""
    return status(http_status, f"Virtuoso {state} Error {code}: {text}\n\nSPARQL query:\nSELECT ...")


def cut_json() -> Fault:
    """A body that ends in the middle, with a length that fits."""
    return lambda right: replace(right, body=right.body[: len(right.body) // 2])


def lost_connection() -> Fault:
    """A connection that closes before the announced length."""
    return lambda right: replace(right, cut=True)


def first_rows(most: int) -> Fault:
    """A silent row cap."""
    return _on_rows(lambda rows: rows[:most])


def another_order(seed: int) -> Fault:
    """Rows in another order at each call."""
    draw = random.Random(seed)  # noqa: S311 - a repeatable disorder
    return _on_rows(lambda rows: draw.sample(rows, len(rows)))


def other_json(content: object) -> Fault:
    """Any JSON in place of the result."""
    return lambda right: replace(right, body=json.dumps(content).encode())


def _on_rows(change: Callable[[list[Any]], list[Any]]) -> Fault:
    def fault(right: ServerResponse) -> ServerResponse:
        if right.status != 200:
            return right
        content = json.loads(right.body)
        content["results"]["bindings"] = change(content["results"]["bindings"])
        return replace(right, body=json.dumps(content).encode())

    return fault


# --- The server ----------------------------------------------------------------------------------------------------------


class SparqlServer:
    """A server on a free port of the loopback; a context manager.

    Args:
        data: the graph, in Turtle.
        always: faults of every response, applied in turn.
        server: what it says of its make.
        rewrite: (number of the request, query) -> the query that is evaluated in its place.
    """

    def __init__(
        self,
        data: str = "",
        *,
        always: Sequence[Fault] = (),
        server: str = "",
        rewrite: Callable[[int, str], str] = lambda number, query: query,
    ) -> None:
        import pyoxigraph as ox

        self.make = server
        self._store = ox.Store()
        self._store.load(data.encode(), format=ox.RdfFormat.TURTLE)
        self._always = tuple(always)
        self._rewrite = rewrite
        self._answered = 0
        self._next: deque[Fault] = deque()
        self._lock = threading.Lock()
        self._queries: list[RecordedQuery] = []
        self._at_once = self._most_at_once = 0
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.sparql = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """Address of the endpoint."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/sparql"

    @property
    def queries(self) -> tuple[RecordedQuery, ...]:
        """Every request, in the order in which they came."""
        with self._lock:
            return tuple(self._queries)

    @property
    def most_at_once(self) -> int:
        """Most requests that were worked on at once; one that is left hanging is none of them."""
        return self._most_at_once

    def script(self, *faults: Fault) -> None:
        """Set what the next responses suffer, one fault each; later ones are right again."""
        with self._lock:
            self._next = deque(faults)

    def forget(self) -> None:
        """Forget the requests so far."""
        with self._lock:
            self._queries.clear()

    def __enter__(self) -> SparqlServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def respond(self, request: RecordedQuery) -> ServerResponse:
        """Record a request and return its response."""
        with self._lock:
            self._queries.append(request)
            self._at_once += 1
            self._most_at_once = max(self._most_at_once, self._at_once)
            fault = self._next.popleft() if self._next else None
            self._answered += 1
            query = self._rewrite(self._answered, request.query)
        response = self._evaluate(query)
        for change in (*self._always, *((fault,) if fault else ())):
            response = change(response)
        return response

    def responded(self) -> None:
        """Count a request as done."""
        with self._lock:
            self._at_once -= 1

    def wait_for_close(self) -> None:
        """Block until the server closes."""
        self._closing.wait()

    def _evaluate(self, query: str) -> ServerResponse:
        import pyoxigraph as ox

        try:
            result = self._store.query(query)
        except (SyntaxError, ValueError) as error:
            return ServerResponse(str(error).encode(), 400, content_type="text/plain")
        if not isinstance(result, ox.QuerySolutions):
            return ServerResponse(b"only SELECT queries are answered", 400, content_type="text/plain")
        body = result.serialize(format=ox.QueryResultsFormat.JSON)
        return ServerResponse(body or b"", content_type=_JSON)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    sparql: SparqlServer


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 30

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self._answer(self.rfile.read(length).decode())

    def do_GET(self) -> None:
        self._answer("")

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""

    def version_string(self) -> str:
        return self.server.sparql.make

    def _answer(self, form: str) -> None:
        place = urlsplit(self.path)
        given = parse_qs(f"{place.query}&{form}", keep_blank_values=True)
        query = given.pop("query", [""])[0]
        parameters = {name: tuple(values) for name, values in given.items()}
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            response = self.server.sparql.respond(RecordedQuery(self.command, place.path, headers, query, parameters))
        finally:
            # Before it is sent: a client that has read it may ask again sooner than this thread goes on.
            self.server.sparql.responded()
        self._send(response)

    def _send(self, response: ServerResponse) -> None:
        self.close_connection = True
        if response.hang:
            self.server.sparql.wait_for_close()
            return
        self.send_response(response.status)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Content-Length", str(len(response.body) + (50 if response.cut else 0)))
        self.send_header("Connection", "close")
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(response.body)
