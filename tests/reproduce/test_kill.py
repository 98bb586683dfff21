"""A grid that is killed three times ends with the table of one that nobody killed, and asks nothing twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from grid_desk import files_of

from kgbench.run.store import CALLS, RunFolder

SCRIPT = Path(__file__).with_name("killed_grids.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills by SIGKILL need a POSIX system")
def test_three_kills_change_nothing(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), str(tmp_path), "3"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr[-2000:]
    assert json.loads(finished.stdout)["killed"] == [True, True, True]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    expected = files_of(whole / "reproduced" / "grid")
    assert set(expected) == {"table.md", "table.csv", "table.json", "result.json", "split-demo.json"}
    assert files_of(killed / "reproduced" / "grid") == expected
    assert len(runs(whole)) == 24
    assert calls(killed) == calls(whole)
    assert set(calls(killed).values()) == {1}


def runs(folder: Path) -> list[RunFolder]:
    """The runs of a grid; a kill before the first byte of a manifest leaves an empty folder."""
    return [RunFolder(file.parent) for file in sorted((folder / "runs").glob("*/manifest.json"))]


def calls(folder: Path) -> Counter[tuple[str, str, int, int]]:
    """How often each call was made: run, question, trial and number."""
    return Counter(
        (run.manifest()["spec_id"], call["question_id"], call["trial"], call["call"])
        for run in runs(folder)
        for call in run.lines(CALLS)
    )
