"""A third-party package, installed for real: listed, run and checked; its broken half hurts nobody."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parent / "plugins" / "kgbench_example_plugin"


@pytest.fixture(scope="module")
def plugin_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package installed, as pip lays it out."""
    target = tmp_path_factory.mktemp("site")
    source = tmp_path_factory.mktemp("source") / "plugin"
    subprocess.run(["cp", "-r", str(PLUGIN), str(source)], check=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run([*command, "--target", str(target), str(source)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"pip cannot build here: {done.stderr.strip()[-200:]}")
    return target


def kgbench(plugin_path: Path, tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(plugin_path),
        "KGBENCH_KEY": "00" * 32,
        "KGBENCH_CACHE": str(tmp_path / "cache"),
    }
    return subprocess.run(
        [sys.executable, "-m", "kgbench", *arguments],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_good_method_is_listed_beside_the_broken_one(plugin_path: Path, tmp_path: Path) -> None:
    done = kgbench(plugin_path, tmp_path, "list", "methods", "--json")
    assert done.returncode == 0, done.stderr
    text = done.stdout
    assert "nearest" in text and "arog" in text
    assert "unfinished" in text and "kgbench-example-plugin" in text and "a_module_that_is_not_there" in text


def test_the_good_method_runs(plugin_path: Path, tmp_path: Path) -> None:
    done = kgbench(plugin_path, tmp_path, "run", "--method", "nearest", "--limit", "5", "--json")
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert (row["method"], row["n"], row["leaks"], row["calls_per_question"]) == ("nearest", 5, 0, 1.0)


def test_the_broken_method_is_named_with_its_owner_and_reason(plugin_path: Path, tmp_path: Path) -> None:
    done = kgbench(plugin_path, tmp_path, "run", "--method", "unfinished")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    for words in ("unfinished", "kgbench-example-plugin 0.3", "a_module_that_is_not_there"):
        assert words in done.stderr


def test_the_others_still_work(plugin_path: Path, tmp_path: Path) -> None:
    done = kgbench(plugin_path, tmp_path, "run", "--method", "arog", "--limit", "2", "--json")
    assert done.returncode == 0, done.stderr
