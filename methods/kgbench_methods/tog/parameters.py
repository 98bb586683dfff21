"""The knobs of ToG, and the quirks of its published code (IDEA-FinAI/ToG, commit 7ccbb92)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from kgbench_methods.common.quirks import Quirk, active_quirks

QUIRKS = (
    Quirk("Q1", "the query for incoming neighbours has its arguments swapped: relations that arrive lead nowhere"),
    Quirk("Q2", "relations are read in the form {label (Score: x)} only, and the exemplar has a parenthesis too many"),
    Quirk(
        "Q3", "candidates are shortened to those shown and continued from the full list: A is shown, B is walked from"
    ),
    Quirk("Q4", "a fact that was walked against its direction is shown the wrong way round"),
    Quirk("Q5", "question label, line end before the answer cue and a placeholder are missing or left over in prompts"),
    Quirk("Q6", "evaluate and answer see the facts of all depths, not of the last one", clean=True),
    Quirk("Q7", "a half stop on zero scores does not end the question: the depth repeats, and the last record counts"),
    Quirk("Q8", "the direction by which an entity was reached is looked up by position and shifts after a duplicate"),
    Quirk("Q9", "a label in both directions is followed outwards only; one that was not offered is followed inwards"),
    Quirk("Q10", "scores of candidates are all decimals of the whole reply; integers are no scores"),
    Quirk(
        "Q11",
        "large clusters are sampled without a seed",
        official=False,
        refused="an unseeded sample makes a run that can be neither repeated nor resumed; samples are seeded",
    ),
    Quirk("Q12", "a relation that a reply names twice is followed twice, and its facts take places of the beam"),
    Quirk("Q13", "the evidence is thrown away where the depth is used up"),
    Quirk("Q14", "a boolean option given on the command line is always true: filter_relations=false has no effect"),
    Quirk(
        "Q15",
        "the loop for Wikidata: values are dead ends, samples of 10, zero scores become equal ones, generic relations go",
        official=False,
    ),
    Quirk("all_relations", "all relations that the reply names are followed, not W"),
    Quirk("ask_empty", "the model is asked to choose from an empty list of relations"),
    Quirk("g_ids", "entities whose ids start with g. are dropped"),
    Quirk("raw_tokens", "BM25 compares whole labels, white space apart"),
    Quirk("ties", "equal scores keep the order of arrival"),
    Quirk("user_relations", "relations of Freebase's user.* domain are offered"),
    Quirk("way_back", "all relations kept at the depth before are left out in the direction that one came by"),
)
"""Numbered as in the list of known faults of the code; the named ones are differences that have no number there."""

Pruner = Literal["llm", "bm25", "embedding"]


@dataclass(frozen=True)
class TogParameters:
    """Parameters of ``tog``."""

    profile: Literal["clean", "official"] = "clean"
    """``clean``: faults mended. ``official``: as the published code does it."""
    quirks: tuple[str, ...] = ()
    """Ids of quirks to switch on, or off with ``-`` before them, such as ``["-Q1"]``."""
    pruner: Pruner = "llm"
    """What chooses relations and scores entities. ``bm25`` and ``embedding`` need no model for it."""
    width: int = 3
    """W: relations asked for at an entity, and facts kept at a depth."""
    depth: int = 3
    """D: steps from the topics."""
    max_rel: int | None = None
    """Most relations that are followed from an entity; default: W, and all that the reply names in ``official``."""
    explore_temperature: float = 0.4
    """Temperature of relation and entity pruning."""
    reason_temperature: float = 0.0
    """Temperature of evaluation, answer and fallback."""
    max_tokens: int = 256
    """Length of every reply."""
    large_cluster: int = 20
    """Entities behind one relation from which on they are sampled before the model scores them."""
    sample_size: int | None = None
    """How many are sampled; default: 5, and 10 with quirk Q15."""
    filter_relations: bool = True
    """Leave out bookkeeping relations."""
    keep_kg_rels: bool = False
    """Offer ``kg.*`` and ``type.object.key`` too, as the published filter does."""
    max_relations_in_prompt: int | None = None
    """Longest list of relations in a prompt; the ones closest to the question are kept. Default: no limit."""
    tog_literals: bool = False
    """Let dates, numbers and strings be reached. The published code drops them."""
    unnamed_hidden: Literal["handle", "placeholder"] = "handle"
    """How a mediator counts where names are hidden: as any other node, or as a node without a name (ARoG's code)."""
    id_hint: bool = False
    """Tell the model that codes stand for known things. The published prompts do not."""
    rank_names: bool = False
    """Let pruner ``embedding`` compare real names, locally; the record then says ``names_in_selection``."""

    def __post_init__(self) -> None:
        least_one = (self.width, self.depth, self.large_cluster, self.max_tokens)
        if min(least_one) < 1:
            raise ValueError("width, depth, large_cluster and max_tokens must be at least 1")
        optional = (self.max_rel, self.sample_size, self.max_relations_in_prompt)
        if any(value is not None and value < 1 for value in optional):
            raise ValueError("max_rel, sample_size and max_relations_in_prompt must be at least 1 where they are given")
        if not (0.0 <= self.explore_temperature <= 2.0 and 0.0 <= self.reason_temperature <= 2.0):
            raise ValueError("temperatures lie between 0 and 2")
        if self.rank_names and self.pruner != "embedding":
            raise ValueError(
                "rank_names needs pruner=embedding: names are compared by the harness alone, which does it by embeddings; "
                "bm25 would need the words of the names, and a method never holds a name"
            )
        _ = self.active  # an unknown or refused quirk ends the command here, before the first call

    @cached_property
    def active(self) -> frozenset[str]:
        """Ids of the quirks that are on."""
        return active_quirks("tog", self.profile, self.quirks, QUIRKS)

    @property
    def official(self) -> bool:
        """True where the prompts are laid out as the published code does it."""
        return self.profile == "official"

    @property
    def most_labels(self) -> int | None:
        """Most labels followed from an entity; None for all that a reply names."""
        if self.max_rel is not None:
            return self.max_rel
        return None if "all_relations" in self.active else self.width

    @property
    def sampled(self) -> int:
        """Size of a sample."""
        if self.sample_size is not None:
            return self.sample_size
        return 10 if "Q15" in self.active else 5

    @property
    def filters(self) -> bool:
        """True where bookkeeping relations are left out."""
        return self.filter_relations or "Q14" in self.active

    @property
    def reaches_literals(self) -> bool:
        """True where a literal may be reached."""
        return self.tog_literals or "Q15" in self.active
