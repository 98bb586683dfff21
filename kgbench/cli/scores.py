"""``kgbench score`` and ``kgbench compare``: what can be said from finished runs."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from kgbench.cli.display import say, show_json, show_table, tell
from kgbench.cli.failures import Debug  # noqa: TC001 - typer reads annotations at run time
from kgbench.cli.folders import exactly, find_runs
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from kgbench.report.comparison import RunComparison
    from kgbench.report.measures import FinishedRun

RunFolders = Annotated[list[str], typer.Argument(metavar="RUN...", help="Run folders, or their names in runs/.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def score(runs: RunFolders, as_json: AsJson = False, debug: Debug = False) -> None:
    """Score runs again from their records and gold, without model or graph."""
    from kgbench.report.run_row import remarks, run_table
    from kgbench.run.results import score_folder, summarise
    from kgbench.run.store import RunFolder

    folders = [RunFolder.open(path) for path in find_runs(runs)]
    for folder in folders:
        score_folder(folder)
    summaries = [summarise(folder) for folder in folders]
    if as_json:
        show_json({"runs": [summary.to_json() for summary in summaries]})
        return
    show_table(run_table(summaries))
    for folder, summary in zip(folders, summaries, strict=True):
        say(f"scored     {folder.path}/scores.json")
        for remark in remarks(summary, folder.manifest()["spec"]["max_errors"]):
            say(f"note       {remark}")
    say("next       kgbench leaderboard " + " ".join(shlex.quote(str(folder.path)) for folder in folders))


TwoRuns = Annotated[
    list[str],
    typer.Argument(
        metavar="FIRST SECOND", help="Run to compare with, the baseline, and the run that is held against it."
    ),
]
MetricName = Annotated[str, typer.Option("--metric", metavar="NAME", help="Metric; kgbench list metrics shows them.")]
Show = Annotated[bool, typer.Option("--show", help="Print question and answers where the two runs differ.")]


def compare(
    runs: TwoRuns,
    metric: MetricName = "hits1",
    show: Show = False,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Compare two runs question by question, with a paired test."""
    from kgbench.report.comparison import compare_runs
    from kgbench.report.measures import read_run

    first, second = (read_run(path) for path in exactly(2, runs, "compare"))
    compared = compare_runs(first, second, metric)
    if as_json:
        show_json(compared.to_json())
    else:
        _show_comparison(compared, (first, second), show=show)


def _show_comparison(compared: RunComparison, runs: tuple[FinishedRun, FinishedRun], *, show: bool) -> None:
    from kgbench.report.comparison import answer_texts, comparison_table, verdict

    for warning in compared.warnings:
        tell(f"kgbench: warning: {one_line(warning)}")
    say(f"first   {compared.first}")
    say(f"second  {compared.second}")
    for difference in compared.differences:
        say(f"differs in {one_line(difference)}")
    say()
    show_table(comparison_table(compared))
    say()
    say(verdict(compared))
    for title, ids in (("better in second", compared.gained), ("better in first", compared.lost)):
        say(f"{title}: {len(ids)}" + (f": {', '.join(map(one_line, ids))}" if ids and not show else ""))
        for question_id in ids if show else ():
            say(f"  {one_line(question_id)}: {one_line(runs[0].loaded.texts[question_id])}")
            for name, run in zip(("first", "second"), runs, strict=True):
                say(f"    {name}: {one_line(answer_texts(run, question_id))}")
    if (compared.gained or compared.lost) and not show:
        say("next       the same command with --show prints these questions and their answers")
