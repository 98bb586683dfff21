"""The facts around one entity: its relations, a label once, and a sample of the facts of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.types import Entity, Relation
from kgbench_methods.common.relations import Edge, Way, ways_of

if TYPE_CHECKING:
    from kgbench.contracts import Context
    from kgbench.types import Triple
    from kgbench_methods.gog.parameters import GogParameters
    from kgbench_methods.gog.schema import Labels


@dataclass(slots=True)
class Neighbourhoods:
    """Reads the facts around entities, for one question."""

    ctx: Context
    parameters: GogParameters
    labels: Labels
    _ways: dict[Entity, dict[str, list[Way]]] = field(default_factory=dict)

    def relations(self, entity: Entity) -> list[Relation]:
        """Relations of an entity under the labels that are shown, a label once, sorted by label."""
        return [Relation(label, label) for label in self._by_label(entity)]

    def facts(self, entity: Entity, label: str, step: int) -> list[Triple]:
        """Facts of a relation in all its directions; a seeded sample where there are many.

        Args:
            entity: where the relation starts or ends.
            label: of one of :meth:`relations`.
            step: number of the agent's step; with quirk B8 every step draws anew.
        """
        triples = sorted(self._facts(entity, label), key=_sort_key)
        key = (entity.id, label, *((str(step),) if self.parameters.has("B8") else ()))
        self.ctx.rng("facts", *key).shuffle(triples)
        return triples[: self.parameters.triples_per_relation]

    def _by_label(self, entity: Entity) -> dict[str, list[Way]]:
        """Two relations may share a label; it then stands for both."""
        if entity not in self._ways:
            use = "explore-official" if self.parameters.has("user_relations") else "explore"
            found: dict[str, list[Way]] = {}
            for way in ways_of(self.ctx.kg, entity, use):
                found.setdefault(self.labels.relation(way.relation).label, []).append(way)
            if self.parameters.incomplete:
                # A relation all of whose facts are missing must not show that it once had some.
                found = {label: ways for label, ways in found.items() if self._along(entity, ways)}
            self._ways[entity] = {label: found[label] for label in sorted(found)}
        return self._ways[entity]

    def _facts(self, entity: Entity, label: str) -> set[Triple]:
        return self._along(entity, self._by_label(entity)[label])

    def _along(self, entity: Entity, ways: list[Way]) -> set[Triple]:
        view = self.ctx.kg
        triples = {Edge(entity, *way, term).triple for way in ways for term in view.neighbours(entity, *way)}
        return {triple for triple in triples if not self._is_missing(triple)}

    def _is_missing(self, triple: Triple) -> bool:
        """True for a fact that the incomplete graph lacks, in whichever direction and under whichever name it is read.

        A hash of the fact decides, so that neither the order of reading nor the adapter does.
        """
        subject, target = triple.subject, triple.object
        if not self.parameters.incomplete or not (isinstance(subject, Entity) and isinstance(target, Entity)):
            return False
        forward = (subject.id, triple.relation.label, target.id)
        inverse = self.ctx.kg.inverse(triple.relation)
        fact = min(forward, (target.id, inverse, subject.id)) if inverse else forward
        return self.ctx.rng("missing", *fact).random() < self.parameters.incomplete


def _sort_key(triple: Triple) -> tuple[object, ...]:
    return (triple.relation.label, triple.subject.sort_key, triple.object.sort_key)
