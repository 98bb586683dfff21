from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Cli = Callable[..., Any]

pytest.importorskip("matplotlib", reason="figures need matplotlib")
BLOCK = (
    "import sys; sys.modules['matplotlib'] = None; sys.modules['matplotlib.figure'] = None; "
    "from kgbench.cli.app import main; main()"
)


def test_all_figures_that_the_runs_can_make(cli: Cli, demo_run: Path, closed_book_run: Path, tmp_path: Path) -> None:
    done = cli("figures", demo_run, closed_book_run, "--out", tmp_path / "f", "--format", "svg")
    assert done.code == 0
    assert done.out.splitlines() == [
        f"wrote {tmp_path}/f/{name}.{form}" for name in ("stages", "cost", "leakage") for form in ("svg", "csv")
    ]
    assert sorted(path.name for path in (tmp_path / "f").iterdir()) == [
        f"{name}.{form}" for name in ("cost", "leakage", "stages") for form in ("csv", "svg")
    ]
    assert done.err.count("kgbench: not drawn: figure ") == 3
    assert "make them: kgbench run --method arog --set method.sa=off" in done.err


def test_a_file_of_scores_does_as_well_as_its_run(cli: Cli, demo_run: Path, tmp_path: Path) -> None:
    shutil.copy(demo_run / "scores.json", tmp_path / "arog.json")
    for source, out in ((demo_run, "a"), (tmp_path / "arog.json", "b")):
        assert cli("figures", source, "--figure", "stages", "--out", out).code == 0
    for form in ("png", "svg", "pdf", "csv"):
        assert Path(f"a/stages.{form}").read_bytes() == Path(f"b/stages.{form}").read_bytes()


def test_as_json(cli: Cli, demo_run: Path) -> None:
    data = json.loads(cli("figures", demo_run, "--format", "png", "--json").out)
    assert data["figures"]["cost"] == ["figures/cost.png", "figures/cost.csv"]
    assert set(data["not_drawn"]) == {"scenarios", "width-depth", "abstraction"}


def test_a_figure_that_was_asked_for_must_be_drawn(cli: Cli, demo_run: Path) -> None:
    done = cli("figures", demo_run, "--figure", "stages", "--figure", "scenarios")
    assert (done.code, done.out) == (2, "")
    assert 'figure "scenarios" needs two or more runs of one method' in done.err
    assert not Path("figures").exists()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--figure", "stage"], "did you mean stages"),
        (["--metric", "hits"], "did you mean hits1"),
        (["--format", "png,gif"], 'there is no format "gif"'),
    ],
)
def test_unknown_names(cli: Cli, demo_run: Path, options: list[str], text: str) -> None:
    done = cli("figures", demo_run, *options)
    assert (done.code, done.out) == (2, "")
    assert text in done.err


def test_a_run_that_cannot_be_read_hurts_no_other(cli: Cli, demo_run: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    repeated = shutil.copytree(demo_run, tmp_path / "repeated")
    done = cli("figures", tmp_path / "empty", demo_run, repeated, "--figure", "stages", "--format", "svg")
    assert done.code == 0
    assert "has no scores.json; score the run first: kgbench score" in done.err
    assert "repeats another run (spec_id " in done.err
    done = cli("figures", tmp_path / "empty")
    assert done.code == 2
    assert "no run is left to draw; make one with: kgbench run" in done.err


def test_without_matplotlib_one_line_names_the_command(demo_run: Path) -> None:
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", BLOCK, "figures", str(demo_run)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr == 'kgbench: kgbench figures needs the extra "figures": pip install "kgbench[figures]"\n'
