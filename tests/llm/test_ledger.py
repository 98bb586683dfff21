from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import BudgetExhausted, UsageError
from kgbench.llm.ledger import Budget, Ledger, Spending
from kgbench.types import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CALL = Usage(calls=1, input_tokens=1000, output_tokens=100, requests=1)


def cost(model: str, usage: Usage) -> float | None:
    return None if model == "unknown" else (usage.input_tokens + 10 * usage.output_tokens) / 1e6


def ledger(**budget: float) -> Ledger:
    return Ledger(cost, Budget(**budget))  # type: ignore[arg-type]


def test_logical_and_billed_are_kept_apart_by_stage() -> None:
    book = ledger()
    book.record("prune", "known", logical=CALL, billed=CALL)
    book.record("prune", "known", logical=CALL)  # a reply from the cache
    book.record(
        "answer", "known", logical=CALL, billed=Usage(calls=1, input_tokens=1000, output_tokens=100, requests=3)
    )
    stages = book.stages()
    assert list(stages) == ["answer", "prune"]
    assert stages["prune"].logical == CALL + CALL
    assert stages["prune"].billed == CALL
    assert stages["prune"].logical_usd == pytest.approx(0.004)
    assert stages["prune"].billed_usd == pytest.approx(0.002)
    assert stages["answer"].billed.requests == 3
    total = book.total()
    assert total.logical.calls == 3
    assert total.billed.calls == 2
    assert total == stages["prune"] + stages["answer"]


def test_an_empty_ledger_costs_nothing() -> None:
    assert ledger().total() == Spending()
    assert ledger().total().billed_usd == 0.0
    assert ledger().stages() == {}


def test_an_unknown_price_makes_every_sum_unknown_but_nothing_still_costs_nothing() -> None:
    book = ledger()
    book.record("prune", "known", logical=CALL, billed=CALL)
    book.record("answer", "unknown", logical=CALL)
    assert book.stages()["prune"].billed_usd == pytest.approx(0.002)
    assert book.stages()["answer"].logical_usd is None
    assert book.total().logical_usd is None
    assert book.total().billed_usd == pytest.approx(0.002), "the unknown model was not paid for"
    book.record("answer", "unknown", billed=CALL)
    assert book.total().billed_usd is None


def test_a_questions_ledger_is_counted_in_the_runs() -> None:
    run = ledger(calls=2)
    first, second = Ledger(cost, parent=run), Ledger(cost, parent=run)
    first.record("prune", "known", logical=CALL, billed=CALL)
    second.check_budget()
    second.record("prune", "known", logical=CALL, billed=CALL)
    assert first.total().billed.calls == 1
    assert run.total().billed.calls == 2
    with pytest.raises(BudgetExhausted):
        first.check_budget()


@pytest.mark.parametrize(
    ("budget", "complaint"),
    [
        ({"calls": 2}, "2 calls"),
        ({"tokens": 2000}, r"2000 tokens.*2200 used"),
        ({"usd": 0.003}, r"0\.003 USD.*0\.0040"),
    ],
)
def test_a_budget_stops_once_it_is_reached(budget: dict[str, float], complaint: str) -> None:
    book = ledger(**budget)
    book.record("prune", "known", logical=CALL, billed=CALL)
    book.check_budget()
    book.record("prune", "known", logical=CALL + CALL + CALL)
    book.check_budget()
    book.record("prune", "known", billed=CALL)
    with pytest.raises(BudgetExhausted, match=f"{complaint}.*resume"):
        book.check_budget()


def test_a_budget_of_zero_calls_sends_nothing_and_no_budget_stops_nothing() -> None:
    with pytest.raises(BudgetExhausted):
        ledger(calls=0).check_budget()
    book = ledger()
    book.record("prune", "unknown", billed=CALL)
    book.check_budget()


def test_a_budget_in_usd_needs_a_price() -> None:
    book = ledger(usd=1.0)
    book.require_price("known")
    with pytest.raises(UsageError, match=r'"unknown".*KGBENCH_PRICES'):
        book.require_price("unknown")
    ledger(calls=5).require_price("unknown")
    book.record("prune", "unknown", billed=CALL)
    with pytest.raises(BudgetExhausted, match="price of a model is unknown"):
        book.check_budget()


def test_a_negative_budget_is_refused() -> None:
    with pytest.raises(UsageError):
        Budget(usd=-1.0)


def _record_all(book: Ledger, calls: Sequence[Usage]) -> None:
    for usage in calls:
        book.record(f"stage{usage.input_tokens % 3}", "known", logical=usage)


@pytest.fixture
def _hasty_threads() -> Iterator[None]:
    """Switch threads at nearly every step, so that a missing lock shows."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("_hasty_threads")
def test_threads_lose_nothing_and_their_order_changes_nothing() -> None:
    calls = [Usage(calls=1, input_tokens=number, output_tokens=number % 7) for number in range(1, 4001)]
    books = []
    for order in (calls, calls[::-1]):
        book = ledger()
        with ThreadPoolExecutor(8) as pool:
            for share in range(8):
                pool.submit(_record_all, book, order[share::8])
        books.append(book)
    assert books[0].total() == books[1].total()
    assert books[0].stages() == books[1].stages()
    assert books[0].total().logical.input_tokens == 4000 * 4001 // 2


def test_spending_is_plain_json() -> None:
    book = ledger()
    book.record("prune", "unknown", logical=CALL)
    values = json.loads(json.dumps(book.total().to_json()))
    assert values["logical"]["input_tokens"] == 1000
    assert values["logical_usd"] is None
    assert values["billed_usd"] == 0.0
