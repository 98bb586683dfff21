"""The doctor in a folder of its own: neither key, cache, server nor settings of the machine."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from kgbench.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Callable

sys.path.insert(0, str(Path(__file__).parent))

_UNSET = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "KGBENCH_DATA", "KGBENCH_PRICES")


@dataclass(frozen=True)
class Outcome:
    """What the command did."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("KGBENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("KGBENCH_KEY", "5c" * 32)
    for name in _UNSET:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def doctor() -> Callable[..., Outcome]:
    """Run ``kgbench doctor`` in this process."""

    def run(*arguments: object) -> Outcome:
        result = CliRunner().invoke(app, ["doctor", *map(str, arguments)], env={"COLUMNS": "200"})
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return run
