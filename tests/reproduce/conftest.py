"""Grids over the toy world, in this process, with a fixed key and no cache of the machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parent))

if TYPE_CHECKING:
    from collections.abc import Callable

    from grid_desk import Outcome

_UNSET = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "KGBENCH_DATA", "KGBENCH_PRICES")


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
def cli() -> Callable[..., Outcome]:
    """Run a command in this process."""
    from grid_desk import Outcome
    from typer.testing import CliRunner

    from kgbench.cli.app import app

    def run(*arguments: object, answer: str | None = None) -> Outcome:
        texts = [str(argument) for argument in arguments]
        result = CliRunner().invoke(app, texts, env={"COLUMNS": "200"}, input=answer)
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return run
