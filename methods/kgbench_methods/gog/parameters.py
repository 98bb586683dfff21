"""The knobs of GoG. Defaults are those of the published runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from kgbench_methods.common.quirks import active_quirks
from kgbench_methods.gog.quirks import MID_RULES, QUIRKS

MOST_STEPS = 10
"""Steps that the agent prompt has room for."""
_MOST_SAMPLES = 20
_AT_LEAST_ONE = ("expansions", "relation_width", "triples_per_relation", "related_triples", "most_searched")


@dataclass(frozen=True)
class GogParameters:
    """Parameters of ``gog``."""

    profile: Literal["clean", "official"] = "clean"
    """``clean``: faults mended. ``official``: as the published code, with its quirks."""
    quirks: tuple[str, ...] = ()
    """Quirks of the published code to switch on by id, or off with a ``-`` before the id."""
    mid_rules: Literal["aware", "naive"] | None = None
    """What an id is to the rules that know "id" as "intermediate node": ``aware`` of hidden names, which may be answers, or
    ``naive`` as published (quirks G1, G2, G3). Left out: ``aware`` in profile clean, ``naive`` in official."""
    steps: int = 6
    """Most steps of the agent."""
    expansions: int = 3
    """At this many replies ``Finish[unknown]`` the model answers from memory; before, the last search is widened."""
    relation_width: int = 3
    """Relations asked for and kept of an entity."""
    triples_per_relation: int = 5
    """Facts kept of one relation of an entity."""
    related_triples: int = 10
    """Facts that the Generate prompt shows."""
    sc_num: int = 1
    """Samples of Generate; with more than one, a self-check keeps the plausible facts in one more call."""
    most_searched: int = 15
    """Entities that one step searches; not bounded in the published code."""
    temperature: float = 0.7
    """Temperature of every call."""
    prompt_limit: int | None = None
    """Tokens from which on a prompt is not sent and the model answers from memory. By profile 4096 (official) or the
    model's own window (clean)."""
    incomplete: float = 0.0
    """Share of the facts between entities that the method does not get to see: the incomplete-graph setting."""

    def __post_init__(self) -> None:
        if not 1 <= self.steps <= MOST_STEPS:
            raise ValueError(f"steps lies between 1 and {MOST_STEPS}")
        if not 1 <= self.sc_num <= _MOST_SAMPLES:
            raise ValueError(f"sc_num lies between 1 and {_MOST_SAMPLES}")
        for name in _AT_LEAST_ONE:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1")
        if self.relation_width > 999:
            raise ValueError("relation_width is at most 999")
        if not 0.0 <= self.temperature <= 2.0:
            raise ValueError("temperature lies between 0 and 2")
        if self.prompt_limit is not None and self.prompt_limit < 1:
            raise ValueError("prompt_limit must be at least 1")
        if not 0.0 <= self.incomplete < 1.0:
            raise ValueError("incomplete is a share from 0 to less than 1")
        self.active  # noqa: B018 - an unknown quirk is refused before the first question

    @cached_property
    def active(self) -> frozenset[str]:
        """Ids of the quirks that are on; one that is named singly goes before ``mid_rules``."""
        named = {quirk.removeprefix("-") for quirk in self.quirks}
        sign = {"naive": "", "aware": "-"}
        rules = [sign[self.mid_rules] + rule for rule in MID_RULES if rule not in named] if self.mid_rules else []
        return active_quirks("gog", self.profile, (*rules, *self.quirks), QUIRKS)

    def has(self, quirk: str) -> bool:
        """True where a quirk of the published code is on."""
        return quirk in self.active

    @property
    def official(self) -> bool:
        """True for the profile ``official``."""
        return self.profile == "official"

    @property
    def largest_prompt(self) -> int | None:
        """Estimated tokens from which on a prompt is not sent; None for no limit but the model's window."""
        return self.prompt_limit if self.prompt_limit is not None else (4096 if self.official else None)

    @property
    def memory_tries(self) -> int:
        """How often the model is asked to answer from memory before that counts as failed."""
        return 5 if self.official else 2
