"""Progress of one run: a live bar on a terminal, else a plain line now and then."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kgbench.cli.display import tell
from kgbench.cli.progress.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.progress import Progress, TaskID

    from kgbench.run.events import Listener
    from kgbench.run.plan import Plan
    from kgbench.types import JsonObject

SECONDS_BETWEEN_LINES = 30.0
SHARE_BETWEEN_LINES = 0.1


class _Face(Protocol):
    """What shows a tally."""

    def begin(self, tally: Tally) -> None: ...

    def advance(self, tally: Tally) -> None: ...

    def end(self, tally: Tally, status: str) -> None: ...


@dataclass
class ProgressListener:
    """Listens to a run and shows its progress; remembers the folder of one that failed.

    One command may run twice: the setting ``filtered`` runs chain of thought first.
    """

    face: _Face
    failed: Path | None = None
    """The folder of the run that failed, for it can be resumed."""
    _folder: Path | None = field(default=None, repr=False)
    _tally: Tally | None = field(default=None, repr=False)

    def started(self, plan: Plan, run_id: str, done: int, total: int) -> None:
        """Begin to show a run."""
        self._folder = Path(plan.spec.out) / run_id
        self._tally = Tally(run_id, plan.spec.method, total, done, lambda: plan.ledger.total().billed_usd)
        self.face.begin(self._tally)

    def answered(self, record: JsonObject, hit: float | None) -> None:
        """Show one more question."""
        if self._tally is not None:
            self._tally.add(record, hit)
            self.face.advance(self._tally)

    def finished(self, status: str) -> None:
        """Show the end."""
        self.failed = self._folder if status == "failed" else None
        if self._tally is not None:
            self.face.end(self._tally, status)
            self._tally = None


@dataclass
class PlainLines:
    """A line when both 30 seconds and a tenth of the questions have passed since the last one, and one at the end."""

    clock: Callable[[], float] = time.monotonic
    _began: float = 0.0
    _last_time: float = 0.0
    _last_done: int = 0
    _done_before: int = 0

    def begin(self, tally: Tally) -> None:
        """Say what begins."""
        self._began = self._last_time = self.clock()
        self._last_done = self._done_before = tally.done
        earlier = f", {tally.done} of them answered before" if tally.done else ""
        tell(f"{tally.run_id}: {tally.total} questions{earlier}")

    def advance(self, tally: Tally) -> None:
        """Say where the run stands, if it is time."""
        now = self.clock()
        enough = tally.done - self._last_done >= SHARE_BETWEEN_LINES * tally.total
        if enough and now - self._last_time >= SECONDS_BETWEEN_LINES:
            self._last_time, self._last_done = now, tally.done
            pace = (now - self._began) / max(1, tally.done - self._done_before)
            left = pace * (tally.total - tally.done)
            tell(f"{tally.run_id}: {tally.done}/{tally.total}  {tally.text()}  about {left:.0f} s left")

    def end(self, tally: Tally, status: str) -> None:
        """Say how it ended."""
        seconds = self.clock() - self._began
        tell(f"{tally.run_id}: {status}, {tally.done}/{tally.total}  {tally.text()}  {seconds:.0f} s")


class LiveBar:
    """A bar with the running numbers, drawn with rich.

    Args:
        console: where to draw; standard error by default.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def begin(self, tally: Tally) -> None:
        """Start the bar."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = self._console or Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=10),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[numbers]}", markup=False),
            console=console,
        )
        self._task = self._progress.add_task(
            tally.method, total=tally.total, completed=tally.done, numbers=tally.text()
        )
        self._progress.start()

    def advance(self, tally: Tally) -> None:
        """Move the bar."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=tally.done, numbers=tally.text())

    def end(self, tally: Tally, status: str) -> None:
        """Stop the bar."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=tally.done, numbers=f"{status}  {tally.text()}")
            self._progress.stop()
            self._progress = None


def _conforms(listener: ProgressListener) -> Listener:
    """Holds the type checker to the contract; never called."""
    return listener
