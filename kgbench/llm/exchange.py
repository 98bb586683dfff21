"""One logical call on the wire: as many requests as its samples and retries need, within the model's limits."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgbench.contracts import Completion, ModelRequest
from kgbench.errors import PromptTooLong, Refused
from kgbench.llm.retry import Wait, send_with_retries
from kgbench.llm.text import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.contracts import ChatModel
    from kgbench.llm.cache import ReplyCache
    from kgbench.llm.limits import ModelLimiter
    from kgbench.llm.retry import RetryPolicy
    from kgbench.types import Zone


@dataclass(frozen=True)
class Channel:
    """One model with everything that guards it; shared by all questions of a run."""

    model: ChatModel
    zone: Zone
    limiter: ModelLimiter
    retries: RetryPolicy
    priced_as: str
    count_tokens: Callable[[str], int]
    sleep: Callable[[float], None]
    jitter: Callable[[], float]
    cache: ReplyCache | None = None
    clock: Callable[[], float] = time.monotonic
    billed: bool = True
    """False where nothing is paid for: the replies of a recorded run."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The reply to a logical call and what it took."""

    completion: Completion
    """All samples; ``input_tokens`` are those of one prompt."""
    requests: int = 0
    waits: tuple[Wait, ...] = ()
    prompts_billed: int = 1
    """Requests that were answered: each is billed for its prompt."""


def exchange(channel: Channel, request: ModelRequest) -> Exchanged:
    """Send a request until it has its samples; a server that gives fewer choices than asked is asked for the rest.

    Raises:
        Refused: no choice, or a content filter's mark.
        PromptTooLong: the prompt does not fit the model's window.
        Exception: whatever the backend raises for good; :func:`kgbench.llm.retry.attempts_of` tells what was sent.
    """
    expected = _expected_tokens(channel, request)
    result = _once(channel, request, expected)
    while len(result.completion.texts) < request.n:
        done = len(result.completion.texts)
        sampling = dict(request.sampling)
        if "seed" in sampling:  # the same seed would bring the same samples again
            sampling["seed"] += done
        more = _once(channel, replace(request, sampling=sampling, n=request.n - done), expected)
        result = Exchanged(
            _merged(result.completion, more.completion),
            result.requests + more.requests,
            result.waits + more.waits,
            result.prompts_billed + 1,
        )
    return result


def _once(channel: Channel, request: ModelRequest, expected: int) -> Exchanged:
    def send() -> Completion:
        with channel.limiter.slot(expected):
            return _usable(channel.model.complete(request))

    attempted = send_with_retries(
        send, channel.retries, sleep=channel.sleep, random=channel.jitter, clock=channel.clock
    )
    completion = attempted.completion
    if expected and completion.input_tokens is not None:
        channel.limiter.settle(expected, completion.input_tokens + (completion.output_tokens or 0))
    return Exchanged(completion, attempted.attempts, attempted.waits)


def _expected_tokens(channel: Channel, request: ModelRequest) -> int:
    """Tokens of prompt and reply, where a limit needs them or the context window is known; else 0."""
    window = channel.model.card.context_window
    if window is None and channel.limiter.limits.tokens_per_minute is None:
        return 0
    total = estimate_tokens(request.messages, channel.count_tokens) + int(request.sampling["max_tokens"])
    if window is not None and total > window:
        raise PromptTooLong(f"the prompt takes about {total} tokens with its reply; the model's window is {window}")
    return total


def _usable(completion: Completion) -> Completion:
    """Name the refusals that come as an empty choice list or as a filter's mark."""
    if not completion.texts:
        raise Refused("the provider sent no choice")
    if completion.finish == "content_filter":
        raise Refused("the provider's content filter withheld the reply")
    return completion


def _merged(first: Completion, second: Completion) -> Completion:
    known = first.output_tokens is not None and second.output_tokens is not None
    return Completion(
        texts=first.texts + second.texts,
        finish=first.finish if first.finish != "stop" else second.finish,
        model=first.model,
        input_tokens=first.input_tokens,
        output_tokens=(first.output_tokens or 0) + (second.output_tokens or 0) if known else None,
        reasoning_tokens=first.reasoning_tokens + second.reasoning_tokens,
        cached_tokens=first.cached_tokens + second.cached_tokens,
        dropped=first.dropped,
    )
