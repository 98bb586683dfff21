"""From an address to an open graph: which server it is, what kind of graph, what its schema says."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgbench.errors import GraphError, UsageError
from kgbench_adapters import queries
from kgbench_adapters.environment import LARGER_TIME_LIMIT
from kgbench_adapters.files import ReadReport
from kgbench_adapters.folder import RELATIONS, SETTINGS, GraphFolder, Settings
from kgbench_adapters.profiles import adjusted, guess, of_host, vocabulary
from kgbench_adapters.profiles.plain import BASE
from kgbench_adapters.schema import SchemaReader
from kgbench_adapters.sparql.cache import ReadCache, cache_file
from kgbench_adapters.sparql.endpoint import Endpoint
from kgbench_adapters.sparql.errors import EndpointMissing
from kgbench_adapters.sparql.iris import Nodes, ServerIris, iri_of
from kgbench_adapters.sparql.limits import limiter_of
from kgbench_adapters.sparql.naming import IriNaming, ListedNaming
from kgbench_adapters.sparql.reader import PAGE_ROWS, Reader
from kgbench_adapters.sparql.reads import Texts
from kgbench_adapters.sparql.schema import ServerSchema, with_mediators
from kgbench_adapters.sparql.transport import HttpTransport
from kgbench_adapters.terms import IriMap

if TYPE_CHECKING:
    from kgbench.contracts import Profile
    from kgbench_adapters.folder import RelationRow
    from kgbench_adapters.profiles import Vocabulary
    from kgbench_adapters.schema import MediatorRule, Schema
    from kgbench_adapters.sparql.address import Address
    from kgbench_adapters.sparql.naming import Naming
    from kgbench_adapters.sparql.options import Wire
    from kgbench_adapters.sparql.responses import Answer

_PARALLEL, _PARALLEL_PUBLIC = 8, 2
_PROBED_ROWS = PAGE_ROWS + 1
_SYSTEM = "http://www.openlinksw.com/"
"""Virtuoso's statements about itself stand in its default graph too."""
_GUESSED_FROM = 1000


@dataclass(frozen=True)
class OpenedServer:
    """An endpoint, and all that a reader of its graph must know."""

    endpoint: Endpoint
    reader: Reader
    texts: Texts
    nodes: Nodes
    vocabulary: Vocabulary
    schema: Schema
    naming: Naming
    rule: MediatorRule
    name: str
    fingerprint: str
    triples: int | None


def open_server(
    address: Address, asked: Profile | str | None, wire: Wire, described: str | Path | None
) -> OpenedServer:
    """Open the graph behind an endpoint.

    Args:
        address: where.
        asked: the profile, or None to have it guessed.
        wire: how it is asked.
        described: folder with ``relations.tsv`` or ``graph.toml``, for what the server does not say of its graph.

    Raises:
        EndpointMissing: there is no SPARQL endpoint at the address.
        UsageError: the profile is unknown, or the folder describes no graph.
        GraphError: the server failed, or cannot tell its schema in time.
    """
    settings, rows = _description(described)
    public = of_host(address.host)
    parallel = wire.parallel or (_PARALLEL_PUBLIC if public else _PARALLEL)
    transport = HttpTransport(address, wire.settings, wire.timing.clock)
    endpoint = Endpoint(address, transport, limiter_of(address.shown, parallel), wire.policy, wire.timing)
    reader = Reader(endpoint)
    probed = _probe(endpoint, reader)
    known = vocabulary(asked or settings.profile or public or _guess(probed))
    known = adjusted(known, settings.mediator_classes, settings.unlisted_are_mediators)
    triples = _size(endpoint) if known.labels_from_graph else None
    edition = "" if public else _edition(probed, triples)
    graph = (address.identity, repr(known.profile), edition)
    reader.use(ReadCache(wire.cache or cache_file(), wire.cache_mode, graph))
    iris = _iris(known, probed)
    texts = Texts(reader, known.languages)
    # Labels of relations and classes are read in all languages: so does the embedded engine, before it chooses.
    facts = ServerSchema(reader, Texts(reader, ()), known)
    told = SchemaReader(facts, iris, known, rows).read()
    return OpenedServer(
        endpoint=endpoint,
        reader=reader,
        texts=texts,
        nodes=Nodes(iris),
        vocabulary=known,
        schema=told,
        naming=_naming(known, told, iris, texts),
        rule=with_mediators(told, facts, known, iris),
        name=settings.name or address.host,
        fingerprint=_fingerprint(address, known, told, triples),
        triples=triples,
    )


def _naming(known: Vocabulary, schema: Schema, iris: IriMap, texts: Texts) -> Naming:
    if known.labels_from_graph:
        return ListedNaming(schema, iris)
    return IriNaming(known, iris, lambda nodes: texts.labels(nodes, known.names[0]))


def _fingerprint(address: Address, known: Vocabulary, schema: Schema, triples: int | None) -> str:
    """Hash of what identifies a remote graph: its content is not read."""
    content = [address.identity, known.profile.name, triples, schema.relation_labels, schema.domains, schema.inverses]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()


def _description(folder: str | Path | None) -> tuple[Settings, tuple[RelationRow, ...]]:
    """What ``graph.toml`` and ``relations.tsv`` of a folder say."""
    if folder is None:
        return Settings(), ()
    path = Path(folder).expanduser()
    names = {"relations": (RELATIONS, f"{RELATIONS}.gz"), "settings": (SETTINGS,)}
    files = {role: path / name for role, candidates in names.items() for name in candidates if (path / name).is_file()}
    if not files:
        raise UsageError(f'"{path}" describes no graph: neither {RELATIONS} nor {SETTINGS} is there')
    described = GraphFolder(path.name, files)
    report = ReadReport(strict=True)
    return described.settings(report), tuple(described.relations(report))


def _probe(endpoint: Endpoint, reader: Reader) -> Answer:
    """Ask for many rows: is there an endpoint, how many rows does it give, what does the graph look like?

    Raises:
        EndpointMissing: there is no endpoint.
    """
    try:
        return reader.probe(_PROBED_ROWS)
    except GraphError as error:
        if endpoint.answered:
            raise
        message = str(error)
    raise EndpointMissing(message)


def _subjects(probed: Answer) -> list[str]:
    iris = (iri_of(binding.get("s")) for binding in probed.bindings)
    return [iri for iri in iris if iri and not iri.startswith(_SYSTEM)]


def _guess(probed: Answer) -> str:
    subjects = _subjects(probed)[:_GUESSED_FROM]
    for name in ("wikidata", "dbpedia"):
        namespace = vocabulary(name).rdf.entity
        if sum(iri.startswith(namespace) for iri in subjects) > len(subjects) / 2:
            return name
    return guess(subjects)


def _iris(known: Vocabulary, probed: Answer) -> IriMap:
    """How ids stand in the graph: as kgbench itself writes a folder's, or as whoever made the graph did."""
    own = Counter(iri.startswith(BASE) for iri in _subjects(probed))
    if known.folder == known.rdf or (known.folder.entity.startswith(BASE) and own[True] > own[False]):
        return IriMap(known.folder)
    return ServerIris(known.rdf)


def _size(endpoint: Endpoint) -> int:
    """Number of statements, of a graph that can be listed."""
    answer = endpoint.ask(queries.size())
    counted = answer.bindings[0].get("n", {}).get("value", "") if answer.bindings else ""
    if answer.partial or not counted.isdecimal():
        raise GraphError(
            f"the graph cannot be counted within the time limit; {LARGER_TIME_LIMIT}, or with a profile that needs no list "
            "of its relations (freebase, wikidata, dbpedia)"
        )
    return int(counted)


def _edition(probed: Answer, triples: int | None) -> str:
    """What tells one content of a graph from the next, as far as a few rows and their number do; for the cache alone."""
    rows = sorted(json.dumps(binding, sort_keys=True) for binding in probed.bindings)
    return hashlib.sha256("\n".join([str(triples), *rows]).encode("utf-8", "surrogatepass")).hexdigest()
