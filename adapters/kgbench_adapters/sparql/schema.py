"""What a server tells of its graph's schema, when the graph is opened."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kgbench.errors import GraphError
from kgbench_adapters import queries
from kgbench_adapters.environment import LARGER_TIME_LIMIT
from kgbench_adapters.profiles.vocabulary import LABEL
from kgbench_adapters.schema import MediatorRule, mediator_rule
from kgbench_adapters.sparql.iris import iri_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench_adapters.labels import NamedText
    from kgbench_adapters.profiles import Vocabulary
    from kgbench_adapters.queries import Query
    from kgbench_adapters.schema import Schema
    from kgbench_adapters.sparql.reader import Reader
    from kgbench_adapters.sparql.reads import Texts
    from kgbench_adapters.sparql.responses import Binding
    from kgbench_adapters.terms import IriMap

_MOST_ROWS = 500_000
"""Statements of one schema property; Freebase has about 70,000 relations."""
_MOST_TERMS = 20_000
"""Relations, or classes, of a graph whose labels need a list of all."""


class ServerSchema:
    """Implements :class:`kgbench_adapters.schema.SchemaFacts` over a server. Every answer is complete or an error.

    A graph whose labels follow from its IRIs (``labels_from_graph`` is False) is not listed: Freebase, Wikidata and DBpedia
    are too large for that. Of these, the predicates are those that the schema itself speaks of.

    Args:
        reader: reads queries to the end.
        texts: reads labels.
        vocabulary: the properties that say something of the schema.
    """

    def __init__(self, reader: Reader, texts: Texts, vocabulary: Vocabulary) -> None:
        self._reader = reader
        self._texts = texts
        self._known = vocabulary
        self._links: dict[str, list[tuple[str, str]]] = {}

    def predicates(self) -> tuple[str, ...]:
        """Every predicate that occurs; of a graph that is not listed, every one with a domain, range or inverse."""
        if self._known.labels_from_graph:
            return self._column(queries.predicates_in_use())
        properties = (*self._known.domains, *self._known.ranges, *self._known.inverses)
        return tuple(sorted({subject for name in properties for subject, _ in self.links(name)}))

    def classes(self) -> tuple[str, ...]:
        """Every class that has a member; of a graph that is not listed, none."""
        return self._column(queries.classes_in_use(self._known.types)) if self._known.labels_from_graph else ()

    def labels(self, iris: Sequence[str]) -> Mapping[str, Sequence[NamedText]]:
        """What the graph calls some predicates or classes."""
        return self._texts.labels(iris, LABEL)

    def links(self, predicate: str) -> list[tuple[str, str]]:
        """(subject, object) of every statement of a property between IRIs, sorted."""
        if predicate not in self._links:
            rows = self._complete(queries.links_of(predicate), _MOST_ROWS)
            pairs = ((iri_of(row.get("s")), iri_of(row.get("o"))) for row in rows)
            self._links[predicate] = sorted((subject, value) for subject, value in pairs if subject and value)
        return self._links[predicate]

    def marked(self, predicate: str) -> list[str]:
        """Every IRI of which a property says "true", sorted."""
        rows = self._complete(queries.links_of(predicate), _MOST_ROWS)
        # Virtuoso keeps booleans as the integers 1 and 0.
        marked = {iri_of(row.get("s")) for row in rows if row.get("o", {}).get("value") in ("true", "1")}
        return sorted(iri for iri in marked if iri)

    def any(self, query: Query) -> bool:
        """Tell whether a query has a row."""
        return bool(self._reader.read_text(query.text(1), 1).bindings)

    def _column(self, query: Query) -> tuple[str, ...]:
        variable = query.variables[0]
        iris = (iri_of(row.get(variable)) for row in self._complete(query, _MOST_TERMS))
        return tuple(sorted(iri for iri in iris if iri))

    def _complete(self, query: Query, most: int) -> tuple[Binding, ...]:
        reading = self._reader.read(query, most)
        if reading.partial or reading.more:
            why = reading.partial or f"there are more than {most:,}"
            raise GraphError(
                f"the graph's schema cannot be read completely: {why}; {LARGER_TIME_LIMIT}, or with a profile that needs no "
                "list of its relations (freebase, wikidata, dbpedia)"
            )
        return reading.bindings


def with_mediators(schema: Schema, facts: ServerSchema, vocabulary: Vocabulary, iris: IriMap) -> MediatorRule:
    """Decide how mediators are known, for a graph that was listed or not."""
    if vocabulary.labels_from_graph:
        return mediator_rule(schema, vocabulary.profile)
    profile = vocabulary.profile
    named = {iri for iri in map(iris.class_iri, profile.mediator_classes) if iri}
    classes = frozenset(named | set(schema.hinted_mediators))
    if not profile.unlisted_are_mediators:
        return MediatorRule(classes, unlisted=False)
    known = bool(classes) and any(
        facts.any(queries.any_member(sorted(classes)[start : start + 300], vocabulary.types))
        for start in range(0, len(classes), 300)
    )
    names = facts.any(queries.any_subject((*vocabulary.names, *vocabulary.aliases)))
    rule = mediator_rule(replace(schema, has_names=names, class_labels={}, populated=()), profile)
    return MediatorRule(classes, rule.unlisted and not known)
