"""Runs SPARQL over a demo graph, so that gold answers come from queries and not from the code that wrote the questions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from kgbench.data.demo.paths import ID_IRI, entity_iri, relation_iri

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyoxigraph

XSD = "http://www.w3.org/2001/XMLSchema#"
_LITERAL = re.compile(r'"(?P<value>(?:[^"\\]|\\.)*)"(?:\^\^xsd:(?P<datatype>\w+)|@(?P<language>[\w-]+))?')


class Result(NamedTuple):
    """One value of a query's only column."""

    id: str
    """Id of a node; empty for a literal."""
    value: str = ""
    datatype: str = ""
    """Short form, such as `xsd:date`."""


class GoldStore:
    """The triples of a demo graph in memory, with the IRIs of the plain profile."""

    def __init__(self, triples: Iterable[tuple[str, str, str]]) -> None:
        import pyoxigraph

        self._store = pyoxigraph.Store()
        self._store.bulk_extend(
            pyoxigraph.Quad(
                pyoxigraph.NamedNode(entity_iri(head)), pyoxigraph.NamedNode(relation_iri(relation)), _term(tail)
            )
            for head, relation, tail in triples
        )

    def select(self, sparql: str) -> list[Result]:
        """Results of a query with one column, sorted."""
        import pyoxigraph

        solutions = self._store.query(sparql)
        if not isinstance(solutions, pyoxigraph.QuerySolutions):
            raise TypeError("the demo graph answers SELECT queries alone")
        return sorted(_result(solution[0]) for solution in solutions)


def _term(tail: str) -> pyoxigraph.NamedNode | pyoxigraph.Literal:
    import pyoxigraph

    if not tail.startswith('"'):
        return pyoxigraph.NamedNode(entity_iri(tail))
    match = _LITERAL.fullmatch(tail)
    if match is None:
        raise ValueError("a literal of the demo graph is not in N-Triples form")
    value = re.sub(r"\\(.)", r"\1", match["value"])
    if match["datatype"]:
        return pyoxigraph.Literal(value, datatype=pyoxigraph.NamedNode(XSD + match["datatype"]))
    return pyoxigraph.Literal(value, language=match["language"])


def _result(term: object) -> Result:
    import pyoxigraph

    if isinstance(term, pyoxigraph.NamedNode):
        return Result(unquote(term.value.removeprefix(ID_IRI)))
    if isinstance(term, pyoxigraph.Literal):
        return Result("", term.value, term.datatype.value.replace(XSD, "xsd:"))
    raise TypeError("the demo graph holds named nodes and literals alone")
