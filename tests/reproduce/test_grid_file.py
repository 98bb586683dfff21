"""Reading grids: what a file may say, and how its faults are named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from grid_desk import TWO_ROWS, grid

from kgbench.errors import DataError, PrerequisiteMissing, UsageError
from kgbench.reproduce.grid import cells
from kgbench.reproduce.grid_file import find_grids, shipped_grids
from kgbench.types import Scenario

ROW = '[[row]]\npreset = "io-official"\n'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[grid", "own.toml: is no TOML"),
        ("", r"own.toml: holds no row"),
        ("row = 3", r"own.toml: holds no row"),
        (f"colour = 3\n{ROW}", 'own.toml: there is no key "colour"'),
        (f"[grid]\nmeasure = []\n{ROW}", 'own.toml: grid: there is no key "measure"; did you mean measures'),
        (f"[grid]\ntitle = 3\n{ROW}", "own.toml: grid.title must be a text; got 3"),
        (f'[grid]\nmeasures = "hits1"\n{ROW}', "own.toml: grid.measures must be a list of texts"),
        (f'[grid]\nmeasures = ["hits2"]\n{ROW}', 'own.toml: grid.measures: there is no measure "hits2"; did you mean'),
        (f"[grid]\nmeasures = []\n{ROW}", "own.toml: grid.measures must not be empty"),
        (f'[grid]\nmeasures = ["hits1", "calls"]\n{ROW}', "own.toml: grid.measures: all of one kind"),
        (f'[grid]\nbeside = ["loud"]\n{ROW}', "own.toml: grid.beside: there is no measure"),
        (f'[grid]\nscenarios = ["secret"]\n{ROW}', 'own.toml: grid.scenarios: there is no choice "secret"'),
        (
            f'[grid]\nsettings = ["totl"]\n{ROW}',
            'own.toml: grid.settings: there is no choice "totl"; did you mean total',
        ),
        (f'[grid]\nfigure = "pie"\n{ROW}', "own.toml: grid.figure"),
        (f'[grid]\ntable = "table1"\n{ROW}', "own.toml: grid.published and grid.table belong together"),
        ("[[row]]\nlabel = 'x'", "own.toml: row 1: lacks a method"),
        (f"{ROW}[[row]]\npresets = 'x'", 'own.toml: row 2: there is no key "presets"; did you mean preset'),
        (f"{ROW}scenarios = ['x']", "own.toml: row 1: scenarios"),
        (f"{ROW}optional = 1", "own.toml: row 1: optional is true or false"),
        (f"{ROW}optional = true", "own.toml: row 1: an optional row names its method"),
        (f"{ROW}method = 'io'", "own.toml: row 1: method must be a table"),
        (ROW + ROW, 'own.toml: row 2: label "io-official" is that of row 1'),
        (f"[[dataset]]\nkg = 'x'\n{ROW}", "own.toml: dataset 1: lacks name"),
        (f"[[dataset]]\nname = 'demo'\nsize = 3\n{ROW}", 'own.toml: dataset 1: there is no key "size"'),
        (f"[dataset]\nname = 'demo'\n{ROW}", r"own.toml: dataset must be tables under the heading \[\[dataset\]\]"),
        (f"[questions]\ncwq = 0\n{ROW}", "own.toml: questions.cwq must be a whole number from 1; got 0"),
        (f"[conditions]\nweather = 'fine'\n{ROW}", 'own.toml: conditions: there is no key "weather"'),
    ],
)
def test_a_fault_is_named_with_file_and_key(text: str, fault: str) -> None:
    with pytest.raises(DataError, match=fault):
        grid(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"{ROW}[row.method]\nwidht = 3", None),  # parameters are checked when a run is planned
        (f"{ROW}[row.privacy]\nscenari = 'x'", 'own.toml: row 1: there is no setting "privacy.scenari"'),
        (f"{ROW}[row.run]\ntrials = 'x'", 'own.toml: row 1: setting "run.trials" takes int'),
        (f"[run]\ntrial = 3\n{ROW}", 'own.toml: there is no setting "run.trial"; did you mean run.trials'),
        ("[[row]]\npreset = 'io-oficial'", 'own.toml: row 1: there is no config file or preset "io-oficial"'),
    ],
)
def test_a_wrong_setting_is_named_with_its_row(text: str, fault: str | None) -> None:
    if fault is None:
        assert len(cells(grid(text), {})) == 1
        return
    with pytest.raises(UsageError, match=fault):
        cells(grid(text), {})


def test_later_settings_win_preset_then_grid_then_row_then_option() -> None:
    text = """
        [privacy]
        topic_names = "mask"
        [run]
        trials = 2
        seed = 5
        [[row]]
        preset = "arog-paper"
        [row.method]
        width = 1
        [row.run]
        seed = 6
    """
    (cell,) = cells(grid(text), {"trials": 4})
    assert (cell.spec.topic_names, cell.spec.seed, cell.spec.trials) == ("mask", 6, 4)
    assert (cell.spec.parameters["width"], cell.spec.parameters["depth"]) == (1, 3)


def test_every_row_meets_every_scenario_unless_it_names_its_own() -> None:
    text = (
        '[grid]\nscenarios = ["p-r", "private"]\n'
        + TWO_ROWS
        + '[[row]]\nlabel = "x"\npreset = "arog-paper"\nscenarios = ["p-rag"]'
    )
    found = [(cell.row.label, cell.spec.scenario) for cell in cells(grid(text), {})]
    assert found == [
        ("io-official", Scenario.P_R),
        ("io-official", Scenario.PRIVATE),
        ("cot-official", Scenario.P_R),
        ("cot-official", Scenario.PRIVATE),
        ("x", Scenario.P_RAG),
    ]


def test_the_filter_runs_first_in_private_and_does_not_show() -> None:
    text = '[grid]\nsettings = ["filtered"]\nscenarios = ["p-rag"]\n' + ROW
    first, second = cells(grid(text), {})
    assert (first.spec.method, first.spec.scenario, first.shown) == ("cot", Scenario.PRIVATE, False)
    assert (second.spec.method, second.spec.scenario, second.shown) == ("io", Scenario.P_RAG, True)


def test_given_data_sets_take_the_place_of_the_files_and_keep_their_number_of_questions() -> None:
    text = '[[dataset]]\nname = "demo"\nlimit = 7\n[questions]\ncwq = 1000\n' + ROW
    assert [(cell.spec.dataset, cell.spec.limit) for cell in cells(grid(text), {})] == [("demo", 7)]
    found = cells(grid(text), {}, ("webqsp", "cwq:x.json"))
    assert [(cell.spec.dataset, cell.spec.limit) for cell in found] == [("webqsp", None), ("cwq:x.json", 1000)]
    assert [cell.spec.limit for cell in cells(grid(text), {"limit": 5}, ("cwq",))] == [5]


def test_grids_are_found_by_name_or_file() -> None:
    Path("mine.toml").write_text(ROW)
    assert find_grids("mine.toml")[0].name == "mine"
    assert [one.name for one in find_grids("all")] == shipped_grids()
    with pytest.raises(UsageError, match='there is no table or figure "tabel1"; did you mean table1'):
        find_grids("tabel1")
    with pytest.raises(PrerequisiteMissing, match=r"cannot read the grid nowhere\.toml"):
        find_grids("nowhere.toml")
    Path("latin.toml").write_bytes(b'[grid]\ntitle = "caf\xe9"\n')
    with pytest.raises(DataError, match=r"latin\.toml: byte 19 is no UTF-8"):
        find_grids("latin.toml")


def test_the_grid_of_the_docs_is_six_methods_in_four_scenarios() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "reproduce.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    found = [(cell.row.label, cell.spec.scenario) for cell in cells(grid(block), {})]
    assert len(found) == len(set(found)) == 24
