"""Profile ``official``: retrieval and selection as the published code does them (spec: sections 4 and 9).

Selection compares real names, so what is sent afterwards depends on whether a name that the model guessed is true: a side
channel that the record shows as ``names_in_selection``. No name itself enters a prompt.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.types import Direction, Entity
from kgbench_methods.arog.clusters import Cluster, Offered, Retriever
from kgbench_methods.arog.select import Selection

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kgbench.contracts import Context
    from kgbench.types import AnyRelation, Question, Relation, Term
    from kgbench_methods.arog.concepts import Concepts


@dataclass(frozen=True)
class OfficialRetriever(Retriever):
    """Offers each relation once a question, follows a label one way, and never goes back to the frontier."""

    used: set[str] = field(default_factory=set)
    """Labels of relations kept so far."""
    frontier: set[Entity] = field(default_factory=set)

    @property
    def use(self) -> str:
        """``user.*`` and ``base.*`` stay in."""
        return "explore-official"

    def came_from(self, entity: Entity, relation: AnyRelation, direction: Direction) -> set[Entity]:
        """Every entity of the frontier, and the one from which ``entity`` was reached."""
        return self.frontier | self.back.sources(entity, relation, direction)

    def started(self, frontier: Sequence[Entity]) -> None:
        """Remember the frontier of this iteration."""
        self.frontier.clear()
        self.frontier.update(frontier)

    def took(self, kept: Sequence[Cluster]) -> None:
        """Strike the labels of what was kept: they are not offered again, in either direction."""
        super().took(kept)
        self.used.update(cluster.relation.label for cluster in kept)

    def offered(self, entity: Entity) -> Offered:
        """Labels that were not kept before; one in both directions counts as OUT."""
        by_label: dict[str, list[tuple[Relation, Direction]]] = {}
        for direction in (Direction.OUT, Direction.IN):
            for relation in self.ctx.kg.relations(entity, direction, use=self.use):
                if relation.label not in self.used:
                    by_label.setdefault(relation.label, [(relation, direction)])
        return Offered(by_label)


@dataclass(frozen=True)
class OfficialSelector:
    """Keeps triples by their entities: nearest to the path, nearest to the question, or named in the path."""

    question: Question
    path: Sequence[str]
    """Empty where structure-oriented abstraction is off."""
    concepts: Concepts
    ctx: Context
    width: int

    def select(
        self, candidates: Sequence[Cluster], frontier: Sequence[Entity], expanded: Collection[Entity], depth: int
    ) -> Selection:
        """Keep every candidate triple that holds a chosen entity; the nearest to the path go on."""
        texts = [(cluster, term) for cluster in candidates for term in cluster.members]
        if not texts:
            return Selection([], [])
        by_path = self._nearest(texts, self.path or [self.question.text])
        chosen: dict[Term, None] = dict.fromkeys(by_path)
        if self.path:
            chosen |= dict.fromkeys(self._nearest(texts, [self.question.text]))
            entities = [term for _, term in texts if isinstance(term, Entity)]
            named = [entity for piece in self.path for entity in self.ctx.link(piece, list(dict.fromkeys(entities)))]
            chosen |= dict.fromkeys(named)
        kept = []
        for cluster in candidates:
            members = tuple(member for member in cluster.members if member in chosen)
            if members:
                kept.append(Cluster(cluster.source, cluster.relation, cluster.direction, members, cluster.score))
        return Selection(kept, [term for term in by_path if isinstance(term, Entity) and term not in expanded])

    def _nearest(self, texts: Sequence[tuple[Cluster, Term]], queries: Sequence[str]) -> list[Term]:
        """The first ``width`` distinct members by their best text over the queries; ties in seeded order."""
        items = [self._text(cluster, term) for cluster, term in texts]
        best = [max(scores) for scores in zip(*(self.ctx.rank(query, items) for query in queries), strict=True)]
        place = {
            term: number for number, term in enumerate(self.ctx.seeded_order([term for _, term in texts], "nearest"))
        }
        for (cluster, _), score in zip(texts, best, strict=True):
            cluster.score = max(cluster.score, score)
        ranked = sorted(zip(best, texts, strict=True), key=lambda pair: (-pair[0], place[pair[1][1]]))
        return list(dict.fromkeys(term for _, (_, term) in ranked))[: self.width]

    def _text(self, cluster: Cluster, term: Term) -> tuple[object, ...]:
        described = self.concepts.described(term)
        source = self.concepts.described(cluster.source)
        if cluster.direction is Direction.OUT:
            return (source, ", ", cluster.relation, ", ", described)
        return (described, ", ", cluster.relation, ", ", source)
