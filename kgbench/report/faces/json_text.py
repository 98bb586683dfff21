"""A table as JSON, whole: columns, sections, rows, ranks and notes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kgbench.errors import DataError
from kgbench.report.faces.cells import Found, Headings, table_of
from kgbench.report.table import Measured, Rank

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgbench.report.table import Cell, Column, Section, Table


def json_text(table: Table) -> str:
    """Return a table as a JSON text in ascii."""
    return json.dumps(to_json(table), indent=2, ensure_ascii=True) + "\n"


def to_json(table: Table) -> dict[str, Any]:
    """Return a table as JSON-ready values; a number with an interval is an object with value, low and high.

    ``best`` and ``second`` of a section map column keys to the positions of rows, from 0; ``aside`` counts the last rows
    that are not ranked with the others.
    """
    return {
        "columns": [_column(column) for column in table.columns],
        "sections": [_section(table, section) for section in table.sections],
        "notes": list(table.notes),
    }


def _column(column: Column) -> dict[str, Any]:
    described = {"key": column.key, "title": column.title, "kind": str(column.kind), "better": column.better}
    return described | ({"metric": column.metric} if column.metric else {})


def _section(table: Table, section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "rows": [{column.key: _cell(row[column.key]) for column in table.columns} for row in section.rows],
        "best": _positions(table, section, Rank.BEST),
        "second": _positions(table, section, Rank.SECOND),
        "aside": section.aside,
    }


def _positions(table: Table, section: Section, rank: Rank) -> dict[str, list[int]]:
    found = {
        column.key: [place for place in range(len(section.rows)) if section.rank(place, column) is rank]
        for column in table.columns
    }
    return {key: places for key, places in found.items() if places}


def _cell(cell: Cell) -> Any:
    if isinstance(cell, Measured):
        return {"value": cell.value, "low": cell.low, "high": cell.high}
    return cell


def read_json(text: str, columns: Iterable[Column]) -> Table:
    """Read back what :func:`json_text` wrote.

    Raises:
        DataError: it is no JSON, or lacks a part of a table.
    """
    known = tuple(columns)
    headings = Headings(known, key=True)
    try:
        data = json.loads(text)
        shown = [headings.column(column["key"]) for column in data["columns"]]
        found = []
        for section in data["sections"]:
            one = Found(section["title"])
            one.head(shown)
            for row in section["rows"]:
                one.add(shown, [(_read(row[column.key]), None) for column in shown])
            for rank in Rank:
                one.ranks |= {(place, key): rank for key, places in section[rank].items() for place in places}
            one.aside = set(range(section["aside"]))
            found.append(one)
        return table_of(found, known, data["notes"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"the text is no JSON of a table: {type(error).__name__}: {error}") from None


def _read(cell: Any) -> Cell:
    value: Cell = Measured(cell["value"], cell["low"], cell["high"]) if isinstance(cell, dict) else cell
    return value
