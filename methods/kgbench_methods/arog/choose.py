"""``arog-r``: retrieval by the model instead of matching (the paper's variant without structure-oriented abstraction).

Candidate triples are numbered and the model picks the most relevant. The paper gives no detail; batches and fallback are
those of the specification that this port follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.prompts import Fact
from kgbench_methods.arog.clusters import Cluster
from kgbench_methods.arog.prompts import CHOOSE
from kgbench_methods.arog.select import Selection, next_frontier
from kgbench_methods.common.lists import parse_numbers
from kgbench_methods.common.send import send
from kgbench_methods.common.similar import similarities

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kgbench.contracts import Context
    from kgbench.types import Entity, Question, Triple
    from kgbench_methods.arog.concepts import Concepts

BATCH = 60
"""Lines that one prompt lists; more are split, and the winners meet in a final call."""


@dataclass(frozen=True)
class ModelSelector:
    """Asks the model which candidate triples to keep."""

    question: Question
    concepts: Concepts
    ctx: Context
    width: int
    temperature: float

    def select(
        self, candidates: Sequence[Cluster], frontier: Sequence[Entity], expanded: Collection[Entity], depth: int
    ) -> Selection:
        """Keep the chosen triples, each as a cluster of one member; their far ends go on."""
        singles: dict[Triple, Cluster] = {}
        for cluster in candidates:
            for member in cluster.members:
                single = Cluster(cluster.source, cluster.relation, cluster.direction, (member,))
                singles.setdefault(single.triples[0], single)
        if not singles:
            return Selection([], [])
        chosen = self._chosen(list(singles))
        kept = [singles[triple] for triple in chosen]
        for rank, cluster in enumerate(kept):
            cluster.score = 1.0 - rank / max(1, len(kept))
        return Selection(kept, next_frontier(kept, expanded, depth, self.ctx, self.width))

    def _chosen(self, triples: list[Triple]) -> list[Triple]:
        # Batches are made by label and, within one, in the seeded order of the clusters: no key enters.
        ordered = sorted(triples, key=lambda triple: triple.relation.label)
        if len(ordered) <= BATCH:
            return self._ask(ordered)
        winners = [
            triple for start in range(0, len(ordered), BATCH) for triple in self._ask(ordered[start : start + BATCH])
        ]
        return self._ask(winners) if len(winners) > self.width else winners

    def _ask(self, triples: Sequence[Triple]) -> list[Triple]:
        facts = [self.concepts.fact(triple) for triple in triples]
        reply = send(self.ctx, CHOOSE, self.temperature, question=self.question, triples=facts, width=self.width)
        shown = [fact.triple for fact in reply.shown["triples"] if isinstance(fact, Fact)]
        parsed = parse_numbers(reply.text, len(shown), self.width)
        self.ctx.note("unknown_number", parsed.unknown)
        if parsed.numbers:
            return [shown[number - 1] for number in parsed.numbers]
        self.ctx.note("parse_failure:choose")
        return self._nearest(triples)

    def _nearest(self, triples: Sequence[Triple]) -> list[Triple]:
        """The triples closest to the question: what stands in for a malformed reply."""
        texts = [
            (
                self.concepts.described(triple.subject),
                ", ",
                triple.relation,
                ", ",
                self.concepts.described(triple.object),
            )
            for triple in triples
        ]
        scores = similarities(self.ctx, self.question.text, texts)
        ranked = sorted(range(len(triples)), key=lambda place: (-scores[place], place))
        return [triples[place] for place in ranked[: self.width]]
