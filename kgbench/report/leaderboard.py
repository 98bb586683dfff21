"""The leaderboard: runs side by side, in sections of those that may be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgbench.errors import UsageError
from kgbench.registry import unknown
from kgbench.report import columns as c
from kgbench.report.measures import SCORES, error_share, measures, open_questions
from kgbench.report.run_row import IDENTIFIERS_PUBLIC, NO_LANGUAGE_MODEL, UTILITY_ONLY, yes_or_no
from kgbench.report.table import Cell, Column, Measured, Table, make_table, sort_value
from kgbench.scoring.score import per_question
from kgbench.scoring.statistics import compare
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kgbench.report.measures import FinishedRun
    from kgbench.types import JsonObject

MOST_ERRORS = 0.01
"""Share of errors above which a row is marked."""
PAIRED = (
    "p to best: paired randomisation test against the best unmarked row of its section, on shared questions. From 0.05 "
    "up the two are not distinguishable."
)

_GROUPING = (
    Column("dataset", "data set", grouping=True),
    Column("data", "data", grouping=True),
    Column("questions", "questions", grouping=True),
    Column("setting", "setting", grouping=True),
    Column("kg", "graph", grouping=True),
    Column("subset", "subset", grouping=True),
)
COLUMNS = (
    *_GROUPING,
    c.METHOD,
    c.SCENARIO,
    c.MODEL,
    c.LM,
    c.N,
    c.HITS1,
    c.P_BEST,
    c.HIT_ANY,
    c.F1,
    c.TOG_LOOSE,
    c.CALLS,
    c.INPUT_TOKENS,
    c.OUTPUT_TOKENS,
    c.USD_PER_QUESTION,
    c.LEAKS,
    c.ECHOES,
    c.FALLBACK_SHARE,
    c.ERROR_RATE,
    c.MARKS,
    c.VERSION,
    c.RUN,
    c.SIGNATURE,
)
_DEFAULTS = {"pseudonyms": "keyed", "pseudonym_scope": "question", "literals": "handle", "topic_names": "mention"}


@dataclass(frozen=True, slots=True)
class Split:
    """How questions are split into rows: by the values of a tag, or by an edge between its numbers."""

    tag: str
    edge: float | None = None

    @classmethod
    def parse(cls, text: str) -> Split:
        """Read ``TAG`` or ``TAG:EDGE``; a number behind the last colon is an edge."""
        tag, colon, edge = text.rpartition(":")
        if colon and re.fullmatch(r"-?\d+(\.\d+)?", edge):
            return cls(tag, float(edge))
        return cls(text)

    def part(self, tags: Mapping[str, Any]) -> str:
        """Name the part that a question with these tags belongs to."""
        value = tags.get(self.tag)
        if value is None:
            return f"{self.tag} missing"
        if self.edge is None:
            return f"{self.tag}={value}"
        try:
            number = float(value)
        except (TypeError, ValueError):
            return f"{self.tag} no number"
        return f"{self.tag}{'<' if number < self.edge else '>='}{self.edge:g}"


@dataclass(frozen=True)
class _Entry:
    """One row to be, with the questions it is about."""

    run: FinishedRun
    group: tuple[str, ...]
    """Values of the grouping columns: rows of one group may be compared."""
    questions: tuple[str, ...]
    cells: dict[str, Cell]
    ranked: bool
    """False for a row that is marked."""

    def value(self, metric: str) -> float:
        """The row's score by a metric; below all others where there is none."""
        cell = self.cells[metric]
        if isinstance(cell, Measured):
            return cell.value
        return float(cell) if isinstance(cell, (int, float)) else -1.0

    def per_question(self, metric: str) -> dict[str, float]:
        """The score of each question."""
        golds = {question_id: self.run.loaded.golds[question_id] for question_id in self.questions}
        return per_question(self.run.loaded.rows, golds, metric, self.run.trials)


def leaderboard(runs: Sequence[FinishedRun], *, split: Split | None = None, sort: str = "hits1") -> Table:
    """Put runs into one table, best first in every section.

    Args:
        runs: as read by :func:`kgbench.report.measures.read_run`.
        split: split each run's questions into several rows.
        sort: key of the column that decides the order.

    Raises:
        UsageError: no column has the key, or no question of any run the tag of the split.
    """
    column = sort_column(sort)
    if split is not None:
        _require_tag(split, runs)
    grouped: dict[tuple[str, ...], list[_Entry]] = {}
    for run in runs:
        for entry in _entries(run, split):
            grouped.setdefault(entry.group, []).append(entry)
    metric = sort if sort in SCORES else "hits1"
    sections = []
    for group, entries in sorted(grouped.items()):
        ordered = sorted(entries, key=lambda entry: _order(column, entry))
        tests = _paired(ordered, metric)
        rows = [{**entry.cells, c.P_BEST.key: p_value} for entry, p_value in zip(ordered, tests, strict=True)]
        sections.append((_title(group, len(ordered[0].questions)), rows))
    return make_table(COLUMNS, sections, _notes(runs))


def sort_column(key: str) -> Column:
    """Return the column of a key.

    Raises:
        UsageError: there is none (with the nearest ones).
    """
    known = {column.key: column for column in COLUMNS if not column.grouping}
    if key not in known:
        raise UsageError("--sort: " + unknown("column", key, known))
    return known[key]


def _require_tag(split: Split, runs: Sequence[FinishedRun]) -> None:
    tags = [tags for run in runs for tags in run.loaded.tags.values()]
    if not any(split.tag in one for one in tags):
        known = sorted({tag for one in tags for tag in one})
        raise UsageError("--by: " + (unknown("tag", split.tag, known) if known else "the questions have no tags"))


def _entries(run: FinishedRun, split: Split | None) -> Iterable[_Entry]:
    parts: dict[str, list[str]] = {}
    for question_id in run.question_ids:
        part = split.part(run.loaded.tags[question_id]) if split is not None else ""
        parts.setdefault(part, []).append(question_id)
    for part, questions in sorted(parts.items()):
        group = (*comparable_group(run), part)
        cells = _labels(run, part) | measures(run, questions)
        cells |= dict(zip((column.key for column in _GROUPING), group, strict=True))
        yield _Entry(run, group, tuple(questions), cells, ranked=not _marks(run))


def comparable_group(run: FinishedRun) -> tuple[str, ...]:
    """What must be equal for two runs to stand in one section: data, questions, setting and graph."""
    identity, spec = run.identity, run.spec
    where = f"[{spec['where']}]" if spec["where"] else ""
    graph = f"{identity['kg']}/{identity['kg_profile']}@{identity['kg_fingerprint'][:8]}"
    return (
        identity["dataset"] + where,
        identity["data_hash"][:8],
        identity["questions_hash"][:8],
        spec["setting"],
        graph,
    )


def _title(group: tuple[str, ...], n: int) -> str:
    dataset, data, questions, setting, graph, part = group
    title = f"{dataset}@{data}, {n} questions of set {questions}, {setting}, graph {graph}"
    return f"{title}, {part}" if part else title


def _labels(run: FinishedRun, part: str) -> dict[str, Cell]:
    spec, model = run.spec, run.manifest["model"]
    signature = run.manifest["signature"]
    return {
        c.METHOD.key: method_text(spec),
        c.SCENARIO.key: scenario_text(spec),
        c.MODEL.key: model["name"],
        c.LM.key: yes_or_no(model["language_model"]),
        c.MARKS.key: "; ".join(
            [*_marks(run), *(["identifiers public"] if run.manifest.get("identifiers_public") else [])]
        ),
        c.VERSION.key: run.manifest["versions"]["kgbench"],
        c.RUN.key: run.run_id,
        c.SIGNATURE.key: f"{signature}|by={part}" if part else signature,
    }


def method_text(spec: JsonObject) -> str:
    """The method with the parameters that were changed, such as ``arog(width=2)``."""
    changed = ",".join(f"{key}={value}" for key, value in sorted(spec["parameters"].items()))
    return f"{spec['method']}({changed})" if changed else str(spec["method"])


def scenario_text(spec: JsonObject) -> str:
    """The scenario with the privacy settings that are not the default, such as ``private/source-id``."""
    changed = [spec[name] for name, default in _DEFAULTS.items() if spec[name] != default]
    return "/".join([spec["scenario"], *changed, *spec["shield"]])


def _marks(run: FinishedRun) -> list[str]:
    """What keeps a row from being ranked with the others: it covers only a part, or too much of it failed."""
    found = []
    status, left = run.manifest["status"], open_questions(run)
    if status != "finished" or left:
        found.append(f"not finished: {status}, {left} open")
    errors = error_share(run.records_of(run.question_ids)) or 0.0
    if errors > MOST_ERRORS:
        found.append(f"errors {errors:.1%}")
    return found


def _order(column: Column, entry: _Entry) -> tuple[Any, ...]:
    """Best first; of equals, by method and then by run."""
    return (*sort_value(column, entry.cells.get(column.key)), str(entry.cells[c.METHOD.key]), entry.run.run_id)


def _paired(entries: Sequence[_Entry], metric: str) -> list[Cell]:
    """For each entry the p value of a paired test against the best ranked one; None for that one itself."""
    best = max((entry for entry in entries if entry.ranked), key=lambda entry: entry.value(metric), default=None)
    if best is None:
        return [None] * len(entries)
    scores = best.per_question(metric)
    return [None if entry is best else compare(scores, entry.per_question(metric)).p_value for entry in entries]


def _notes(runs: Sequence[FinishedRun]) -> list[str]:
    """Lines beneath the table, those alone that one of its rows needs."""
    notes = [PAIRED] if len(runs) > 1 else []
    if any(_marks(run) for run in runs):
        notes.append(
            f"Marked rows are not finished or have over {MOST_ERRORS:.0%} errors; no other row is tested against them."
        )
    if not all(run.manifest["model"]["language_model"] for run in runs):
        notes.append(NO_LANGUAGE_MODEL)
    if any(run.manifest.get("identifiers_public") for run in runs):
        notes.append(IDENTIFIERS_PUBLIC)
    if any(run.spec["scenario"] != Scenario.PRIVATE for run in runs):
        notes.append(UTILITY_ONLY)
    return notes
