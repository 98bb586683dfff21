"""A table as aligned text, without a line drawn: for pipes and logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.report.table import Kind
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from kgbench.report.table import Column, Section, Table


def to_plain(table: Table) -> str:
    """Return a table as aligned text, with the notes beneath."""
    parts = []
    for section in table.sections:
        lines = [one_line(section.title)] if one_line(section.title) else []
        parts.append("\n".join([*lines, *_aligned(table.visible, section)]))
    if table.notes:
        parts.append("\n".join(map(one_line, table.notes)))
    return "\n\n".join(parts) + "\n"


def _aligned(columns: tuple[Column, ...], section: Section) -> list[str]:
    grid = [[column.title for column in columns]]
    grid += [[section.text(place, column) or "-" for column in columns] for place in range(len(section.rows))]
    widths = [max(len(line[place]) for line in grid) for place in range(len(columns))]
    return [
        "  ".join(
            text.ljust(width) if column.kind is Kind.TEXT else text.rjust(width)
            for column, text, width in zip(columns, line, widths, strict=True)
        ).rstrip()
        for line in grid
    ]
