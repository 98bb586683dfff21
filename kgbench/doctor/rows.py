"""What a check says: one row, with what was found and what to do next."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class State(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARNING = "warning"
    """A run works, but perhaps not as it is meant."""
    FAILED = "failed"
    """A run would end at once, or its numbers would mean nothing."""
    NOT_CHECKED = "not checked"
    """It cannot be told, or something that it needs has failed."""


@dataclass(frozen=True, slots=True)
class CheckRow:
    """The outcome of one check. Holds no name, alias or literal of a graph, and no key."""

    check: str
    state: State
    found: str
    """What is there."""
    next: str = ""
    """What to do; empty where there is nothing to do, or ``found`` is an error that says it."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """The same for machines, JSON-ready."""

    def to_json(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {
            "check": self.check,
            "state": str(self.state),
            "found": self.found,
            "next": self.next,
            "facts": dict(self.facts),
        }


def ok(check: str, found: str, **facts: Any) -> CheckRow:
    """A check that found all in order."""
    return CheckRow(check, State.OK, found, facts=facts)


def warning(check: str, found: str, next_step: str, **facts: Any) -> CheckRow:
    """A check that found something to look at."""
    return CheckRow(check, State.WARNING, found, next_step, facts)


def failed(check: str, found: str, next_step: str = "", **facts: Any) -> CheckRow:
    """A check that found what keeps a run from working."""
    return CheckRow(check, State.FAILED, found, next_step, facts)


def not_checked(check: str, why: str, next_step: str = "", **facts: Any) -> CheckRow:
    """A check that could not be made."""
    return CheckRow(check, State.NOT_CHECKED, why, next_step, facts)


def counts(rows: Iterable[CheckRow]) -> dict[str, int]:
    """State -> number of rows, every state in order."""
    found = dict.fromkeys(map(str, State), 0)
    for row in rows:
        found[str(row.state)] += 1
    return found
