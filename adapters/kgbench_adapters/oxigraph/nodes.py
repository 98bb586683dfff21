"""Between kgbench's terms and pyoxigraph's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from kgbench.types import Entity, Literal, Relation, Term
from kgbench_adapters.terms import BLANK_PREFIX, XSD, IriMap, canonical_literal

if TYPE_CHECKING:
    from kgbench_adapters.profiles.vocabulary import Namespaces

Node = ox.NamedNode | ox.BlankNode


class Nodes:
    """Converts ids to nodes of a store and back."""

    def __init__(self, namespaces: Namespaces) -> None:
        self.iris = IriMap(namespaces)

    def node(self, entity_id: str) -> Node | None:
        """Return the node of an id; None where no store can hold such a node."""
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
