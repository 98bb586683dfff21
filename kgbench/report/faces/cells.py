"""What the readers of all faces share: from the text of a cell back to the cell, from a heading back to the column."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kgbench.errors import DataError
from kgbench.report.table import Column, Kind, Measured, Part, Rank, Table, make_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kgbench.report.table import Cell, Section

NUMBER = Column("#", "#", Kind.COUNT, part=Part.LABEL)
"""Number of a row within its section: where a table stands in pieces, it tells which lines are one row."""
_BLOCKS = ((Part.SCORE,), (Part.COST, Part.CHECK))
_INTERVAL = re.compile(r"(-?[\d.]+) \[(-?[\d.]+), (-?[\d.]+)\]")


def numbers_rows(table: Table) -> bool:
    """Tell whether faces for people number the rows, since something stands beneath the table."""
    return bool(table.details)


def blocks(table: Table) -> list[list[Column]]:
    """The columns of each piece of a table that is too wide for a page: labels and scores, then cost and checks.

    Of the labels the first is repeated. Rows are numbered where they stand in pieces.
    """
    labels = [column for column in table.main if column.part is Part.LABEL]
    found = [[column for column in table.main if column.part in parts] for parts in _BLOCKS]
    filled = [block for block in found if block] or [[]]
    number = [NUMBER] if len(filled) > 1 or table.details else []
    return [[*number, *(labels[:1] if place else labels), *block] for place, block in enumerate(filled)]


def read_cell(column: Column, text: str) -> Cell:
    """Read the text of a cell as :func:`kgbench.report.table.cell_text` wrote it."""
    if column.kind is Kind.TEXT:
        return text
    if text in ("", column.missing):
        return None
    interval = _INTERVAL.fullmatch(text)
    try:
        if interval is not None:
            return Measured(*map(float, interval.groups()))
        return int(text) if column.kind is Kind.COUNT else float(text)
    except ValueError:
        return text


class Headings:
    """Columns by their headings.

    Args:
        columns: those that may occur.
        key: whether headings are keys (CSV) and not titles.
    """

    def __init__(self, columns: Iterable[Column], *, key: bool = False) -> None:
        self._known = {column.key if key else column.title: column for column in (*columns, NUMBER)}

    def column(self, heading: str) -> Column:
        """The column of a heading.

        Raises:
            DataError: there is none.
        """
        if heading not in self._known:
            raise DataError(f'the table has a column "{heading}" that is none of the expected ones')
        return self._known[heading]

    def __contains__(self, heading: str) -> bool:
        return heading in self._known


@dataclass
class Found:
    """A section as it is being read; lines of one row may come in pieces."""

    title: str = ""
    rows: list[dict[str, Cell]] = field(default_factory=list)
    ranks: dict[tuple[int, str], Rank] = field(default_factory=dict)
    aside: set[int] = field(default_factory=set)
    columns: dict[str, Column] = field(default_factory=dict)

    def add(self, columns: Sequence[Column], cells: Sequence[tuple[Cell, Rank | None]], *, aside: bool = False) -> None:
        """Add one line of a table; a number in it says which row it belongs to.

        Raises:
            DataError: it has another number of cells than there are columns.
        """
        if len(columns) != len(cells):
            raise DataError(f'"{self.title}": a line has {len(cells)} cells under {len(columns)} headings')
        values = dict(zip((column.key for column in columns), cells, strict=True))
        number = values.pop(NUMBER.key, (None, None))[0]
        position = number - 1 if isinstance(number, int) else len(self.rows)
        while len(self.rows) <= position:
            self.rows.append({})
        for key, (cell, rank) in values.items():
            self.rows[position][key] = cell
            if rank is not None:
                self.ranks[position, key] = rank
        if aside:
            self.aside.add(position)

    def head(self, columns: Sequence[Column]) -> None:
        """Note the columns of a table."""
        self.columns |= {column.key: column for column in columns if column is not NUMBER}


def table_of(found: Sequence[Found], columns: Iterable[Column], notes: Iterable[str] = ()) -> Table:
    """Return the table that was read, its columns in the order of ``columns``."""
    present = {key for one in found for key in one.columns}
    kept = [column for column in columns if column.key in present]
    table = make_table(kept, [(one.title, one.rows) for one in found], notes)
    sections: list[Section] = [
        replace(section, ranks=one.ranks, aside=len(one.aside))
        for section, one in zip(table.sections, found, strict=True)
    ]
    return replace(table, sections=tuple(sections))
