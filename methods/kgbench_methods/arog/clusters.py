"""Relation-centric retrieval: what one entity reaches along the relations chosen for it (ARoG, section 3.2, step 1).

A cluster is all terms reached from one (entity, relation, direction), sampled where there are many and with mediators
joined away. Clusters are the unit of abstraction and of selection.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from kgbench.types import Direction, Entity, JoinedRelation, Relation, Triple
from kgbench_methods.common.similar import similarities

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kgbench.contracts import Context, View
    from kgbench.types import AnyRelation, Question, Term

LARGE = 20
"""A cluster of this many members or more is sampled."""
SAMPLE = 5
SAMPLE_BEHIND_MEDIATORS = 20


@dataclass(slots=True)
class Cluster:
    """Terms that one entity reaches along one relation in one direction."""

    source: Entity
    relation: AnyRelation
    direction: Direction
    members: tuple[Term, ...]
    """In seeded order."""
    score: float = 0.0

    @property
    def key(self) -> tuple[str, str, str]:
        """Seed key: source, relation, direction; no secret key enters."""
        return (self.source.id, self.relation.id, str(self.direction))

    @property
    def triples(self) -> list[Triple]:
        """The facts of the cluster, in subject-to-object order."""
        if self.direction is Direction.OUT:
            return [Triple(self.source, self.relation, member) for member in self.members]
        # One fact is one triple, from whichever end it was reached.
        relation = self.relation.reversed if isinstance(self.relation, JoinedRelation) else self.relation
        return [Triple(member, relation, self.source) for member in self.members]

    @property
    def entities(self) -> list[Entity]:
        """Members that are entities."""
        return [member for member in self.members if isinstance(member, Entity)]


class _Edge(NamedTuple):
    """One way to walk: a relation and the direction in which it is followed."""

    relation: AnyRelation | str
    direction: Direction


@dataclass(slots=True)
class WayBack:
    """The triples by which each entity was reached: never walked again in reverse.

    Only these single triples are excluded, not their relation: actor - film - other actors goes back along the same
    relation, and 31 % of two-step MetaQA questions do.
    """

    _edges: dict[Entity, dict[_Edge, set[Entity]]] = field(default_factory=dict)

    def came(self, entity: Entity, cluster: Cluster, view: View) -> None:
        """Remember that ``entity`` was reached as a member of ``cluster``."""
        back = self._edges.setdefault(entity, {})
        relation = cluster.relation
        if isinstance(relation, JoinedRelation):
            back.setdefault(_Edge(relation.reversed, Direction.OUT), set()).add(cluster.source)
            return
        back.setdefault(_Edge(relation, cluster.direction.reverse), set()).add(cluster.source)
        inverse = view.inverse(relation)
        if inverse:
            back.setdefault(_Edge(inverse, cluster.direction), set()).add(cluster.source)

    def sources(self, entity: Entity, relation: AnyRelation, direction: Direction) -> set[Entity]:
        """Entities that ``entity`` would go back to along this relation."""
        back = self._edges.get(entity, {})
        if isinstance(relation, JoinedRelation):
            return back.get(_Edge(relation, Direction.OUT), set())
        return back.get(_Edge(relation, direction), set()) | back.get(_Edge(relation.label, direction), set())


@dataclass(slots=True)
class Offered:
    """The relations of one entity, a label once, with the directions in which the entity has it."""

    by_label: dict[str, list[tuple[Relation, Direction]]]

    @property
    def relations(self) -> list[Relation]:
        """One relation a label, sorted by label."""
        return [ways[0][0] for _, ways in sorted(self.by_label.items())]


@dataclass(frozen=True)
class Retriever:
    """Reads clusters for one question."""

    question: Question
    width: int
    """Most joined relations that are kept behind the mediators of one relation."""
    back: WayBack
    ctx: Context

    @property
    def use(self) -> str:
        """The use that decides which bookkeeping relations are left out."""
        return "explore"

    def came_from(self, entity: Entity, relation: AnyRelation, direction: Direction) -> set[Entity]:
        """Entities that a walk from ``entity`` along this relation must not go back to."""
        return self.back.sources(entity, relation, direction)

    def started(self, frontier: Sequence[Entity]) -> None:
        """A new iteration begins at these entities."""

    def took(self, kept: Sequence[Cluster]) -> None:
        """These clusters were kept: remember how their members were reached."""
        for cluster in kept:
            for entity in cluster.entities:
                self.back.came(entity, cluster, self.ctx.kg)

    def offered(self, entity: Entity) -> Offered:
        """Relations that may be explored from an entity; a label that leads nowhere but back is not offered."""
        view = self.ctx.kg
        by_label: dict[str, list[tuple[Relation, Direction]]] = {}
        for direction in (Direction.OUT, Direction.IN):
            for relation in view.relations(entity, direction, use=self.use):
                came_from = self.came_from(entity, relation, direction)
                if came_from and not set(view.neighbours(entity, relation, direction)) - came_from:
                    continue
                by_label.setdefault(relation.label, []).append((relation, direction))
        return Offered(by_label)

    def clusters(self, entity: Entity, relation: Relation, direction: Direction) -> list[Cluster]:
        """What an entity reaches along one relation: none, one cluster, or up to ``width`` behind mediators."""
        reached = self.ctx.kg.neighbours(entity, relation, direction)
        entities = [term for term in reached if isinstance(term, Entity)]
        key = (entity.id, relation.id, str(direction))
        if not entities:
            literals = self._sample(reached, SAMPLE, key)
            return [Cluster(entity, relation, direction, literals)] if literals else []
        came_from = self.came_from(entity, relation, direction)
        kept = self._sample([term for term in entities if term not in came_from], SAMPLE, key)
        members = tuple(term for term in kept if isinstance(term, Entity))
        if not members:
            return []
        if self.ctx.kg.are_mediators(members):
            return self._behind_mediators(entity, relation, direction, members)
        plain = tuple(member for member in members if not self.ctx.kg.is_mediator(member))
        return [Cluster(entity, relation, direction, plain)]

    def _behind_mediators(
        self, entity: Entity, first: Relation, direction: Direction, mediators: Sequence[Entity]
    ) -> list[Cluster]:
        """Join the edges through mediators and keep the ``width`` joined relations closest to the question."""
        found: list[Cluster] = []
        for onward in (direction, direction.reverse):
            # The other direction serves a mediator that is the subject (or the object) of all its roles.
            seconds = self.ctx.kg.relations(mediators, onward, use=self.use)
            found = self._reaching(entity, [JoinedRelation(first, direction, second, onward) for second in seconds])
            if found:
                break
        if len(found) > self.width:
            similarity = similarities(self.ctx, self.question.text, [cluster.relation for cluster in found])
            ranked = sorted(
                zip(similarity, found, strict=True),
                key=lambda pair: (-pair[0], pair[1].relation.label, pair[1].relation.id),
            )
            found = [cluster for _, cluster in ranked[: self.width]]
        return found

    def _reaching(self, entity: Entity, joined: Iterable[JoinedRelation]) -> list[Cluster]:
        """Clusters of the joined relations that lead somewhere else than back."""
        found = []
        for relation in joined:
            came_from = self.came_from(entity, relation, relation.direction)
            reached = self.ctx.kg.neighbours(entity, relation, relation.direction)
            key = (entity.id, relation.id, str(relation.direction))
            members = self._sample([term for term in reached if term not in came_from], SAMPLE_BEHIND_MEDIATORS, key)
            if members:
                found.append(Cluster(entity, relation, relation.direction, members))
        return found

    def _sample(self, terms: Sequence[Term], size: int, key: tuple[str, ...]) -> tuple[Term, ...]:
        """Terms in seeded order; the first ``size`` of them where there are LARGE or more."""
        ordered = self.ctx.seeded_order(terms, "cluster", *key)
        return tuple(ordered[:size] if len(ordered) >= LARGE else ordered)
