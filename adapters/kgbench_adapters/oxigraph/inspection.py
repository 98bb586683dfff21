"""Tells what is wrong with the files of a graph, by reading them with the code that loads them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pyoxigraph as ox

from kgbench.errors import DataError
from kgbench.types import Finding, Severity
from kgbench_adapters.folder import GraphFolder
from kgbench_adapters.folder_inspection import FolderInspector, TellingReport
from kgbench_adapters.lexical import fits
from kgbench_adapters.oxigraph import storage
from kgbench_adapters.oxigraph.from_folder import FolderQuads
from kgbench_adapters.oxigraph.from_rdf import NotWellFormed, quads
from kgbench_adapters.oxigraph.nodes import Nodes, literal
from kgbench_adapters.oxigraph.opening import FolderSource, source_of
from kgbench_adapters.profiles import guess, vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kgbench.contracts import Profile
    from kgbench_adapters.files import ReadReport
    from kgbench_adapters.folder import Fact, Listed, Typed

Row = TypeVar("Row")


def inspect_location(location: str, asked: Profile | str | None, tell: Callable[[Finding], None]) -> None:
    """Inspect whatever graph a location names.

    Args:
        location: a graph folder, its triples file, an RDF file, or a store, which has no files to inspect.
        asked: the profile, or None to have it guessed.
        tell: hears each finding.

    Raises:
        PrerequisiteMissing: there is no graph at the location.
        UsageError: the location is no graph, or no profile has this name.
    """
    path = Path(location).expanduser()
    if storage.is_store(path):
        return
    try:
        source = source_of(path)
    except DataError as error:
        tell(Finding(Severity.ERROR, "bad_folder", str(error)))
        return
    report = TellingReport(tell)
    try:
        if isinstance(source, FolderSource):
            _inspect_folder(source.folder, asked, report, tell)
        else:
            _inspect_rdf(path, report, tell)
    except NotWellFormed as error:
        unsaid = "" if error.line else " (the parser of this format gives no line)"
        text = f"{error.reason}{unsaid}; nothing after it was looked at"
        tell(Finding(Severity.ERROR, "not_well_formed", text, path.name, error.line))
    except DataError as error:
        tell(Finding(Severity.ERROR, "unreadable", str(error)))


@dataclass(frozen=True)
class _Watched(GraphFolder):
    """A folder whose rows the inspector sees, too, while the loader reads them."""

    inspector: FolderInspector

    def facts(self, report: ReadReport) -> Iterator[Fact]:
        """Rows of ``triples.tsv``."""
        return _seen(super().facts(report), self.inspector.fact)

    def entities(self, report: ReadReport) -> Iterator[Listed]:
        """Rows of ``entities.tsv``."""
        return _seen(super().entities(report), self.inspector.listed)

    def types(self, report: ReadReport) -> Iterator[Typed]:
        """Rows of ``types.tsv``."""
        return _seen(super().types(report), self.inspector.typed)


def _seen(rows: Iterator[Row], see: Callable[[Row], None]) -> Iterator[Row]:
    for row in rows:
        see(row)
        yield row


def _inspect_folder(
    folder: GraphFolder, asked: Profile | str | None, report: TellingReport, tell: Callable[[Finding], None]
) -> None:
    inspector = FolderInspector(folder, tell)
    known = vocabulary(asked or _stated_profile(folder) or guess(folder.sample_heads()))
    rows = FolderQuads(_Watched(folder.name, folder.files, inspector), Nodes(known.folder), report)
    for kind in (rows.facts(), rows.names(), rows.types()):
        deque(kind, maxlen=0)
    inspector.rest(report)
    for role in sorted(report.digests):
        if report.is_empty(role):
            severity = Severity.ERROR if role == "triples" else Severity.WARNING
            tell(Finding(severity, "empty_file", "the file is empty", folder.files[role].name))


def _stated_profile(folder: GraphFolder) -> str | None:
    try:
        return folder.settings(TellingReport(lambda _: None)).profile
    except DataError:
        return None  # said once, by the inspector


def _inspect_rdf(path: Path, report: TellingReport, tell: Callable[[Finding], None]) -> None:
    statements = 0
    for quad in quads(path, report):
        statements += 1
        if isinstance(quad.object, ox.Literal) and not fits(literal(quad.object)):
            kind = quad.object.datatype.value.rpartition("#")[2]
            tell(Finding(Severity.WARNING, "literal_value", f"the value is no xsd:{kind}", path.name))
    if report.is_empty("rdf"):
        tell(Finding(Severity.ERROR, "empty_file", "the file is empty", path.name))
    elif not statements:
        tell(Finding(Severity.ERROR, "no_facts", "holds no statement that can be read", path.name))
