"""Toy prompts, and an embedder whose vectors can be worked out by hand."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from kgbench.contracts import EmbedderCard, ModelRequest, ShownEnd, ShownTriple, TaskView
from kgbench.embed.service import EmbeddingService
from kgbench.llm.backends.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

SYNONYMS = {"wife": "spouse", "born": "birth", "directed": "director", "films": "film", "movie": "film"}
DIMENSIONS = 512


class WordBagEmbedder:
    """A text is the sum of its words' vectors; two words are as near as chance has it, synonyms are equal."""

    card = EmbedderCard("test/words", "1", DIMENSIONS)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self._vector(text) for text in texts], dtype=np.float32).reshape(-1, DIMENSIONS)

    def _vector(self, text: str) -> NDArray[np.float64]:
        total = np.zeros(DIMENSIONS)
        for word in text.lower().split():
            seed = int.from_bytes(hashlib.sha256(SYNONYMS.get(word, word).encode()).digest()[:8], "big")
            total += np.random.default_rng(seed).standard_normal(DIMENSIONS)
        length = float(np.linalg.norm(total))
        return total / length if length else total


class Desk:
    """Asks the reader and returns what it would have written, before any method's form."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def ask(self, kind: str, question: str = "", **parts: Any) -> Any:
        results: list[Any] = []
        slots = {"question": (question,), **parts.pop("slots", {})}
        task = TaskView(kind, "toy.template", slots, lambda result: str(results.append(result)), **parts)
        self.reader.complete(ModelRequest(messages=(), sampling={}, task=task))
        return results[0]


@pytest.fixture(scope="session")
def embeddings() -> EmbeddingService:
    return EmbeddingService(WordBagEmbedder())


@pytest.fixture(scope="session")
def reader(embeddings: EmbeddingService) -> Reader:
    return Reader(embeddings)


@pytest.fixture(scope="session")
def ask(reader: Reader) -> Callable[..., Any]:
    """Ask for a task: ``ask(kind, question, triples=..., mentions=..., slots=..., limit=...)``."""
    return Desk(reader).ask


@pytest.fixture(scope="session")
def lines() -> Callable[..., tuple[ShownTriple, ...]]:
    """Make triples from ``subject | relation | object`` lines; ``*Ann`` is a topic, ``m.0b (river)`` has a concept."""

    def end(text: str) -> ShownEnd:
        topic = text.startswith("*")
        concepts = text[text.index("(") + 1 : -1] if text.endswith(")") else ""
        return ShownEnd(text.lstrip("*"), concepts, topic)

    def make(*texts: str) -> tuple[ShownTriple, ...]:
        parts = [[part.strip() for part in text.split(" | ")] for text in texts]
        return tuple(ShownTriple(end(subject), relation, end(object_)) for subject, relation, object_ in parts)

    return make
