"""Graphs of any size for :mod:`graph`: files in the shape of Freebase, the same bytes for the same arguments.

Opaque ids, 200 relations of which few are common, many nodes with few edges and few nodes with many: what a read costs
depends on these, and on nothing else that the content says.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_RELATIONS = tuple(f"domain{number % 9}.kind{number % 31}.property{number}" for number in range(200))
COMMON_RELATION = _RELATIONS[0]
_TRIPLES_A_NODE = 6
_CHUNK = 50_000
NAMESPACE = "http://rdf.freebase.com/ns/"
"""Where the ids stand in the store, by the profile freebase."""
HUB = "m.0hub"
HUB_RELATION = "people.person.nationality"
HUB_OTHERS = tuple(f"location.country.fact{number}" for number in range(20))


def write_graph(folder: Path, triples: int, seed: int = 1) -> list[str]:
    """Write ``triples.tsv`` and ``entities.tsv``.

    Args:
        folder: where; made.
        triples: rows of ``triples.tsv``. A few of them repeat others.
        seed: of the choice of heads, relations and tails.

    Returns:
        The ids of the nodes.
    """
    folder.mkdir(parents=True)
    nodes = [f"m.0{number:x}" for number in range(max(2, triples // _TRIPLES_A_NODE))]
    draw = random.Random(seed)  # noqa: S311 - a repeatable graph
    common_relations = [1 / (rank + 1) for rank in range(len(_RELATIONS))]
    with (folder / "triples.tsv").open("w", encoding="utf-8") as file:
        for start in range(0, triples, _CHUNK):
            count = min(_CHUNK, triples - start)
            relations = draw.choices(_RELATIONS, common_relations, k=count)
            heads, tails = (_skewed(nodes, count, draw) for _ in range(2))
            file.writelines(
                f"{head}\t{label}\t{tail}\n" for head, label, tail in zip(heads, relations, tails, strict=True)
            )
    with (folder / "entities.tsv").open("w", encoding="utf-8") as file:
        file.writelines(f"{node}\tName {node}\n" for node in nodes)
    return nodes


def write_hub(folder: Path, triples: int, *, shuffled: bool = False) -> None:
    """Write a graph whose one node has ``triples`` edges of one relation, and some of others.

    Args:
        folder: where; made.
        triples: edges of the hub's main relation.
        shuffled: the same rows in another order.
    """
    folder.mkdir(parents=True)
    order = list(range(triples))
    if shuffled:
        random.Random(2).shuffle(order)  # noqa: S311 - a repeatable disorder
    with (folder / "triples.tsv").open("w", encoding="utf-8") as file:
        file.writelines(f"m.1{number:06x}\t{HUB_RELATION}\t{HUB}\n" for number in order)
        file.writelines(f"{HUB}\t{label}\tm.1{number:06x}\n" for number, label in enumerate(HUB_OTHERS))


def _skewed(nodes: list[str], count: int, draw: random.Random) -> list[str]:
    """Nodes, the first of them most often: the density falls with the square root of the rank."""
    size = len(nodes)
    return [nodes[int(size * draw.random() ** 2)] for _ in range(count)]
