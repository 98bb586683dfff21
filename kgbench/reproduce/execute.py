"""Working off the runs of a grid: what is there is used, what was begun goes on, what fails stops nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kgbench.errors import FatalModelError, KgbenchError, RunStopped
from kgbench.reproduce.shelf import standing_of
from kgbench.run.runner import resume, start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.reproduce.jobs import Job
    from kgbench.reproduce.opening import Opened
    from kgbench.run.events import Listener
    from kgbench.run.plan import Plan
    from kgbench.types import JsonObject


class GridListener(Protocol):
    """Hears of a grid's progress, and of each run's as :class:`kgbench.run.events.Listener` does."""

    def grid_started(self, jobs: Sequence[Job], budget: float | None) -> None:
        """The grid begins, with all its runs; those that are finished will not be heard of again."""

    def started(self, plan: Plan, run_id: str, done: int, total: int) -> None:
        """A run begins or goes on."""

    def answered(self, record: JsonObject, hit: float | None) -> None:
        """One question of one trial has ended."""

    def finished(self, status: str) -> None:
        """A run ended: ``finished``, ``stopped`` or ``failed``."""

    def left_out(self, job: Job, reason: str) -> None:
        """A run ended without a result, or did not begin."""

    def grid_finished(self) -> None:
        """Nothing more is to be done, or the user stopped it."""


@dataclass
class Outcome:
    """What became of the runs of a grid."""

    runs: dict[str, Path] = field(default_factory=dict)
    """Spec id -> folder, of every run that there is."""
    failed: dict[str, str] = field(default_factory=dict)
    """Spec id -> why a run failed; what it has answered until then is kept."""
    unstarted: dict[str, str] = field(default_factory=dict)
    """Spec id -> why a run did not begin or go on."""


@dataclass
class _Money:
    """One budget over all runs: what they cost together, earlier starts included."""

    budget: float | None
    costs: dict[str, float]
    """Spec id -> US dollars."""

    def left_for(self, spec_id: str) -> float | None:
        """What a run may cost in all; None without a budget."""
        if self.budget is None:
            return None
        return self.budget - sum(cost for key, cost in self.costs.items() if key != spec_id)

    def spent(self, spec_id: str) -> bool:
        """True where a run can ask nothing more."""
        left = self.left_for(spec_id)
        return left is not None and left <= self.costs.get(spec_id, 0.0)


@dataclass
class Execution:
    """Runs the jobs of a grid one after the other; the questions of a run go side by side."""

    jobs: Sequence[Job]
    opened: Opened
    listener: GridListener
    budget: float | None = None
    """US dollars that all runs of the grid may cost together, earlier starts included."""
    debug: bool = False

    def run(self) -> Outcome:
        """Work off what is left.

        Raises:
            PrerequisiteMissing: the model cannot be asked, for want of a key; nothing was begun.
            RunStopped: the user stopped it; the same command goes on.
        """
        left = [job for job in self.jobs if not job.finished]
        for job in left:
            check = getattr(job.plan.remote.model, "check", None)
            if check is not None:
                check()
        outcome = Outcome({job.spec_id: job.standing.path for job in self.jobs if job.standing is not None})
        money = _Money(self.budget, {job.spec_id: job.standing.usd or 0.0 for job in self.jobs if job.standing})
        self.listener.grid_started(self.jobs, self.budget)
        try:
            self._work(left, outcome, money)
        except (KeyboardInterrupt, RunStopped):
            raise RunStopped(self._stopped(outcome)) from None
        finally:
            self.listener.grid_finished()
        return outcome

    def _work(self, left: Sequence[Job], outcome: Outcome, money: _Money) -> None:
        unusable = ""
        for job in left:
            reason = unusable or ("the budget is spent" if money.spent(job.spec_id) else "")
            if reason:
                outcome.unstarted[job.spec_id] = reason
                self.listener.left_out(job, reason)
                continue
            watch = _Watch(self.listener)
            try:
                outcome.runs[job.spec_id] = Path(self._one(job, watch, money.left_for(job.spec_id)))
            except RunStopped:
                raise
            except KgbenchError as error:
                outcome.failed[job.spec_id] = str(error)
                self.listener.left_out(job, str(error))
                if isinstance(error, FatalModelError):
                    unusable = "the model cannot be used"
            finally:  # a run that failed or was stopped has a folder too
                if watch.folder is not None:
                    outcome.runs.setdefault(job.spec_id, watch.folder)
            if job.spec_id in outcome.runs:
                money.costs[job.spec_id] = standing_of(outcome.runs[job.spec_id]).usd or 0.0

    def _one(self, job: Job, listener: Listener, budget: float | None) -> str:
        if job.standing is not None:
            changes: dict[str, Any] = {"jobs": job.spec.jobs, "cache": job.spec.cache, "budget": budget}
            return resume(job.standing.path, listener, self.opened.given_for(job.spec), changes=changes).path
        plan = self.opened.plan(replace(job.spec, budget=budget))
        return start(plan, listener, debug=self.debug).path

    def _stopped(self, outcome: Outcome) -> str:
        done = sum(standing_of(path).finished for path in outcome.runs.values())
        return (
            f"stopped; {done} of {len(self.jobs)} runs are finished, and what was answered of the others is kept. "
            "Go on with the same command."
        )


class _Watch:
    """Passes on what a run tells, and remembers its folder: a run that fails has one, too."""

    def __init__(self, listener: GridListener) -> None:
        self._listener = listener
        self.folder: Path | None = None

    def started(self, plan: Plan, run_id: str, done: int, total: int) -> None:
        """Remember the folder."""
        self.folder = Path(plan.spec.out) / run_id
        self._listener.started(plan, run_id, done, total)

    def answered(self, record: JsonObject, hit: float | None) -> None:
        """Pass it on."""
        self._listener.answered(record, hit)

    def finished(self, status: str) -> None:
        """Pass it on."""
        self._listener.finished(status)
