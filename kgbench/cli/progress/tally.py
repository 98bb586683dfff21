"""What a run has done so far, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.types import ERROR_STATUSES

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.types import JsonObject


@dataclass
class Tally:
    """What a run has done so far."""

    run_id: str
    method: str
    total: int
    done: int
    """Questions answered, those of an earlier start included."""
    spent: Callable[[], float | None]
    """US dollars paid by now; None where a price is unknown."""
    answered: int = 0
    """Questions answered since this start."""
    hits: float = 0.0
    errors: int = 0
    leaks: int = 0
    calls: int = 0

    def add(self, record: JsonObject, hit: float | None) -> None:
        """Count one answered question."""
        self.done += 1
        self.answered += 1
        self.hits += hit or 0.0
        self.errors += record["status"] in tuple(ERROR_STATUSES)
        self.leaks += record["audit"].get("leaks", 0)
        self.calls += record["total"]["logical"]["calls"]

    def text(self) -> str:
        """The numbers in one line; they are those of this start, and where it went on with a run they say so."""
        hits = f"{self.hits / self.answered:.3f}" if self.answered else "-"
        since = f"since it went on ({self.answered}): " if self.done > self.answered else ""
        counts = f"Hits@1 {hits}  errors {self.errors}  leaks {self.leaks}  calls {self.calls}"
        return f"{since}{counts}  {money_text(self.spent())}"


def money_text(usd: float | None, budget: float | None = None) -> str:
    """What was spent, and of how much where there is a budget."""
    if usd is None:
        return "price unknown"
    return f"{usd:.4f} USD" if budget is None else f"{usd:.4f} of {budget:g} USD"
