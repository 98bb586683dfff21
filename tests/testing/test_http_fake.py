from __future__ import annotations

import http.client
import json
import threading
from urllib.parse import urlsplit

import pytest

from kgbench.testing import ChatServer, RecordedRequest, chat, cut_json, failure, hang, html_page, lost_connection


def post(server: ChatServer, body: object, timeout: float = 10.0) -> tuple[int, http.client.HTTPMessage, bytes]:
    address = urlsplit(server.base_url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=timeout)
    try:
        connection.request("POST", f"{address.path}/chat/completions", json.dumps(body), {"X-Test": "Yes"})
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


def test_a_script_is_served_and_requests_are_kept() -> None:
    with ChatServer([chat("hello", "you"), failure(429, "slow", code="rate", headers={"Retry-After": "2"})]) as server:
        status, headers, body = post(server, {"model": "m", "n": 2})
        assert (status, headers["Content-Type"]) == (200, "application/json")
        assert [choice["message"]["content"] for choice in json.loads(body)["choices"]] == ["hello", "you"]
        assert json.loads(body)["usage"]["total_tokens"] == 17
        status, headers, body = post(server, {"model": "m"})
        assert (status, headers["Retry-After"], json.loads(body)["error"]["code"]) == (429, "2", "rate")
        status, _, body = post(server, {})
        assert (status, "no response for request 3" in body.decode()) == (418, True)
        assert [request.body for request in server.requests] == [{"model": "m", "n": 2}, {"model": "m"}, {}]
        assert server.requests[0].path == "/v1/chat/completions"
        assert server.requests[0].headers["x-test"] == "Yes"


def test_a_function_answers_from_the_request() -> None:
    def answer(request: RecordedRequest) -> object:
        return chat(request.body["word"])

    with ChatServer(answer) as server:  # type: ignore[arg-type]
        bodies = [json.loads(post(server, {"word": word})[2]) for word in ("a", "b")]
    assert [body["choices"][0]["message"]["content"] for body in bodies] == ["a", "b"]


def test_faulty_responses_are_faulty() -> None:
    with ChatServer([html_page(), cut_json(), lost_connection(), hang()]) as server:
        status, headers, _ = post(server, {})
        assert (status, headers["Content-Type"]) == (200, "text/html")
        with pytest.raises(json.JSONDecodeError):
            json.loads(post(server, {})[2])
        with pytest.raises(http.client.IncompleteRead):
            post(server, {})
        with pytest.raises(TimeoutError):
            post(server, {}, timeout=0.1)
        assert len(server.requests) == 4


def test_odd_completions() -> None:
    assert json.loads(chat().body)["choices"] == []
    assert json.loads(chat(None).body)["choices"][0]["message"]["content"] is None
    assert "usage" not in json.loads(chat("a", usage="missing").body)
    assert json.loads(chat("a", usage="zero").body)["usage"]["prompt_tokens"] == 0
    assert json.loads(chat("a", usage={"prompt_tokens": 9}).body)["usage"] == {"prompt_tokens": 9}


def test_closing_frees_those_who_hang() -> None:
    ended = threading.Event()

    def wait() -> None:
        try:
            post(server, {})
        except (http.client.HTTPException, OSError):
            ended.set()

    arrived = threading.Event()

    def answer(_: RecordedRequest) -> object:
        arrived.set()
        return hang()

    with ChatServer(answer) as server:  # type: ignore[arg-type]
        client = threading.Thread(target=wait)
        client.start()
        assert arrived.wait(10)
    client.join(10)
    assert ended.is_set()
