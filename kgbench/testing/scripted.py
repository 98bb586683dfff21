"""A model that says what a test tells it to."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from kgbench.contracts import Completion, ModelCard
from kgbench.llm.text import estimate_tokens, rough_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.contracts import ModelRequest


class ScriptedModel:
    """Replies from a list or a function, and keeps every request. Thread safe.

    Args:
        replies: either what each request gets in turn, a text (one a sample), an exception to raise or a whole
            completion; or a function of the request, called once a sample.
        card: what the model says of itself.
    """

    def __init__(
        self,
        replies: Sequence[str | Exception | Completion] | Callable[[ModelRequest], str],
        card: ModelCard | None = None,
    ) -> None:
        self._card = card or ModelCard(name="scripted", backend="scripted")
        self._function = replies if callable(replies) else None
        self._script = [] if callable(replies) else list(replies)
        self._position = 0
        self._lock = threading.Lock()
        self._requests: list[ModelRequest] = []

    @property
    def card(self) -> ModelCard:
        """What the model says of itself."""
        return self._card

    @property
    def requests(self) -> tuple[ModelRequest, ...]:
        """Every request, in the order in which they came."""
        with self._lock:
            return tuple(self._requests)

    @property
    def calls(self) -> int:
        """Number of requests, failed ones included."""
        return len(self.requests)

    def complete(self, request: ModelRequest) -> Completion:
        """Return the next reply of the script.

        Raises:
            AssertionError: the script has no reply left.
            Exception: the one that the script holds.
        """
        with self._lock:
            self._requests.append(request)
            turns = None if self._function else self._take(request.n)
        if turns is None:
            assert self._function is not None  # noqa: S101 - for the type checker
            return _completion(request, [self._function(request) for _ in range(request.n)])
        first = turns[0]
        if isinstance(first, Exception):
            raise first
        if isinstance(first, Completion):
            return first
        return _completion(request, [turn for turn in turns if isinstance(turn, str)])

    def _take(self, samples: int) -> list[str | Exception | Completion]:
        """The turns that one request uses up: a text for each sample, else one."""
        left = self._script[self._position :]
        if not left:
            raise AssertionError(f"the script has no reply for request {len(self._requests)}")
        wanted = samples if isinstance(left[0], str) else 1
        taken = left[:wanted]
        if len(taken) < wanted or (wanted > 1 and not all(isinstance(turn, str) for turn in taken)):
            raise AssertionError(f"request {len(self._requests)} wants {wanted} texts and the script has fewer")
        self._position += wanted
        return taken


def _completion(request: ModelRequest, texts: list[str]) -> Completion:
    return Completion(
        texts=tuple(texts),
        model="scripted",
        input_tokens=estimate_tokens(request.messages),
        output_tokens=sum(rough_tokens(text) for text in texts),
    )
