"""Two runs question by question: what changed, in which direction, and whether chance explains it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from kgbench.errors import UsageError
from kgbench.registry import unknown
from kgbench.report import columns as c
from kgbench.report.measures import error_share, open_questions, usage
from kgbench.report.table import Cell, Column, Kind, Table, cell_text, make_table
from kgbench.scoring.metrics import METRICS
from kgbench.scoring.score import per_question
from kgbench.scoring.statistics import Comparison, compare, ratio

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench.report.measures import FinishedRun

_COMPARED = {
    "dataset": "data set",
    "data_hash": "data",
    "kg": "graph",
    "kg_fingerprint": "content of the graph",
    "kg_profile": "graph profile",
}
"""Parts of a run's identity that must be equal, with their names for people."""
_SETTINGS = ("setting", "trials")
"""Settings that must be equal."""
_SUBJECTS = (
    "method",
    "parameters",
    "scenario",
    "model",
    "base_url",
    "local_model",
    "embedder",
    "pseudonyms",
    "pseudonym_scope",
    "literals",
    "topic_names",
    "shield",
    "seed",
)
"""Settings that a comparison may be about."""
_USAGE = (c.CALLS, c.INPUT_TOKENS, c.OUTPUT_TOKENS, c.USD_PER_QUESTION)
_SHOWN_DIFFERENCES = 3


@dataclass(frozen=True)
class RunComparison:
    """Two runs compared; changes are second minus first."""

    first: str
    second: str
    metric: str
    """Name and version."""
    n: int
    """Shared questions."""
    values: tuple[float | None, float | None]
    """The metric's mean over the shared questions."""
    difference: float | None
    ci: tuple[float, float] | None
    """95 % paired bootstrap interval of the difference."""
    p_value: float
    """Of a paired randomisation test, two-sided."""
    gained: tuple[str, ...]
    """Ids of questions on which the second run is better."""
    lost: tuple[str, ...]
    usage: Mapping[str, tuple[float | None, float | None]]
    """Calls, tokens, cost and errors a question, of both runs."""
    differences: tuple[str, ...]
    """What was set differently: what the comparison is about."""
    warnings: tuple[str, ...]
    """Why the two may not be comparable."""

    def to_json(self) -> dict[str, Any]:
        """JSON-ready values."""
        return asdict(self)


def compare_runs(first: FinishedRun, second: FinishedRun, metric: str = "hits1") -> RunComparison:
    """Compare two runs on the questions that both have.

    Args:
        first: the baseline.
        second: what is held against it.
        metric: name of a metric, without its version.

    Raises:
        UsageError: no such metric, or the runs share no question.
    """
    if metric not in METRICS:
        raise UsageError("--metric: " + unknown("metric", metric, METRICS))
    in_second = set(second.question_ids)
    shared = [question_id for question_id in first.question_ids if question_id in in_second]
    if not shared:
        raise UsageError(f"{first.run_id} and {second.run_id} share no question; compare runs over one data set")
    scores = [_scores(run, shared, metric) for run in (first, second)]
    result = compare(*scores)
    return RunComparison(
        first=first.run_id,
        second=second.run_id,
        metric=METRICS[metric].name,
        n=result.n,
        values=_values(scores, result),
        difference=_rounded(result.difference),
        ci=None if result.ci is None else (round(result.ci[0], 6), round(result.ci[1], 6)),
        p_value=round(result.p_value, 6),
        gained=result.gained,
        lost=result.lost,
        usage=_usage(first, second, shared),
        differences=tuple(_differences(first, second)),
        warnings=tuple(_warnings(first, second, len(shared))),
    )


def _scores(run: FinishedRun, question_ids: Sequence[str], metric: str) -> dict[str, float]:
    golds = {question_id: run.loaded.golds[question_id] for question_id in question_ids}
    return per_question(run.loaded.rows, golds, metric, run.trials)


def _values(scores: Sequence[Mapping[str, float]], result: Comparison) -> tuple[float | None, float | None]:
    both = scores[0].keys() & scores[1].keys()
    first, second = ([one[question_id] for question_id in sorted(both)] for one in scores)
    weights = [1.0] * result.n
    return _rounded(ratio(first, weights)), _rounded(ratio(second, weights))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _usage(
    first: FinishedRun, second: FinishedRun, shared: Sequence[str]
) -> dict[str, tuple[float | None, float | None]]:
    records = [run.records_of(shared) for run in (first, second)]
    sides: list[Mapping[str, Cell]] = [usage(one) | {c.ERROR_RATE.key: error_share(one)} for one in records]
    keys = [column.key for column in (*_USAGE, c.ERROR_RATE)]
    return {key: (_number(sides[0][key]), _number(sides[1][key])) for key in keys}


def _number(cell: Cell) -> float | None:
    return round(float(cell), 8) if isinstance(cell, (int, float)) else None


def _differences(first: FinishedRun, second: FinishedRun) -> list[str]:
    found = [
        f"{name}: {_plain(first.spec[name])} -> {_plain(second.spec[name])}"
        for name in _SUBJECTS
        if first.spec[name] != second.spec[name]
    ]
    for name in ("method_version", "prompts_hash"):
        if first.spec["method"] == second.spec["method"] and first.identity[name] != second.identity[name]:
            found.append(f"{name}: {first.identity[name]} -> {second.identity[name]}")
    return found


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}={item}" for key, item in value.items()) or "defaults"
    return "none" if value in (None, "", []) else str(value)


def _warnings(first: FinishedRun, second: FinishedRun, shared: int) -> list[str]:
    if first.path.resolve() == second.path.resolve():
        return ["this is one run compared with itself"]
    found = [
        f"not comparable, other {name}: {first.identity[key]} and {second.identity[key]}"
        for key, name in _COMPARED.items()
        if first.identity[key] != second.identity[key]
    ]
    found += [
        f"not comparable, other {name}: {first.spec[name]} and {second.spec[name]}"
        for name in _SETTINGS
        if first.spec[name] != second.spec[name]
    ]
    for run in (first, second):
        count, left = len(run.question_ids), open_questions(run)
        if count > shared:
            found.append(f"{run.run_id} has {count} questions, of which {shared} are shared and compared")
        if run.manifest["status"] != "finished" or left:
            found.append(f"{run.run_id} is not finished ({left} open, counted as misses): kgbench resume {run.path}")
    versions = [run.manifest["versions"]["kgbench"] for run in (first, second)]
    if versions[0] != versions[1]:
        found.append(f"made by different versions of kgbench: {versions[0]} and {versions[1]}")
    return found


_MEASURE, _FIRST, _SECOND, _CHANGE = (
    Column("measure", "a question"),
    Column("first", "first"),
    Column("second", "second"),
    Column("change", "change"),
)


def comparison_table(compared: RunComparison) -> Table:
    """Return a comparison as a table: the metric first, then calls, tokens, cost and errors a question."""
    metric = Column(compared.metric, compared.metric, Kind.SHARE)
    lines = [(metric, compared.values)]
    lines += [(column, compared.usage[column.key]) for column in (*_USAGE, c.ERROR_RATE)]
    rows = [_line(column, values) for column, values in lines]
    return make_table((_MEASURE, _FIRST, _SECOND, _CHANGE), [("", rows)])


def _line(column: Column, values: tuple[float | None, float | None]) -> dict[str, Cell]:
    first, second = values
    change = ""
    if first is not None and second is not None:
        text = cell_text(column, second - first)
        change = text if text.startswith("-") else f"+{text}"
    return {
        _MEASURE.key: column.title,
        _FIRST.key: cell_text(column, first),
        _SECOND.key: cell_text(column, second),
        _CHANGE.key: change,
    }


def verdict(compared: RunComparison) -> str:
    """Say in one sentence what the test found."""
    if compared.difference is None or compared.ci is None:
        return f"{compared.metric} cannot be measured on the shared questions."
    low, high = compared.ci
    found = (
        "chance alone may explain it"
        if compared.p_value >= 0.05
        else "chance alone is an unlikely explanation (p < 0.05)"
    )
    return (
        f"{compared.metric}: {compared.difference:+.4f} [{low:+.4f}, {high:+.4f}] on {compared.n} shared questions, "
        f"{_p_text(compared.p_value)} (paired randomisation test): {found}."
    )


def _p_text(p_value: float) -> str:
    """A p-value as text; below what is worth printing it is bounded, never 0."""
    return "p < 0.0001" if p_value < 0.0001 else f"p = {p_value:.4g}"


def answer_texts(run: FinishedRun, question_id: str) -> str:
    """The answers of a run to a question, of the first trial that has some; for the owner's eyes."""
    for trial in range(run.trials):
        record = run.loaded.records.get((question_id, trial))
        if record is not None:
            items = [item["text"] for item in record["prediction"]["items"]]
            return "; ".join(items[:_SHOWN_DIFFERENCES]) or f"({record['status']})"
    return "(no record)"
