"""The numbers of a finished run, of all its questions or of some, from its files alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgbench.errors import DataError
from kgbench.report import columns as c
from kgbench.report.table import Cell, measured
from kgbench.run.results import Loaded, load_results
from kgbench.run.store import RunFolder
from kgbench.scoring.score import METRICS, score_run
from kgbench.types import ERROR_STATUSES, Status

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from kgbench.types import JsonObject

SCORES = ("hits1", "hit_any", "f1", "tog_loose")
"""Metrics that a table shows unless others are asked for."""
_MANIFEST_KEYS = ("spec", "identity", "model", "versions", "signature", "status")


@dataclass(frozen=True)
class FinishedRun:
    """A run as read from its folder; it may also be stopped or under way."""

    run_id: str
    path: Path
    manifest: JsonObject
    loaded: Loaded

    @property
    def spec(self) -> JsonObject:
        """The settings."""
        settings: JsonObject = self.manifest["spec"]
        return settings

    @property
    def identity(self) -> JsonObject:
        """Contents and versions."""
        identity: JsonObject = self.manifest["identity"]
        return identity

    @property
    def trials(self) -> int:
        """Planned trials."""
        return int(self.spec["trials"])

    @property
    def question_ids(self) -> tuple[str, ...]:
        """Planned questions, in their order."""
        return tuple(self.loaded.golds)

    def records_of(self, question_ids: Iterable[str]) -> list[JsonObject | None]:
        """The record of every question and trial; None where there is none."""
        return [
            self.loaded.records.get((question_id, trial))
            for question_id in question_ids
            for trial in range(self.trials)
        ]


def read_run(path: Path) -> FinishedRun:
    """Read a run's folder.

    Raises:
        UsageError: it is none.
        DataError: a file in it is damaged.
    """
    folder = RunFolder.open(path)
    manifest = folder.manifest()
    absent = [key for key in _MANIFEST_KEYS if key not in manifest]
    if absent:
        raise DataError(f"{path}/manifest.json lacks {', '.join(absent)}; the run cannot be read")
    try:
        loaded = load_results(folder)
    except KeyError as error:
        raise DataError(f"{path}: a line of records.jsonl or gold.jsonl lacks the field {error}") from None
    return FinishedRun(folder.run_id, path, manifest, loaded)


def measures(run: FinishedRun, question_ids: Collection[str], keys: Iterable[str] = SCORES) -> dict[str, Cell]:
    """Scores, shares, usage, leaks and errors of some questions of a run, by column key.

    Means are over all planned questions and trials: what has no record counts as a miss that used nothing.

    Args:
        run: the run.
        question_ids: the questions.
        keys: keys of the metrics that are wanted, each with its interval; keys of other columns may stand among them.
    """
    golds = {question_id: run.loaded.golds[question_id] for question_id in question_ids}
    wanted = {key: METRICS[key] for key in keys if key in METRICS}
    scores = score_run(run.loaded.rows, golds, run.trials, wanted)
    records = run.records_of(golds)
    known = [record for record in records if record is not None]
    return {
        c.N.key: len(golds),
        **{key: measured(entry["value"], entry["ci"] if key in METRICS else None) for key, entry in scores.items()},
        c.LEAKS.key: sum(record["audit"].get("leaks", 0) for record in known),
        c.ECHOES.key: sum(record["audit"].get("echo", 0) for record in known),
        c.ERROR_RATE.key: error_share(records),
        **usage(records),
    }


def usage(records: Sequence[JsonObject | None]) -> dict[str, Cell]:
    """Logical calls, tokens and cost a question: what the method needed, whatever a cache saved."""
    known: list[Mapping[str, Any]] = [record["total"] for record in records if record is not None]
    costs = [total["logical_usd"] for total in known]
    return {
        c.CALLS.key: _mean([total["logical"]["calls"] for total in known], len(records)),
        c.INPUT_TOKENS.key: _mean([total["logical"]["input_tokens"] for total in known], len(records)),
        c.OUTPUT_TOKENS.key: _mean([total["logical"]["output_tokens"] for total in known], len(records)),
        c.TOTAL_TOKENS.key: _mean(
            [total["logical"]["input_tokens"] + total["logical"]["output_tokens"] for total in known], len(records)
        ),
        c.USD_PER_QUESTION.key: None if not costs or None in costs else _mean(costs, len(records)),
    }


def error_share(records: Sequence[JsonObject | None]) -> float | None:
    """Share of planned questions and trials that ended in an error."""
    return _mean([record is not None and record["status"] in tuple(ERROR_STATUSES) for record in records], len(records))


def _mean(values: Sequence[float], n: int) -> float | None:
    return sum(values) / n if n else None


def open_questions(run: FinishedRun) -> int:
    """Questions and trials without an answer that a resumed run would still work on, errors apart."""
    records = run.records_of(run.question_ids)
    return sum(record is None or record["status"] == Status.SKIPPED_BUDGET for record in records)
