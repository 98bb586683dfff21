"""Running questions side by side. Results come as they finish; nothing depends on their order."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Item = TypeVar("Item")
Result = TypeVar("Result")


class Threads:
    """A pool of threads with a bounded queue: memory stays flat however many questions there are.

    Args:
        jobs: questions side by side.
        abort: called when the caller gives up or a task fails, before waiting for the tasks under way: it makes them
            end at their next call.
    """

    def __init__(self, jobs: int, abort: Callable[[], None] = lambda: None) -> None:
        self._jobs = jobs
        self._abort = abort

    def map(self, task: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield results as they finish. An exception of a task is raised here, after which no new task begins."""
        if self._jobs == 1:
            yield from map(task, items)
            return
        source = iter(items)
        pool = ThreadPoolExecutor(self._jobs, thread_name_prefix="kgbench")
        pending: set[Future[Result]] = {pool.submit(task, item) for item in islice(source, self._jobs * 2)}
        try:
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
                pending |= {pool.submit(task, item) for item in islice(source, len(done))}
        except BaseException:
            self._abort()
            raise
        finally:
            for future in pending:
                future.cancel()
            pool.shutdown(wait=True)
