"""Ids and IRIs of a graph that others made: ids are shortened only where they lead back to the same IRI."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from kgbench.types import Entity
from kgbench_adapters.queries import VIRTUOSO_BLANK
from kgbench_adapters.terms import BLANK_PREFIX, IriMap, canonical_literal, to_iri

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from kgbench.types import Term

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s].*", re.DOTALL)
_WITH_AUTHORITY = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://|urn:)[^\s].*", re.DOTALL)
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
# Letters beyond ASCII stay: an IRI may hold them, and another spelling is another IRI.
_ILLEGAL_IN_PATH = re.compile(
    r"[^A-Za-z0-9/\-._~!$&'()*+,;=:@%\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U000efffd]"
)
_VIRTUOSO_NODE = re.compile(rf"{VIRTUOSO_BLANK}[A-Za-z0-9._-]+")
"""How Virtuoso names a blank node, in results and in queries."""


@dataclass(frozen=True, slots=True)
class ServerIris(IriMap):
    """Ids of a graph whose IRIs were not made by kgbench.

    Below the namespace of entities an id is the rest of the IRI as it is, percent signs and all; any other IRI is its own
    id. An id with a character that no IRI can hold stands for the IRI in which that character is percent-encoded.
    """

    def entity_iri(self, entity_id: str) -> str:
        """IRI of an entity; empty for an id that can be none of this graph."""
        namespace = self.namespaces.entity
        form = _WITH_AUTHORITY if namespace else _ABSOLUTE
        if form.fullmatch(entity_id):
            return _legal(entity_id)
        return namespace + _legal_in_path(entity_id) if namespace and entity_id else ""

    def entity_id(self, iri: str) -> str:
        """Id of the entity that an IRI names."""
        namespace = self.namespaces.entity
        short = iri.removeprefix(namespace) if namespace else iri
        return short if self.entity_iri(short) == iri else iri

    def relation_iri(self, relation_id: str) -> str:
        """IRI of a relation; empty for an id that can be none of this graph."""
        return _below(self.namespaces.relation, relation_id)

    def class_iri(self, class_id: str) -> str:
        """IRI of a class; empty for an id that can be none of this graph."""
        return _below(self.namespaces.class_, class_id)


class Nodes:
    """Between kgbench's terms and those of a server's results.

    Args:
        iris: ids and IRIs of the graph.
    """

    def __init__(self, iris: IriMap) -> None:
        self.iris = iris

    def address(self, entity_id: str) -> str | None:
        """Return what a query names a node by, without the angle brackets.

        Returns:
            An IRI; empty for an id that no node of the graph can have; None for a blank node, which is in the graph but
            which no query of SPARQL 1.1 can name.
        """
        if entity_id.startswith(BLANK_PREFIX):
            label = entity_id.removeprefix(BLANK_PREFIX)
            return label if _VIRTUOSO_NODE.fullmatch(label) else None
        return self.iris.entity_iri(entity_id)

    def term(self, value: Mapping[str, Any] | None) -> Term | None:
        """Return the term of a value in a result; None for what is no term of ours (unbound, or a quoted triple)."""
        if value is None:
            return None
        kind, text = value.get("type"), value["value"]
        if not isinstance(text, str):
            return None
        if kind == "uri":
            return Entity(BLANK_PREFIX + text if _VIRTUOSO_NODE.fullmatch(text) else self.iris.entity_id(text))
        if kind == "bnode":
            return Entity(BLANK_PREFIX + text)
        if kind in ("literal", "typed-literal"):
            return canonical_literal(text, value.get("datatype") or "", value.get("xml:lang") or "")
        return None


def address_of(value: Mapping[str, Any] | None) -> str:
    """What a query names the node in a result's value by; empty for a literal and where there is none."""
    return value["value"] if value is not None and value.get("type") in ("uri", "bnode") else ""


def iri_of(value: Mapping[str, Any] | None) -> str | None:
    """The IRI in a result's value; None for another kind of term."""
    return value["value"] if value is not None and value.get("type") == "uri" else None


def _below(namespace: str, term_id: str) -> str:
    iri = to_iri(term_id, namespace)
    return iri if _ABSOLUTE.fullmatch(iri) else ""


def _legal(iri: str) -> str:
    return to_iri(_STRAY_PERCENT.sub("%25", iri), "")


def _legal_in_path(text: str) -> str:
    text = _STRAY_PERCENT.sub("%25", text)
    return _ILLEGAL_IN_PATH.sub(lambda match: quote(match[0].encode("utf-8", "surrogatepass"), safe=""), text)
