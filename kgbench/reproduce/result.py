"""What a grid ends with: its lines, the conditions that differ, the splits, and what did not work."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from kgbench.errors import KgbenchError
from kgbench.report.measures import read_run
from kgbench.reproduce.beside import beside
from kgbench.reproduce.conditions import differing
from kgbench.reproduce.grid import FILTERED
from kgbench.reproduce.lines import Lines, Source
from kgbench.reproduce.numbers import split_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kgbench.report.measures import FinishedRun
    from kgbench.reproduce.beside import Beside
    from kgbench.reproduce.conditions import Condition
    from kgbench.reproduce.execute import Outcome
    from kgbench.reproduce.grid import Grid
    from kgbench.reproduce.jobs import Job, Survey, Wanted
    from kgbench.reproduce.lines import Line
    from kgbench.reproduce.numbers import Split

    Section = tuple[tuple[str, str, str], list[Line]]
    """(Data set, setting, measure) and the lines."""


@dataclass(frozen=True)
class GridResult:
    """A grid that has been run, as far as it could be."""

    grid: Grid
    beside: Beside
    sections: tuple[Section, ...]
    conditions: tuple[Condition, ...]
    sources: tuple[Source, ...]
    splits: Mapping[str, Split]
    """Data set -> which questions the setting ``filtered`` keeps."""

    @property
    def lines(self) -> list[Line]:
        """The lines of all sections."""
        return [line for _, lines in self.sections for line in lines]

    @property
    def troubles(self) -> dict[str, str]:
        """Row, scenario and data set -> what went wrong there."""
        return {
            f"{one.cell.row.label}, {one.cell.spec.scenario}, {one.dataset}": one.trouble
            for one in self.sources
            if one.trouble
        }

    def to_json(self) -> dict[str, Any]:
        """JSON-ready values; the table stands in a file of its own."""
        publication = self.beside.publication
        return {
            "grid": self.grid.name,
            "title": self.grid.title,
            "published": None
            if publication is None
            else {"source": publication.source, "url": publication.url, "table": self.grid.table},
            "conditions": [asdict(one) for one in self.conditions],
            "splits": {
                name: {"metric": one.metric, "kept": len(one.kept), "dropped": len(one.dropped)}
                for name, one in self.splits.items()
            },
            "troubles": self.troubles,
        }


def results(survey: Survey, outcome: Outcome) -> list[GridResult]:
    """Put together what came out of every grid. Each run is read once.

    Raises:
        UsageError: a grid names published numbers that are not there.
    """
    reader = _Reader(outcome)
    jobs = {job.spec_id: job for job in survey.jobs}
    return [_result(wanted, jobs, reader) for wanted in survey.wanted]


def _result(wanted: Wanted, jobs: Mapping[str, Job], reader: _Reader) -> GridResult:
    grid, published = wanted.grid, beside(wanted.grid)
    sources = [reader.source(cell, jobs[spec_id]) for cell, spec_id in wanted.entries]
    splits = _splits(grid, sources)
    shown = tuple(source for source in sources if source.cell.shown)
    names = {source.cell.data: source.dataset for source in sources}
    return GridResult(
        grid,
        published,
        tuple(Lines(grid, published, shown, splits).sections()),
        tuple(differing(grid, published, shown)),
        tuple(sources),
        {names[place]: split for place, split in splits.items()},
    )


def _splits(grid: Grid, sources: Sequence[Source]) -> dict[int, Split]:
    if FILTERED not in grid.settings:
        return {}
    hidden = [one for one in sources if not one.cell.shown and one.run is not None and not one.trouble]
    return {one.cell.data: split_of(one.run, grid.filter_metric) for one in hidden if one.run is not None}


class _Reader:
    """Reads runs, each once, and says why one is missing."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._runs: dict[Path, FinishedRun | str] = {}

    def source(self, cell: Any, job: Job) -> Source:
        """Where the numbers of a cell come from."""
        path = self._outcome.runs.get(job.spec_id)
        trouble = self._trouble(job.spec_id)
        run = None if path is None else self._read(path)
        if isinstance(run, str):
            return Source(cell, job, None, trouble or run)
        return Source(cell, job, run, trouble)

    def _trouble(self, spec_id: str) -> str:
        if spec_id in self._outcome.failed:
            return f"failed: {self._outcome.failed[spec_id]}"
        if spec_id in self._outcome.unstarted:
            return f"not run: {self._outcome.unstarted[spec_id]}"
        return ""

    def _read(self, path: Path) -> FinishedRun | str:
        if path not in self._runs:
            try:
                self._runs[path] = read_run(path)
            except KgbenchError as error:
                self._runs[path] = str(error)
        return self._runs[path]
