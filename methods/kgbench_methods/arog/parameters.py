"""The knobs of ARoG. Defaults are those of the paper (section 4.1) in profile ``paper``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class ArogParameters:
    """Parameters of ``arog``."""

    profile: Literal["paper", "official"] = "paper"
    """``paper``: the equations, free of privacy side channels. ``official``: selection by real names, relations used once,
    evidence thrown away at a dead end, as in the published code."""
    width: int = 3
    """W: relations chosen an entity, clusters kept and frontier entities an iteration; 1..4 in the paper."""
    depth: int = 3
    """D: iterations; 1..4 in the paper."""
    top_k: int = 5
    """K: relations that describe a cluster (step 2)."""
    steps: tuple[int, ...] = (1, 2, 3)
    """Steps of relation-centric abstraction: 1 retrieval, 2 top-K filter, 3 concept naming. Table 2's rows."""
    sa: Literal["path", "off", "cot", "dec"] = "path"
    """Structure-oriented abstraction: abstract path, none, chain of thought, or question decomposition (figure 4)."""
    signature: Literal["union", "representative"] = "union"
    """What describes a cluster: the relations of all its members, or of the member that has most of them."""
    concept_cache: bool = False
    """Reuse the concept of an identical abstraction prompt within a question: fewer calls, other random draws."""
    pg_judge: bool = True
    """Show names to the judge in ``p-g`` too; off: only the answer prompt shows them there, as in the published code."""
    retrieval_temperature: float = 0.4
    """Temperature of relation retrieval and entity abstraction."""

    def __post_init__(self) -> None:
        if self.width < 1 or self.depth < 1 or self.top_k < 1:
            raise ValueError("width, depth and top_k must be at least 1")
        if tuple(sorted(set(self.steps))) not in {(1,), (1, 3), (1, 2, 3)}:
            raise ValueError(
                "steps is one of [1], [1, 3], [1, 2, 3]: step 1 cannot be left out, and step 2 only selects for step 3"
            )
        if not 0.0 <= self.retrieval_temperature <= 2.0:
            raise ValueError("retrieval_temperature lies between 0 and 2")

    @property
    def official(self) -> bool:
        """True for the profile ``official``."""
        return self.profile == "official"

    @property
    def filters(self) -> bool:
        """True where step 2 is on."""
        return 2 in self.steps

    @property
    def names_concepts(self) -> bool:
        """True where step 3 is on."""
        return 3 in self.steps
