"""Walking a graph step by step: the relations that an entity may be left by, and the way by which it was reached."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from kgbench.types import Direction, Entity, Relation, Term, Triple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kgbench.contracts import View


class Way(NamedTuple):
    """A relation and the direction in which it is followed."""

    relation: Relation
    direction: Direction


class Edge(NamedTuple):
    """One step: from an entity along a relation to a term."""

    source: Entity
    relation: Relation
    direction: Direction
    target: Term

    @property
    def triple(self) -> Triple:
        """The fact, in subject-to-object order."""
        if self.direction is Direction.OUT:
            return Triple(self.source, self.relation, self.target)
        assert isinstance(self.target, Entity)  # noqa: S101 - a literal is nobody's subject
        return Triple(self.target, self.relation, self.source)


@dataclass(slots=True)
class WayBack:
    """The edges by which each entity was reached: never walked again in reverse.

    Only these single triples are left out, not their relation: actor - film - other actors goes back along the same
    relation, and 31 % of two-step MetaQA questions do. Under a declared inverse it is the same triple.
    """

    _back: dict[Entity, dict[tuple[str, Direction], set[Term]]] = field(default_factory=dict)

    def came(self, edge: Edge, view: View) -> None:
        """Remember that ``edge.target`` was reached by this edge; a literal is never left again."""
        if not isinstance(edge.target, Entity):
            return
        back = self._back.setdefault(edge.target, {})
        back.setdefault((edge.relation.label, edge.direction.reverse), set()).add(edge.source)
        inverse = view.inverse(edge.relation)
        if inverse:
            back.setdefault((inverse, edge.direction), set()).add(edge.source)

    def sources(self, entity: Entity, way: Way) -> frozenset[Term]:
        """Entities that ``entity`` would only go back to along ``way``."""
        return frozenset(self._back.get(entity, {}).get((way.relation.label, way.direction), ()))


@dataclass(frozen=True, slots=True)
class Offered:
    """The relations of one entity: a label once, with every direction in which the entity has it."""

    by_label: dict[str, list[Way]]
    """Sorted by label; ways lead OUT before IN."""

    @property
    def relations(self) -> list[Relation]:
        """One relation a label, sorted by label."""
        return [ways[0].relation for ways in self.by_label.values()]


def ways_of(view: View, entity: Entity, use: str | None = "explore") -> list[Way]:
    """All ways to leave an entity, bookkeeping left out: OUT before IN, each sorted by label."""
    return [
        Way(relation, direction)
        for direction in (Direction.OUT, Direction.IN)
        for relation in view.relations(entity, direction, use=use)
    ]


def leads_on(view: View, entity: Entity, way: Way, back: WayBack, counts: Callable[[Term], bool]) -> bool:
    """True unless a way leads to nothing but where one came from.

    Args:
        view: the graph.
        entity: where the way starts.
        way: relation and direction.
        back: how entities were reached. The graph is read only where ``entity`` was reached along this very relation.
        counts: tells whether a term is something that the method would go on to.
    """
    came_from = back.sources(entity, way)
    if not came_from:
        return True
    return any(counts(term) and term not in came_from for term in view.neighbours(entity, *way))


def offer(ways: Iterable[Way]) -> Offered:
    """Group ways by label, sorted by label, so that a relation is offered once whatever its directions."""
    by_label: dict[str, list[Way]] = {}
    for way in ways:
        by_label.setdefault(way.relation.label, []).append(way)
    return Offered({label: by_label[label] for label in sorted(by_label)})
