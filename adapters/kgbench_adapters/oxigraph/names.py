"""Names and classes of nodes, by index pattern. LOCAL: what stands here never reaches a method."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from kgbench.types import ClassLabel, Entity, NodeKind, NodeNames
from kgbench_adapters.labels import NamedText, by_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgbench_adapters.oxigraph.nodes import Node, Nodes
    from kgbench_adapters.profiles import Vocabulary
    from kgbench_adapters.schema import MediatorRule, Schema


class NodeFacts:
    """What the graph says of single nodes beside their edges.

    Args:
        store: the graph.
        nodes: its ids.
        vocabulary: the properties of its kind; those that never occur are not asked for.
        schema: its classes.
        rule: how mediators are known.
    """

    def __init__(
        self, store: ox.Store, nodes: Nodes, vocabulary: Vocabulary, schema: Schema, rule: MediatorRule
    ) -> None:
        self._store = store
        self._nodes = nodes
        self._schema = schema
        self._rule = rule
        self._unlisted_ids = vocabulary.unlisted_ids
        self._mediator_ids = vocabulary.mediator_ids
        occurring = set(schema.predicates)

        def present(properties: Iterable[str]) -> tuple[ox.NamedNode, ...]:
            return tuple(ox.NamedNode(iri) for iri in properties if iri in occurring)

        self._names = present(vocabulary.names)
        self._aliases = present(vocabulary.aliases)
        self._descriptions = present(vocabulary.descriptions)
        self._types = present(vocabulary.types)

    def names(self, entity: Entity) -> NodeNames:
        """Name by language chain, all other names as aliases, sorted within a language; nothing for an unnamed node."""
        node = self._nodes.node(entity.id)
        if node is None:
            return NodeNames(None)
        names = by_language(self._texts(node, self._names))
        aliases = by_language(self._texts(node, self._aliases))
        descriptions = by_language(self._texts(node, self._descriptions))
        others = tuple(dict.fromkeys((*names[1:], *aliases)))
        name = names[0] if names else None
        return NodeNames(name, tuple(other for other in others if other != name), next(iter(descriptions), None))

    def named_entities(self) -> list[Entity]:
        """Every entity that has a name or alias, sorted by id."""
        subjects = {
            quad.subject
            for name in (*self._names, *self._aliases)
            for quad in self._store.quads_for_pattern(None, name, None, None)
        }
        entities = (self._nodes.entity(subject) for subject in subjects)
        return sorted((entity for entity in entities if entity is not None), key=lambda entity: entity.id)

    def kind(self, entity: Entity) -> NodeKind:
        """Classes, sorted by label, and whether the node is a mediator."""
        node = self._nodes.node(entity.id)
        if node is None:
            return NodeKind()
        classes = {value.value for value in self._values(node, self._types) if isinstance(value, ox.NamedNode)}
        labels = sorted(self._schema.class_labels.get(iri, iri) for iri in classes)
        return NodeKind(tuple(map(ClassLabel, labels)), self._is_mediator(entity, node, classes))

    def _is_mediator(self, entity: Entity, node: Node, classes: set[str]) -> bool:
        if isinstance(node, ox.BlankNode) or self._is_one_by_form(node) or not classes.isdisjoint(self._rule.classes):
            return True
        return self._rule.unlisted and self._is_unlisted(entity, node)

    def _is_one_by_form(self, node: ox.NamedNode) -> bool:
        return self._mediator_ids is not None and self._mediator_ids.fullmatch(node.value) is not None

    def _is_unlisted(self, entity: Entity, node: Node) -> bool:
        if self._unlisted_ids is not None and not self._unlisted_ids.fullmatch(entity.id):
            return False
        listed = next(self._values(node, (*self._names, *self._aliases)), None) is not None
        return not listed and self._occurs(node)

    def _occurs(self, node: Node) -> bool:
        outgoing = self._store.quads_for_pattern(node, None, None, None)
        incoming = self._store.quads_for_pattern(None, None, node, None)
        return next(outgoing, None) is not None or next(incoming, None) is not None

    def _texts(self, node: Node, properties: Iterable[ox.NamedNode]) -> list[NamedText]:
        """Texts of some properties; sorted within each, since the store's own order says nothing."""
        found: list[NamedText] = []
        for name in properties:
            values = (value for value in self._values(node, (name,)) if isinstance(value, ox.Literal))
            found += sorted(NamedText(value.value, value.language or "") for value in values)
        return found

    def _values(self, node: Node, properties: Iterable[ox.NamedNode]) -> Iterator[object]:
        for name in properties:
            for quad in self._store.quads_for_pattern(node, name, None, None):
                yield quad.object
