"""A node with very many edges: rows read are bounded, memory is flat, the sample is always the same, the cut is told."""

from __future__ import annotations

import random
import tracemalloc
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest

from kgbench.types import Direction, Entity, Literal, Neighbours, Relation
from kgbench_adapters.oxigraph import reads
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter
from kgbench_adapters.oxigraph.nodes import Nodes
from kgbench_adapters.oxigraph.sample import first_terms
from kgbench_adapters.profiles import vocabulary
from kgbench_adapters.profiles.vocabulary import FULL_IRIS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    MakeFolder = Callable[..., Path]

SIZE = 200_000
LIMIT = 1_000
HUB, LINK = Entity("hub"), Relation("link", "link")
OTHERS = [f"other{number}" for number in range(7)]


class CountingStore:
    """A store that counts the rows that it gives."""

    def __init__(self, store: ox.Store) -> None:
        self._store = store
        self.rows = 0

    def quads_for_pattern(self, *pattern: Any) -> Iterator[ox.Quad]:
        return self._counted(self._store.quads_for_pattern(*pattern))

    def query(self, query: str, **options: Any) -> Iterator[object]:
        return self._counted(self._store.query(query, **options))  # type: ignore[arg-type]

    def _counted(self, rows: Iterable[Any]) -> Iterator[Any]:
        for row in rows:
            self.rows += 1
            yield row


def opened(folder: Path, **options: Any) -> OxigraphAdapter:
    return OxigraphAdapter.open(str(folder), replace(vocabulary("plain").profile, row_limit=LIMIT), **options)


def hub_rows(size: int) -> list[str]:
    return [f"n{number:06}\tlink\thub" for number in range(size)]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> OxigraphAdapter:
    folder = tmp_path_factory.mktemp("hub")
    rows = [*hub_rows(SIZE), *(f"hub\t{other}\tn000001" for other in OTHERS), "n000001\tback\thub"]
    (folder / "triples.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return opened(folder)


def counted(graph: OxigraphAdapter, read: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> tuple[Any, int]:
    """What a read gives, and how many rows of the store it took."""
    store = CountingStore(graph._reads._store)
    monkeypatch.setattr(graph._reads, "_store", store)
    return read(), store.rows


def test_relations_of_a_hub_take_no_more_rows_than_those_of_any_node(
    hub: OxigraphAdapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, rows = counted(hub, lambda: hub.relations([HUB], Direction.IN), monkeypatch)
    assert [relation.label for relation in found[HUB]] == ["back", "link"]
    assert rows <= reads._FEW_ROWS + 1 + len(OTHERS) + 2


def test_a_sample_is_one_pass_over_the_rows_of_the_hub(hub: OxigraphAdapter, monkeypatch: pytest.MonkeyPatch) -> None:
    found, rows = counted(hub, lambda: hub.neighbours([HUB], LINK, Direction.IN), monkeypatch)
    assert found == Neighbours(tuple((HUB, Entity(f"n{number:06}")) for number in range(LIMIT)), cut=True)
    assert rows <= LIMIT + 1 + SIZE


def test_of_more_rows_than_the_bound_no_more_are_read(hub: OxigraphAdapter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub._reads, "_scanned_rows", 30_000)
    found, rows = counted(hub, lambda: hub.neighbours([HUB], LINK, Direction.IN), monkeypatch)
    assert (len(found.pairs), found.cut) == (LIMIT, True)
    assert rows <= LIMIT + 1 + 30_000
    again, _ = counted(hub, lambda: hub.neighbours([HUB], LINK, Direction.IN), monkeypatch)
    assert again == found


def test_a_limit_above_the_bound_still_tells_of_a_cut(hub: OxigraphAdapter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub._reads, "_scanned_rows", 10)
    found = hub.neighbours([HUB], LINK, Direction.IN)
    assert (len(found.pairs), found.cut) == (LIMIT, True)


def test_nodes_behind_the_cut_are_not_read(hub: OxigraphAdapter, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = [Entity("zulu"), HUB, Entity("alpha"), HUB]
    found, rows = counted(hub, lambda: hub.neighbours(batch, LINK, Direction.IN, 5), monkeypatch)
    assert found == Neighbours(tuple((HUB, Entity(f"n{number:06}")) for number in range(5)), cut=True)
    assert rows <= 6 + SIZE


def test_the_sample_does_not_depend_on_the_order_of_the_rows_or_on_where_they_stand(
    graph_folder: MakeFolder, tmp_path: Path
) -> None:
    in_order = [*hub_rows(5_000), *(f'hub\tnote\t"{number:05}"' for number in range(5_000))]
    disorder = random.Random(3).sample(in_order, len(in_order))  # noqa: S311 - a repeatable disorder
    graphs = [opened(graph_folder(triples=rows)) for rows in (in_order, in_order[::-1], disorder)]
    graphs.append(opened(graph_folder(triples=disorder), store=str(tmp_path / "store")))
    for relation, direction in ((LINK, Direction.IN), (Relation("note", "note"), Direction.OUT)):
        first, *others = (graph.neighbours([HUB], relation, direction, 300) for graph in graphs)
        assert (len(first.pairs), first.cut) == (300, True)
        assert all(other == first for other in others)


def test_a_hub_without_an_iri_and_one_in_several_named_graphs(tmp_path: Path) -> None:
    blank = tmp_path / "blank.nt"
    blank.write_text("".join(f"_:hub <http://e.org/r> <http://e.org/n{n:04}> .\n" for n in range(1_500)))
    graph = opened(blank)
    ((node,),) = set(graph.select("SELECT DISTINCT ?s { ?s ?p ?o }"))
    assert isinstance(node, Entity)
    found = graph.neighbours([node], Relation("http://e.org/r", "r"), Direction.OUT)
    assert (len(found.pairs), found.cut, found.pairs[0][1]) == (LIMIT, True, Entity("http://e.org/n0000"))
    store = ox.Store(str(tmp_path / "store"))
    hub, link = ox.NamedNode("http://e.org/hub"), ox.NamedNode("http://e.org/r")
    store.extend(
        ox.Quad(hub, link, ox.NamedNode(f"http://e.org/n{n:04}"), ox.NamedNode(f"http://e.org/g{g}"))
        for n in range(LIMIT)
        for g in range(2)
    )
    store.flush()
    del store
    twice = opened(tmp_path / "store").neighbours([Entity(hub.value)], Relation(link.value, "r"), Direction.OUT)
    assert (len(twice.pairs), twice.cut) == (LIMIT, False), "each fact stands in two graphs, and is one"


# --- The sample --------------------------------------------------------------------------------------------------------


def iri(number: int) -> ox.NamedNode:
    return ox.NamedNode(f"http://e.org/{number:06}")


def test_entities_come_before_literals_whatever_comes_first() -> None:
    values: list[object] = [
        ox.Literal("b"),
        ox.Literal("a"),
        iri(2),
        ox.BlankNode("x"),
        iri(1),
        ox.Literal("a"),
        iri(1),
    ]
    entities = [Entity("_:x"), Entity("http://e.org/000001"), Entity("http://e.org/000002")]
    everything = [*entities, Literal("a"), Literal("b")]
    for most in range(7):
        assert first_terms(values, most, Nodes(FULL_IRIS)) == (everything[:most], most < 5)
    assert Nodes(FULL_IRIS).terms(values) == everything
    assert first_terms([], 3, Nodes(FULL_IRIS)) == ([], False)


@pytest.mark.parametrize("chunk", [1, 2, 7, 1000])
def test_chunks_change_nothing(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgbench_adapters.oxigraph.sample._CHUNK", chunk)
    draw = random.Random(chunk)  # noqa: S311 - a repeatable disorder
    values: list[object] = [iri(draw.randrange(40)) for _ in range(60)]
    values += [ox.Literal(str(draw.randrange(40))) for _ in range(60)]
    draw.shuffle(values)
    everything = Nodes(FULL_IRIS).terms(values)
    for most in (0, 1, 5, len(everything) - 1, len(everything), len(everything) + 1):
        assert first_terms(values, most, Nodes(FULL_IRIS)) == (everything[:most], most < len(everything))


def test_memory_does_not_grow_with_the_rows() -> None:
    def peak(size: int) -> int:
        values = (iri(number) for number in reversed(range(size)))  # each comes before all that were kept
        tracemalloc.start()
        first_terms(values, LIMIT, Nodes(FULL_IRIS))
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    small, large = peak(1 << 16), peak(4 << 16)
    assert large < 1.5 * small


def test_a_store_on_disk_walks_fewer_rows_since_each_takes_longer(graph_folder: MakeFolder, tmp_path: Path) -> None:
    folder = graph_folder(triples=hub_rows(3))
    in_memory, on_disk = opened(folder), opened(folder, store=str(tmp_path / "store"))
    assert in_memory._reads._scanned_rows == reads.SCANNED_IN_MEMORY
    assert on_disk._reads._scanned_rows == reads.SCANNED_ON_DISK < reads.SCANNED_IN_MEMORY
