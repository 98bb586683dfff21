"""Progress of a grid: one bar over all runs and one for the run under way, or plain lines now and then."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from kgbench.cli.display import tell
from kgbench.cli.progress.grid_tally import GridTally, duration
from kgbench.cli.progress.run import SECONDS_BETWEEN_LINES, SHARE_BETWEEN_LINES
from kgbench.cli.progress.tally import Tally
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console
    from rich.progress import Progress, TaskID

    from kgbench.reproduce.execute import GridListener
    from kgbench.reproduce.jobs import Job
    from kgbench.run.plan import Plan
    from kgbench.types import JsonObject


class _GridFace(Protocol):
    """What shows a grid's tally and that of the run under way."""

    def begin(self, grid: GridTally) -> None: ...

    def begin_run(self, grid: GridTally, run: Tally) -> None: ...

    def advance(self, grid: GridTally, run: Tally) -> None: ...

    def end_run(self, grid: GridTally, run: Tally, status: str) -> None: ...

    def note(self, text: str) -> None: ...

    def end(self, grid: GridTally) -> None: ...


@dataclass
class GridProgress:
    """Listens to a grid and shows its progress."""

    face: _GridFace
    clock: Callable[[], float] = time.monotonic
    _grid: GridTally | None = field(default=None, repr=False)
    _run: Tally | None = field(default=None, repr=False)
    _spec_id: str = field(default="", repr=False)

    def grid_started(self, jobs: Sequence[Job], budget: float | None) -> None:
        """Begin to show a grid."""
        self._grid = GridTally({job.spec_id: job for job in jobs}, budget, self.clock)
        self.face.begin(self._grid)

    def started(self, plan: Plan, run_id: str, done: int, total: int) -> None:
        """Begin to show a run."""
        if self._grid is None:
            return
        self._spec_id = plan.spec_id
        self._run = Tally(run_id, plan.spec.method, total, done, lambda: plan.ledger.total().billed_usd)
        self.face.begin_run(self._grid, self._run)

    def answered(self, record: JsonObject, hit: float | None) -> None:
        """Show one more question."""
        if self._grid is None or self._run is None:
            return
        self._run.add(record, hit)
        self._grid.answered[self._spec_id] = self._run.done
        self._grid.costs[self._spec_id] = self._run.spent()
        self._grid.leaks += record["audit"].get("leaks", 0)
        self.face.advance(self._grid, self._run)

    def finished(self, status: str) -> None:
        """Show the end of a run."""
        if self._grid is None or self._run is None:
            return
        self._grid.over.add(self._spec_id)
        if status == "finished":
            self._grid.finished.add(self._spec_id)
        self.face.end_run(self._grid, self._run, status)
        self._run = None

    def left_out(self, job: Job, reason: str) -> None:
        """Say why a run has no result."""
        if self._grid is not None:
            self._grid.over.add(job.spec_id)
        self.face.note(f"kgbench: {one_line(job.label)}, {job.spec.scenario}: {one_line(reason)}")

    def grid_finished(self) -> None:
        """Show the end of the grid."""
        if self._grid is not None:
            self.face.end(self._grid)
            self._grid = None


class GridLines:
    """A line where a run begins and ends, and between them when both 30 seconds and a tenth of its questions have passed."""

    def __init__(self) -> None:
        self._last_seconds = 0.0
        self._last_done = 0

    def begin(self, grid: GridTally) -> None:
        """Say what begins."""
        earlier = f"; {len(grid.finished)} of the runs are finished" if grid.finished else ""
        tell(f"grid: {len(grid.jobs)} runs, {grid.questions} questions{earlier}")

    def begin_run(self, grid: GridTally, run: Tally) -> None:
        """Say which run begins."""
        self._last_seconds, self._last_done = grid.seconds, run.done
        earlier = f", {run.done} of them answered before" if run.done else ""
        tell(f"{run.run_id}: {run.total} questions{earlier}")

    def advance(self, grid: GridTally, run: Tally) -> None:
        """Say where run and grid stand, if it is time."""
        enough = run.done - self._last_done >= SHARE_BETWEEN_LINES * run.total
        if enough and grid.seconds - self._last_seconds >= SECONDS_BETWEEN_LINES:
            self._last_seconds, self._last_done = grid.seconds, run.done
            tell(f"{run.run_id}: {run.done}/{run.total}  {run.text()}")
            tell(f"grid: {grid.text()}")

    def end_run(self, grid: GridTally, run: Tally, status: str) -> None:
        """Say how a run ended."""
        tell(f"{run.run_id}: {status}, {run.done}/{run.total}  {run.text()}")
        tell(f"grid: {grid.text()}")

    def note(self, text: str) -> None:
        """Say something else."""
        tell(text)

    def end(self, grid: GridTally) -> None:
        """Say how long it took."""
        tell(f"grid: {len(grid.finished)} of {len(grid.jobs)} runs finished, {duration(grid.seconds)}")


class GridBars:
    """Two bars, drawn with rich; a run that has ended leaves a line above them.

    Args:
        console: where to draw; standard error by default.
    """

    def __init__(self, console: Console | None = None) -> None:
        self._console = console
        self._progress: Progress | None = None
        self._all: TaskID | None = None
        self._one: TaskID | None = None

    def begin(self, grid: GridTally) -> None:
        """Draw the bar over all runs."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=10),
            MofNCompleteColumn(),
            TextColumn("{task.fields[numbers]}", markup=False),
            console=self._console or Console(stderr=True),
        )
        self._all = self._progress.add_task(
            "all runs", total=grid.questions, completed=grid.done, numbers=_overall(grid)
        )
        self._progress.start()

    def begin_run(self, grid: GridTally, run: Tally) -> None:
        """Draw the bar of a run."""
        if self._progress is not None:
            self._one = self._progress.add_task(run.method, total=run.total, completed=run.done, numbers=run.text())

    def advance(self, grid: GridTally, run: Tally) -> None:
        """Move both bars."""
        if self._progress is not None and self._one is not None and self._all is not None:
            self._progress.update(self._one, completed=run.done, numbers=run.text())
            self._progress.update(self._all, completed=grid.done, numbers=_overall(grid))

    def end_run(self, grid: GridTally, run: Tally, status: str) -> None:
        """Put a line in place of the run's bar."""
        self.note(f"{run.run_id}: {status}, {run.done}/{run.total}  {run.text()}")
        if self._progress is not None and self._one is not None and self._all is not None:
            self._progress.remove_task(self._one)
            self._progress.update(self._all, completed=grid.done, numbers=_overall(grid))
            self._one = None

    def note(self, text: str) -> None:
        """Write a line above the bars."""
        from rich.text import Text

        if self._progress is not None:
            self._progress.console.print(Text(text))
        else:
            tell(text)

    def end(self, grid: GridTally) -> None:
        """Leave the bar over all runs as it stands."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None


def _overall(grid: GridTally) -> str:
    """The numbers behind the bar, which shows the questions itself."""
    return grid.text(questions=False)


def _conforms(listener: GridProgress) -> GridListener:
    """Holds the type checker to the contract; never called."""
    return listener
