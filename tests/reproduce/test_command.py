"""``kgbench reproduce`` as a user types it."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgbench.testing import ChatServer, chat, failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from grid_desk import Outcome

    Cli = Callable[..., Outcome]

OWN = """
[grid]
title = "Two rows"
measures = ["hits1"]
scenarios = ["private", "p-rag"]
[[row]]
method = { name = "io" }
[[row]]
label = "narrow"
preset = "arog-paper"
[row.method]
width = 1
"""
MODEL = "openai/gpt-4o-mini-2024-07-18"


@pytest.fixture
def own() -> str:
    Path("own.toml").write_text(OWN)
    return "own.toml"


def files() -> list[Path]:
    return [path for path in Path.cwd().rglob("*") if path.is_file() and path.name != "own.toml"]


def test_a_plan_lists_the_runs_and_writes_nothing(cli: Cli, own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KGBENCH_KEY")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(Path.cwd() / "config"))
    done = cli("reproduce", own, "--limit", 3, "--plan", "--model", MODEL)
    assert done.code == 0
    assert files() == []
    assert "runs       4: 0 finished, 0 begun, 4 to begin" in done.out
    assert "questions  12, of which 0 are answered" in done.out
    assert [line.split()[:2] for line in done.out.splitlines()[1:5]] == [
        ["io", "private"],
        ["io", "p-rag"],
        ["narrow", "private"],
        ["narrow", "p-rag"],
    ]
    assert "Nothing was sent or written" in done.out
    assert "OPENAI_API_KEY" in done.out  # what is missing is found by looking


def test_a_plan_counts_what_is_left_at_the_price_of_the_model(cli: Cli, own: str) -> None:
    plan = json.loads(cli("reproduce", own, "--limit", 3, "--plan", "--json", "--model", MODEL).out)
    io_runs = [run for run in plan["runs"] if run["row"] == "io"]
    # A call a question: 450 tokens in at 0.15 and 50 out at 0.60 USD a million.
    assert [run["left"]["typical"]["usd"] for run in io_runs] == [
        pytest.approx(3 * (450 * 0.15 + 50 * 0.6) / 1e6, abs=1e-4)
    ] * 2
    total = plan["left"]["typical"]
    assert total["calls"] == sum(run["left"]["typical"]["calls"] for run in plan["runs"])
    assert total["usd"] > 0
    assert plan["left"]["largest"]["usd"] > total["usd"]


def test_a_grid_of_ones_own_runs_and_is_taken_from_there_the_next_time(cli: Cli, own: str) -> None:
    done = cli("reproduce", own, "--limit", 3)
    assert done.code == 0
    assert done.out.splitlines()[0] == "demo, total: hits1"
    rows = [line.split() for line in done.out.splitlines()[2:6]]
    assert [(row[0], row[1]) for row in rows] == [
        ("io", "private"),
        ("io", "p-rag"),
        ("narrow", "private"),
        ("narrow", "p-rag"),
    ]
    assert all(row[3:5] == ["builtin/reader", "no"] for row in rows)
    assert "grid: 4 of 4 runs finished" in done.err
    assert "not a language model" in done.err
    again = cli("reproduce", own, "--limit", 3)
    assert again.out == done.out
    assert "4 finished, 0 begun, 0 to begin" in again.err
    assert len(list(Path("runs").iterdir())) == 4
    assert sorted(file.name for file in Path("reproduced/own").iterdir()) == [
        "result.json",
        "runs.json",
        "table.csv",
        "table.json",
        "table.md",
    ]
    plan = json.loads(cli("reproduce", own, "--limit", 3, "--plan", "--json").out)
    assert {run["state"] for run in plan["runs"]} == {"finished"}
    assert {run["left"]["largest"]["calls"] for run in plan["runs"]} == {0}
    assert plan["left"]["typical"] == {"calls": 0, "input_tokens": 0, "output_tokens": 0, "usd": 0}


def test_json_is_one_object(cli: Cli) -> None:
    done = cli("reproduce", "table3", "--limit", 1, "--json", "--report", "elsewhere")
    found = json.loads(done.out)
    assert set(found) == {"grids", "runs"}
    (grid,) = found["grids"]
    assert set(grid) == {"grid", "title", "published", "conditions", "splits", "troubles", "table", "files"}
    assert grid["published"] == {
        "source": "arXiv 2508.08785",
        "url": "https://arxiv.org/abs/2508.08785",
        "table": "table3",
    }
    assert [section["title"] for section in grid["table"]["sections"]] == [
        f"demo, total: {name}" for name in ("calls", "input_tokens", "output_tokens", "total_tokens")
    ]
    row = grid["table"]["sections"][0]["rows"][0]
    assert (row["row"], row["lm"], row["n"], row["reported_webqsp"]) == ("tog", "no", 1, 15.4)
    assert {Path(path).name for path in found["runs"].values()} == {path.name for path in Path("runs").iterdir()}
    assert all(Path(file).is_file() for file in grid["files"])


@pytest.mark.parametrize(
    ("face", "sign"), [("md", "| row |"), ("csv", "dataset,setting"), ("latex", "\\begin{"), ("html", "<")]
)
def test_the_table_in_other_forms(cli: Cli, own: str, face: str, sign: str) -> None:
    done = cli("reproduce", own, "--limit", 1, "--format", face)
    assert done.code == 0
    assert sign in done.out


def test_the_table_on_standard_output_and_in_files_is_one(cli: Cli, own: str) -> None:
    out = cli("reproduce", own, "--limit", 2, "--format", "csv").out
    written = Path("reproduced/own/table.csv").read_text()
    assert list(csv.DictReader(io.StringIO(out))) == list(csv.DictReader(io.StringIO(written)))


def test_several_grids_share_their_runs(cli: Cli) -> None:
    done = cli("reproduce", "all", "--limit", 1)
    assert done.code == 0
    assert "grid: 31 of 31 runs finished" in done.err
    assert sorted(folder.name for folder in Path("reproduced").iterdir()) == sorted(
        ["table1", "table2", "table3", "table5", "fig3", "fig4", "fig5"]
    )
    assert "equal but for that cut, by construction" in Path("reproduced/table2/table.md").read_text()
    assert "a name is noise" in Path("reproduced/fig5/table.md").read_text()
    assert "not in this version" in Path("reproduced/table1/table.md").read_text()
    several = cli("reproduce", "all", "--limit", 1, "--format", "json")
    assert (several.code, several.err) == (2, "kgbench: --format json is one table; for several grids say --json\n")


def test_a_figure_without_matplotlib_is_a_table_and_a_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = cli("reproduce", "fig4", "--limit", 1)
    assert done.code == 0
    assert "kgbench: no picture of fig4: " in done.err
    assert 'pip install "kgbench[figures]"' in done.err
    assert done.out.startswith("demo, total: tog_loose_arog")


def test_a_figure_is_drawn(cli: Cli) -> None:
    pytest.importorskip("matplotlib")
    done = cli("reproduce", "fig3", "--limit", 2)
    assert done.code == 0
    drawn = {file.name for file in Path("reproduced/fig3").iterdir()}
    assert {"width-depth.png", "width-depth.svg", "width-depth.csv"} <= drawn
    rows = list(csv.DictReader(io.StringIO(Path("reproduced/fig3/width-depth.csv").read_text())))
    assert len(rows) == 16  # four widths and four depths, in both settings


def test_nothing_is_paid_for_without_a_yes(cli: Cli, own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    done = cli("reproduce", own, "--limit", 1, "--model", MODEL)
    assert done.code == 2
    assert "this may cost about 0.00 USD, at most 0.0" in done.err
    assert "Say --yes to agree" in done.err
    assert not Path("runs").exists()


def test_a_terminal_is_asked(cli: Cli, own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import kgbench.cli.reproducing as reproducing

    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    monkeypatch.setattr(reproducing, "_somebody_is_there", lambda: True)
    done = cli("reproduce", own, "--limit", 1, "--model", MODEL, answer="n\n")
    assert done.code == 0
    assert "This may cost about" in done.err
    assert "nothing was sent" in done.err
    assert not Path("runs").exists()


def test_an_unknown_price_is_asked_about_too(cli: Cli, own: str) -> None:
    done = cli("reproduce", own, "--limit", 1, "--model", "openai/own", "--base-url", "http://127.0.0.1:9/v1")
    assert done.code == 2
    assert "this may cost an unknown sum" in done.err


def test_a_model_on_a_server_is_asked_after_a_yes(cli: Cli, own: str) -> None:
    with ChatServer(lambda request: chat("{unknown}")) as server:
        done = cli("reproduce", own, "--limit", 1, "--model", "openai/own", "--base-url", server.base_url, "--yes")
    assert done.code == 0
    assert "price unknown" in done.err
    assert " yes " in done.out.splitlines()[2]


def test_failing_runs_are_named_and_leave_exit_code_1(cli: Cli, own: str) -> None:
    with ChatServer(lambda request: failure(404, "no such model")) as server:
        done = cli("reproduce", own, "--limit", 1, "--model", "openai/own", "--base-url", server.base_url, "--yes")
    assert done.code == 1
    assert "kgbench: failed: io, private, demo: " in done.err
    assert "kgbench: not run: narrow, p-rag, demo: the model cannot be used" in done.err
    assert "Go on with the same command" in done.err
    assert "failed: " in done.out


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["tabel1"], 'there is no table or figure "tabel1"; did you mean table1'),
        (["none.toml"], "cannot read the grid none.toml"),
        (["table1", "--scenario", "private"], "No such option"),
        (["table1", "--dataset", "webqps"], 'kgbench: no data set is called "webqps"; did you mean "webqsp"?'),
        (["table1", "--pseudonyms", "source-id"], "kgbench: --pseudonyms source-id would print names"),
    ],
)
def test_errors_are_one_message(cli: Cli, arguments: list[str], fault: str) -> None:
    done = cli("reproduce", *arguments)
    assert done.code in (2, 3)
    assert fault in done.err
    assert "Traceback" not in done.err
    assert not Path("runs").exists()
