"""Accuracy against what it takes: ``cost`` (tokens and US dollars) and ``leakage`` (what the provider saw)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.errors import UsageError
from kgbench.report.figures.captions import caption
from kgbench.report.figures.comparisons import accuracy_title
from kgbench.report.figures.groups import (
    MODEL_TOLD,
    SCENARIOS,
    Group,
    assumed,
    by_variant,
    groups,
    key_of,
    labels,
    methods_of,
    plain_runs,
    slots,
)
from kgbench.report.figures.picture import Kind, Mark, Panel, Picture, Series

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kgbench.report.figures.picture import ReportedPoint
    from kgbench.report.figures.runs import RunScores


@dataclass(frozen=True)
class Axis:
    """What accuracy is set against."""

    title: str
    path: tuple[str, ...]
    """Where the number stands in ``scores.json``."""
    log: bool = False


TOKENS = Axis("tokens a question, in and out", ("tokens_per_question",), log=True)
USD = Axis("US dollars a question", ("usd_per_question",))
IN_CLEAR = Axis("names and literals in clear", ("exposure", "in_clear"))
HANDLES = Axis("handles", ("exposure", "handles"))
RELATIONS = Axis("relation labels", ("exposure", "relations"))
_INTERVALS = "Crosses: 95 % bootstrap intervals over questions."


def cost(runs: Sequence[RunScores], metric: str, reported: Sequence[ReportedPoint]) -> Picture:
    """Accuracy against tokens and cost a question."""
    _take_no(reported, "cost")
    whole = groups(runs, by_model=False)
    shown = [Group(tuple(plain_runs(group.runs))) for group in whole]
    told = MODEL_TOLD if all(len(group.models) == 1 for group in shown) else ()
    styled, panels = _styled(shown, told), []
    for group in shown:
        paid = any(run.measure(*USD.path).value for run in group.runs)
        panels += [_panel(group, metric, axis, styled) for axis in ((TOKENS, USD) if paid else (TOKENS,))]
    return _picture("cost", panels, shown, whole, min(2, len(panels)))


def leakage(runs: Sequence[RunScores], metric: str, reported: Sequence[ReportedPoint]) -> Picture:
    """Accuracy against measured leakage: distinct texts of the graph that the provider saw a question."""
    _take_no(reported, "leakage")
    if all(run.measure(*HANDLES.path).value is None for run in runs):
        raise UsageError(
            'figure "leakage" needs runs that recorded what the provider saw, and these are older; '
            "make them again: kgbench run"
        )
    whole = groups(runs)
    shown = [Group(tuple(plain_runs(group.runs))) for group in whole]
    styled = _styled(shown, MODEL_TOLD)
    panels = [_panel(group, metric, axis, styled) for group in shown for axis in (IN_CLEAR, HANDLES, RELATIONS)]
    extra = (
        "Across: distinct texts of the graph that the provider saw, a question. "
        "A topic's mention is not counted, since the question says it.",
    )
    return _picture("leakage", panels, shown, whole, 3, extra)


def _picture(
    name: str,
    panels: Sequence[Panel],
    shown: Sequence[Group],
    whole: Sequence[Group],
    columns: int,
    extra: Sequence[str] = (),
) -> Picture:
    left = sum(len(group.runs) for group in whole) - sum(len(group.runs) for group in shown)
    told = [*extra, *dict.fromkeys(line for group in whole for line in assumed(group.runs))]
    if left:
        told.append(f"Left out: {left} run(s) with other parameters.")
    present = {mark.tag for panel in panels for _, mark in panel.marks()}
    tags = tuple(scenario for scenario in SCENARIOS if scenario in present)
    return Picture(
        name, Kind.POINTS, tuple(panels), columns, caption(shown, panels, interval=_INTERVALS, extra=told), tags
    )


def _styled(shown: Sequence[Group], told: Collection[str]) -> tuple[dict[str, str], dict[str, int]]:
    """The label of every run by its key, and the style of every label, alike in all panels."""
    everyone = [run for group in shown for run in group.runs]
    called = labels(everyone, {"scenario", *told})
    return called, slots([(called[key_of(run)], run.text("method")) for run in everyone], methods_of(shown))


def _panel(group: Group, metric: str, axis: Axis, styled: tuple[dict[str, str], dict[str, int]]) -> Panel:
    called, styles = styled
    series = []
    for own in by_variant(group.runs, {"scenario"}):
        label = called[key_of(own[0])]
        marks = [_mark(run, metric, axis) for run in sorted(own, key=_scenario_order)]
        series.append(Series(label, styles[label], tuple(marks)))
    return Panel(
        title=group.title,
        subtitle=group.models[0] if len(group.models) == 1 else f"{len(group.models)} models, as labelled",
        x_title=axis.title,
        y_title=accuracy_title(metric),
        series=tuple(sorted(series, key=lambda one: one.label)),
        log=axis.log,
    )


def _mark(run: RunScores, metric: str, axis: Axis) -> Mark:
    across = run.measure(*axis.path)
    x = float("nan") if across.value is None else across.value
    return Mark(x, run.measure(metric), run, metric, across, tag=run.text("scenario"))


def _scenario_order(run: RunScores) -> int:
    scenario = run.text("scenario")
    return SCENARIOS.index(scenario) if scenario in SCENARIOS else len(SCENARIOS)


def _take_no(reported: Sequence[ReportedPoint], name: str) -> None:
    if reported:
        raise UsageError(f'figure "{name}" takes no reported values: they have no measured usage or exposure')
