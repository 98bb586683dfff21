"""Reads the body of a chat completion, with all the odd forms that servers send."""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Any

from kgbench.contracts import Completion
from kgbench.llm.backends.failures import RefusedReply, ServerFailure, failure_from_body

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FINISH = {"max_tokens": "length", "eos_token": "stop", "end_turn": "stop", "eos": "stop", "stop_sequence": "stop"}
"""Other servers' words for OpenAI's."""
_FILTERED = ("content_filter", "safety", "refusal")


def read_reply(body: object, dropped: tuple[str, ...] = ()) -> Completion | ServerFailure:
    """Read a response with status 200.

    A choice without text counts as empty where the model just stopped, and as refused where it says so
    (``refusal``, finish reason ``content_filter``).

    Args:
        body: the parsed JSON, of the form of OpenAI's chat completions.
        dropped: sampling parameters that were not sent.

    Returns:
        The completion, whose finish is ``length`` where any choice was cut off; a refused choice among others is None.
        A ServerFailure where the body is no chat completion, such as an error sent with status 200.

    Raises:
        RefusedReply: no choice at all, or every one refused.
    """
    if not isinstance(body, dict) or not isinstance(body.get("choices", 0), (list, NoneType)):
        return _no_completion(body)
    choices = [choice for choice in body["choices"] or () if isinstance(choice, dict)]
    refused = [_is_refused(choice) for choice in choices]
    texts = tuple(None if no else _text(choice) for choice, no in zip(choices, refused, strict=True))
    finishes = [_finish(choice) for choice, no in zip(choices, refused, strict=True) if not no]
    completion = Completion(
        texts=texts,
        finish=_worst(finishes) if finishes else "content_filter",
        model=str(body.get("model") or ""),
        dropped=dropped,
        **_usage(body.get("usage")),
    )
    if not choices:
        raise RefusedReply("the model's reply has no choices: the provider declined to answer", completion)
    if all(refused):
        raise RefusedReply("the model refused to answer or its reply was filtered", completion)
    return completion


def _no_completion(body: object) -> ServerFailure:
    if isinstance(body, dict) and body.get("error"):
        failure = failure_from_body(None, body)
        if failure.status is not None:
            return failure
    return ServerFailure(200, kind="bad_reply", message="HTTP 200, but the body is no chat completion")


def _is_refused(choice: Mapping[str, Any]) -> bool:
    message = choice.get("message")
    refusal = message.get("refusal") if isinstance(message, dict) else None
    return bool(refusal) or _finish(choice) in _FILTERED


def _text(choice: Mapping[str, Any]) -> str:
    """The text of a choice; some servers send it in parts, of which reasoning is none."""
    message = choice.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _finish(choice: Mapping[str, Any]) -> str:
    reason = str(choice.get("finish_reason") or "stop").lower()
    return _FINISH.get(reason, reason)


def _worst(finishes: Sequence[str]) -> str:
    """One word for several choices: cut off if any was, else the first that did not just stop."""
    if "length" in finishes:
        return "length"
    return next((finish for finish in finishes if finish != "stop"), "stop")


def _usage(usage: object) -> dict[str, Any]:
    """Token counts as reported; a count that is missing is None where zero would be a claim."""
    if not isinstance(usage, dict):
        return {}
    prompt = usage.get("prompt_tokens_details")
    output = usage.get("completion_tokens_details")
    cached = _count(prompt.get("cached_tokens")) if isinstance(prompt, dict) else None
    reasoning = _count(output.get("reasoning_tokens")) if isinstance(output, dict) else None
    return {
        "input_tokens": _count(usage.get("prompt_tokens")),
        "output_tokens": _count(usage.get("completion_tokens")),
        "cached_tokens": cached or _count(usage.get("prompt_cache_hit_tokens")) or 0,  # the latter is DeepSeek's
        "reasoning_tokens": reasoning or 0,
    }


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
        return None
    return int(value)
