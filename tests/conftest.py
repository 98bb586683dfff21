"""Fixtures for every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Folder with real graphs and questions, which is no part of the project."""
    given = os.environ.get("KGBENCH_DATA")
    folder = Path(given) if given else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not (folder / "questions").is_dir():
        pytest.skip(f"no real data at {folder}; set KGBENCH_DATA to a folder with questions/ and graph folders")
    return folder
