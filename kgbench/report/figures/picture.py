"""What a figure shows, before anything is drawn: panels of marks with values, intervals and labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from kgbench.report.figures.runs import NOT_MEASURED, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgbench.report.figures.runs import RunScores


class Kind(StrEnum):
    """How the marks of a panel are drawn."""

    BARS = "bars"
    """Upright bars in groups: a mark's ``x`` names the group, its series the bar in it."""
    LINES = "lines"
    """Lines over numbers."""
    STACK = "stack"
    """Lying bars: a mark's ``x`` names the bar, its series the part of it."""
    POINTS = "points"
    """Points over numbers, with intervals in both directions."""


@dataclass(frozen=True, slots=True)
class ReportedPoint:
    """A published value, drawn hollow and dashed beside the runs; never mixed with them.

    It stands in the panels of its data set and setting; where no run is shown on these, it is left out.
    """

    dataset: str
    """Data set name, such as ``webqsp``."""
    series: str
    """What it is a value of, as a run's label has it: a method, with its variant where there are several."""
    x: str
    """Where it stands: a scenario (``p-rag``), a width or depth (``3``), an abstraction strategy (``path``)."""
    value: float
    """0 to 1."""
    axis: str = ""
    """For ``width-depth``: which of the two."""
    setting: str = "total"
    metric: str = "tog_loose_arog"
    """The metric that was published."""
    source: str = ""
    """Where it was published, for the caption."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One number of one run."""

    x: str | float
    """A category, or the place on the axis."""
    y: Value
    run: RunScores | None
    """None for a published value."""
    measure: str
    """Name of the number in the CSV, such as ``hits1``."""
    across: Value = NOT_MEASURED
    """The interval of ``x``, where it was measured too."""
    tag: str = ""
    """What sets the mark apart within its series: a scenario (``points``), a stage (``stack``)."""
    source: str = ""
    """Where a published value comes from."""


@dataclass(frozen=True, slots=True)
class Series:
    """Marks of one kind, with one entry in the legend."""

    label: str
    slot: int
    """Which of the styles it is drawn in."""
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes."""

    title: str
    """Data set, setting and number of questions."""
    subtitle: str
    """Model, and whether it is a language model."""
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    reported: tuple[Series, ...] = ()
    """Published values: label and slot as those of the runs beside them."""
    categories: tuple[str, ...] = ()
    """The categories of ``x``, in their order; empty where ``x`` is a number."""
    totals: tuple[Mark, ...] = ()
    """For ``stack``: the whole of each bar, with its interval."""
    log: bool = False
    """True where ``x`` grows by factors."""

    def marks(self) -> Iterator[tuple[Series, Mark]]:
        """Every mark with its series, those of runs first."""
        for series in (*self.series, *self.reported):
            for mark in series.marks:
                yield series, mark


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole figure."""

    name: str
    kind: Kind
    panels: tuple[Panel, ...]
    columns: int
    """Panels side by side."""
    caption: tuple[str, ...]
    """Lines beneath: data, what is marked, what is left out."""
    tags: tuple[str, ...] = field(default=())
    """For ``points``: the tags to explain in the legend."""
