"""Writing to the user: results to standard output, everything else to standard error, in whatever form the stream takes."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, TextIO

from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgbench.report.table import Table


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
    """Draw a table with rich. Every text goes in as Text, so that none is read as markup."""
    import rich.table
    from rich.console import Console
    from rich.text import Text

    from kgbench.report.table import Kind, cell_text

    console = Console(file=sys.stdout, highlight=False, markup=False)
    for section in table.sections:
        drawn = rich.table.Table(title=Text(one_line(section.title)) if section.title else None, title_justify="left")
        for column in table.visible:
            drawn.add_column(Text(column.title), justify="left" if column.kind is Kind.TEXT else "right")
        for row in section.rows:
            drawn.add_row(*(Text(one_line(cell_text(column, row[column.key]))) for column in table.visible))
        console.print(drawn)
    for note in table.notes:
        console.print(Text(one_line(note)))
