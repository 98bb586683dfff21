"""What a grid has done so far, in numbers, and how long the rest will take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.cli.progress.tally import money_text
from kgbench.config import method_parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kgbench.reproduce.jobs import Job


@dataclass
class GridTally:
    """Counts over all runs of a grid.

    Time left goes by expected calls, not by questions: a question of one method may take a hundred times as long as that
    of another.
    """

    jobs: Mapping[str, Job]
    """Spec id -> run."""
    budget: float | None
    clock: Callable[[], float]
    answered: dict[str, int] = field(default_factory=dict)
    """Spec id -> questions answered, those of earlier starts included."""
    over: set[str] = field(default_factory=set)
    """Runs of which nothing more will be heard: finished, failed, or left out."""
    finished: set[str] = field(default_factory=set)
    costs: dict[str, float | None] = field(default_factory=dict)
    """Spec id -> US dollars; None where a price is unknown."""
    leaks: int = 0
    """Of all runs, those of earlier starts included."""
    _began: float = 0.0
    _work_before: float = 0.0

    def __post_init__(self) -> None:
        for spec_id, job in self.jobs.items():
            self.answered[spec_id] = job.answered
            self.costs[spec_id] = 0.0 if job.standing is None else job.standing.usd
            self.leaks += 0 if job.standing is None else job.standing.leaks
        self.finished = {spec_id for spec_id, job in self.jobs.items() if job.finished}
        self.over = set(self.finished)
        self._began, self._work_before = self.clock(), self._work_done

    @property
    def questions(self) -> int:
        """Questions of all runs, times trials."""
        return sum(job.questions for job in self.jobs.values())

    @property
    def done(self) -> int:
        """Of these, how many are answered."""
        return sum(self.answered.values())

    @property
    def seconds(self) -> float:
        """Since the grid began or went on."""
        return self.clock() - self._began

    @property
    def seconds_left(self) -> float | None:
        """By the pace since this start; None before anything was done."""
        done = self._work_done - self._work_before
        if done <= 0:
            return None
        left = sum(
            calls_a_question(job) * (job.questions - self.answered[spec_id])
            for spec_id, job in self.jobs.items()
            if spec_id not in self.over
        )
        return self.seconds / done * left

    @property
    def _work_done(self) -> float:
        return sum(calls_a_question(self.jobs[spec_id]) * count for spec_id, count in self.answered.items())

    @property
    def usd(self) -> float | None:
        """What all runs have cost; None where a price is unknown."""
        known = [cost for cost in self.costs.values() if cost is not None]
        return None if len(known) < len(self.costs) else sum(known)

    def text(self, *, questions: bool = True) -> str:
        """The numbers in one line; ``questions`` are left out beside a bar that shows them."""
        left = self.seconds_left
        parts = [
            f"{len(self.finished)}/{len(self.jobs)} runs",
            *([f"{self.done}/{self.questions} questions"] if questions else []),
            f"leaks {self.leaks}",
            money_text(self.usd, self.budget),
            *([f"about {duration(left)} left"] if left else []),
        ]
        return "  ".join(parts)


def calls_a_question(job: Job) -> float:
    """Expected calls a question, 1 where the method does not say."""
    card = job.plan.card
    if card.expected_calls is None:
        return 1.0
    parameters = method_parameters(card.parameters, job.spec.parameters, job.spec.method)
    return max(1.0, card.expected_calls(parameters)[0])


def duration(seconds: float) -> str:
    """A length of time with its two largest units."""
    whole = round(seconds)
    for unit, size, smaller, part in (("d", 86400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1)):
        if whole >= size:
            rest = whole % size // part
            return f"{whole // size} {unit}" + (f" {rest} {smaller}" if rest else "")
    return f"{whole} s"
