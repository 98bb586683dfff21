"""Numbers of a run over some of its questions: metrics, shares, and what a question used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.run.usage import Records
from kgbench.scoring.metrics import METRICS
from kgbench.scoring.score import per_question, score_run
from kgbench.scoring.shares import SHARES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from kgbench.report.measures import FinishedRun
    from kgbench.types import JsonObject

    Count = Callable[[JsonObject], float | None]


def _logical(*parts: str) -> Count:
    return lambda record: float(sum(record["total"]["logical"][part] for part in parts))


USED: Mapping[str, Count] = {
    "calls": _logical("calls"),
    "input_tokens": _logical("input_tokens"),
    "output_tokens": _logical("output_tokens"),
    "total_tokens": _logical("input_tokens", "output_tokens"),
    "usd_per_question": lambda record: record["total"]["logical_usd"],
}
"""What a question used, whatever a cache saved: column key -> number of a record."""
KNOWN = (*METRICS, *SHARES, *USED)
"""Column keys of every number that a grid can compare."""


@dataclass(frozen=True, slots=True)
class Number:
    """A mean over questions of their means over trials."""

    value: float | None
    low: float | None = None
    """Bounds of the 95 % bootstrap interval over questions."""
    high: float | None = None
    std: float | None = None
    """Sample standard deviation over trials; None for one trial, and for what a question used."""


def numbers(run: FinishedRun, question_ids: Collection[str], names: Collection[str]) -> dict[str, Number]:
    """Measure a run over some of its questions.

    Args:
        run: the run.
        question_ids: the questions; with the planned trials they are the denominator, whatever became of them.
        names: column keys, of :data:`KNOWN`.

    Returns:
        Column key -> number; no value where there is no question.
    """
    if not question_ids:
        return dict.fromkeys(names, Number(None))
    golds = {question_id: run.loaded.golds[question_id] for question_id in question_ids}
    metrics = {name: METRICS[name] for name in names if name in METRICS}
    scores = score_run(run.loaded.rows, golds, run.trials, metrics)
    records = Records(run.loaded.records, question_ids, run.trials)
    return {name: _number(records.entry(USED[name]) if name in USED else scores[name]) for name in names}


def _number(entry: JsonObject) -> Number:
    low, high = entry["ci"] or (None, None)
    return Number(entry["value"], low, high, entry.get("std"))


@dataclass(frozen=True)
class Split:
    """The questions of the setting ``filtered``: those that chain of thought did not answer alone."""

    run_id: str
    """The run of chain of thought."""
    metric: str
    """By which it was right or wrong."""
    kept: tuple[str, ...]
    dropped: tuple[str, ...]


def split_of(run: FinishedRun, metric: str) -> Split:
    """Split the questions of a chain-of-thought run by its first trial.

    One trial decides for all: a second one of the same model answers some questions otherwise, and the split would move.
    What later trials answer on the kept questions is the server's drift, and shows in the run's own row.
    """
    first = [row for row in run.loaded.rows if row.trial == 0]
    hits = per_question(first, run.loaded.golds, metric, 1)
    kept = tuple(question_id for question_id in run.question_ids if not hits.get(question_id))
    dropped = tuple(question_id for question_id in run.question_ids if hits.get(question_id))
    return Split(run.run_id, metric, kept, dropped)
