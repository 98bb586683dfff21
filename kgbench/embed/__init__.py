"""Text embedders, and the one service that shares them among all questions of a run.

``builtin/static`` (the default) is a small static model that ships with kgbench; ``st/NAME`` is any sentence-transformers
model. Which one was used, and which weights, is part of every signature.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from kgbench.embed.sentence_transformer import SentenceTransformerEmbedder
from kgbench.embed.service import EmbeddingService
from kgbench.embed.static import StaticEmbedder
from kgbench.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.contracts import Embedder

__all__ = ["BUILTIN", "EmbeddingService", "SentenceTransformerEmbedder", "StaticEmbedder", "load", "open_service"]

BUILTIN = "builtin/static"
_SENTENCE_TRANSFORMER = "st/"


def load(name: str) -> Embedder:
    """Return the embedder of a name; its weights are read when they are first needed.

    Args:
        name: ``builtin/static``, or ``st/NAME`` where NAME is a model of the Hugging Face hub or a local folder.

    Raises:
        UsageError: no embedder has this name.
        MissingExtra: ``st/NAME`` without the extra ``embed``.
    """
    if name == BUILTIN:
        return builtin()
    model = name.removeprefix(_SENTENCE_TRANSFORMER)
    if model and model != name:
        return SentenceTransformerEmbedder(model)
    raise UsageError(
        f'unknown embedder "{name}": use {BUILTIN}, or st/NAME for a sentence-transformers model, '
        "such as st/all-MiniLM-L6-v2"
    )


@cache
def builtin() -> StaticEmbedder:
    """Return the process's one ``builtin/static``, which also estimates token counts."""
    return StaticEmbedder()


def open_service(name: str, cache_path: Path | None = None) -> EmbeddingService:
    """Return the shared service over the embedder of a name.

    Args:
        name: as for :func:`load`.
        cache_path: SQLite file that keeps vectors between runs. ``builtin/static`` leaves it alone: it computes a
            vector faster than a disk gives it.
    """
    return EmbeddingService(load(name), None if name == BUILTIN else cache_path)
