"""A table as Markdown (CommonMark with the tables of GitHub): best in bold, second best in italics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgbench.errors import DataError
from kgbench.report.faces.cells import NUMBER, Found, Headings, numbers_rows, read_cell, table_of
from kgbench.report.table import Kind, Rank
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kgbench.report.table import Cell, Column, Section, Table

_SPECIAL = re.compile(r"([\\`*_\[\]|#~$])")
_ESCAPED = re.compile(r"\\([\\`*_\[\]|#~$+.)-])|&(amp|lt|gt);")
_BLOCK = re.compile(r"^([-+]|\d+(?=[.)]))")
"""What would begin a list of its own where a note begins."""
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">"}
_CELL_END = re.compile(r"(?<!\\)(?:\\\\)*\|")
_MARKS = {Rank.BEST: "**", Rank.SECOND: "_"}
_MARKED = re.compile(r"(\*\*|_)([-\d.]+)\1")
_HEADING, _NOTE = "### ", "- "


def to_markdown(table: Table) -> str:
    """Return a Markdown text: for each section its title, its table and its details, and the notes beneath."""
    parts = [_section(table, section) for section in table.sections]
    if table.notes:
        parts.append("\n".join(_NOTE + _note(note) for note in table.notes))
    return "\n\n".join(parts) + "\n"


def _section(table: Table, section: Section) -> str:
    title = escape_markdown(section.title)
    heading = [_HEADING + title, ""] if title else []
    if not numbers_rows(table):
        return "\n".join([*heading, *_table(table.main, section)])
    main = _table((NUMBER, *table.main), section)
    return "\n".join([*heading, *main, "", *_table((NUMBER, *table.details), section)])


def _table(columns: Sequence[Column], section: Section) -> list[str]:
    lines = [_line(escape_markdown(column.title) for column in columns), _rule(columns)]
    for place in range(len(section.rows)):
        lines.append(_line(_cell(section, place, column) for column in columns))
    return lines


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _rule(columns: Sequence[Column]) -> str:
    return "|" + "|".join(" --- " if column.kind is Kind.TEXT else " ---: " for column in columns) + "|"


def _cell(section: Section, place: int, column: Column) -> str:
    if column is NUMBER:
        return str(place + 1)
    text, rank = section.text(place, column), section.rank(place, column)
    if rank is None:
        return escape_markdown(text)
    value, space, interval = text.partition(" ")
    return f"{_MARKS[rank]}{value}{_MARKS[rank]}{space}{escape_markdown(interval)}"


def escape_markdown(text: str) -> str:
    """Return a text that Markdown shows as it is: on one line, no markup, no HTML."""
    escaped = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", escaped)


def _note(text: str) -> str:
    """A text as the item of a list; a mark at its beginning begins no list within."""
    return _BLOCK.sub(lambda match: f"\\{match[1]}" if match[1] in "-+" else f"{match[1]}\\", escape_markdown(text))


def unescape_markdown(text: str) -> str:
    """Take away what :func:`escape_markdown` put in."""
    return _ESCAPED.sub(lambda match: match[1] or _ENTITIES[match[2]], text)


def read_markdown(text: str, columns: Iterable[Column]) -> Table:
    """Read back what :func:`to_markdown` wrote; rows that stand apart are known by their marks alone.

    Raises:
        DataError: it holds no table, or a line of one has another number of cells than its head.
    """
    known = tuple(columns)
    reader = _Reader(Headings(known))
    for line in text.split("\n"):
        reader.line(line)
    if not reader.found:
        raise DataError("the text holds no Markdown table")
    return table_of(reader.found, known, reader.notes)


class _Reader:
    """Reads a Markdown text line by line."""

    def __init__(self, headings: Headings) -> None:
        self.found: list[Found] = []
        self.notes: list[str] = []
        self._headings = headings
        self._head: list[Column] = []
        self._rule_is_next = False
        self._titled = False

    def line(self, line: str) -> None:
        if line.startswith(_HEADING):
            self.found.append(Found(unescape_markdown(line.removeprefix(_HEADING))))
            self._titled = True
        elif line.startswith(_NOTE):
            self.notes.append(unescape_markdown(line.removeprefix(_NOTE)))
        elif self._rule_is_next:
            self._rule_is_next = False
        elif line.startswith("|") and self._head:
            self.found[-1].add(self._head, _pairs(self._head, _split(line)))
        elif line.startswith("|"):
            self._begin([self._headings.column(unescape_markdown(cell)) for cell in _split(line)])
        else:
            self._head = []

    def _begin(self, head: list[Column]) -> None:
        if not self._titled and not _continues(self.found, head):
            self.found.append(Found())
        self.found[-1].head(head)
        self._head, self._rule_is_next, self._titled = head, True, False


def _pairs(head: Sequence[Column], cells: Sequence[str]) -> list[tuple[Cell, Rank | None]]:
    if len(cells) != len(head):
        raise DataError(f"a line has {len(cells)} cells under {len(head)} headings: {' | '.join(cells)[:80]}")
    return [_read(column, cell) for column, cell in zip(head, cells, strict=True)]


def _continues(found: Sequence[Found], head: Sequence[Column]) -> bool:
    """Tell whether a table holds the details of the one before: other columns of the same rows."""
    return bool(found) and not any(column.key in found[-1].columns for column in head)


def _split(line: str) -> list[str]:
    """Cut a line of a table at the bars that are not escaped."""
    cells, start = [], 1
    for end in _CELL_END.finditer(line, 1):
        cells.append(line[start : end.end() - 1].strip(" "))
        start = end.end()
    return cells


def _read(column: Column, cell: str) -> tuple[Cell, Rank | None]:
    marked = _MARKED.match(cell) if column.kind is not Kind.TEXT else None
    if marked is None:
        return read_cell(column, unescape_markdown(cell)), None
    rank = Rank.BEST if marked[1] == _MARKS[Rank.BEST] else Rank.SECOND
    return read_cell(column, unescape_markdown(marked[2] + cell[marked.end() :])), rank
