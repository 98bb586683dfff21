"""Small graph folders for the tests of adapters."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def graph_folder(tmp_path: Path) -> Callable[..., Path]:
    """Make a graph folder: ``make(triples="a\tr\tb", entities=..., ..., packed=True)``; lines are joined by newlines."""
    made = 0

    def make(*, packed: bool = False, toml: str | None = None, **tables: str | list[str]) -> Path:
        nonlocal made
        made += 1
        folder = tmp_path / f"graph-{made}"
        folder.mkdir()
        for name, rows in tables.items():
            text = rows if isinstance(rows, str) else "".join(f"{row}\n" for row in rows)
            path = folder / f"{name}.tsv{'.gz' if packed else ''}"
            path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
        if toml is not None:
            (folder / "graph.toml").write_text(toml, encoding="utf-8")
        return folder

    return make
