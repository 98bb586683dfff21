"""Makes ``run_desk`` importable for the tests of runs, and keeps caches of the machine out of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGBENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("KGBENCH_KEY", raising=False)
