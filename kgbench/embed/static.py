"""``builtin/static``: a word-piece table distilled from all-MiniLM-L6-v2, and the estimate of token counts.

A text's vector is the sum of the vectors of its word pieces, scaled to length one. The table holds 8-bit integers, so
the sum is exact, whatever the order of its terms: a text has the same vector, bit for bit, in any batch, in any thread
and on any machine. ``scripts/distill_embedder.py`` makes the files.
"""

from __future__ import annotations

import json
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from kgbench.contracts import EmbedderCard
from kgbench.embed.texts import as_list, digest_of, encodable
from kgbench.errors import PrerequisiteMissing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("static")
"""The folder with the shipped model."""
_FILES = ("config.json", "model.safetensors", "tokenizer.json")
_REMEMBERED_COUNTS = 2048


class StaticEmbedder:
    """A static embedding model in a local folder, read through model2vec. Safe for threads; opens no connection.

    Args:
        folder: holds ``config.json``, ``model.safetensors`` (8-bit integers, one row a word piece) and
            ``tokenizer.json``.
        name: what the card calls it.
    """

    def __init__(self, folder: Path = WEIGHTS, name: str = "builtin/static") -> None:
        self._folder = folder
        self._name = name
        self._loading = Lock()
        self._loaded: Any = None
        self._remembered_count = lru_cache(maxsize=_REMEMBERED_COUNTS)(self._count)

    @cached_property
    def card(self) -> EmbedderCard:
        """Name, digest of weights and tokenizer, number of dimensions. Does not load the model.

        Raises:
            PrerequisiteMissing: a file of the model is not there.
        """
        self._check_files()
        config = json.loads((self._folder / "config.json").read_text(encoding="utf-8"))
        revision = digest_of(self._folder / file for file in _FILES[1:])
        return EmbedderCard(self._name, revision, int(config["hidden_dim"]))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts of any length.

        Args:
            texts: n texts; labels should have their dots and underscores turned into spaces.

        Returns:
            Rows of length one, shape [n, d]. A text without any known word piece, such as ``""``, gives a row of
            zeros: it is similar to nothing.

        Raises:
            PrerequisiteMissing: a file of the model is not there.
        """
        model = self._model()
        table: NDArray[np.int8] = model.embedding
        pieces = model.tokenize(as_list(texts))  # leaves unknown word pieces out
        sums = np.zeros((len(pieces), table.shape[1]), dtype=np.int64)
        for row, ids in zip(sums, pieces, strict=True):
            table[ids].sum(axis=0, out=row)
        lengths = np.sqrt((sums * sums).sum(axis=1, keepdims=True))  # of exact integers
        rows: NDArray[np.float32] = (sums / np.maximum(lengths, 1.0)).astype(np.float32)
        return rows

    def count_tokens(self, text: str) -> int:
        """Estimate how many tokens a language model reads in a text: its word pieces, without special tokens.

        Counts of the latest texts are remembered, since a chat sends the same messages again and again.
        """
        return self._remembered_count(text)

    def _count(self, text: str) -> int:
        return len(self._model().tokenizer.encode_batch_fast([encodable(text)], add_special_tokens=False)[0])

    def _model(self) -> Any:
        """Return the model2vec model, which is not imported before it is needed."""
        with self._loading:
            if self._loaded is None:
                self._check_files()
                from model2vec import StaticModel

                self._loaded = StaticModel.from_pretrained(self._folder)
            return self._loaded

    def _check_files(self) -> None:
        """Fail before model2vec looks for a missing folder on the hub."""
        missing = [file for file in _FILES if not (self._folder / file).is_file()]
        if missing:
            raise PrerequisiteMissing(
                f"{self._name}: {', '.join(missing)} not found in {self._folder}. Install kgbench again, "
                "or make the files with scripts/distill_embedder.py"
            )
