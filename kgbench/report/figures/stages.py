"""Calls and tokens by stage of a method, stacked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.errors import UsageError
from kgbench.report.figures.captions import caption
from kgbench.report.figures.groups import MODEL_TOLD, SCENARIOS, Group, assumed, groups, key_of, labels, plain_runs
from kgbench.report.figures.picture import Kind, Mark, Panel, Picture, Series
from kgbench.report.figures.runs import Value
from kgbench.report.figures.style import PHASES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench.report.figures.picture import ReportedPoint
    from kgbench.report.figures.runs import RunScores

MOST_BARS = 12
"""Bars of a panel above which one scenario alone is shown: calls and tokens hardly depend on it."""
_ORDER = tuple(PHASES)


def stages(runs: Sequence[RunScores], metric: str, reported: Sequence[ReportedPoint]) -> Picture:
    """Calls and tokens a question by stage, coloured by the phase that the stage serves."""
    del metric
    if reported:
        raise UsageError('figure "stages" takes no reported values: they are not known by stage')
    whole = groups(runs)
    shown = [Group(tuple(_few(plain_runs(group.runs)))) for group in whole]
    panels = [_panel(group, what) for group in shown for what in ("calls", "tokens")]
    kept = [run for group in shown for run in group.runs]
    left = len(runs) - len(kept)
    scenarios = ", ".join(sorted({run.text("scenario") for run in kept}))
    extra = ["What the method needed, whatever a cache saved; parts too narrow for their name stand in the CSV."]
    if left:
        extra.append(f"Left out: {left} run(s) with other parameters or scenarios; shown: {scenarios}.")
    extra += dict.fromkeys(line for group in whole for line in assumed(group.runs))
    if any("usage" not in run.data or run.data["usage"]["phases"] is None for run in kept):
        extra.append("any: the phase was not recorded.")
    interval = "Whiskers: 95 % bootstrap intervals of the sums, over questions."
    lines = caption(shown, panels, interval=interval, extra=extra)
    found = {mark.tag for panel in panels for _, mark in panel.marks()}
    return Picture("stages", Kind.STACK, tuple(panels), 1, lines, tuple(phase for phase in _ORDER if phase in found))


def _few(runs: Sequence[RunScores]) -> list[RunScores]:
    if len(runs) <= MOST_BARS:
        return list(runs)
    first = next(scenario for scenario in SCENARIOS if any(run.text("scenario") == scenario for run in runs))
    return [run for run in runs if run.text("scenario") == first]


def _panel(group: Group, what: str) -> Panel:
    called = labels(group.runs, MODEL_TOLD)
    parts: dict[tuple[str, str], list[Mark]] = {}
    totals = []
    for run in sorted(group.runs, key=lambda one: called[key_of(one)]):
        bar = called[key_of(run)]
        for phase, stage, used in _used(run):
            value = Value(sum(float(used[key]) for key in _KEYS[what]), n=run.n)
            parts.setdefault((phase, stage), []).append(Mark(bar, value, run, what, tag=phase))
        totals.append(Mark(bar, _total(run, what), run, what))
    ordered = sorted(parts, key=lambda key: _ORDER.index(key[0]) if key[0] in _ORDER else len(_ORDER))
    return Panel(
        title=group.title,
        subtitle=group.models[0],
        x_title=f"{what} a question" + (", in and out" if what == "tokens" else ""),
        y_title="",
        series=tuple(Series(stage, 0, tuple(parts[phase, stage])) for phase, stage in ordered),
        categories=tuple(mark.x for mark in totals if isinstance(mark.x, str)),
        totals=tuple(totals),
    )


_KEYS: Mapping[str, tuple[str, ...]] = {"calls": ("calls",), "tokens": ("input_tokens", "output_tokens")}


def _used(run: RunScores) -> list[tuple[str, str, Mapping[str, float]]]:
    """(phase, stage, what it used a question); the phase is ``any`` where it was not recorded."""
    phases = run.part("usage", "phases") or {"any": run.part("usage", "stages")}
    return [(phase, stage, used) for phase, stages in phases.items() for stage, used in stages.items()]


def _total(run: RunScores, what: str) -> Value:
    return run.measure(f"{what}_per_question")
