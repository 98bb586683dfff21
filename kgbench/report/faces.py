"""Faces of a table as text: Markdown, CSV, JSON and aligned plain text. Foreign text is escaped for each of them."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from kgbench.report.table import Kind, Measured, cell_text, number_text
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from kgbench.report.table import Cell, Column, Section, Table

_FORMULA = re.compile(r"'*[=+\-@]")
"""What a spreadsheet would run as a formula, with any apostrophes that already stand before it."""
_MARKDOWN = re.compile(r"([\\`*_\[\]|#~])")
_LOW, _HIGH = "_low", "_high"


def to_markdown(table: Table) -> str:
    """Return a Markdown text with one table a section, its title above, and the notes beneath."""
    parts = [_markdown_section(table, section) for section in table.sections]
    if table.notes:
        parts.append("\n".join(f"- {escape_markdown(note)}" for note in table.notes))
    return "\n\n".join(parts) + "\n"


def _markdown_section(table: Table, section: Section) -> str:
    columns = table.visible
    lines = [f"### {escape_markdown(section.title)}", ""] if section.title else []
    lines.append(_markdown_line(column.title for column in columns))
    lines.append(_markdown_rule(columns))
    lines += [_markdown_line(cell_text(column, row[column.key]) for column in columns) for row in section.rows]
    return "\n".join(lines)


def _markdown_line(cells: Any) -> str:
    return "| " + " | ".join(escape_markdown(cell) for cell in cells) + " |"


def _markdown_rule(columns: tuple[Column, ...]) -> str:
    return "|" + "|".join(" --- " if column.kind is Kind.TEXT else " ---: " for column in columns) + "|"


def escape_markdown(text: str) -> str:
    """Return a text that Markdown shows as it is: on one line, no markup, no HTML."""
    escaped = _MARKDOWN.sub(r"\\\1", one_line(text))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def to_csv(table: Table) -> str:
    """Return the rows of all sections as one CSV text; a column with intervals becomes three.

    A text that a spreadsheet would read as a formula gets an apostrophe in front; :func:`unescape_csv` takes it away.
    """
    spread = {column.key for column in table.columns if _has_intervals(table, column)}
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([name for column in table.columns for name in _csv_names(column, column.key in spread)])
    for section in table.sections:
        for row in section.rows:
            writer.writerow(
                [text for column in table.columns for text in _csv_cells(column, row[column.key], column.key in spread)]
            )
    return buffer.getvalue()


def _has_intervals(table: Table, column: Column) -> bool:
    return any(isinstance(row[column.key], Measured) for section in table.sections for row in section.rows)


def _csv_names(column: Column, spread: bool) -> list[str]:
    return [column.key, column.key + _LOW, column.key + _HIGH] if spread else [column.key]


def _csv_cells(column: Column, cell: Cell, spread: bool) -> list[str]:
    if isinstance(cell, Measured):
        return [number_text(column, number) for number in (cell.value, cell.low, cell.high)]
    if cell is None:
        text = ""
    elif isinstance(cell, str):
        text = escape_csv(cell)
    else:
        text = cell_text(column, cell)
    return [text, "", ""] if spread else [text]


def escape_csv(text: str) -> str:
    """Return a text on one line with an apostrophe in front where a spreadsheet would read a formula."""
    plain = one_line(text)
    return f"'{plain}" if _FORMULA.match(plain) else plain


def unescape_csv(text: str) -> str:
    """Take away what :func:`escape_csv` put in front."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def to_json(table: Table) -> dict[str, Any]:
    """Return a table as JSON-ready values; a number with an interval is an object with value, low and high."""
    return {
        "columns": [
            {"key": column.key, "title": column.title, "kind": str(column.kind), "better": column.better}
            for column in table.columns
        ],
        "sections": [
            {"title": section.title, "rows": [_json_row(table, row) for row in section.rows]}
            for section in table.sections
        ],
        "notes": list(table.notes),
    }


def _json_row(table: Table, row: Any) -> dict[str, Any]:
    return {column.key: _json_cell(row[column.key]) for column in table.columns}


def _json_cell(cell: Cell) -> Any:
    if isinstance(cell, Measured):
        return {"value": cell.value, "low": cell.low, "high": cell.high}
    return cell


def to_plain(table: Table) -> str:
    """Return a table as aligned text, without a line drawn: for pipes and logs."""
    parts = []
    for section in table.sections:
        lines = [one_line(section.title)] if section.title else []
        parts.append("\n".join([*lines, *_aligned(table.visible, section)]))
    if table.notes:
        parts.append("\n".join(one_line(note) for note in table.notes))
    return "\n\n".join(parts) + "\n"


def _aligned(columns: tuple[Column, ...], section: Section) -> list[str]:
    grid = [[column.title for column in columns]]
    grid += [[one_line(cell_text(column, row[column.key])) or "-" for column in columns] for row in section.rows]
    widths = [max(len(line[place]) for line in grid) for place in range(len(columns))]
    return [
        "  ".join(
            text.ljust(width) if column.kind is Kind.TEXT else text.rjust(width)
            for column, text, width in zip(columns, line, widths, strict=True)
        ).rstrip()
        for line in grid
    ]
