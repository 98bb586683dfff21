from __future__ import annotations

from dataclasses import replace

import pytest

from kgbench.contracts import ModelRequest, TaskView
from kgbench.llm.requests import messages_digest, request_digest, wire_digest

REQUEST = ModelRequest(
    messages=({"role": "system", "content": "Answer."}, {"role": "user", "content": "Who?"}),
    sampling={"temperature": 0.0, "max_tokens": 256},
)
PLACE = {"backend": "openai", "model": "openai/gpt-4o-mini", "base_url": None, "trial": 0}

OTHER_REQUESTS = [
    replace(REQUEST, messages=REQUEST.messages[1:]),
    replace(REQUEST, messages=REQUEST.messages[::-1]),
    replace(REQUEST, messages=({"role": "system", "content": "Answer!"}, REQUEST.messages[1])),
    replace(REQUEST, messages=(REQUEST.messages[0], {"role": "assistant", "content": "Who?"})),
    replace(REQUEST, messages=(REQUEST.messages[0], {"role": "user", "content": "Who? "})),
    replace(REQUEST, sampling={"temperature": 0.7, "max_tokens": 256}),
    replace(REQUEST, sampling={"temperature": 0.0, "max_tokens": 255}),
    replace(REQUEST, sampling={"temperature": 0.0, "max_tokens": 256, "seed": 0}),
    replace(REQUEST, sampling={"temperature": 0.0}),
    replace(REQUEST, n=2),
]


def test_digests_change_with_every_field_of_the_request() -> None:
    requests = [REQUEST, *OTHER_REQUESTS]
    assert len({request_digest(request, **PLACE) for request in requests}) == len(requests)
    assert len({wire_digest(request) for request in requests}) == len(requests)


@pytest.mark.parametrize(
    "other", [{"backend": "litellm"}, {"model": "openai/gpt-4o"}, {"base_url": "http://localhost:1/v1"}, {"trial": 1}]
)
def test_request_digest_changes_with_every_field_of_the_place(other: dict[str, object]) -> None:
    assert request_digest(REQUEST, **{**PLACE, **other}) != request_digest(REQUEST, **PLACE)


def test_what_is_not_sent_or_means_the_same_does_not_count() -> None:
    task = TaskView(kind="choose", template="t", slots={}, write=str)
    same = ModelRequest(
        messages=tuple(dict(reversed(message.items())) for message in REQUEST.messages),
        sampling={"max_tokens": 256.0, "temperature": 0},
        task=task,
    )
    assert wire_digest(same) == wire_digest(REQUEST)
    with_slash = {**PLACE, "base_url": "http://localhost:1/v1/"}
    without = {**PLACE, "base_url": "http://localhost:1/v1"}
    assert request_digest(same, **with_slash) == request_digest(REQUEST, **without)


def test_digests_are_fixed_over_versions() -> None:
    """A change here makes every cache and every recorded run unreadable: then raise SCHEMA_VERSION."""
    assert wire_digest(REQUEST)[:16] == "bb06bac66ee6b56b"
    assert request_digest(REQUEST, **PLACE)[:16] == "6450d1e8cc5acb84"
    assert len(wire_digest(REQUEST)) == 64


def test_odd_text_has_a_digest_and_a_bad_number_has_none() -> None:
    lone = replace(REQUEST, messages=({"role": "user", "content": "\ud800 \u2028 \x00"},))
    assert wire_digest(lone) != wire_digest(REQUEST)
    with pytest.raises(ValueError, match="JSON"):
        wire_digest(replace(REQUEST, sampling={"temperature": float("nan")}))


def test_messages_digest_ignores_sampling() -> None:
    assert messages_digest(REQUEST.messages) == messages_digest(list(REQUEST.messages))
    assert messages_digest(REQUEST.messages) != messages_digest(REQUEST.messages[:1])
