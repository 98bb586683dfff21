r"""A table as LaTeX: a fragment to ``\input``, with booktabs; best in bold, second best underlined.

Long columns (runs, signatures) are listed beneath the table. What is wider than the line is scaled to it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgbench.errors import DataError
from kgbench.report.faces.cells import NUMBER, Found, Headings, blocks, read_cell, table_of
from kgbench.report.faces.latex_text import escape_latex, unescape_latex
from kgbench.report.table import Kind, Part, Rank

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kgbench.report.table import Cell, Column, Section, Table

_PACKAGES = (r"\usepackage[T1]{fontenc}", r"\usepackage{textcomp}", r"\usepackage{booktabs}", r"\usepackage{graphicx}")
_MACROS = (
    r"\providecommand{\kgbenchchar}[1]{\fbox{\scriptsize U+#1}}",
    r"\providecommand{\kgbenchfit}[1]{\sbox0{#1}\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi}",
)
_LINES_A_PAGE = 44
"""Table lines in small type that surely fit a page, with caption and rules."""
_LINES_A_HEAD = 3
"""Lines that the head and the rules of a tabular take."""
_CHARACTERS_A_LINE = 118
_SECTION, _CONTINUED, _NOTES = "% section", "% section, continued", "% notes"
_DETAILS = "% details: "
_ASIDE = "% not ranked with the others"
_MARKS = {Rank.BEST: r"\textbf", Rank.SECOND: r"\underline"}
_MARKED = re.compile(r"\\(textbf|underline)\{([^{}]*)\}")
_MINUS = "$-$"


def to_latex(table: Table, *, standalone: bool = False) -> str:
    r"""Return a table as LaTeX.

    Args:
        table: the table.
        standalone: a whole document, for pdflatex; else a fragment to ``\input``, which says the packages it needs.
    """
    lines = [] if standalone else ["% Needs in the preamble:", *(f"%   {package}" for package in _PACKAGES)]
    lines += _MACROS
    for section in table.sections:
        lines += ["", *_section(table, section)]
    if table.notes:
        lines += ["", _NOTES, r"\begin{itemize}"]
        lines += [rf"\item {escape_latex(note)}" for note in table.notes]
        lines.append(r"\end{itemize}")
    if standalone:
        geometry = r"\usepackage[margin=2cm]{geometry}"
        head = [r"\documentclass[a4paper]{article}", *_PACKAGES, geometry, r"\begin{document}"]
        lines = [*head, *lines, r"\end{document}"]
    return "\n".join(lines) + "\n"


def _section(table: Table, section: Section) -> Iterator[str]:
    for number, pieces in enumerate(_floats(_narrow(blocks(table), section), len(section.rows))):
        yield _CONTINUED if number else _SECTION
        yield from _float(section, pieces, continued=number > 0)
    if table.details:
        yield from _details(table, section)


def _narrow(pieces: Iterable[Sequence[Column]], section: Section) -> list[list[Column]]:
    """Split pieces further until each fits a line in small type; the number and the first label are repeated."""
    found: list[list[Column]] = []
    for block in pieces:
        wide = block[0] is not NUMBER and _width(block, section) > _CHARACTERS_A_LINE
        columns = [NUMBER, *block] if wide else block
        repeated = [column for column in columns[:2] if column is NUMBER or column.part is Part.LABEL]
        current: list[Column] = []
        for column in columns:
            if len(current) > len(repeated) and _width([*current, column], section) > _CHARACTERS_A_LINE:
                found.append(current)
                current = list(repeated)
            current.append(column)
        found.append(current)
    return found


def _width(columns: Iterable[Column], section: Section) -> int:
    """About how many characters wide a tabular is, the room between columns included."""
    places = range(len(section.rows))
    texts = {c.key: ["", *(section.text(place, c) for place in places if c is not NUMBER)] for c in columns}
    return sum(max(map(len, [column.title, *texts[column.key]])) + 2 for column in columns)


def _floats(pieces: Sequence[Sequence[Column]], rows: int) -> list[list[tuple[Sequence[Column], range]]]:
    """The tabulars of each float: as many as fit a page; one that fills more than a page is cut into several."""
    chunks = [range(start, min(start + _LINES_A_PAGE, rows)) for start in range(0, rows, _LINES_A_PAGE)] or [range(0)]
    found: list[list[tuple[Sequence[Column], range]]] = [[]]
    taken = 0
    for piece, chunk in ((piece, chunk) for piece in pieces for chunk in chunks):
        lines = len(chunk) + _LINES_A_HEAD
        if found[-1] and taken + lines > _LINES_A_PAGE:
            found.append([])
            taken = 0
        found[-1].append((piece, chunk))
        taken += lines
    return found


def _float(section: Section, pieces: Sequence[tuple[Sequence[Column], range]], *, continued: bool) -> Iterator[str]:
    yield r"\begin{table}[htbp]"
    yield r"\centering"
    title = escape_latex(section.title)
    if title:
        yield from [r"\addtocounter{table}{-1}"] if continued else []
        yield rf"\caption{{{title}{' (continued)' if continued else ''}}}"
    yield r"\footnotesize"
    for place, (columns, rows) in enumerate(pieces):
        if place:
            yield r"\par\medskip"
        yield from _tabular(section, columns, rows)
    yield r"\end{table}"


def _tabular(section: Section, columns: Sequence[Column], rows: range) -> Iterator[str]:
    yield r"\kgbenchfit{%"
    yield rf"\begin{{tabular}}{{{''.join('l' if column.kind is Kind.TEXT else 'r' for column in columns)}}}"
    yield r"\toprule"
    yield _line(escape_latex(column.title) for column in columns)
    yield r"\midrule"
    for place in rows:
        if place == max(rows.start, len(section.rows) - section.aside):
            yield from [r"\midrule"] if place else []
            yield _ASIDE
        yield _line(_cell(section, place, column) for column in columns)
    yield r"\bottomrule"
    yield r"\end{tabular}}"


def _line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(section: Section, place: int, column: Column) -> str:
    if column is NUMBER:
        return str(place + 1)
    text, rank = section.text(place, column), section.rank(place, column)
    if column.kind is Kind.TEXT or isinstance(section.rows[place][column.key], (str, type(None))):
        return escape_latex(text)
    value, space, interval = text.replace("-", _MINUS).partition(" ")
    marked = value if rank is None else f"{_MARKS[rank]}{{{value}}}"
    return marked + space + interval


def _details(table: Table, section: Section) -> Iterator[str]:
    """The long columns of each row, one paragraph a row: they may break over lines and pages."""
    yield _DETAILS + " & ".join(escape_latex(column.title) for column in table.details)
    yield r"\begingroup\scriptsize\raggedright\setlength{\parindent}{0pt}"
    for place in range(len(section.rows)):
        said = [
            rf"\emph{{{escape_latex(column.title)}}} {escape_latex(text, breaks=True)}"
            for column in table.details
            if (text := section.text(place, column))
        ]
        if said:
            yield rf"{place + 1}: {'; '.join(said)}\par"
    yield r"\endgroup"


def read_latex(text: str, columns: Iterable[Column]) -> Table:
    """Read back what :func:`to_latex` wrote.

    Raises:
        DataError: it holds no table, or a line of one has another number of cells than its head.
    """
    known = tuple(columns)
    reader = _Reader(Headings(known))
    for line in text.split("\n"):
        reader.line(line)
    if not reader.found:
        raise DataError("the text holds no LaTeX table of kgbench")
    return table_of(reader.found, known, reader.notes)


_DETAIL = re.compile(r"(\d+): (\\emph\{.*)\\par")
_SAID = re.compile(r"(?:^|; )\\emph\{((?:[^{}]|\{[^{}]*\})*)\} (.*?)(?=; \\emph\{|$)")


class _Reader:
    """Reads a LaTeX text line by line."""

    def __init__(self, headings: Headings) -> None:
        self.found: list[Found] = []
        self.notes: list[str] = []
        self._headings = headings
        self._head: list[Column] = []
        self._aside = False

    def line(self, line: str) -> None:
        if line == _SECTION:
            self.found.append(Found())
        elif line.startswith(_DETAILS):
            titles = line.removeprefix(_DETAILS).split(" & ")
            self.found[-1].head([self._headings.column(unescape_latex(title)) for title in titles])
        elif line.startswith(r"\item "):
            self.notes.append(unescape_latex(line.removeprefix(r"\item ")))
        elif line.startswith(r"\caption{") and self.found and not self.found[-1].rows:
            self.found[-1].title = unescape_latex(line.removeprefix(r"\caption{").removesuffix("}"))
        elif line == r"\toprule":
            self._head, self._aside = [], False
        elif line == _ASIDE:
            self._aside = True
        elif line.endswith(r" \\") and self.found:
            self._row(line.removesuffix(r" \\").split(" & "))
        elif (detail := _DETAIL.fullmatch(line)) and self.found:
            self._detail(int(detail[1]), detail[2])

    def _row(self, cells: list[str]) -> None:
        if not self._head:
            self._head = [self._headings.column(unescape_latex(cell)) for cell in cells]
            self.found[-1].head(self._head)
            return
        if len(cells) != len(self._head):
            raise DataError(f"a line has {len(cells)} cells under {len(self._head)} headings: {' & '.join(cells)[:80]}")
        pairs = [_read(column, cell) for column, cell in zip(self._head, cells, strict=True)]
        self.found[-1].add(self._head, pairs, aside=self._aside)

    def _detail(self, number: int, said: str) -> None:
        texts = [
            (self._headings.column(unescape_latex(one[1])), unescape_latex(one[2])) for one in _SAID.finditer(said)
        ]
        columns = [column for column, _ in texts]
        cells = [(read_cell(column, text), None) for column, text in texts]
        self.found[-1].add([NUMBER, *columns], [(number, None), *cells])


def _read(column: Column, cell: str) -> tuple[Cell, Rank | None]:
    if column.kind is Kind.TEXT:
        return unescape_latex(cell), None
    marked = _MARKED.match(cell)
    if marked is None:
        return read_cell(column, unescape_latex(cell.replace(_MINUS, "-"))), None
    rank = Rank.BEST if marked[1] == "textbf" else Rank.SECOND
    return read_cell(column, (marked[2] + cell[marked.end() :]).replace(_MINUS, "-")), rank
