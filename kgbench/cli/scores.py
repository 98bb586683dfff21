"""``kgbench score``, ``kgbench compare`` and ``kgbench leaderboard``: what can be said from finished runs."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgbench.cli.display import say, show_json, show_table, tell
from kgbench.cli.failures import Debug  # noqa: TC001 - typer reads annotations at run time
from kgbench.cli.folders import find_run, find_runs
from kgbench.errors import DataError, PrerequisiteMissing, UsageError
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.report.comparison import RunComparison
    from kgbench.report.measures import FinishedRun
    from kgbench.report.table import Table

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


FirstRun = Annotated[str, typer.Argument(metavar="FIRST", help="Run to compare with: the baseline.")]
SecondRun = Annotated[str, typer.Argument(metavar="SECOND", help="Run that is held against it.")]
MetricName = Annotated[str, typer.Option("--metric", metavar="NAME", help="Metric; kgbench list metrics shows them.")]
Show = Annotated[bool, typer.Option("--show", help="Print question and answers where the two runs differ.")]


def compare(
    first: FirstRun,
    second: SecondRun,
    metric: MetricName = "hits1",
    show: Show = False,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Compare two runs question by question, with a paired test."""
    from kgbench.report.comparison import compare_runs
    from kgbench.report.measures import read_run

    runs = (read_run(find_run(first)), read_run(find_run(second)))
    compared = compare_runs(*runs, metric)
    if as_json:
        show_json(compared.to_json())
    else:
        _show_comparison(compared, runs, show=show)


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


class Face(StrEnum):
    """Forms of a leaderboard."""

    MARKDOWN = "md"
    CSV = "csv"
    JSON = "json"


FaceName = Annotated[Face | None, typer.Option("--format", help="Form of the table; by default text for people.")]
By = Annotated[
    str | None,
    typer.Option("--by", metavar="TAG or TAG:EDGE", help="Split runs by a tag, such as topic_relations:5."),
]
SortKey = Annotated[str, typer.Option("--sort", metavar="COLUMN", help="Column that decides the order.")]
OutputFile = Annotated[
    Path | None, typer.Option("--output", metavar="FILE", help="Write to a file instead of standard output.")
]


def leaderboard(
    runs: RunFolders,
    face: FaceName = None,
    by: By = None,
    sort: SortKey = "hits1",
    output: OutputFile = None,
    debug: Debug = False,
) -> None:
    """Put runs into one table, grouped by what may be compared."""
    from kgbench.report.leaderboard import Split
    from kgbench.report.leaderboard import leaderboard as build

    table = build(_readable(runs), split=Split.parse(by) if by else None, sort=sort)
    if face is None and output is None:
        show_table(table)
        return
    text = _text(table, face or _face_of(output))
    if output is None:
        say(text.rstrip("\n"))
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PrerequisiteMissing(f"cannot write {output}: {error.strerror}; choose another --output") from None
    tell(f"wrote {output}")


def _face_of(output: Path | None) -> Face:
    """The form that a file's ending asks for; Markdown for any other."""
    ending = output.suffix.removeprefix(".") if output is not None else ""
    return Face(ending) if ending in tuple(Face) else Face.MARKDOWN


def _text(table: Table, face: Face) -> str:
    import json

    from kgbench.report.faces import to_csv, to_json, to_markdown

    if face is Face.JSON:
        return json.dumps(to_json(table), indent=2, ensure_ascii=True) + "\n"
    return to_csv(table) if face is Face.CSV else to_markdown(table)


def _readable(texts: Sequence[str]) -> list[FinishedRun]:
    """Read every run that can be read; what cannot is named and hurts no other.

    Raises:
        UsageError: none can.
    """
    from kgbench.report.measures import read_run

    found = []
    for path in find_runs(texts):
        try:
            found.append(read_run(path))
        except (UsageError, DataError) as error:
            tell(f"kgbench: left out: {error}")
    if not found:
        raise UsageError("no run is left for the table; make one with: kgbench run")
    return found
