"""Ids and literals as an RDF store holds them: IRIs both ways, canonical literals, escaping.

An id is kept as it was given. In the store it stands as an IRI below a namespace, percent-encoded, so that no character
of an id can change the shape of a query.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from kgbench.types import Literal

if TYPE_CHECKING:
    from kgbench_adapters.profiles.vocabulary import Namespaces

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
BLANK_PREFIX = "_:"
"""Ids of blank nodes begin with this."""

_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]+")
_IRI_PART = r"(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*"
_WEB_IRI = re.compile(rf"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?]{_IRI_PART})?(?:#{_IRI_PART})?")
_ILLEGAL_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\\x7f-\x9f\ud800-\udfff]')


def to_iri(node_id: str, namespace: str) -> str:
    """Return the IRI that an id stands as; it holds no character that could end or change a query.

    Args:
        node_id: an id as given; one that is a web address already stays as it is.
        namespace: what stands before the percent-encoded id; empty where ids are IRIs. There, illegal characters are
            percent-encoded, as most exporters of RDF do.
    """
    if not namespace:
        return _ILLEGAL_IN_IRI.sub(lambda match: _percent(match.group()), node_id)
    if _UNRESERVED.fullmatch(node_id):
        return namespace + node_id
    if _WEB_IRI.fullmatch(node_id):
        return node_id
    return namespace + _percent(node_id)


def to_id(iri: str, namespace: str) -> str:
    """Return the id that an IRI stands for: the inverse of :func:`to_iri`; an IRI outside the namespace is its own id."""
    if namespace and iri.startswith(namespace):
        return unquote(iri[len(namespace) :]) if "%" in iri else iri[len(namespace) :]
    return iri


def _percent(text: str) -> str:
    # Lone surrogates come in through JSON escapes; they must not crash a read.
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


@dataclass(frozen=True, slots=True)
class IriMap:
    """Ids and IRIs of one graph."""

    namespaces: Namespaces

    def entity_iri(self, entity_id: str) -> str:
        """IRI of an entity; not for blank nodes."""
        return to_iri(entity_id, self.namespaces.entity)

    def entity_id(self, iri: str) -> str:
        """Id of the entity that an IRI names."""
        return to_id(iri, self.namespaces.entity)

    def relation_iri(self, relation_id: str) -> str:
        """IRI of a relation."""
        return to_iri(relation_id, self.namespaces.relation)

    def relation_id(self, iri: str) -> str:
        """Id of the relation that an IRI names."""
        return to_id(iri, self.namespaces.relation)

    def class_iri(self, class_id: str) -> str:
        """IRI of a class."""
        return to_iri(class_id, self.namespaces.class_)

    def class_id(self, iri: str) -> str:
        """Id of the class that an IRI names."""
        return to_id(iri, self.namespaces.class_)


# --- Literals ----------------------------------------------------------------------------------------------------------

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DOUBLE = re.compile(rf"{_DECIMAL.pattern}(?:[eE][+-]?[0-9]{{1,3}})?")
INTEGER_TYPES = frozenset(
    """integer long int short byte nonNegativeInteger nonPositiveInteger positiveInteger negativeInteger unsignedLong
    unsignedInt unsignedShort unsignedByte""".split()
)
"""Local names of the integer types of XML Schema."""


def canonical_literal(lexical: str, datatype: str = "", language: str = "") -> Literal:
    """Return a literal in canonical form, so that equal values are equal objects whatever engine they come from.

    Plain and ``xsd:string`` are one; language tags are lower case; numbers lose leading zeros, plus signs and exponents;
    the integer types are ``xsd:integer``; booleans are ``true`` and ``false``. Dates stay as written (their comparison
    belongs to scoring), and so does a lexical form that its datatype does not allow.
    """
    if language:
        return Literal(lexical, "", language.lower())
    if datatype in ("", f"{XSD}string", f"{RDF}langString"):
        return Literal(lexical)
    kind = datatype.removeprefix(XSD) if datatype.startswith(XSD) else ""
    value = lexical.strip()
    if kind in INTEGER_TYPES and _INTEGER.fullmatch(value):
        return Literal(_plain_number(value), f"{XSD}integer")
    if kind == "decimal" and _DECIMAL.fullmatch(value):
        return Literal(_plain_number(value), datatype)
    if kind in ("double", "float") and (_DOUBLE.fullmatch(value) or value == "+INF"):
        return Literal(_plain_double(value), datatype)
    if kind == "boolean" and value in ("0", "1", "true", "false"):
        return Literal("true" if value in ("1", "true") else "false", datatype)
    return Literal(lexical, datatype)


def _plain_number(value: str) -> str:
    whole, _, fraction = value.lstrip("+-").partition(".")
    digits = whole.lstrip("0") or "0"
    fraction = fraction.rstrip("0")
    number = f"{digits}.{fraction}" if fraction else digits
    return f"-{number}" if value.startswith("-") and number != "0" else number


def _plain_double(value: str) -> str:
    number = float(value)
    if number in (float("inf"), float("-inf")):
        return "INF" if number > 0 else "-INF"
    return format(Decimal(repr(number)), "f").removesuffix(".0")


# --- Writing and reading the N-Triples form ----------------------------------------------------------------------------

_TO_ESCAPE = re.compile(r'["\\\x00-\x1f\x7f]')
_ESCAPE = re.compile(r"""\\(?:([tbnrf"'\\])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))""")
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_LITERAL = re.compile(
    rf"""
    "(?P<lexical>(?:[^"\\]|{_ESCAPE.pattern})*)"
    (?: @(?P<language>[A-Za-z]+(?:-[A-Za-z0-9]+)*)
      | \^\^<(?P<datatype>[^<>"{{}}|^`\\\x00-\x20]+)>
      | \^\^(?P<prefix>xsd|rdf):(?P<local>\w+)
    )?
    """,
    re.VERBOSE,
)
_LAST_CODE_POINT = 0x10FFFF


def literal_to_text(literal: Literal) -> str:
    """Write a literal as N-Triples and SPARQL do, every special character escaped."""
    body = _TO_ESCAPE.sub(lambda match: f"\\u{ord(match.group()):04X}", literal.lexical)
    if literal.language:
        return f'"{body}"@{literal.language}'
    return f'"{body}"^^<{to_iri(literal.datatype, "")}>' if literal.datatype else f'"{body}"'


def literal_from_text(text: str) -> Literal | None:
    """Read a literal in N-Triples form (``xsd:`` and ``rdf:`` may stand for their namespaces).

    Returns:
        The literal, canonical; None where the text has not this form.
    """
    match = _LITERAL.fullmatch(text)
    if match is None:
        return None
    lexical = match["lexical"]
    if "\\" in lexical:
        try:
            lexical = _ESCAPE.sub(_unescape, lexical)
        except ValueError:
            return None
    datatype = match["datatype"] or ""
    if match["prefix"]:
        datatype = {"xsd": XSD, "rdf": RDF}[match["prefix"]] + match["local"]
    return canonical_literal(lexical, datatype, match["language"] or "")


def _unescape(match: re.Match[str]) -> str:
    simple, *codes = match.groups()
    if simple:
        return _ESCAPED[simple]
    code = int(codes[0] or codes[1], 16)
    if code > _LAST_CODE_POINT or 0xD800 <= code <= 0xDFFF:
        raise ValueError("no such character")
    return chr(code)
