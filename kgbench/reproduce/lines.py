"""The lines of a grid's table, from its finished runs: our number, the published one, and what must be said of both."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kgbench.reproduce.grid import FILTERED
from kgbench.reproduce.numbers import Number, Split, numbers
from kgbench.types import ERROR_STATUSES, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kgbench.report.measures import FinishedRun
    from kgbench.reproduce.beside import Beside
    from kgbench.reproduce.grid import Cell, Grid, Row
    from kgbench.reproduce.jobs import Job
    from kgbench.types import Scenario

NOT_INSTALLED = "not in this version"
MOST_ERRORS = 0.01
"""Share of errors above which a line is marked, as in the leaderboard."""


@dataclass(frozen=True)
class Source:
    """Where the numbers of one cell come from."""

    cell: Cell
    job: Job
    run: FinishedRun | None
    """None where there is no run."""
    trouble: str = ""
    """Why there is none, or why it is not whole."""

    @property
    def dataset(self) -> str:
        """Name of the data set."""
        return self.job.plan.dataset.name


@dataclass(frozen=True)
class Line:
    """One line: a row in one scenario, over one data set, in one setting, by one measure."""

    label: str
    scenario: Scenario
    dataset: str
    setting: str
    measure: str
    profile: str = ""
    model: str = ""
    lm: bool | None = None
    """None where there is no run."""
    n: int | None = None
    """Questions: the denominator."""
    ours: Number = field(default_factory=lambda: Number(None))
    others: Mapping[str, Number] = field(default_factory=dict)
    """The numbers that stand beside, by column key."""
    published: float | None = None
    """The published number of this data set."""
    elsewhere: Mapping[str, float] = field(default_factory=dict)
    """Published numbers of other data sets, where this one has none: as reported, not to be compared."""
    difference: float | None = None
    """Ours minus published; None where the questions are not the same."""
    marks: tuple[str, ...] = ()
    spec_id: str = ""


@dataclass(frozen=True)
class Lines:
    """Makes the lines of a grid."""

    grid: Grid
    beside: Beside
    sources: tuple[Source, ...]
    """The cells that show, with their runs."""
    splits: Mapping[int, Split]
    """Place of a data set -> which of its questions the setting ``filtered`` keeps."""

    def sections(self) -> Iterator[tuple[tuple[str, str, str], list[Line]]]:
        """Yield (data set, setting, measure) and the lines of each section."""
        for place, dataset in self._datasets().items():
            for setting in self.grid.settings:
                found = [line for row in self.grid.rows for line in self._row(row, place, dataset, setting)]
                for measure in self.grid.measures:
                    yield (dataset, setting, measure), [line for line in found if line.measure == measure]

    def _datasets(self) -> dict[int, str]:
        return {source.cell.data: source.dataset for source in self.sources}

    def _row(self, row: Row, place: int, dataset: str, setting: str) -> Iterator[Line]:
        sources = [one for one in self.sources if one.cell.row is row and one.cell.data == place]
        if not sources:
            for scenario in row.scenarios or self.grid.scenarios:
                for measure in self.grid.measures:
                    line = Line(row.label, scenario, dataset, setting, measure, marks=(NOT_INSTALLED,))
                    yield self._with_published(line, row, whole=False)
        for source in sources:
            yield from self._measured(source, setting)

    def _measured(self, source: Source, setting: str) -> Iterator[Line]:
        names = tuple(dict.fromkeys((*self.grid.measures, *self.grid.beside)))
        kept = self._questions(source, setting)
        found = numbers(source.run, kept, names) if source.run is not None and kept is not None else {}
        for measure in self.grid.measures:
            line = Line(
                label=source.cell.row.label,
                scenario=source.cell.spec.scenario,
                dataset=source.dataset,
                setting=setting,
                measure=measure,
                profile=str(source.job.plan.identity.parameters.get("profile", "")),
                model=source.job.plan.remote.model.card.name,
                lm=source.job.plan.remote.model.card.language_model,
                n=None if kept is None else len(kept),
                ours=found.get(measure, Number(None)),
                others={name: found[name] for name in self.grid.beside if name in found},
                marks=tuple(self._marks(source, setting)),
                spec_id=source.job.spec_id,
            )
            yield self._with_published(line, source.cell.row, whole=self._same_questions(source))

    def _questions(self, source: Source, setting: str) -> tuple[str, ...] | None:
        """The questions that a number is over; None where they are not known."""
        if source.run is None:
            return None
        if setting != FILTERED:
            return source.run.question_ids
        split = self.splits.get(source.cell.data)
        return None if split is None else split.kept

    def _with_published(self, line: Line, row: Row, *, whole: bool) -> Line:
        def number(dataset: str) -> float | None:
            return self.beside.number(row.published, line.scenario, dataset, line.setting, line.measure)

        if line.dataset in self.beside.datasets:
            published, ours = number(line.dataset), line.ours.value
            if published is None or ours is None or not whole:
                return replace(line, published=published)
            return replace(line, published=published, difference=ours - published)
        reported = {dataset: number(dataset) for dataset in self.beside.datasets}
        return replace(line, elsewhere={key: value for key, value in reported.items() if value is not None})

    def _same_questions(self, source: Source) -> bool:
        """True where our run is over as many questions of the data set as the published number, none chosen by tag."""
        return not source.job.spec.where and len(source.job.plan.records) == self.beside.questions(source.dataset)

    def _marks(self, source: Source, setting: str) -> Iterator[str]:
        if source.trouble:
            yield source.trouble
        if setting == FILTERED and source.cell.data not in self.splits:
            yield "no split: the run of chain of thought is missing"
        yield from self._choice(source)
        if source.run is not None:
            yield from _findings(source.run)

    def _choice(self, source: Source) -> Iterator[str]:
        """Say where a number is not over the whole data set, or not over as many questions as the published one."""
        asked, published = len(source.job.plan.records), self.beside.questions(source.dataset)
        if source.job.spec.where:
            yield f"only {source.job.spec.where}"
        if published is not None:
            if asked != published:
                yield f"{asked} questions, published {published}"
        elif asked < len(source.job.plan.dataset.questions):
            yield f"{asked} of {len(source.job.plan.dataset.questions)} questions"


def _findings(run: FinishedRun) -> Iterator[str]:
    """What must be known of a run beside its numbers."""
    records = run.records_of(run.question_ids)
    known = [record for record in records if record is not None]
    statuses = Counter(record["status"] for record in known)
    still_open = len(records) - len(known) + statuses[Status.SKIPPED_BUDGET]
    if still_open:
        yield f"{still_open} of {len(records)} open, counted as misses"
    errors = sum(statuses[status] for status in ERROR_STATUSES)
    if records and errors / len(records) > MOST_ERRORS:
        yield f"{errors / len(records):.1%} errors"
    leaks = sum(record["audit"].get("leaks", 0) for record in known)
    if leaks:
        yield f"LEAKS {leaks}"
