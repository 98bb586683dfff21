"""The leaderboard: runs side by side, in sections of those that may be compared.

A section holds the runs that answered the same questions of the same data on the same graph, in the same setting and under
the same privacy settings. All are scored by the same versions of the metrics, whichever version of kgbench ran them. Within
a section, rows of language models and rows without one are two contests: each has a best row of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kgbench.report import columns as c
from kgbench.report.choice import Choice, choose
from kgbench.report.measures import error_share, measures, open_questions
from kgbench.report.ranking import ALPHA, holm, with_ranks
from kgbench.report.reported_rows import REPORTED, beside, left_out, standing_alone
from kgbench.report.run_row import IDENTIFIERS_PUBLIC, NO_LANGUAGE_MODEL, UTILITY_ONLY, yes_or_no
from kgbench.report.splits import Split, parts
from kgbench.report.table import Cell, Column, Measured, Table, make_table, sort_value
from kgbench.scoring.metrics import METRICS
from kgbench.scoring.score import per_question
from kgbench.scoring.statistics import compare
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kgbench.report.measures import FinishedRun
    from kgbench.report.published import Reported
    from kgbench.types import JsonObject

MOST_ERRORS = 0.01
"""Share of errors above which a row is marked."""
TOP, UNRANKED = "top", "not ranked"
"""What the column ``group`` says of a row that is not distinguishable from the best, and of a marked row."""
_DEFAULTS = {"pseudonyms": "keyed", "pseudonym_scope": "question", "literals": "handle", "topic_names": "mention"}
_SCENARIOS = list(Scenario)


@dataclass(frozen=True)
class Group:
    """What must be equal for two rows to stand in one section."""

    dataset: str
    """With its filter, such as ``demo[hops=2]``."""
    data: str
    """Hash of the data set's content."""
    questions: str
    """Hash of the questions asked."""
    setting: str
    kg: str
    scenario: Scenario
    privacy: str
    """The scenario with the privacy settings that are not the default."""
    subset: str
    """Part of the questions, where they are split."""

    @property
    def cells(self) -> dict[str, Cell]:
        """The grouping columns."""
        return {column.key: getattr(self, column.key) for column in c.GROUPING}

    @property
    def order(self) -> tuple[Any, ...]:
        """Sort key: scenarios of the same questions side by side, the private one first."""
        place = _SCENARIOS.index(self.scenario)
        return (self.dataset, self.data, self.questions, self.setting, self.kg, place, self.privacy, self.subset)

    def title(self, n: int) -> str:
        """Heading of the section.

        Args:
            n: its number of questions.
        """
        title = f"{self.dataset}@{self.data}, {n} questions of set {self.questions}, {self.setting}, graph {self.kg}"
        return ", ".join([title, self.privacy, *([self.subset] if self.subset else [])])


@dataclass(frozen=True)
class _Entry:
    """One row to be, with the questions it is about."""

    run: FinishedRun
    questions: tuple[str, ...]
    cells: Mapping[str, Cell]
    ranked: bool
    """False for a row that is marked: it is neither ranked nor tested."""

    @property
    def contest(self) -> str | None:
        """Rows with a language model compete, and rows without one; None for a row that takes no part."""
        return str(self.cells[c.LM.key]) if self.ranked else None

    def value(self, metric: str) -> float:
        """The row's score by a metric; below all others where there is none."""
        cell = self.cells[metric]
        if isinstance(cell, Measured):
            return cell.value
        return float(cell) if isinstance(cell, (int, float)) else -2.0

    def per_question(self, metric: str) -> dict[str, float]:
        """The score of each question."""
        golds = {question_id: self.run.loaded.golds[question_id] for question_id in self.questions}
        return per_question(self.run.loaded.rows, golds, metric, self.run.trials)


@dataclass
class _Draft:
    """A section as it is put together."""

    title: str
    rows: list[dict[str, Cell]]
    contests: list[str | None] = field(default_factory=list)
    aside: int = 0

    def add_reported(self, rows: Sequence[dict[str, Cell]]) -> None:
        self.rows += rows
        self.contests += [None] * len(rows)
        self.aside += len(rows)


def leaderboard(
    runs: Sequence[FinishedRun],
    *,
    split: Split | None = None,
    columns: str | None = None,
    sort: str | None = None,
    reported: Sequence[Reported] = (),
) -> Table:
    """Put runs into one table, best first in every section.

    Args:
        runs: as read by :func:`kgbench.report.measures.read_run`.
        split: split each run's questions into several rows.
        columns: keys of the measures to show, separated by commas; see :func:`kgbench.report.choice.choose`.
        sort: key of the column that decides the order.
        reported: published numbers, shown beside the runs on the same data set, setting and scenario. Without runs, all.

    Raises:
        UsageError: no column has a key, or no question of any run the tag of the split.
    """
    if split is not None:
        split.require(runs)
    keys = list(dict.fromkeys(key for row in reported for key in row.values))
    usual = None if runs else ",".join(keys)
    choice = choose(usual if columns is None else columns, sort, also=keys)
    grouped: dict[Group, list[_Entry]] = {}
    for run in runs:
        for group, entry in _entries(run, split, choice):
            grouped.setdefault(group, []).append(entry)
    groups = sorted(grouped, key=lambda group: group.order)
    drafts = [_draft(group, grouped[group], choice) for group in groups]
    for group, draft in zip(groups, drafts, strict=True):
        draft.add_reported(beside(reported, group.dataset, group.setting, group.scenario, group.cells))
    if not runs:
        for title, rows in standing_alone(reported):
            drafts.append(_Draft(title, []))
            drafts[-1].add_reported(rows)
    notes = _notes(runs, choice, tested=any(len(entries) > 1 for entries in grouped.values()))
    if reported:
        asked = [(group.dataset, group.setting, group.scenario) for group in groups]
        notes += [REPORTED, *(left_out(reported, asked) if runs else ())]
    return _table(choice.columns(ours=bool(runs), reported=bool(reported)), drafts, notes)


def _table(columns: Sequence[Column], drafts: Sequence[_Draft], notes: Sequence[str]) -> Table:
    table = make_table(columns, [(draft.title, draft.rows) for draft in drafts], notes)
    ranked = with_ranks(table, [draft.contests for draft in drafts])
    sections = zip(ranked.sections, drafts, strict=True)
    return replace(ranked, sections=tuple(replace(section, aside=draft.aside) for section, draft in sections))


def _draft(group: Group, entries: Sequence[_Entry], choice: Choice) -> _Draft:
    ordered = sorted(entries, key=lambda entry: _order(choice.order, entry))
    tests = _tests(ordered, choice.tested)
    rows = [{**entry.cells, **test} for entry, test in zip(ordered, tests, strict=True)]
    return _Draft(group.title(len(ordered[0].questions)), rows, [entry.contest for entry in ordered])


def _entries(run: FinishedRun, split: Split | None, choice: Choice) -> Iterable[tuple[Group, _Entry]]:
    keys = [column.key for column in choice.measures]
    for part, questions in parts(run, split).items():
        group = comparable_group(run, part)
        cells = _labels(run, part) | group.cells | measures(run, questions, keys)
        yield group, _Entry(run, questions, cells, ranked=not _marks(run))


def comparable_group(run: FinishedRun, part: str = "") -> Group:
    """What must be equal for two runs to stand in one section.

    Args:
        run: the run.
        part: part of its questions.
    """
    identity, spec = run.identity, run.spec
    return Group(
        dataset=identity["dataset"] + (f"[{spec['where']}]" if spec["where"] else ""),
        data=identity["data_hash"][:8],
        questions=identity["questions_hash"][:8],
        setting=spec["setting"],
        kg=f"{identity['kg']}/{identity['kg_profile']}@{identity['kg_fingerprint'][:8]}",
        scenario=Scenario(spec["scenario"]),
        privacy=scenario_text(spec),
        subset=part,
    )


def _labels(run: FinishedRun, part: str) -> dict[str, Cell]:
    spec, model = run.spec, run.manifest["model"]
    public = ["identifiers public"] if run.manifest.get("identifiers_public") else []
    return {
        c.METHOD.key: method_text(spec),
        c.SCENARIO.key: scenario_text(spec),
        c.MODEL.key: model["name"],
        c.LM.key: yes_or_no(model["language_model"]),
        c.MARKS.key: "; ".join([*_marks(run), *public]),
        c.VERSION.key: run.manifest["versions"]["kgbench"],
        c.RUN.key: run.run_id,
        c.SIGNATURE.key: _signature(run, part),
    }


def _signature(run: FinishedRun, part: str) -> str:
    """The run's signature with the metric's version as scored here, which may be newer than the run."""
    _, bar, conditions = str(run.manifest["signature"]).partition("|")
    signature = f"{METRICS[c.HITS1.key].name}{bar}{conditions}"
    return f"{signature}|by={part}" if part else signature


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


def _tests(entries: Sequence[_Entry], metric: str | None) -> list[dict[str, Cell]]:
    """For each entry its adjusted p value against the best of its contest, and whether it is in the top group."""
    found: dict[int, dict[str, Cell]] = {
        place: {c.GROUP.key: UNRANKED} for place, entry in enumerate(entries) if not entry.ranked
    }
    for contest in dict.fromkeys(entry.contest for entry in entries if entry.contest is not None):
        places = [place for place, entry in enumerate(entries) if entry.contest == contest]
        if metric is None or len(places) < 2:
            continue
        best = max(places, key=lambda place: entries[place].value(metric))
        scores = entries[best].per_question(metric)
        others = [place for place in places if place != best]
        found[best] = {c.GROUP.key: TOP}
        adjusted = holm([compare(scores, entries[place].per_question(metric)).p_value for place in others])
        for place, p_value in zip(others, adjusted, strict=True):
            # As it is shown: a row with 0.0500 is in the group.
            shown = round(p_value, 4)
            found[place] = {c.P_BEST.key: shown, c.GROUP.key: TOP if shown >= ALPHA else ""}
    return [found.get(place, {}) for place in range(len(entries))]


def _notes(runs: Sequence[FinishedRun], choice: Choice, *, tested: bool) -> list[str]:
    """Lines beneath the table, those alone that one of its rows needs."""
    notes = [f"Metrics: {', '.join(column.metric for column in choice.measures if column.metric)}."] if runs else []
    if tested and choice.tested is not None:
        notes.append(
            f"p to best: paired randomisation test by {METRICS[choice.tested].name} on shared questions, against the best "
            "row of the section, with a language model or without as the row itself; Holm-corrected within these rows. "
            f'Group "{TOP}": not distinguishable from that best row (p >= {ALPHA}).'
        )
        notes.append(
            "Bold is the best of a column, italics or underline the second best, apart for rows with a language model and "
            "rows without. Of equal rows all are best; where all are equal none is."
        )
    if any(_marks(run) for run in runs):
        notes.append(
            f"Marked rows are not finished or have over {MOST_ERRORS:.0%} errors: they are neither ranked nor tested."
        )
    if not all(run.manifest["model"]["language_model"] for run in runs):
        notes.append(NO_LANGUAGE_MODEL)
    if any(run.manifest.get("identifiers_public") for run in runs):
        notes.append(IDENTIFIERS_PUBLIC)
    if any(run.spec["scenario"] != Scenario.PRIVATE for run in runs):
        notes.append(UTILITY_ONLY)
    return notes
