"""What the facts of a graph look like where its files say nothing: mediators, inverse pairs, names in labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kgbench.seam.audit import common_words
from kgbench.text import STOP_WORDS, label_words, norm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kgbench.contracts import WholeGraph
    from kgbench.survey.census import Census

HUB = 50
"""Facts from which an entity is called a hub here."""
ALMOST_ALL = 0.95
FEWEST_MEMBERS = 2
JOINED = 2
"""Entities that a node must join to look like a mediator."""
FEWEST_FACTS = 2
"""Facts from which two relations are compared: one fact and its reverse may be chance."""
SHORTEST_NAME = 4
LONGEST_NAME = 8
"""Words of a name that is looked for in labels."""


class Lookalike(NamedTuple):
    """A class whose members look like mediators and are not declared as such."""

    label: str
    """The class; empty for nodes without one."""
    members: int


def joined_entities(census: Census) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Per node: facts that join it to an entity."""
    facts = census.facts[~census.literal[census.facts[:, 2]]] if len(census.facts) else census.facts
    return np.bincount(facts[:, [0, 2]].ravel(), minlength=len(census.nodes)).astype(np.int64)


def unnamed_hubs(census: Census) -> int:
    """Count entities with 50 facts and more that have no name and are no mediators."""
    return int((census.entity & ~census.named & (census.degree >= HUB)).sum())


def mediator_lookalikes(census: Census) -> list[Lookalike]:
    """Classes whose members have no name and join other entities, and that are not declared as mediators.

    Nothing is said of a graph in which nothing has a name, nor of a single node: a missing name proves nothing.
    """
    if not census.named.any():
        return []
    joins = (joined_entities(census) >= JOINED) & census.entity & ~census.named
    groups = [*census.classes.items(), ("", np.flatnonzero(census.entity & ~census.typed))]
    found = []
    for label, members in groups:
        alike = int(joins[members].sum())
        share = ALMOST_ALL if label else 0.0
        if alike >= FEWEST_MEMBERS and alike >= share * len(members):
            found.append(Lookalike(label, alike))
    return found


def undeclared_inverses(census: Census, declared: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pairs of relation labels that say the same facts, each in its own direction, and are not declared as inverses."""
    ends = len(census.nodes) + 1
    numbers = census.facts[:, 1]
    bounds = np.searchsorted(numbers, np.arange(len(census.relations) + 1))
    forward: dict[bytes, int] = {}
    pairs = []
    for number, relation in enumerate(census.relations):
        rows = census.facts[bounds[number] : bounds[number + 1]]
        if len(rows) < FEWEST_FACTS:
            continue
        there = np.sort(rows[:, 0] * ends + rows[:, 2]).tobytes()
        back = np.sort(rows[:, 2] * ends + rows[:, 0]).tobytes()
        other = forward.get(back)
        if other is not None and declared.get(census.relations[other].label) != relation.label:
            pairs.append((census.relations[other].label, relation.label))
        forward.setdefault(there, number)
    return pairs


def labels_with_names(graph: WholeGraph, labels: Iterable[str]) -> list[str]:
    """Relation and class labels that hold the name of an entity: labels are sent in clear.

    Names of one word count where the word is no common one.
    """
    parts = {label: set(_phrases(norm(label_words(label)).split())) for label in labels}
    sought = set().union(*parts.values())
    held: set[str] = set()
    for _, names in graph.all_names():
        for name in (names.name or "", *names.aliases):
            normal = norm(name)
            if normal in sought and _tells(normal):
                held.add(normal)
    return sorted(label for label, phrases in parts.items() if phrases & held)


def _phrases(words: list[str]) -> Iterable[str]:
    for first in range(len(words)):
        for last in range(first + 1, min(len(words), first + LONGEST_NAME) + 1):
            yield " ".join(words[first:last])


def _tells(name: str) -> bool:
    if " " in name:
        return True
    return len(name) >= SHORTEST_NAME and name not in STOP_WORDS and name not in common_words()
