from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from odd_tables import COLUMNS, NAME, ODD, SCORE, lengths, odd_table, on_one_line, tables

from kgbench.errors import DataError
from kgbench.report.columns import ALL
from kgbench.report.faces import Face, read, render
from kgbench.report.table import Section, Table, make_table
from kgbench.seam.render import one_line

PEOPLE = (Face.MARKDOWN, Face.LATEX, Face.HTML)


def without_groups(table: Table) -> Table:
    """A table as faces for people have it."""
    table = on_one_line(table)
    columns = table.visible
    sections = tuple(
        replace(section, rows=tuple({column.key: row[column.key] for column in columns} for row in section.rows))
        for section in table.sections
    )
    return Table(columns, sections, table.notes)


def without_aside(table: Table) -> Table:
    return replace(table, sections=tuple(replace(section, aside=0) for section in table.sections))


@given(tables())
def test_json_gives_back_the_whole_table(table: Table) -> None:
    assert read(render(table, Face.JSON), Face.JSON, COLUMNS) == table


@given(tables())
def test_latex_and_html_give_back_all_but_the_groups(table: Table) -> None:
    for face in (Face.LATEX, Face.HTML):
        assert read(render(table, face), face, COLUMNS) == without_groups(table), face


@given(tables())
def test_markdown_gives_back_all_but_groups_and_what_stands_apart(table: Table) -> None:
    assert read(render(table, Face.MARKDOWN), Face.MARKDOWN, COLUMNS) == without_aside(without_groups(table))


@given(tables())
def test_csv_gives_back_every_cell(table: Table) -> None:
    back = read(render(table, Face.CSV), Face.CSV, COLUMNS)
    assert back.columns == table.columns
    assert [dict(row) for section in back.sections for row in section.rows] == [
        dict(row) for section in on_one_line(table).sections for row in section.rows
    ]


@pytest.mark.parametrize("face", Face)
def test_every_odd_text_in_every_place(face: Face) -> None:
    table = odd_table()
    back = read(render(table, face), face, COLUMNS)
    rows = [row for section in back.sections for row in section.rows]
    assert len(rows) == 2 * len(ODD)
    assert [row[NAME.key] for row in rows] == [text if face is Face.JSON else one_line(text) for text in ODD] * 2
    assert [row[SCORE.key] for row in rows] == [row[SCORE.key] for section in table.sections for row in section.rows]


@given(tables())
def test_no_face_holds_a_control_character(table: Table) -> None:
    for face in Face:
        text = render(table, face)
        assert all(char == "\n" or char.isprintable() for char in text), face
        text.encode("utf-8")


@given(tables())
def test_the_same_table_is_the_same_text(table: Table) -> None:
    for face in PEOPLE:
        back = read(render(table, face), face, COLUMNS)
        again = replace(
            back,
            sections=tuple(
                replace(section, aside=original.aside)
                for section, original in zip(back.sections, table.sections, strict=True)
            ),
        )
        assert render(again, face) == render(without_groups(table), face)


@pytest.mark.parametrize("face", Face)
def test_a_text_that_is_no_table_is_an_error(face: Face) -> None:
    with pytest.raises(DataError):
        read("", face)
    with pytest.raises(DataError):
        read("name of a stranger,x\n1\n", face)


def test_an_unknown_column_and_a_short_line_are_errors() -> None:
    table = make_table((NAME, SCORE), [("t", [{"name": "x", "score": 0.5}])])
    text = render(table, Face.CSV)
    with pytest.raises(DataError, match='a column "name" that is none of the expected ones'):
        read(text, Face.CSV, (SCORE,))
    with pytest.raises(DataError, match="has 1 cells under 2 headings"):
        read(text.replace(",0.5000", ""), Face.CSV, COLUMNS)
    markdown = render(table, Face.MARKDOWN).replace("| x | 0.5000 |", "| x |")
    with pytest.raises(DataError, match="has 1 cells under 2 headings"):
        read(markdown, Face.MARKDOWN, COLUMNS)
    data = json.loads(render(table, Face.JSON))
    del data["sections"][0]["rows"][0]["score"]
    with pytest.raises(DataError, match="no JSON of a table: KeyError"):
        read(json.dumps(data), Face.JSON, COLUMNS)


def test_headings_of_all_columns_are_distinct() -> None:
    assert len({column.title for column in ALL}) == len({column.key for column in ALL}) == len(ALL)


def test_a_table_without_rows_has_every_face() -> None:
    table = make_table((NAME, SCORE), [("nothing yet", [])])
    for face in Face:
        assert lengths(read(render(table, face), face, COLUMNS)) == [0]
    assert read(render(table, Face.HTML), Face.HTML, COLUMNS).sections == (Section("nothing yet", ()),)
