"""The SPARQL texts that every adapter shares, and the check of a query that comes from outside.

IRIs stand in full; they come from :mod:`kgbench_adapters.terms`, which leaves no character in them that could end one.
The variables are always ``?s`` (the entity asked about), ``?p``, ``?o`` and ``?c``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgbench.errors import GraphError
from kgbench.types import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def relations(entities: Sequence[str], direction: Direction, limit: int) -> str:
    """Distinct relations (?p) of entities (?s), whatever they lead to."""
    pattern = "?s ?p ?o" if direction is Direction.OUT else "?o ?p ?s"
    return f"SELECT DISTINCT ?s ?p WHERE {{ {_values('s', entities)} {pattern} }} LIMIT {limit}"


def neighbours(
    entities: Sequence[str], relation: str, direction: Direction, limit: int, *, ordered: bool = False
) -> str:
    """Terms (?o) that entities (?s) reach along a relation.

    Args:
        entities: IRIs.
        relation: IRI.
        direction: OUT where the entities are subjects.
        limit: most rows; ask for one more than needed to learn whether there are more.
        ordered: by entity and then by term, entities before literals: the order of a sample at a cut. The engine then
            reads all rows before it gives the first one.
    """
    pattern = f"?s <{relation}> ?o" if direction is Direction.OUT else f"?o <{relation}> ?s"
    order = " ORDER BY STR(?s) isLiteral(?o) STR(?o) STR(DATATYPE(?o)) LANG(?o)" if ordered else ""
    return f"SELECT DISTINCT ?s ?o WHERE {{ {_values('s', entities)} {pattern} }}{order} LIMIT {limit}"


def properties(entities: Sequence[str], predicates: Iterable[str], limit: int) -> str:
    """Values (?o) of some properties (?p) of entities (?s): their names, descriptions or classes."""
    return f"SELECT DISTINCT ?s ?p ?o WHERE {{ {_values('s', entities)} {_values('p', predicates)} ?s ?p ?o }} LIMIT {limit}"


def predicates() -> str:
    """Every predicate (?p) of the graph. Reads the whole graph."""
    return "SELECT DISTINCT ?p WHERE { ?s ?p ?o }"


def classes(type_properties: Iterable[str]) -> str:
    """Every class (?c) that has a member."""
    return f"SELECT DISTINCT ?c WHERE {{ {_values('p', type_properties)} ?s ?p ?c }}"


def _values(variable: str, iris: Iterable[str]) -> str:
    return f"VALUES ?{variable} {{ {' '.join(f'<{iri}>' for iri in iris)} }}"


# --- Queries from outside ----------------------------------------------------------------------------------------------

_SPACE = r"(?:\s|\#[^\n\r]*[\n\r])*"
_SERVICE = re.compile(
    rf"""
    (?:(?<![A-Za-z_?$:/\#-]) | (?<=true) | (?<=false)) service  # "?o trueSERVICE" needs no space between
    {_SPACE} (?:silent {_SPACE})?
    (?: [<?$] | [^\s{{}}<>"'();]*: )   # what the clause may name: an IRI, a variable, a prefixed name
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CODE_POINT = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


def check_stays_inside(sparql: str) -> None:
    """Refuse a query that would leave the graph.

    A ``SERVICE`` clause makes the engine send parts of a private graph to an address that the query names, and a query
    may be a model's own words. The text is searched as it is, strings and comments included: taking them out first would
    need the engine's own tokenizer, and a mistake there would open the door.

    Raises:
        GraphError: the query calls a service.
    """
    unescaped = _CODE_POINT.sub(lambda match: chr(min(int(match[1] or match[2], 16), 0x10FFFF)), sparql)
    if _SERVICE.search(sparql) or _SERVICE.search(unescaped):
        raise GraphError("the query has a SERVICE clause; a query must not leave the graph: take the clause out")
