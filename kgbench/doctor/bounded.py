"""Work with a time limit, on a thread of its own: a server or a file system that hangs must not hang the other checks."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


class TookTooLong(Exception):
    """The time was up. The work may go on, unheard, until the program ends."""


class _Outcome(Generic[Result]):
    def __init__(self, result: Result | None, error: BaseException | None) -> None:
        self.result = result
        self.error = error


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """Do some work and return its result.

    Args:
        seconds: most time to wait for it.
        work: what to do; it cannot be stopped from outside.

    Raises:
        TookTooLong: the time was up.
        BaseException: whatever the work raised.
    """
    outcomes: SimpleQueue[_Outcome[Result]] = SimpleQueue()

    def run() -> None:
        try:
            outcomes.put(_Outcome(work(), None))
        except BaseException as error:  # noqa: BLE001 - handed on to the waiting thread
            outcomes.put(_Outcome(None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        outcome = outcomes.get(timeout=seconds)
    except Empty:
        raise TookTooLong from None
    if outcome.error is not None:
        raise outcome.error
    return outcome.result  # type: ignore[return-value]
