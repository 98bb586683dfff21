"""What can be told of a graph behind an endpoint by a few counting queries, each within the server's time limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.errors import GraphError
from kgbench.survey.describe import GraphDescription, by_size, card_fields, datatype_label
from kgbench.types import Entity, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.contracts import KnowledgeGraph
    from kgbench.types import Term

    Rows = tuple[tuple[Term | None, ...], ...]

LARGEST = 50
"""Relations and classes that are asked for."""
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_ALL = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"
_RELATIONS = f"SELECT ?p (COUNT(*) AS ?n) WHERE {{ ?s ?p ?o }} GROUP BY ?p ORDER BY DESC(?n) ?p LIMIT {LARGEST}"
_CLASSES = f"SELECT ?c (COUNT(*) AS ?n) WHERE {{ ?s {_TYPE} ?c }} GROUP BY ?c ORDER BY DESC(?n) ?c LIMIT {LARGEST}"
_VALUES = (
    "SELECT ?d (COUNT(*) AS ?n) WHERE { ?s ?p ?o FILTER(isLiteral(?o)) BIND(DATATYPE(?o) AS ?d) } "
    f"GROUP BY ?d ORDER BY DESC(?n) ?d LIMIT {LARGEST}"
)
NEVER = (
    "entities, names, mediators, degrees, hubs and components: they take the whole graph, which stays on the server; "
    "export it to a file or a folder to have them counted"
)
"""What is not counted on a server."""


def describe_remote(graph: KnowledgeGraph, progress: Callable[[str], None] = lambda _: None) -> GraphDescription:
    """Describe a graph by four counting queries; one that fails or is cut short counts nothing and is named.

    Args:
        graph: an open graph that cannot be read whole.
        progress: hears what is being done.
    """
    missing = [NEVER]

    def ask(what: str, query: str) -> Rows:
        progress(f"counting {what} on the server")
        try:
            return graph.select(query)
        except GraphError as error:
            missing.append(f"{what}: {error}")
            return ()

    totals = ask("triples", _ALL)
    relations, classes, values = (
        _counted(ask(what, query))
        for what, query in (("relations", _RELATIONS), ("classes", _CLASSES), ("values", _VALUES))
    )
    if len(relations) == LARGEST:
        missing.append(f"relations beyond the {LARGEST} with the most triples")
    if len(classes) == LARGEST:
        missing.append(f"classes beyond the {LARGEST} with the most members")
    card = card_fields(graph.card)
    return GraphDescription(
        **{**card, "triples": _number(totals[0][0]) if totals else card["triples"]},
        relations=by_size(relations),
        classes=by_size(classes),
        values=by_size({datatype_label(label): count for label, count in values.items()}),
        not_counted=tuple(missing),
    )


def _counted(rows: Rows) -> dict[str, int]:
    return {_label(row[0]): _number(row[1]) for row in rows}


def _label(term: Term | None) -> str:
    if isinstance(term, Entity):
        return term.id
    return term.lexical if isinstance(term, Literal) else ""


def _number(term: Term | None) -> int:
    return int(term.lexical) if isinstance(term, Literal) and term.lexical.isdecimal() else 0
