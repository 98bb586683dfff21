"""Labels of relations and classes: from a list of all, or where a graph is too large to list, from each IRI alone."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING, Protocol

from kgbench.types import Relation
from kgbench_adapters.schema import iri_label

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from kgbench_adapters.labels import NamedText
    from kgbench_adapters.profiles import Vocabulary
    from kgbench_adapters.profiles.vocabulary import PropertyForm
    from kgbench_adapters.schema import Schema
    from kgbench_adapters.terms import IriMap

    ReadLabels = Callable[[Sequence[str]], Mapping[str, Sequence[NamedText]]]

_PROPERTY = re.compile(r"P[0-9]+")
_KEPT_LABELS = 100_000


class Naming(Protocol):
    """Gives relations and classes their labels. The same IRI always gets the same label."""

    def relations(self, iris: Collection[str]) -> dict[str, Relation]:
        """IRI -> relation."""

    def classes(self, iris: Collection[str]) -> dict[str, str]:
        """IRI -> label."""


class ListedNaming:
    """Labels as they were settled among all relations of the graph.

    Args:
        schema: the graph's relations and classes.
        iris: ids and IRIs.
    """

    def __init__(self, schema: Schema, iris: IriMap) -> None:
        self._schema = schema
        self._iris = iris

    def relations(self, iris: Collection[str]) -> dict[str, Relation]:
        """IRI -> relation; one that came into the graph after it was opened shows its IRI's last part."""
        return {iri: Relation(self._iris.relation_id(iri), self._label(iri)) for iri in iris}

    def classes(self, iris: Collection[str]) -> dict[str, str]:
        """IRI -> label."""
        labels = self._schema.class_labels
        return {iri: labels.get(iri) or iri_label(iri, self._iris.class_id(iri), {}) for iri in iris}

    def _label(self, iri: str) -> str:
        return self._schema.relation_labels.get(iri) or iri_label(iri, self._iris.relation_id(iri), {})


class IriNaming:
    """Labels that follow from one IRI, or from the name of the property that it is a form of.

    Wikidata's properties each have their own English name, so that with a word for the form labels are unique.

    Args:
        vocabulary: prefixes and property forms of the kind of graph.
        iris: ids and IRIs.
        read: reads the names of some nodes from the graph.
    """

    def __init__(self, vocabulary: Vocabulary, iris: IriMap, read: ReadLabels) -> None:
        self._vocabulary = vocabulary
        self._iris = iris
        self._read = read
        self._lock = threading.Lock()
        self._names: dict[str, str] = {}

    def relations(self, iris: Collection[str]) -> dict[str, Relation]:
        """IRI -> relation."""
        parts = {iri: self._parts(iri) for iri in iris}
        names = self._names_of(named for named, _ in filter(None, parts.values()))
        found: dict[str, Relation] = {}
        for iri, part in parts.items():
            relation_id = self._iris.relation_id(iri)
            label = iri_label(iri, relation_id, self._vocabulary.prefixes)
            found[iri] = Relation(relation_id, label if part is None else names[part[0]] + part[1].suffix)
        return found

    def classes(self, iris: Collection[str]) -> dict[str, str]:
        """IRI -> label."""
        entities = self._vocabulary.property_entities
        names = self._names_of(iri for iri in iris if entities and iri.startswith(entities))
        prefixes = self._vocabulary.prefixes
        return {iri: names.get(iri) or iri_label(iri, self._iris.class_id(iri), prefixes) for iri in iris}

    def _parts(self, iri: str) -> tuple[str, PropertyForm] | None:
        """The property that a predicate is a form of, and the form."""
        for form in self._vocabulary.property_forms:
            local = iri.removeprefix(form.namespace)
            if local != iri and _PROPERTY.fullmatch(local):
                return self._vocabulary.property_entities + local, form
        return None

    def _names_of(self, nodes: Iterable[str]) -> dict[str, str]:
        """Names of nodes, or the last part of their IRI where the graph has none; each is asked for once."""
        wanted = sorted(set(nodes))
        with self._lock:
            known = {node: self._names[node] for node in wanted if node in self._names}
        missing = [node for node in wanted if node not in known]
        if missing:
            texts = self._read(missing)
            fresh = {node: iri_label(node, node, {}, texts.get(node, ())) for node in missing}
            known |= fresh
            with self._lock:
                if len(self._names) + len(fresh) > _KEPT_LABELS:
                    self._names.clear()
                self._names |= fresh
        return known
