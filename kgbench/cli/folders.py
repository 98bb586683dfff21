"""Finding run folders from what the user wrote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kgbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


def exactly(count: int, texts: Sequence[str], command: str) -> list[Path]:
    """Return the folders of as many runs as a command takes.

    A pattern such as ``runs/arog-*`` may match more: a run that was repeated has a folder of its own.

    Raises:
        UsageError: there are more or fewer.
    """
    if len(texts) != count:
        wanted = "one run" if count == 1 else "two runs, the baseline first"
        raise UsageError(f"{command} takes {wanted}, and {len(texts)} are named: {', '.join(texts)}; name them in full")
    return [find_run(text) for text in texts]


def find_runs(texts: Iterable[str]) -> list[Path]:
    """Return the folders of runs in their order, each once."""
    found: dict[Path, Path] = {}
    for path in map(find_run, texts):
        found.setdefault(path.resolve(), path)
    return list(found.values())
