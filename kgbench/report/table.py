"""One table object, whatever shows it: Markdown, CSV, JSON, LaTeX, HTML, plain text or a terminal.

Numbers are rounded once, when a table is made, so that every face gives the same numbers. Texts stay as they are; faces
for people and CSV bring each onto one line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Kind(StrEnum):
    """What a column holds."""

    TEXT = "text"
    COUNT = "count"
    """Whole numbers."""
    SHARE = "share"
    """Scores, shares and p values, 0 to 1 (a truthfulness may be below 0)."""
    MEAN = "mean"
    """Calls or tokens a question."""
    USD = "usd"
    SECONDS = "seconds"


class Part(StrEnum):
    """What a column is for. Faces for people put what belongs together side by side."""

    LABEL = "label"
    """Tells rows apart; repeated where a table is shown in pieces."""
    SCORE = "score"
    COST = "cost"
    CHECK = "check"
    """What must be known beside the numbers: leaks, errors, marks."""
    DETAIL = "detail"
    """Long, and read by few: run, signature. Stands beneath the table, by the number of the row."""


class Rank(StrEnum):
    """Place of a cell among those that it is ranked with."""

    BEST = "best"
    SECOND = "second"


_DECIMALS = {Kind.COUNT: 0, Kind.SHARE: 4, Kind.MEAN: 1, Kind.USD: 6, Kind.SECONDS: 1}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    key: str
    """Name in CSV and JSON."""
    title: str
    """Heading for people."""
    kind: Kind = Kind.TEXT
    better: int = 0
    """1 where more is better, -1 where less is, 0 where neither."""
    grouping: bool = False
    """True where all rows of a section have one value: its title says it, and faces for people leave the column out."""
    missing: str = ""
    """What faces for people show where there is no value."""
    part: Part = Part.SCORE
    metric: str = ""
    """Name and version of the metric that the column shows, such as ``hits1@1``."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


Cell = str | int | float | Measured | None


@dataclass(frozen=True, slots=True)
class Section:
    """Rows that may be compared."""

    title: str
    rows: tuple[Mapping[str, Cell], ...]
    """Column key -> cell, best first."""
    ranks: Mapping[tuple[int, str], Rank] = field(default_factory=dict)
    """(Position of a row, column key) -> the rank of that cell; see :mod:`kgbench.report.ranking`."""
    aside: int = 0
    """How many of the last rows stand apart: numbers that others reported, which are not ranked."""

    def rank(self, position: int, column: Column) -> Rank | None:
        """The rank of a cell; None where it has none."""
        return self.ranks.get((position, column.key))

    def text(self, position: int, column: Column) -> str:
        """A cell as people read it; what a row that stands apart does not say is blank, not unknown."""
        cell = self.rows[position][column.key]
        return "" if cell is None and self.is_aside(position) else cell_text(column, cell)

    def is_aside(self, position: int) -> bool:
        """Tell whether a row stands apart."""
        return position >= len(self.rows) - self.aside


@dataclass(frozen=True, slots=True)
class Table:
    """Columns, sections of rows, and notes beneath. Made by :func:`make_table`."""

    columns: tuple[Column, ...]
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()

    @property
    def visible(self) -> tuple[Column, ...]:
        """The columns of faces for people."""
        return tuple(column for column in self.columns if not column.grouping)

    @property
    def main(self) -> tuple[Column, ...]:
        """The visible columns that stand in the table itself."""
        return tuple(column for column in self.visible if column.part is not Part.DETAIL)

    @property
    def details(self) -> tuple[Column, ...]:
        """The visible columns that stand beneath."""
        return tuple(column for column in self.visible if column.part is Part.DETAIL)


def make_table(
    columns: Iterable[Column],
    sections: Iterable[tuple[str, Iterable[Mapping[str, Cell]]]],
    notes: Iterable[str] = (),
) -> Table:
    """Make a table, rounding every number by its column's kind.

    Args:
        columns: in the order shown.
        sections: title and rows of each section; a row without a column's key has no value there.
        notes: lines beneath the table.
    """
    kept = tuple(columns)
    return Table(
        kept,
        tuple(
            Section(
                title,
                tuple({column.key: _settled(column, row.get(column.key)) for column in kept} for row in rows),
            )
            for title, rows in sections
        ),
        tuple(notes),
    )


def _settled(column: Column, cell: Cell) -> Cell:
    if column.kind is Kind.TEXT:
        return "" if cell is None else str(cell)
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Measured):
        value, low, high = (_rounded(column, number) for number in (cell.value, cell.low, cell.high))
        return None if value is None else value if low is None or high is None else Measured(value, low, high)
    rounded = None if cell is None else _rounded(column, cell)
    return int(rounded) if rounded is not None and column.kind is Kind.COUNT else rounded


def _rounded(column: Column, number: float) -> float | None:
    """A number as its kind rounds it; what is not finite is no value, and zero has no sign."""
    if not math.isfinite(number):
        return None
    return round(float(number), _DECIMALS[column.kind]) + 0.0


def number_text(column: Column, number: float) -> str:
    """A number of a column with as many decimals as its kind has; sums of money drop trailing zeros beyond cents."""
    text = f"{number:.{_DECIMALS.get(column.kind, 4)}f}"
    if column.kind is Kind.USD:
        whole, _, decimals = text.partition(".")
        return f"{whole}.{decimals[:2]}{decimals[2:].rstrip('0')}"
    return text


def cell_text(column: Column, cell: Cell) -> str:
    """A cell as people read it, on one line; an interval stands in square brackets behind its number."""
    if cell is None:
        return column.missing
    if isinstance(cell, str):
        return one_line(cell)
    if isinstance(cell, Measured):
        value, low, high = (number_text(column, number) for number in (cell.value, cell.low, cell.high))
        return f"{value} [{low}, {high}]"
    return number_text(column, cell) if column.kind is not Kind.TEXT else str(cell)


def sort_value(column: Column, cell: Cell) -> tuple[bool, float, str]:
    """Sort key of a cell that puts the best first and what has no value last; texts sort by alphabet."""
    if cell is None:
        return (True, 0.0, "")
    if isinstance(cell, str):
        return (False, 0.0, cell)
    number = cell.value if isinstance(cell, Measured) else float(cell)
    return (False, -number if column.better > 0 else number, "")


def measured(value: float | None, interval: Iterable[float] | None) -> Cell:
    """A number with its interval; the number alone where there is no interval."""
    if value is None or interval is None:
        return value
    low, high = interval
    return Measured(value, low, high)
