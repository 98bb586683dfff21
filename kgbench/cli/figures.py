"""``kgbench figures``: pictures from the scores of finished runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgbench.cli.display import say, show_json, tell
from kgbench.cli.failures import Debug  # noqa: TC001 - typer reads annotations at run time
from kgbench.cli.folders import find_runs
from kgbench.errors import DataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.report.figures import RunScores
    from kgbench.report.figures.picture import Picture

Runs = Annotated[
    list[str], typer.Argument(metavar="RUN...", help="Run folders, their names in runs/, or scores.json files.")
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--figure",
        metavar="NAME",
        help="scenarios, width-depth, abstraction, stages, cost or leakage; may be repeated. Default: all that the runs "
        "can make.",
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Folder for the files.")]
Formats = Annotated[str, typer.Option("--format", metavar="LIST", help="Of png, svg and pdf, with commas.")]
Metric = Annotated[
    str, typer.Option("--metric", metavar="NAME", help="What accuracy is measured by; kgbench list metrics shows them.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def figures(
    runs: Runs,
    figure: Names = None,
    out: Out = Path("figures"),
    formats: Formats = "png,svg,pdf",
    metric: Metric = "hits1",
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Draw figures from the scores of runs, with their values as CSV beside them."""
    from kgbench.report.figures.draw import FIGURES, build, check_formats, check_metric, save

    wanted = check_formats([part.strip() for part in formats.split(",") if part.strip()])
    check_metric(metric)
    scores = _scores(runs)
    pictures: list[Picture] = []
    failed: dict[str, str] = {}
    for name in dict.fromkeys(figure or FIGURES):
        try:
            pictures.append(build(name, scores, metric=metric))
        except UsageError as error:
            if figure:
                raise
            failed[name] = str(error)
    drawn = {picture.name: [str(path) for path in save(picture, out, wanted)] for picture in pictures}
    _show(drawn, failed, as_json=as_json)


def _show(drawn: dict[str, list[str]], failed: dict[str, str], *, as_json: bool) -> None:
    """Name what was written, and what could not be drawn for which reason."""
    if not drawn:
        raise UsageError("these runs make no figure:\n" + "\n".join(f"  {reason}" for reason in failed.values()))
    if as_json:
        show_json({"figures": drawn, "not_drawn": failed})
        return
    for paths in drawn.values():
        for path in paths:
            say(f"wrote {path}")
    for reason in failed.values():
        tell(f"kgbench: not drawn: {reason}")


def _scores(texts: Sequence[str]) -> list[RunScores]:
    """Read the scores of every run that can be read; what cannot is named and hurts no other.

    Raises:
        UsageError: none can.
    """
    from kgbench.report.figures import read_scores
    from kgbench.report.figures.groups import without_repeats

    found = []
    for path in find_runs(texts):
        try:
            found.append(read_scores(path))
        except (UsageError, DataError) as error:
            tell(f"kgbench: left out: {error}")
    if not found:
        raise UsageError("no run is left to draw; make one with: kgbench run")
    kept, repeated = without_repeats(found)
    for run in repeated:
        tell(f"kgbench: left out: {run.source} repeats another run (spec_id {run.text('spec_id')})")
    return kept
