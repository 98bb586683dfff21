"""What a run tells its listeners. The runner itself never prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from kgbench.run.plan import Plan
    from kgbench.types import JsonObject


class Listener(Protocol):
    """Hears of a run's progress, from the runner's own thread."""

    def started(self, plan: Plan, run_id: str, done: int, total: int) -> None:
        """The run begins or goes on, with ``done`` of ``total`` questions already answered."""

    def answered(self, record: JsonObject, hit: float | None) -> None:
        """One question of one trial has ended; ``hit`` is its hits1, or None where it is not scored."""

    def finished(self, status: str) -> None:
        """The run ended: ``finished``, ``stopped`` or ``failed``."""


class Silent:
    """A listener that does nothing."""

    def started(self, plan: Plan, run_id: str, done: int, total: int) -> None:
        """Do nothing."""

    def answered(self, record: JsonObject, hit: float | None) -> None:
        """Do nothing."""

    def finished(self, status: str) -> None:
        """Do nothing."""
