"""What :mod:`graph` measures, each in a process of its own: loading, reading, and the same reads without the adapter."""

from __future__ import annotations

import hashlib
import json
import random
import time
import urllib.parse
import urllib.request
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
from graph_files import COMMON_RELATION, HUB, HUB_RELATION, NAMESPACE

from kgbench.types import Direction, Entity, Relation
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter
from kgbench_adapters.sparql.adapter import SparqlAdapter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.contracts import KnowledgeGraph

    Edge = tuple[str, str]
    """(node, relation): one read of neighbours."""

_BEST_CONNECTED = 100


@dataclass(frozen=True)
class Cost:
    """What opening a graph, or one read of a hub, took."""

    what: str
    seconds: float
    cpu_seconds: float
    """Of this process, all threads."""
    megabytes: float
    """By which the resident memory of the process grew at most."""
    note: str = ""


@dataclass(frozen=True)
class Speed:
    """Reads beside the same reads without the adapter."""

    what: str
    reads: int
    rows: int
    seconds: float
    raw_seconds: float

    @property
    def ratio(self) -> float:
        """How much longer the adapter takes."""
        return self.seconds / self.raw_seconds


class Meter:
    """Time, and growth of this process's resident memory, peaks included (on Linux; not a number elsewhere)."""

    def __init__(self) -> None:
        try:
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forgets the peak so far
        except OSError:
            pass
        self._memory = self._status("VmRSS")
        self._began, self._cpu_began = time.perf_counter(), time.process_time()

    def cost(self, what: str, note: str = "") -> Cost:
        """What was used since the meter was made."""
        seconds, cpu_seconds = time.perf_counter() - self._began, time.process_time() - self._cpu_began
        return Cost(what, seconds, cpu_seconds, self._status("VmHWM") - self._memory, note)

    @staticmethod
    def _status(field: str) -> float:
        try:
            lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        except OSError:
            return float("nan")
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))


def embedded(folder: Path, store: Path | None, reads: int, rounds: int) -> tuple[Cost, list[Speed]]:
    """Open a graph, in memory or as a store on disk that is built where it is absent, and read of it."""
    where = "in memory" if store is None else "on disk"
    what = f"load, {where}" if store is None or not store.exists() else "reopen, on disk"
    meter = Meter()
    graph = OxigraphAdapter.open(str(folder), "freebase", store=None if store is None else str(store))
    opened = meter.cost(what)
    nodes, edges, hubs = _sample(graph, folder, reads)
    raw = RawStore(graph._reads._store)
    clock = time.thread_time  # other work on the machine does not count
    speeds = [
        compare(f"relations, {where}", Relations(graph), raw.relations, nodes, rounds, clock),
        compare(f"neighbours, {where}", NeighboursOf(graph), raw.neighbours, edges, rounds, clock),
        compare(f"neighbours, {where}, large", NeighboursOf(graph), raw.neighbours, hubs, rounds, clock),
    ]
    return opened, speeds


def over_http(folder: Path, url: str, reads: int, rounds: int) -> tuple[Cost, list[Speed]]:
    """Open the graph of a server and read of it."""
    meter = Meter()
    graph = SparqlAdapter.open(url, "freebase", cache_mode="off")
    opened = meter.cost("open, over HTTP")
    nodes, edges, _ = _sample(graph, folder, reads)
    raw, batch = RawServer(url), 100
    batches = [nodes[start : start + batch] for start in range(0, len(nodes), batch)]
    clock = time.perf_counter
    speeds = [
        compare("relations, over HTTP", Relations(graph), raw.relations, nodes, rounds, clock),
        compare("neighbours, over HTTP", NeighboursOf(graph), raw.neighbours, edges, rounds, clock),
        compare(f"relations, over HTTP, {batch} nodes", RelationsOfMany(graph), raw.batch, batches, rounds, clock),
    ]
    return opened, speeds


def hub_embedded(folder: Path, store: Path | None) -> tuple[Cost, Cost]:
    """Read a hub's relations and its neighbours."""
    graph = OxigraphAdapter.open(str(folder), "freebase", store=None if store is None else str(store))
    return hub_reads(graph, "in memory" if store is None else "on disk")


def hub_over_http(url: str) -> tuple[Cost, Cost]:
    """Likewise of a server."""
    return hub_reads(SparqlAdapter.open(url, "freebase", cache_mode="off"), "over HTTP")


def hub_reads(graph: KnowledgeGraph, where: str) -> tuple[Cost, Cost]:
    """Relations and neighbours of the hub, each read once."""
    meter = Meter()
    relations = graph.relations([Entity(HUB)], Direction.IN)[Entity(HUB)]
    first = meter.cost(f"relations of the hub, {where}", f"{len(relations)} relations")
    meter = Meter()
    found = graph.neighbours([Entity(HUB)], Relation(HUB_RELATION, HUB_RELATION), Direction.IN)
    second = meter.cost(f"neighbours of the hub, {where}")
    ids = "\n".join(term.id for _, term in found.pairs if isinstance(term, Entity))
    digest = hashlib.sha256(ids.encode()).hexdigest()[:8]
    return first, replace(second, note=f"{len(found.pairs)} rows, cut {found.cut}, sample {digest}")


def compare(
    what: str,
    read: Callable[[Any], Sequence[str]],
    raw: Callable[[Any], Sequence[str]],
    items: Sequence[Any],
    rounds: int,
    clock: Callable[[], float],
) -> Speed:
    """Time reads with and without the adapter in turn, the best of some rounds each; both must give the same."""
    assert all(list(read(item)) == list(raw(item)) for item in items), f"{what}: not the same answers"
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for place, function in enumerate((read, raw)):
            began = clock()
            for item in items:
                function(item)
            best[place] = min(best[place], clock() - began)
    return Speed(what, len(items), sum(len(raw(item)) for item in items), *best)


def _sample(graph: KnowledgeGraph, folder: Path, reads: int) -> tuple[list[str], list[Edge], list[Edge]]:
    """Nodes, edges of these, and the largest edges there are: the commonest relation of the best connected nodes."""
    with (folder / "entities.tsv").open(encoding="utf-8") as file:
        listed = [line.split("\t", 1)[0] for line in file]
    nodes = random.Random(3).sample(listed, min(reads, len(listed)))  # noqa: S311 - a repeatable sample

    def edges(some: list[str]) -> list[Edge]:
        found = graph.relations([Entity(node) for node in some], Direction.OUT)
        return [(entity.id, relation.id) for entity, relations in found.items() for relation in relations]

    return nodes, edges(nodes)[:reads], [(node, COMMON_RELATION) for node in listed[:_BEST_CONNECTED]]


# --- By the adapter ------------------------------------------------------------------------------------------------------


@dataclass
class Relations:
    """Labels of one node's relations."""

    graph: KnowledgeGraph

    def __call__(self, node: str) -> list[str]:
        """Read them."""
        entity = Entity(node)
        return [relation.id for relation in self.graph.relations((entity,), Direction.OUT)[entity]]


@dataclass
class RelationsOfMany:
    """Labels of the relations of many nodes at once."""

    graph: KnowledgeGraph

    def __call__(self, nodes: list[str]) -> list[str]:
        """Read them; each node's relations in order of the nodes."""
        found = self.graph.relations([Entity(node) for node in nodes], Direction.OUT)
        return [relation.id for relations in found.values() for relation in relations]


@dataclass
class NeighboursOf:
    """Ids that a node reaches along a relation."""

    graph: KnowledgeGraph

    def __call__(self, edge: Edge) -> list[str]:
        """Read them."""
        found = self.graph.neighbours((Entity(edge[0]),), Relation(edge[1], edge[1]), Direction.OUT)
        return [term.id for _, term in found.pairs if isinstance(term, Entity)]


# --- Without it ----------------------------------------------------------------------------------------------------------


@dataclass
class RawStore:
    """The shortest loop over ``quads_for_pattern`` that gives the same answers: distinct ids, sorted."""

    store: ox.Store

    def relations(self, node: str) -> list[str]:
        """Relations of a node."""
        quads = self.store.quads_for_pattern(ox.NamedNode(NAMESPACE + node), None, None, None)
        found = {quad.predicate.value for quad in quads if quad.predicate.value.startswith(NAMESPACE)}
        return sorted(iri.removeprefix(NAMESPACE) for iri in found)

    def neighbours(self, edge: Edge) -> list[str]:
        """What a node reaches."""
        node, relation = (ox.NamedNode(NAMESPACE + part) for part in edge)
        quads = self.store.quads_for_pattern(node, relation, None, None)
        return sorted({quad.object.value.removeprefix(NAMESPACE) for quad in quads})


@dataclass
class RawServer:
    """The shortest request that gives the same answers."""

    url: str

    def relations(self, node: str) -> list[str]:
        """Relations of a node."""
        rows = self._rows(f"SELECT DISTINCT ?p {{ <{NAMESPACE}{node}> ?p ?o }}")
        return self._relations(row["p"]["value"] for row in rows)

    def neighbours(self, edge: Edge) -> list[str]:
        """What a node reaches."""
        rows = self._rows(f"SELECT DISTINCT ?o {{ <{NAMESPACE}{edge[0]}> <{NAMESPACE}{edge[1]}> ?o }}")
        return sorted(row["o"]["value"].removeprefix(NAMESPACE) for row in rows)

    def batch(self, nodes: list[str]) -> list[str]:
        """Relations of many nodes."""
        listed = " ".join(f"<{NAMESPACE}{node}>" for node in nodes)
        found: dict[str, set[str]] = {node: set() for node in nodes}
        for row in self._rows(f"SELECT DISTINCT ?s ?p {{ VALUES ?s {{ {listed} }} ?s ?p ?o }}"):
            found[row["s"]["value"].removeprefix(NAMESPACE)].add(row["p"]["value"])
        return [relation for predicates in found.values() for relation in self._relations(predicates)]

    @staticmethod
    def _relations(predicates: Any) -> list[str]:
        return sorted(iri.removeprefix(NAMESPACE) for iri in predicates if iri.startswith(NAMESPACE))

    def _rows(self, query: str) -> list[Any]:
        body = urllib.parse.urlencode({"query": query}).encode()
        request = urllib.request.Request(self.url, body, {"Accept": "application/sparql-results+json"})  # noqa: S310
        with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 - the loopback
            rows: list[Any] = json.load(response)["results"]["bindings"]
            return rows
