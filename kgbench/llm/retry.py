"""The one place that sends a request again: bounded, with jitter, never sooner than the server asked.

The SDKs' own retries are set to 0; two layers would multiply. Clock, sleep and chance are arguments, so no test waits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kgbench.contracts import Completion, TransientFailure
from kgbench.errors import ModelUnavailable, RunStopped, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

_ATTRIBUTE = "send_attempts"


class Wait(NamedTuple):
    """One wait before a retry."""

    kind: str
    """What failed: ``timeout``, ``connection``, ``rate_limit``, ``server_error``, ... or ``transient``."""
    seconds: float


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long."""

    retries: int = 4
    """Most retries; at most ``retries + 1`` requests are sent."""
    first_wait: float = 1.0
    """Seconds before the first retry; doubled for each further one."""
    cap: float = 60.0
    """Most seconds that a wait grows to by doubling. A server may ask for more."""
    deadline: float | None = 600.0
    """Seconds after the first request beyond which no retry is begun; None: no such bound."""

    def __post_init__(self) -> None:
        if self.retries < 0 or self.first_wait <= 0 or self.cap < self.first_wait:
            raise UsageError("a retry policy needs retries >= 0 and 0 < first_wait <= cap (seconds)")

    def seconds_before(self, retry: int, asked: float | None, chance: float) -> float:
        """Return the seconds to wait before a retry.

        Args:
            retry: 1 for the first.
            asked: seconds that the server asked for, if it did: the wait is never shorter.
            chance: a number in [0, 1) that spreads the waits of many threads.
        """
        doubled: float = min(self.cap, self.first_wait * 2.0 ** min(retry - 1, 60))
        jittered = doubled * (0.5 + 0.5 * chance)
        return max(jittered, asked * (1.0 + 0.1 * chance)) if asked else jittered


@dataclass(frozen=True, slots=True)
class Attempts:
    """What it took to send one request."""

    requests: int
    """Requests sent, the last one included."""
    waits: tuple[Wait, ...] = ()
    """One entry a retry."""

    @property
    def retries(self) -> int:
        """Requests after the first."""
        return self.requests - 1


@dataclass(frozen=True, slots=True)
class Attempted:
    """A reply and what it took to get it."""

    completion: Completion
    attempts: int
    """Requests sent, the last one included."""
    waits: tuple[Wait, ...] = ()


class RetriesExhausted(ModelUnavailable):
    """Every request that the policy allows has failed."""

    def __init__(self, message: str, attempts: Attempts) -> None:
        super().__init__(message)
        self.attempts = attempts


def send_with_retries(
    send: Callable[[], Completion],
    policy: RetryPolicy,
    *,
    sleep: Callable[[float], None],
    random: Callable[[], float],
    clock: Callable[[], float],
) -> Attempted:
    """Send a request until it is answered, fails for good, or the policy is spent.

    Args:
        send: sends the request once.
        policy: bounds of number and time.
        sleep: waits some seconds; see :func:`interruptible_sleep`.
        random: draws a number in [0, 1).
        clock: monotonic seconds.

    Raises:
        RetriesExhausted: a ModelUnavailable; its cause is the last failure.
        Exception: whatever else ``send`` raises, at once. :func:`attempts_of` tells what was sent before it.
    """
    started = clock()
    waits: list[Wait] = []
    while True:
        requests = len(waits) + 1
        try:
            return Attempted(send(), requests, tuple(waits))
        except TransientFailure as failure:
            seconds = policy.seconds_before(requests, failure.retry_after, random())
            reason = _reason_to_stop(policy, requests, clock() - started + seconds)
            if reason:
                raise _exhausted(reason, failure, Attempts(requests, tuple(waits))) from failure
            waits.append(Wait(getattr(failure, "kind", "transient"), seconds))
        except BaseException as error:
            _remember(error, Attempts(requests, tuple(waits)))
            raise
        try:
            sleep(seconds)
        except BaseException as error:
            # Interrupted while waiting: the wait was not served in full and is not counted.
            _remember(error, Attempts(requests, tuple(waits[:-1])))
            raise


def attempts_of(error: BaseException) -> Attempts:
    """Return what was sent before :func:`send_with_retries` raised ``error``; one request where that is unknown."""
    attempts = getattr(error, "attempts", None) or getattr(error, _ATTRIBUTE, None)
    return attempts if isinstance(attempts, Attempts) else Attempts(1)


def interruptible_sleep(stop: Event) -> Callable[[float], None]:
    """Return a sleep that ends with :class:`RunStopped` as soon as ``stop`` is set."""

    def sleep(seconds: float) -> None:
        if stop.wait(seconds):
            raise RunStopped("the run was stopped; go on with: kgbench resume RUN")

    return sleep


def _reason_to_stop(policy: RetryPolicy, requests: int, seconds: float) -> str | None:
    """Why no retry is begun ``seconds`` after the first request, or None where one is."""
    if requests > policy.retries:
        return f"{requests} of {requests} requests failed"
    if policy.deadline is not None and seconds > policy.deadline:
        return f"{requests} requests failed and the next wait would pass the deadline of {policy.deadline:g} s"
    return None


def _exhausted(reason: str, failure: TransientFailure, attempts: Attempts) -> RetriesExhausted:
    return RetriesExhausted(
        f"the model did not answer: {reason}; the last failure was: {failure}. "
        "The question stays open: once the model answers again, kgbench resume RUN works on it.",
        attempts,
    )


def _remember(error: BaseException, attempts: Attempts) -> None:
    vars(error)[_ATTRIBUTE] = attempts
