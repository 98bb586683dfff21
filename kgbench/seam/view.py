"""The graph as a method sees it: ids and labels, mediators joined, no names.

Made by the harness over any adapter, so that no adapter can weaken it. Whatever a method reads here is remembered by the
session: the scanner looks for exactly these terms in what leaves, and the record says what was asked.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

from kgbench.seam.reads import Read, ReadKind
from kgbench.types import Direction, Entity, Literal, Neighbours, Relation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import KnowledgeGraph
    from kgbench.seam.session import Session
    from kgbench.types import AnyRelation, JoinedRelation, NodeKind, Term


@lru_cache(maxsize=200_000)
def is_bookkeeping(label: str, patterns: tuple[str, ...]) -> bool:
    """True if a relation label matches one of the profile's glob patterns."""
    return any(fnmatchcase(label, pattern) for pattern in patterns)


class GraphView:
    """One question's view of a graph.

    Args:
        graph: the adapter, behind its gate.
        session: remembers what is read and counts it.
    """

    def __init__(self, graph: KnowledgeGraph, session: Session) -> None:
        self._graph = graph
        self._session = session
        self._kinds: dict[Entity, NodeKind] = {}

    def relations(
        self, entities: Entity | Sequence[Entity], direction: Direction, use: str | None = None
    ) -> tuple[Relation, ...]:
        """Distinct relations of the entities in a direction, sorted by label; see :class:`kgbench.contracts.View`."""
        batch = (entities,) if isinstance(entities, Entity) else tuple(entities)
        if not batch:
            return ()
        self._session.note("graph_reads")
        found = self._graph.relations(batch, direction)
        union = {relation for relations in found.values() for relation in relations}
        patterns = self._graph.card.profile.skip.get(use, ()) if use else ()
        kept = [relation for relation in union if not is_bookkeeping(relation.label, patterns)]
        self._session.labels.update(relation.label for relation in kept)
        self._log(ReadKind.RELATIONS, batch, len(kept), direction=direction)
        return tuple(sorted(kept, key=lambda relation: (relation.label, relation.id)))

    def neighbours(
        self, entity: Entity, relation: AnyRelation, direction: Direction, limit: int | None = None
    ) -> tuple[Term, ...]:
        """Terms reached, sorted by id; through a joined relation two hops, without ``entity`` itself."""
        if isinstance(relation, Relation):
            found = self._read((entity,), relation, direction, limit)
            reached, cut = {term for _, term in found.pairs}, found.cut
        else:
            reached, cut = self._read_joined(entity, relation, limit)
        self._log(ReadKind.NEIGHBOURS, (entity,), len(reached), relation.label, direction, cut=cut)
        return tuple(sorted(reached, key=lambda term: term.sort_key))

    def _read_joined(self, entity: Entity, relation: JoinedRelation, limit: int | None) -> tuple[set[Term], bool]:
        """What two hops reach, and whether one of them was cut."""
        middle = self._read((entity,), relation.first, relation.first_direction, limit)
        mediators = [term for _, term in middle.pairs if isinstance(term, Entity) and self._kind(term).mediator]
        if not mediators:
            return set(), middle.cut
        far = self._read(mediators, relation.second, relation.second_direction, limit)
        self._session.labels.add(relation.label)
        return {term for _, term in far.pairs if term != entity}, middle.cut or far.cut

    def _read(
        self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int | None
    ) -> Neighbours:
        self._session.note("graph_reads")
        found = self._graph.neighbours(entities, relation, direction, limit)
        self._session.note("graph_cut", found.cut)
        self._session.touch(term for _, term in found.pairs)
        return found

    def is_mediator(self, entity: Entity) -> bool:
        """True for a CVT, statement or reified node: known from schema or profile."""
        return self.are_mediators((entity,))

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Class labels of the entity, sorted."""
        known = entity in self._kinds
        labels = sorted(label.label for label in self._kind(entity).classes)
        self._session.labels.update(labels)
        if not known:
            self._log(ReadKind.TYPES, (entity,), len(labels))
        return tuple(labels)

    def domain_range(self, relation: Relation) -> tuple[str | None, str | None]:
        """Classes that the schema gives for subject and object."""
        return self._graph.card.domains.get(relation.label, (None, None))

    def are_mediators(self, entities: Sequence[Entity]) -> bool:
        """True if every entity is a mediator; one round trip."""
        asked = self._load_kinds(entities)
        if asked:
            self._log(ReadKind.MEDIATORS, asked, sum(self._kinds[entity].mediator for entity in asked))
        return all(self._kinds[entity].mediator for entity in entities)

    def skips(self, relation: AnyRelation, use: str) -> bool:
        """True if a relation, or a part of a joined one, is bookkeeping for a use."""
        patterns = self._graph.card.profile.skip.get(use, ())
        parts = (relation,) if isinstance(relation, Relation) else (relation.first, relation.second)
        return any(is_bookkeeping(part.label, patterns) for part in parts)

    def inverse(self, relation: AnyRelation) -> str | None:
        """Label of the declared inverse of a relation, where the schema names one."""
        return self._graph.card.inverses.get(relation.label)

    def select(self, sparql: str) -> tuple[tuple[Term | None, ...], ...]:
        """Rows of a SELECT query; every term in them counts as read."""
        self._session.note("graph_reads")
        rows = self._graph.select(sparql)
        self._session.touch(term for row in rows for term in row if isinstance(term, (Entity, Literal)))
        self._log(ReadKind.SELECT, (), len(rows))
        return rows

    def _kind(self, entity: Entity) -> NodeKind:
        self._load_kinds((entity,))
        return self._kinds[entity]

    def _load_kinds(self, entities: Sequence[Entity]) -> tuple[Entity, ...]:
        """Read the kinds of entities where they are not known yet; return these entities."""
        missing = tuple(entity for entity in entities if entity not in self._kinds)
        if missing:
            self._kinds.update(self._graph.types(missing))
        return missing

    def _log(
        self,
        kind: ReadKind,
        entities: Sequence[Entity],
        found: int,
        relation: str | None = None,
        direction: Direction | None = None,
        *,
        cut: bool = False,
    ) -> None:
        """Remember what the method asked for: once, however many round trips it took."""
        of = entities[0] if len(entities) == 1 else len(entities) or None
        self._session.reads.add(Read(self._session.calls, kind, of, relation, direction, found, cut))
