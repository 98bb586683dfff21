"""Stores on disk: built aside and moved into place when complete, opened read-only, with what was read of them beside.

A store that kgbench built holds a file ``kgbench-graph.json`` with its card and schema, so that it opens at once. Any
other oxigraph store opens too; its schema is then read out of it, which takes one pass over the graph.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from kgbench.errors import DataError, UsageError
from kgbench_adapters.profiles.vocabulary import Namespaces
from kgbench_adapters.schema import Schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.contracts import Profile

SIDECAR = "kgbench-graph.json"
_VERSION = 1


@dataclass(frozen=True)
class StoredGraph:
    """All that is known of an open graph beside the store itself."""

    name: str
    profile: str
    mediator_classes: tuple[str, ...]
    unlisted_are_mediators: bool
    namespaces: Namespaces
    fingerprint: str
    triples: int | None
    schema: Schema

    def fits(self, profile: Profile) -> bool:
        """Tell whether the graph was built with a profile of this name."""
        return self.profile == profile.name


def is_store(path: Path) -> bool:
    """Tell whether a folder is a store on disk."""
    return (path / "CURRENT").is_file()


def open_store(path: Path) -> ox.Store:
    """Open a store on disk, read-only.

    Raises:
        DataError: it is damaged, or of another version of oxigraph.
    """
    try:
        return ox.Store.read_only(str(path))
    except OSError as error:
        raise DataError(f'the store "{path}" cannot be opened ({type(error).__name__}); build it anew') from error


def build_store(path: Path, fill: Callable[[ox.Store], StoredGraph]) -> StoredGraph:
    """Build a store on disk.

    Args:
        path: where it shall stand; must not be there, or be an empty folder.
        fill: puts the graph into an empty store and says what it is.

    Raises:
        UsageError: something else is there.
    """
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise UsageError(f'"{path}" is there already and is no store of this graph; give another path, or remove it')
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f"{path.name}.partial-", dir=path.parent))
    try:
        store = ox.Store(aside)
        graph = fill(store)
        store.optimize()
        store.flush()
        del store  # releases the lock
        _write(aside / SIDECAR, graph)
        aside.replace(path)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    return graph


def _write(path: Path, graph: StoredGraph) -> None:
    content = {"version": _VERSION, **asdict(graph), "namespaces": list(graph.namespaces)}
    path.write_text(json.dumps(content, ensure_ascii=False, sort_keys=True, indent=1) + "\n", encoding="utf-8")


def read_sidecar(path: Path) -> StoredGraph | None:
    """Read what kgbench wrote beside a store; None where it did not build it.

    Raises:
        DataError: it is of another version of kgbench, or damaged.
    """
    file = path / SIDECAR
    if not file.is_file():
        return None
    try:
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if content.pop("version") != _VERSION:
            raise ValueError("another version")
        schema = content.pop("schema")
        domains = {label: (domain, range_) for label, (domain, range_) in schema.pop("domains").items()}
        lists = {key: tuple(value) for key, value in schema.items() if isinstance(value, list)}
        return StoredGraph(
            **{
                **content,
                "mediator_classes": tuple(content["mediator_classes"]),
                "namespaces": Namespaces(*content["namespaces"]),
                "schema": Schema(**{**schema, **lists, "domains": domains}),
            }
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise DataError(f'"{file}" is damaged or of another version of kgbench; build the store anew') from error


def fingerprint_of_store(path: Path) -> str:
    """Identify a store that kgbench did not build by the names and sizes of its data files."""
    files = sorted((file.name, file.stat().st_size) for file in path.glob("*.sst"))
    identity = (path / "IDENTITY").read_bytes() if (path / "IDENTITY").is_file() else b""
    return hashlib.sha256(repr(files).encode() + identity).hexdigest()
