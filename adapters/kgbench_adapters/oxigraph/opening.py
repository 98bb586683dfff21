"""From a location to an open store: which kind of source it is, how it is loaded, what is known of it then."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pyoxigraph as ox

from kgbench.errors import PrerequisiteMissing, UsageError
from kgbench_adapters.files import ReadReport, digest_of
from kgbench_adapters.folder import GraphFolder, triples_file
from kgbench_adapters.oxigraph import storage
from kgbench_adapters.oxigraph.from_folder import FolderQuads
from kgbench_adapters.oxigraph.from_rdf import is_rdf, quads
from kgbench_adapters.oxigraph.nodes import Nodes
from kgbench_adapters.oxigraph.schema import StoreSchema
from kgbench_adapters.oxigraph.storage import StoredGraph
from kgbench_adapters.profiles import adjusted, guess, vocabulary
from kgbench_adapters.schema import SchemaReader

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgbench.contracts import Profile
    from kgbench_adapters.folder import RelationRow
    from kgbench_adapters.profiles import Vocabulary
    from kgbench_adapters.profiles.vocabulary import Namespaces

_SAMPLE = 1000
"""Statements of a store that a profile is guessed from."""


@dataclass(frozen=True)
class OpenedGraph:
    """A store, and all that a reader of it must know."""

    store: ox.Store
    graph: StoredGraph
    vocabulary: Vocabulary
    report: ReadReport
    on_disk: bool = False


class Source(Protocol):
    """Files that a store is filled from."""

    def fill(self, store: ox.Store, asked: Profile | str | None, report: ReadReport) -> StoredGraph:
        """Put the graph into an empty store; a profile that is not asked for is guessed."""

    def fingerprint(self) -> str:
        """The fingerprint that reading the files would give."""


class FolderSource:
    """A folder of TSV files."""

    def __init__(self, location: Path) -> None:
        self.folder = GraphFolder.find(location)

    def fill(self, store: ox.Store, asked: Profile | str | None, report: ReadReport) -> StoredGraph:
        """Load facts, names and types; the facts alone are counted."""
        settings = self.folder.settings(report)
        known = vocabulary(asked or settings.profile or guess(self.folder.sample_heads(_SAMPLE)))
        known = adjusted(known, settings.mediator_classes, settings.unlisted_are_mediators)
        rows = FolderQuads(self.folder, Nodes(known.folder), report)
        store.bulk_extend(rows.facts())
        triples = len(store)
        store.bulk_extend(chain(rows.names(), rows.types()))
        relations = tuple(self.folder.relations(report))
        name = settings.name or self.folder.name
        return _describe(
            store, known, known.folder, name, relations=relations, fingerprint=report.fingerprint, triples=triples
        )

    def fingerprint(self) -> str:
        """The fingerprint that reading the folder would give."""
        return ReadReport(digests={role: digest_of(path) for role, path in self.folder.files.items()}).fingerprint


class RdfSource:
    """An RDF file."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise PrerequisiteMissing(f'there is no file "{path}"; give the path of an RDF file')
        self._path = path

    def fill(self, store: ox.Store, asked: Profile | str | None, report: ReadReport) -> StoredGraph:
        """Load every statement."""
        store.bulk_extend(quads(self._path, report))
        known = vocabulary(asked or guess(_sample_subjects(store)))
        name = self._path.name.removesuffix(".gz").rsplit(".", 1)[0]
        return _describe(store, known, known.rdf, name, fingerprint=report.fingerprint, triples=len(store))

    def fingerprint(self) -> str:
        """The fingerprint that reading the file would give."""
        return ReadReport(digests={"rdf": digest_of(self._path)}).fingerprint


def open_location(
    location: str, asked: Profile | str | None, store_path: str | None, report: ReadReport
) -> OpenedGraph:
    """Open whatever graph a location names.

    Args:
        location: a graph folder, its triples file, an RDF file or a store folder.
        asked: the profile, or None to have it guessed.
        store_path: where to build a store on disk; None keeps the graph in memory. A store of the same files that is
            there already is opened and not built anew.
        report: what was read and left out.

    Raises:
        PrerequisiteMissing: there is no graph at the location.
        UsageError: the location is no graph, the store path is taken, or the profile is not the one of the store.
        DataError: the files break their format.
    """
    path = Path(location).expanduser()
    if storage.is_store(path):
        if store_path is not None:
            raise UsageError(f'"{location}" is a store already; leave out the store path')
        return _opened_store(path, asked, report)
    source = source_of(path)
    if store_path is None:
        store = ox.Store()
        return _opened(store, source.fill(store, asked, report), asked, report)
    return _opened_store(_stored(source, Path(store_path).expanduser(), asked, report), asked, report)


def readable(location: str) -> bool:
    """Tell whether a location is named like something that can be opened here: a folder, an RDF file, a triples file."""
    path = Path(location).expanduser()
    return "://" not in location and (path.is_dir() or is_rdf(path) or triples_file(path))


def source_of(path: Path) -> Source:
    """Return the files that a path names.

    Raises:
        PrerequisiteMissing: there are none.
        UsageError: the path is no graph.
        DataError: a file is there both plain and packed.
    """
    if path.is_dir() or triples_file(path):
        return FolderSource(path)
    if is_rdf(path):
        return RdfSource(path)
    if not path.exists():
        raise PrerequisiteMissing(f'there is no file or folder "{path}"')
    raise UsageError(
        f'"{path}" is no graph: give a folder with triples.tsv, an RDF file (.ttl .nt .rdf .nq .trig, or .gz of these) or '
        "an oxigraph store folder"
    )


def _stored(source: Source, path: Path, asked: Profile | str | None, report: ReadReport) -> Path:
    """Build the store of a source, unless it is there."""
    there = storage.read_sidecar(path) if storage.is_store(path) else None
    if there is None or there.fingerprint != source.fingerprint():
        storage.build_store(path, lambda store: source.fill(store, asked, report))
    return path


def _opened_store(path: Path, asked: Profile | str | None, report: ReadReport) -> OpenedGraph:
    store = storage.open_store(path)
    graph = storage.read_sidecar(path)
    if graph is None:
        known = vocabulary(asked or guess(_sample_subjects(store)))
        fingerprint = storage.fingerprint_of_store(path)
        graph = _describe(store, known, known.rdf, path.name, fingerprint=fingerprint, triples=len(store))
    return replace(_opened(store, graph, asked, report), on_disk=True)


def _opened(store: ox.Store, graph: StoredGraph, asked: Profile | str | None, report: ReadReport) -> OpenedGraph:
    known = vocabulary(asked or graph.profile)
    if known.profile.name != graph.profile:
        raise UsageError(
            f'the store was built with the profile "{graph.profile}" and cannot be read as "{known.profile.name}"; '
            "build another store from the files"
        )
    # A profile given as an object says itself what unlisted nodes are; by name, the graph's own rule stands.
    unlisted = graph.unlisted_are_mediators if asked is None or isinstance(asked, str) else None
    return OpenedGraph(store, graph, adjusted(known, graph.mediator_classes, unlisted), report)


def _describe(
    store: ox.Store,
    known: Vocabulary,
    namespaces: Namespaces,
    name: str,
    *,
    fingerprint: str,
    triples: int | None,
    relations: Iterable[RelationRow] = (),
) -> StoredGraph:
    facts = StoreSchema(store, known)
    schema = SchemaReader(facts, Nodes(namespaces).iris, known, relations).read()
    return StoredGraph(
        name=name,
        profile=known.profile.name,
        mediator_classes=known.profile.mediator_classes,
        unlisted_are_mediators=known.profile.unlisted_are_mediators,
        namespaces=namespaces,
        fingerprint=fingerprint,
        triples=triples,
        schema=replace(schema, named_graphs=facts.named_graphs),
    )


def _sample_subjects(store: ox.Store) -> tuple[str, ...]:
    sample = islice(store.quads_for_pattern(None, None, None, None), _SAMPLE)
    return tuple(quad.subject.value for quad in sample if isinstance(quad.subject, ox.NamedNode))
