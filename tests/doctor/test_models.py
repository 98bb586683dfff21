"""Model servers: key, name, window, price, and the one reply that is asked for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from doctor_desk import rows_of

from kgbench.doctor.rows import State
from kgbench.llm.backends.catalogue import Catalogue, read_catalogue
from kgbench.llm.backends.openai_backend import OpenAIModel
from kgbench.spec import RunSpec
from kgbench.testing.http_fake import (
    ChatServer,
    RecordedRequest,
    ServerResponse,
    chat,
    failure,
    html_page,
    json_response,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.doctor.rows import CheckRow

CANARY = "sk-canary-4711-zq"


def listing(*names: str, **fields: Any) -> ServerResponse:
    return json_response({"object": "list", "data": [{"id": name, "object": "model", **fields} for name in names]})


def server(**answers: ServerResponse) -> Callable[[RecordedRequest], ServerResponse]:
    """Answers by the last part of the path; what is not named is not there."""
    return lambda request: answers.get(request.path.rpartition("/")[2], failure(404))


def asked(answer: Callable[[RecordedRequest], ServerResponse], *, ask: bool = False, **settings: Any) -> Seen:
    with ChatServer(answer) as running:
        spec = RunSpec(**{"model": "openai/lumen-7b", "base_url": running.base_url, **settings})
        return Seen(rows_of(spec, ask=ask), running.requests)


class Seen:
    """The rows, and what the server was asked."""

    def __init__(self, rows: dict[str, CheckRow], requests: tuple[RecordedRequest, ...]) -> None:
        self.rows = rows
        self.requests = requests

    def __getitem__(self, check: str) -> CheckRow:
        return self.rows[check]

    @property
    def paths(self) -> list[str]:
        return [f"{request.method} {request.path}" for request in self.requests]


def test_a_server_that_knows_the_model() -> None:
    seen = asked(server(models=listing("lumen-7b", owned_by="vllm", max_model_len=32_768)))
    assert seen["model server"].state is State.OK
    assert seen["model server"].found == "vLLM answers and serves lumen-7b"
    assert seen["context window"].state is State.OK
    assert seen["context window"].facts["window"] == 32_768
    assert seen["reply"].state is State.NOT_CHECKED
    assert seen.paths == ["GET /v1/models"]


def test_a_wrong_key_costs_one_request_and_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    seen = asked(server(models=failure(401, f"Incorrect API key provided: {CANARY}")))
    assert seen["model server"].state is State.FAILED
    assert "the key was not accepted (HTTP 401" in seen["model server"].found
    assert "is set; it is sent to http://127.0.0.1" in seen["model key"].found
    assert len(seen.requests) == 1
    assert seen.requests[0].headers["authorization"] == f"Bearer {CANARY}"
    assert CANARY not in f"{seen.rows}"


def test_without_a_key_the_provider_is_not_asked() -> None:
    rows = rows_of(RunSpec(model="openai/gpt-4o-mini-2024-07-18"), checks=_checks("embedder", "model", "price"))
    assert rows["model key"].state is State.FAILED
    assert "OPENAI_API_KEY" in rows["model key"].found
    assert rows["price"].facts["input"] == 0.15


def _checks(*names: str) -> Any:
    from kgbench.doctor.examine import CHECKS

    return tuple(check for check in CHECKS if check.name in names)


def test_an_unknown_model_fails_with_the_nearest_names() -> None:
    seen = asked(server(models=listing("lumen-7b-chat", "other")))
    row = seen["model server"]
    assert (row.state, row.facts["knows_model"]) == (State.FAILED, False)
    assert row.next.startswith("did you mean lumen-7b-chat?")


@pytest.mark.parametrize("status", [403, 404, 405])
def test_a_server_without_a_list_proves_nothing(status: int) -> None:
    seen = asked(server(models=failure(status)))
    assert seen["model server"].state is State.NOT_CHECKED
    assert f"HTTP {status}" in seen["model server"].found
    assert seen["context window"].state is State.NOT_CHECKED


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (html_page(), "text/html that are no JSON object; check --base-url"),
        (failure(503), "server_error (HTTP 503"),
        (failure(429), "rate_limit (HTTP 429"),
    ],
)
def test_a_server_that_does_not_answer_fails_at_once(answer: ServerResponse, words: str) -> None:
    seen = asked(server(models=answer))
    assert seen["model server"].state is State.FAILED
    assert words in seen["model server"].found
    assert len(seen.requests) == 1


def test_a_server_that_is_not_there_fails() -> None:
    row = rows_of(RunSpec(model="openai/x", base_url="http://127.0.0.1:9/v1"))["model server"]
    assert (row.state, "no response" in row.found) == (State.FAILED, True)


def test_llama_cpp_answers_to_any_name_and_tells_its_window() -> None:
    props = json_response({"default_generation_settings": {"n_ctx": 2048}, "total_slots": 4})
    seen = asked(server(models=listing("lumen.gguf", owned_by="llamacpp"), props=props), method="pog")
    assert seen["model server"].state is State.WARNING
    assert "what it serves is lumen.gguf" in seen["model server"].found
    assert seen["context window"].facts["window"] == 2048
    assert seen["context window"].state is State.WARNING
    assert "cuts what does not fit" in seen["context window"].found
    assert seen.paths == ["GET /v1/models", "GET /props"]


@pytest.mark.parametrize(
    ("window", "state"), [(300, State.FAILED), (600, State.FAILED), (1500, State.WARNING), (8000, State.OK)]
)
def test_the_window_is_held_against_the_methods_prompts(window: int, state: State) -> None:
    """arog: about 500 tokens are fixed, and a reply may take 256."""
    row = asked(server(models=listing("lumen-7b", max_model_len=window)))["context window"]
    assert row.state is state
    assert row.facts["fixed_tokens"] + row.facts["reply_tokens"] == pytest.approx(760, abs=60)


def test_prices() -> None:
    models = server(models=listing("lumen-7b"))
    assert asked(models)["price"].state is State.OK
    assert "unknown for openai/lumen-7b@http://127.0.0.1" in asked(models)["price"].found
    budget = asked(models, budget=1.0)["price"]
    assert (budget.state, "a budget in USD needs the price" in budget.found) == (State.FAILED, True)


def test_a_reply_is_asked_for_on_demand_alone() -> None:
    models = listing("lumen-7b")
    seen = asked(server(models=models, completions=chat("ready")), ask=True)
    assert seen["reply"].state is State.OK
    assert "fake-model-0001 replied: 12 tokens in, 5 out, price unknown" in seen["reply"].found
    assert seen.paths == ["GET /v1/models", "POST /v1/chat/completions"]
    assert seen.requests[1].body["messages"] == [{"role": "user", "content": "Reply with the one word: ready"}]


@pytest.mark.parametrize(
    ("answer", "state", "words"),
    [
        (chat("ready", usage="missing"), State.WARNING, "counts no tokens"),
        (chat(""), State.WARNING, "the reply was empty"),
        (failure(500), State.FAILED, "HTTP 500"),
        (failure(401), State.FAILED, "the key was not accepted"),
    ],
)
def test_replies_that_are_none(answer: ServerResponse, state: State, words: str) -> None:
    row = asked(server(models=listing("lumen-7b"), completions=answer), ask=True)["reply"]
    assert (row.state, words in f"{row.found} {row.next}") == (state, True)


def test_a_parameter_that_is_refused_is_left_out() -> None:
    refused = failure(400, "Unsupported parameter: 'temperature'", code="unsupported_parameter", param="temperature")

    def answer(request: RecordedRequest) -> ServerResponse:
        if request.method == "GET":
            return listing("lumen-7b")
        return refused if "temperature" in request.body else chat("ready")

    seen = asked(answer, ask=True)
    assert (seen["reply"].state, len(seen.requests)) == (State.OK, 3)


def test_the_reader_says_what_it_is_and_is_asked_nothing() -> None:
    rows = rows_of(ask=True)
    assert "is not a language model" in rows["model"].found
    assert "reply" not in rows
    assert rows["price"].found == "free"


def test_the_local_model_is_asked_for_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer(server(models=listing("lumen-7b"))) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        assert rows_of(RunSpec(local_model="openai/lumen-7b"))["local model"].state is State.OK
        assert rows_of(RunSpec(local_model="openai/lumen"))["local model"].state is State.FAILED
    assert rows_of(RunSpec(local_model="openai/lumen"))["local model"].state is State.FAILED


def test_an_unknown_embedder_leaves_the_model_unchecked() -> None:
    rows = rows_of(RunSpec(embedder="builtin/none"))
    assert (rows["embedder"].state, rows["model"].state) == (State.FAILED, State.NOT_CHECKED)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"data": None},
        {"data": {"id": "a"}},
        {"data": ["a", 1, {"name": "a"}]},
        {"data": [{"id": "a", "max_model_len": "x"}]},
    ],
)
def test_odd_lists_of_models_are_read_without_a_crash(body: dict[str, Any]) -> None:
    catalogue = read_catalogue(body, "a")
    assert isinstance(catalogue, Catalogue)
    assert catalogue.window is None


def test_ollamas_default_tag_is_no_other_model() -> None:
    catalogue = read_catalogue({"data": [{"id": "lumen:latest", "owned_by": "library"}]}, "lumen")
    assert (catalogue.product, catalogue.knows("lumen"), catalogue.knows("lum")) == ("Ollama", True, False)


def test_a_catalogue_is_read_with_whatever_http_library_the_client_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)  # newer releases of the client bring another one
    with ChatServer(server(models=listing("a"))) as running:
        assert OpenAIModel("a", running.base_url).catalogue().models == ("a",)


def test_a_catalogue_says_why_it_has_no_list() -> None:
    with ChatServer(server()) as running:
        catalogue = OpenAIModel("a", running.base_url).catalogue()
    assert (catalogue.models, catalogue.silence) == (None, "it does not list them (HTTP 404)")
