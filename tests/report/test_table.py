from __future__ import annotations

import csv
import io
import json
import re

import pytest

from kgbench.report.faces import escape_csv, to_csv, to_json, to_markdown, to_plain, unescape_csv
from kgbench.report.table import Column, Kind, Measured, Table, make_table, measured, sort_value

NAME = Column("name", "name")
SCORE = Column("score", "score", Kind.SHARE, 1)
CALLS = Column("calls", "calls", Kind.MEAN, -1)
COUNT = Column("count", "n", Kind.COUNT)
COST = Column("cost", "USD", Kind.USD, -1, missing="unknown")
GROUP = Column("group", "group", grouping=True)
ODD = [
    "[/red]",
    "<b>bold</b>",
    "=1+1",
    "a|b",
    "'=x",
    "-5",
    "@home",
    "+1",
    r"back\slash",
    "*star* _under_ `tick`",
    "&amp;",
]


def table_of(names: list[str]) -> Table:
    rows = [
        {
            "group": "one",
            "name": name,
            "score": Measured(0.123456, 0.05, 1 / 3),
            "calls": -3.26,
            "count": 7,
            "cost": 0.000125 if number else None,
        }
        for number, name in enumerate(names)
    ]
    return make_table((GROUP, NAME, SCORE, CALLS, COUNT, COST), [("data set [one] | first", rows)], ["a note: <i>"])


def read_markdown(text: str) -> list[list[str]]:
    """Cells of every table line, unescaped as a Markdown reader would."""
    lines = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    cells = [re.split(r"(?<!\\)\|", line.strip("|")) for line in lines]
    return [[_unescaped(cell.strip()) for cell in line] for line in cells]


def _unescaped(cell: str) -> str:
    plain = cell.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return re.sub(r"\\([^\w\s])|\\(_)", lambda match: match[1] or match[2], plain)


def test_every_face_gives_the_same_numbers() -> None:
    table = table_of(["arog"])
    line = read_markdown(to_markdown(table))[1]
    row = next(csv.DictReader(io.StringIO(to_csv(table))))
    data = json.loads(json.dumps(to_json(table)))["sections"][0]["rows"][0]
    assert line == ["arog", "0.1235 [0.0500, 0.3333]", "-3.3", "7", "unknown"]
    assert (row["score"], row["score_low"], row["score_high"]) == ("0.1235", "0.0500", "0.3333")
    assert (row["calls"], row["count"], row["cost"]) == ("-3.3", "7", "")
    assert data["score"] == {"value": 0.1235, "low": 0.05, "high": 0.3333}
    assert (data["calls"], data["count"], data["cost"]) == (-3.3, 7, None)
    assert "0.1235 [0.0500, 0.3333]" in to_plain(table)


def test_odd_names_survive_markdown_and_csv() -> None:
    table = table_of(ODD)
    assert [line[0] for line in read_markdown(to_markdown(table))[1:]] == ODD
    rows = list(csv.DictReader(io.StringIO(to_csv(table))))
    assert [unescape_csv(row["name"]) for row in rows] == ODD


def test_markdown_leaves_no_markup_of_a_foreign_text() -> None:
    text = to_markdown(table_of(["<script>", "a|b", "[x](y)"]))
    assert "<script>" not in text
    assert "[x](" not in text
    assert len({line.replace(r"\|", "").count("|") for line in text.splitlines() if line.startswith("|")}) == 1


def test_names_with_line_ends_stay_on_one_line() -> None:
    table = table_of(["two\nlines\x1b[31m"])
    assert "two lines" in to_plain(table)
    assert "\x1b" not in to_plain(table) + to_markdown(table) + to_csv(table)
    assert len(to_csv(table).splitlines()) == 2


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_csv_disarms_formulas_of_texts_alone(text: str) -> None:
    assert escape_csv(text) == f"'{text}"
    row = next(csv.DictReader(io.StringIO(to_csv(table_of([text])))))
    assert row["name"] == f"'{text}"
    assert row["calls"] == "-3.3"


def test_groups_stand_in_csv_and_in_titles_alone() -> None:
    table = table_of(["x"])
    assert "group" in to_csv(table).splitlines()[0].split(",")
    assert read_markdown(to_markdown(table))[0][0] == "name"


def test_money_keeps_small_sums_and_drops_zeros() -> None:
    text = to_plain(make_table((COST,), [("", [{"cost": 0.000125}, {"cost": 12.0}, {"cost": None}])]))
    assert text.split() == ["USD", "0.000125", "12.00", "unknown"]


def test_best_first_and_missing_last() -> None:
    cells = [0.5, None, Measured(0.9, 0.8, 1.0), 0.1]
    assert sorted(cells, key=lambda cell: sort_value(SCORE, cell)) == [cells[2], 0.5, 0.1, None]
    assert sorted([2.0, None, 1.0], key=lambda cell: sort_value(CALLS, cell)) == [1.0, 2.0, None]


def test_a_number_without_interval_stands_alone() -> None:
    assert measured(0.5, None) == 0.5
    assert measured(None, (0.0, 1.0)) is None
    assert measured(0.5, [0.25, 0.75]) == Measured(0.5, 0.25, 0.75)
