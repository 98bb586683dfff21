"""The context of one question: everything that a method can reach, and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.errors import UsageError
from kgbench.seam.render import embedding_text
from kgbench.text import norm
from kgbench.types import Entity, Literal, Zone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    import numpy as np
    from numpy.typing import NDArray

    from kgbench.contracts import Prompt, Reply
    from kgbench.embed import EmbeddingService
    from kgbench.llm.gateway import QuestionGateway
    from kgbench.seam.session import Session
    from kgbench.seam.view import GraphView
    from kgbench.types import JsonObject, Term


class QuestionContext:
    """Implements :class:`kgbench.contracts.Context` for one question and trial."""

    def __init__(
        self,
        session: Session,
        gateway: QuestionGateway,
        view: GraphView | None,
        embeddings: EmbeddingService,
        prepared: JsonObject | None = None,
    ) -> None:
        self._session = session
        self._gateway = gateway
        self._view = view
        self._embeddings = embeddings
        self._prepared: JsonObject = prepared or {}

    @property
    def kg(self) -> GraphView:
        """The graph, without names."""
        if self._view is None:
            raise UsageError("this method's card says uses_graph=False; set it to True to read the graph")
        return self._view

    @property
    def prepared(self) -> JsonObject:
        """What the method's ``prepare`` returned."""
        return self._prepared

    def llm(self, prompt: Prompt, n: int = 1, **sampling: float) -> Reply:
        """Send a prompt to the REMOTE model."""
        return self._gateway.ask(prompt, n, sampling, Zone.REMOTE)

    def local_llm(self, prompt: Prompt, n: int = 1, **sampling: float) -> Reply:
        """Send a prompt to the model of the trusted zone."""
        return self._gateway.ask(prompt, n, sampling, Zone.LOCAL)

    def embed(self, items: Sequence[object]) -> NDArray[np.float32]:
        """Unit vectors [n, d] of texts or tuples of slot values, without names."""
        return self._embeddings.encode([embedding_text(self._session, item) for item in items])

    def resolve(self, fragment: str, among: Iterable[Term] | None = None) -> tuple[Entity | Literal, ...]:
        """The terms that a piece of a reply stands for."""
        return self._session.resolve(fragment, among)

    def seeded_order(self, terms: Iterable[Term], *key: str) -> list[Term]:
        """Terms in the order of LOCAL choices."""
        return self._session.seeded_order(terms, *key)

    def rng(self, *key: str) -> Random:
        """A generator seeded from run seed, trial, question id and ``key``."""
        return self._session.seed.random(self._session.question.id, *key)

    def rank(self, query: str, items: Sequence[object]) -> list[float]:
        """Similarity of a text to items with the real names of their entities."""
        self._session.note("names_in_selection")
        return self._embeddings.similarities(query, [embedding_text(self._session, item, names=True) for item in items])

    def link(self, text: str, among: Sequence[Entity]) -> tuple[Entity, ...]:
        """The entities of ``among`` whose real name stands in a text, as whole words."""
        self._session.note("names_in_selection")
        self._session.load_names(among)
        words = f" {norm(text)} "
        return tuple(
            entity for entity in among if (name := norm(self._session.name(entity) or "")) and f" {name} " in words
        )

    def note(self, kind: str, count: int = 1) -> None:
        """Count an event of this question."""
        self._session.note(kind, count)
