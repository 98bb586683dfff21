"""The one embedding service of a run: every question asks it, each text is encoded once."""

from __future__ import annotations

from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Self

import numpy as np

from kgbench.embed.disk_cache import DiskCache
from kgbench.embed.texts import as_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from kgbench.contracts import Embedder, EmbedderCard

DECIMALS = 6
"""Similarities are rounded to this many decimals before anything is ranked by them (ARoG's ties rest on it)."""
_CHUNK = 1024


class EmbeddingService:
    """Vectors and similarities of texts, for any number of threads.

    Vectors are remembered in memory and, where a file is given, on disk. No result depends on what else was asked, when
    or by how many threads.

    Args:
        embedder: encodes what is not remembered, by one thread at a time.
        cache_path: SQLite file that keeps vectors between runs, as digests of texts; None keeps none.
        memory_rows: most vectors in memory; the oldest leave first. 65,536 rows of 384 dimensions take 100 MB.

    Raises:
        UsageError: ``cache_path`` cannot be used.
    """

    def __init__(self, embedder: Embedder, cache_path: Path | None = None, *, memory_rows: int = 65_536) -> None:
        self._embedder = embedder
        self._memory: dict[str, NDArray[np.float32]] = {}
        self._memory_rows = memory_rows
        self._memory_lock = Lock()
        self._encoder_lock = Lock()
        self._disk = DiskCache(cache_path, embedder.card) if cache_path is not None else None

    @property
    def card(self) -> EmbedderCard:
        """The embedder's card."""
        return self._embedder.card

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of texts.

        Args:
            texts: n texts, repeats allowed.

        Returns:
            Unit rows, shape [n, d]; a blank text gives a row of zeros. The array is the caller's own.
        """
        texts = as_list(texts)
        known = self._recall(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            known.update(self._learn(missing))
        rows = np.empty((len(texts), self.card.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = known[text]
        return rows

    def similarities(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the cosine of a query and each text, rounded to 6 decimals, in [-1, 1]."""
        values: list[float] = self.similarity_matrix([query], texts)[0].tolist()
        return values

    def similarity_matrix(self, queries: Sequence[str], texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the cosines of queries and texts, rounded to 6 decimals.

        Args:
            queries: m texts.
            texts: n texts.

        Returns:
            Shape [m, n]; 0 where either text is blank.
        """
        queries = as_list(queries)
        rows = self.encode(queries + as_list(texts)).astype(np.float64)
        cosines = rows[: len(queries)] @ rows[len(queries) :].T
        return np.clip(np.round(cosines, DECIMALS), -1.0, 1.0) + 0.0  # turns -0.0 into 0.0

    def close(self) -> None:
        """Close the file of kept vectors."""
        if self._disk is not None:
            with self._encoder_lock:
                self._disk.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _recall(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        with self._memory_lock:
            return {text: self._memory[text] for text in texts if text in self._memory}

    def _learn(self, texts: list[str]) -> dict[str, NDArray[np.float32]]:
        """Read or compute vectors that were not in memory a moment ago."""
        with self._encoder_lock:
            known = self._recall(texts)  # what another thread learned while this one waited
            missing = [text for text in texts if text not in known]
            for start in range(0, len(missing), _CHUNK):
                vectors = self._read_or_compute(missing[start : start + _CHUNK])
                self._remember(vectors)
                known.update(vectors)
        return known

    def _read_or_compute(self, texts: list[str]) -> dict[str, NDArray[np.float32]]:
        kept = self._disk.read(texts) if self._disk is not None else {}
        missing = [text for text in texts if text not in kept]
        if not missing:
            return kept
        # Copies: a view of one row would keep its whole batch in memory.
        computed = {text: row.copy() for text, row in zip(missing, self._embedder.encode(missing), strict=True)}
        if self._disk is not None:
            self._disk.write(computed)
        return kept | computed

    def _remember(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        with self._memory_lock:
            self._memory.update(vectors)
            surplus = max(0, len(self._memory) - self._memory_rows)
            for oldest in list(islice(self._memory, surplus)):
                del self._memory[oldest]
