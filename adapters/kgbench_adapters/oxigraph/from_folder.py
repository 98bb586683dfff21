"""Turns the rows of a graph folder into quads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from kgbench_adapters.oxigraph.nodes import store_literal
from kgbench_adapters.profiles.vocabulary import LABEL, OTHER_LABEL, RDF_TYPE
from kgbench_adapters.terms import BLANK_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgbench.types import Literal
    from kgbench_adapters.files import ReadReport
    from kgbench_adapters.folder import GraphFolder
    from kgbench_adapters.oxigraph.nodes import Node, Nodes

_KEPT_NODES = 2_000_000
"""Nodes that are kept while loading; a bound on memory for graphs of any size."""


class FolderQuads:
    """Facts, names and types of a folder as quads; rows that no store can hold are reported as bad lines.

    Args:
        folder: the files.
        nodes: how ids stand in the store.
        report: where bad lines are counted.
    """

    def __init__(self, folder: GraphFolder, nodes: Nodes, report: ReadReport) -> None:
        self._folder = folder
        self._nodes = nodes
        self._report = report
        # Ids repeat a hundred times over; making their node once halves the time of loading.
        self._node_of: dict[str, Node | None] = {}
        self._predicate_of: dict[str, ox.NamedNode] = {}

    def facts(self) -> Iterator[ox.Quad]:
        """Quads of ``triples.tsv``."""
        for fact in self._folder.facts(self._report):
            head, tail = self._node(fact.head), self._tail(fact.tail)
            if head is None or tail is None:
                self._report.skip(self._folder.files["triples"], fact.line, self._reason(fact.head, fact.tail))
            else:
                yield ox.Quad(head, self._predicate(fact.relation), tail)

    def names(self) -> Iterator[ox.Quad]:
        """Quads of ``entities.tsv``.

        A row without a name still lists its entity: it gets an empty label, which no reader takes for a name. In a
        second row of one id, the name is one more alias.
        """
        label, other_label = ox.NamedNode(LABEL), ox.NamedNode(OTHER_LABEL)
        listed: set[str] = set()
        for row in self._folder.entities(self._report):
            node = self._node(row.id)
            if node is None:
                self._report.skip(self._folder.files["entities"], row.line, _BAD_BLANK)
                continue
            yield ox.Quad(node, other_label if row.id in listed else label, ox.Literal(row.name))
            listed.add(row.id)
            for alias in row.aliases:
                yield ox.Quad(node, other_label, ox.Literal(alias))

    def types(self) -> Iterator[ox.Quad]:
        """Quads of ``types.tsv``."""
        rdf_type = ox.NamedNode(RDF_TYPE)
        for row in self._folder.types(self._report):
            node = self._node(row.id)
            if node is None:
                self._report.skip(self._folder.files["types"], row.line, _BAD_BLANK)
                continue
            for label in row.classes:
                yield ox.Quad(node, rdf_type, ox.NamedNode(self._nodes.iris.class_iri(label)))

    def _node(self, node_id: str) -> Node | None:
        if node_id not in self._node_of:
            if len(self._node_of) >= _KEPT_NODES:
                self._node_of.clear()
            self._node_of[node_id] = self._nodes.node(node_id)
        return self._node_of[node_id]

    def _predicate(self, relation: str) -> ox.NamedNode:
        if relation not in self._predicate_of:
            self._predicate_of[relation] = ox.NamedNode(self._nodes.iris.relation_iri(relation))
        return self._predicate_of[relation]

    def _tail(self, tail: str | Literal) -> Node | ox.Literal | None:
        if isinstance(tail, str):
            return self._node(tail)
        try:
            return store_literal(tail)
        except ValueError:
            return None

    def _reason(self, head: str, tail: str | Literal) -> str:
        ids = (part for part in (head, tail) if isinstance(part, str))
        bad_blank = any(part.startswith(BLANK_PREFIX) and self._node(part) is None for part in ids)
        return _BAD_BLANK if bad_blank else "a literal with a malformed datatype or language tag"


_BAD_BLANK = 'an id that begins with "_:" must be a blank node label (letters, digits, "_", "-", ".")'
