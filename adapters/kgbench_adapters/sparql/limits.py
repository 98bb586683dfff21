"""How many requests an endpoint gets at a time. One limiter an endpoint, shared by all threads and open graphs."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgbench_adapters.sparql.retry import Timing

_limiters: dict[str, EndpointLimiter] = {}
_limiters_lock = threading.Lock()


class EndpointLimiter:
    """Holds requests back: at most so many side by side, and none while the server has asked to wait. Thread safe.

    Args:
        parallel: most requests under way at once.
    """

    def __init__(self, parallel: int) -> None:
        self.parallel = parallel
        self._slots = threading.Semaphore(parallel)
        self._lock = threading.Lock()
        self._held_until = float("-inf")

    @contextmanager
    def slot(self, timing: Timing) -> Iterator[None]:
        """Hold a place for one request. The retry layer goes around it: no place is held during a wait before a retry."""
        with self._slots:
            # What one thread was asked to wait for, the others wait for too. Called without a wait as well: in a run that
            # is stopped it raises, and the request is not sent.
            timing.sleep(max(0.0, self._held(timing)))
            yield

    def hold(self, seconds: float, timing: Timing) -> None:
        """Let no request begin for some seconds."""
        with self._lock:
            self._held_until = max(self._held_until, timing.clock() + seconds)

    def _held(self, timing: Timing) -> float:
        with self._lock:
            return self._held_until - timing.clock()


def limiter_of(url: str, parallel: int) -> EndpointLimiter:
    """Return the limiter that all requests to an address share; ``parallel`` counts at the first call.

    Args:
        url: without parameters: other parameters are the same endpoint.
        parallel: most requests under way at once.
    """
    with _limiters_lock:
        if url not in _limiters:
            _limiters[url] = EndpointLimiter(parallel)
        return _limiters[url]
