"""An endpoint as the rest of the adapter asks it: one query in, one answer out, limits and retries inside."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench_adapters.sparql.failures import Kind, RequestFailed
from kgbench_adapters.sparql.responses import judge
from kgbench_adapters.sparql.retry import send_with_retries

if TYPE_CHECKING:
    from kgbench_adapters.sparql.address import Address
    from kgbench_adapters.sparql.limits import EndpointLimiter
    from kgbench_adapters.sparql.responses import Answer
    from kgbench_adapters.sparql.retry import RetryPolicy, Timing
    from kgbench_adapters.sparql.transport import HttpTransport


@dataclass(frozen=True, slots=True)
class Traffic:
    """What went over the wire so far."""

    requests: int = 0
    """Requests sent, retries included."""
    retries: int = 0
    waited: float = 0.0
    """Seconds waited before retries."""
    partial: int = 0
    """Answers of which the server said that rows are missing."""
    cached: int = 0
    """Reads that the cache answered."""


class Endpoint:
    """Sends queries. Thread safe.

    Args:
        address: where.
        transport: sends one request.
        limiter: the endpoint's own.
        policy: how often to try.
        timing: clock, sleep and chance.
    """

    def __init__(
        self,
        address: Address,
        transport: HttpTransport,
        limiter: EndpointLimiter,
        policy: RetryPolicy,
        timing: Timing,
    ) -> None:
        self.address = address
        self._transport = transport
        self._limiter = limiter
        self._policy = policy
        self._timing = timing
        self._lock = threading.Lock()
        self._counts: dict[str, float] = dict.fromkeys(Traffic.__dataclass_fields__, 0)
        self._answered = False
        self._make = ""

    @property
    def make(self) -> str:
        """The server by its own account, such as ``Virtuoso/07.20.3229``; empty where it says nothing."""
        return self._make

    @property
    def answered(self) -> bool:
        """True once a query was answered."""
        return self._answered

    @property
    def traffic(self) -> Traffic:
        """What went over the wire so far."""
        with self._lock:
            counts = self._counts
            return Traffic(
                int(counts["requests"]),
                int(counts["retries"]),
                counts["waited"],
                int(counts["partial"]),
                int(counts["cached"]),
            )

    def ask(self, query: str) -> Answer:
        """Send a SELECT query.

        Raises:
            GraphError: it was not answered within the bounded retries, or failed for good.
        """
        answer = send_with_retries(
            lambda: self._send(query),
            self._policy,
            self._timing,
            place=self.address.shown,
            waited=lambda seconds: self.count(retries=1, waited=seconds),
        )
        self.count(partial=int(bool(answer.partial)))
        return answer

    def count(self, **steps: float) -> None:
        """Add to the counts of :attr:`traffic`."""
        with self._lock:
            for name, step in steps.items():
                self._counts[name] += step

    def _send(self, query: str) -> Answer:
        with self._limiter.slot(self._timing):
            self.count(requests=1)
            try:
                response = self._transport.send(query, self._make.lower())
                answer = judge(response, query, answered_before=self._answered, wall=self._timing.wall)
            except RequestFailed as failure:
                if failure.kind is Kind.CONNECTION and not self._answered:
                    failure.retriable = False  # an address that never answered is more likely wrong than busy
                if failure.retriable and failure.retry_after:
                    self._limiter.hold(failure.retry_after, self._timing)
                raise
        self._answered, self._make = True, answer.make
        return answer
