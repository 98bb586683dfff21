"""Splitting the questions of a run into several rows, by a tag."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgbench.errors import UsageError
from kgbench.registry import unknown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench.report.measures import FinishedRun


@dataclass(frozen=True, slots=True)
class Split:
    """How questions are split into rows: by the values of a tag, or by an edge between its numbers."""

    tag: str
    edge: float | None = None

    @classmethod
    def parse(cls, text: str) -> Split:
        """Read ``TAG`` or ``TAG:EDGE``; a number behind the last colon is an edge."""
        tag, colon, edge = text.rpartition(":")
        if colon and re.fullmatch(r"-?\d+(\.\d+)?", edge):
            return cls(tag, float(edge))
        return cls(text)

    def part(self, tags: Mapping[str, Any]) -> str:
        """Name the part that a question with these tags belongs to."""
        value = tags.get(self.tag)
        if value is None:
            return f"{self.tag} missing"
        if self.edge is None:
            return f"{self.tag}={value}"
        try:
            number = float(value)
        except (TypeError, ValueError):
            return f"{self.tag} no number"
        return f"{self.tag}{'<' if number < self.edge else '>='}{self.edge:g}"

    def require(self, runs: Sequence[FinishedRun]) -> None:
        """Make sure that the questions of some run have the tag.

        Raises:
            UsageError: none has (with the nearest tags).
        """
        tags = [tags for run in runs for tags in run.loaded.tags.values()]
        if not any(self.tag in one for one in tags):
            known = sorted({tag for one in tags for tag in one})
            raise UsageError("--by: " + (unknown("tag", self.tag, known) if known else "the questions have no tags"))


def parts(run: FinishedRun, split: Split | None) -> dict[str, tuple[str, ...]]:
    """Name -> questions of each part of a run, by name; one part without a name where nothing is split."""
    found: dict[str, list[str]] = {}
    for question_id in run.question_ids:
        part = split.part(run.loaded.tags[question_id]) if split is not None else ""
        found.setdefault(part, []).append(question_id)
    return {part: tuple(questions) for part, questions in sorted(found.items())}
