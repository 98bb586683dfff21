"""Builds a graph from triples of names.

A name is both the id and the name of its node: equal names are one node, and a literal is a name like any other. Where a
release writes an id because there is no name, the node has none, and the vocabulary says by its form that it is a
mediator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kgbench_adapters.oxigraph.adapter import OxigraphAdapter
from kgbench_adapters.oxigraph.nodes import Nodes
from kgbench_adapters.oxigraph.opening import OpenedGraph
from kgbench_adapters.oxigraph.schema import StoreSchema
from kgbench_adapters.oxigraph.storage import StoredGraph
from kgbench_adapters.profiles.vocabulary import LABEL
from kgbench_adapters.schema import SchemaReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgbench_adapters.files import ReadReport
    from kgbench_adapters.profiles import Vocabulary

Names = tuple[str, str, str]
"""Head, relation, tail."""


@dataclass(frozen=True)
class NamedGraphForm:
    """How a kind of such graphs is read."""

    name: str
    """Of the graph."""
    vocabulary: Vocabulary
    """Its ``mediator_ids`` tell by form which nodes have no name."""
    timeout: float
    """Seconds that one read may take."""


def build(triples: Iterable[Names], form: NamedGraphForm, fingerprint: str, report: ReadReport) -> OxigraphAdapter:
    """Build the graph.

    Args:
        triples: names; a triple with an empty part is left out and told in ``report``.
        form: how it is read.
        fingerprint: of the files that the triples come from.
        report: takes what was left out; its warnings end on the card.
    """
    nodes = Nodes(form.vocabulary.folder)
    store = ox.Store()
    quads = _Quads(nodes, form.vocabulary)
    store.bulk_extend(quads.facts(triples))
    count = len(store)
    store.bulk_extend(quads.labels())
    if quads.left_out:
        report.warnings.append(f"left out {quads.left_out} triples with an empty or impossible part")
    schema = SchemaReader(StoreSchema(store, form.vocabulary), nodes.iris, form.vocabulary).read()
    profile = form.vocabulary.profile
    graph = StoredGraph(
        name=form.name,
        profile=profile.name,
        mediator_classes=profile.mediator_classes,
        unlisted_are_mediators=profile.unlisted_are_mediators,
        namespaces=form.vocabulary.folder,
        fingerprint=fingerprint,
        triples=count,
        schema=schema,
    )
    return OxigraphAdapter(OpenedGraph(store, graph, form.vocabulary, report), form.timeout)


class _Quads:
    """Turns names into quads; each name is made a node once."""

    def __init__(self, nodes: Nodes, vocabulary: Vocabulary) -> None:
        self._nodes = nodes
        self._nameless = vocabulary.mediator_ids
        self._node_of: dict[str, ox.NamedNode | None] = {}
        self._predicate_of: dict[str, ox.NamedNode] = {}
        self.left_out = 0

    def facts(self, triples: Iterable[Names]) -> Iterator[ox.Quad]:
        """One quad a triple."""
        for head, relation, tail in triples:
            subject, value = self._node(head), self._node(tail)
            if subject is None or value is None or not relation:
                self.left_out += 1
            else:
                yield ox.Quad(subject, self._predicate(relation), value)

    def labels(self) -> Iterator[ox.Quad]:
        """The name of every node that has one."""
        label = ox.NamedNode(LABEL)
        for name, node in self._node_of.items():
            if node is not None and not (self._nameless and self._nameless.fullmatch(node.value)):
                yield ox.Quad(node, label, ox.Literal(name))

    def _node(self, name: str) -> ox.NamedNode | None:
        if name not in self._node_of:
            node = self._nodes.node(name) if name else None
            self._node_of[name] = node if isinstance(node, ox.NamedNode) else None
        return self._node_of[name]

    def _predicate(self, relation: str) -> ox.NamedNode:
        if relation not in self._predicate_of:
            self._predicate_of[relation] = ox.NamedNode(self._nodes.iris.relation_iri(relation))
        return self._predicate_of[relation]
