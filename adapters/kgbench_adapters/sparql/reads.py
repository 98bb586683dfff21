"""Relations, neighbours, names and classes of nodes, in batches: many nodes are one request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.errors import GraphError
from kgbench.types import Direction, Entity, Neighbours, Relation, Term
from kgbench_adapters import queries
from kgbench_adapters.environment import LARGER_TIME_LIMIT
from kgbench_adapters.labels import NamedText
from kgbench_adapters.sparql.iris import Nodes, address_of, iri_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kgbench_adapters.sparql.naming import Naming
    from kgbench_adapters.sparql.reader import Reader, Reading
    from kgbench_adapters.sparql.responses import Binding

BATCH = 300
"""Nodes of one request."""
_BLANK_BATCH = 30
_MOST_ROWS = 100_000
"""Rows of one read that has to be complete: relations, names, classes."""

Pair = tuple[Entity, Term]


@dataclass
class Batch:
    """Some nodes as a query names them, and what became of their reading."""

    entities: dict[str, list[Entity]] = field(default_factory=dict)
    """IRI -> the entities that were asked for by it: two ids may stand for one IRI."""
    partial: str = ""
    """Why rows are missing, where they are."""

    def note(self, reading: Reading) -> Reading:
        """Remember whether a reading was incomplete, and return it."""
        self.partial = self.partial or reading.partial
        return reading

    def of(self, binding: Binding) -> list[Entity]:
        """The entities that a row is about."""
        return self.entities.get(address_of(binding.get("s")), [])

    def chunks(self) -> Iterator[list[str]]:
        """IRIs, as many at a time as one request names, in order; then blank nodes, each of which takes more words."""
        blank = [iri for iri in sorted(self.entities) if iri.startswith(queries.VIRTUOSO_BLANK)]
        named = [iri for iri in sorted(self.entities) if not iri.startswith(queries.VIRTUOSO_BLANK)]
        for iris, size in ((named, BATCH), (blank, _BLANK_BATCH)):
            for start in range(0, len(iris), size):
                yield iris[start : start + size]


def batch_of(entities: Iterable[Entity], nodes: Nodes) -> Batch:
    """Collect nodes for a read. Ids that no node of the graph can have are left out: nothing is to be asked about them.

    Raises:
        GraphError: a blank node, of which SPARQL 1.1 cannot ask. Anything else than an error would look like a node
            without neighbours.
    """
    batch = Batch()
    for entity in dict.fromkeys(entities):
        iri = nodes.address(entity.id)
        if iri is None:
            raise GraphError(
                "the graph has nodes without an IRI (blank nodes), and its server cannot be asked about them; load the "
                "graph with IRIs in their place (skolemisation), or read its RDF file with the embedded engine"
            )
        if iri:
            batch.entities.setdefault(iri, []).append(entity)
    return batch


class ServerReads:
    """Relations and neighbours of nodes.

    Args:
        reader: reads queries to the end.
        nodes: ids, IRIs and terms.
        naming: labels.
        hidden: predicates that are no relations.
    """

    def __init__(self, reader: Reader, nodes: Nodes, naming: Naming, hidden: frozenset[str]) -> None:
        self._reader = reader
        self._nodes = nodes
        self._naming = naming
        self._hidden = hidden

    def relations(
        self, entities: Sequence[Entity], direction: Direction
    ) -> tuple[dict[Entity, tuple[Relation, ...]], str]:
        """Distinct relations of each entity, sorted by label; and why some are missing, where they are."""
        batch = batch_of(entities, self._nodes)
        found: dict[Entity, set[str]] = {entity: set() for entity in entities}
        for chunk in batch.chunks():
            reading = self._reader.read_batch(chunk, lambda some: queries.relations_of(some, direction), _MOST_ROWS)
            batch.note(reading)
            for binding in reading.bindings:
                predicate = iri_of(binding.get("p"))
                if predicate is not None and predicate not in self._hidden:
                    for entity in batch.of(binding):
                        found[entity].add(predicate)
        named = self._naming.relations(sorted(set().union(*found.values())))
        by_label = {entity: sorted((named[iri] for iri in iris), key=_label_order) for entity, iris in found.items()}
        return {entity: tuple(relations) for entity, relations in by_label.items()}, batch.partial

    def neighbours(
        self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int
    ) -> tuple[Neighbours, str]:
        """Terms that entities reach along a relation; and why some are missing, where they are.

        At a cut the ``limit`` first pairs in order are kept, as far as the server can sort them (see
        :meth:`kgbench_adapters.sparql.reader.Reader.read`).
        """
        predicate = self._nodes.iris.relation_iri(relation.id)
        if not predicate or predicate in self._hidden:
            return Neighbours(()), ""
        batch = batch_of(entities, self._nodes)
        pairs: dict[Pair, None] = {}
        cut = False
        for chunk in batch.chunks():
            rows = limit - len(pairs)
            if rows < 1:
                cut = True  # nothing is known of the nodes that are left
                break
            reading = batch.note(self._reader.read(queries.neighbours_of(chunk, predicate, direction), rows))
            cut = cut or reading.more
            for binding in reading.bindings:
                term = self._nodes.term(binding.get("o"))
                if term is not None:
                    pairs.update(dict.fromkeys((entity, term) for entity in batch.of(binding)))
        return Neighbours(tuple(sorted(pairs, key=_pair_order)[:limit]), cut or len(pairs) > limit), batch.partial


class Texts:
    """Reads properties of nodes: names, labels, classes.

    Args:
        reader: reads queries to the end.
        languages: languages of the texts wanted, "" for those without one; empty for all.
    """

    def __init__(self, reader: Reader, languages: Sequence[str]) -> None:
        self._reader = reader
        self._languages = languages

    def rows(self, batch: Batch, properties: Sequence[str]) -> Iterator[tuple[list[Entity], str, Binding]]:
        """(entities, property, row) of every value; the batch remembers whether some are missing."""
        if not properties:
            return
        for chunk in batch.chunks():
            reading = self._reader.read_batch(
                chunk, lambda some: queries.properties_of(some, properties, self._languages), _MOST_ROWS
            )
            for binding in batch.note(reading).bindings:
                yield batch.of(binding), iri_of(binding.get("p")) or "", binding

    def labels(self, iris: Sequence[str], label: str) -> dict[str, list[NamedText]]:
        """IRI -> its labels, sorted; for predicates and classes.

        Raises:
            GraphError: the answer is incomplete: another label could come next time.
        """
        batch = Batch({iri: [Entity(iri)] for iri in iris})
        found: dict[str, list[NamedText]] = {}
        for entities, _, binding in self.rows(batch, (label,)):
            text = text_of(binding)
            if text is not None:
                found.setdefault(entities[0].id, []).append(text)
        if batch.partial:
            raise GraphError(f"the SPARQL server gave its labels incompletely: {batch.partial}; {LARGER_TIME_LIMIT}")
        return {iri: sorted(texts) for iri, texts in found.items()}


def text_of(binding: Binding) -> NamedText | None:
    """The text that a row's ?o holds; None where it is no literal."""
    value = binding.get("o")
    if value is None or value.get("type") not in ("literal", "typed-literal"):
        return None
    return NamedText(value["value"], (value.get("xml:lang") or "").lower())


def _label_order(relation: Relation) -> tuple[str, str]:
    return relation.label, relation.id


def _pair_order(pair: Pair) -> tuple[str, tuple[int, str, str, str]]:
    return pair[0].id, pair[1].sort_key
