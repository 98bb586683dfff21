"""How far the answers lie from the topics, on the flattened graph that methods walk.

A step is one fact, or two facts through a mediator; facts are followed both ways, and nothing is followed past a literal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    from kgbench.survey.census import Census, Marks, Numbers

MOST_HOPS = 4
"""Further away is as good as not connected: no published method looks there."""
MOST_FACTS = 200_000_000
"""Facts that all searches together may look at: some seconds. A count, so that it falls alike on every machine."""


class Reach:
    """Shortest ways between nodes.

    Args:
        census: the graph.
    """

    def __init__(self, census: Census) -> None:
        self._mediator = census.mediator
        self._literal = census.literal
        ends = np.concatenate([census.facts[:, [0, 2]], census.facts[:, [2, 0]]])
        ends = ends[np.argsort(ends[:, 0], kind="stable")]
        self._targets: Numbers = ends[:, 1].copy()
        counts = np.bincount(ends[:, 0], minlength=len(census.nodes))
        self._starts: Numbers = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self._last_place = np.zeros(len(census.nodes), dtype=np.int64)
        self.looked_at = 0
        """Facts looked at so far."""

    @property
    def exhausted(self) -> bool:
        """True where the searches have looked at as many facts as they may."""
        return self.looked_at >= MOST_FACTS

    def hops(self, start: int, goals: Collection[int], most: int = MOST_HOPS) -> int | None:
        """Steps from a node to the nearest of some others; 0 where it is one of them, None beyond ``most`` steps."""
        goal = np.zeros(len(self._mediator), dtype=bool)
        goal[list(goals)] = True
        seen = np.zeros(len(self._mediator), dtype=bool)
        frontier = np.array([start], dtype=np.int64)
        seen[frontier] = True
        for hops in range(most + 1):
            if goal[frontier].any():
                return hops
            if hops < most:
                frontier = self._step(frontier, seen)
            if not len(frontier):
                return None
        return None

    def _step(self, frontier: Numbers, seen: Marks) -> Numbers:
        reached = self._neighbours(frontier, seen)
        passed = reached[self._mediator[reached]]
        return np.concatenate([reached, self._neighbours(passed, seen)])

    def _neighbours(self, nodes: Numbers, seen: Marks) -> Numbers:
        """Neighbours that were not seen before; marks them."""
        nodes = nodes[~self._literal[nodes]]
        first, counts = self._starts[nodes], self._starts[nodes + 1] - self._starts[nodes]
        total = int(counts.sum())
        self.looked_at += total
        # Positions of all their facts at once: each node's run of positions, one after the other.
        offsets = np.repeat(first - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) if total else first[:0]
        found = self._targets[offsets + np.arange(total)]
        found = found[~seen[found]]
        seen[found] = True
        # Each node keeps its last place alone: repeats go without sorting, which would take most of the time.
        places = np.arange(len(found))
        self._last_place[found] = places
        return np.asarray(found[self._last_place[found] == places])


def components(census: Census) -> tuple[int, int]:
    """Count the parts of a graph that no fact joins.

    Returns:
        Number of components among the entities that stand in facts, and entities in the largest. Literals join nothing.
    """
    between = ~census.literal[census.facts[:, 2]] if len(census.facts) else np.zeros(0, dtype=bool)
    subjects, objects = census.facts[between, 0], census.facts[between, 2]
    lowest = np.arange(len(census.nodes))
    while True:
        # Each node takes the lowest number in its neighbourhood, then that of the node it points at: paths halve.
        before = lowest.copy()
        np.minimum.at(lowest, subjects, lowest[objects])
        np.minimum.at(lowest, objects, lowest[subjects])
        lowest = lowest[lowest]
        if np.array_equal(before, lowest):
            break
    members = lowest[: census.in_facts][~census.literal[: census.in_facts]]
    sizes = np.bincount(members) if len(members) else np.zeros(0, dtype=np.int64)
    return int((sizes > 0).sum()), int(sizes.max(initial=0))
