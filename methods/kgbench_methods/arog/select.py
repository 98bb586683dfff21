"""Selection: abstract triples against the abstract path of the question (ARoG, section 3.3, equation 5; profile paper).

Only words that leave anyway are compared: labels, concepts and the topic's mention. No handle and no name enters, so what
is kept depends neither on the key nor on a private name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from kgbench.types import Direction, Entity

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kgbench.contracts import Context
    from kgbench_methods.arog.clusters import Cluster
    from kgbench_methods.arog.concepts import Concepts


class Selection(NamedTuple):
    """What one iteration keeps."""

    kept: list[Cluster]
    frontier: list[Entity]


class Selector(Protocol):
    """Chooses among the candidates of one iteration."""

    def select(
        self, candidates: Sequence[Cluster], frontier: Sequence[Entity], expanded: Collection[Entity], depth: int
    ) -> Selection:
        """Keep clusters and choose the next frontier."""


@dataclass(frozen=True, slots=True)
class PathSelector:
    """Profile ``paper``: abstract triples against the abstract path."""

    path: Sequence[str]
    concepts: Concepts
    ctx: Context
    width: int

    def select(
        self, candidates: Sequence[Cluster], frontier: Sequence[Entity], expanded: Collection[Entity], depth: int
    ) -> Selection:
        """Keep the clusters closest to the path."""
        kept = keep(self.path, candidates, frontier, self.concepts, self.ctx, self.width)
        return Selection(kept, next_frontier(kept, expanded, depth, self.ctx, self.width))


def keep(
    path: Sequence[str],
    candidates: Sequence[Cluster],
    frontier: Sequence[Entity],
    concepts: Concepts,
    ctx: Context,
    width: int,
) -> list[Cluster]:
    """Keep the ``width`` clusters closest to a piece of the path.

    A cluster scores the maximum over the pieces: a triple serves one step. Ties: relation label, OUT before IN, order of
    the source in the frontier.
    """
    if not candidates:
        return []
    vectors = ctx.embed([*path, *(_text(cluster, concepts) for cluster in candidates)]).astype(np.float64)
    pieces, texts = vectors[: len(path)], vectors[len(path) :]
    scores = np.round((texts @ pieces.T).max(axis=1), 6)
    place = {entity: number for number, entity in enumerate(frontier)}
    for cluster, score in zip(candidates, scores.tolist(), strict=True):
        cluster.score = score
    ranked = sorted(
        candidates,
        key=lambda cluster: (
            -cluster.score,
            cluster.relation.label,
            cluster.direction is Direction.IN,
            place[cluster.source],
            cluster.relation.id,
        ),
    )
    return ranked[:width]


def _text(cluster: Cluster, concepts: Concepts) -> tuple[object, ...]:
    """``source, relation, concept``, or the reverse for a cluster that points at its source."""
    source, target = concepts.described(cluster.source), concepts.of_cluster(cluster)
    if cluster.direction is Direction.OUT:
        return (source, ", ", cluster.relation, ", ", target)
    return (target, ", ", cluster.relation, ", ", source)


def next_frontier(
    kept: Sequence[Cluster], expanded: Collection[Entity], depth: int, ctx: Context, width: int
) -> list[Entity]:
    """Choose up to ``width`` entities, round-robin over the kept clusters in rank order.

    Inside a cluster in seeded order; never a literal, a topic or an entity expanded before (``expanded`` holds both).
    """
    queues = [
        [
            term
            for term in ctx.seeded_order(cluster.entities, "frontier", *cluster.key, str(depth))
            if isinstance(term, Entity) and term not in expanded
        ]
        for cluster in kept
    ]
    chosen: list[Entity] = []
    while len(chosen) < width and any(queues):
        for queue in queues:
            while queue and queue[0] in chosen:
                queue.pop(0)
            if queue and len(chosen) < width:
                chosen.append(queue.pop(0))
    return chosen
