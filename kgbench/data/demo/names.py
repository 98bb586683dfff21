"""Makes the invented names of the demo graph, each used once unless a homonym is wanted."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from kgbench.data.demo import words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_DRAWS = 25
"""After so many names that are taken, a longer one is made: a list of any length comes to an end."""

ODD_LISTS = (
    words.ODD_PEOPLE,
    words.ODD_PROJECTS,
    words.ODD_SUPPLIERS,
    words.ODD_MODELS,
    words.ODD_TRAININGS,
    words.ODD_WARDS,
)


def seeded(seed: int, part: str) -> random.Random:
    """The random numbers of one part of the graph, so that a change in one part leaves the others alone."""
    return random.Random(f"kgbench demo|{seed}|{part}")  # noqa: S311 - invented data, no secret


class NameMaker:
    """Draws names and remembers, over all kinds together, which are taken."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._taken: set[str] = {name for odd in ODD_LISTS for pair in odd for name in pair if name}

    def fresh(self, draw: Callable[[], str]) -> str:
        """A name from `draw` that nothing bears yet; made longer with invented words where the lists run out."""
        name = draw()
        for _ in range(MAX_DRAWS):
            if name not in self._taken:
                break
            name = draw()
        while name in self._taken:
            name = f"{name} {self._join(words.PLACE_STARTS, words.FAMILY_ENDS)}"
        self._taken.add(name)
        return name

    def free(self, name: str) -> bool:
        """Takes `name` if nothing bears it yet."""
        if name in self._taken:
            return False
        self._taken.add(name)
        return True

    def person(self) -> str:
        """A given and a family name."""
        return self.fresh(lambda: f"{self._given()} {self._join(words.FAMILY_STARTS, words.FAMILY_ENDS)}")

    def town(self) -> str:
        """A place name of one word."""
        return self.fresh(lambda: self._join(words.PLACE_STARTS, words.PLACE_ENDS))

    def region(self) -> str:
        """A place name that says it is a region."""
        return self.fresh(lambda: f"{self._join(words.PLACE_STARTS, words.PLACE_ENDS)} Fells")

    def site(self) -> str:
        """A hospital's name: an invented word and a kind of building."""
        return self.fresh(lambda: f"{self._given()} {self._rng.choice(words.SITE_KINDS)}")

    def ward(self) -> str:
        """A plant, bird or colour and a kind of ward."""
        return self.fresh(lambda: self._pair(words.WARD_NOUNS, words.WARD_KINDS))

    def firm(self) -> str:
        """A supplier's name."""
        return self.fresh(
            lambda: f"{self._join(words.FIRM_STARTS, words.FIRM_ENDS)} {self._rng.choice(words.FIRM_KINDS)}"
        )

    def model(self) -> str:
        """A device model: an invented word and a number."""
        stem = words.FIRM_STARTS, words.GIVEN_ENDS
        return self.fresh(lambda: f"{self._join(*stem)} {self._rng.choice((5, 20, 40, 90))}")

    def project(self) -> str:
        """A project's code name of one invented word."""
        return self.fresh(lambda: self._join(words.GIVEN_STARTS, words.PLACE_ENDS))

    def incident(self) -> str:
        """What people call an incident that became known."""
        return self.fresh(lambda: f"the {self._pair(words.ADJECTIVES, words.EVENT_NOUNS)}")

    def agreement(self) -> str:
        """A contract's title."""
        return self.fresh(lambda: f"{self._pair(words.ADJECTIVES, words.AGREEMENT_NOUNS)} Agreement")

    def lesson(self) -> str:
        """A training's title."""
        return self.fresh(lambda: self._pair(words.LESSON_STARTS, words.LESSON_NOUNS))

    def _given(self) -> str:
        return self._join(words.GIVEN_STARTS, words.GIVEN_ENDS)

    def _join(self, starts: Sequence[str], ends: Sequence[str]) -> str:
        return self._rng.choice(starts) + self._rng.choice(ends)

    def _pair(self, firsts: Sequence[str], seconds: Sequence[str]) -> str:
        return f"{self._rng.choice(firsts)} {self._rng.choice(seconds)}"


def initials(name: str) -> str:
    """`Jorvane Braskavelt` -> `J. Braskavelt`."""
    first, _, rest = name.partition(" ")
    return f"{first[0]}. {rest}"


def acronym(name: str) -> str:
    """The consonants of the first word, at most four, in capitals: `Velqatrix Labs` -> `VLQT`."""
    letters = [letter for letter in name.split(maxsplit=1)[0].upper() if letter.isalpha() and letter not in "AEIOU"]
    return "".join(letters[:4])
