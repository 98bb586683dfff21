"""Reads of single nodes by index pattern.

The same answers as the texts of :mod:`kgbench_adapters.queries` give (the tests compare them), but without parsing a query:
in memory three times as fast for one entity, and open to blank nodes, which SPARQL cannot name. Every read is bounded in
rows and looks at the clock.
"""

from __future__ import annotations

import heapq
from itertools import chain, islice
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kgbench.types import Direction, Entity, Neighbours, Relation, Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgbench_adapters.oxigraph.deadline import Deadline
    from kgbench_adapters.oxigraph.nodes import Node, Nodes
    from kgbench_adapters.schema import Schema

_SCANNED_ROWS = 500_000
"""Most rows of the store that one read of neighbours walks; a sample at a cut is drawn from these."""
_ROWS_PER_PREDICATE = 8
"""A node with more rows than this times the graph's predicates is asked predicate by predicate: its relations cost the
same however many edges it has."""
_FEW_ROWS = 1000

Pair = tuple[Entity, Term]


class GraphReads:
    """Relations and neighbours of nodes.

    Args:
        store: the graph.
        nodes: its ids.
        schema: its predicates and labels.
        hidden: predicates that are no relations.
    """

    def __init__(self, store: ox.Store, nodes: Nodes, schema: Schema, hidden: frozenset[str]) -> None:
        self._store = store
        self._nodes = nodes
        self._hidden = hidden
        self._predicates = [ox.NamedNode(iri) for iri in schema.predicates if iri not in hidden]
        self._relations = {
            iri: Relation(nodes.iris.relation_id(iri), label) for iri, label in schema.relation_labels.items()
        }
        self._hub_rows = max(_FEW_ROWS, _ROWS_PER_PREDICATE * len(self._predicates))

    def relations(self, entity: Entity, direction: Direction, deadline: Deadline) -> tuple[Relation, ...]:
        """Distinct relations of an entity, sorted by label; complete, whatever the entity's degree."""
        node = self._nodes.node(entity.id)
        found = set() if node is None else self._predicates_of(node, direction, deadline)
        relations = (self._relations[iri] for iri in found - self._hidden)
        return tuple(sorted(relations, key=lambda relation: (relation.label, relation.id)))

    def _predicates_of(self, node: Node, direction: Direction, deadline: Deadline) -> set[str]:
        deadline.check()
        rows = deadline.watch(self._quads(node, None, direction))
        found = {quad.predicate.value for quad in islice(rows, self._hub_rows)}
        if next(rows, None) is None:
            return found
        return {
            predicate.value
            for predicate in deadline.watch(self._predicates)
            if next(self._quads(node, predicate, direction), None) is not None
        }

    def neighbours(
        self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int, deadline: Deadline
    ) -> Neighbours:
        """Terms that entities reach along a relation.

        At a cut the ``limit`` first pairs in the order of the result are kept, so the same rows come whatever the order
        of the store; above 500,000 rows, the first of those that the store gives first.
        """
        predicate = self._nodes.predicate(relation)
        if predicate is None or predicate.value in self._hidden:
            return Neighbours(())
        pairs = self._pairs(entities, predicate, direction, deadline)
        first = list(islice(pairs, limit + 1))
        if len(first) <= limit:
            return Neighbours(tuple(sorted(first, key=_order)))
        return Neighbours(tuple(heapq.nsmallest(limit, chain(first, pairs), key=_order)), cut=True)

    def _pairs(
        self, entities: Sequence[Entity], predicate: ox.NamedNode, direction: Direction, deadline: Deadline
    ) -> Iterator[Pair]:
        """Distinct pairs, as they come; the same entity given twice counts once."""
        seen: set[Pair] = set()
        for entity, quad in islice(self._rows(entities, predicate, direction, deadline), _SCANNED_ROWS):
            term = self._nodes.term(quad.object if direction is Direction.OUT else quad.subject)
            if term is not None and (entity, term) not in seen:
                seen.add((entity, term))
                yield entity, term

    def _rows(
        self, entities: Sequence[Entity], predicate: ox.NamedNode, direction: Direction, deadline: Deadline
    ) -> Iterator[tuple[Entity, ox.Quad]]:
        for entity in dict.fromkeys(entities):
            node = self._nodes.node(entity.id)
            if node is not None:
                deadline.check()
                for quad in deadline.watch(self._quads(node, predicate, direction)):
                    yield entity, quad

    def _quads(self, node: Node, predicate: ox.NamedNode | None, direction: Direction) -> Iterator[ox.Quad]:
        if direction is Direction.OUT:
            return self._store.quads_for_pattern(node, predicate, None, None)
        return self._store.quads_for_pattern(None, predicate, node, None)


def _order(pair: Pair) -> tuple[str, tuple[int, str, str, str]]:
    return pair[0].id, pair[1].sort_key
