"""Progress over a grid: one bar or line for all runs, paced by expected calls, with one sum of money."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Any

import pytest
from rich.console import Console

from kgbench.cli.progress import GridBars, GridLines, GridProgress
from kgbench.cli.progress.grid_tally import GridTally, duration
from kgbench.cli.progress.tally import Tally
from kgbench.llm.ledger import Ledger
from kgbench.types import Usage


@dataclass
class FakeCard:
    calls: float
    parameters: None = None

    def expected_calls(self, parameters: None) -> tuple[float, float]:
        return (self.calls, self.calls * 2)


@dataclass
class FakeSpec:
    method: str = "io"
    scenario: str = "private"
    out: str = "runs"
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass
class FakePlan:
    card: FakeCard
    spec_id: str
    spec: FakeSpec = field(default_factory=FakeSpec)
    ledger: Ledger = field(default_factory=lambda: Ledger(lambda _model, usage: usage.calls / 2))


@dataclass
class FakeStanding:
    usd: float | None
    leaks: int = 0


@dataclass
class FakeJob:
    spec_id: str
    calls: float = 1.0
    questions: int = 10
    answered: int = 0
    finished: bool = False
    standing: FakeStanding | None = None
    spec: FakeSpec = field(default_factory=FakeSpec)
    label: str = "a row"

    @property
    def plan(self) -> FakePlan:
        return FakePlan(FakeCard(self.calls), self.spec_id)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def record(leaks: int = 0) -> dict[str, Any]:
    return {"status": "ok", "audit": {"leaks": leaks}, "total": {"logical": {"calls": 3}}}


def jobs() -> list[Any]:
    return [
        FakeJob("done", answered=10, finished=True, standing=FakeStanding(2.0)),
        FakeJob("cheap", calls=1.0),
        FakeJob("dear", calls=9.0),
    ]


def play(progress: GridProgress, clock: Clock) -> FakePlan:
    """Three runs, one of them finished before; the second is worked off in 100 seconds."""
    progress.grid_started(jobs(), 5.0)
    plan = FakePlan(FakeCard(1.0), "cheap")
    progress.started(plan, "io-1", 0, 10)  # type: ignore[arg-type]
    for number in range(10):
        clock.now += 10
        plan.ledger.record("answer", "model", billed=Usage(calls=1))
        progress.answered(record(leaks=int(number == 3)), 1.0)
    progress.finished("finished")
    return plan


def test_time_left_goes_by_expected_calls_and_money_over_all_runs(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    play(GridProgress(GridLines(), clock), clock)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["grid: 3 runs, 30 questions; 1 of the runs are finished", "io-1: 10 questions"]
    # 10 s a call, and ten questions of nine calls to come; 2 USD before and 5 now.
    assert lines[-1] == "grid: 2/3 runs  20/30 questions  leaks 1  7.0000 of 5 USD  about 15 min left"
    between = [line for line in lines if line.startswith("io-1: 3/10")]
    assert between == ["io-1: 3/10  Hits@1 1.000  errors 0  leaks 0  calls 9  1.5000 USD"]
    assert [line for line in lines if line.startswith("io-1: 1/10")] == []  # 10 s


def test_leaks_of_earlier_starts_are_not_forgotten(capsys: pytest.CaptureFixture[str]) -> None:
    known = [FakeJob("done", answered=10, finished=True, standing=FakeStanding(0.0, leaks=3)), FakeJob("new")]
    tally = GridTally({job.spec_id: job for job in known}, None, Clock())  # type: ignore[misc]
    assert "leaks 3" in tally.text()
    progress = GridProgress(GridLines(), Clock())
    progress.grid_started(known, None)  # type: ignore[arg-type]
    progress.started(known[1].plan, "new", 0, 10)  # type: ignore[arg-type]
    progress.answered(record(leaks=2), 1.0)
    progress.finished("finished")
    assert "leaks 5" in capsys.readouterr().err


def test_numbers_of_a_run_that_went_on_say_so() -> None:
    tally = Tally("run", "io", total=10, done=6, spent=lambda: 0.0)
    tally.add(record(), 1.0)
    assert tally.text().startswith("since it went on (1): Hits@1 1.000")
    fresh = Tally("run", "io", total=10, done=0, spent=lambda: 0.0)
    fresh.add(record(), 1.0)
    assert fresh.text().startswith("Hits@1 1.000")


def test_what_is_left_out_takes_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    progress = GridProgress(GridLines(), clock)
    play(progress, clock)
    progress.left_out(jobs()[2], "the budget\nis spent")
    progress.grid_finished()
    lines = capsys.readouterr().err.splitlines()
    assert lines[-2:] == ["kgbench: a row, private: the budget is spent", "grid: 2 of 3 runs finished, 1 min 40 s"]


def test_of_what_is_left_out_nothing_is_waited_for() -> None:
    clock = Clock()
    tally = GridTally({job.spec_id: job for job in jobs()}, None, clock)
    assert tally.seconds_left is None  # nothing was done yet
    clock.now += 50
    tally.answered["cheap"] = 5
    assert tally.seconds_left == 10 * 5 + 90 * 10
    tally.over.add("dear")
    assert tally.seconds_left == 10 * 5


def test_an_unknown_price_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    progress = GridProgress(GridLines(), Clock())
    progress.grid_started([FakeJob("x", standing=FakeStanding(None))], None)  # type: ignore[list-item]
    plan = FakePlan(FakeCard(1.0), "x", ledger=Ledger(lambda _model, _usage: None))
    plan.ledger.record("answer", "model", billed=Usage(calls=1))
    progress.started(plan, "io-1", 0, 10)  # type: ignore[arg-type]
    progress.answered(record(), None)
    progress.finished("failed")
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("grid: 0/1 runs  1/10 questions  leaks 0  price unknown")


def test_bars_show_all_runs_and_the_one_under_way_and_read_no_markup() -> None:
    clock = Clock()
    console = Console(file=io.StringIO(), force_terminal=True, width=160, color_system=None)
    progress = GridProgress(GridBars(console), clock)
    play(progress, clock)
    other = FakePlan(FakeCard(9.0), "dear", FakeSpec(method="[/red]odd"))
    progress.started(other, "odd-1", 0, 10)  # type: ignore[arg-type]
    progress.answered(record(), 0.0)
    progress.finished("stopped")
    progress.grid_finished()
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "all runs" in shown
    assert "21/30" in shown
    assert "2/3 runs  leaks 1  7.0000 of 5 USD" in shown
    assert "io-1: finished, 10/10  Hits@1 1.000" in shown
    assert "[/red]odd" in shown
    assert "odd-1: stopped, 1/10" in shown


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.6, "1 min"), (61, "1 min 1 s"), (3600, "1 h"), (12_000, "3 h 20 min"), (187_200, "2 d 4 h")],
)
def test_durations_have_their_two_largest_units(seconds: float, text: str) -> None:
    assert duration(seconds) == text
