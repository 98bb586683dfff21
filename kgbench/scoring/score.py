"""Scores of a run from its records and gold alone: no model, no graph, nothing that the records do not hold."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgbench.errors import UsageError
from kgbench.scoring.metrics import METRICS
from kgbench.scoring.shares import SHARES, shares
from kgbench.scoring.statistics import bootstrap_interval, mean_and_deviation, ratio
from kgbench.types import SCORED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from kgbench.contracts import Metric
    from kgbench.types import Gold, RestoredPrediction

    Stats = Mapping[str, float]

__all__ = ["METRICS", "ScoredRow", "per_question", "score_run", "without_flagged"]

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """One record as scoring reads it."""

    question_id: str
    trial: int
    question: str
    """The question's text."""
    status: str
    prediction: RestoredPrediction | None

    @property
    def scored(self) -> RestoredPrediction | None:
        """The prediction where the status is scored; None, a miss, for any other."""
        return self.prediction if self.status in SCORED else None


def score_run(
    rows: Sequence[ScoredRow],
    golds: Mapping[str, Gold],
    trials: int = 1,
    metrics: Mapping[str, Metric] = METRICS,
) -> dict[str, dict[str, Any]]:
    """Score a run with every metric and share.

    Args:
        rows: the run's records, in any order; of two for one question and trial the last counts. Rows of questions
            without a gold record are left out, so a subset is scored by passing its golds.
        golds: gold by question id: with ``trials`` the denominator. A pair without a row is a miss.
        trials: planned trials.
        metrics: metrics by name.

    Returns:
        Name -> ``{"value", "ci": [low, high], "n", "std"}``. The value is the mean over questions of each question's
        mean over trials; the interval is over questions; ``std`` is over trials (None for one).

    Raises:
        UsageError: the rows hold more trials than planned.
    """
    table = _by_trial(rows, golds, trials)
    metric_stats: dict[str, list[list[Stats]]] = {name: [] for name in metrics}
    share_stats: list[list[Stats]] = []
    for question_id, gold in golds.items():
        attempts = [trial.get(question_id) for trial in table]
        for name, metric in metrics.items():
            metric_stats[name].append([_item(metric, row, gold) for row in attempts])
        share_stats.append([_shares(row, gold) for row in attempts])
    scores = {name: _entry(metric, metric_stats[name], trials) for name, metric in metrics.items()}
    return scores | {name: _share_entry(name, share_stats, trials) for name in SHARES}


def per_question(
    rows: Sequence[ScoredRow], golds: Mapping[str, Gold], metric: str | Metric, trials: int | None = None
) -> dict[str, float]:
    """Score each question by one metric: for paired tests and flips.

    Args:
        rows: the run's records.
        golds: gold by question id.
        metric: a metric or the name of one.
        trials: planned trials; default: as many as the rows hold.

    Returns:
        Question id -> mean over trials, in the order of ``golds``; questions that the metric does not count are absent.

    Raises:
        UsageError: the metric is unknown, or the rows hold more trials than planned.
    """
    chosen = _metric(metric) if isinstance(metric, str) else metric
    table = _by_trial(rows, golds, trials or max(1, len({row.trial for row in rows})))
    values = {
        question_id: chosen.total([_mean([_item(chosen, trial.get(question_id), gold) for trial in table])]).value
        for question_id, gold in golds.items()
    }
    return {question_id: value for question_id, value in values.items() if value is not None}


def without_flagged(golds: Mapping[str, Gold], flags: Collection[str] = ()) -> dict[str, Gold]:
    """Return the gold records without quality flags, for the second column that leaves the flagged ones out.

    Args:
        golds: gold by question id.
        flags: flags to leave out; default: any flag.
    """
    unwanted = set(flags)
    return {
        question_id: gold
        for question_id, gold in golds.items()
        if not (unwanted.intersection(gold.flags) if unwanted else gold.flags)
    }


def _metric(name: str) -> Metric:
    if name not in METRICS:
        raise UsageError(f'unknown metric "{name}"; known are {", ".join(METRICS)} (kgbench list metrics)')
    return METRICS[name]


def _by_trial(rows: Iterable[ScoredRow], golds: Mapping[str, Gold], trials: int) -> list[dict[str, ScoredRow]]:
    """Group rows as one mapping a trial, question id -> row, in the order of trial numbers; as many as planned."""
    found: dict[int, dict[str, ScoredRow]] = defaultdict(dict)
    for row in rows:
        if row.question_id in golds:
            found[row.trial][row.question_id] = row
    if len(found) > trials:
        raise UsageError(
            f"the records hold {len(found)} trials, planned were {trials}; score them as {len(found)} trials"
        )
    return [found[trial] for trial in sorted(found)] + [{} for _ in range(trials - len(found))]


def _item(metric: Metric, row: ScoredRow | None, gold: Gold) -> Stats:
    return metric.item(row.question, row.scored, gold) if row else metric.item("", None, gold)


def _shares(row: ScoredRow | None, gold: Gold) -> Stats:
    return shares(row.status, row.question, row.scored, gold) if row else shares("", "", None, gold)


def _mean(stats: Sequence[Stats]) -> Stats:
    return stats[0] if len(stats) == 1 else {key: sum(one[key] for one in stats) / len(stats) for key in stats[0]}


def _entry(metric: Metric, stats: Sequence[Sequence[Stats]], trials: int) -> dict[str, Any]:
    score = metric.total([_mean(one) for one in stats])
    by_trial = [metric.total([one[trial] for one in stats]) for trial in range(trials)] if trials > 1 else []
    return _json(score.value, score.ci, score.n, [one.value for one in by_trial])


def _share_entry(name: str, stats: Sequence[Sequence[Stats]], trials: int) -> dict[str, Any]:
    values = [_mean(one)[name] for one in stats]
    by_trial = [_plain_mean([one[trial][name] for one in stats]) for trial in range(trials)] if trials > 1 else []
    return _json(_plain_mean(values), bootstrap_interval(values), len(values), by_trial)


def _plain_mean(values: Sequence[float]) -> float | None:
    return ratio(values, [1.0] * len(values))


def _json(
    value: float | None, ci: tuple[float, float] | None, n: int, by_trial: Sequence[float | None]
) -> dict[str, Any]:
    measured = [one for one in by_trial if one is not None]
    deviation = mean_and_deviation(measured)[1] if measured else None
    return {
        "value": None if value is None else round(value, _DECIMALS),
        "ci": None if ci is None else [round(bound, _DECIMALS) for bound in ci],
        "n": n,
        "std": None if deviation is None else round(deviation, _DECIMALS),
    }
