"""What is known of a whole graph once it is open: relations, classes, labels, domains, inverses, and a rule for mediators.

No engine enters here: :class:`SchemaFacts` is what one must be able to tell of its graph.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from kgbench_adapters.labels import schema_label, settle_clashes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from kgbench.contracts import Profile
    from kgbench_adapters.folder import RelationRow
    from kgbench_adapters.labels import NamedText
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


def inverse_ids(schema: Schema, iris: IriMap) -> dict[str, str]:
    """Return label -> id of the relations that have a declared inverse."""
    return {label: iris.relation_id(iri) for iri, label in schema.relation_labels.items() if label in schema.inverses}


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


def mediators_in_words(rule: MediatorRule, *, by_form: bool) -> str:
    """Say how mediators are known.

    Args:
        rule: of the open graph.
        by_form: True where the form of an id alone can tell one.
    """
    count = len(rule.classes)
    ways = [
        "blank nodes",
        *(["ids of statement nodes"] if by_form else []),
        *([f"members of {count:,} class{'' if count == 1 else 'es'}"] if count else []),
        *(["nodes that no entity list names"] if rule.unlisted else []),
    ]
    return ", ".join(ways)


def iri_label(iri: str, term_id: str, prefixes: Mapping[str, str], texts: Sequence[NamedText] = ()) -> str:
    """Return the label of a relation or class before clashes are settled.

    Args:
        iri: its IRI.
        term_id: its id.
        prefixes: namespace -> what a label shows for it.
        texts: what the graph says of it by ``rdfs:label``.
    """
    if not texts:
        for namespace, prefix in prefixes.items():
            if iri.startswith(namespace):
                return prefix + iri.removeprefix(namespace)
    return schema_label(term_id, texts)


class SchemaFacts(Protocol):
    """What an engine can tell of its graph's schema; IRIs as the graph holds them, sorted where there are many."""

    def predicates(self) -> tuple[str, ...]:
        """Every predicate that occurs, or where these are too many to list, every one that the schema speaks of."""

    def classes(self) -> tuple[str, ...]:
        """Every class that has a member, or where these are too many to list, those that matter."""

    def labels(self, iris: Sequence[str]) -> Mapping[str, Sequence[NamedText]]:
        """What the graph calls some predicates or classes, sorted; nothing for one without a label."""

    def links(self, predicate: str) -> list[tuple[str, str]]:
        """(subject, object) of every statement of a property between IRIs, sorted."""

    def marked(self, predicate: str) -> list[str]:
        """Every IRI of which a property says "true", sorted."""


class SchemaReader:
    """Reads a schema.

    Args:
        facts: the graph.
        iris: its ids and IRIs.
        vocabulary: the properties that say something of the schema.
        rows: what ``relations.tsv`` says, where there is one.
    """

    def __init__(
        self, facts: SchemaFacts, iris: IriMap, vocabulary: Vocabulary, rows: Iterable[RelationRow] = ()
    ) -> None:
        self._facts = facts
        self._iris = iris
        self._vocabulary = vocabulary
        self._rows = tuple(rows)

    def read(self) -> Schema:
        """Read it; may take one pass over the graph."""
        predicates = self._facts.predicates()
        classes = self._facts.classes()
        pairs = self._domain_pairs(predicates)
        ends = {iri for pair in pairs.values() for iri in pair if iri}
        class_labels = self._labels({*classes, *ends}, self._iris.class_id)
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
        )

    def _relation_labels(self, predicates: Iterable[str]) -> dict[str, str]:
        listed = {self._iris.relation_iri(row.relation) for row in self._rows}
        listed |= {self._iris.relation_iri(row.inverse) for row in self._rows if row.inverse}
        return self._labels({*predicates, *listed} - self._vocabulary.hidden, self._iris.relation_id)

    def _labels(self, iris: Iterable[str], to_id: Callable[[str], str]) -> dict[str, str]:
        shown = sorted(iris)
        texts = self._facts.labels(shown) if self._vocabulary.labels_from_graph else {}
        prefixes = self._vocabulary.prefixes
        return settle_clashes({iri: iri_label(iri, to_id(iri), prefixes, texts.get(iri, ())) for iri in shown})

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
        hint = self._vocabulary.mediator_hint
        return tuple(self._facts.marked(hint)) if hint else ()

    def _stated(self, properties: Iterable[str]) -> dict[str, str]:
        """Subject IRI -> object IRI over some properties; the first property wins, then the first object by IRI."""
        found: dict[str, str] = {}
        for name in properties:
            for subject, value in self._facts.links(name):
                found.setdefault(subject, value)
        return found
