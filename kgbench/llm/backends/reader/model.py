"""The backend: a request goes in, the reply that its template's parser reads comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.contracts import Completion, ModelCard
from kgbench.errors import UsageError
from kgbench.llm.backends.reader.kinds import READINGS, Tools
from kgbench.llm.backends.reader.paths import CALIBRATED, Thresholds

if TYPE_CHECKING:
    from kgbench.contracts import ModelRequest
    from kgbench.llm.backends.reader.text import Embeddings

NAME = "builtin/reader"


class Reader:
    """A :class:`kgbench.contracts.ChatModel` that is no language model. Safe to share between threads.

    Args:
        embeddings: the run's embedding service.
        thresholds: the two calibrated numbers; others are for the calibration itself.
    """

    def __init__(self, embeddings: Embeddings, thresholds: Thresholds = CALIBRATED) -> None:
        self._tools = Tools(embeddings, thresholds)
        self._card = ModelCard(name=NAME, backend="builtin", language_model=False, cacheable=False, counts_tokens=False)

    @property
    def card(self) -> ModelCard:
        """What the model is: no language model."""
        return self._card

    @staticmethod
    def readable(kind: str) -> bool:
        """Tell whether the reader can read a task of a kind; asked before the first question."""
        return kind in READINGS

    def complete(self, request: ModelRequest) -> Completion:
        """Answer a request from its task; ``n`` samples are ``n`` equal replies, and sampling changes nothing.

        Raises:
            UsageError: the request has no task, or one of a kind that the reader cannot read.
        """
        task = request.task
        if task is None:
            raise UsageError(
                f"{NAME} answers prompts made from a kgbench template, and this request has none; "
                "send it through the gateway, or choose a language model with --model"
            )
        reading = READINGS.get(task.kind)
        if reading is None:
            raise UsageError(
                f'{NAME} cannot read the template "{task.template}": it has no reading for the kind "{task.kind}" '
                f"(it reads {', '.join(READINGS)}); choose a language model with --model"
            )
        reply = task.write(reading(task, self._tools))
        return Completion(texts=(reply,) * request.n, model=NAME)
