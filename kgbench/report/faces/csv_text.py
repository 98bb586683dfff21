"""A table as CSV: every column, one line a row, numbers as they are shown elsewhere."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from kgbench.errors import DataError
from kgbench.report.faces.cells import Found, Headings, read_cell, table_of
from kgbench.report.table import Kind, Measured, number_text
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kgbench.report.table import Cell, Column, Table

_FORMULA = re.compile(r"'*[=+\-@＝＋－＠]")
"""What a spreadsheet would run as a formula, with any apostrophes that already stand before it."""
_LOW, _HIGH = "_low", "_high"


def to_csv(table: Table) -> str:
    """Return the rows of all sections as one CSV text; a column with intervals becomes three.

    A text that a spreadsheet would read as a formula gets an apostrophe in front; :func:`unescape_csv` takes it away.
    """
    spread = {column.key for column in table.columns if _has_intervals(table, column)}
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([name for column in table.columns for name in _names(column, column.key in spread)])
    for section in table.sections:
        for row in section.rows:
            writer.writerow(
                [text for column in table.columns for text in _cells(column, row[column.key], column.key in spread)]
            )
    return buffer.getvalue()


def _has_intervals(table: Table, column: Column) -> bool:
    return any(isinstance(row[column.key], Measured) for section in table.sections for row in section.rows)


def _names(column: Column, spread: bool) -> list[str]:
    return [column.key, column.key + _LOW, column.key + _HIGH] if spread else [column.key]


def _cells(column: Column, cell: Cell, spread: bool) -> list[str]:
    if isinstance(cell, Measured):
        return [number_text(column, number) for number in (cell.value, cell.low, cell.high)]
    if cell is None:
        text = ""
    else:
        text = escape_csv(cell) if isinstance(cell, str) else number_text(column, cell)
    return [text, "", ""] if spread else [text]


def escape_csv(text: str) -> str:
    """Return a text on one line with an apostrophe in front where a spreadsheet would read a formula."""
    plain = one_line(text)
    return f"'{plain}" if _FORMULA.match(plain) else plain


def unescape_csv(text: str) -> str:
    """Take away what :func:`escape_csv` put in front."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def read_csv(text: str, columns: Iterable[Column]) -> Table:
    """Read back what :func:`to_csv` wrote; a change in a grouping column begins a section.

    Raises:
        DataError: a column is unknown, or a line has another number of cells than the head.
    """
    known = tuple(columns)
    headings = Headings(known, key=True)
    lines = list(csv.reader(io.StringIO(text)))
    if not lines:
        raise DataError("the text is empty: no CSV of a table")
    names = lines[0]
    shown = [headings.column(name) for name in names if not _is_bound(name, headings)]
    found: list[Found] = []
    group: tuple[str, ...] | None = None
    for line in lines[1:]:
        if len(line) != len(names):
            raise DataError(f"a line of the CSV has {len(line)} cells under {len(names)} headings")
        texts = dict(zip(names, line, strict=True))
        own = tuple(texts[column.key] for column in shown if column.grouping)
        if own != group or not found:
            group = own
            found.append(Found())
            found[-1].head(shown)
        found[-1].add(shown, [(_read(column, texts), None) for column in shown])
    return table_of(found or [_empty(shown)], known)


def _empty(shown: Sequence[Column]) -> Found:
    found = Found()
    found.head(shown)
    return found


def _is_bound(name: str, headings: Headings) -> bool:
    """Tell whether a name is the low or high bound of another column."""
    base = name.removesuffix(_LOW).removesuffix(_HIGH)
    return name not in headings and base != name and base in headings


def _read(column: Column, texts: dict[str, str]) -> Cell:
    text = texts[column.key]
    if column.kind is Kind.TEXT:
        return unescape_csv(text)
    low, high = texts.get(column.key + _LOW, ""), texts.get(column.key + _HIGH, "")
    return read_cell(column, f"{text} [{low}, {high}]" if low else text)
