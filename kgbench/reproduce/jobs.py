"""From grids to the runs that they need: each run once, however many cells show it, and how far it is already."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgbench.errors import KgbenchError, UsageError
from kgbench.reproduce.grid import cells
from kgbench.reproduce.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kgbench.reproduce.grid import Cell, Grid
    from kgbench.reproduce.opening import Opened
    from kgbench.reproduce.shelf import Standing
    from kgbench.run.plan import Plan
    from kgbench.spec import RunSpec


@dataclass(frozen=True)
class Job:
    """One run that is needed."""

    spec: RunSpec
    plan: Plan
    """The run as planned, with its caches closed: what it asks and costs, not something to start."""
    label: str
    """The row that shows it first, or what it is for where none does."""
    standing: Standing | None
    """How far it is; None where it has not begun."""

    @property
    def spec_id(self) -> str:
        """What it is a run of."""
        return self.plan.spec_id

    @property
    def questions(self) -> int:
        """Questions times trials."""
        return len(self.plan.records) * self.spec.trials

    @property
    def answered(self) -> int:
        """Of these, how many an earlier start has answered."""
        return 0 if self.standing is None else min(self.standing.answered, self.questions)

    @property
    def finished(self) -> bool:
        """True where nothing is left to do."""
        return self.standing is not None and self.standing.finished


@dataclass(frozen=True)
class Wanted:
    """A grid with the run that each of its cells shows."""

    grid: Grid
    entries: tuple[tuple[Cell, str], ...]
    """Cells in their order, each with the spec id of its run."""


@dataclass(frozen=True)
class Survey:
    """What one or more grids need, and what is there of it."""

    wanted: tuple[Wanted, ...]
    jobs: tuple[Job, ...]
    """Every run once, in the order in which they are worked on."""

    @property
    def left(self) -> tuple[Job, ...]:
        """The runs that are not finished."""
        return tuple(job for job in self.jobs if not job.finished)


def survey(grids: Iterable[Grid], options: Mapping[str, Any], opened: Opened, datasets: tuple[str, ...] = ()) -> Survey:
    """Plan every run of some grids and look which of them are there already. Nothing is asked.

    Args:
        grids: the grids.
        options: spec settings that the user gave; they win over the files.
        opened: opens data sets, graphs, embedders and models, each once.
        datasets: data sets that take the place of the files' own.

    Raises:
        KgbenchError: a run cannot be planned; the text names its row. Nothing has been spent.
    """
    jobs: dict[str, Job] = {}
    shelves: dict[str, Shelf] = {}
    wanted = []
    for grid in grids:
        entries = []
        for cell in cells(grid, options, datasets):
            plan = _planned(cell, opened)
            if plan.spec_id not in jobs:
                shelf = shelves.setdefault(cell.spec.out, Shelf(Path(cell.spec.out), _key_id(opened)))
                jobs[plan.spec_id] = Job(cell.spec, plan, cell.row.label, shelf.find(plan.spec_id))
            entries.append((cell, plan.spec_id))
        wanted.append(Wanted(grid, tuple(entries)))
    if not jobs:
        raise UsageError("none of the rows can be run: their methods are not installed")
    shown = {
        spec_id: cell.row.label for one in reversed(wanted) for cell, spec_id in reversed(one.entries) if cell.shown
    }
    return Survey(tuple(wanted), tuple(replace(job, label=shown.get(key, job.label)) for key, job in jobs.items()))


def _planned(cell: Cell, opened: Opened) -> Plan:
    try:
        plan = opened.plan(cell.spec)
    except KgbenchError as error:
        # The place stands behind: most faults here lie in an option, and every row meets them.
        error.args = (f"{error} ({cell.row.where}, {cell.row.label})",)
        raise
    plan.close()
    return plan


def _key_id(opened: Opened) -> str | None:
    return None if opened.key is None else opened.key.key_id
