"""Which graph each question of a run reads: one for all, or one of its own, without the facts that the run hides."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, NoReturn

from kgbench.contracts import QuestionGraphs
from kgbench.errors import UsageError
from kgbench.kg.hiding import Hiding, HidingGraph

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgbench.contracts import GraphCard, KnowledgeGraph
    from kgbench.kg.hiding import ListedTriple


@dataclass(frozen=True)
class GraphSource:
    """The graph of a run, or its graphs: what a planner opens, and each question then takes its own from."""

    opened: KnowledgeGraph | QuestionGraphs
    """As an adapter opened it."""
    hiding: Hiding = field(default_factory=Hiding)
    """What is taken out of it."""
    description: str = ""
    """Digest of what a folder says of the graph beside the graph itself; empty for none."""

    @cached_property
    def card(self) -> GraphCard:
        """What the graphs are together. Name and fingerprint tell a graph that hides facts from the whole one."""
        card = self.opened.card
        if self.description:
            fingerprint = sha256(f"{card.fingerprint} {self.description}".encode()).hexdigest()
            card = replace(card, fingerprint=fingerprint)
        if not self.hiding:
            return card
        name, fingerprint = f"{card.name}[{self.hiding.text}]", self.hiding.fingerprint(card.fingerprint)
        return replace(card, name=name, fingerprint=fingerprint, triples=None)

    @property
    def shared(self) -> KnowledgeGraph | None:
        """The whole graph that all questions share; None where each has one of its own."""
        return None if isinstance(self.opened, QuestionGraphs) else self.opened

    def graph_for(self, question_id: str, listed: Iterable[ListedTriple] = ()) -> KnowledgeGraph:
        """Return the graph that a question reads.

        Args:
            question_id: whose.
            listed: facts that the question lists to be hidden, where the run hides them.

        Raises:
            GraphError: each question has a graph of its own, and this one has none.
        """
        graph = self.opened.graph_for(question_id) if isinstance(self.opened, QuestionGraphs) else self.opened
        if not self.hiding:
            return graph
        card = self.card if self.shared is not None else replace(graph.card, triples=None)
        return HidingGraph(graph, self.hiding.rules(listed, graph.card), card)

    def before_questions(self) -> KnowledgeGraph:
        """Return the graph that a method's step before the first question reads: what is thinned is thinned here too."""
        if self.shared is None or self.hiding.crucial:
            return NoGraphYet(self.card)
        return self.graph_for("")


class NoGraphYet:
    """Stands for the graph before the first question where each question has its own.

    Args:
        card: what the graphs are together.
    """

    def __init__(self, card: GraphCard) -> None:
        self.card = card

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        """Refuse to read.

        Raises:
            UsageError: always.
        """
        raise UsageError(
            "the method reads the graph before the first question, and here each question has a graph of its own, by its "
            "data set or by kg.hide; take a data set with one graph, and leave kg.hide out"
        )

    relations = neighbours = names = types = select = _refuse


def _conforms(graph: NoGraphYet) -> KnowledgeGraph:
    """Holds the type checker to the contract; never called."""
    return graph
