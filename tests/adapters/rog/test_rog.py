"""Subgraphs of RoG's releases: a graph for each question, built when it is asked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from rog_files import GRAPH, ROWS, write_release, write_rows

from kgbench.errors import DataError, GraphError, MissingExtra, PrerequisiteMissing, UsageError
from kgbench.types import Direction, Entity, Relation
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter
from kgbench_adapters.rog.adapter import RogAdapter

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.contracts import KnowledgeGraph

pytest.importorskip("datasets", reason='the extra "hub" is not installed: pip install "kgbench[hub]"')

VELMORA, REIGN = Entity("Velmora"), Entity("m.0cvt1")


@pytest.fixture
def graphs(tmp_path: Path) -> RogAdapter:
    return RogAdapter.open(f"rog:{write_release(tmp_path) / 'data' / 'test-*.parquet'}")


@pytest.fixture
def graph(graphs: RogAdapter) -> KnowledgeGraph:
    return graphs.graph_for("WebQTest-9001")


def test_a_location_is_known_by_its_scheme() -> None:
    assert RogAdapter.accepts("rog:x")
    assert not RogAdapter.accepts("/data/rog")


def test_each_question_has_its_own_graph(graphs: RogAdapter) -> None:
    assert graphs.graph_for("WebQTest-9001").card.triples == len(GRAPH)
    assert graphs.graph_for("WebQTest-9003").card.triples == 0
    with pytest.raises(GraphError, match="no graph for this question"):
        graphs.graph_for("WebQTest-1")


def test_relations_and_neighbours(graph: KnowledgeGraph) -> None:
    found = graph.relations([VELMORA], Direction.OUT)[VELMORA]
    assert [relation.label for relation in found] == ["location.harbours", "location.ruler"]
    assert graph.neighbours([VELMORA], found[0], Direction.OUT).pairs == ((VELMORA, Entity("Port Zell")),)
    back = graph.relations([Entity("1931-05-06")], Direction.IN)[Entity("1931-05-06")]
    assert back == (Relation("reign.from", "reign.from"),)  # a literal is a node like any other


def test_ids_are_names_and_what_looks_like_a_mid_is_a_mediator(graph: KnowledgeGraph) -> None:
    names, kinds = graph.names([VELMORA, REIGN]), graph.types([VELMORA, REIGN])
    assert (names[VELMORA].name, names[REIGN].name) == ("Velmora", None)
    assert (kinds[VELMORA].mediator, kinds[REIGN].mediator) == (False, True)


def test_odd_names_are_nodes(tmp_path: Path) -> None:
    odd = ["A -> B | c", 'He said "x\ny"', "_:b", "http://example.org/x y", "Zoë", "m.Not A Mid"]
    rows = [{**ROWS[0], "graph": [[name, "r", "Port Zell"] for name in odd]}]
    graph = RogAdapter.open(f"rog:{write_rows(tmp_path / 'x.parquet', rows)}").graph_for("WebQTest-9001")
    found = graph.neighbours([Entity("Port Zell")], Relation("r", "r"), Direction.IN).pairs
    kept = {term.id for _, term in found if isinstance(term, Entity)}
    assert kept == set(odd) - {"_:b"}  # no store holds a named node of this form
    assert {names.name for names in graph.names([Entity(name) for name in kept]).values()} == kept
    assert any("left out 1 triples" in note for note in graph.card.notes)


def test_an_empty_graph_is_a_graph(graphs: RogAdapter) -> None:
    graph = graphs.graph_for("WebQTest-9003")
    assert graph.relations([VELMORA], Direction.OUT) == {VELMORA: ()}
    assert graph.names([VELMORA])[VELMORA].name is None


def test_triples_with_an_empty_part_are_left_out_and_told(graphs: RogAdapter) -> None:
    card = graphs.graph_for("WebQTest-9002").card
    assert card.triples == len(GRAPH)
    assert "left out 1 triples with an empty or impossible part" in card.notes


def test_ids_are_words_so_source_ids_stay_refused(graphs: RogAdapter) -> None:
    assert not graphs.card.profile.opaque_ids
    assert graphs.card.profile.name == "rog"
    with pytest.raises(UsageError, match="leave out --kg-profile"):
        RogAdapter.open("rog:x", "freebase")


def test_fingerprint_follows_content(tmp_path: Path) -> None:
    def opened(folder: str, rows: list[dict[str, object]]) -> str:
        return RogAdapter.open(f"rog:{write_rows(tmp_path / folder / 'x.parquet', rows)}").card.fingerprint

    assert opened("a", ROWS) == opened("b", ROWS) != opened("c", ROWS[:2])


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.parquet", ROWS)
    RogAdapter.open(f"rog:{path}").graph_for("WebQTest-9001")
    write_rows(path, [{**ROWS[0], "graph": GRAPH[:1]}])
    assert RogAdapter.open(f"rog:{path}").graph_for("WebQTest-9001").card.triples == 1


def test_rows_are_not_held_in_memory(graphs: RogAdapter) -> None:
    """The table is a file mapped into memory, so that a release of thousands of graphs can be opened."""
    assert graphs._rows._table.cache_files  # type: ignore[attr-defined]


def test_queries_are_answered(graph: KnowledgeGraph) -> None:
    rows = graph.select("SELECT ?o WHERE { ?s <https://kgbench.invalid/relation/location.harbours> ?o }")
    assert rows == ((Entity("Port Zell"),),)


def test_what_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PrerequisiteMissing, match="there is no parquet file"):
        RogAdapter.open(f"rog:{tmp_path / 'test-*.parquet'}")
    path = tmp_path / "x.parquet"
    path.write_bytes(b"no parquet")
    with pytest.raises(DataError, match=r"x\.parquet: not readable as parquet"):
        RogAdapter.open(f"rog:{path}")
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"id": ["a"]}), path)
    with pytest.raises(DataError, match="with the columns id and graph"):
        RogAdapter.open(f"rog:{path}")
    parquet.write_table(pyarrow.table({"id": ["a"], "graph": [["b"]]}), path)
    with pytest.raises(GraphError, match=r"row 1 .* no list of \[head, relation, tail\]"):
        RogAdapter.open(f"rog:{path}").graph_for("a")
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtra, match='needs the extra "hub"'):
        RogAdapter.open(f"rog:{path}")


def test_the_time_limit_of_the_environment_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGBENCH_KG_TIMEOUT", "7")
    location = f"rog:{write_release(tmp_path) / 'data' / 'test-*.parquet'}"
    for adapter, seconds in ((RogAdapter.open(location), 7.0), (RogAdapter.open(location, timeout=3.0), 3.0)):
        graph = adapter.graph_for("WebQTest-9001")
        assert isinstance(graph, OxigraphAdapter)
        assert graph._timeout == seconds
