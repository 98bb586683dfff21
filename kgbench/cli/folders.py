"""Finding run folders from what the user wrote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

RUNS = Path("runs")
"""Where runs are looked for by their name alone."""
_MANIFEST = "manifest.json"


def find_run(text: str) -> Path:
    """Return the folder of a run given by its path, a file in it, or its name in ``runs/``; it need not exist."""
    path = Path(text).expanduser()
    if path.name == _MANIFEST and path.is_file():
        return path.parent
    if not path.exists() and (RUNS / text / _MANIFEST).is_file():
        return RUNS / text
    return path


def find_runs(texts: Iterable[str]) -> list[Path]:
    """Return the folders of runs in their order, each once."""
    found: dict[Path, Path] = {}
    for path in map(find_run, texts):
        found.setdefault(path.resolve(), path)
    return list(found.values())
