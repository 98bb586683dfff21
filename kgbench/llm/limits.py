"""How fast a model may be asked: requests side by side, requests and tokens a minute. One limiter a model."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.contracts import TransientFailure
from kgbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_BURST_SECONDS = 10.0
"""A bucket holds what this many seconds bring: providers count in windows shorter than a minute."""
_STOP_CHECK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """Bounds for one model; None: no bound."""

    concurrent: int = 4
    """Most requests under way at once."""
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    """Input and output tokens together."""

    def __post_init__(self) -> None:
        rates = (self.requests_per_minute, self.tokens_per_minute)
        if self.concurrent < 1 or any(rate is not None and rate <= 0 for rate in rates):
            raise UsageError("limits of a model must be positive: concurrent, requests_per_minute, tokens_per_minute")


class TokenBucket:
    """Fills at a steady rate; whoever takes more than it holds is told how long to wait.

    The amount is taken at once and the level may fall below zero: so threads are served in the order in which they
    came, and one request larger than the bucket is slow but not stuck. Thread safe.
    """

    def __init__(self, per_minute: float, clock: Callable[[], float]) -> None:
        self._per_second = per_minute / 60.0
        self._capacity = max(1.0, self._per_second * _BURST_SECONDS)
        self._level = self._capacity
        self._clock = clock
        self._filled_at = clock()
        self._lock = threading.Lock()

    def take(self, amount: float) -> float:
        """Take an amount (a negative one gives back) and return the seconds to wait before using it."""
        with self._lock:
            now = self._clock()
            self._level = min(self._capacity, self._level + (now - self._filled_at) * self._per_second)
            self._filled_at = now
            self._level -= amount
            return max(0.0, -self._level / self._per_second)


class ModelLimiter:
    """Holds requests back until the model's limits allow them. Thread safe.

    Args:
        limits: the bounds.
        clock: monotonic seconds.
        sleep: waits some seconds; may raise to end a stopped run.
    """

    def __init__(self, limits: ModelLimits, *, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self.limits = limits
        self._clock = clock
        self._sleep = sleep
        self._slots = threading.Semaphore(limits.concurrent)
        self._requests = _bucket(limits.requests_per_minute, clock)
        self._tokens = _bucket(limits.tokens_per_minute, clock)
        self._lock = threading.Lock()
        self._held_until = clock()

    @contextmanager
    def slot(self, tokens: int = 0) -> Iterator[float]:
        """Hold a place for one request; the retry layer goes around it, so that no place is held during a back-off.

        A :class:`TransientFailure` with a wait that leaves the block holds all later requests back for as long: a
        server that is overloaded for one thread is overloaded for the others.

        Args:
            tokens: expected tokens of the request, input and output.

        Yields:
            Seconds waited for the place.
        """
        began = self._clock()
        while not self._slots.acquire(timeout=_STOP_CHECK_SECONDS):
            self._sleep(0.0)  # a stopped run ends here, though it has no place yet
        try:
            self._pace(tokens)
            yield self._clock() - began
        except TransientFailure as failure:
            self._hold(failure.retry_after)
            raise
        finally:
            self._slots.release()

    def settle(self, expected: int, used: int) -> None:
        """Correct the tokens of a request once its usage is known."""
        if self._tokens is not None:
            self._tokens.take(used - expected)

    def _pace(self, tokens: int) -> None:
        with self._lock:
            held = self._held_until - self._clock()
        waits = [held]
        if self._requests is not None:
            waits.append(self._requests.take(1))
        if self._tokens is not None:
            waits.append(self._tokens.take(tokens))
        seconds = max(waits)
        if seconds > 0:
            self._sleep(seconds)

    def _hold(self, seconds: float | None) -> None:
        if seconds:
            with self._lock:
                self._held_until = max(self._held_until, self._clock() + seconds)


class Limiters:
    """One limiter for each (backend, model, base URL), made when it is first asked for. Thread safe.

    Args:
        limits: bounds of a model that :meth:`of` is given none for.
        clock: monotonic seconds.
        sleep: waits some seconds; may raise to end a stopped run.
    """

    def __init__(self, limits: ModelLimits, *, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._limits = limits
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._limiters: dict[tuple[str, str, str | None], ModelLimiter] = {}

    def of(
        self, backend: str, model: str, base_url: str | None = None, limits: ModelLimits | None = None
    ) -> ModelLimiter:
        """Return the limiter that all requests to this model share; ``limits`` count at the first call."""
        key = (backend, model, base_url)
        with self._lock:
            if key not in self._limiters:
                self._limiters[key] = ModelLimiter(limits or self._limits, clock=self._clock, sleep=self._sleep)
            return self._limiters[key]


def _bucket(per_minute: float | None, clock: Callable[[], float]) -> TokenBucket | None:
    return None if per_minute is None else TokenBucket(per_minute, clock)
