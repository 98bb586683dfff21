"""Reads of single nodes by index pattern.

The same answers as the texts of :mod:`kgbench_adapters.queries` give (the tests compare them), but without parsing a query:
in memory three times as fast for one entity, and open to blank nodes, which SPARQL cannot name. Every read is bounded in
rows and looks at the clock.
"""

from __future__ import annotations

from itertools import islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kgbench.types import Direction, Entity, Neighbours, Relation, Term, Triple
from kgbench_adapters.oxigraph.sample import first_terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgbench_adapters.oxigraph.deadline import Deadline
    from kgbench_adapters.oxigraph.nodes import Node, Nodes
    from kgbench_adapters.schema import Schema

SCANNED_IN_MEMORY = 2_500_000
"""Most rows that one read of neighbours walks for a sample at a cut: some seconds, and more than nearly any hub has."""
SCANNED_ON_DISK = 1_250_000
"""The same for a store on disk, where a row takes twice as long; they come by hash there, whatever the files' order."""
_ROWS_PER_PREDICATE = 8
"""A node with more rows than this times the graph's predicates is asked predicate by predicate: its relations cost the
same however many edges it has."""
_FEW_ROWS = 1000


class GraphReads:
    """Relations and neighbours of nodes.

    Args:
        store: the graph.
        nodes: its ids.
        schema: its predicates and labels.
        hidden: predicates that are no relations.
        scanned_rows: most rows of one node that are walked for a sample at a cut.
    """

    def __init__(
        self,
        store: ox.Store,
        nodes: Nodes,
        schema: Schema,
        hidden: frozenset[str],
        scanned_rows: int = SCANNED_IN_MEMORY,
    ) -> None:
        self._store = store
        self._scanned_rows = scanned_rows
        self._nodes = nodes
        self._hidden = hidden
        self._union = schema.named_graphs
        self._predicates = [ox.NamedNode(iri) for iri in schema.predicates if iri not in hidden]
        self._relations = {
            iri: Relation(nodes.iris.relation_id(iri), label) for iri, label in schema.relation_labels.items()
        }
        ids = {node.value: nodes.iris.relation_id(node.value) for node in self._predicates}
        # An odd spelling of an IRI can have the same id: the id stands for the usual one.
        self._usual = {
            ids[node.value]: node for node in self._predicates if nodes.iris.relation_iri(ids[node.value]) == node.value
        }
        by_label = sorted(self._relations, key=lambda iri: (self._relations[iri].label, self._relations[iri].id))
        self._in_order = [self._relations[iri] for iri in by_label]
        self._place = {iri: place for place, iri in enumerate(by_label)}
        self._hub_rows = max(_FEW_ROWS, _ROWS_PER_PREDICATE * len(self._predicates))

    def relations(self, entity: Entity, direction: Direction, deadline: Deadline) -> tuple[Relation, ...]:
        """Distinct relations of an entity, sorted by label; complete, whatever the entity's degree."""
        node = self._nodes.node(entity.id)
        found = set() if node is None else self._predicates_of(node, direction, deadline)
        # By places in a list that is sorted already: labels need not be compared at each read.
        places = sorted([self._place[iri] for iri in found if iri in self._place])
        return tuple([self._in_order[place] for place in places])

    def _predicates_of(self, node: Node, direction: Direction, deadline: Deadline) -> set[str]:
        deadline.check()
        quads = self._quads(node, None, direction)
        found = {quad.predicate.value for quad in islice(quads, self._hub_rows)}
        if next(quads, None) is None:
            return found
        return {
            predicate.value
            for predicate in deadline.watch(self._predicates)
            if next(self._quads(node, predicate, direction), None) is not None
        }

    def facts(self) -> Iterator[Triple]:
        """Every fact that the other reads can give, by relation; one that stands in two named graphs comes twice."""
        known: dict[str, Term | None] = {}  # nodes repeat many times over; an IRI is read once
        for predicate in self._predicates:
            relation = self._relations[predicate.value]
            for quad in self._store.quads_for_pattern(None, predicate, None, None):
                subject, value = self._term(quad.subject, known), self._term(quad.object, known)
                if subject is not None and value is not None:
                    yield Triple(subject, relation, value)

    def _term(self, node: object, known: dict[str, Term | None]) -> Term | None:
        if not isinstance(node, ox.NamedNode):
            return self._nodes.term(node)
        if node.value not in known:
            known[node.value] = self._nodes.term(node)
        return known[node.value]

    def neighbours(
        self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int, deadline: Deadline
    ) -> Neighbours:
        """Terms that entities reach along a relation.

        At a cut the ``limit`` first pairs in the order of the result are kept, so the same rows come whatever the order
        of the store; of a node with more rows than are walked, the first of those that the store gives first.
        """
        predicate = self._usual.get(relation.id) or self._other_spelling(relation)
        if predicate is None:
            return Neighbours(())
        pairs: list[tuple[Entity, Term]] = []
        # In the order of the result: a node that comes after the cut is not read at all.
        for entity in sorted(set(entities), key=lambda entity: entity.id) if len(entities) > 1 else entities:
            node = self._nodes.node(entity.id)
            if node is not None:
                terms, more = self._reached(node, predicate, direction, limit - len(pairs), deadline)
                pairs += [(entity, term) for term in terms]
                if more:
                    return Neighbours(tuple(pairs), cut=True)
        return Neighbours(tuple(pairs))

    def _other_spelling(self, relation: Relation) -> ox.NamedNode | None:
        predicate = self._nodes.predicate(relation)
        return None if predicate is None or predicate.value in self._hidden else predicate

    def _reached(
        self, node: Node, predicate: ox.NamedNode, direction: Direction, most: int, deadline: Deadline
    ) -> tuple[list[Term], bool]:
        """The first terms in order, and whether there are more."""
        deadline.check()
        rows = list(islice(self._quads(node, predicate, direction), most + 1))
        if len(rows) <= most:
            ends = [quad.object for quad in rows] if direction is Direction.OUT else [quad.subject for quad in rows]
            return self._nodes.terms(ends), False
        scanned = islice(self._far_ends(node, predicate, direction), max(self._scanned_rows, most + 1))
        return first_terms(scanned, most, self._nodes, deadline.check)

    def _far_ends(self, node: Node, predicate: ox.NamedNode, direction: Direction) -> Iterator[object]:
        """Objects or subjects of a node's rows, by a query where one can name the node.

        A row of a query decodes one term, a row of a pattern three: on disk, that is half the time.
        """
        out = direction is Direction.OUT
        if isinstance(node, ox.BlankNode):
            return map(attrgetter("object" if out else "subject"), self._quads(node, predicate, direction))
        pattern = f"{node} {predicate} ?end" if out else f"?end {predicate} {node}"
        solutions = self._store.query(f"SELECT ?end {{ {pattern} }}", use_default_graph_as_union=self._union)
        return map(itemgetter(0), solutions)  # type: ignore[arg-type]

    def _quads(self, node: Node, predicate: ox.NamedNode | None, direction: Direction) -> Iterator[ox.Quad]:
        if direction is Direction.OUT:
            return self._store.quads_for_pattern(node, predicate, None, None)
        return self._store.quads_for_pattern(None, predicate, node, None)
