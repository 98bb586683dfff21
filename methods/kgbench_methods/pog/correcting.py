"""Self-correction: entities that were seen before come back into the search where the model asks for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.types import Entity
from kgbench_methods.common.evidence import ask_within_window, distinct
from kgbench_methods.pog.asking import Asked, echo_of
from kgbench_methods.pog.exploring import Reached
from kgbench_methods.pog.prompts import NO_REASON
from kgbench_methods.pog.replies import Correction, exact_correction, read_correction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.prompts import SlotValue
    from kgbench.types import Question, Term, Triple
    from kgbench_methods.common.relations import Edge
    from kgbench_methods.pog.asking import Asker
    from kgbench_methods.pog.exploring import Cluster, Explorer
    from kgbench_methods.pog.forms import Prompts
    from kgbench_methods.pog.parameters import PogParameters
    from kgbench_methods.pog.pruning import Pruner


@dataclass
class Corrector:
    """Adds entities back into the search of one question."""

    question: Question
    parameters: PogParameters
    prompts: Prompts
    asker: Asker
    ctx: Context
    pruner: Pruner
    corrections: int = 0
    """Times that entities were added."""
    added: dict[Entity, None] = field(default_factory=dict)

    def add(
        self,
        tails: Sequence[Term],
        memory: SlotValue,
        shown: Sequence[Triple],
        explorer: Explorer,
        history: Sequence[Cluster],
    ) -> list[Reached]:
        """Ask whether to add entities, and which.

        Args:
            tails: what the search would go on with, literals included.
            memory: the notes so far.
            shown: the triples kept so far, as prompts show them.
            explorer: knows which entities were explored.
            history: every cluster that was retrieved, before pruning.

        Returns:
            Entities that are new to the list of corrections, in seeded order, each with the edge by which it was first
            seen; none after ``max_corrections`` corrections.
        """
        if self.corrections >= self.parameters.max_corrections:
            return []
        reply, correction = self._judged(tails, memory, shown)
        if correction is None or not correction.add:
            return []
        pool = self._pool(tails, explorer, history)
        if not pool:
            return []
        reason = echo_of(reply, correction.reason) if correction.reason else None
        chosen = self._chosen(pool, reason or NO_REASON, memory)
        new = [term for term in chosen if isinstance(term, Entity) and term not in self.added]
        if not new:
            return []
        self.corrections += 1
        self.added.update(dict.fromkeys(new))
        edges = _first_edges(history)
        ordered = self.ctx.seeded_order(new, "added", str(self.corrections))
        return [
            Reached(entity, (edges[entity],) if entity in edges else ())
            for entity in ordered
            if isinstance(entity, Entity)
        ]

    def _judged(
        self, tails: Sequence[Term], memory: SlotValue, shown: Sequence[Triple]
    ) -> tuple[Reply, Correction | None]:
        def read(reply: Reply) -> Correction | None:
            return exact_correction(reply.text) if self.parameters.has("B1") else read_correction(reply.text)

        def ask(some: Sequence[Triple]) -> tuple[Reply, Correction | None]:
            slots: dict[str, SlotValue | Sequence[SlotValue]] = {
                "question": self.question,
                "tails": distinct(tails),
                "memory": memory,
                "triples": list(some),
            }
            return self.asker.ask(Asked(self.prompts.judge, slots), read, losing=True)

        return ask_within_window(shown, ask, self.ctx)

    def _pool(self, tails: Sequence[Term], explorer: Explorer, history: Sequence[Cluster]) -> Sequence[Term]:
        """Entities that may come back: all seen so far but for the tails, as many as one prompt lists.

        Quirk B4: those explored so far, and of the others only members of clusters that were too large for a prompt.
        """
        seen: dict[Term, None] = dict.fromkeys(explorer.explored)
        for cluster in history:
            if not self.parameters.has("B4"):
                seen.update(dict.fromkeys(cluster.nodes))
            elif len(cluster.nodes) > self.parameters.dense_top:
                key = (cluster.source.id, cluster.way.relation.id, str(cluster.way.direction))
                seen.update(dict.fromkeys(self.pruner.most(cluster.nodes, *key)))
        known = set(tails)
        pool = [term for term in seen if isinstance(term, Entity) and term not in known]
        return pool if self.parameters.has("B4") else self.pruner.most(pool, "pool", str(len(history)))

    def _chosen(self, pool: Sequence[Term], reason: SlotValue, memory: SlotValue) -> tuple[Term, ...]:
        def ask(some: Sequence[Term]) -> tuple[Term, ...]:
            slots: dict[str, SlotValue | Sequence[SlotValue]] = {
                "question": self.question,
                "reason": reason,
                "memory": memory,
                "candidates": list(some),
            }
            reading = self.pruner.reading("candidates", whole=True)
            return self.asker.ask(Asked(self.prompts.add_entities, slots), reading)[1] or ()

        return ask_within_window(pool, ask, self.ctx, lambda some, count: self.pruner.nearest(some, count, "pool"))


def _first_edges(history: Sequence[Cluster]) -> dict[Term, Edge]:
    """For each node the edge by which it was first seen."""
    first: dict[Term, Edge] = {}
    for cluster in history:
        for edge in cluster.edges:
            first.setdefault(edge.target, edge)
    return first
