"""The program in this process, in a folder of its own, with a fixed key and neither cache nor server of the machine."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from kgbench.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Callable

    Cli = Callable[..., "Outcome"]

PROGRAM = (sys.executable, "-c", "from kgbench.cli.app import main; main()")
_UNSET = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "KGBENCH_DATA", "KGBENCH_PRICES")


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder, home, cache and key for this test alone."""
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("KGBENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("KGBENCH_KEY", "00" * 32)
    for name in _UNSET:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def cli() -> Cli:
    """Run a command in this process."""

    def run(*arguments: object) -> Outcome:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def program() -> Cli:
    """Run the program in a process of its own, with its output in pipes."""

    def run(*arguments: object, **environment: str) -> Outcome:
        command = [*PROGRAM, *map(str, arguments)]
        result = subprocess.run(
            command, capture_output=True, env={**os.environ, **environment}, timeout=60, check=False
        )
        return Outcome(
            result.returncode, result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")
        )

    return run


@pytest.fixture(scope="session")
def demo_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of arog over five demo questions; read it, do not change it."""
    return _demo_run(tmp_path_factory, "arog")


@pytest.fixture(scope="session")
def closed_book_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of io over the same questions."""
    return _demo_run(tmp_path_factory, "io")


def _demo_run(factory: pytest.TempPathFactory, method: str) -> Path:
    from kgbench.run.plan import Given, make_plan
    from kgbench.run.runner import start
    from kgbench.seam.pseudonyms import MasterKey
    from kgbench.spec import RunSpec

    out = factory.mktemp("runs")
    spec = RunSpec(method=method, limit=5, jobs=1, cache="off", out=str(out))
    return Path(start(make_plan(spec, Given(key=MasterKey(bytes(32))))).path)
