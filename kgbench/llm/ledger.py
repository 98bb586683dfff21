"""Who used how much: per stage, what the method needed (logical) and what this run paid (billed).

Logical usage counts cached calls at their original tokens and feeds the leaderboard; billed usage feeds the budget.
Counts are integers and costs are worked out when read, so that no sum depends on the order in which threads came.
"""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from kgbench.errors import BudgetExhausted, UsageError
from kgbench.types import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    CostOf = Callable[[str, Usage], float | None]
    """(priced name of a model, usage) -> USD, or None where the price is unknown."""

_NOTHING = Usage()


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may spend; None: no bound. Questions under way when it is reached may go over it by a call each."""

    usd: float | None = None
    calls: int | None = None
    """Calls that were sent; replies from the cache are free."""
    tokens: int | None = None
    """Input and output tokens billed."""

    def __post_init__(self) -> None:
        if any(bound is not None and bound < 0 for bound in (self.usd, self.calls, self.tokens)):
            raise UsageError("a budget must be 0 or more (usd, calls, tokens)")


@dataclass(frozen=True, slots=True)
class Spending:
    """Usage of a stage or of everything, with its cost."""

    logical: Usage = _NOTHING
    billed: Usage = _NOTHING
    logical_usd: float | None = 0.0
    """None where a model's price is unknown."""
    billed_usd: float | None = 0.0

    def __add__(self, other: Spending) -> Spending:
        return Spending(
            self.logical + other.logical,
            self.billed + other.billed,
            _plus(self.logical_usd, other.logical_usd),
            _plus(self.billed_usd, other.billed_usd),
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain values for a record."""
        return asdict(self)


class Ledger:
    """Counts usage. Thread safe.

    Args:
        cost: prices usage, such as :meth:`kgbench.llm.prices.PriceTable.cost`.
        budget: what may be spent.
        parent: a ledger that everything is also recorded in: the run's, for a question's ledger.
    """

    def __init__(self, cost: CostOf, budget: Budget | None = None, parent: Ledger | None = None) -> None:
        self._cost = cost
        self.budget = budget or Budget()
        self._parent = parent
        self._lock = threading.Lock()
        self._usage: dict[tuple[str, str], tuple[Usage, Usage]] = {}

    def record(self, stage: str, model: str, *, logical: Usage = _NOTHING, billed: Usage = _NOTHING) -> None:
        """Add the usage of a call.

        Args:
            stage: the step of the method.
            model: name under which it is priced, see :func:`kgbench.llm.prices.priced_name`.
            logical: what the method needed.
            billed: what was paid for; nothing for a reply from the cache.
        """
        with self._lock:
            old_logical, old_billed = self._usage.get((stage, model), (_NOTHING, _NOTHING))
            self._usage[stage, model] = (old_logical + logical, old_billed + billed)
        if self._parent is not None:
            self._parent.record(stage, model, logical=logical, billed=billed)

    def stages(self) -> dict[str, Spending]:
        """Return the spending of each stage, by name."""
        stages: dict[str, Spending] = {}
        for (stage, model), (logical, billed) in self._entries():
            stages[stage] = stages.get(stage, Spending()) + self._priced(model, logical, billed)
        return stages

    def total(self) -> Spending:
        """Return the spending of all stages."""
        return _sum(self._priced(model, logical, billed) for (_, model), (logical, billed) in self._entries())

    def check_budget(self) -> None:
        """Make sure that another call may be paid for, here and in the parent.

        Raises:
            BudgetExhausted: the budget is spent, or it is in USD and a price is unknown.
        """
        reason = _spent(self.budget, self.total()) if self.budget != Budget() else None
        if reason:
            raise BudgetExhausted(f"{reason}; raise --budget and go on with: kgbench resume RUN")
        if self._parent is not None:
            self._parent.check_budget()

    def require_price(self, model: str) -> None:
        """Make sure, before the first call, that a budget in USD can be kept.

        Raises:
            UsageError: it cannot, for the price of ``model`` is unknown.
        """
        if self.budget.usd is not None and self._cost(model, _NOTHING) is None:
            raise UsageError(
                f'a budget in USD needs the price of "{model}", which is unknown: '
                "state it in a file that $KGBENCH_PRICES names, or bound the calls instead"
            )

    def _entries(self) -> list[tuple[tuple[str, str], tuple[Usage, Usage]]]:
        with self._lock:
            return sorted(self._usage.items(), key=lambda entry: entry[0])

    def _priced(self, model: str, logical: Usage, billed: Usage) -> Spending:
        return Spending(logical, billed, self._usd(model, logical), self._usd(model, billed))

    def _usd(self, model: str, usage: Usage) -> float | None:
        # Nothing costs nothing, at whatever price.
        return 0.0 if usage == _NOTHING else self._cost(model, usage)


def _spent(budget: Budget, total: Spending) -> str | None:
    """Which bound is reached, or None."""
    if budget.calls is not None and total.billed.calls >= budget.calls:
        return f"the budget of {budget.calls} calls is spent"
    tokens = total.billed.input_tokens + total.billed.output_tokens
    if budget.tokens is not None and tokens >= budget.tokens:
        return f"the budget of {budget.tokens} tokens is spent ({tokens} used)"
    if budget.usd is None:
        return None
    if total.billed_usd is None:
        return "the budget is in USD and the price of a model is unknown, so it cannot be kept"
    if total.billed_usd >= budget.usd:
        return f"the budget of {budget.usd:g} USD is spent ({total.billed_usd:.4f} used)"
    return None


def _plus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


def _sum(spendings: Iterable[Spending]) -> Spending:
    total = Spending()
    for spending in spendings:
        total = total + spending
    return total
