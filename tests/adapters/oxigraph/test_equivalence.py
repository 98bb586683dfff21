"""The reads by pattern give what the shared SPARQL texts give, and what a direct reading of the files gives."""

from __future__ import annotations

import gzip
import random
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from kgbench.types import Direction, Entity, Relation, Term
from kgbench_adapters import queries
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter
from kgbench_adapters.profiles import vocabulary
from kgbench_adapters.terms import IriMap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    MakeFolder = Callable[..., Path]
    Rows = tuple[tuple[Term | None, ...], ...]

LIMIT = 10_000


def by_sparql_relations(
    graph: OxigraphAdapter, iris: IriMap, entities: Sequence[Entity], direction: Direction
) -> dict[Entity, set[str]]:
    query = queries.relations([iris.entity_iri(entity.id) for entity in entities], direction, LIMIT)
    found: dict[Entity, set[str]] = {entity: set() for entity in entities}
    hidden = vocabulary(graph.card.profile).hidden
    for start, predicate in graph.select(query):
        assert isinstance(start, Entity)
        assert isinstance(predicate, Entity)
        if predicate.id not in hidden:
            # A predicate outside the namespace of entities comes as its IRI.
            found[start].add(iris.relation_id(predicate.id))
    return found


def by_pattern_relations(
    graph: OxigraphAdapter, entities: Sequence[Entity], direction: Direction
) -> dict[Entity, set[str]]:
    return {entity: {r.id for r in found} for entity, found in graph.relations(entities, direction).items()}


def sorted_pairs(rows: Rows) -> list[tuple[Term | None, ...]]:
    return sorted(rows, key=lambda row: (row[0].id, row[1].sort_key))  # type: ignore[union-attr]


@pytest.fixture
def toy(graph_folder: MakeFolder) -> OxigraphAdapter:
    draw = random.Random(7)  # noqa: S311 - a repeatable toy graph
    rows = [f"n{draw.randrange(40)}\tr{draw.randrange(6)}\tn{draw.randrange(40)}" for _ in range(400)]
    rows += [f'n{number}\tvalue\t"{number % 7}"^^xsd:integer' for number in range(40)]
    rows += [f'n{number}\tvalue\t"v{number % 3}"@de' for number in range(0, 40, 2)]
    rows += [f"hub\tr1\tn{number}" for number in range(40)] + [f"odd id {number}\tr2\thub" for number in range(9)]
    return OxigraphAdapter.open(
        str(graph_folder(triples=rows, entities=[f"n{number}\tN {number}" for number in range(30)], types=["n1\tt"]))
    )


def test_relations_and_neighbours_agree_with_sparql_on_a_toy_graph(toy: OxigraphAdapter) -> None:
    iris = IriMap(vocabulary("plain").folder)
    entities = [Entity(f"n{number}") for number in range(42)] + [Entity("hub"), Entity("odd id 3")]
    nodes = [iris.entity_iri(entity.id) for entity in entities]
    for direction in Direction:
        assert by_pattern_relations(toy, entities, direction) == by_sparql_relations(toy, iris, entities, direction)
        for relation in ("r1", "r2", "r5", "value", "none"):
            query = queries.neighbours(nodes, iris.relation_iri(relation), direction, LIMIT)
            found = toy.neighbours(entities, Relation(relation, ""), direction)
            assert list(found.pairs) == sorted_pairs(toy.select(query))


@pytest.mark.parametrize("limit", [1, 5, 39])
def test_a_cut_keeps_the_rows_that_the_ordered_query_gives(toy: OxigraphAdapter, limit: int) -> None:
    iris = IriMap(vocabulary("plain").folder)
    entities = [Entity("n3"), Entity("hub")]
    nodes = [iris.entity_iri(entity.id) for entity in entities]
    for direction, relation in ((Direction.OUT, "r1"), (Direction.IN, "r2")):
        query = queries.neighbours(nodes, iris.relation_iri(relation), direction, limit + 1, ordered=True)
        rows = toy.select(query)
        found = toy.neighbours(entities, Relation(relation, ""), direction, limit)
        assert list(found.pairs) == sorted_pairs(rows[:limit])
        assert found.cut == (len(rows) > limit)


# --- Real data ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fbmini(real_data: Path) -> OxigraphAdapter:
    return OxigraphAdapter.open(str(real_data / "fbmini"), strict=True)


class DirectReading:
    """A TSV file of triples read without any of the code under test."""

    def __init__(self, path: Path) -> None:
        self.count = 0
        self.reached: dict[Direction, dict[str, dict[str, set[str]]]] = {
            direction: defaultdict(lambda: defaultdict(set)) for direction in Direction
        }
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            for line in lines:
                head, relation, tail = line.rstrip("\n").split("\t")
                self.reached[Direction.OUT][head][relation].add(tail)
                self.reached[Direction.IN][tail][relation].add(head)
                self.count += 1

    def nodes(self) -> list[str]:
        return sorted(set(self.reached[Direction.OUT]) | set(self.reached[Direction.IN]))


@pytest.mark.parametrize(
    ("folder", "profile", "triples"), [("fbmini", "freebase", 343_118), ("metaqa", "plain", 130_173)]
)
def test_real_graphs_equal_a_direct_reading_of_their_files(
    real_data: Path, fbmini: OxigraphAdapter, folder: str, profile: str, triples: int
) -> None:
    graph = fbmini if folder == "fbmini" else OxigraphAdapter.open(str(real_data / folder), strict=True)
    direct = DirectReading(real_data / folder / "triples.tsv.gz")
    assert (graph.card.profile.name, graph.card.triples, direct.count) == (profile, triples, triples)
    nodes = direct.nodes()
    by_degree = sorted(nodes, key=lambda node: -sum(map(len, direct.reached[Direction.IN][node].values())))
    sample = [Entity(node) for node in [*by_degree[:3], *random.Random(1).sample(nodes, 50)]]  # noqa: S311 - a repeatable sample
    iris = IriMap(vocabulary(profile).folder)
    for direction in Direction:
        reached = direct.reached[direction]
        found = by_pattern_relations(graph, sample, direction)
        assert found == {entity: set(reached[entity.id]) for entity in sample}
        assert found == by_sparql_relations(graph, iris, sample, direction)
        for entity in sample:
            for relation, terms in reached[entity.id].items():
                pairs = graph.neighbours([entity], Relation(relation, relation), direction).pairs
                assert [term for _, term in pairs] == [Entity(node) for node in sorted(terms)]


def test_names_schema_and_kinds_of_a_real_graph(real_data: Path, fbmini: OxigraphAdapter) -> None:
    graph = fbmini
    with gzip.open(real_data / "fbmini" / "entities.tsv.gz", "rt", encoding="utf-8", newline="\n") as lines:
        listed = dict(line.rstrip("\n").split("\t")[:2] for line in lines)
    entities = [Entity(node) for node in sorted(listed)]
    names = graph.names(entities)
    assert {entity.id: names[entity].name for entity in entities} == listed
    assert len(list(graph.all_names())) == len(listed) == 23_021
    assert not any(kind.mediator for kind in graph.types(entities).values()), (
        "every node has a name: none is a mediator"
    )
    assert graph.card.domains["film.film.cinematography"][0] == "film.film"
    assert graph.card.inverses["award.award_category.category_of"] == "award.award.category"
    relations = graph.select("SELECT DISTINCT ?p { ?s ?p ?o }")
    assert len({row[0] for row in relations}) == 1_522 + 2, "all relations, and the properties that hold the names"


def test_a_lowered_limit_cuts_a_real_hub(fbmini: OxigraphAdapter) -> None:
    hub, relation = Entity("m.09c7w0"), Relation("people.person.nationality", "people.person.nationality")
    first = fbmini.neighbours([hub], relation, Direction.IN, 100)
    everything = fbmini.neighbours([hub], relation, Direction.IN)
    assert (len(first.pairs), first.cut, everything.cut) == (100, True, False)
    assert first.pairs == everything.pairs[:100]
