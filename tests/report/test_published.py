from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgbench.errors import DataError, PrerequisiteMissing, UsageError
from kgbench.report.published import (
    import_published,
    parse_published,
    published,
    published_names,
    read_published,
    shipped_names,
)

if TYPE_CHECKING:
    from pathlib import Path

AROG = "arog-2508.08785"
GOOD = """
source = "Journal of Tests 1"
title = "A test"

[[tables]]
name = "table1"
published_as = "Hits@1"
unit = "percent"
model = "m"
conditions = "as they were"
rows = [
    { method = "io", dataset = "toy", n = 10, tog_loose_arog = 12.5 },
    { method = "io", dataset = "toy", setting = "filtered", tog_loose_arog = 7, calls = 3 },
]
"""
CSV = """source,table,method,model,dataset,setting,n,published_as,conditions,unit,tog_loose_arog,calls
Journal of Tests 1,table1,io,m,toy,total,10,Hits@1,"as they, were",percent,12.5,
Journal of Tests 1,table1,io,m,toy,filtered,,Hits@1,"as they, were",percent,7,3
"""


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "data"))


def test_the_shipped_numbers_are_those_of_the_paper() -> None:
    table = published(AROG)
    assert table.tables == ("table1", "table5", "table2", "table3")
    assert len(table.rows) == 54 + 54 + 36 + 12
    assert all(row.source and row.published_as and row.conditions and row.model for row in table.rows)
    (arog,) = table.select(table="table1", method="arog", dataset="cwq", setting="filtered")
    assert (arog.values, arog.n, arog.scenario) == ({"tog_loose_arog": 0.363}, None, "private")
    (tog,) = table.select(table="table3", method="tog", dataset="webqsp")
    assert tog.values == {"calls": 15.4, "input_tokens": 6356.4, "output_tokens": 1357.0, "total_tokens": 7713.4}
    (full,) = table.select(table="table2", preset="arog-paper", dataset="webqsp", setting="total")
    assert full.values == {"tog_loose_arog": 0.747} == table.select(table="table1", method="arog")[0].values
    assert full.label == "arog-paper"


def test_no_published_hits_are_called_hits1() -> None:
    for name in shipped_names():
        assert not any("hits1" in row.values for row in published(name).rows)


def test_presets_that_shipped_rows_name_are_shipped() -> None:
    from kgbench.config import preset_names

    named = {row.preset for name in shipped_names() for row in published(name).rows if row.preset}
    assert named and named <= set(preset_names())


def test_sums_of_tokens_agree_with_their_parts() -> None:
    for row in published(AROG).select(table="table3"):
        values = row.values
        assert values["input_tokens"] + values["output_tokens"] == pytest.approx(values["total_tokens"], abs=0.11)


def test_toml_and_csv_say_the_same() -> None:
    toml, csv = parse_published(GOOD, "x", "x.toml"), parse_published(CSV, "x", "x.csv")
    assert [row.values for row in toml.rows] == [{"tog_loose_arog": 0.125}, {"tog_loose_arog": 0.07, "calls": 3.0}]
    assert [row.values for row in csv.rows] == [row.values for row in toml.rows]
    assert [(row.n, row.setting, row.table) for row in csv.rows] == [
        (10, "total", "table1"),
        (None, "filtered", "table1"),
    ]
    assert csv.source == toml.source == "Journal of Tests 1"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("source = ", "sauce = ", 'x.toml: there is no key "sauce"; did you mean source'),
        ('source = "Journal of Tests 1"', "", "x.toml: lacks source"),
        ("[[tables]]", "[[tables", "x.toml: is no TOML: .*line 5"),
        ("[[tables]]", "[[tabels]]", r"x.toml: needs tables, each under the heading \[\[tables\]\]"),
        ('name = "table1"', "", "x.toml: table 1: lacks name"),
        ('published_as = "Hits@1"', "", r"x.toml: table 1 \(table1\), row 1: lacks published_as"),
        ('conditions = "as they were"', "", "row 1: lacks conditions"),
        ('model = "m"', "", "row 1: lacks model"),
        ('model = "m"', "model = 4", "row 1: model must be a text; got 4"),
        (", tog_loose_arog = 12.5", "", "row 1: holds no number"),
        ("tog_loose_arog = 12.5", 'tog_loose_arog = "12.5"', "row 1: tog_loose_arog must be a number; got '12.5'"),
        ("tog_loose_arog = 12.5", "tog_loose_arog = true", "row 1: tog_loose_arog must be a number; got True"),
        ("tog_loose_arog = 12.5", "tog_loose_arog = nan", "row 1: tog_loose_arog must be a number; got nan"),
        ("tog_loose_arog = 12.5", "tog_loose_arog = 101", "must be a share from 0 to 1; got 101"),
        ("tog_loose_arog = 12.5", "tog_loose_arog = -1", "must be a share from 0 to 1; got -1"),
        ('unit = "percent"', "", 'must be a share from 0 to 1; for percent, say unit = "percent"; got 12.5'),
        ('unit = "percent"', 'unit = "points"', 'unit is one of percent, share; got "points"'),
        ("tog_loose_arog = 12.5", "tog_lose_arog = 1", 'no key "tog_lose_arog"; did you mean tog_loose_arog'),
        ("calls = 3", "calls = -3", "row 2: calls must not be negative"),
        ('setting = "filtered"', 'setting = "fil"', 'row 2: setting is one of total, filtered; got "fil"'),
        ('setting = "filtered"', 'scenario = "open"', 'scenario is one of private, p-r, p-g, p-rag; got "open"'),
        ('setting = "filtered"', 'setting = "total"', "row 2: the same row as x.toml: table 1"),
        ("n = 10", "n = 0", "row 1: n must be a whole number from 1; got 0"),
        ("rows = [", "lines = [", "rows must be a list of tables"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(old: str, new: str, expected: str) -> None:
    assert old in GOOD
    with pytest.raises(DataError, match=expected):
        parse_published(GOOD.replace(old, new, 1), "x", "x.toml")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("12.5,", "twelve,", 'x.csv, line 2: tog_loose_arog must be a number; got "twelve"'),
        ("percent,7,3", "percent,7", "x.csv, line 3: has another number of cells than the head"),
        ("Journal of Tests 1,table1,io,m,toy,f", ",table1,io,m,toy,f", "x.csv, line 3: lacks source"),
        ("method,model", "methode,model", 'x.csv, line 2: there is no key "methode"'),
        (",10,", ",ten,", 'x.csv, line 2: n must be a number; got "ten"'),
        ('"as they, were"', '"as they', "x.csv, line .: is no CSV"),
    ],
)
def test_a_csv_with_a_fault_is_refused_with_its_line(old: str, new: str, expected: str) -> None:
    assert old in CSV
    with pytest.raises(DataError, match=expected):
        parse_published(CSV.replace(old, new, 1), "x", "x.csv")


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(DataError, match=r"x.csv: holds no row"):
        parse_published("", "x", "x.csv")


def test_an_imported_file_is_found_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD, encoding="utf-8")
    table, kept = import_published(path)
    path.unlink()
    assert kept.is_file()
    assert published_names() == sorted([*shipped_names(), "mine"])
    assert published("mine").rows == table.rows
    csv = tmp_path / "other.csv"
    csv.write_text(CSV, encoding="utf-8")
    import_published(csv, "mine")
    assert published_names() == sorted([*shipped_names(), "mine"])
    assert published("mine").rows[0].conditions == "as they, were"
    assert published(str(csv)).rows == published("mine").rows


@pytest.mark.parametrize(
    ("name", "expected"),
    [(AROG, "come with kgbench; choose another"), ("../up", "cannot be a name"), ("", "cannot be a name")],
)
def test_names_that_are_taken_or_no_names(tmp_path: Path, name: str, expected: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD, encoding="utf-8")
    with pytest.raises(UsageError, match=expected):
        import_published(path, name)


def test_a_bad_file_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace("12.5", "true"), encoding="utf-8")
    with pytest.raises(DataError):
        import_published(path)
    assert published_names() == shipped_names()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteMissing, match="cannot read"):
        read_published(tmp_path / "absent.toml")
    (tmp_path / "latin.toml").write_bytes(b'source = "\xe9"')
    with pytest.raises(DataError, match="byte 10 is no UTF-8"):
        read_published(tmp_path / "latin.toml")
    (tmp_path / "x.txt").write_text("x")
    with pytest.raises(DataError, match=r"read from \.toml or \.csv"):
        read_published(tmp_path / "x.txt")
    with pytest.raises(UsageError, match=rf'"arog-2508"; did you mean {AROG}'):
        published("arog-2508")
