"""What a grid is: rows (a method as it is set up), run over data sets and scenarios, scored in one or two settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgbench import registry
from kgbench.config import build_spec, preset_names
from kgbench.errors import UsageError
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kgbench.spec import RunSpec

    Tables = Mapping[str, Any]
    """Settings in the form of a config file: table -> key -> value."""

TOTAL, FILTERED = "total", "filtered"
SETTINGS = (TOTAL, FILTERED)
"""Which questions a number is about: all, or those that chain of thought cannot answer alone."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: a method with its parameters and privacy settings."""

    label: str
    where: str
    """Its place in the file, for messages."""
    preset: str | None = None
    """Shipped preset, or path of a config file, that the row starts from."""
    tables: Tables = field(default_factory=dict)
    """Settings over the preset."""
    scenarios: tuple[Scenario, ...] = ()
    """Scenarios of this row; empty: those of the grid."""
    published: str = ""
    """Label of the published row that stands beside it: a preset's or method's name."""
    optional: bool = False
    """True where the row is left out, and said so, if its method is not installed."""

    @property
    def named_method(self) -> str | None:
        """The method that the row itself names; None where its preset does."""
        name = self.tables.get("method", {}).get("name")
        return None if name is None else str(name)


@dataclass(frozen=True, slots=True)
class DataChoice:
    """Questions and graph, as spec settings; a setting that is absent keeps its default."""

    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Grid:
    """A grid file, read and checked. See ``docs/reproduce.md`` for its form."""

    name: str
    """Name of the file without its ending; names the folder of the result."""
    source: str
    """The file, for messages."""
    rows: tuple[Row, ...]
    title: str = ""
    datasets: tuple[DataChoice, ...] = ()
    """Data sets to run over; empty: the one of the settings."""
    scenarios: tuple[Scenario, ...] = (Scenario.PRIVATE,)
    settings: tuple[str, ...] = (TOTAL,)
    measures: tuple[str, ...] = ("hits1",)
    """Numbers to compare, by column key; all of one kind. Each is a section of the table."""
    beside: tuple[str, ...] = ()
    """Further numbers, one column each, for orientation."""
    filter: str = "cot"
    """Preset or method whose right answers are dropped in the setting ``filtered``."""
    published: str = ""
    """Name of the published numbers; empty where there are none."""
    table: str = ""
    """Which of the publication's tables."""
    conditions: Mapping[str, str] = field(default_factory=dict)
    """Spec setting -> its value under which the published numbers were made."""
    questions: Mapping[str, int] = field(default_factory=dict)
    """Data set name -> its first questions are asked, where ``--limit`` says nothing else."""
    tables: Tables = field(default_factory=dict)
    """Settings of every row, over its preset and under its own."""
    figure: str = ""
    """Name of the picture to draw from the runs."""
    notes: tuple[str, ...] = ()
    notes_without_lm: tuple[str, ...] = ()
    """What to know where the model is no language model."""

    @property
    def filter_metric(self) -> str:
        """The metric by which chain of thought is right: the loose form that is shown."""
        return "tog_loose_arog" if "tog_loose_arog" in self.measures else "tog_loose"

    @property
    def filter_row(self) -> Row:
        """The run that decides which questions the setting ``filtered`` keeps."""
        label, where = f"filter: {self.filter}", f"{self.source}: grid.filter"
        if self.filter in preset_names():
            return Row(label, where, preset=self.filter)
        return Row(label, where, tables={"method": {"name": self.filter}})


@dataclass(frozen=True, slots=True)
class Cell:
    """One run that the grid needs: a row over one data set in one scenario."""

    row: Row
    data: int
    """Which of the grid's data sets."""
    spec: RunSpec
    shown: bool = True
    """False for the run of the filter where no row shows it."""


def cells(grid: Grid, options: Mapping[str, Any], datasets: tuple[str, ...] = ()) -> list[Cell]:
    """List the runs of a grid: data set by data set, the filter first, then row by row.

    Args:
        grid: the grid.
        options: spec settings that the user gave; they win over the file.
        datasets: data sets that the user gave; they take the place of the file's.

    Raises:
        UsageError: a setting of a row, an option or a preset is wrong; the text names its place.
    """
    found = []
    for place, choice in enumerate(data_choices(grid, datasets)):
        settings = {**choice.settings, **options}
        if FILTERED in grid.settings:
            row = grid.filter_row
            found.append(Cell(row, place, _spec(grid, row, {**settings, "scenario": Scenario.PRIVATE}), shown=False))
        found += [Cell(row, place, spec) for row in grid.rows for spec in _specs(grid, row, settings)]
    return found


def data_choices(grid: Grid, datasets: tuple[str, ...]) -> tuple[DataChoice, ...]:
    """The data sets of a grid: those given, else the file's, each with the number of questions that the grid sets."""
    chosen = tuple(DataChoice({"dataset": name}) for name in datasets) or grid.datasets or (DataChoice({}),)
    return tuple(DataChoice({**_first_questions(grid, choice), **choice.settings}) for choice in chosen)


def _first_questions(grid: Grid, choice: DataChoice) -> dict[str, int]:
    name = str(choice.settings.get("dataset", "")).partition(":")[0]
    return {"limit": grid.questions[name]} if name in grid.questions else {}


def _specs(grid: Grid, row: Row, settings: Mapping[str, Any]) -> Iterator[RunSpec]:
    if not installed(row):
        return
    for scenario in row.scenarios or grid.scenarios:
        yield _spec(grid, row, {**settings, "scenario": scenario})


def _spec(grid: Grid, row: Row, settings: Mapping[str, Any]) -> RunSpec:
    tables = [(grid.source, grid.tables), (row.where, row.tables)]
    try:
        return build_spec(settings, config=row.preset, tables=tables)
    except UsageError as error:
        text = str(error)
        raise UsageError(text if text.startswith(grid.source) else f"{row.where}: {text}") from None


def installed(row: Row) -> bool:
    """False for an optional row whose method no installed package brings."""
    return not row.optional or row.named_method in registry.plugins("methods")
