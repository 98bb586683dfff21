from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.contracts import Completion
from kgbench.llm.backends.failures import RefusedReply, ServerFailure
from kgbench.llm.backends.replies import read_reply


def choice(content: object, finish: object = "stop", **message: object) -> dict[str, Any]:
    return {"finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}


def read(*choices: object, **body: object) -> Completion:
    completion = read_reply({"choices": list(choices), "model": "m-1", **body}, ("seed",))
    assert isinstance(completion, Completion)
    return completion


def test_all_that_a_server_reports() -> None:
    completion = read(
        choice("a"),
        choice("b"),
        usage={
            "prompt_tokens": 10,
            "completion_tokens": 7,
            "prompt_tokens_details": {"cached_tokens": 4},
            "completion_tokens_details": {"reasoning_tokens": 5},
        },
    )
    assert completion == Completion(("a", "b"), "stop", "m-1", 10, 7, 5, 4, ("seed",))


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (None, (None, None)),
        ({}, (None, None)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, (0, 0)),
        ({"prompt_tokens": 3}, (3, None)),
        ({"prompt_tokens": -1, "completion_tokens": "5"}, (None, None)),
        ({"prompt_tokens": True, "completion_tokens": float("inf")}, (None, None)),
        ({"prompt_tokens": 3.0, "completion_tokens": 4, "prompt_tokens_details": None}, (3, 4)),
    ],
)
def test_missing_usage_is_none_and_zero_stays_zero(usage: object, counts: tuple[int | None, int | None]) -> None:
    completion = read(choice("a"), usage=usage)
    assert (completion.input_tokens, completion.output_tokens) == counts


def test_deepseeks_word_for_cached_tokens() -> None:
    assert read(choice("a"), usage={"prompt_tokens": 9, "prompt_cache_hit_tokens": 8}).cached_tokens == 8


@pytest.mark.parametrize("finish", ["stop", "tool_calls", None])
def test_null_content_without_a_refusal_is_an_empty_text(finish: str | None) -> None:
    assert read(choice(None, finish)).texts == ("",)


def test_reasoning_that_used_up_all_tokens_is_a_cut_off() -> None:
    completion = read(choice(None, "length", reasoning_content="It could be {Lyon}"))
    assert (completion.texts, completion.finish) == (("",), "length")


@pytest.mark.parametrize(
    "body",
    [
        {"choices": []},
        {"choices": None},
        {"choices": [choice(None, "content_filter")]},
        {"choices": [choice("half a", "content_filter")]},
        {"choices": [choice(None, refusal="I can't help")]},
        {"choices": [choice(None, refusal="no"), choice(None, "content_filter")]},
    ],
)
def test_three_ways_to_refuse(body: dict[str, Any]) -> None:
    with pytest.raises(RefusedReply) as caught:
        read_reply({**body, "usage": {"prompt_tokens": 6, "completion_tokens": 1}})
    assert caught.value.completion.input_tokens == 6, "a refusal is paid for"
    assert "I can't" not in str(caught.value)


def test_one_refused_choice_among_others_is_none() -> None:
    completion = read(choice("a"), choice(None, refusal="no"), choice("c", "length"))
    assert completion.texts == ("a", None, "c")
    assert completion.finish == "length"


@pytest.mark.parametrize(
    ("sent", "read_as"),
    [("length", "length"), ("max_tokens", "length"), ("MAX_TOKENS", "length"), ("eos_token", "stop"), ("odd", "odd")],
)
def test_words_for_the_end(sent: str, read_as: str) -> None:
    assert read(choice("a", sent)).finish == read_as


def test_content_in_parts() -> None:
    parts = [{"type": "thinking", "text": "hm"}, {"type": "text", "text": "{Pa"}, {"type": "text", "text": "ris}"}, 7]
    assert read(choice(parts)).texts == ("{Paris}",)


@pytest.mark.parametrize("body", [None, [], "text", {}, {"error": {"message": "x"}}, {"object": "chat.completion"}])
def test_what_is_no_completion_is_a_failure(body: object) -> None:
    failure = read_reply(body)
    assert isinstance(failure, ServerFailure)
    assert failure.kind == "bad_reply"


def test_an_error_sent_as_success() -> None:
    failure = read_reply({"error": {"code": 429, "message": "slow down"}})
    assert isinstance(failure, ServerFailure)
    assert failure.status == 429


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
CHOICE = st.fixed_dictionaries(
    {},
    optional={
        "finish_reason": JSON,
        "message": JSON | st.fixed_dictionaries({}, optional={"content": JSON, "refusal": JSON}),
    },
)


@given(
    st.fixed_dictionaries(
        {"choices": st.lists(JSON | CHOICE, max_size=3) | JSON}, optional={"usage": JSON, "model": JSON}
    )
)
def test_no_body_is_too_odd(body: dict[str, Any]) -> None:
    try:
        outcome = read_reply(body)
    except RefusedReply:
        return
    assert isinstance(outcome, (Completion, ServerFailure))
