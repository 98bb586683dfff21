"""The beam: what was reached at a depth, and which W of it are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kgbench.types import Direction, Triple
from kgbench_methods.common.relations import Edge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context
    from kgbench.types import Entity, Term
    from kgbench_methods.common.relations import Way


class Picked(NamedTuple):
    """A relation that was chosen at an entity."""

    entity: Entity
    way: Way
    score: float


class Rated(NamedTuple):
    """What lies behind a chosen relation, with shares of its score."""

    shown: Sequence[Term]
    shares: Sequence[float]
    """One for each of ``shown``."""
    targets: Sequence[Term]
    """Where the walk goes on; other than ``shown`` with quirk Q3 alone."""


class Reached(NamedTuple):
    """A scored step."""

    edge: Edge
    """The fact, as it stands in the graph."""
    target: Term
    """Where the walk goes on: the end of the edge, but for quirk Q3."""
    score: float
    place: int
    """Place of the end in the seeded order of its cluster."""

    @property
    def onward(self) -> Edge:
        """The step as the walk takes it."""
        return self.edge._replace(target=self.target)

    def triple(self, *, as_walked: bool) -> Triple:
        """The fact as prompts show it; ``as_walked`` puts the start first whatever its direction (quirk Q4)."""
        return Triple(self.edge.source, self.edge.relation, self.edge.target) if as_walked else self.edge.triple


def scored(rated: Sequence[tuple[Picked, Rated]]) -> list[Reached]:
    """Join scores and targets over all clusters of a depth.

    They are joined as two lists, as the published code does: where quirk Q3 makes one list longer, all later rows shift.
    """
    rows = [
        (Edge(picked.entity, *picked.way, term), share * picked.score, place)
        for picked, cluster in rated
        for place, (term, share) in enumerate(zip(cluster.shown, cluster.shares, strict=True))
    ]
    targets = [target for _, cluster in rated for target in cluster.targets]
    return [Reached(edge, target, score, place) for (edge, score, place), target in zip(rows, targets, strict=False)]


def best(reached: Sequence[Reached], width: int) -> list[Reached]:
    """The ``width`` best steps whose score is not zero; equal scores keep their order."""
    ranked = sorted(reached, key=lambda step: -round(step.score, 6))
    return [step for step in ranked[:width] if round(step.score, 6) != 0]


def in_tie_order(reached: Sequence[Reached], frontier: Sequence[Entity], depth: int, ctx: Context) -> list[Reached]:
    """Order in which equal scores stand: relation label, OUT before IN, seeded order of the start, then of the end."""
    order = {entity: place for place, entity in enumerate(ctx.seeded_order(frontier, "ties", str(depth)))}
    return sorted(
        reached,
        key=lambda step: (
            step.edge.relation.label,
            step.edge.direction is Direction.IN,
            order[step.edge.source],
            step.place,
            step.edge.relation.id,
        ),
    )
