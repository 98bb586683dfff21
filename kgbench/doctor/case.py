"""What the checks share: the settings, and the parts of the run that earlier checks could open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.run.plan import Given

if TYPE_CHECKING:
    from kgbench.contracts import ChatModel, Method
    from kgbench.data.records import Dataset
    from kgbench.embed import EmbeddingService
    from kgbench.kg.source import GraphSource
    from kgbench.spec import RunSpec
    from kgbench.types import QuestionRecord


@dataclass
class Case:
    """A run that is looked at. Each part is None until its own check has opened it."""

    spec: RunSpec
    """With absolute paths."""
    given: Given = field(default_factory=Given)
    ask: bool = False
    """True where the model may be asked for one short reply, which costs money."""
    method: Method | None = None
    dataset: Dataset | None = None
    records: tuple[QuestionRecord, ...] = ()
    """The questions that the run asks."""
    graph: GraphSource | None = None
    embeddings: EmbeddingService | None = None
    model: ChatModel | None = None
