"""The grids that ship: their methods exist, and their published numbers are those of the papers."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from kgbench.config import preset_names
from kgbench.reproduce.beside import beside
from kgbench.reproduce.grid import cells, installed
from kgbench.reproduce.grid_file import find_grids, shipped_grids
from kgbench.run.plan import load_method
from kgbench.types import Scenario

NAMES = ["table1", "table2", "table3", "table5", "fig3", "fig4", "fig5"]
PLANNED = {"kb-binder", "kb-binder-r", "trustuqa", "trustuqa-r"}
TABLE2 = {
    (False, False, False): "arog-step1-no-sa",
    (False, False, True): "arog-step1",
    (False, True, False): "arog-steps13-no-sa",
    (False, True, True): "arog-steps13",
    (True, True, False): "arog-no-sa",
    (True, True, True): "arog-paper",
}
"""Steps 2, 3 and SA -> preset."""


def test_the_seven_are_there() -> None:
    assert shipped_grids() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_methods_and_parameters_exist(name: str) -> None:
    (grid,) = find_grids(name)
    for cell in cells(grid, {}):
        assert load_method(cell.spec.method, dict(cell.spec.parameters)).card.name == cell.spec.method
        assert cell.spec.pseudonyms == "keyed"  # ids of the graph are shown only where the user asks for it
    missing = {row.label for row in grid.rows if not installed(row)}
    assert missing == (PLANNED if name in ("table1", "table5") else set())


@pytest.mark.parametrize("name", NAMES)
def test_every_published_number_stands_beside_a_row_and_every_row_has_one(name: str) -> None:
    (grid,) = find_grids(name)
    published = beside(grid)
    shown = {
        (row.published, str(scenario), setting)
        for row in grid.rows
        for scenario in row.scenarios or grid.scenarios
        for setting in grid.settings
    }
    assert {(one.label, one.scenario, one.setting) for one in published.rows} == shown
    assert all(set(grid.measures) <= set(one.values) for one in published.rows)


def test_presets_in_published_rows_exist() -> None:
    for name in NAMES:
        (grid,) = find_grids(name)
        assert {one.preset for one in beside(grid).rows if one.preset} <= set(preset_names())


def test_figure_3_has_four_widths_and_depths() -> None:
    (grid,) = find_grids("fig3")
    found = [(cell.spec.parameters["width"], cell.spec.parameters["depth"]) for cell in cells(grid, {}) if cell.shown]
    assert sorted(found) == sorted([(1, 3), (2, 3), (3, 3), (4, 3), (3, 1), (3, 2), (3, 4)])


def test_figure_5_is_three_methods_in_four_scenarios() -> None:
    (grid,) = find_grids("fig5")
    found = [(cell.spec.method, cell.spec.scenario) for cell in cells(grid, {}) if cell.shown]
    assert sorted(found) == sorted((method, one) for method in ("arog", "arog-r", "tog") for one in Scenario)


@pytest.fixture(scope="module")
def papers() -> dict[str, Any]:
    """The numbers as typed from the papers, which are no part of the project."""
    file = Path(__file__).resolve().parents[3] / "shared" / "specs" / "published.toml"
    if not file.is_file():
        pytest.skip("the numbers typed from the papers are not at hand")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["table1", "table2", "table5"])
def test_shares_equal_those_of_the_papers(papers: dict[str, Any], name: str) -> None:
    (grid,) = find_grids(name)
    published = beside(grid)
    checked = 0
    for entry in papers[name]:
        label = entry.get("method") or TABLE2[entry["step2"], entry["step3"], entry["sa"]]
        for dataset in ("webqsp", "cwq", "grailqa"):
            for setting, key in (("total", "tot"), ("filtered", "fil")):
                ours = published.number(label, Scenario.PRIVATE, dataset, setting, "tog_loose_arog")
                theirs = entry.get(dataset, {}).get(key)
                assert (None if ours is None else round(ours * 100, 4)) == theirs, (label, dataset, setting)
                checked += theirs is not None
        assert {row.model for row in published.rows if row.label == label} == {
            entry.get("model", "gpt-4o-mini-2024-07-18")
        }
    assert checked == len(published.rows)


def test_calls_and_tokens_equal_those_of_the_papers(papers: dict[str, Any]) -> None:
    (grid,) = find_grids("table3")
    published = beside(grid)
    for entry in papers["table3"]:
        for measure in grid.measures:
            ours = published.number(entry["method"], Scenario.PRIVATE, entry["dataset"], "total", measure)
            assert ours == entry[measure]
    assert len(published.rows) == len(papers["table3"])


@pytest.mark.parametrize(
    ("name", "label", "scenario", "dataset", "setting", "percent"),
    [
        ("fig3", "arog-width-1", Scenario.PRIVATE, "webqsp", "total", 67.0),
        ("fig3", "arog-width-4", Scenario.PRIVATE, "grailqa", "filtered", 70.4),
        ("fig3", "arog-depth-1", Scenario.PRIVATE, "cwq", "total", 39.7),
        ("fig3", "arog-depth-2", Scenario.PRIVATE, "webqsp", "filtered", 60.7),
        ("fig4", "arog-sa-cot", Scenario.PRIVATE, "cwq", "filtered", 34.1),
        ("fig4", "arog-sa-dec", Scenario.PRIVATE, "webqsp", "total", 69.6),
        ("fig5", "arog", Scenario.P_RAG, "cwq", "total", 64.0),
        ("fig5", "arog-r", Scenario.P_G, "webqsp", "filtered", 46.9),
        ("fig5", "tog", Scenario.P_R, "grailqa", "total", 38.2),
    ],
)
def test_values_of_the_figures(
    name: str, label: str, scenario: Scenario, dataset: str, setting: str, percent: float
) -> None:
    (grid,) = find_grids(name)
    number = beside(grid).number(label, scenario, dataset, setting, "tog_loose_arog")
    assert number == pytest.approx(percent / 100)


def test_figures_repeat_the_tables_where_they_show_the_same_run() -> None:
    tables = beside(find_grids("table2")[0])
    for name in ("fig3", "fig4"):
        figure = beside(find_grids(name)[0])
        for dataset in tables.datasets:
            for setting in ("total", "filtered"):
                wanted = ("arog-paper", Scenario.PRIVATE, dataset, setting, "tog_loose_arog")
                assert figure.number(*wanted) == tables.number(*wanted)
