"""A table as one HTML file: no script, nothing from the network, readable on a telephone and in the dark.

Best in bold, second best underlined. On a narrow screen each row becomes a card, by style alone.
"""

from __future__ import annotations

import base64
import hashlib
from html import escape
from html.parser import HTMLParser
from importlib.resources import files
from typing import TYPE_CHECKING

from kgbench.errors import DataError
from kgbench.report.faces.cells import NUMBER, Found, Headings, blocks, read_cell, table_of
from kgbench.report.table import Kind, Part, Rank
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kgbench.report.table import Column, Section, Table

_REST = "cost and checks"
"""What the second table of a section holds."""
_MARKS = {Rank.BEST: "strong", Rank.SECOND: "u"}


def to_html(table: Table, heading: str = "Leaderboard") -> str:
    """Return a table as an HTML document.

    Args:
        table: the table.
        heading: title of the document.
    """
    style = files("kgbench.report.faces").joinpath("table.css").read_text(encoding="utf-8")
    lines = [*_head(style, heading), "<body>", "<main>", f"<h1>{escape(heading)}</h1>"]
    for number, section in enumerate(table.sections, 1):
        lines += _section(table, section, number)
    if table.notes:
        lines += [
            "<h2>Notes</h2>",
            '<ul class="notes">',
            *(f"<li>{escape(one_line(note))}</li>" for note in table.notes),
            "</ul>",
        ]
    return "\n".join([*lines, "</main>", "</body>", "</html>"]) + "\n"


def _head(style: str, heading: str) -> list[str]:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(heading)}</title>",
        f"<style>{style}</style>",
        "</head>",
    ]


def _section(table: Table, section: Section, number: int) -> Iterator[str]:
    pieces = blocks(table)
    yield "<section>"
    for place, columns in enumerate(pieces):
        title = one_line(section.title)
        caption = title if not place else " - ".join(filter(None, (title, _REST)))
        yield from _table(section, columns, caption, f"caption-{number}-{place + 1}")
    if table.details:
        # What stands beneath, in a few words: "kgbench, run, signature of each row".
        said = ", ".join(column.title for column in table.details) + " of each row"
        yield f"<details><summary>{escape(said)}</summary>"
        yield from _table(section, [NUMBER, *table.details], "", "")
        yield "</details>"
    yield "</section>"


def _table(section: Section, columns: Sequence[Column], caption: str, name: str) -> Iterator[str]:
    """One table. The roles are said, since a table that its style turns into cards is none to a screen reader."""
    named = f' aria-labelledby="{name}"' if caption else ""
    yield f'<div class="scroll" role="region" tabindex="0"{named}>'
    yield '<table role="table">'
    if caption:
        yield f'<caption id="{name}">{escape(caption)}</caption>'
    yield '<thead role="rowgroup">'
    heads = "".join(
        f'<th scope="col" role="columnheader"{_class(column)}>{escape(column.title)}</th>' for column in columns
    )
    yield f'<tr role="row">{heads}</tr>'
    yield "</thead>"
    beside = len(section.rows) - section.aside
    for kind, rows in (("", range(beside)), (' class="aside"', range(beside, len(section.rows)))):
        if rows or not kind:
            yield f'<tbody role="rowgroup"{kind}>'
            yield from (_row(section, columns, place) for place in rows)
            yield "</tbody>"
    yield "</table>"
    yield "</div>"


def _row(section: Section, columns: Sequence[Column], place: int) -> str:
    labels = [column.key for column in columns if column.part is Part.LABEL]
    # The first label names the row; its number does where there is no other.
    heads = next((key for key in labels if key != NUMBER.key), labels[0] if labels else None)
    cells = [_cell(section, place, column, heads=column.key == heads) for column in columns]
    return f'<tr role="row">{"".join(cells)}</tr>'


def _class(column: Column) -> str:
    if column is NUMBER:
        return ' class="number place"'
    return "" if column.kind is Kind.TEXT else ' class="number"'


def _cell(section: Section, place: int, column: Column, *, heads: bool) -> str:
    text = str(place + 1) if column is NUMBER else section.text(place, column)
    rank = section.rank(place, column)
    if column.kind is Kind.TEXT:
        shown = escape(text)
    else:
        value, space, interval = text.partition(" ")
        marked = f"<{_MARKS[rank]}>{escape(value)}</{_MARKS[rank]}>" if rank else escape(value)
        shown = marked + (f'{space}<span class="interval">{escape(interval)}</span>' if interval else "")
    if heads:
        return f'<th scope="row" role="rowheader"{_class(column)}>{shown}</th>'
    # On a card the heading stands before the cell; a cell without content then shows nothing at all.
    label = f' data-label="{escape(column.title)}"' if text and column is not NUMBER else ""
    return f'<td role="cell"{_class(column)}{label}>{shown}</td>'


def read_html(text: str, columns: Iterable[Column]) -> Table:
    """Read back what :func:`to_html` wrote.

    Raises:
        DataError: it holds no table, or a line of one has another number of cells than its head.
    """
    known = tuple(columns)
    reader = _Reader(Headings(known))
    reader.feed(text)
    reader.close()
    if not reader.found:
        raise DataError("the text holds no HTML table of kgbench")
    return table_of(reader.found, known, reader.notes)


class _Reader(HTMLParser):
    """Collects sections, lines and notes as their elements end."""

    def __init__(self, headings: Headings) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Found] = []
        self.notes: list[str] = []
        self._headings = headings
        self._head: list[Column] = []
        self._line: list[str] = []
        self._ranks: dict[int, Rank] = {}
        self._text = ""
        self._aside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a section, a group of lines, a line or a text."""
        if tag == "section":
            self.found.append(Found())
        elif tag == "table":
            self._head = []
        elif tag == "tbody":
            self._aside = ("class", "aside") in attrs
        elif tag == "tr":
            self._line, self._ranks = [], {}
        elif tag in _MARKS.values():
            self._ranks[len(self._line)] = next(rank for rank, name in _MARKS.items() if name == tag)
        if tag in ("td", "th", "li", "caption"):
            self._text = ""

    def handle_data(self, data: str) -> None:
        """Collect text."""
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        """Settle a cell, a line, a title or a note."""
        if tag in ("td", "th"):
            self._line.append(self._text)
        elif tag == "caption":
            # A section's title stands over its first table.
            self.found[-1].title = self._text if not self.found[-1].columns else self.found[-1].title
        elif tag == "li":
            self.notes.append(self._text)
        elif tag == "tr":
            self._end_line()

    def _end_line(self) -> None:
        if not self._head:
            self._head = [self._headings.column(title) for title in self._line]
            self.found[-1].head(self._head)
            return
        if len(self._line) != len(self._head):
            raise DataError(f"a line has {len(self._line)} cells under {len(self._head)} headings")
        cells = [
            (read_cell(column, text), self._ranks.get(place))
            for place, (column, text) in enumerate(zip(self._head, self._line, strict=True))
        ]
        self.found[-1].add(self._head, cells, aside=self._aside)
