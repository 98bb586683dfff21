"""Turns an RDF file into quads, with blank nodes that keep their labels from one load to the next."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, cast

import pyoxigraph as ox

from kgbench.errors import DataError
from kgbench_adapters.files import open_hashed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kgbench_adapters.files import ReadReport

FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".nq": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG,
}
_LINE_BASED = (ox.RdfFormat.N_TRIPLES, ox.RdfFormat.N_QUADS)

_BASE = "https://kgbench.invalid/id/"
"""Base of relative IRIs in a file that states none; its own path would make ids depend on where it lies."""
_MADE_LABEL = re.compile(r"[a-f][0-9a-f]{15,31}")
"""Form of the label that the parser draws at random for a blank node without one (``[]`` in Turtle)."""


def quads(path: Path, report: ReadReport) -> Iterator[ox.Quad]:
    """Read the statements of an RDF file: the union of its graphs. Quoted triples are left out and counted.

    Args:
        path: a file with a suffix of ``FORMATS``, ``.gz`` may follow.
        report: in lenient mode, bad lines of N-Triples and N-Quads are skipped and counted there; the other formats
            cannot be read on after a fault.

    Raises:
        DataError: a fault that cannot be skipped; the text names file and line.
    """
    rdf_format = FORMATS[_suffix(path)]
    with open_hashed(path, "rdf", report) as source:
        statements = iter(ox.parse(cast("IO[bytes]", source), rdf_format, base_iri=_BASE))
        blank_nodes = _BlankNodes(keep_all=rdf_format in _LINE_BASED)
        while True:
            try:
                quad = next(statements, None)
            except SyntaxError as error:
                if not source.size:
                    return  # an empty RDF/XML file is a fault to the parser, and an empty graph to us
                if rdf_format not in _LINE_BASED:
                    raise NotWellFormed(path, error) from None
                report.skip(path, error.lineno or 0, "no statement in this format")
                continue
            if quad is None:
                return
            if isinstance(quad.object, ox.Triple):
                report.skip(path, 0, "a quoted triple; these are not read")
                continue
            yield blank_nodes.settle(quad)


def _suffix(path: Path) -> str:
    return (path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix).lower()


def is_rdf(path: Path) -> bool:
    """Tell whether a path is named like an RDF file that can be read."""
    return _suffix(path) in FORMATS


class NotWellFormed(DataError):
    """An RDF file that cannot be read on after a fault. The parser's own words quote the file: they are left out.

    Args:
        path: the file.
        error: what the parser said; only its place is kept.
    """

    def __init__(self, path: Path, error: SyntaxError) -> None:
        self.line = error.lineno or 0
        self.reason = f"not well-formed {_suffix(path).lstrip('.')}; mend it there, or ask an RDF validator for more"
        place = f"line {error.lineno}, column {error.offset}" if error.lineno else "an unknown line"
        super().__init__(f"{path.name}, {place}: {self.reason}")


class _BlankNodes:
    """Gives blank nodes without a label of their own one by order of appearance, in place of a random one."""

    def __init__(self, *, keep_all: bool) -> None:
        self._keep_all = keep_all
        self._made: dict[str, ox.BlankNode] = {}

    def settle(self, quad: ox.Quad) -> ox.Quad:
        """Return a statement with settled blank nodes, in the default graph."""
        subject, value = quad.subject, quad.object
        if isinstance(subject, ox.BlankNode):
            subject = self._settled(subject)
        if isinstance(value, ox.BlankNode):
            value = self._settled(value)
        return ox.Quad(subject, quad.predicate, value)

    def _settled(self, node: ox.BlankNode) -> ox.BlankNode:
        if self._keep_all or not _MADE_LABEL.fullmatch(node.value):
            return node
        if node.value not in self._made:
            self._made[node.value] = ox.BlankNode(f"unlabelled-{len(self._made) + 1}")
        return self._made[node.value]
