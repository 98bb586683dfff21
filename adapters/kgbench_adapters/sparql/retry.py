"""Sends a request again where that may help: bounded, with jitter, never sooner than the server asked.

Clock, sleep and chance are arguments, so that no test waits.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar

from kgbench.errors import GraphError, UsageError
from kgbench_adapters.sparql.failures import Kind, RequestFailed

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


def _sleep(seconds: float) -> None:
    if seconds > 0:  # a sleep of no time would still give up the processor
        time.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Timing:
    """Time and chance, as the client uses them."""

    clock: Callable[[], float] = time.monotonic
    """Monotonic seconds."""
    wall: Callable[[], float] = time.time
    """Seconds since 1970, for a Retry-After that names a moment."""
    sleep: Callable[[float], None] = _sleep
    """Waits; may raise to end a wait. Called with 0 too, see :class:`~kgbench_adapters.sparql.limits.EndpointLimiter`."""
    chance: Callable[[], float] = random.random
    """A number in [0, 1) that spreads the waits of many threads; it enters no result."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long."""

    retries: int = 3
    """Most retries; at most ``retries + 1`` requests are sent."""
    first_wait: float = 1.0
    """Seconds before the first retry; doubled for each further one."""
    cap: float = 30.0
    """Most seconds that a wait grows to by doubling. A server may ask for more."""
    floor: float = 1.0
    """Fewest seconds before a retry that the server asked to delay: some say 0 and mean "not now"."""
    longest: float = 300.0
    """Most seconds that a server may ask for; for more, the read ends at once."""

    def __post_init__(self) -> None:
        if self.retries < 0 or self.first_wait <= 0 or self.cap < self.first_wait or self.floor < 0:
            raise UsageError("a retry policy needs retries >= 0, 0 < first_wait <= cap and floor >= 0 (seconds)")

    def seconds_before(self, retry: int, asked: float | None, chance: float) -> float:
        """Return the seconds to wait before a retry.

        Args:
            retry: 1 for the first.
            asked: seconds that the server asked for, if it did: the wait is never shorter.
            chance: a number in [0, 1).
        """
        doubled: float = min(self.cap, self.first_wait * 2.0 ** min(retry - 1, 60))
        jittered = doubled * (0.5 + 0.5 * chance)
        return jittered if asked is None else max(jittered, max(asked, self.floor) * (1.0 + 0.1 * chance))


def send_with_retries(
    send: Callable[[], Result],
    policy: RetryPolicy,
    timing: Timing,
    *,
    place: str,
    waited: Callable[[float], None] = lambda seconds: None,
) -> Result:
    """Send a request until it is answered, fails for good, or the policy is spent.

    Args:
        send: sends the request once; raises :class:`RequestFailed`.
        policy: bounds of number and time.
        timing: clock, sleep and chance.
        place: the endpoint's address, for messages.
        waited: told of each retry and the seconds before it.

    Raises:
        GraphError: it failed for good. The text names address, failure and next step.
    """
    late = 0
    for retry in range(1, policy.retries + 2):
        try:
            return send()
        except RequestFailed as failure:
            failed = failure
        asked = failed.retry_after
        late += failed.kind is Kind.TIMEOUT
        # What took too long twice will the third time; and each time, the server works in vain.
        if not failed.retriable or retry > policy.retries or late > 1 or (asked or 0) > policy.longest:
            break
        seconds = policy.seconds_before(retry, asked, timing.chance())
        timing.sleep(seconds)
        waited(seconds)
    # Raised outside the handler: a chained exception could bring the query into a traceback.
    raise GraphError(_final_text(failed, retry, place))


def _final_text(failure: RequestFailed, requests: int, place: str) -> str:
    times = f" ({requests} requests failed; this is the last failure)" if requests > 1 else ""
    return f"the SPARQL server at {place} {failure}{times}; {failure.advice}"


def seconds_asked(header: str | None, wall: Callable[[], float]) -> float | None:
    """Read a Retry-After header: seconds, or a date; None where there is none or it says nothing."""
    if not header:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - wall())
    except (ValueError, TypeError, OverflowError):
        return None
