"""The SPARQL texts that every adapter shares, and the check of a query that comes from outside.

IRIs stand in full; they come from :mod:`kgbench_adapters.terms`, which leaves no character in them that could end one.
The variables are always ``?s`` (the entity asked about), ``?p``, ``?o``, ``?c`` and ``?n``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.errors import GraphError
from kgbench.types import Direction

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

VIRTUOSO_BLANK = "nodeID://"
"""How Virtuoso's names of blank nodes begin."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query for distinct rows, in parts: so it can be asked whole, in a stable order, or page by page."""

    variables: tuple[str, ...]
    """Without the question marks."""
    pattern: str
    order: str
    """What orders its rows the same way whatever the engine: no two rows are equal in all of it."""

    def text(self, limit: int, offset: int = 0) -> str:
        """Rows in the engine's own order; an offset says no more than whether there are as many rows."""
        return f"{self.everything()} LIMIT {limit}{_offset(offset)}"

    def ordered(self, limit: int) -> str:
        """The first rows in order. The engine reads and sorts all rows before it gives one."""
        return f"{self.everything()} ORDER BY {self.order} LIMIT {limit}"

    def page(self, limit: int, offset: int, sorted_rows: int) -> str:
        """One page of the rows in order.

        The order stands in a sub-select: Virtuoso sorts no more than its row cap under a LIMIT beside the ORDER BY.

        Args:
            limit: rows of a page.
            offset: rows before it.
            sorted_rows: most rows that are sorted. Of more, those that the engine comes upon first are.
        """
        some = f"{self.everything()} LIMIT {sorted_rows}"
        in_order = f"SELECT {self._shown()} WHERE {{ {{ {some} }} }} ORDER BY {self.order}"
        return f"SELECT {self._shown()} WHERE {{ {{ {in_order} }} }} LIMIT {limit}{_offset(offset)}"

    def count(self) -> str:
        """The number of rows, as ?n."""
        return f"SELECT (COUNT(*) AS ?n) WHERE {{ {{ {self.everything()} }} }}"

    def everything(self) -> str:
        """All rows, without a bound."""
        return f"SELECT DISTINCT {self._shown()} WHERE {{ {self.pattern} }}"

    def _shown(self) -> str:
        return " ".join(f"?{variable}" for variable in self.variables)


def relations_of(entities: Collection[str], direction: Direction) -> Query:
    """Distinct relations (?p) of entities (?s), whatever they lead to."""
    pattern = "?s ?p ?o" if direction is Direction.OUT else "?o ?p ?s"
    return Query(("s", "p"), _about(entities, pattern), "STR(?s) STR(?p)")


def neighbours_of(entities: Collection[str], relation: str, direction: Direction) -> Query:
    """Terms (?o) that entities (?s) reach along a relation; in order by entity and then by term, entities first.

    The order asks for no more than can differ: sorting is what an engine is slowest at.

    Args:
        entities: IRIs.
        relation: IRI.
        direction: OUT where the entities are subjects.
    """
    pattern = f"?s <{relation}> ?o" if direction is Direction.OUT else f"?o <{relation}> ?s"
    start = "STR(?s) " if len(entities) > 1 else ""
    # A subject is no literal. Blank nodes have no string; ?o itself tells them apart.
    term = "isLiteral(?o) STR(?o) STR(DATATYPE(?o)) LANG(?o) ?o" if direction is Direction.OUT else "STR(?o) ?o"
    return Query(("s", "o"), _about(entities, pattern), start + term)


def properties_of(entities: Collection[str], predicates: Iterable[str], languages: Sequence[str] = ()) -> Query:
    """Values (?o) of some properties (?p) of entities (?s): their names, descriptions or classes.

    Args:
        entities: IRIs.
        predicates: IRIs.
        languages: language tags of the texts wanted, "" for those without one; empty for all.
    """
    pattern = f"{_values('p', predicates)} ?s ?p ?o"
    if languages:
        tags = ", ".join(f'"{language}"' for language in languages)
        pattern += f" FILTER(!isLiteral(?o) || LANG(?o) IN ({tags}))"
    return Query(
        ("s", "p", "o"),
        _about(entities, pattern),
        "STR(?s) STR(?p) isLiteral(?o) STR(?o) STR(DATATYPE(?o)) LANG(?o) ?o",
    )


def links_of(predicate: str) -> Query:
    """Every statement (?s, ?o) of one property."""
    return Query(("s", "o"), f"?s <{predicate}> ?o", "STR(?s) isLiteral(?o) STR(?o) STR(DATATYPE(?o)) LANG(?o) ?o")


def predicates_in_use() -> Query:
    """Every predicate (?p) of the graph. Reads the whole graph."""
    return Query(("p",), "?s ?p ?o", "STR(?p)")


def classes_in_use(type_properties: Iterable[str]) -> Query:
    """Every class (?c) that has a member."""
    return Query(("c",), f"{_values('p', type_properties)} ?s ?p ?c", "STR(?c) ?c")


def any_member(classes: Iterable[str], type_properties: Iterable[str]) -> Query:
    """Members (?s) of some classes; ask for one row to learn whether there is any."""
    return Query(("s",), f"{_values('c', classes)} {_values('p', type_properties)} ?s ?p ?c", "STR(?s) ?s")


def any_subject(predicates: Iterable[str]) -> Query:
    """Nodes (?s) that have one of some properties; ask for one row to learn whether there is any."""
    return Query(("s",), f"{_values('p', predicates)} ?s ?p ?o", "STR(?s) ?s")


def occurring(entities: Collection[str]) -> Query:
    """Those of some entities (?s) that stand in a statement."""
    anywhere = "FILTER(EXISTS { ?s ?p ?o } || EXISTS { ?o ?q ?s })"
    return Query(("s",), f"{_values('s', entities)} {anywhere}", "STR(?s)")


def all_statements() -> str:
    """Every statement (?s ?p ?o)."""
    return "SELECT ?s ?p ?o WHERE { ?s ?p ?o }"


def statements(limit: int) -> str:
    """Any statements (?s ?p ?o), in the engine's own order."""
    return f"{all_statements()} LIMIT {limit}"


def size() -> str:
    """The number of statements, as ?n. Reads the whole graph."""
    return "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"


# --- Whole texts -------------------------------------------------------------------------------------------------------


def relations(entities: Sequence[str], direction: Direction, limit: int) -> str:
    """Distinct relations (?p) of entities (?s), whatever they lead to."""
    return relations_of(entities, direction).text(limit)


def neighbours(
    entities: Sequence[str], relation: str, direction: Direction, limit: int, *, ordered: bool = False
) -> str:
    """Terms (?o) that entities (?s) reach along a relation.

    Args:
        entities: IRIs.
        relation: IRI.
        direction: OUT where the entities are subjects.
        limit: most rows; ask for one more than needed to learn whether there are more.
        ordered: in the order of a sample at a cut. The engine then reads all rows before it gives the first one.
    """
    query = neighbours_of(entities, relation, direction)
    return query.ordered(limit) if ordered else query.text(limit)


def properties(entities: Sequence[str], predicates: Iterable[str], limit: int) -> str:
    """Values (?o) of some properties (?p) of entities (?s): their names, descriptions or classes."""
    return properties_of(entities, predicates).text(limit)


def predicates() -> str:
    """Every predicate (?p) of the graph. Reads the whole graph."""
    return predicates_in_use().everything()


def classes(type_properties: Iterable[str]) -> str:
    """Every class (?c) that has a member."""
    return classes_in_use(type_properties).everything()


def _about(entities: Collection[str], pattern: str) -> str:
    """A pattern in which ?s is each of some entities.

    Virtuoso finds a blank node by its own name for it only where that stands in the pattern, not by way of VALUES.
    """
    named = [entity for entity in entities if not entity.startswith(VIRTUOSO_BLANK)]
    blank = [entity for entity in entities if entity.startswith(VIRTUOSO_BLANK)]
    parts = [f"{_values('s', named)} {pattern}"] if named or not blank else []
    parts += [f"{pattern.replace('?s', f'<{node}>')} BIND(<{node}> AS ?s)" for node in blank]
    return parts[0] if len(parts) == 1 else " UNION ".join(f"{{ {part} }}" for part in parts)


def _offset(rows: int) -> str:
    return f" OFFSET {rows}" if rows else ""


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
