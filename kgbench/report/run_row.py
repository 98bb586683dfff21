"""The row that a run ends with, and what its reader should know beside the numbers."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from kgbench.report import columns as c
from kgbench.report.table import Cell, Table, make_table, measured
from kgbench.seam.render import one_line
from kgbench.types import ERROR_STATUSES, Scenario, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kgbench.run.results import Summary

ALARM_SHARE = 0.2
"""Share of questions that end in one error status above which a run's numbers mean little."""
UTILITY_ONLY = "p-r, p-g and p-rag are studies of utility, not levels of protection: one provider sees both phases."
IDENTIFIERS_PUBLIC = (
    "identifiers public: the model saw the graph's own ids (source-id); whoever has the graph can look them up."
)
NO_LANGUAGE_MODEL = (
    'Rows with "LM: no" are those of a retrieval baseline, not a language model: it knows nothing beside the prompt.'
)

_COLUMNS = (
    c.METHOD,
    c.SCENARIO,
    c.MODEL,
    c.LM,
    c.N,
    c.HITS1,
    c.HIT_ANY,
    c.F1,
    c.TOG_LOOSE,
    c.CALLS,
    c.INPUT_TOKENS,
    c.OUTPUT_TOKENS,
    c.LEAKS,
    c.ECHOES,
    c.SECONDS,
    c.STATUSES,
)
_ADVICE = {
    Status.LLM_ERROR: "the model did not answer; check the server or provider, then: kgbench resume {run}",
    Status.KG_ERROR: "the graph could not be read; check --kg, then: kgbench resume {run}",
    Status.PARSE_ERROR: "replies broke the method's form; look at the field error in {run}/records.jsonl",
    Status.REFUSED: "the model declined; look at its replies in {run}/calls.jsonl, or choose another model",
    Status.TRUNCATED: "replies were cut off; raise the method's max_tokens with --set",
    Status.PROMPT_TOO_LONG: "prompts do not fit the model; choose one with a larger window or lower the method's width",
    Status.PRIVACY_BLOCKED: "the audit stopped requests; see: kgbench audit {run} --questions",
}


def run_table(summaries: Sequence[Summary], seconds: float | None = None) -> Table:
    """Return the rows of runs.

    Args:
        summaries: one a row.
        seconds: wall time of the command that ran them; None leaves the column out.
    """
    shown = [column for column in _COLUMNS if column is not c.SECONDS or seconds is not None]
    return make_table(shown, [("", [_row(summary, seconds) for summary in summaries])])


def _row(summary: Summary, seconds: float | None) -> dict[str, Cell]:
    return {
        c.METHOD.key: summary.method,
        c.SCENARIO.key: summary.scenario,
        c.MODEL.key: summary.model,
        c.LM.key: yes_or_no(summary.lm),
        c.N.key: summary.n,
        c.HITS1.key: measured(summary.hits1, summary.hits1_ci),
        c.HIT_ANY.key: summary.hit_any,
        c.F1.key: summary.f1,
        c.TOG_LOOSE.key: summary.tog_loose,
        c.CALLS.key: summary.calls_per_question,
        c.INPUT_TOKENS.key: summary.input_tokens_per_question,
        c.OUTPUT_TOKENS.key: summary.output_tokens_per_question,
        c.LEAKS.key: summary.leaks,
        c.ECHOES.key: summary.echoes,
        c.SECONDS.key: seconds,
        c.STATUSES.key: statuses_text(summary.statuses),
    }


def yes_or_no(value: bool) -> str:
    """Return ``yes`` or ``no``."""
    return "yes" if value else "no"


def statuses_text(statuses: Mapping[str, int]) -> str:
    """Statuses with their counts, the most frequent first."""
    ordered = sorted(statuses.items(), key=lambda entry: (-entry[1], entry[0]))
    return ", ".join(f"{status} {count}" for status, count in ordered)


def remarks(summary: Summary, max_errors: float) -> list[str]:
    """What must be said of a run beside its row, the gravest first.

    Args:
        summary: the run's row.
        max_errors: share of errors above which the run counts as failed.
    """
    found = [*_leaks(summary), *_alarms(summary)]
    if summary.error_rate > max_errors:
        found.append(f"{summary.error_rate:.1%} of the questions ended in an error, over --max-errors {max_errors:g}.")
    found += _left_open(summary)
    if summary.identifiers_public:
        found.append(IDENTIFIERS_PUBLIC)
    if summary.scenario != Scenario.PRIVATE:
        found.append(UTILITY_ONLY)
    return found


def leaked(summary: Summary) -> bool:
    """True where a request had to be stopped for what it held."""
    return summary.leaks > 0 or summary.statuses.get(Status.PRIVACY_BLOCKED, 0) > 0


def _leaks(summary: Summary) -> Iterable[str]:
    run = shlex.quote(summary.path)
    if summary.leaks:
        yield (
            f"LEAK: the audit found {summary.leaks} protected string(s) and stopped these requests before they left; "
            f"see: kgbench audit {run} --questions"
        )
    elif leaked(summary):
        yield (
            f"LEAK: {summary.statuses[Status.PRIVACY_BLOCKED]} question(s) were stopped before a prompt left that held "
            f"text of the graph where none may stand; see the field error in {run}/records.jsonl"
        )


def _alarms(summary: Summary) -> Iterable[str]:
    total = sum(summary.statuses.values())
    for status in ERROR_STATUSES:
        count = summary.statuses.get(status, 0)
        if total and count / total > ALARM_SHARE:
            advice = _ADVICE[status].format(run=shlex.quote(summary.path))
            reason = summary.reasons.get(status)
            said = f" ({one_line(reason)})" if reason else ""
            yield f"ALARM: {count} of {total} questions ended in {status}{said}: {advice}"


def _left_open(summary: Summary) -> Iterable[str]:
    run = shlex.quote(summary.path)
    skipped = summary.statuses.get(Status.SKIPPED_BUDGET, 0)
    if skipped:
        yield f"{skipped} question(s) left out for want of budget; go on with: kgbench resume {run} --budget USD"
    missing = summary.statuses.get("missing", 0)
    if missing:
        yield f"{missing} question(s) have no record yet; go on with: kgbench resume {run}"


def paid_text(summary: Summary) -> str:
    """What a run paid, and how many of its calls the cache answered."""
    cost = "unknown, the model has no price in the table" if summary.cost_usd is None else f"{summary.cost_usd:.4f} USD"
    return f"{cost}; {summary.cached_calls} call(s) answered from the cache"
