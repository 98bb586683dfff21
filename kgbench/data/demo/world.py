"""What the parts of the demo graph share while it grows: the draft, the names, and who and what is already there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.data.demo.names import NameMaker, seeded

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from kgbench.data.demo.draft import Draft
    from kgbench.data.demo.sizes import Sizes

FIRST_YEAR_OF_BUSINESS = 2010
LAST_YEAR = 2024

NamePair = tuple[str, str]
"""A name and an alias; the alias is empty where there is none."""


@dataclass
class World:
    """Lists hold indices of nodes of `draft`, in order of creation."""

    seed: int
    sizes: Sizes
    names: NameMaker
    group: int
    """The organisation that everything belongs to: the hub of the graph."""
    draft: Draft
    towns: list[int] = field(default_factory=list)
    sites: list[int] = field(default_factory=list)
    wards: list[int] = field(default_factory=list)
    specialties: list[int] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    joined: dict[int, int] = field(default_factory=dict)
    """Person to the year of joining the group."""
    staff_of: dict[int, list[int]] = field(default_factory=dict)
    """Ward to the people assigned to it."""
    suppliers: list[int] = field(default_factory=list)
    models_of: dict[int, list[int]] = field(default_factory=dict)
    """Supplier to the models it makes."""
    price: dict[int, int] = field(default_factory=dict)
    """Model to its list price in cents."""
    devices_in: dict[int, list[int]] = field(default_factory=dict)
    """Ward to the devices that stand in it."""

    def rng(self, part: str) -> random.Random:
        """The random numbers of one part of the graph."""
        return seeded(self.seed, part)


def with_odd_names(names: list[str], odd: Sequence[NamePair], rng: random.Random) -> list[NamePair]:
    """Pairs of the names and no alias, with the odd pairs put in at random places as far as half the room goes."""
    pairs = [(name, "") for name in names]
    chosen = odd[: len(pairs) // 2]
    for position, pair in zip(rng.sample(range(len(pairs)), len(chosen)), chosen, strict=True):
        pairs[position] = pair
    return pairs


def with_homonyms(pairs: list[NamePair], odd: Sequence[NamePair], every: int, distance: int) -> list[NamePair]:
    """Lets every `every`-th node share its name with the one `distance` places on, unless either bears an odd name."""
    result = list(pairs)
    for first in range(0, len(result) - distance, every):
        if result[first] not in odd and result[first + distance] not in odd:
            result[first + distance] = result[first]
    return result
