"""The knobs of PoG. Defaults are those of the published repository."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from kgbench_methods.common.quirks import Quirk, active_quirks

QUIRKS: tuple[Quirk, ...] = (
    Quirk("B1", "a reply that breaks the form of a relation list, a verdict or a judgement loses the question"),
    Quirk("B2", "lists are read as exact literals (nothing is evaluated); no separators, quotes or marks are repaired"),
    Quirk("B3", "no run without an output file", refused="files are the run store's; it resumes by question id"),
    Quirk("B4", "entities offered for correction: those explored before, not all that were seen"),
    Quirk("B5", "beyond depth 5 the search stops and answers from what it has; never reached at depth 4"),
    Quirk("B6", "the way back belongs to a position in the list of tails, not to the entity that was reached"),
    Quirk("B7", "adding an entity that was reached by nothing drops the kept triples of an unrelated entity"),
    Quirk("B8", "triples have two labels in one prompt, and three layouts"),
    Quirk("B9", "a triple that points at the explored entity is shown the other way round"),
    Quirk(
        "B10",
        "memory is a file named by the question's first 255 characters",
        refused="two questions of one beginning would share a memory, and graph content would pass from one to the other",
    ),
    Quirk("B11", "a relation that an entity has in both directions is followed outwards only"),
    Quirk(
        "B12",
        "the list of tails is in the order of a set",
        refused="the gateway sorts every list, so that its order tells nothing and is the same in every run",
    ),
    Quirk("B13", "the closed-book prompt gives the question after an empty line and without a label"),
    Quirk("B14", "the verdict of a depth sees this depth's triples only; older ones survive in the memory", clean=True),
    Quirk("B15", "an entity reached twice is explored once, and only its first way back is left out", clean=True),
    Quirk("B16", "a list of answers is one text: its beginning is tested, and it is scored as a whole"),
    Quirk("P1", "an answer that looks like an id never ends the search"),
    Quirk("P2", "more than 10 nodes that all look like ids are cut to 10 by chance"),
    Quirk("P3", "more than 70 nodes are cut by the similarity of what is shown, handles included"),
)
"""Numbered as in the specification of this port: B for faults of the code, P for rules that misfire on handles."""

_MID_RULES = ("P1", "P2", "P3")
LEAST_CALLS = 10
"""A smaller limit would end a question before its first depth is over."""


@dataclass(frozen=True)
class PogParameters:
    """Parameters of ``pog``."""

    profile: Literal["clean", "official"] = "clean"
    """``clean``: faults mended, lists numbered, malformed replies asked for again. ``official``: as published."""
    quirks: tuple[str, ...] = ()
    """Single quirks by id; ``-ID`` switches one off that the profile has on."""
    mid_rules: Literal["aware", "naive"] | None = None
    """What a handle is to the rules that know "begins with m." as "has no name": ``aware`` of hidden names, or ``naive``
    as published (quirks P1, P2, P3). Left out: ``aware`` in profile clean, ``naive`` in official."""
    depth: int = 4
    """D: depths at most."""
    temperature: float = 0.3
    """Of every call."""
    max_tokens: int = 4096
    """Longest reply."""
    max_corrections: int = 5
    """How often a question may add entities back."""
    sample: int = 10
    """Nodes kept of a large group of nodes without names."""
    dense_top: int = 70
    """Nodes of one group, and entities offered for correction, that one prompt lists at most."""
    max_calls_per_question: int = 0
    """Then the question is answered from what was found; 0: no limit, as published."""

    def __post_init__(self) -> None:
        if self.depth < 1 or self.sample < 1 or self.dense_top < 1 or self.max_tokens < 1:
            raise ValueError("depth, sample, dense_top and max_tokens must be at least 1")
        if not 0.0 <= self.temperature <= 2.0:
            raise ValueError("temperature lies between 0 and 2")
        if self.max_corrections < 0:
            raise ValueError("max_corrections must not be negative; 0 switches self-correction off")
        if self.max_calls_per_question and self.max_calls_per_question < LEAST_CALLS:
            raise ValueError(f"max_calls_per_question is 0 (no limit) or at least {LEAST_CALLS}")
        self.active  # noqa: B018 - refuse unknown quirks before anything is spent

    @cached_property
    def active(self) -> frozenset[str]:
        """Ids of the quirks that are on."""
        named = {quirk.removeprefix("-") for quirk in self.quirks}
        sign = {"naive": "", "aware": "-"}
        rules = [sign[self.mid_rules] + rule for rule in _MID_RULES if rule not in named] if self.mid_rules else []
        return active_quirks("pog", self.profile, (*rules, *self.quirks), QUIRKS)

    @property
    def official(self) -> bool:
        """True in profile ``official``."""
        return self.profile == "official"

    def has(self, quirk: str) -> bool:
        """Tell whether a quirk is on."""
        return quirk in self.active
