"""``kgbench run`` and ``kgbench resume``."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgbench.cli import options as o  # noqa: TC001 - typer reads annotations at run time
from kgbench.cli.display import say, show_json, show_table, tell
from kgbench.cli.failures import FAILED, LEAKED, Debug
from kgbench.cli.folders import find_run
from kgbench.errors import KgbenchError, RunStopped
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kgbench.cli.progress import ProgressListener
    from kgbench.contracts import ModelCard
    from kgbench.run.results import Summary
    from kgbench.spec import RunSpec

BASELINE = "not a language model: a retrieval baseline that knows nothing beside the prompt; name a model with --model"


def run(
    method: o.MethodName = None,
    scenario: o.ScenarioName = None,
    setting: o.Setting = None,
    dataset: o.DatasetName = None,
    kg: o.GraphLocation = None,
    kg_profile: o.GraphProfile = None,
    where: o.Where = None,
    limit: o.Limit = None,
    model: o.ModelName = None,
    base_url: o.BaseUrl = None,
    local_model: o.LocalModel = None,
    embedder: o.EmbedderName = None,
    pseudonyms: o.PseudonymsMode = None,
    pseudonym_scope: o.PseudonymScopeName = None,
    literals: o.Literals = None,
    topic_names: o.TopicNamesMode = None,
    shield: o.Shield = None,
    trials: o.Trials = None,
    seed: o.Seed = None,
    jobs: o.Jobs = None,
    executor: o.ExecutorName = None,
    out: o.Out = None,
    budget: o.Budget = None,
    cache: o.Cache = None,
    max_errors: o.MaxErrors = None,
    assignments: o.Assignments = None,
    config: o.Config = None,
    plan: o.PlanOnly = False,
    as_json: o.AsJson = False,
    debug: o.RunDebug = False,
) -> None:
    """Run a method over a data set and print its row."""
    from kgbench.config import build_spec

    given = {
        "method": method,
        "scenario": scenario,
        "setting": setting,
        "dataset": dataset,
        "kg": kg,
        "kg_profile": kg_profile,
        "where": where,
        "limit": limit,
        "model": model,
        "base_url": base_url,
        "local_model": local_model,
        "embedder": embedder,
        "pseudonyms": pseudonyms,
        "pseudonym_scope": pseudonym_scope,
        "literals": literals,
        "topic_names": topic_names,
        "shield": shield or None,
        "trials": trials,
        "seed": seed,
        "jobs": jobs,
        "executor": executor,
        "out": out,
        "budget": budget,
        "cache": cache,
        "max_errors": max_errors,
    }
    spec = build_spec(_given(given), config=config, assignments=assignments or ())
    if plan:
        _show_plan(spec, as_json=as_json)
    else:
        _run(spec, as_json=as_json, debug=debug)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Only what the user gave: the rest comes from config and defaults."""
    return {name: value for name, value in options.items() if value is not None}


def _show_plan(spec: RunSpec, *, as_json: bool) -> None:
    from kgbench.cli.plan_view import plan_view

    view = plan_view(spec)
    if as_json:
        show_json(view.to_json())
    else:
        say("\n".join(view.lines()))


def _run(spec: RunSpec, *, as_json: bool, debug: bool) -> None:
    from kgbench.run.plan import make_plan
    from kgbench.run.runner import start

    began = time.monotonic()
    plan = make_plan(spec)
    _banner(plan.remote.model.card)
    for warning in plan.warnings:
        tell(f"kgbench: warning: {one_line(warning)}")

    def work(listener: ProgressListener) -> Summary:
        return start(plan, listener, debug=debug)

    summary = _followed(work)
    _end(summary, spec.max_errors, time.monotonic() - began, as_json=as_json)


def _banner(card: ModelCard) -> None:
    if not card.language_model:
        tell(f"{card.name} is {BASELINE}")


def _followed(work: Callable[[ProgressListener], Summary]) -> Summary:
    """Do the work with its progress shown; a failure on the way says how to go on."""
    from kgbench.cli.progress import progress_listener

    listener = progress_listener()
    try:
        return work(listener)
    except RunStopped:
        raise
    except KgbenchError:
        if listener.failed is not None:
            tell(f"What was answered is kept; go on with: kgbench resume {shlex.quote(str(listener.failed))}")
        raise


def _end(summary: Summary, max_errors: float, seconds: float, *, as_json: bool) -> None:
    """Print the row and leave with the exit code that it deserves."""
    from kgbench.report.run_row import leaked, remarks

    found = remarks(summary, max_errors)
    if as_json:
        show_json(
            {
                **summary.to_json(),
                "question_seconds": summary.seconds,
                "seconds": round(seconds, 2),
                "remarks": found,
            }
        )
    else:
        _show_row(summary, seconds, found)
    if leaked(summary):
        raise typer.Exit(LEAKED)
    if summary.error_rate > max_errors:
        raise typer.Exit(FAILED)


def _show_row(summary: Summary, seconds: float, found: list[str]) -> None:
    from kgbench.report.run_row import paid_text, run_table
    from kgbench.run.store import RunFolder

    show_table(run_table([summary], seconds))
    say()
    say(f"run        {summary.path}")
    say(f"signature  {summary.signature}")
    say(f"paid       {paid_text(summary)}")
    filtered = RunFolder.open(Path(summary.path)).manifest().get("filtered")
    if filtered:
        say(f"filtered   {filtered['dropped']} question(s) dropped, which {filtered['cot_run']} answers alone")
    say(f"next       kgbench audit {shlex.quote(summary.path)}")
    say(f"           kgbench leaderboard {shlex.quote(str(Path(summary.path).parent))}/*")
    for remark in found:
        say(f"note       {remark}")


RunFolderArgument = Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run, or its name in runs/.")]


def resume(
    run_folder: RunFolderArgument,
    jobs: o.Jobs = None,
    budget: o.Budget = None,
    cache: o.Cache = None,
    as_json: o.AsJson = False,
    debug: Debug = False,
) -> None:
    """Go on with a run: what is answered stays, errors and what is missing are worked on."""
    from kgbench.config import build_spec
    from kgbench.run.runner import resume as go_on
    from kgbench.run.store import RunFolder

    path = find_run(run_folder)
    changes = _given({"jobs": jobs, "budget": budget, "cache": cache})
    build_spec(changes)  # refuses wrong values
    manifest = RunFolder.open(path).manifest()
    model = manifest["model"]
    if not model["language_model"]:
        tell(f"{model['name']} is {BASELINE}")
    began = time.monotonic()
    summary = _followed(lambda listener: go_on(path, listener, changes=changes))
    _end(summary, manifest["spec"]["max_errors"], time.monotonic() - began, as_json=as_json)
