"""Real servers give what the embedded engine gives: oxigraph's own, and Virtuoso 7."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox
import pytest

from kgbench.data import demo
from kgbench.errors import GraphError
from kgbench.run.plan import Given, make_plan
from kgbench.run.runner import start
from kgbench.seam.pseudonyms import MasterKey
from kgbench.spec import RunSpec
from kgbench.types import Direction, Entity, JoinedRelation, Literal, Neighbours, Relation
from kgbench_adapters.files import ReadReport
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter
from kgbench_adapters.oxigraph.opening import open_location
from kgbench_adapters.sparql.adapter import SparqlAdapter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.contracts import KnowledgeGraph

    Serve = Callable[[Path], str]
    Pairs = set[tuple[Entity, Entity | Literal]]

DEMO = Path(demo.__file__).parent / "files"
SERVERS = ("oxigraph", "virtuoso")
HUB = Entity("m.09c7w0")
HUB_OF_FILE, LINK = Entity("http://ex.org/hub"), Relation("http://ex.org/p", "p")


@pytest.fixture(scope="session", params=SERVERS)
def serve_file(request: pytest.FixtureRequest) -> Serve:
    """Serves an N-Triples file by each real server in turn."""
    found: Serve = request.getfixturevalue(f"{request.param}_server")
    return found


class Dump(NamedTuple):
    """A graph in the embedded engine, and as N-Triples for the others."""

    embedded: OxigraphAdapter
    path: Path
    entities: list[Entity]


def nodes_of(graph: OxigraphAdapter) -> list[Entity]:
    nodes = {term for row in graph.select("SELECT DISTINCT ?s { ?s ?p ?o }") for term in row}
    return sorted((node for node in nodes if isinstance(node, Entity)), key=lambda entity: entity.id)


@pytest.fixture(scope="session")
def freebase(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Dump:
    """All that Freebase says of 500 entities and of a hub; loading the rest would take longer than all tests."""
    opened = open_location(str(real_data / "fbmini"), None, None, ReadReport())
    embedded = OxigraphAdapter(opened, 60.0)
    listed = [entity for entity, _ in embedded.all_names()]
    sample = random.Random(1).sample(listed, 500)  # noqa: S311 - a repeatable sample
    triples: set[ox.Triple] = set()
    for entity in [*sample, HUB]:
        node = ox.NamedNode(f"http://rdf.freebase.com/ns/{entity.id}")
        for pattern in ((node, None, None), (None, None, node)):
            triples.update(quad.triple for quad in opened.store.quads_for_pattern(*pattern))
    path = tmp_path_factory.mktemp("dumps") / "freebase.nt"
    ox.serialize(sorted(triples, key=str), str(path), format=ox.RdfFormat.N_TRIPLES)
    return Dump(embedded, path, sample)


@pytest.fixture(scope="session")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Dump:
    """The whole demo graph."""
    opened = open_location(str(DEMO), None, None, ReadReport())
    path = tmp_path_factory.mktemp("dumps") / "demo.nt"
    opened.store.dump(str(path), format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
    embedded = OxigraphAdapter(opened, 60.0)
    return Dump(embedded, path, nodes_of(embedded))


def edges(graph: KnowledgeGraph, entities: Sequence[Entity], direction: Direction) -> dict[Relation, Neighbours]:
    """Neighbours along every relation that some of the entities have."""
    by_relation: dict[Relation, list[Entity]] = defaultdict(list)
    for entity, relations in graph.relations(entities, direction).items():
        for relation in relations:
            by_relation[relation].append(entity)
    return {relation: graph.neighbours(starts, relation, direction) for relation, starts in by_relation.items()}


def assert_equal_reads(remote: KnowledgeGraph, embedded: KnowledgeGraph, entities: Sequence[Entity]) -> int:
    """Compare every kind of read and return how many neighbours were compared."""
    assert remote.names(entities) == embedded.names(entities)
    assert remote.types(entities) == embedded.types(entities)
    pairs = 0
    for direction in Direction:
        assert remote.relations(entities, direction) == embedded.relations(entities, direction)
        wanted = edges(embedded, entities, direction)
        assert edges(remote, entities, direction) == wanted
        assert not any(found.cut for found in wanted.values())
        pairs += sum(len(found.pairs) for found in wanted.values())
    return pairs


def test_five_hundred_entities_of_freebase(serve_file: Serve, freebase: Dump) -> None:
    embedded = freebase.embedded
    remote = SparqlAdapter.open(serve_file(freebase.path), cache_mode="off")
    assert remote.card.profile.name == "freebase"
    assert assert_equal_reads(remote, embedded, freebase.entities) > 10_000
    nationality = Relation("people.person.nationality", "people.person.nationality")
    for limit in (None, 3070, 100):
        found = remote.neighbours([HUB], nationality, Direction.IN, limit)
        assert found == embedded.neighbours([HUB], nationality, Direction.IN, limit)


def test_the_whole_demo_graph(serve_file: Serve, hospital: Dump) -> None:
    embedded, entities = hospital.embedded, hospital.entities
    remote = SparqlAdapter.open(serve_file(hospital.path), cache_mode="off", schema=DEMO)
    assert replace(remote.card, fingerprint="", triples=None) == replace(embedded.card, fingerprint="", triples=None)
    # Names and types stand in the server as triples too.
    assert (remote.card.triples or 0) > (embedded.card.triples or 0)
    assert len(entities) > 900
    assert assert_equal_reads(remote, embedded, entities) > 4_000
    assert joined(remote, entities) == joined(embedded, entities)


def joined(graph: KnowledgeGraph, entities: Sequence[Entity]) -> dict[str, Pairs]:
    """Label of each joined relation -> the pairs that it joins."""
    mediators = [entity for entity, kind in graph.types(entities).items() if kind.mediator]
    assert mediators
    ends: dict[tuple[Relation, Direction], dict[Entity, set[Entity | Literal]]] = {}
    for direction in Direction:
        for relation, found in edges(graph, mediators, direction).items():
            for mediator, term in found.pairs:
                ends.setdefault((relation, direction), {}).setdefault(mediator, set()).add(term)
    pairs: dict[str, Pairs] = {}
    for (first, first_way), near in ends.items():
        for (second, second_way), far in ends.items():
            relation = JoinedRelation(first, first_way.reverse, second, second_way)
            for mediator in near.keys() & far.keys():
                starts = (term for term in near[mediator] if isinstance(term, Entity))
                found = {(start, end) for start in starts for end in far[mediator] if end != start}
                pairs.setdefault(f"{relation.id} {relation.label}", set()).update(found)
    assert sum(map(len, pairs.values())) > 1_000
    return pairs


def test_the_same_arog_run_to_the_byte(serve_file: Serve, hospital: Dump, tmp_path: Path) -> None:
    """The same recorded replies over both graphs: the same prompts, reads and answers."""
    remote = SparqlAdapter.open(serve_file(hospital.path), "plain", cache_mode="off", schema=DEMO)
    recorded = arog_run(hospital.embedded, "builtin/reader", tmp_path / "recorded")
    runs = [
        arog_run(graph, f"replay:{recorded}", tmp_path / name)
        for name, graph in (("embedded", hospital.embedded), ("remote", remote))
    ]
    for file in ("records.jsonl", "calls.jsonl"):
        first, second = (lines_of(run / file) for run in runs)
        assert len(first) >= 8
        assert first == second


def arog_run(graph: KnowledgeGraph, model: str, out: Path) -> Path:
    """Run ARoG over some of the demo's questions and return the run's folder."""
    spec = RunSpec(method="arog", model=model, limit=8, jobs=2, cache="off", out=str(out))
    start(make_plan(spec, Given(graph=graph, key=MasterKey(bytes(range(32))))))
    (folder,) = out.iterdir()
    return folder


def lines_of(path: Path) -> list[str]:
    """Lines of a file without what a clock wrote, in an order that does not depend on threads."""
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    timeless = ({key: value for key, value in line.items() if "seconds" not in key} for line in lines)
    return sorted(json.dumps(line) for line in timeless)


ODD = r"""
<http://ex.org/a> <http://ex.org/v> "emoji \U0001F600 \u00E9 \"q\" back\\slash\nnl\ttab" .
<http://ex.org/a> <http://ex.org/v> "2001-02-03T04:05:06Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .
<http://ex.org/a> <http://ex.org/v> "2001-02-03"^^<http://www.w3.org/2001/XMLSchema#date> .
<http://ex.org/a> <http://ex.org/v> "true"^^<http://www.w3.org/2001/XMLSchema#boolean> .
<http://ex.org/a> <http://ex.org/v> "1.5E3"^^<http://www.w3.org/2001/XMLSchema#double> .
<http://ex.org/a> <http://ex.org/v> "00012.50"^^<http://www.w3.org/2001/XMLSchema#decimal> .
<http://ex.org/a> <http://ex.org/v> "7"^^<http://www.w3.org/2001/XMLSchema#int> .
<http://ex.org/a> <http://ex.org/v> "2006+01:00"^^<http://www.w3.org/2001/XMLSchema#gYear> .
<http://ex.org/a> <http://ex.org/v> "hello"@en-GB .
<http://ex.org/a> <http://ex.org/v> "hello" .
<http://ex.org/a> <http://ex.org/v> "" .
<http://ex.org/a> <http://ex.org/v> "x"^^<http://ex.org/own> .
<http://ex.org/a> <http://ex.org/v> <http://ex.org/caf\u00E9> .
<http://ex.org/a> <http://ex.org/v> <http://ex.org/Dad's_Root_Beer_(brand),_100%25> .
<http://ex.org/caf\u00E9> <http://ex.org/v> <http://ex.org/a> .
<http://ex.org/a> <http://ex.org/stays> _:stay .
_:stay <http://ex.org/ward> <http://ex.org/w> .
"""


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    path = tmp_path / "odd.nt"
    path.write_text(ODD, encoding="utf-8")
    return path


def test_literals_and_iris_of_every_kind(serve_file: Serve, odd: Path) -> None:
    embedded = OxigraphAdapter.open(str(odd))
    remote = SparqlAdapter.open(serve_file(odd), cache_mode="off")
    value = Relation("http://ex.org/v", "v")
    for node in ("a", "café", "Dad's_Root_Beer_(brand),_100%25"):
        entity = Entity(f"http://ex.org/{node}")
        for direction in Direction:
            assert remote.relations([entity], direction) == embedded.relations([entity], direction)
            found = remote.neighbours([entity], value, direction)
            assert found == embedded.neighbours([entity], value, direction)
    assert len(remote.neighbours([Entity("http://ex.org/a")], value, Direction.OUT).pairs) == 14
    for limit in range(1, 14):
        some = remote.neighbours([Entity("http://ex.org/a")], value, Direction.OUT, limit)
        assert (len(some.pairs), some.cut) == (limit, True)


def test_a_blank_node_is_answered_about_or_named(serve_file: Serve, odd: Path) -> None:
    remote = SparqlAdapter.open(serve_file(odd), cache_mode="off")
    start = Entity("http://ex.org/a")
    (stays,) = (r for r in remote.relations([start], Direction.OUT)[start] if r.label == "stays")
    ((_, stay),) = remote.neighbours([start], stays, Direction.OUT).pairs
    assert isinstance(stay, Entity)
    assert remote.types([stay])[stay].mediator
    try:
        relations = remote.relations([stay, start], Direction.OUT)
    except GraphError as error:
        assert "skolemisation" in str(error)
    else:
        assert [relation.label for relation in relations[stay]] == ["ward"]
        assert remote.neighbours([stay], relations[stay][0], Direction.OUT).pairs == (
            (stay, Entity("http://ex.org/w")),
        )
        assert remote.neighbours([stay], stays, Direction.IN).pairs == ((stay, start),)


def test_a_neighbourhood_beyond_the_row_cap(serve_file: Serve, tmp_path: Path) -> None:
    path = tmp_path / "hub.nt"
    spokes = (f"<http://ex.org/n{number * 7919 % 4007:05}>" for number in range(4007))
    rows = (f"{spoke} <http://ex.org/p> <http://ex.org/hub> .\n" for spoke in spokes)
    path.write_text("".join(rows), encoding="utf-8")
    everything = OxigraphAdapter.open(str(path)).neighbours([HUB_OF_FILE], LINK, Direction.IN)
    assert len(everything.pairs) == 4_007
    graph = SparqlAdapter.open(serve_file(path), "plain", cache_mode="off")
    assert graph.neighbours([HUB_OF_FILE], LINK, Direction.IN) == everything
    for limit in (1_500, 3_000):
        sample = graph.neighbours([HUB_OF_FILE], LINK, Direction.IN, limit)
        assert (sample.pairs, sample.cut) == (everything.pairs[:limit], True)
    assert graph.server.row_cap == (2_000 if "virtuoso" in graph.server.make.lower() else None)


def test_a_hub_beyond_what_a_server_sorts(serve_file: Serve, tmp_path: Path) -> None:
    path = tmp_path / "large-hub.nt"
    spokes = (f"<http://ex.org/n{number * 7919 % 30_011:05}>" for number in range(30_011))
    path.write_text("".join(f"{spoke} <http://ex.org/p> <http://ex.org/hub> .\n" for spoke in spokes), encoding="utf-8")
    graph = SparqlAdapter.open(serve_file(path), "plain", cache_mode="off")
    before = graph.traffic.requests
    first, again = (graph.neighbours([HUB_OF_FILE], LINK, Direction.IN, 1_000) for _ in range(2))
    assert first == again
    assert (len(set(first.pairs)), first.cut) == (1_000, True)
    assert list(first.pairs) == sorted(first.pairs, key=lambda pair: pair[1].sort_key)
    assert graph.traffic.requests - before <= 2 * 3
    assert [relation.label for relation in graph.relations([HUB_OF_FILE], Direction.IN)[HUB_OF_FILE]] == ["p"]


def test_virtuosos_own_words(virtuoso_server: Serve, hospital: Dump) -> None:
    address = virtuoso_server(hospital.path)
    graph = SparqlAdapter.open(address, "plain", cache_mode="off")
    assert graph.server.make.startswith("Virtuoso/07")
    short = SparqlAdapter.open(address, "plain", cache_mode="off", timeout=1.0)
    # No row is found in time: status 200, an empty result, and a header that says why.
    slow = "SELECT ?a { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(STR(?c) = CONCAT(STR(?i), 'x')) }"
    with pytest.raises(GraphError, match="time limit was reached") as caught:
        short.select(slow)
    assert caught.value.status == "kg_error"
