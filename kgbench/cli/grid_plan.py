"""What a grid would do and cost: which runs are there, which are left, and what these may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgbench.cli.plan_view import INPUT_TOKENS_PER_CALL, OUTPUT_TOKENS_PER_CALL, Estimate, PlanView
from kgbench.errors import KgbenchError
from kgbench.report.table import Column, Kind, make_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kgbench.report.table import Table
    from kgbench.reproduce.jobs import Job, Survey

_COLUMNS = (
    Column("row", "row"),
    Column("scenario", "scenario"),
    Column("dataset", "data set"),
    Column("questions", "questions", Kind.COUNT),
    Column("state", "state"),
    Column("calls", "calls left", Kind.COUNT, missing="unknown"),
    Column("usd", "USD left", Kind.USD, missing="unknown"),
)


@dataclass(frozen=True)
class GridPlan:
    """The runs of one or more grids, with what is left to do."""

    survey: Survey

    def table(self) -> Table:
        """A line a run."""
        return make_table(_COLUMNS, [("", [_row(job) for job in self.survey.jobs])])

    def left(self) -> dict[str, Estimate | None]:
        """The typical and the largest expectation of what is left; None where a method states none."""
        found = [left_of(job) for job in self.survey.left]
        return {name: _sum(one[name] for one in found) for name in ("typical", "largest")}

    @property
    def free(self) -> bool:
        """True where what is left costs nothing for sure: nothing to do, or a model whose price is known to be 0."""
        return all(_free(job) for job in self.survey.left)

    def notes(self) -> list[str]:
        """What to know before the grid runs."""
        notes = [warning for job in self.survey.jobs for warning in job.plan.warnings]
        for job in self.survey.left:
            check = getattr(job.plan.remote.model, "check", None)
            try:
                if check is not None:
                    check()
            except KgbenchError as error:
                notes.append(str(error))
        return list(dict.fromkeys(notes))

    def summary(self) -> list[str]:
        """The plan in a few lines."""
        jobs, left = self.survey.jobs, self.survey.left
        begun = sum(job.standing is not None for job in left)
        answered, questions = sum(job.answered for job in jobs), sum(job.questions for job in jobs)
        lines = [
            f"runs       {len(jobs)}: {len(jobs) - len(left)} finished, {begun} begun, {len(left) - begun} to begin",
            f"questions  {questions}, of which {answered} are answered",
        ]
        if left:
            lines += [f"{name:<11}{_text(estimate)}" for name, estimate in self.left().items()]
            lines.append(
                f"estimate   of what is left, from the methods' own counts of calls, at {INPUT_TOKENS_PER_CALL} tokens in "
                f"and {OUTPUT_TOKENS_PER_CALL} out a call; prices of {jobs[0].plan.prices.date}"
            )
        return lines

    def to_json(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {
            "runs": [
                {
                    "row": job.label,
                    "scenario": str(job.spec.scenario),
                    "dataset": job.plan.dataset.name,
                    "spec_id": job.spec_id,
                    "questions": job.questions,
                    "answered": job.answered,
                    "state": _state(job),
                    "left": {name: _json(one) for name, one in left_of(job).items()},
                }
                for job in self.survey.jobs
            ],
            "grids": [wanted.grid.name for wanted in self.survey.wanted],
            "left": {name: _json(one) for name, one in self.left().items()},
            "notes": self.notes(),
        }


def left_of(job: Job) -> dict[str, Estimate | None]:
    """The typical and the largest expectation of what is left of a run."""
    estimates = PlanView(job.plan, job.spec).estimates()
    if estimates is None:
        return {"typical": None, "largest": None}
    share = 1 - job.answered / job.questions
    return {name: _scaled(one, share) for name, one in estimates.items()}


def _scaled(estimate: Estimate, share: float) -> Estimate:
    return Estimate(
        round(estimate.calls * share),
        round(estimate.input_tokens * share),
        round(estimate.output_tokens * share),
        None if estimate.usd is None else round(estimate.usd * share, 4),
    )


def _sum(estimates: Iterable[Estimate | None]) -> Estimate | None:
    found: Sequence[Estimate | None] = list(estimates)
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    costs = [one.usd for one in known if one.usd is not None]
    return Estimate(
        sum(one.calls for one in known),
        sum(one.input_tokens for one in known),
        sum(one.output_tokens for one in known),
        round(sum(costs), 4) if len(costs) == len(known) else None,
    )


def _free(job: Job) -> bool:
    remote = job.plan.remote
    price = job.plan.prices.price(remote.priced_as)
    return not remote.billed or (price is not None and price.input == price.output == 0)


def _state(job: Job) -> str:
    if job.finished:
        return "finished"
    return "to begin" if job.standing is None else f"{job.answered}/{job.questions} answered"


def _row(job: Job) -> dict[str, Any]:
    typical = left_of(job)["typical"]
    return {
        "row": job.label,
        "scenario": str(job.spec.scenario),
        "dataset": job.plan.dataset.name,
        "questions": job.questions,
        "state": _state(job),
        "calls": None if typical is None else typical.calls,
        "usd": None if typical is None else typical.usd,
    }


def _text(estimate: Estimate | None) -> str:
    if estimate is None:
        return "unknown: a method does not state its calls"
    cost = "price unknown" if estimate.usd is None else f"{estimate.usd:.2f} USD"
    return f"{estimate.calls} calls, {estimate.input_tokens} tokens in, {estimate.output_tokens} tokens out, {cost}"


def _json(estimate: Estimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    return {
        "calls": estimate.calls,
        "input_tokens": estimate.input_tokens,
        "output_tokens": estimate.output_tokens,
        "usd": estimate.usd,
    }
