"""What is read of a whole graph once, when it is opened: its relations, classes, labels, domains and inverses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kgbench_adapters import queries
from kgbench_adapters.labels import NamedText, schema_label, settle_clashes
from kgbench_adapters.profiles.vocabulary import LABEL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kgbench.contracts import Profile
    from kgbench_adapters.folder import RelationRow
    from kgbench_adapters.profiles import Vocabulary
    from kgbench_adapters.terms import IriMap

Domains = dict[str, tuple[str | None, str | None]]


@dataclass(frozen=True)
class Schema:
    """The schema of an open graph. IRIs are those of the store; labels are unique."""

    predicates: tuple[str, ...] = ()
    """IRI of every predicate that occurs, sorted."""
    relation_labels: dict[str, str] = field(default_factory=dict)
    """IRI -> label, for every relation that occurs or is listed; hidden properties are none."""
    class_labels: dict[str, str] = field(default_factory=dict)
    """IRI -> label, for every class that has members or is somewhere a domain or range."""
    populated: tuple[str, ...] = ()
    """IRI of every class that has members, sorted."""
    domains: Domains = field(default_factory=dict)
    """Relation label -> labels of its domain and range."""
    inverses: dict[str, str] = field(default_factory=dict)
    """Relation label -> label of its inverse; both ways."""
    hinted_mediators: tuple[str, ...] = ()
    """IRIs of the classes that the graph itself marks as mediators, sorted."""
    has_names: bool = False
    """True where some node has a name: there is something like an entity list."""
    named_graphs: bool = False
    """True where facts stand in named graphs: the graph is their union."""


@dataclass(frozen=True)
class MediatorRule:
    """How a node that is no blank node is known to be a mediator. Made once, when the graph is opened."""

    classes: frozenset[str]
    """IRIs of the classes whose members are mediators."""
    unlisted: bool
    """True for a bare dump that says nothing of mediator classes: nodes without a name are mediators."""


def mediator_rule(schema: Schema, profile: Profile) -> MediatorRule:
    """Decide how mediators are known.

    Classes decide wherever a class that is known to hold mediators has members. Only without any, and only where the
    profile says so (Freebase), a node that no entity list names is a mediator; if the graph lists no entity at all,
    nothing follows from a missing name.
    """
    wanted = set(profile.mediator_classes)
    classes = {iri for iri, label in schema.class_labels.items() if label in wanted or iri in wanted}
    classes |= set(schema.hinted_mediators)
    known = not classes.isdisjoint(schema.populated)
    return MediatorRule(frozenset(classes), profile.unlisted_are_mediators and schema.has_names and not known)


class SchemaScan:
    """Reads the schema out of a store.

    Args:
        store: the graph.
        iris: its ids and IRIs.
        vocabulary: the properties that say something of the schema.
        rows: what ``relations.tsv`` says, where there is one.
    """

    def __init__(self, store: ox.Store, iris: IriMap, vocabulary: Vocabulary, rows: Iterable[RelationRow] = ()) -> None:
        self._store = store
        self._iris = iris
        self._vocabulary = vocabulary
        self._rows = tuple(rows)
        self._named_graphs = next(iter(store.named_graphs()), None) is not None

    def read(self) -> Schema:
        """Read it; takes one pass over the graph."""
        predicates = self._column(queries.predicates())
        classes = self._column(queries.classes(self._vocabulary.types))
        pairs = self._domain_pairs(predicates)
        class_labels = self._class_labels({*classes, *(iri for pair in pairs.values() for iri in pair if iri)})
        relation_labels = self._relation_labels(predicates)
        names = {*self._vocabulary.names, *self._vocabulary.aliases}
        return Schema(
            predicates=predicates,
            relation_labels=relation_labels,
            class_labels=class_labels,
            populated=classes,
            domains={
                relation_labels[relation]: (class_labels.get(domain or ""), class_labels.get(range_ or ""))
                for relation, (domain, range_) in sorted(pairs.items())
                if relation in relation_labels and (domain or range_)
            },
            inverses=self._inverses(relation_labels),
            hinted_mediators=self._hinted_mediators(),
            has_names=not names.isdisjoint(predicates),
            named_graphs=self._named_graphs,
        )

    def _column(self, query: str) -> tuple[str, ...]:
        """IRIs of a query's only column, sorted."""
        solutions = self._store.query(query, use_default_graph_as_union=self._named_graphs)
        values = (solution[0] for solution in solutions)  # type: ignore[union-attr]
        return tuple(sorted(value.value for value in values if isinstance(value, ox.NamedNode)))

    def _relation_labels(self, predicates: Iterable[str]) -> dict[str, str]:
        listed = {self._iris.relation_iri(row.relation) for row in self._rows}
        listed |= {self._iris.relation_iri(row.inverse) for row in self._rows if row.inverse}
        shown = {*predicates, *listed} - self._vocabulary.hidden
        return settle_clashes({iri: self._label(iri, self._iris.relation_id) for iri in shown})

    def _class_labels(self, classes: Iterable[str]) -> dict[str, str]:
        return settle_clashes({iri: self._label(iri, self._iris.class_id) for iri in classes})

    def _label(self, iri: str, to_id: Callable[[str], str]) -> str:
        texts = self._label_texts(iri) if self._vocabulary.labels_from_graph else ()
        return schema_label(to_id(iri), texts)

    def _label_texts(self, iri: str) -> list[NamedText]:
        values = (quad.object for quad in self._quads(ox.NamedNode(iri), LABEL))
        return sorted(NamedText(value.value, value.language or "") for value in values if isinstance(value, ox.Literal))

    def _domain_pairs(self, predicates: Iterable[str]) -> dict[str, tuple[str | None, str | None]]:
        """Relation IRI -> IRIs of domain and range; ``relations.tsv`` goes before the graph."""
        domains = self._stated(self._vocabulary.domains)
        ranges = self._stated(self._vocabulary.ranges)
        pairs = {iri: (domains.get(iri), ranges.get(iri)) for iri in predicates}
        for row in self._rows:
            domain, range_ = (self._iris.class_iri(label) if label else None for label in (row.domain, row.range))
            pairs[self._iris.relation_iri(row.relation)] = (domain, range_)
        return pairs

    def _inverses(self, relation_labels: dict[str, str]) -> dict[str, str]:
        stated = self._stated(self._vocabulary.inverses)
        for row in self._rows:
            if row.inverse:
                stated[self._iris.relation_iri(row.relation)] = self._iris.relation_iri(row.inverse)
        pairs = [
            (first, second) for first, second in sorted(stated.items()) if {first, second} <= relation_labels.keys()
        ]
        inverses = {relation_labels[first]: relation_labels[second] for first, second in pairs}
        for first, second in pairs:  # an inverse is one both ways, also where only one side says so
            inverses.setdefault(relation_labels[second], relation_labels[first])
        return dict(sorted(inverses.items()))

    def _hinted_mediators(self) -> tuple[str, ...]:
        if not self._vocabulary.mediator_hint:
            return ()
        hints = self._quads(None, self._vocabulary.mediator_hint)
        subjects = (
            quad.subject for quad in hints if isinstance(quad.object, ox.Literal) and quad.object.value == "true"
        )
        return tuple(sorted(subject.value for subject in subjects if isinstance(subject, ox.NamedNode)))

    def _stated(self, properties: Iterable[str]) -> dict[str, str]:
        """Subject IRI -> object IRI over some properties; the first property wins, then the first object by IRI."""
        found: dict[str, str] = {}
        for name in properties:
            values = [
                (quad.subject.value, quad.object.value)
                for quad in self._quads(None, name)
                if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode)
            ]
            for subject, value in sorted(values):
                found.setdefault(subject, value)
        return found

    def _quads(self, subject: ox.NamedNode | None, predicate: str) -> Iterator[ox.Quad]:
        return self._store.quads_for_pattern(subject, ox.NamedNode(predicate), None, None)
