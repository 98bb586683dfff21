"""The lines beneath a picture: what it was made from, and what its reader must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.report.run_row import UTILITY_ONLY
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.report.figures.groups import Group
    from kgbench.report.figures.picture import Panel, ReportedPoint
    from kgbench.report.figures.runs import RunScores

READER = (
    "LM: no. builtin/reader is a retrieval baseline, not a language model: to it a name is noise, "
    "so its values cannot show the price of privacy."
)
BASELINE = "LM: no. Rows so marked come from no language model; do not read them as one."


def caption(
    shown: Sequence[Group],
    panels: Sequence[Panel],
    *,
    interval: str = "Whiskers: 95 % bootstrap intervals over questions.",
    reported: Sequence[ReportedPoint] = (),
    metric: str = "",
    extra: Sequence[str] = (),
) -> tuple[str, ...]:
    """The lines beneath a picture.

    Args:
        shown: the runs that are drawn.
        panels: what is drawn, for what has no value.
        interval: what the intervals are.
        reported: published values that are drawn.
        metric: the metric of the picture.
        extra: what else to say.
    """
    runs = [run for group in shown for run in group.runs]
    data = "; ".join(dict.fromkeys(group.data for group in shown))
    versions = ", ".join(sorted({run.text("kgbench") for run in runs}))
    lines = [f"Data: {data}. {interval} kgbench {versions}."]
    lines += _models(runs)
    if any(run.text("scenario") != Scenario.PRIVATE for run in runs):
        lines.append(UTILITY_ONLY)
    if any(run.header.get("identifiers_public") for run in runs):
        lines.append("identifiers public: runs with source-id showed the graph's own ids.")
    lines += _reported(reported, metric)
    lines += extra
    if doubtful := sorted({f"{run.run_id} ({run.doubtful})" for run in runs if run.doubtful}):
        lines.append(f"Marked *: {', '.join(doubtful)}.")
    if missing := absent(panels):
        lines.append(f"No value, and so not drawn: {', '.join(missing)}.")
    return tuple(lines)


def _models(runs: Sequence[RunScores]) -> list[str]:
    names = {run.text("model") for run in runs if not run.lm}
    if not names:
        return []
    return [READER] if names == {"builtin/reader"} else [BASELINE]


def _reported(points: Sequence[ReportedPoint], metric: str) -> list[str]:
    if not points:
        return []
    sources = ", ".join(sorted({point.source for point in points if point.source})) or "their authors"
    published = ", ".join(sorted({point.metric for point in points}))
    other = f" The runs are measured by {metric}." if published != metric else ""
    return [f"Hollow, dashed: reported by {sources} as {published}, under other conditions.{other}"]


def absent(panels: Sequence[Panel]) -> list[str]:
    """What has no value in a picture, each named once."""
    found: dict[str, None] = {}
    for panel in panels:
        for series, mark in panel.marks():
            place = mark.x if isinstance(mark.x, str) else f"{mark.x:g}"
            if mark.y.value is None or place == "nan":
                found[f"{series.label} {mark.tag or place}"] = None
    return list(found)
