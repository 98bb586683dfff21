"""A thinned graph is the same graph behind an endpoint and in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgbench.kg.hiding import HidingGraph, Listed, Thinning
from kgbench.types import Direction, Entity
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.contracts import KnowledgeGraph
    from kgbench.testing.sparql_fake import SparqlServer

BASE = "https://kgbench.invalid"
NODES = [Entity(name) for name in ("hub", "odd id 1", *(f"n{number}" for number in range(30)))]


def turtle() -> str:
    """A graph as kgbench itself writes a folder's, with a relation and its inverse, and values."""
    lines = [f"<{BASE}/relation/forth> <http://www.w3.org/2002/07/owl#inverseOf> <{BASE}/relation/back> ."]
    for number in range(30):
        node = f"<{BASE}/id/n{number}>"
        lines += [
            f"<{BASE}/id/hub> <{BASE}/relation/forth> {node} .",
            f"{node} <{BASE}/relation/back> <{BASE}/id/hub> .",
            f"<{BASE}/id/odd%20id%201> <{BASE}/relation/r> {node} .",
            f'{node} <{BASE}/relation/born> "{1900 + number}"^^<http://www.w3.org/2001/XMLSchema#integer> .',
            f'{node} <{BASE}/relation/said> "v{number}"@DE .',
        ]
    return "\n".join(lines)


def facts(graph: KnowledgeGraph) -> list[tuple[str, str, str, str]]:
    return sorted(
        (node.id, direction, relation.id, str(term.sort_key))
        for direction in Direction
        for node in NODES
        for relation in graph.relations([node], direction)[node]
        for _, term in graph.neighbours([node], relation, direction).pairs
    )


@pytest.mark.parametrize("seed", [0, 1])
def test_the_same_facts_are_hidden(
    tmp_path: Path, serve: Callable[..., SparqlServer], connect: Callable[..., KnowledgeGraph], seed: int
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    rows = []
    for number in range(30):
        rows += [f"hub\tforth\tn{number}", f"n{number}\tback\thub", f"odd id 1\tr\tn{number}"]
        rows += [f'n{number}\tborn\t"{1900 + number}"^^xsd:integer', f'n{number}\tsaid\t"v{number}"@de']
    (folder / "triples.tsv").write_text("".join(f"{row}\n" for row in rows))
    (folder / "relations.tsv").write_text("relation\tinverse\tdomain\trange\nforth\tback\t\t\n")
    remote, here = connect(serve(turtle())), OxigraphAdapter.open(str(folder), "plain")
    assert facts(remote) == facts(here)

    def thin(graph: KnowledgeGraph) -> KnowledgeGraph:
        return HidingGraph(graph, [Thinning(0.4, seed, graph.card.inverses)], graph.card)

    left = facts(thin(remote))
    assert left == facts(thin(here))
    assert 0 < len(left) < len(facts(here))
    forth = {(term, node) for node, direction, name, term in left if (direction, name) == ("out", "forth")}
    back = {node for node, direction, name, _ in left if (direction, name) == ("out", "back")}
    assert {id_in(term) for term, _ in forth} == back


def id_in(sort_key: str) -> str:
    """The id in the text of an entity's sort key."""
    return sort_key.split("'")[1]


def test_listed_facts_are_hidden_behind_an_endpoint(
    serve: Callable[..., SparqlServer], connect: Callable[..., KnowledgeGraph]
) -> None:
    graph = connect(serve(turtle()))
    left = HidingGraph(graph, [Listed([("hub", "forth", "n3")], graph.card.inverses)], graph.card)
    gone = set(facts(graph)) - set(facts(left))
    assert {(node, direction, name) for node, direction, name, _ in gone} == {
        ("hub", "out", "forth"),
        ("n3", "in", "forth"),
        ("n3", "out", "back"),
        ("hub", "in", "back"),
    }


def test_the_card_tells_the_ids_of_inverses(
    serve: Callable[..., SparqlServer], connect: Callable[..., KnowledgeGraph]
) -> None:
    card = connect(serve(turtle())).card
    assert set(card.inverse_ids) == set(card.inverses) != set()
    assert {label: identifier.rpartition("/")[2] for label, identifier in card.inverse_ids.items()} == {
        "back": "back",
        "forth": "forth",
    }
