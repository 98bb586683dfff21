"""Faces of a table as text, and back: Markdown, CSV, LaTeX, HTML and JSON, and aligned plain text for pipes.

All are made from one table object. Foreign text is escaped for each of them, and :func:`read` gives back the cells of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.report.columns import ALL
from kgbench.report.faces.csv_text import escape_csv, read_csv, to_csv, unescape_csv
from kgbench.report.faces.html_page import read_html, to_html
from kgbench.report.faces.json_text import json_text, read_json, to_json
from kgbench.report.faces.latex import read_latex, to_latex
from kgbench.report.faces.markdown import escape_markdown, read_markdown, to_markdown
from kgbench.report.faces.plain import to_plain
from kgbench.report.formats import Face

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from kgbench.report.table import Column, Table

__all__ = [
    "Face",
    "escape_csv",
    "escape_markdown",
    "read",
    "render",
    "to_csv",
    "to_html",
    "to_json",
    "to_latex",
    "to_markdown",
    "to_plain",
    "unescape_csv",
]


_WRITERS: Mapping[Face, Callable[[Table], str]] = {
    Face.MARKDOWN: to_markdown,
    Face.CSV: to_csv,
    Face.LATEX: to_latex,
    Face.HTML: to_html,
    Face.JSON: json_text,
}
_READERS: Mapping[Face, Callable[[str, Iterable[Column]], Table]] = {
    Face.MARKDOWN: read_markdown,
    Face.CSV: read_csv,
    Face.LATEX: read_latex,
    Face.HTML: read_html,
    Face.JSON: read_json,
}


def render(table: Table, face: Face) -> str:
    """Return a table as the text of a face."""
    return _WRITERS[face](table)


def read(text: str, face: Face, columns: Iterable[Column] = ALL) -> Table:
    """Read back what :func:`render` wrote: every cell that the face shows, with its interval.

    Faces for people (Markdown, LaTeX, HTML) say grouping columns in the titles of sections alone, so those columns are
    absent. CSV has neither titles, notes nor ranks, and its sections are told apart by the grouping columns.

    Args:
        text: the text.
        face: its face.
        columns: the columns that may stand in it.

    Raises:
        DataError: the text holds no such table.
    """
    return _READERS[Face(face)](text, columns)
