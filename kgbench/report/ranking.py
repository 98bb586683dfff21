"""Who is best in a column, and who cannot be told from the best.

Rows are ranked within *contests*: rows of one section that compete. A row without a contest (unfinished, too many errors,
reported by others) is never best and never tested.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kgbench.report.table import Measured, Rank

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench.report.table import Cell, Column, Section, Table

ALPHA = 0.05
"""A row with an adjusted p value of at least this is not distinguishable from the best."""


def with_ranks(table: Table, contests: Sequence[Sequence[str | None]]) -> Table:
    """Return a table with the best and second best cells of each contest ranked.

    Cells are compared as they are shown, so rows that look equal are equal. All tied for best are best, and then there is
    no second; all tied for second are second. Nothing is ranked where fewer than two rows have a value, or all have the
    same one.

    Args:
        table: the table.
        contests: for each section, the contest of each of its rows; None for a row that takes no part.
    """
    sections = (
        replace(section, ranks=_section_ranks(table.columns, section, names))
        for section, names in zip(table.sections, contests, strict=True)
    )
    return replace(table, sections=tuple(sections))


def _section_ranks(
    columns: Sequence[Column], section: Section, names: Sequence[str | None]
) -> Mapping[tuple[int, str], Rank]:
    found: dict[tuple[int, str], Rank] = {}
    for contest in dict.fromkeys(name for name in names if name is not None):
        positions = [position for position, name in enumerate(names) if name == contest]
        for column in columns:
            cells = {position: section.rows[position][column.key] for position in positions}
            found |= {(position, column.key): rank for position, rank in column_ranks(column, cells).items()}
    return found


def column_ranks(column: Column, cells: Mapping[int, Cell]) -> dict[int, Rank]:
    """Return the positions of the best and the second best cells of one column."""
    numbers = {position: value for position, cell in cells.items() if (value := _number(cell)) is not None}
    distinct = sorted(set(numbers.values()), reverse=column.better > 0)
    if not column.better or len(distinct) < 2:
        return {}
    best = [position for position, value in numbers.items() if value == distinct[0]]
    second = [position for position, value in numbers.items() if value == distinct[1]] if len(best) == 1 else []
    return dict.fromkeys(best, Rank.BEST) | dict.fromkeys(second, Rank.SECOND)


def _number(cell: Cell) -> float | None:
    if isinstance(cell, Measured):
        return cell.value
    return None if cell is None or isinstance(cell, str) else float(cell)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values adjusted for having made several tests (Holm's step-down rule), each in its own place.

    The k-th smallest of m is multiplied by m - k + 1; none falls below a smaller one's, and none rises above 1.
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = highest
    return adjusted
