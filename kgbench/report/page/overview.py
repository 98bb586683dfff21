"""The head of a page: what was run and scored, what the provider saw, and the tables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kgbench.errors import KgbenchError
from kgbench.privacy.exposure import FINDINGS, ORIGIN_TEXT, exposure, verdict
from kgbench.report import columns as c
from kgbench.report.leaderboard import leaderboard, method_text, scenario_text
from kgbench.report.measures import measures, open_questions
from kgbench.report.page.pieces import HIDDEN, ORIGINS
from kgbench.report.page.scrub import MASKED
from kgbench.report.run_row import IDENTIFIERS_PUBLIC, NO_LANGUAGE_MODEL, UTILITY_ONLY
from kgbench.report.splits import Split
from kgbench.report.table import Kind, Measured, Table, cell_text
from kgbench.seam.render import Origin
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kgbench.report.measures import FinishedRun
    from kgbench.report.page.runs import PageRun
    from kgbench.report.table import Cell
    from kgbench.types import JsonObject

_SCORES = (c.HITS1, c.HIT_ANY, c.F1, c.TOG_LOOSE)
_USAGE = (c.CALLS, c.INPUT_TOKENS, c.OUTPUT_TOKENS, c.USD_PER_QUESTION)
_AUDIT = (c.LEAKS, c.ECHOES)
_COUNTED_TAGS = {"hops": None, "topic_relations": 5.0}
"""Tags that a scrubbed page splits by, with the edge between their numbers: counts, which name nothing."""
_MOST_PARTS = 12
_MEANINGS: Mapping[str, str] = {
    Origin.QUESTION: "the question",
    Origin.MENTION: "the question's own words for its topic",
    Origin.HANDLE: "stands for an entity or a literal",
    Origin.SOURCE_ID: "an id of the graph",
    Origin.NAME: "a name of the graph",
    Origin.TOPIC_LABEL: "a topic's name that the question does not say",
    Origin.LITERAL: "a value of the graph",
    Origin.RELATION: "a relation of the schema",
    Origin.CLASS: "a class of the schema",
    Origin.CONCEPT: "what kind of thing a node is",
    Origin.ECHO: "earlier words of the model",
    Origin.LOCAL_TEXT: "text derived from the graph",
    Origin.NUMBER: "a number",
    Origin.WORD: "a fixed word of the method",
    HIDDEN: "words that this page hides",
}
"""What a stretch of each origin is, for a reader."""
_BOARD = (
    *(c.RUN, c.METHOD, c.SCENARIO, c.MODEL, c.LM, c.N, c.HITS1, c.P_BEST, c.F1),
    *(c.CALLS, c.INPUT_TOKENS, c.OUTPUT_TOKENS, c.LEAKS, c.ECHOES, c.ERROR_RATE, c.MARKS),
)
"""Columns of the leaderboard that a page shows, the letter of the run first."""
_PARTS = (c.N, c.HITS1, c.F1, c.CALLS, c.INPUT_TOKENS, c.OUTPUT_TOKENS, c.LEAKS, c.ERROR_RATE)
"""Columns of a table by the parts of a run's questions."""


def origins_json() -> list[JsonObject]:
    """What the marks of a page mean: origin, its meaning, whether a scrubbed page masks it."""
    return [{"key": origin, "text": _MEANINGS[origin], "masked": origin in MASKED} for origin in ORIGINS]


def run_json(page_run: PageRun, *, revealed: bool) -> JsonObject:
    """Settings, scores and exposure of one run."""
    run = page_run.run
    spec, model = run.spec, run.manifest["model"]
    values = measures(run, run.question_ids)
    told: JsonObject = {
        "label": page_run.label,
        "method": method_text(spec),
        "scenario": spec["scenario"],
        "settings": scenario_text(spec),
        "model": model["name"],
        "lm": bool(model["language_model"]),
        "dataset": run.identity["dataset"],
        "graph": run.identity["kg"],
        "questions": len(run.question_ids),
        "trials": run.trials,
        "state": run.manifest["status"],
        "open": open_questions(run),
        "statuses": _statuses(page_run),
        "scores": [_score(column.title, column.better, values[column.key]) for column in _SCORES],
        "usage": [[column.title, cell_text(column, values[column.key])] for column in _USAGE],
        "audit": [[column.title, cell_text(column, values[column.key])] for column in _AUDIT],
        "signature": run.manifest["signature"],
        "began": run.manifest.get("began"),
        "ended": run.manifest.get("ended"),
        "kgbench": run.manifest["versions"]["kgbench"],
        "notes": list(_notes(page_run)),
        "exposure": _exposure(page_run),
        "calls": page_run.calls.exists,
    }
    if revealed:
        told |= {"name": run.run_id, "warnings": list(run.manifest.get("warnings") or ())}
    return told


def _score(title: str, better: int, cell: Cell) -> JsonObject:
    value, low, high = (cell.value, cell.low, cell.high) if isinstance(cell, Measured) else (cell, None, None)
    return {"title": title.partition(" ")[0], "value": value, "low": low, "high": high, "better": better}


def _statuses(page_run: PageRun) -> dict[str, int]:
    records = page_run.run.records_of(page_run.run.question_ids)
    found: dict[str, int] = {}
    for record in records:
        status = "missing" if record is None else str(record["status"])
        found[status] = found.get(status, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _notes(page_run: PageRun) -> Iterable[str]:
    run = page_run.run
    if not run.manifest["model"]["language_model"]:
        yield NO_LANGUAGE_MODEL
    if run.manifest["status"] != "finished" or open_questions(run):
        yield (
            f"This run is not finished ({run.manifest['status']}, {open_questions(run)} open): what has no record counts "
            "as a miss."
        )
    if run.manifest.get("identifiers_public"):
        yield IDENTIFIERS_PUBLIC
    if run.spec["scenario"] != Scenario.PRIVATE:
        yield UTILITY_ONLY
    if page_run.local_zone:
        yield "A model of the trusted zone was asked too. Its calls hold names: no page reads them."
    if not page_run.calls.exists:
        yield "This run has no calls.jsonl: the page cannot show what the provider saw."


def _exposure(page_run: PageRun) -> JsonObject | None:
    """What the provider saw, by phase and origin; None where the calls are missing or of another form."""
    if not page_run.calls.exists:
        return None
    try:
        found = exposure(page_run.run.path)
    except (KgbenchError, KeyError, TypeError, ValueError, AttributeError):
        return None
    rows = [
        (
            one.phase,
            "shown" if one.names_shown else "hidden",
            ORIGIN_TEXT.get(one.origin, one.origin),
            one.prompts,
            one.spans,
            one.distinct,
        )
        for one in found.exposed
    ]
    return {
        "verdict": verdict(found),
        "prompts": found.prompts,
        "cached": found.from_cache,
        "failed": found.failed,
        "rows": rows,
        "handles": [found.handles_per_question.mean, found.handles_per_question.largest],
        "relations": [found.relation_labels_per_question.mean, found.relation_labels_per_question.largest],
    }


def findings_json() -> dict[str, str]:
    """What an audit counts: key -> what people call it."""
    return {**FINDINGS, "taint": "names by origin", "scan": "names by scan", "names": "names in exposed phases"}


# --- tables ---------------------------------------------------------------------------------------------------------------


def tables_json(page_runs: Sequence[PageRun], *, revealed: bool) -> list[JsonObject]:
    """The runs in one table, and each run by the parts of its questions."""
    runs = [replace(one.run, run_id=one.label) for one in page_runs]
    tables = []
    if len(runs) > 1:
        tables.append({"title": "Runs side by side", **_json(_board(runs))})
    for page_run in page_runs:
        for split in _splits(page_run, revealed=revealed):
            title = f"By {split.tag}" + (f", run {page_run.label}" if len(runs) > 1 else "")
            tables.append({"title": title, **_json(_by_part(page_run, split))})
    return tables


def _splits(page_run: PageRun, *, revealed: bool) -> list[Split]:
    """The tags that split the questions of a run into a few parts."""
    tags = list(page_run.run.loaded.tags.values())
    names = sorted({name for one in tags for name in one})
    splits = [Split(name, _COUNTED_TAGS.get(name)) for name in names if revealed or name in _COUNTED_TAGS]
    return [split for split in splits if _is_useful(split, tags, counted=split.tag in _COUNTED_TAGS)]


def _is_useful(split: Split, tags: Sequence[Mapping[str, Any]], *, counted: bool) -> bool:
    values = [one[split.tag] for one in tags if split.tag in one]
    if counted and not all(type(value) in (int, float) for value in values):
        return False
    return 1 < len({split.part(one) for one in tags}) <= min(_MOST_PARTS, len(tags))


def _by_part(page_run: PageRun, split: Split) -> Table:
    """One row a part, in one section: the parts of a run are not rivals."""
    table = leaderboard([page_run.run], split=split)
    rows = [row for section in table.sections for row in section.rows]
    subset = next(column for column in table.columns if column.key == "subset")
    columns = (replace(subset, grouping=False, title="questions with"), *_PARTS)
    return Table(columns, (replace(table.sections[0], title="", rows=tuple(rows)),), ())


def _board(runs: Sequence[FinishedRun]) -> Table:
    """The leaderboard, with the columns and the notes that a page needs."""
    table = leaderboard(runs)
    known = {column.key: column for column in table.columns}
    notes = [note for note in table.notes if note.startswith("p to best")]
    return Table(tuple(known[column.key] for column in _BOARD), table.sections, tuple(notes))


def _json(table: Table) -> JsonObject:
    """A table as the texts of its cells."""
    columns = table.visible
    sections = [
        {
            "title": section.title,
            "rows": [[cell_text(column, row[column.key]) for column in columns] for row in section.rows],
        }
        for section in table.sections
    ]
    heads = [[column.title, column.kind is not Kind.TEXT] for column in columns]
    return {"columns": heads, "sections": sections, "notes": list(table.notes)}
