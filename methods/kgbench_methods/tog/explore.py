"""Where ToG may go from an entity: the relations that it offers, and what lies behind one of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.text import label_words
from kgbench.types import Direction, Entity, Relation
from kgbench_methods.common.relations import Edge, Offered, Way, WayBack, leads_on, offer, ways_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context
    from kgbench.types import Term
    from kgbench_methods.tog.parameters import TogParameters

_GENERIC = frozenset({"country", "country of citizenship"})
"""Relations that the loop for Wikidata leaves out (quirk Q15)."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What an entity may be left by."""

    offered: Offered
    """What the prompt lists."""
    hidden: Offered
    """Ways that are not listed and that a reply may name all the same (quirk Q9)."""


_NOTHING = Offered({})


@dataclass(slots=True)
class Explorer:
    """Reads the graph for one question.

    Args:
        parameters: filters and quirks.
        ctx: the question's context.
    """

    parameters: TogParameters
    ctx: Context
    back: WayBack = field(default_factory=WayBack)
    _kept: frozenset[str] = frozenset()
    """Labels of the relations kept at the depth before."""
    _closed: dict[Entity, frozenset[Direction]] = field(default_factory=dict)
    """Directions in which an entity may not follow these labels; topics come before any label was kept."""

    def choices(self, entity: Entity) -> Choices:
        """The relations of an entity, without the way back."""
        every = [way for way in self._ways(entity) if self._is_kept(way.relation)]
        if "way_back" in self.parameters.active:
            closed = self._closed.get(entity, frozenset())
            left_out = [way for way in every if way.direction in closed and way.relation.label in self._kept]
        else:
            left_out = [way for way in every if not leads_on(self.ctx.kg, entity, way, self.back, self._counts)]
        offered = offer(way for way in every if way not in left_out)
        if "Q9" not in self.parameters.active:
            return Choices(offered, _NOTHING)
        one_way = Offered({label: ways[:1] for label, ways in offered.by_label.items()})
        return Choices(one_way, offer(way for way in left_out if way.direction is Direction.IN))

    def behind(self, entity: Entity, way: Way) -> list[Term]:
        """What an entity reaches along a relation, in seeded order, without where one came from."""
        if "Q1" in self.parameters.active and way.direction is Direction.IN:
            return []
        reached = [term for term in self.ctx.kg.neighbours(entity, *way) if self._counts(term)]
        if "way_back" not in self.parameters.active:
            came_from = self.back.sources(entity, way)
            reached = [term for term in reached if term not in came_from]
        return self.ctx.seeded_order(reached, "cluster", entity.id, way.relation.id, str(way.direction))

    def came(self, kept: Sequence[Edge]) -> None:
        """Remember how the entities of the next frontier were reached.

        With quirk Q8 an entity's direction is read at its place among the distinct entities, in a list that still has an
        entry for each edge.
        """
        self._kept = frozenset(edge.relation.label for edge in kept)
        self._closed = {}
        reached = [edge.target for edge in kept if isinstance(edge.target, Entity)]
        for place, entity in enumerate(dict.fromkeys(reached)):
            edges = [kept[place]] if "Q8" in self.parameters.active else [e for e in kept if e.target == entity]
            self._closed[entity] = frozenset(edge.direction.reverse for edge in edges)
        for edge in kept:
            self.back.came(edge, self.ctx.kg)

    def _ways(self, entity: Entity) -> list[Way]:
        if not self.parameters.filters:
            return ways_of(self.ctx.kg, entity, None)
        use = "explore-official" if "user_relations" in self.parameters.active else "explore"
        if not self.parameters.keep_kg_rels:
            return ways_of(self.ctx.kg, entity, use)
        every = ways_of(self.ctx.kg, entity, None)
        return [way for way in every if _is_kg(way.relation) or not self.ctx.kg.skips(way.relation, use)]

    def _is_kept(self, relation: Relation) -> bool:
        return "Q15" not in self.parameters.active or label_words(relation.label).casefold() not in _GENERIC

    def _counts(self, term: Term) -> bool:
        """Tell whether a term may be reached at all."""
        if isinstance(term, Entity):
            return not ("g_ids" in self.parameters.active and term.id.startswith("g."))
        return self.parameters.reaches_literals


def _is_kg(relation: Relation) -> bool:
    return relation.label.startswith("kg.") or relation.label == "type.object.key"
