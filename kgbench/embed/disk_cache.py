"""Vectors kept on disk between runs, for embedders that are slow to compute."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from kgbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from kgbench.contracts import EmbedderCard

_SECONDS_TO_WAIT = 60.0
_STORED = np.dtype("<f4")


class DiskCache:
    """A SQLite file from digests of texts to vectors. Processes may share it; within one, use it from one thread a time.

    The file holds no text. It still belongs to whoever owns the graph: with the embedder at hand, a guess at a text can
    be checked against it.

    Args:
        path: the file; it and its folder are made when missing.
        card: the embedder whose vectors are kept. Vectors of other embedders in the same file are not touched.

    Raises:
        UsageError: the file cannot be opened, or is no such cache.
    """

    def __init__(self, path: Path, card: EmbedderCard) -> None:
        self._path = path
        self._prefix = f"{card.name}\0{card.revision}\0".encode()
        self._bytes = card.dimensions * _STORED.itemsize
        with self._named_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_SECONDS_TO_WAIT, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"
            )

    def read(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Return the vectors that are kept, shape [d] each; a vector of another size counts as missing."""
        found: dict[str, NDArray[np.float32]] = {}
        with self._named_errors():
            for text in texts:
                row = self._connection.execute(
                    "SELECT vector FROM vectors WHERE key = ?", (self._key(text),)
                ).fetchone()
                if row is not None and len(row[0]) == self._bytes:
                    found[text] = np.frombuffer(row[0], dtype=_STORED).astype(np.float32)
        return found

    def write(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Keep vectors, in one transaction."""
        rows = [(self._key(text), vector.astype(_STORED).tobytes()) for text, vector in vectors.items()]
        with self._named_errors(), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(self._prefix + text.encode()).digest()

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise UsageError(
                f"the cache of embeddings {self._path} cannot be used ({error}). "
                "Choose another place, or delete the file if it is an old cache: that costs only time"
            ) from error
