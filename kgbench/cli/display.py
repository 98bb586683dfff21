"""Writing to the user: results to standard output, everything else to standard error, in whatever form the stream takes."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Literal, TextIO

from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table as RichTable

    from kgbench.report.table import Column, Section, Table

_PADDING = 3
"""What a drawn column takes beside its text."""
_REPEATED = 2
"""Columns, from the first, that tell rows apart."""


def prepare_streams() -> None:
    """Make sure that no character can crash the output: what a stream cannot encode is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def say(text: str = "") -> None:
    """Write a line of the result."""
    _write(sys.stdout, text)


def tell(text: str) -> None:
    """Write a line that is not the result: a message, a warning, progress."""
    _write(sys.stderr, text)


def _write(stream: TextIO, text: str) -> None:
    stream.write(text + "\n")
    stream.flush()


def show_json(value: Mapping[str, Any] | list[Any]) -> None:
    """Write one JSON value, in ascii: it is whole in every pipe."""
    say(json.dumps(value, indent=2, ensure_ascii=True))


def show_table(table: Table) -> None:
    """Write a table: drawn on a terminal, aligned text elsewhere."""
    if sys.stdout.isatty():
        _draw(table)
    else:
        from kgbench.report.faces import to_plain

        say(to_plain(table).rstrip("\n"))


def _draw(table: Table) -> None:
    """Draw a table with rich, in as many pieces as the terminal is too narrow: a number is never cut."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, highlight=False, markup=False)
    for section in table.sections:
        texts = {
            column.key: [one_line(section.text(place, column)) for place in range(len(section.rows))]
            for column in table.visible
        }
        if section.title:
            console.print(Text(one_line(section.title)))
        for columns in _pieces(table.visible, texts, console.width):
            console.print(_drawn(columns, section, texts))
    for note in table.notes:
        console.print(Text(one_line(note)))


def _drawn(columns: Sequence[Column], section: Section, texts: Mapping[str, Sequence[str]]) -> RichTable:
    """A table of rich, best in bold and second underlined. Every text goes in as Text, so that none is read as markup."""
    from rich.table import Table as RichTable
    from rich.text import Text

    from kgbench.report.table import Kind, Rank

    drawn = RichTable()
    for column in columns:
        justify: Literal["left", "right"] = "left" if column.kind is Kind.TEXT else "right"
        drawn.add_column(Text(column.title), justify=justify, overflow="fold")
    for place in range(len(section.rows)):
        cells = [Text(texts[column.key][place]) for column in columns]
        for column, cell in zip(columns, cells, strict=True):
            rank = section.rank(place, column)
            if rank is not None:
                cell.stylize("bold" if rank is Rank.BEST else "underline", 0, len(cell.plain.partition(" ")[0]))
        drawn.add_row(*cells)
    return drawn


def _pieces(columns: Sequence[Column], texts: Mapping[str, Sequence[str]], room: int) -> list[list[Column]]:
    """Split columns so that each piece fits a width; where there are several rows, each piece repeats the first columns."""
    rows = len(next(iter(texts.values())))
    repeated = list(columns[:_REPEATED]) if rows > 1 else []
    widths = {column.key: max(map(len, [column.title, *texts[column.key]])) + _PADDING for column in columns}
    pieces: list[list[Column]] = [[]]
    for column in columns:
        taken = sum(widths[one.key] for one in pieces[-1])
        if len(pieces[-1]) > len(repeated) and taken + widths[column.key] >= room:
            pieces.append(list(repeated))
        pieces[-1].append(column)
    return pieces
