"""A model server for tests: OpenAI's chat completions API on the loopback, with scripted and faulty responses."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

_DEFAULT_USAGE = {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17}
_ZERO_USAGE = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
_USAGES: dict[str, dict[str, Any] | None] = {"reported": _DEFAULT_USAGE, "zero": _ZERO_USAGE, "missing": None}


@dataclass(frozen=True, slots=True)
class ServerResponse:
    """One scripted response."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    hang: bool = False
    """True: nothing is sent until the server closes, so that the client's read times out."""
    cut: bool = False
    """True: the connection closes before the announced length is sent."""


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Any
    """Parsed JSON; None where there was none."""
    method: str = "POST"


def chat(*texts: str | None, finish: str = "stop", usage: str | Mapping[str, Any] = "reported") -> ServerResponse:
    """Return a chat completion.

    Args:
        *texts: one a choice; None is sent as null content; none at all is an empty list of choices.
        finish: finish reason of every choice.
        usage: ``reported``, ``zero``, ``missing``, or the object to send.
    """
    choices = [
        {"index": index, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
        for index, text in enumerate(texts)
    ]
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "fake-model-0001",
        "choices": choices,
    }
    reported = _USAGES[usage] if isinstance(usage, str) else dict(usage)
    if reported is not None:
        body["usage"] = reported
    return json_response(body)


def refusal(text: str) -> ServerResponse:
    """Return a chat completion whose one choice has null content and a refusal."""
    message = {"role": "assistant", "content": None, "refusal": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return json_response({"object": "chat.completion", "model": "fake-model-0001", "choices": [choice]})


def failure(
    status: int,
    message: str = "it failed",
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> ServerResponse:
    """Return an error response of OpenAI's form."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return json_response({"error": error}, status, headers)


def json_response(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> ServerResponse:
    """Return any JSON."""
    return ServerResponse(json.dumps(body).encode(), status, headers or {})


def html_page(status: int = 200) -> ServerResponse:
    """Return an HTML page, as proxies and wrong addresses send it."""
    return ServerResponse(b"<!doctype html><title>Welcome</title>", status, content_type="text/html")


def cut_json() -> ServerResponse:
    """Return a body that ends in the middle of its JSON."""
    return ServerResponse(chat("half a reply").body[:-40])


def lost_connection() -> ServerResponse:
    """Return a response whose connection closes too early."""
    return ServerResponse(chat("half a reply").body, cut=True)


def hang() -> ServerResponse:
    """Return a response that never comes: the client's time-out ends the wait."""
    return ServerResponse(hang=True)


class ChatServer:
    """A server on a free port of the loopback; a context manager.

    Args:
        responses: what each request gets in turn (then an error that says so), or a function of the request.
    """

    def __init__(self, responses: Sequence[ServerResponse] | Callable[[RecordedRequest], ServerResponse]) -> None:
        self._function = responses if callable(responses) else None
        self._script = [] if callable(responses) else list(responses)
        self._lock = threading.Lock()
        self._requests: list[RecordedRequest] = []
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.chat = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        """What a client takes as base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def requests(self) -> tuple[RecordedRequest, ...]:
        """Every request, in the order in which they came."""
        with self._lock:
            return tuple(self._requests)

    def __enter__(self) -> ChatServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def respond(self, request: RecordedRequest) -> ServerResponse:
        """Record a request and return its response."""
        with self._lock:
            self._requests.append(request)
            position = len(self._requests) - 1
        if self._function is not None:
            return self._function(request)
        if position < len(self._script):
            return self._script[position]
        return failure(418, f"the script has no response for request {position + 1}")

    def wait_for_close(self) -> None:
        """Block until the server closes."""
        self._closing.wait()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    chat: ChatServer


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 30

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"null")
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._send(self.server.chat.respond(RecordedRequest(self.path, headers, body, self.command)))

    do_GET = do_POST

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""

    def _send(self, response: ServerResponse) -> None:
        self.close_connection = True
        if response.hang:
            self.server.chat.wait_for_close()
            return
        self.send_response(response.status)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Content-Length", str(len(response.body) + (50 if response.cut else 0)))
        self.send_header("Connection", "close")
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(response.body)
