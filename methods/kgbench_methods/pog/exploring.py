"""Exploring: which relations an entity is left by, and what they lead to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.types import Direction, Entity, Triple
from kgbench_methods.common.evidence import ask_within_window
from kgbench_methods.common.relations import Edge, Offered, Way, WayBack, leads_on, offer, ways_of
from kgbench_methods.common.similar import most_similar
from kgbench_methods.pog.asking import Asked
from kgbench_methods.pog.replies import exact_labels, read_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.prompts import SlotValue
    from kgbench.types import Question, Relation, Term
    from kgbench_methods.pog.asking import Asker
    from kgbench_methods.pog.forms import Prompts
    from kgbench_methods.pog.parameters import PogParameters

MOST_LABELS = 200
"""Labels that one relation prompt lists in profile clean; more are filtered locally first."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """What one entity reaches along one relation in one direction."""

    source: Entity
    way: Way
    nodes: tuple[Term, ...]
    """Entities and literals, each once, sorted by id."""

    @property
    def edges(self) -> list[Edge]:
        """The steps from the source to each node."""
        return [Edge(self.source, *self.way, node) for node in self.nodes]

    @property
    def triples(self) -> list[Triple]:
        """The facts, in subject-to-object order."""
        return [edge.triple for edge in self.edges]

    def shown(self, *, outwards: bool) -> list[Triple]:
        """The facts as prompts show them; with ``outwards`` the source comes first whatever the direction (quirk B9)."""
        if outwards:
            return [Triple(self.source, self.way.relation, node) for node in self.nodes]
        return self.triples


@dataclass(frozen=True, slots=True)
class Reached:
    """An entity to explore, and the edges by which it was reached."""

    entity: Entity
    edges: tuple[Edge, ...] = ()
    """None for a topic."""


@dataclass
class Explorer:
    """Explores the entities of one question, depth by depth."""

    question: Question
    parameters: PogParameters
    prompts: Prompts
    asker: Asker
    ctx: Context
    objectives: SlotValue
    """The sub-objectives, as a prompt shows them."""
    previous: frozenset[str] = frozenset()
    """Labels of the relations kept at the depth before (official way back)."""
    explored: dict[Entity, None] = field(default_factory=dict)
    """Every entity that was explored, in order."""

    def picked(self, reached: Reached) -> list[Way]:
        """The ways out of an entity that the model picks: no call where it has none."""
        self.explored[reached.entity] = None
        offered = self._offered(reached)
        if not offered.by_label:
            self.ctx.note("entity_without_relations")
            return []
        labels = self._chosen(reached.entity, offered)
        ways = [way for label in sorted(labels) for way in self._followed(offered.by_label[label])]
        return sorted(ways, key=lambda way: way.direction is Direction.IN)

    def cluster(self, reached: Reached, way: Way) -> Cluster:
        """What a way leads to, without the way back."""
        nodes = self.ctx.kg.neighbours(reached.entity, *way)
        if not self.parameters.official:
            back = self._back(reached).sources(reached.entity, way)
            nodes = tuple(node for node in nodes if node not in back)
        return Cluster(reached.entity, way, nodes)

    def _followed(self, ways: list[Way]) -> list[Way]:
        return ways[:1] if self.parameters.has("B11") else ways

    def _offered(self, reached: Reached) -> Offered:
        """Relations of an entity without the way back.

        clean: only the single triple by which the entity was reached is left out, so a label that leads to nothing else.
        official: all relations of the depth before, in the direction that could lead back.
        """
        use = "explore-official" if self.parameters.official else "explore"
        ways = ways_of(self.ctx.kg, reached.entity, use)
        if self.parameters.official:
            came_inwards = bool(reached.edges) and reached.edges[0].direction is Direction.IN
            closed = Direction.OUT if came_inwards else Direction.IN
            return offer(way for way in ways if way.direction is not closed or way.relation.label not in self.previous)
        back = self._back(reached)
        return offer(way for way in ways if leads_on(self.ctx.kg, reached.entity, way, back, lambda _: True))

    def _back(self, reached: Reached) -> WayBack:
        back = WayBack()
        for edge in reached.edges:
            back.came(edge._replace(target=reached.entity), self.ctx.kg)
        return back

    def _chosen(self, entity: Entity, offered: Offered) -> tuple[str, ...]:
        relations = offered.relations
        if len(relations) > MOST_LABELS and not self.parameters.official:
            self.ctx.note("relations_prefiltered")
            relations = self._nearest(relations, MOST_LABELS)
        return ask_within_window(relations, lambda some: self._ask(entity, some), self.ctx, self._nearest)

    def _nearest(self, relations: Sequence[Relation], count: int) -> list[Relation]:
        return most_similar(self.ctx, self.question.text, relations, count)

    def _ask(self, entity: Entity, relations: Sequence[Relation]) -> tuple[str, ...]:
        labels = [relation.label for relation in relations]

        def read(reply: Reply) -> tuple[str, ...] | None:
            return exact_labels(reply.text, labels) if self.parameters.has("B2") else read_labels(reply.text, labels)

        asked = Asked(
            self.prompts.rel_select,
            {
                "question": self.question,
                "objectives": self.objectives,
                "entity": entity,
                "relations": list(relations),
            },
        )
        _, chosen = self.asker.ask(asked, read, losing=True)
        return chosen or ()
