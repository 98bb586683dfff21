"""Fixtures for every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# In the gate the same examples each time: what is red must be red again. At a desk, new examples with every run.
settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("desk", deadline=None)
settings.load_profile("gate" if os.environ.get("CI") else "desk")


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Folder with real graphs and questions, which is no part of the project."""
    given = os.environ.get("KGBENCH_DATA")
    folder = Path(given) if given else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not (folder / "questions").is_dir():
        pytest.skip(f"no real data at {folder}; set KGBENCH_DATA to a folder with questions/ and graph folders")
    return folder
