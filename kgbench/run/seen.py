"""What one question showed to the provider and used, phase by phase: counts for its record, never a text.

The counts are read off the entries of ``calls.jsonl`` as they are written, so that both say the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from kgbench.types import Zone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgbench.types import JsonObject

ANY = "any"
"""In place of a phase: all phases together. A text that two phases show is one distinct text here."""
LOCAL = "local"
"""In place of a phase: calls of the trusted zone, which the provider does not see."""
USED = ("calls", "input_tokens", "output_tokens")


class Seen:
    """Counts the calls of one question and trial."""

    def __init__(self) -> None:
        self._prompts: Counter[str] = Counter()
        self._spans: dict[str, Counter[str]] = defaultdict(Counter)
        self._texts: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._used: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))

    def read(self, call: JsonObject) -> None:
        """Count one entry of ``calls.jsonl``."""
        phase = str(call["phase"]) if call["zone"] == Zone.REMOTE else LOCAL
        if "usage" in call:
            logical = call["usage"]["logical"]
            self._used[phase][str(call["stage"])].update({key: logical[key] for key in USED})
        if phase != LOCAL and "messages" in call:  # a request that was stopped has none
            self._show(phase, call)

    def _show(self, phase: str, call: JsonObject) -> None:
        turn = call["messages"][-1]["content"]
        self._prompts[phase] += 1
        for start, end, origin in call["spans"]:
            self._spans[phase][str(origin)] += 1
            for place in (phase, ANY):
                self._texts[place][str(origin)].add(turn[start:end])

    def phases(self) -> dict[str, dict[str, dict[str, int]]]:
        """Phase -> stage -> calls and tokens that the method needed, in the order of the first call."""
        return {phase: {stage: dict(used) for stage, used in stages.items()} for phase, stages in self._used.items()}

    def texts(self, *origins: str) -> frozenset[str]:
        """Distinct texts of some origins that prompts showed to the provider."""
        return frozenset().union(*(self._texts[ANY][origin] for origin in origins if origin in self._texts[ANY]))

    def exposure(self) -> JsonObject:
        """What the provider saw: prompts, and by phase and origin of a stretch of text how many, and how many distinct."""
        return {
            "prompts": dict(sorted(self._prompts.items())),
            "spans": {phase: dict(sorted(counts.items())) for phase, counts in sorted(self._spans.items())},
            "distinct": {phase: _sizes(texts) for phase, texts in sorted(self._texts.items())},
        }


def _sizes(texts: Mapping[str, set[str]]) -> dict[str, int]:
    return {origin: len(found) for origin, found in sorted(texts.items())}
