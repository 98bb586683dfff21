"""Which make of server answers, and what is known of how each make treats an answer that it cannot finish.

Every answer is judged by its own marks (:mod:`kgbench_adapters.sparql.responses`), whatever the make: what stands here is
for people who want to know what they are dealing with.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from kgbench_adapters.profiles import of_host

if TYPE_CHECKING:
    from collections.abc import Mapping

_VIRTUOSO = "Virtuoso"
_OWN_HEADERS = ("x-sparql-", "x-sql-")
"""How headers begin that Virtuoso alone sends; a proxy before it leaves them as they are."""
_LONGEST = 60


class Product(NamedTuple):
    """A kind of server."""

    name: str
    incomplete: str
    """How an answer that it cannot finish is known."""


_UNKNOWN = Product("", "it is not known to say when an answer is incomplete; rows are counted where they may be capped")
_PRODUCTS = {
    "virtuoso": Product(_VIRTUOSO, "it says when its time was up before an answer was complete"),
    "oxigraph": Product("oxigraph", "it gives whole answers or errors"),
    "blazegraph": Product("Blazegraph", "it breaks an answer off when its time is up, which counts as a failure"),
    "fuseki": _UNKNOWN._replace(name="Apache Jena Fuseki"),
    "graphdb": _UNKNOWN._replace(name="GraphDB"),
    "rdf4j": _UNKNOWN._replace(name="RDF4J"),
    "qlever": _UNKNOWN._replace(name="QLever"),
    "stardog": _UNKNOWN._replace(name="Stardog"),
}
_PUBLIC = {"wikidata": "blazegraph", "dbpedia": "virtuoso"}
"""What runs behind the well-known public servers, by their graph's profile."""


def make_of(headers: Mapping[str, str]) -> str:
    """Return a server by its own account, such as ``Virtuoso/07.20.3229``; empty where it says nothing.

    Args:
        headers: of a response, names in lower case.
    """
    said = headers.get("server", "").partition(" (")[0].strip()
    said = re.sub(r"[^\x20-\x7e]", "?", said)[:_LONGEST]
    hidden = _VIRTUOSO.lower() not in said.lower() and any(name.startswith(_OWN_HEADERS) for name in headers)
    if hidden:
        return f"{_VIRTUOSO} behind {said}" if said else _VIRTUOSO
    return said


def product_of(make: str, host: str) -> Product:
    """Return the kind of server that goes by a make of :func:`make_of`, or stands at a well-known host."""
    said = f"{make.lower()} {_PUBLIC.get(of_host(host) or '', '')}"
    return next((product for mark, product in _PRODUCTS.items() if mark in said), _UNKNOWN)
