"""A graph under construction: nodes are plain integers here and get their opaque ids at the end.

Ids are codes such as `n0412x`, drawn without regard to class, name or order of creation. Words in an id
(`person/anna-…`) would tell a reader of the ids what the seam hides, and ids in order of creation would tell the class.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from kgbench.data.demo import schema

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

CHECK_LETTERS = "bcdfghjkmpqrstvwxz"
SHORTEST_NUMBER = 3
"""Digits from which a number in a name is a word that an id could tell."""


class Node(NamedTuple):
    """A node of the draft."""

    name: str
    """Empty: the node has none."""
    classes: tuple[str, ...]


@dataclass
class Draft:
    """Collects nodes and triples; heads and entity tails are indices into `nodes`, literal tails are strings."""

    nodes: list[Node] = field(default_factory=list)
    aliases: dict[int, list[str]] = field(default_factory=dict)
    triples: list[tuple[int, str, int | str]] = field(default_factory=list)

    def node(self, name: str, *classes: str, alias: str = "") -> int:
        """Adds a node and returns its index."""
        self.nodes.append(Node(name, classes))
        index = len(self.nodes) - 1
        if alias:
            self.add_alias(index, alias)
        return index

    def add_alias(self, node: int, alias: str) -> None:
        """Gives a node one more name."""
        self.aliases.setdefault(node, []).append(alias)

    def add(self, head: int, relation: str, tail: int | str) -> None:
        """Adds a triple, and its twin where the schema declares an inverse.

        Raises:
            KeyError: if the schema has no such relation.
        """
        declared = schema.BY_LABEL[relation]
        self.triples.append((head, declared.label, tail))
        if declared.inverse and isinstance(tail, int):
            self.triples.append((tail, declared.inverse, head))

    def ids(self, rng: random.Random) -> list[str]:
        """One opaque id a node: `n`, digits, a letter. No id contains a word or number of its node's name."""
        count = len(self.nodes)
        width = max(4, len(str(4 * count)))
        codes = [f"{number:0{width}d}" for number in rng.sample(range(10**width), 2 * count)]
        spare = iter(codes[count:])
        ids = []
        for code, node in zip(codes, self.nodes, strict=False):
            numbers = [word for word in re.findall(r"\d+", node.name) if len(word) >= SHORTEST_NUMBER]
            kept = code
            while any(number in kept for number in numbers):
                kept = next(spare)
            ids.append(f"n{kept}{rng.choice(CHECK_LETTERS)}")
        return ids


def date_literal(day: datetime.date) -> str:
    """A day as an N-Triples literal."""
    return f'"{day.isoformat()}"^^{schema.DATE}'


def year_literal(year: int) -> str:
    """A year as an N-Triples literal."""
    return f'"{year}"^^{schema.YEAR}'


def integer_literal(value: int) -> str:
    """A whole number as an N-Triples literal."""
    return f'"{value}"^^{schema.INTEGER}'


def money_literal(cents: int) -> str:
    """An amount as an N-Triples literal in canonical form, without zeros at the end: stores keep no others."""
    text = f"{cents // 100}.{cents % 100:02d}"
    return f'"{text.rstrip("0").rstrip(".")}"^^{schema.DECIMAL}'


def text_literal(text: str, language: str = "") -> str:
    """A string, tagged with its language where one is given, as an N-Triples literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"' + (f"@{language}" if language else "")


def day_between(rng: random.Random, first_year: int, last_year: int) -> datetime.date:
    """A day of one of the years, both included."""
    start = datetime.date(first_year, 1, 1).toordinal()
    return datetime.date.fromordinal(rng.randint(start, datetime.date(last_year, 12, 31).toordinal()))


def some(rng: random.Random, items: Sequence[int], at_most: int) -> list[int]:
    """One to `at_most` different items, or fewer where there are not so many."""
    return rng.sample(items, min(len(items), rng.randint(1, at_most)))
