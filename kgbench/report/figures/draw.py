"""Drawing a figure: its values are worked out, then painted, then written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.errors import UsageError
from kgbench.registry import unknown
from kgbench.report.figures.comparisons import abstraction, scenarios, width_depth
from kgbench.report.figures.files import to_csv, write
from kgbench.report.figures.groups import without_repeats
from kgbench.report.figures.paint import paint, require_matplotlib
from kgbench.report.figures.stages import stages
from kgbench.report.figures.tradeoffs import cost, leakage
from kgbench.scoring.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from kgbench.report.figures.picture import Picture, ReportedPoint
    from kgbench.report.figures.runs import RunScores

    Builder = Callable[[Sequence[RunScores], str, Sequence[ReportedPoint]], Picture]

FORMATS = ("png", "svg", "pdf")
"""Forms of a picture."""
FIGURES: Mapping[str, Builder] = {
    "scenarios": scenarios,
    "width-depth": width_depth,
    "abstraction": abstraction,
    "stages": stages,
    "cost": cost,
    "leakage": leakage,
}
"""Every figure by its name; the first line of a builder's text says what it shows."""


def draw(
    name: str,
    scores: Sequence[RunScores],
    folder: Path,
    *,
    formats: Sequence[str] = FORMATS,
    metric: str = "hits1",
    reported: Sequence[ReportedPoint] = (),
) -> list[Path]:
    """Draw a figure and write its files, ``NAME.csv`` among them. The same scores give the same bytes.

    Args:
        name: one of :data:`FIGURES`.
        scores: the runs, in any order; of runs that repeat one another the first by name is drawn.
        folder: where to write; made where it is not there.
        formats: of ``png``, ``svg`` and ``pdf``.
        metric: accuracy by which metric, as ``kgbench list metrics`` names them.
        reported: published values to draw beside the runs of their data set and setting (``scenarios``,
            ``width-depth`` and ``abstraction``).

    Returns:
        The files written.

    Raises:
        UsageError: the runs cannot make this figure; the text says why, and which command makes the missing runs.
        MissingExtra: matplotlib is not installed.
        PrerequisiteMissing: the folder cannot be written.
    """
    wanted = check_formats(formats)
    return save(build(name, scores, metric=metric, reported=reported), folder, wanted)


def save(picture: Picture, folder: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Paint a picture and write its files; arguments and errors as in :func:`draw`."""
    files = {f"{picture.name}.{form}": content for form, content in paint(picture, formats).items()}
    return write(folder, {**files, f"{picture.name}.csv": to_csv(picture).encode("utf-8", "backslashreplace")})


def build(
    name: str, scores: Sequence[RunScores], *, metric: str = "hits1", reported: Sequence[ReportedPoint] = ()
) -> Picture:
    """Work out what a figure shows, without drawing it; arguments and errors as in :func:`draw`."""
    if name not in FIGURES:
        raise UsageError("--figure: " + unknown("figure", name, FIGURES))
    check_metric(metric)
    kept, _ = without_repeats(scores)
    if not kept:
        raise UsageError(f'figure "{name}" needs runs; make one with: kgbench run')
    picture = FIGURES[name](kept, metric, reported)
    marks = [mark for panel in picture.panels for _, mark in panel.marks()]
    if all(mark.y.value is None for mark in marks):
        raise UsageError(f'figure "{name}" would be empty: none of these runs has a value of {metric}')
    return picture


def check_metric(metric: str) -> None:
    """Make sure that there is a metric.

    Raises:
        UsageError: there is none of this name.
    """
    if metric not in METRICS:
        raise UsageError("--metric: " + unknown("metric", metric, METRICS))


def check_formats(formats: Sequence[str]) -> tuple[str, ...]:
    """The formats, each once.

    Raises:
        UsageError: one is not known.
        MissingExtra: matplotlib is not installed.
    """
    for form in formats:
        if form not in FORMATS:
            raise UsageError("--format: " + unknown("format", form, FORMATS))
    require_matplotlib()
    return tuple(dict.fromkeys(formats))
