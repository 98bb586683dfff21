"""Time limits around an engine that has none of its own.

pyoxigraph cannot stop a query. A read that walks rows looks at the clock between them; a SPARQL query, which may work for
long before its first row, runs in a thread that is left behind when its time is up. The row limit of every read is the
main guard; this is the second.
"""

from __future__ import annotations

import time
from threading import BoundedSemaphore, Thread
from typing import TYPE_CHECKING, TypeVar

from kgbench.errors import GraphError
from kgbench_adapters.environment import LARGER_TIME_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Result = TypeVar("Result")
Row = TypeVar("Row")

_ROWS_BETWEEN_CHECKS = 1024
_QUERIES_AT_ONCE = 8
_slots = BoundedSemaphore(_QUERIES_AT_ONCE)
"""A query left behind keeps its slot until it ends, so that runaway queries cannot pile up."""


class Deadline:
    """A moment by which a read must be done.

    Args:
        seconds: time allowed from now on.
        clock: seconds since some moment; monotonic.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    @property
    def left(self) -> float:
        """Seconds left, at least 0."""
        return max(0.0, self._end - self._clock())

    def check(self) -> None:
        """Raise :class:`GraphError` where the time is up."""
        if self._clock() >= self._end:
            raise self.error()

    def error(self) -> GraphError:
        """The error that says so."""
        return GraphError(
            f"the graph did not answer within {self._seconds:g} s; ask for less at once, or {LARGER_TIME_LIMIT}"
        )

    def watch(self, rows: Iterable[Row], every: int = _ROWS_BETWEEN_CHECKS) -> Iterator[Row]:
        """Pass rows on, looking at the clock after ``every`` so many."""
        for number, row in enumerate(rows, start=1):
            if number % every == 0:
                self.check()
            yield row


def run_within(deadline: Deadline, work: Callable[[], Result]) -> Result:
    """Run ``work`` in a thread and wait for it until the deadline.

    Raises:
        GraphError: the time is up; the thread is left to end by itself.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again by the caller's thread below
            # Frames of this thread must not travel: they hold cursors that only this thread may drop.
            error.__context__ = None
            errors.append(error.with_traceback(None))
        finally:
            _slots.release()

    if not _slots.acquire(timeout=deadline.left):
        raise deadline.error()
    thread = Thread(target=run, name="kgbench-query", daemon=True)
    thread.start()
    thread.join(deadline.left)
    if errors:
        raise errors[0]
    if not results:
        raise deadline.error()
    return results[0]
