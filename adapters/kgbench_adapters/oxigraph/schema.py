"""What a store tells of its graph's schema: read once, when the graph is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from kgbench_adapters import queries
from kgbench_adapters.labels import NamedText
from kgbench_adapters.profiles.vocabulary import LABEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kgbench_adapters.profiles import Vocabulary


class StoreSchema:
    """Implements :class:`kgbench_adapters.schema.SchemaFacts` over a store.

    Args:
        store: the graph.
        vocabulary: the properties that say something of the schema.
    """

    def __init__(self, store: ox.Store, vocabulary: Vocabulary) -> None:
        self._store = store
        self._vocabulary = vocabulary
        self.named_graphs = next(iter(store.named_graphs()), None) is not None
        """True where facts stand in named graphs: the graph is their union."""

    def predicates(self) -> tuple[str, ...]:
        """Every predicate that occurs, sorted. Takes one pass over the graph."""
        return self._column(queries.predicates())

    def classes(self) -> tuple[str, ...]:
        """Every class that has a member, sorted."""
        return self._column(queries.classes(self._vocabulary.types))

    def labels(self, iris: Sequence[str]) -> Mapping[str, Sequence[NamedText]]:
        """What the graph calls some predicates or classes, sorted."""
        return {iri: self._texts(iri) for iri in iris}

    def links(self, predicate: str) -> list[tuple[str, str]]:
        """(subject, object) of every statement of a property between IRIs, sorted."""
        return sorted(
            (quad.subject.value, quad.object.value)
            for quad in self._quads(None, predicate)
            if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode)
        )

    def marked(self, predicate: str) -> list[str]:
        """Every IRI of which a property says "true", sorted."""
        quads = self._quads(None, predicate)
        subjects = (
            quad.subject for quad in quads if isinstance(quad.object, ox.Literal) and quad.object.value == "true"
        )
        return sorted(subject.value for subject in subjects if isinstance(subject, ox.NamedNode))

    def _column(self, query: str) -> tuple[str, ...]:
        """IRIs of a query's only column, sorted."""
        solutions = self._store.query(query, use_default_graph_as_union=self.named_graphs)
        values = (solution[0] for solution in solutions)  # type: ignore[union-attr]
        return tuple(sorted(value.value for value in values if isinstance(value, ox.NamedNode)))

    def _texts(self, iri: str) -> list[NamedText]:
        values = (quad.object for quad in self._quads(ox.NamedNode(iri), LABEL))
        return sorted(NamedText(value.value, value.language or "") for value in values if isinstance(value, ox.Literal))

    def _quads(self, subject: ox.NamedNode | None, predicate: str) -> Iterator[ox.Quad]:
        return self._store.quads_for_pattern(subject, ox.NamedNode(predicate), None, None)
