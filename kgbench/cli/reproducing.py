"""``kgbench reproduce``: a published table or figure, or a grid of one's own, as one command."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgbench.cli import options as o
from kgbench.cli.display import say, show_json, show_table, tell
from kgbench.cli.failures import FAILED, LEAKED
from kgbench.errors import KgbenchError, UsageError
from kgbench.report.formats import Face
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.cli.grid_plan import GridPlan
    from kgbench.report.table import Table
    from kgbench.reproduce.execute import Outcome
    from kgbench.reproduce.grid import Grid
    from kgbench.reproduce.jobs import Survey
    from kgbench.reproduce.result import GridResult

REPORTS = "reproduced"
"""Folder of the results, apart from the runs: it holds no name of the graph."""

GridName = Annotated[
    str,
    typer.Argument(
        metavar="GRID", help="table1, table2, table3, table5, fig3, fig4, fig5, all, or a grid file FILE.toml."
    ),
]
Datasets = Annotated[
    list[str] | None,
    typer.Option(
        "--dataset",
        rich_help_panel=o.DATA_PANEL,
        metavar="NAME or NAME:PATH",
        help="Questions; may be repeated. [default: demo, or what the grid file says]",
    ),
]
GridBudget = Annotated[
    float | None,
    typer.Option(
        "--budget",
        rich_help_panel=o.EXECUTION_PANEL,
        metavar="USD",
        help="What all runs may cost together, earlier starts included; a higher one goes on.",
    ),
]
Report = Annotated[
    Path,
    typer.Option(
        "--report", rich_help_panel=o.EXECUTION_PANEL, metavar="FOLDER", help="Folder for tables and pictures."
    ),
]
FaceName = Annotated[
    Face | None,
    typer.Option("--format", rich_help_panel=o.SETTINGS_PANEL, help="Form of the table; by default text for people."),
]
PlanOnly = Annotated[
    bool,
    typer.Option(
        "--plan", rich_help_panel=o.SETTINGS_PANEL, help="Show the runs, what is left and its cost; run nothing."
    ),
]
Yes = Annotated[
    bool, typer.Option("--yes", rich_help_panel=o.SETTINGS_PANEL, help="Do not ask before something is paid for.")
]


def reproduce(
    name: GridName,
    dataset: Datasets = None,
    kg: o.GraphLocation = None,
    kg_profile: o.GraphProfile = None,
    where: o.Where = None,
    limit: o.Limit = None,
    model: o.ModelName = None,
    base_url: o.BaseUrl = None,
    embedder: o.EmbedderName = None,
    pseudonyms: o.PseudonymsMode = None,
    trials: o.Trials = None,
    seed: o.Seed = None,
    jobs: o.Jobs = None,
    out: o.Out = None,
    budget: GridBudget = None,
    cache: o.Cache = None,
    max_errors: o.MaxErrors = None,
    report: Report = Path(REPORTS),
    face: FaceName = None,
    plan: PlanOnly = False,
    as_json: o.AsJson = False,
    yes: Yes = False,
    debug: o.RunDebug = False,
) -> None:
    """Run the rows of a published table or figure, or a grid of your own, and put published numbers beside them."""
    from kgbench.cli.grid_plan import GridPlan
    from kgbench.reproduce.beside import beside
    from kgbench.reproduce.grid_file import find_grids
    from kgbench.reproduce.jobs import survey
    from kgbench.reproduce.opening import Opened

    options = {
        "kg": kg,
        "kg_profile": kg_profile,
        "where": where,
        "limit": limit,
        "model": model,
        "base_url": base_url,
        "embedder": embedder,
        "pseudonyms": pseudonyms,
        "trials": trials,
        "seed": seed,
        "jobs": jobs,
        "out": out,
        "budget": budget,
        "cache": cache,
        "max_errors": max_errors,
    }
    given = {key: value for key, value in options.items() if value is not None}
    grids = find_grids(name)
    if face is Face.JSON and len(grids) > 1:
        raise UsageError("--format json is one table; for several grids say --json")
    for grid in grids:  # a wrong name is found before anything is spent
        beside(grid)
    opened = Opened(dry=plan)
    found = survey(grids, given, opened, tuple(dataset or ()))
    view = GridPlan(found)
    if plan:
        _show_plan(view, as_json=as_json)
        return
    _announce(view, grids)
    _agree(view, yes=yes)
    outcome = _execute(found, opened, debug=debug)
    made = _results(found, outcome, report)
    _show(made, outcome, face, as_json=as_json)
    _leave(found, outcome)


def _show_plan(view: GridPlan, *, as_json: bool) -> None:
    if as_json:
        show_json(view.to_json())
        return
    show_table(view.table())
    say()
    for line in view.summary():
        say(line)
    for note in view.notes():
        say(f"note       {one_line(note)}")
    say("Nothing was sent or written. Leave out --plan to run it.")


def _announce(view: GridPlan, grids: Sequence[Grid]) -> None:
    """Say on standard error what is going to happen."""
    from kgbench.cli.running import BASELINE

    for grid in grids:
        tell(f"{grid.name}: {one_line(grid.title or 'a grid of your own')}")
    for line in view.summary():
        tell(line)
    cards = {job.plan.remote.model.card.name: job.plan.remote.model.card for job in view.survey.jobs}
    for name, card in cards.items():
        if not card.language_model:
            tell(f"{name} is {BASELINE}")
    for warning in dict.fromkeys(warning for job in view.survey.jobs for warning in job.plan.warnings):
        tell(f"kgbench: warning: {one_line(warning)}")


def _agree(view: GridPlan, *, yes: bool) -> None:
    """Ask before something is paid for.

    Raises:
        UsageError: there is nobody to ask.
        Exit: the user said no.
    """
    if yes or view.free:
        return
    typical, largest = (view.left()[name] for name in ("typical", "largest"))
    known = typical is not None and typical.usd is not None and largest is not None and largest.usd is not None
    cost = f"about {typical.usd:.2f} USD, at most {largest.usd:.2f}" if known else "an unknown sum"  # type: ignore[union-attr]
    if not _somebody_is_there():
        raise UsageError(f"this may cost {cost}. Say --yes to agree, or --plan to look at it; --budget USD bounds it")
    if not typer.confirm(f"This may cost {cost}. Go on?", err=True):
        tell("kgbench: nothing was sent")
        raise typer.Exit(0)


def _somebody_is_there() -> bool:
    return sys.stdin.isatty()


def _execute(found: Survey, opened: Any, *, debug: bool) -> Outcome:
    from kgbench.cli.progress import grid_progress
    from kgbench.reproduce.execute import Execution

    budget = found.jobs[0].spec.budget
    return Execution(found.jobs, opened, grid_progress(), budget, debug).run()


def _results(found: Survey, outcome: Outcome, report: Path) -> list[tuple[GridResult, Table, list[Path]]]:
    """Work out the results, write their files and draw their pictures."""
    from kgbench.reproduce.files import write_files
    from kgbench.reproduce.layout import result_table
    from kgbench.reproduce.result import results

    made = []
    for result in results(found, outcome):
        table, folder = result_table(result), report / result.grid.name
        files = write_files(result, table, outcome, folder)
        made.append((result, table, [*files, *_pictures(result, folder)]))
    return made


def _pictures(result: GridResult, folder: Path) -> list[Path]:
    """Draw the grid's figure; without it, as where matplotlib is missing, the table still stands."""
    from kgbench.reproduce.pictures import draw_pictures

    if not result.grid.figure:
        return []
    try:
        return draw_pictures(result, folder)
    except KgbenchError as error:
        tell(f"kgbench: no picture of {result.grid.name}: {error}")
        return []


def _show(
    made: Sequence[tuple[GridResult, Table, list[Path]]], outcome: Outcome, face: Face | None, *, as_json: bool
) -> None:
    from kgbench.report.faces import render, to_json

    if as_json:
        grids = [
            {**result.to_json(), "table": to_json(table), "files": list(map(str, files))}
            for result, table, files in made
        ]
        show_json({"grids": grids, "runs": {spec_id: str(path) for spec_id, path in outcome.runs.items()}})
        return
    for number, (_, table, files) in enumerate(made):
        if face is None:
            if number:
                say()
            show_table(table)
        else:
            say(render(table, face).rstrip("\n"))
        tell(f"wrote {len(files)} files into {shlex.quote(str(files[0].parent))}")


def _leave(found: Survey, outcome: Outcome) -> None:
    """Say what is not whole and leave with the exit code that it deserves."""
    from kgbench.report.run_row import leaked
    from kgbench.run.results import summarise
    from kgbench.run.store import RunFolder

    labels = {job.spec_id: f"{job.label}, {job.spec.scenario}, {job.plan.dataset.name}" for job in found.jobs}
    for spec_id, reason in outcome.failed.items():
        tell(f"kgbench: failed: {one_line(labels[spec_id])}: {one_line(reason)}")
    for spec_id, reason in outcome.unstarted.items():
        tell(f"kgbench: not run: {one_line(labels[spec_id])}: {one_line(reason)}")
    if outcome.failed or outcome.unstarted:
        tell("Go on with the same command: what is finished is used again.")
    summaries = {spec_id: summarise(RunFolder(path)) for spec_id, path in outcome.runs.items()}
    if any(map(leaked, summaries.values())):
        raise typer.Exit(LEAKED)
    limits = {job.spec_id: job.spec.max_errors for job in found.jobs}
    if outcome.failed or outcome.unstarted or any(one.error_rate > limits[key] for key, one in summaries.items()):
        raise typer.Exit(FAILED)
