"""Painting one panel: bars, lines, stacked bars or points, with their intervals."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

from kgbench.report.figures.picture import Kind
from kgbench.report.figures.style import HALVES, INK, PALE, PHASES, REPORTED, fill, line
from kgbench.report.figures.words import number, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kgbench.report.figures.picture import Mark, Panel
    from kgbench.report.figures.runs import Value

NO_MODEL = "LM: no"
_BARS_WIDTH = 0.82
"""Share of a group's room that its bars take."""
_CATEGORY_CHARACTERS, _NARROWEST = 96, 8
"""Characters for all labels beneath a panel with bars, and the fewest on a line of one."""
_CHARACTER = 0.0082
"""Share of a stacked panel's room that a character of a stage's name takes."""
_ERROR: Mapping[str, Any] = {"ecolor": INK, "elinewidth": 0.8, "capsize": 1.8, "capthick": 0.8, "linestyle": "none"}


def paint_panel(axis: Any, kind: Kind, panel: Panel, *, limits: tuple[float, float], titled: bool) -> None:
    """Paint a panel onto its axes.

    Args:
        axis: axes of matplotlib.
        kind: how its marks are drawn.
        panel: what to show.
        limits: ends of the axis of accuracy; a stacked panel has none.
        titled: False where the panel to the left has the same title and axis.
    """
    painters = {Kind.BARS: _bars, Kind.LINES: _lines, Kind.STACK: _stack, Kind.POINTS: _points}
    if titled:
        axis.set_title(f"{plain(panel.title, most=60)}\n{plain(panel.subtitle, most=60)}", loc="left", linespacing=1.3)
        axis.set_ylabel(plain(panel.y_title))
    axis.set_xlabel(plain(panel.x_title, most=60))
    painters[kind](axis, panel)
    if kind is not Kind.STACK:
        axis.set_ylim(*limits)
        axis.grid(axis="y", color=PALE, linewidth=0.6)
    models = {mark.run.lm for _, mark in panel.marks() if mark.run is not None}
    if False in models:
        _stamp(axis, NO_MODEL if models == {False} else f"{NO_MODEL} (in part)")


def _stamp(axis: Any, text: str) -> None:
    """Write a warning above the corner on the right, where it hides no mark and no cut-out of the picture loses it."""
    axis.annotate(
        text, (1, 1), (-3, 5), xycoords="axes fraction", textcoords="offset points", ha="right", va="bottom",
        fontsize=7.5, fontweight="bold", color=INK,
        bbox={"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": INK, "linewidth": 0.7},
    )  # fmt: skip


def _error(value: Value) -> list[list[float]] | None:
    """Lengths of the interval below and above, as matplotlib takes them."""
    if value.value is None or value.low is None or value.high is None:
        return None
    return [[max(0.0, value.value - value.low)], [max(0.0, value.high - value.value)]]


def _star(mark: Mark) -> str:
    return "*" if mark.run is not None and mark.run.doubtful else ""


# --- bars --------------------------------------------------------------------------------------------------------------


def _bars(axis: Any, panel: Panel) -> None:
    slots = sorted({series.slot for series in (*panel.series, *panel.reported)})
    width = _BARS_WIDTH / len(slots)

    def place(slot: int, category: object) -> float:
        return panel.categories.index(str(category)) + (slots.index(slot) - (len(slots) - 1) / 2) * width

    for series in panel.series:
        for mark in series.marks:
            _bar(axis, series.slot, mark, place(series.slot, mark.x), width)
    for series in panel.reported:
        for mark in series.marks:
            left = place(series.slot, mark.x)
            axis.bar(
                left, mark.y.value, width * 0.9, fill=False, edgecolor=INK, linestyle="--", linewidth=1.1, zorder=3
            )
    room = max(_NARROWEST, _CATEGORY_CHARACTERS // len(panel.categories))
    axis.set_xticks(range(len(panel.categories)), [_wrapped(category, room) for category in panel.categories])
    axis.tick_params(axis="x", length=0)
    axis.set_xlim(-0.5, len(panel.categories) - 0.5)


def _bar(axis: Any, slot: int, mark: Mark, place: float, width: float) -> None:
    if mark.y.value is None:
        axis.text(place, 0, " no value", rotation=90, ha="center", va="bottom", fontsize=6, color=INK)
        return
    style = fill(slot)
    axis.bar(place, mark.y.value, width, color=style.colour, hatch=style.hatch, edgecolor=INK, linewidth=0.6)
    if (error := _error(mark.y)) is not None:
        axis.errorbar(place, mark.y.value, yerr=error, **_ERROR)
    top = max(mark.y.value, mark.y.high or mark.y.value)
    told = ("0" if mark.y.value == 0 else "") + _star(mark)
    if told:  # a bar without height is a measured 0, not a gap
        axis.annotate(told, (place, top), (0, 1.5), textcoords="offset points", ha="center", va="bottom", fontsize=6.5)


def _wrapped(label: str, room: int) -> str:
    """A label on as many lines as its place is too narrow, its variant on lines of its own."""
    return "\n".join(line for part in plain(label).split(", ") for line in textwrap.wrap(part, room) or [""])


# --- lines -------------------------------------------------------------------------------------------------------------


def _lines(axis: Any, panel: Panel) -> None:
    places = sorted({float(mark.x) for _, mark in panel.marks()})
    step = 0.012 * ((places[-1] - places[0]) or 1)
    count = len(panel.series)
    for index, series in enumerate(panel.series):
        aside = (index - (count - 1) / 2) * step  # so that intervals stand side by side
        style = line(series.slot)
        xs = [float(mark.x) + aside for mark in series.marks]
        ys = [math.nan if mark.y.value is None else mark.y.value for mark in series.marks]
        axis.plot(xs, ys, color=style.colour, linestyle=style.dashes, marker=style.marker, markersize=5, linewidth=1.3)
        for x, mark in zip(xs, series.marks, strict=True):
            _interval(axis, x, mark, style.colour)
    for series in panel.reported:
        style = line(series.slot)
        axis.plot(
            [float(mark.x) for mark in series.marks], [mark.y.value for mark in series.marks], color=style.colour,
            linestyle=REPORTED, marker=style.marker, markersize=6, fillstyle="none", linewidth=1,
        )  # fmt: skip
    axis.set_xticks(places, [number(place) for place in places])
    axis.margins(x=0.08)


def _interval(axis: Any, x: float, mark: Mark, colour: str) -> None:
    if mark.y.value is None:
        return
    if (error := _error(mark.y)) is not None:
        axis.errorbar(x, mark.y.value, yerr=error, **{**_ERROR, "ecolor": colour})
    if star := _star(mark):
        axis.annotate(star, (x, mark.y.value), (4, 2), textcoords="offset points", fontsize=8)


# --- stacked bars ------------------------------------------------------------------------------------------------------


def _stack(axis: Any, panel: Panel) -> None:
    ends = dict.fromkeys(panel.categories, 0.0)
    whole = max([mark.y.high or mark.y.value or 0.0 for mark in panel.totals] or [0.0]) or 1.0
    for series in panel.series:
        for mark in series.marks:
            _part(axis, panel, series.label, mark, ends, whole)
    for mark in panel.totals:
        _total(axis, panel, mark, ends[str(mark.x)])
    axis.set_yticks(range(len(panel.categories)), [plain(category) for category in panel.categories])
    axis.invert_yaxis()
    axis.tick_params(axis="y", length=0)
    axis.set_xlim(0, whole * 1.1)
    axis.grid(axis="x", color=PALE, linewidth=0.6)
    axis.xaxis.set_major_formatter(lambda value, _: number(value))


def _part(axis: Any, panel: Panel, stage: str, mark: Mark, ends: dict[str, float], whole: float) -> None:
    bar, value = str(mark.x), mark.y.value or 0.0
    style = PHASES.get(mark.tag, PHASES["any"])
    row = panel.categories.index(bar)
    axis.barh(row, value, 0.72, left=ends[bar], color=style.colour, edgecolor="white", linewidth=0.9)
    axis.barh(row, value, 0.72, left=ends[bar], fill=False, edgecolor=INK, linewidth=0.4)
    text = plain(stage, most=16)
    if value / whole > _CHARACTER * (len(text) + 1):
        axis.text(ends[bar] + value / 2, row, text, ha="center", va="center", fontsize=6.3, color=style.ink)
    ends[bar] += value


def _total(axis: Any, panel: Panel, mark: Mark, end: float) -> None:
    row = panel.categories.index(str(mark.x))
    if mark.y.value is None:
        axis.text(0, row, " no value", va="center", fontsize=6.5, color=INK)
        return
    if (error := _error(mark.y)) is not None:
        axis.errorbar(mark.y.value, row + 0.27, xerr=error, **_ERROR)  # beneath the names of the stages
    text = number(round(mark.y.value, 1)) + _star(mark)
    place = max(end, mark.y.high or mark.y.value)
    axis.annotate(text, (place, row), (3, 0), textcoords="offset points", va="center", fontsize=6.5)


# --- points ------------------------------------------------------------------------------------------------------------


def _points(axis: Any, panel: Panel) -> None:
    for series in panel.series:
        style = line(series.slot)
        for mark in series.marks:
            x = float(mark.x)
            if mark.y.value is None or math.isnan(x):
                continue
            axis.errorbar(
                x, mark.y.value, xerr=_error(mark.across), yerr=_error(mark.y), marker=style.marker, markersize=6.5,
                color=style.colour, fillstyle=HALVES.get(mark.tag, "full"), markerfacecoloralt="white",
                markeredgewidth=0.9, markeredgecolor=style.colour, elinewidth=0.6, capsize=0, linestyle="none", alpha=0.9,
            )  # fmt: skip
            if star := _star(mark):
                axis.annotate(star, (x, mark.y.value), (4, 2), textcoords="offset points", fontsize=8)
    _across(axis, panel)


def _across(axis: Any, panel: Panel) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter

    ends = list(_ends(panel))
    if panel.log and ends and min(ends) > 0:
        axis.set_xscale("log")
        axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.set_xlim(min(ends) * 0.8, max(ends) * 1.25)
    else:
        highest = max(ends, default=1.0) or 1.0
        axis.set_xlim(-0.04 * highest, 1.06 * highest)
    axis.xaxis.set_major_formatter(lambda value, _: number(value))
    axis.grid(axis="x", color=PALE, linewidth=0.6)


def _ends(panel: Panel) -> Iterable[float]:
    for _, mark in panel.marks():
        for end in (mark.x, mark.across.low, mark.across.high):
            if isinstance(end, float) and not math.isnan(end):
                yield end
