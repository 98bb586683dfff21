from __future__ import annotations

import datetime
from email.utils import format_datetime

import pytest

from kgbench.contracts import ModelRequest, TransientFailure
from kgbench.errors import FatalModelError, ModelUnavailable, PromptTooLong, Refused
from kgbench.llm.backends.failures import Endpoint, ServerFailure, exception_for, failure_from_body, seconds_asked

ENDPOINT = Endpoint("openai/fake", "http://localhost:1/v1", "OPENAI_API_KEY")
REQUEST = ModelRequest(({"role": "user", "content": "Who runs the Zanzibar ward? Max Context knows."},), {})


def raised(status: int, body: object) -> Exception:
    return exception_for(failure_from_body(status, body), ENDPOINT, REQUEST)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"code": "context_length_exceeded", "message": "too big", "type": "invalid_request_error"}}),
        (
            400,
            {"error": {"message": "This model's maximum context length is 8192 tokens. However, you requested 9001."}},
        ),
        (400, {"object": "error", "message": "The decoder prompt is too long: max context length 4096", "code": 400}),
        (400, {"error": {"code": 400, "type": "exceed_context_size_error", "message": "n_ctx"}}),
        (400, {"error": {"code": 400, "message": "the request exceeds the available context size, try increasing it"}}),
        (500, {"error": {"code": 500, "message": "the request exceeds the available context size"}}),
        (
            400,
            {
                "type": "error",
                "error": {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens"},
            },
        ),
        (400, {"error": {"message": "The input token count (1100000) exceeds the maximum number of tokens allowed"}}),
        (422, {"detail": "Please reduce the length of the messages"}),
        (413, "Payload Too Large"),
        (
            429,
            {"error": {"message": "Request too large for gpt-4 on tokens per min (TPM): Limit 10000, Requested 12000"}},
        ),
    ],
)
def test_wordings_of_a_prompt_that_is_too_long(status: int, body: object) -> None:
    assert isinstance(raised(status, body), PromptTooLong)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"code": "content_filter", "message": "filtered"}}),
        (400, {"error": {"code": "content_policy_violation", "message": "rejected by our safety system"}}),
        (400, {"error": {"message": "bad", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}),
        (400, {"error": {"code": "invalid_prompt", "message": "flagged as potentially violating our usage policy"}}),
        (400, {"error": {"code": "data_inspection_failed", "message": "Input data may contain inappropriate content"}}),
        (403, {"error": {"message": "Your input was flagged by the provider's moderation", "code": 403}}),
    ],
)
def test_wordings_of_a_refusal(status: int, body: object) -> None:
    assert isinstance(raised(status, body), Refused)


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (401, {"error": {"message": "Incorrect API key provided: sk-abc123secret"}}, "OPENAI_API_KEY"),
        (403, "<html>forbidden</html>", "may not use this model"),
        (404, {"error": {"message": "The model `x` does not exist", "code": "model_not_found"}}, "--base-url"),
        (400, {"error": {"message": "no such model", "code": "model_not_found"}}, "model's name"),
        (402, {"error": {"message": "Insufficient Balance"}}, "no credit left"),
        (
            429,
            {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}},
            "no credit left",
        ),
        (400, {"error": {"message": "Your credit balance is too low to access the API"}}, "no credit left"),
    ],
)
def test_what_never_will_work_stops_the_run(status: int, body: object, words: str) -> None:
    error = raised(status, body)
    assert isinstance(error, FatalModelError)
    assert words in str(error)
    assert "sk-abc" not in str(error)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (408, "timeout"),
        (409, "conflict"),
        (429, "rate_limit"),
        (500, "server_error"),
        (502, "server_error"),
        (503, "server_error"),
        (504, "server_error"),
        (529, "server_error"),
    ],
)
def test_what_may_work_next_time(status: int, kind: str) -> None:
    for body in ({"error": {"message": "busy"}}, "<html>busy</html>", "", None, {"error": "busy"}, ["busy"]):
        error = raised(status, body)
        assert isinstance(error, TransientFailure)
        assert getattr(error, "kind", "") == kind


def test_a_rate_limit_with_gemini_s_words_is_no_empty_account() -> None:
    body = {"error": {"code": 429, "message": "You exceeded your current quota, please check your plan and billing"}}
    assert isinstance(raised(429, body), TransientFailure)


def test_other_rejections_end_the_question_and_blank_what_they_repeat() -> None:
    body = {
        "error": {
            "message": "Invalid value for zanzibar: 'Ward' knows Bearer abc.def, sk-1234567890, my-own-secret; bad field",
            "type": "invalid_request_error",
            "param": "messages",
        }
    }
    error = exception_for(failure_from_body(400, body), ENDPOINT, REQUEST, secret="my-own-secret")
    assert type(error) is ModelUnavailable
    text = str(error)
    for leak in ("anzibar", "Ward", "knows", "abc.def", "1234567890", "my-own-secret"):
        assert leak not in text
    assert "HTTP 400, invalid_request_error, parameter messages" in text
    assert "Invalid value for …" in text
    assert text.endswith("bad field")


def test_a_code_that_is_text_is_not_shown() -> None:
    error = raised(400, {"error": {"code": "Zanzibar ward!", "param": "x y", "message": ""}})
    assert "ward" not in str(error)
    assert "the server gave no reason" in str(error)


def test_an_error_sent_as_success_has_its_own_status() -> None:
    assert failure_from_body(None, {"error": {"code": 502, "message": "upstream"}}).status == 502
    assert failure_from_body(None, {"error": {"code": "server_error", "message": "upstream"}}).status is None


def test_no_response_is_worth_another_try() -> None:
    for kind in ("timeout", "connection"):
        error = exception_for(ServerFailure(kind=kind), ENDPOINT, REQUEST)
        assert isinstance(error, TransientFailure)
        assert kind in str(error)


NOON = datetime.datetime(2026, 3, 1, 12, 0, 0, tzinfo=datetime.UTC)


def http_date(moment: datetime.datetime) -> str:
    return format_datetime(moment, usegmt=True)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "2"}, 2.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"Retry-After": "0"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"Retry-After": http_date(NOON + datetime.timedelta(seconds=30)), "Date": http_date(NOON)}, 30.0),
        ({"Retry-After": http_date(NOON - datetime.timedelta(seconds=30)), "Date": http_date(NOON)}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert seconds_asked(headers) == seconds


def test_retry_after_without_a_date_of_the_response_uses_the_clock() -> None:
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)
    asked = seconds_asked({"Retry-After": http_date(soon)})
    assert asked == pytest.approx(3600, abs=60)
