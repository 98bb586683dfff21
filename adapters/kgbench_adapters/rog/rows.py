"""Rows of parquet files, found by question id and read one by one.

A release holds thousands of graphs of thousands of triples. ``datasets`` turns the files once into an Arrow table on the
disk and maps it into memory; a row becomes Python objects only while it is used.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgbench.errors import DataError, GraphError, MissingExtra, PrerequisiteMissing
from kgbench_adapters.files import digest_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench_adapters.named.graph import Names

ID, GRAPH = "id", "graph"


class GraphRows:
    """Graphs by question id.

    Args:
        table: rows with the column ``graph``.
        places: question id -> row.
        fingerprint: of the files.
    """

    def __init__(self, table: Sequence[Mapping[str, Any]], places: Mapping[str, int], fingerprint: str) -> None:
        self._table = table
        self._places = places
        self.fingerprint = fingerprint

    def triples(self, question_id: str) -> list[Names] | None:
        """Read the triples of a question, as published; None where there is no such question.

        Raises:
            GraphError: the row holds something else than triples.
        """
        place = self._places.get(question_id)
        if place is None:
            return None
        rows = self._table[place][GRAPH] or []
        if not all(
            isinstance(row, list) and len(row) == 3 and all(isinstance(part, str) for part in row) for row in rows
        ):
            raise GraphError(f"row {place + 1} of the graphs is no list of [head, relation, tail]")
        return [(head, relation, tail) for head, relation, tail in rows]


def open_rows(pattern: str) -> GraphRows:
    """Open the files of a pattern.

    Args:
        pattern: a file, or a folder and a glob pattern of file names.

    Raises:
        MissingExtra: the package ``datasets`` is not installed.
        PrerequisiteMissing: there is no such file.
        DataError: a file is no parquet file, or lacks a column.
    """
    path = Path(pattern).expanduser()
    files = [path] if path.is_file() else sorted(path.parent.glob(path.name))
    if not files:
        raise PrerequisiteMissing(f"there is no parquet file {pattern}")
    table = _mapped(files)
    ids = table[ID]
    places: dict[str, int] = {}
    for place, question_id in enumerate(ids):
        places.setdefault(str(question_id), place)
    digests = "\n".join(digest_of(file) for file in files)
    return GraphRows(table, places, hashlib.sha256(digests.encode()).hexdigest())


def _mapped(files: Sequence[Path]) -> Any:
    """The files as one table on the disk, mapped into memory; made anew where a file has changed."""
    try:
        import datasets
        import pyarrow
    except ImportError:
        raise MissingExtra("hub", "a graph for each question, from parquet files") from None
    shown = datasets.utils.logging.is_progress_bar_enabled()
    datasets.disable_progress_bars()  # a conversion of seconds; its bar would break the run's own
    try:
        return datasets.Dataset.from_parquet(
            [str(file) for file in files], columns=[ID, GRAPH], cache_dir=str(_cache_folder())
        )
    except (datasets.exceptions.DatasetGenerationError, pyarrow.ArrowException, ValueError, KeyError) as error:
        kind = type(error.__cause__ or error).__name__
        raise DataError(
            f"{files[0].name}: not readable as parquet with the columns {ID} and {GRAPH} ({kind})"
        ) from None
    finally:
        if shown:
            datasets.enable_progress_bars()


def _cache_folder() -> Path:
    """Where tables are kept: in the user's cache folder for kgbench, or in ``$KGBENCH_CACHE``."""
    given = os.environ.get("KGBENCH_CACHE")
    if given:
        return Path(given) / "tables"
    from platformdirs import user_cache_path

    return user_cache_path("kgbench") / "tables"
