"""Makes a demo graph of any size as a folder, with one table at a time in memory."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgbench.data.demo.files import FILES, read_triples, write_questions, write_tables
from kgbench.data.demo.graph import draw_tables
from kgbench.data.demo.questions import SHIPPED, Asker
from kgbench.data.demo.sizes import REFERENCE_TRIPLES
from kgbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Size:
    """What to make."""

    triples: int = REFERENCE_TRIPLES
    """About how many; within three per cent."""
    seed: int = 0
    questions: int = SHIPPED

    @property
    def name(self) -> str:
        """What the graph calls itself; the folder's own name does not enter, so that equal sizes are equal bytes."""
        return f"demo-{self.triples}-{self.seed}"


@dataclass(frozen=True)
class Made:
    """What was made."""

    triples: int
    entities: int
    """Nodes with a name."""
    nodes: int


def make(folder: Path, size: Size, *, force: bool = False, progress: Callable[[str], None] = lambda _: None) -> Made:
    """Makes a graph with its questions. The same size gives the same bytes on every machine.

    The files are written aside and moved into place when all are complete.

    Args:
        folder: where; it must not be there, or be empty.
        size: how large.
        force: replaces files of a graph that are there; other files stay.
        progress: hears what is being done.

    Raises:
        UsageError: something else is there, or the graph would be too small for its questions.
    """
    _require_room(folder, force=force)
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f"{folder.name}.partial-", dir=folder.parent))
    try:
        made = _write(aside, size, progress)
        folder.mkdir(exist_ok=True)
        for name in FILES:
            (aside / name).replace(folder / name)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return made


def _require_room(folder: Path, *, force: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f'"{folder}" is a file; name a folder')
    if not force and folder.is_dir() and any(folder.iterdir()):
        raise UsageError(
            f'"{folder}" is not empty; name another folder, or replace the files of its graph with --force'
        )


def _write(folder: Path, size: Size, progress: Callable[[str], None]) -> Made:
    progress(f"drawing about {size.triples} triples")
    tables = draw_tables(size.seed, size.triples)
    progress(f"writing {len(tables.triples)} triples")
    write_tables(tables, size.seed, folder, size.name)
    made = Made(len(tables.triples), len(tables.entities), len(tables.types))
    known = tables.known()
    del tables  # the store of the queries takes as much room again
    progress(f"asking {size.questions} questions")
    asker = Asker(known, read_triples(folder), size.seed, size.questions)
    write_questions(asker.questions() if size.questions else (), folder)
    return made
