"""The picture of a grid, drawn from its runs: of all questions, and of those that the setting ``filtered`` keeps."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kgbench.report.figures import ReportedPoint, draw, read_scores
from kgbench.reproduce.grid import FILTERED, TOTAL
from kgbench.scoring.metrics import METRICS
from kgbench.scoring.score import score_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kgbench.report.figures import RunScores
    from kgbench.reproduce.lines import Source
    from kgbench.reproduce.result import GridResult

_AXES = ("width", "depth")


def draw_pictures(result: GridResult, folder: Path) -> list[Path]:
    """Draw a grid's figure, and write it with its values as CSV.

    Raises:
        UsageError: the runs cannot make the figure.
        MissingExtra: matplotlib is not installed.
    """
    metric = next(name for name in result.grid.measures if name in METRICS)
    scores = [one for source in _distinct(result) for one in _scores(source, result, metric)]
    return draw(result.grid.figure, scores, folder, metric=metric, reported=list(_reported(result, metric)))


def _distinct(result: GridResult) -> list[Source]:
    """The cells that show and have a run, each run once."""
    found: dict[str, Source] = {}
    for source in result.sources:
        if source.cell.shown and source.run is not None:
            found.setdefault(source.job.spec_id, source)
    return list(found.values())


def _scores(source: Source, result: GridResult, metric: str) -> Iterator[RunScores]:
    assert source.run is not None  # noqa: S101 - those without are left out
    scores = read_scores(source.run.path)
    if TOTAL in result.grid.settings:
        yield scores
    split = result.splits.get(source.dataset)
    if FILTERED in result.grid.settings and split is not None:
        golds = {question_id: source.run.loaded.golds[question_id] for question_id in split.kept}
        entry: Any = score_run(source.run.loaded.rows, golds, source.run.trials, {metric: METRICS[metric]})[metric]
        header = {**scores.header, "setting": FILTERED, "n": len(golds), "spec_id": f"{source.job.spec_id}/{FILTERED}"}
        # Only what the figure draws: every other number of the file is about all questions.
        kept: dict[str, Any] = {key: scores.data[key] for key in ("schema", "error_rate") if key in scores.data}
        yield replace(scores, data={**kept, "run": header, metric: entry})


def _reported(result: GridResult, metric: str) -> Iterator[ReportedPoint]:
    publication = result.beside.publication
    for source in _distinct(result) if publication is not None else ():
        for axis, x in _places(result, source):
            for setting in result.grid.settings:
                value = result.beside.number(
                    source.cell.row.published, source.cell.spec.scenario, source.dataset, setting, metric
                )
                if value is not None and publication is not None:
                    yield ReportedPoint(
                        dataset=source.dataset,
                        series=source.job.spec.method,
                        x=x,
                        value=value,
                        axis=axis,
                        setting=setting,
                        metric=metric,
                        source=publication.source,
                    )


def _places(result: GridResult, source: Source) -> Iterator[tuple[str, str]]:
    """Axis and place of a run in the figure; a run stands on both axes of ``width-depth`` where it is their common point."""
    parameters = source.job.plan.identity.parameters
    if result.grid.figure == "scenarios":
        yield "", str(source.cell.spec.scenario)
    elif result.grid.figure == "abstraction":
        yield "", str(parameters.get("sa", ""))
    else:
        for axis, other in (_AXES, _AXES[::-1]):
            if parameters.get(other) == _usual(result, other):
                yield axis, str(parameters.get(axis, ""))


def _usual(result: GridResult, parameter: str) -> Any:
    """The value that most of the runs have: that at which the other axis is varied."""
    counts = Counter(one.job.plan.identity.parameters.get(parameter) for one in _distinct(result))
    return counts.most_common(1)[0][0]
