"""Between kgbench's terms and pyoxigraph's."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kgbench.types import Entity, Literal, Relation, Term
from kgbench_adapters.terms import BLANK_PREFIX, XSD, IriMap, canonical_literal, to_id

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from kgbench_adapters.profiles.vocabulary import Namespaces

Node = ox.NamedNode | ox.BlankNode
_NODES = (ox.NamedNode, ox.BlankNode)
_KEPT_NODES = 4096


class Nodes:
    """Converts ids to nodes of a store and back."""

    def __init__(self, namespaces: Namespaces) -> None:
        self.iris = IriMap(namespaces)
        # A node is read along one relation after the other.
        self.node = lru_cache(_KEPT_NODES)(self._node)
        """Returns the node of an id; None where no store can hold such a node."""

    def _node(self, entity_id: str) -> Node | None:
        try:
            if entity_id.startswith(BLANK_PREFIX):
                return ox.BlankNode(entity_id.removeprefix(BLANK_PREFIX))
            return ox.NamedNode(self.iris.entity_iri(entity_id))
        except ValueError:
            return None

    def predicate(self, relation: Relation) -> ox.NamedNode | None:
        """Return the predicate of a relation; None where no store can hold it."""
        try:
            return ox.NamedNode(self.iris.relation_iri(relation.id))
        except ValueError:
            return None

    def term(self, node: object) -> Term | None:
        """Return the term of a node; None for what is no term of ours (unbound, or a quoted triple)."""
        if isinstance(node, ox.NamedNode):
            return Entity(self.iris.entity_id(node.value))
        if isinstance(node, ox.BlankNode):
            return Entity(BLANK_PREFIX + node.value)
        return literal(node) if isinstance(node, ox.Literal) else None

    def terms(self, values: Collection[object]) -> list[Term]:
        """Distinct terms of some values, in order; what is no term of ours is left out."""
        ids = self.ids(values)
        # Sorted as strings and before they are entities: that costs a tenth of comparing terms.
        entities: list[Term] = [Entity(each) for each in (sorted(set(ids)) if len(ids) > 1 else ids)]
        return entities if len(ids) == len(values) else [*entities, *self.literals(values)]

    def ids(self, values: Iterable[object]) -> list[str]:
        """Ids of those of some values that are nodes."""
        namespace = self.iris.namespaces.entity
        return [
            to_id(value.value, namespace) if isinstance(value, ox.NamedNode) else BLANK_PREFIX + value.value
            for value in values
            if isinstance(value, _NODES)
        ]

    def literals(self, values: Iterable[object]) -> list[Literal]:
        """Those of some values that are literals: distinct, in order."""
        found = {literal(value) for value in values if isinstance(value, ox.Literal)}
        return sorted(found, key=lambda each: each.sort_key)

    def entity(self, node: object) -> Entity | None:
        """Return the entity of a node; None for a literal and for what is no term of ours."""
        term = self.term(node)
        return term if isinstance(term, Entity) else None


def literal(node: ox.Literal) -> Literal:
    """Return a literal of the store, canonical."""
    return canonical_literal(node.value, node.datatype.value, node.language or "")


def store_literal(value: Literal) -> ox.Literal:
    """Return a literal as the store holds it.

    Raises:
        ValueError: its datatype is no IRI or its language no language tag.
    """
    if value.language:
        return ox.Literal(value.lexical, language=value.language)
    return ox.Literal(value.lexical, datatype=ox.NamedNode(value.datatype or f"{XSD}string"))
