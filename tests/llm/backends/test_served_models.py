"""The two backends over HTTP, against a real local server and with the real SDKs."""

from __future__ import annotations

import importlib.util
import traceback
from collections.abc import Callable
from dataclasses import replace

import pytest

from kgbench.contracts import ChatModel, Completion, ModelRequest, TransientFailure
from kgbench.errors import FatalModelError, ModelUnavailable, PromptTooLong, Refused
from kgbench.llm.backends.litellm_backend import LiteLLMModel
from kgbench.llm.backends.openai_backend import OpenAIModel
from kgbench.llm.retry import RetryPolicy, send_with_retries
from kgbench.testing import (
    ChatServer,
    ServerResponse,
    chat,
    cut_json,
    failure,
    hang,
    html_page,
    json_response,
    lost_connection,
    refusal,
)

Opener = Callable[..., ChatModel]


def _openai(base_url: str, timeout: float = 20.0) -> ChatModel:
    return OpenAIModel("fake", base_url, timeout=timeout)


def _litellm(base_url: str, timeout: float = 20.0) -> ChatModel:
    return LiteLLMModel("openai/fake", base_url, timeout=timeout)


NEEDS_LITELLM = pytest.mark.skipif(importlib.util.find_spec("litellm") is None, reason="litellm is not installed")


@pytest.fixture(params=[_openai, pytest.param(_litellm, marks=NEEDS_LITELLM)], ids=["openai", "litellm"])
def open_model(request: pytest.FixtureRequest) -> Opener:
    return request.param


def fail(open_model: Opener, request: ModelRequest, response: ServerResponse, requests: int = 1) -> Exception:
    """Send one request, check that one was sent, and return the error."""
    with ChatServer([response]) as server:
        model = open_model(server.base_url)
        with pytest.raises(Exception) as caught:
            model.complete(request)
        assert len(server.requests) == requests
    return caught.value


def whole_text(error: BaseException) -> str:
    """All that a traceback could show: the error with every cause and context, and their attributes."""
    texts = traceback.format_exception(error)
    links: list[BaseException | None] = [error]
    while links:
        link = links.pop()
        if link is not None:
            texts += [repr(link), repr(vars(link))]
            links += [link.__cause__, link.__context__]
    return "".join(texts)


def test_what_is_sent_and_what_is_read(open_model: Opener, request_one: ModelRequest, secret: str) -> None:
    usage = {
        "prompt_tokens": 30,
        "completion_tokens": 9,
        "total_tokens": 39,
        "prompt_tokens_details": {"cached_tokens": 8},
        "completion_tokens_details": {"reasoning_tokens": 4},
    }
    with ChatServer([chat("{Ann}", finish="length", usage=usage)]) as server:
        completion = open_model(server.base_url).complete(request_one)
        [sent] = server.requests
    assert completion == Completion(("{Ann}",), "length", "fake-model-0001", 30, 9, 4, 8, ())
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["authorization"] == f"Bearer {secret}"
    assert sent.body == {
        "model": "fake",
        "messages": [dict(message) for message in request_one.messages],
        "temperature": 0.0,
        "max_tokens": 20,
    }


def test_a_server_of_ones_own_needs_no_key(open_model: Opener, request_one: ModelRequest) -> None:
    with ChatServer([chat("hello")]) as server:
        assert open_model(server.base_url).complete(request_one).texts == ("hello",)


def test_n_choices_in_one_request(open_model: Opener, request_one: ModelRequest) -> None:
    with ChatServer([chat("a", "b", "c"), chat("only one")]) as server:
        model = open_model(server.base_url)
        assert model.complete(replace(request_one, n=3)).texts == ("a", "b", "c")
        assert model.complete(replace(request_one, n=3)).texts == ("only one",), "told as it came"
        assert [sent.body["n"] for sent in server.requests] == [3, 3]


# --- refusals: exception, null content, empty choices ------------------------------------------------------------------


@pytest.mark.parametrize(
    "response",
    [
        chat(),
        chat(None, finish="content_filter"),
        chat("half a", finish="content_filter"),
        refusal("I would rather not"),
        failure(400, "The response was filtered by our content management policy", code="content_filter"),
    ],
    ids=["no-choices", "filtered-null", "filtered-text", "refusal", "policy-error"],
)
def test_refusals_have_one_name(open_model: Opener, request_one: ModelRequest, response: ServerResponse) -> None:
    assert isinstance(fail(open_model, request_one, response), Refused)


def test_null_content_that_just_stopped_is_an_empty_text(open_model: Opener, request_one: ModelRequest) -> None:
    with ChatServer([chat(None)]) as server:
        assert open_model(server.base_url).complete(request_one).texts == ("",)


# --- usage ---------------------------------------------------------------------------------------------------------------


def test_usage_that_says_nothing_is_told_as_such(open_model: Opener, request_one: ModelRequest) -> None:
    with ChatServer([chat("hello", usage="missing"), chat("hello", usage="zero")]) as server:
        model = open_model(server.base_url)
        missing, zero = model.complete(request_one), model.complete(request_one)
    assert not missing.input_tokens
    assert not missing.output_tokens
    assert (zero.input_tokens, zero.output_tokens) == (0, 0)


def test_missing_usage_is_none_with_the_openai_sdk(request_one: ModelRequest) -> None:
    with ChatServer([chat("hello", usage="missing")]) as server:
        completion = _openai(server.base_url).complete(request_one)
    assert (completion.input_tokens, completion.output_tokens) == (None, None)


# --- failures ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "response",
    [
        failure(408),
        failure(409),
        failure(429),
        failure(500),
        failure(503),
        html_page(502),
        html_page(200),
        cut_json(),
        lost_connection(),
        json_response([1, 2]),
        json_response({"error": {"code": 502, "message": "upstream"}}),
    ],
    ids=["408", "409", "429", "500", "503", "html-502", "html-200", "cut-json", "lost", "list", "error-as-200"],
)
def test_transient_failures_send_one_request(
    open_model: Opener, request_one: ModelRequest, response: ServerResponse
) -> None:
    assert isinstance(fail(open_model, request_one, response), TransientFailure)


def test_no_server_is_a_transient_failure(open_model: Opener, request_one: ModelRequest) -> None:
    with ChatServer([]) as server:
        base_url = server.base_url
    with pytest.raises(TransientFailure, match="connection"):
        open_model(base_url).complete(request_one)


def test_retry_after_is_passed_on(open_model: Opener, request_one: ModelRequest) -> None:
    error = fail(open_model, request_one, failure(429, headers={"Retry-After": "7"}))
    assert isinstance(error, TransientFailure)
    assert error.retry_after == 7.0


def test_a_time_out_then_a_rate_limit_then_a_reply(open_model: Opener, request_one: ModelRequest) -> None:
    slept: list[float] = []
    with ChatServer([hang(), failure(429, headers={"Retry-After": "2"}), chat("hello")]) as server:
        model = open_model(server.base_url, timeout=0.3)
        attempted = send_with_retries(
            lambda: model.complete(request_one),
            RetryPolicy(),
            sleep=slept.append,
            random=lambda: 0.0,
            clock=lambda: 0.0,
        )
        assert len(server.requests) == 3
    assert attempted.completion.texts == ("hello",)
    assert attempted.attempts == 3
    assert [wait.kind for wait in attempted.waits] == ["timeout", "rate_limit"]
    assert slept[1] >= 2.0


def test_retries_end(open_model: Opener, request_one: ModelRequest) -> None:
    with ChatServer(lambda _: failure(503)) as server:
        model = open_model(server.base_url)
        with pytest.raises(ModelUnavailable):
            send_with_retries(
                lambda: model.complete(request_one),
                RetryPolicy(retries=2),
                sleep=lambda _: None,
                random=lambda: 0.0,
                clock=lambda: 0.0,
            )
        assert len(server.requests) == 3


def test_a_wrong_key_is_one_request_and_is_not_shown(
    open_model: Opener, request_one: ModelRequest, secret: str
) -> None:
    error = fail(open_model, request_one, failure(401, f"Incorrect API key provided: {secret}", code="invalid_api_key"))
    assert isinstance(error, FatalModelError)
    assert "OPENAI_API_KEY" in str(error)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 409, 422, 429, 500])
def test_neither_key_nor_prompt_is_in_any_error(
    open_model: Opener, request_one: ModelRequest, secret: str, status: int
) -> None:
    response = failure(status, f"key {secret} asks of the Zanzibar ward", code="odd", param="messages")
    text = whole_text(fail(open_model, request_one, response))
    assert secret not in text
    assert "Zanzibar" not in text


@pytest.mark.parametrize("status", [403, 404])
def test_a_model_out_of_reach_stops_the_run(open_model: Opener, request_one: ModelRequest, status: int) -> None:
    assert isinstance(fail(open_model, request_one, failure(status, "no such model")), FatalModelError)


@pytest.mark.parametrize(
    "response",
    [
        failure(400, "This model's maximum context length is 8192 tokens.", code="context_length_exceeded"),
        json_response({"error": {"code": 400, "message": "the request exceeds the available context size"}}, 400),
        json_response({"object": "error", "message": "maximum context length is 4096 tokens", "code": 400}, 400),
    ],
    ids=["openai", "llama.cpp", "vllm"],
)
def test_a_prompt_too_long_ends_the_question_only(
    open_model: Opener, request_one: ModelRequest, response: ServerResponse
) -> None:
    with ChatServer([response, chat("hello")]) as server:
        model = open_model(server.base_url)
        with pytest.raises(PromptTooLong):
            model.complete(request_one)
        assert model.complete(request_one).texts == ("hello",)


def test_another_rejection_ends_the_question_only(open_model: Opener, request_one: ModelRequest) -> None:
    error = fail(open_model, request_one, failure(400, "malformed"))
    assert type(error) is ModelUnavailable


# --- parameters ----------------------------------------------------------------------------------------------------------


def test_a_refused_parameter_is_dropped_by_name(open_model: Opener, request_one: ModelRequest) -> None:
    request = replace(request_one, sampling={**request_one.sampling, "seed": 3})
    no_temperature = failure(400, "Unsupported value", code="unsupported_value", param="temperature")
    with ChatServer([no_temperature, chat("hello"), chat("again")]) as server:
        model = open_model(server.base_url)
        attempted = send_with_retries(
            lambda: model.complete(request), RetryPolicy(), sleep=lambda _: None, random=lambda: 0.0, clock=lambda: 0.0
        )
        assert attempted.completion.dropped == ("temperature",)
        assert [wait.kind for wait in attempted.waits] == ["parameter"]
        assert model.complete(request).dropped == ("temperature",)
        bodies = [sent.body for sent in server.requests]
    assert [body.get("temperature") for body in bodies] == [0.0, None, None]
    assert {body["seed"] for body in bodies} == {3}


def test_threads_share_a_model(open_model: Opener, request_one: ModelRequest) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ChatServer(lambda sent: chat(sent.body["messages"][-1]["content"])) as server:
        model = open_model(server.base_url)
        requests = [replace(request_one, messages=({"role": "user", "content": str(number)},)) for number in range(24)]
        with ThreadPoolExecutor(8) as pool:
            texts = [completion.texts[0] for completion in pool.map(model.complete, requests)]
    assert texts == [str(number) for number in range(24)]
