"""Stores on disk: built, opened again, and made by others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from kgbench.errors import DataError, UsageError
from kgbench.types import Direction, Entity, Relation
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter
from kgbench_adapters.oxigraph.storage import SIDECAR

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    MakeFolder = Callable[..., Path]

NS = "http://river.example/"

TABLES = {
    "triples": ["a b\tr\tc", "a b\thttp://x.example/r\t_:m1", "_:m1\tq\tc", 'c\tyear\t"1954"^^xsd:gYear'],
    "entities": ["a b\tAnn\tAnnie", "c\t"],
    "types": ["c\tt1|t2"],
    "relations": ["relation\tinverse\tdomain\trange", "r\tr_back\tt1\tt2"],
}
TOML = 'name = "small"\nmediator_classes = ["t2"]\n'


def answers(graph: OxigraphAdapter) -> object:
    nodes = [Entity(node) for node in ("a b", "c", "_:m1", "nowhere")]
    found = {direction: graph.relations(nodes, direction) for direction in Direction}
    every = sorted({(r.id, r.label) for by in found.values() for rs in by.values() for r in rs})
    reached = [graph.neighbours(nodes, Relation(*r), direction) for r in every for direction in Direction]
    return found, reached, graph.names(nodes), graph.types(nodes), list(graph.all_names()), graph.card


def test_a_store_built_and_reopened_gives_the_same_answers(graph_folder: MakeFolder, tmp_path: Path) -> None:
    folder, path = graph_folder(**TABLES, toml=TOML), tmp_path / "deep" / "store"
    in_memory = answers(OxigraphAdapter.open(str(folder)))
    assert answers(OxigraphAdapter.open(str(folder), store=str(path))) == in_memory
    assert answers(OxigraphAdapter.open(str(path))) == in_memory
    assert answers(OxigraphAdapter.open(str(path), "plain")) == in_memory
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["store"]
    (tmp_path / "empty").mkdir()
    assert answers(OxigraphAdapter.open(str(folder), store=str(tmp_path / "empty"))) == in_memory


def test_the_store_of_an_rdf_file_keeps_blank_nodes(tmp_path: Path) -> None:
    file, path = tmp_path / "g.ttl", tmp_path / "store"
    file.write_text(f"<{NS}a> <{NS}r> [ <{NS}q> <{NS}b> ] .")
    a, relation = Entity(f"{NS}a"), Relation(f"{NS}r", "")
    (pair,) = OxigraphAdapter.open(str(file)).neighbours([a], relation, Direction.OUT).pairs
    OxigraphAdapter.open(str(file), store=str(path))
    assert OxigraphAdapter.open(str(path)).neighbours([a], relation, Direction.OUT).pairs == (pair,)


def test_a_store_that_is_there_is_used_for_the_same_files_and_refused_for_others(
    graph_folder: MakeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, path = graph_folder(**TABLES), tmp_path / "store"
    first = OxigraphAdapter.open(str(folder), store=str(path)).card
    other = graph_folder(triples=["x\tr\ty"])
    with pytest.raises(UsageError, match="is there already and is no store of this graph"):
        OxigraphAdapter.open(str(other), store=str(path))
    monkeypatch.setattr("kgbench_adapters.oxigraph.storage.build_store", lambda *_: pytest.fail("built again"))
    assert OxigraphAdapter.open(str(folder), store=str(path)).card == first


def test_a_path_that_holds_something_else_is_left_alone(graph_folder: MakeFolder, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    with pytest.raises(UsageError, match="is there already"):
        OxigraphAdapter.open(str(graph_folder(**TABLES)), store=str(tmp_path / "mine"))
    assert (tmp_path / "mine" / "notes.txt").read_text() == "keep"


def test_a_failed_build_leaves_nothing_behind(graph_folder: MakeFolder, tmp_path: Path) -> None:
    folder = graph_folder(triples=["a\tr\tb", "bad"])
    with pytest.raises(DataError, match="line 2"):
        OxigraphAdapter.open(str(folder), store=str(tmp_path / "out" / "store"), strict=True)
    assert list((tmp_path / "out").iterdir()) == []


def test_a_store_keeps_its_profile(graph_folder: MakeFolder, tmp_path: Path) -> None:
    path = tmp_path / "store"
    OxigraphAdapter.open(str(graph_folder(triples=["m.01\ta.b.c\tm.02"], entities=["m.01\tA"])), store=str(path))
    graph = OxigraphAdapter.open(str(path))
    assert graph.card.profile.name == "freebase"
    assert graph.types([Entity("m.02")])[Entity("m.02")].mediator
    own = replace(graph.card.profile, unlisted_are_mediators=False)
    assert not OxigraphAdapter.open(str(path), own).types([Entity("m.02")])[Entity("m.02")].mediator
    with pytest.raises(UsageError, match='built with the profile "freebase" and cannot be read as "plain"'):
        OxigraphAdapter.open(str(path), "plain")
    with pytest.raises(UsageError, match="is a store already"):
        OxigraphAdapter.open(str(path), store=str(tmp_path / "other"))


def test_a_damaged_sidecar_is_named(graph_folder: MakeFolder, tmp_path: Path) -> None:
    path = tmp_path / "store"
    OxigraphAdapter.open(str(graph_folder(**TABLES)), store=str(path))
    for content in ("{", "{}", '{"version": 99}', '{"version": 1}', "[]"):
        (path / SIDECAR).write_text(content)
        with pytest.raises(DataError, match="damaged or of another version"):
            OxigraphAdapter.open(str(path))


def test_a_damaged_store_is_named(tmp_path: Path) -> None:
    (tmp_path / "CURRENT").write_text("MANIFEST-000042\n")
    with pytest.raises(DataError, match="cannot be opened"):
        OxigraphAdapter.open(str(tmp_path))


def foreign_store(path: Path) -> None:
    store = ox.Store(path)
    node = {name: ox.NamedNode(NS + name) for name in ("a", "b", "r", "g")}
    store.add(ox.Quad(node["a"], node["r"], ox.BlankNode("x1"), node["g"]))
    store.add(ox.Quad(ox.BlankNode("x1"), node["r"], node["b"]))
    store.add(ox.Quad(node["a"], ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label"), ox.Literal("Ann")))
    store.flush()


def test_a_store_made_by_others_opens_and_two_may_read_it(tmp_path: Path) -> None:
    foreign_store(tmp_path / "theirs")
    before = sorted(entry.name for entry in (tmp_path / "theirs").iterdir())
    first, second = (OxigraphAdapter.open(str(tmp_path / "theirs")) for _ in range(2))
    a, relation = Entity(f"{NS}a"), Relation(f"{NS}r", "r")
    for graph in (first, second):
        assert graph.relations([a], Direction.OUT) == {a: (relation,)}
        assert graph.neighbours([a], relation, Direction.OUT).pairs == ((a, Entity("_:x1")),)
        assert graph.neighbours([Entity("_:x1")], relation, Direction.OUT).pairs[0][1] == Entity(f"{NS}b")
        assert graph.names([a])[a].name == "Ann"
        assert graph.types([Entity("_:x1")])[Entity("_:x1")].mediator
        assert graph.card.triples == 3
    assert first.card.fingerprint == second.card.fingerprint
    assert sorted(entry.name for entry in (tmp_path / "theirs").iterdir()) == before
