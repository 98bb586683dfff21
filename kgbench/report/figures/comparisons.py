"""Accuracy by one setting, all else equal: ``scenarios``, ``abstraction`` (bars) and ``width-depth`` (lines)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.errors import UsageError
from kgbench.report.figures.captions import caption
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
    settings,
    slots,
)
from kgbench.report.figures.picture import Kind, Mark, Panel, Picture, ReportedPoint, Series
from kgbench.report.figures.runs import RunScores, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

STRATEGIES = ("off", "cot", "dec", "path")
"""Abstraction strategies of ARoG, the parameter ``sa``: none, a chain of thought, sub-questions, the abstract path."""
_ACCURACY = {"hits1": "Hits@1 (strict)", "f1": "F1", "hit_any": "any answer right"}


def accuracy_title(metric: str) -> str:
    """What the axis of a metric is called."""
    return _ACCURACY.get(metric, metric)


def scenarios(runs: Sequence[RunScores], metric: str, reported: Sequence[ReportedPoint]) -> Picture:
    """Accuracy by privacy scenario, grouped by method (figure 5 of the ARoG paper)."""
    command = "kgbench run --method NAME --scenario private, and again with p-r, p-g and p-rag"
    return _bars("scenarios", "scenario", SCENARIOS, command)(runs, metric, reported)


def abstraction(runs: Sequence[RunScores], metric: str, reported: Sequence[ReportedPoint]) -> Picture:
    """Accuracy by abstraction strategy (figure 4 of the ARoG paper)."""
    command = "kgbench run --method arog --set method.sa=off, and again with cot, dec and path"
    return _bars("abstraction", "sa", STRATEGIES, command)(runs, metric, reported)


def _bars(
    name: str, axis: str, order: Sequence[str], command: str
) -> Callable[[Sequence[RunScores], str, Sequence[ReportedPoint]], Picture]:
    """A figure with a group of bars a method and a bar a value of a setting."""

    def build(runs: Sequence[RunScores], metric: str, reported: Sequence[ReportedPoint]) -> Picture:
        shown = _comparable(runs, axis)
        if not shown:
            raise UsageError(_wanting(name, axis, command))
        everyone = [run for group in shown for run in group.runs]
        called = labels(everyone, {axis, *MODEL_TOLD})
        values = _ordered({settings(run)[axis] for run in everyone}, order)
        used = [_reported_in(group, reported) for group in shown]
        panels = [
            _bar_panel(group, metric, values, (axis, called), points) for group, points in zip(shown, used, strict=True)
        ]
        told = [point for points in used for point in points]
        lines = caption(shown, panels, reported=told, metric=metric, extra=assumed(everyone, {axis}))
        return Picture(name, Kind.BARS, tuple(panels), _columns(panels), lines)

    return build


def _bar_panel(
    group: Group,
    metric: str,
    values: Sequence[str],
    named: tuple[str, dict[str, str]],
    points: Sequence[ReportedPoint],
) -> Panel:
    axis, called = named
    categories = sorted({called[key_of(run)] for run in group.runs} | {point.series for point in points})
    series, reported = [], []
    for slot, value in enumerate(values):
        own = [run for run in group.runs if settings(run)[axis] == value]
        marks = [Mark(called[key_of(run)], run.measure(metric), run, metric) for run in own]
        series.append(Series(value, slot, tuple(marks)))
        published = [_published(point, point.series) for point in points if point.x == value]
        reported.append(Series(value, slot, tuple(published)))
    return Panel(
        title=group.title,
        subtitle=group.models[0],
        x_title="",
        y_title=accuracy_title(metric),
        series=tuple(one for one in series if one.marks),
        reported=tuple(one for one in reported if one.marks),
        categories=tuple(categories),
    )


def width_depth(runs: Sequence[RunScores], metric: str, reported: Sequence[ReportedPoint]) -> Picture:
    """Accuracy by width and by depth of retrieval (figure 3 of the ARoG paper)."""
    found = [(axis, group) for axis in ("width", "depth") for group in _comparable(runs, axis)]
    if not found:
        command = "kgbench run --method arog --set method.width=1, and again with 2, 3, 4; likewise method.depth"
        raise UsageError(_wanting("width-depth", "width or depth", command))
    found.sort(key=lambda one: (one[1].title, one[1].models, one[0] != "width"))
    called = {axis: labels(_runs_on(axis, found), {axis, *MODEL_TOLD}) for axis, _ in found}
    names = [(called[axis][key_of(run)], run.text("method")) for axis, group in found for run in group.runs]
    names += [(point.series, point.series) for point in reported]
    styles = slots(names, methods_of([group for _, group in found]))
    panels, told = [], []
    for axis, group in found:
        points = [point for point in _reported_in(group, reported) if point.axis == axis]
        panels.append(_line_panel(group, metric, axis, (called[axis], styles), points))
        told += points
    extra = list(dict.fromkeys(line for axis in called for line in assumed(_runs_on(axis, found), {axis})))
    lines = caption([group for _, group in found], panels, reported=told, metric=metric, extra=extra)
    return Picture("width-depth", Kind.LINES, tuple(panels), min(2, len(panels)), lines)


def _runs_on(axis: str, found: Sequence[tuple[str, Group]]) -> list[RunScores]:
    return [run for other, group in found if other == axis for run in group.runs]


def _line_panel(
    group: Group,
    metric: str,
    axis: str,
    styled: tuple[dict[str, str], dict[str, int]],
    points: Sequence[ReportedPoint],
) -> Panel:
    called, styles = styled
    series = []
    for own in by_variant(group.runs, {axis}):
        label = called[key_of(own[0])]
        marks = [Mark(float(run.parameters[axis]), run.measure(metric), run, metric) for run in own]
        series.append(Series(label, styles[label], tuple(sorted(marks, key=lambda mark: mark.x))))
    reported = []
    for label in sorted({point.series for point in points}):
        published = [_published(point, float(point.x)) for point in points if point.series == label]
        reported.append(Series(label, styles[label], tuple(sorted(published, key=lambda mark: mark.x))))
    return Panel(
        title=group.title,
        subtitle=group.models[0],
        x_title=axis,
        y_title=accuracy_title(metric),
        series=tuple(sorted(series, key=lambda one: one.label)),
        reported=tuple(reported),
    )


def _comparable(runs: Sequence[RunScores], axis: str) -> list[Group]:
    """In each group the runs that have a sibling with another value of the setting, all else equal."""
    found = []
    for group in groups(runs):
        able = [run for run in group.runs if axis in settings(run) and _is_place(settings(run)[axis], axis)]
        kept: list[RunScores] = []
        for own in by_variant(able, {axis}):
            if len({settings(run)[axis] for run in own}) > 1:
                kept += own
        if kept:
            found.append(Group(tuple(kept)))
    return found


def _is_place(value: str, axis: str) -> bool:
    return axis not in ("width", "depth") or value.isdecimal()


def _ordered(values: Iterable[str], order: Sequence[str]) -> list[str]:
    """Values in the order of the field, unknown ones behind."""
    return sorted(values, key=lambda value: (order.index(value) if value in order else len(order), value))


def _columns(panels: Sequence[Panel]) -> int:
    """Panels side by side: two where groups are few."""
    return 2 if len(panels) > 1 and max(len(panel.categories) for panel in panels) <= 4 else 1


def _wanting(name: str, axis: str, command: str) -> str:
    return (
        f'figure "{name}" needs two or more runs of one method over the same questions that differ in {axis} alone; '
        f"make them: {command}"
    )


def _reported_in(group: Group, reported: Sequence[ReportedPoint]) -> list[ReportedPoint]:
    run = group.first
    return [point for point in reported if (point.dataset, point.setting) == (run.text("dataset"), run.text("setting"))]


def _published(point: ReportedPoint, x: str | float) -> Mark:
    return Mark(x, Value(point.value), None, point.metric, source=point.source or "reported")
