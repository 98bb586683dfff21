from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given
from markdown_it import MarkdownIt
from odd_tables import COLUMNS, NAME, ODD, SCORE, odd_table, on_one_line, tables

from kgbench.report.faces import to_markdown
from kgbench.report.faces.cells import NUMBER
from kgbench.report.ranking import with_ranks
from kgbench.report.table import cell_text, make_table
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from markdown_it.token import Token

    from kgbench.report.table import Table


def rendered(text: str) -> tuple[list[list[str]], list[str]]:
    """Cells of every table line, and the other lines, as a CommonMark reader with tables shows them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    lines: list[list[str]] = []
    others: list[str] = []
    for before, token in pairwise(tokens):
        if before.type == "tr_open":
            lines.append([])
        if token.type == "inline" and before.type in ("td_open", "th_open"):
            lines[-1].append(shown(token))
        elif token.type == "inline":
            others.append(shown(token))
    return lines, others


def shown(token: Token) -> str:
    """The text of inline tokens; anything but text and emphasis is a foreign text that was read as markup."""
    children = token.children or []
    assert {child.type for child in children} <= {
        "text",
        "text_special",
        "strong_open",
        "strong_close",
        "em_open",
        "em_close",
    }
    return "".join(child.content for child in children)


def expected(table: Table) -> list[list[str]]:
    lines = []
    for section in table.sections:
        for columns in (table.main, table.details):
            lines.append([NUMBER.title, *(column.title for column in columns)])
            for place in range(len(section.rows)):
                lines.append([str(place + 1), *(section.text(place, column) for column in columns)])
    return lines


@given(tables())
def test_a_reader_of_markdown_sees_the_same_cells(table: Table) -> None:
    lines, others = rendered(to_markdown(table))
    assert lines == expected(table)
    flat = on_one_line(table)
    titles = [section.title for section in flat.sections]
    assert others == [text for text in (*titles, *flat.notes) if text]


def test_a_reader_of_markdown_sees_every_odd_text() -> None:
    lines, _ = rendered(to_markdown(odd_table()))
    assert [line[1] for line in lines[1 : 1 + len(ODD)]] == [one_line(text) for text in ODD]


def test_best_is_bold_and_second_in_italics() -> None:
    table = with_ranks(make_table((NAME, SCORE), [("", [{"score": 0.5}, {"score": 0.4}, {"score": 0.1}])]), [["a"] * 3])
    assert [line.split(" | ")[1].strip(" |") for line in to_markdown(table).splitlines()[2:]] == [
        "**0.5000**",
        "_0.4000_",
        "0.1000",
    ]
    assert cell_text(COLUMNS[3], 0.5) == "0.5000"
