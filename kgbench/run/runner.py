"""Running a plan: questions side by side, one writer, nothing lost at a kill, nothing repeated on resume."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kgbench
from kgbench import registry
from kgbench.contracts import PreparedMethod
from kgbench.errors import KgbenchError, RunStopped, UsageError
from kgbench.run.answer import SETUP, answer_question, prepare
from kgbench.run.events import Silent
from kgbench.run.executors import Threads
from kgbench.run.plan import Given, Plan, make_plan
from kgbench.run.results import Summary, gold_json, hit_of, load_results, score_folder, summarise
from kgbench.run.store import CALLS, GOLD, LOCAL_CALLS, RECORDS, SCHEMA_VERSION, RunFolder
from kgbench.scoring.score import per_question
from kgbench.spec import RunSpec, signature
from kgbench.types import RETRIED_ON_RESUME, QuestionRecord, Scenario, Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.run.events import Listener
    from kgbench.types import JsonObject

PACKAGES = ("numpy", "pyoxigraph", "openai", "litellm", "model2vec", "sentence-transformers", "torch", "datasets")
"""Whose versions are kept with a run."""
FILTER_METRIC = "tog_loose"
"""The metric by which CoT's right answers are dropped in the setting ``filtered``."""


@dataclass(frozen=True, slots=True)
class _Job:
    record: QuestionRecord
    trial: int


def start(plan: Plan, listener: Listener | None = None, *, debug: bool = False) -> Summary:
    """Run a plan in a new folder and return its summary.

    Raises:
        KgbenchError: the run had to end; what was answered until then is kept and can be resumed.
    """
    _check_model(plan)
    frozen = freeze(plan, listener) if plan.spec.setting == "filtered" else None
    name = f"{plan.spec.method}-{plan.spec.scenario}-{_safe(plan.dataset.name)}-{plan.spec_id[:8]}"
    folder = RunFolder.create(Path(plan.spec.out), name)
    manifest = _manifest(plan, folder, "started")
    folder.write_manifest(manifest if frozen is None else {**manifest, "filtered": frozen})
    folder.write_lines(GOLD, (gold_json(record) for record in plan.records))
    return _run(plan, folder, listener or Silent(), debug=debug)


def _check_model(plan: Plan) -> None:
    """Fail before a folder is made where the model cannot be asked at all, for want of a key."""
    for channel in (plan.remote, plan.local):
        check = getattr(channel.model, "check", None) if channel is not None else None
        if check is not None:
            check()


def resume(
    path: Path, listener: Listener | None = None, given: Given | None = None, *, changes: dict[str, Any] | None = None
) -> Summary:
    """Go on with a run: what is answered stays, errors and what is missing are worked on.

    Args:
        path: the run's folder.
        listener: hears of progress.
        given: parts to use instead of opening them by name.
        changes: settings without an effect on answers to change, such as jobs or budget.

    Raises:
        UsageError: data, graph, method, model or key are not those of the run; the text lists what differs.
    """
    folder = RunFolder.open(path)
    manifest = folder.manifest()
    spec = replace(RunSpec.from_json(manifest["spec"]), out=str(path.parent), **(changes or {}))
    plan = make_plan(spec, given)
    if manifest.get("filtered"):  # frozen when the run began
        plan.narrow(manifest["filtered"]["kept"])
    _check_same(plan, manifest)
    folder.write_manifest({**manifest, "status": "started"})
    if not (folder.path / GOLD).exists():  # the kill came right behind the manifest
        folder.write_lines(GOLD, (gold_json(record) for record in plan.records))
    return _run(plan, folder, listener or Silent())


def _check_same(plan: Plan, manifest: JsonObject) -> None:
    was, now = manifest["identity"], plan.identity.to_json()
    differing = [f"{key}: {was.get(key)!r} then, {now[key]!r} now" for key in now if was.get(key) != now[key]]
    if manifest["key_id"] != plan.key.key_id:
        differing.append(f"pseudonym key: id {manifest['key_id']} then, {plan.key.key_id} now")
    if differing or manifest["spec_id"] != plan.spec_id:
        listed = "; ".join(differing) or f"spec_id: {manifest['spec_id']} then, {plan.spec_id} now"
        raise UsageError(f"this run cannot be resumed, for it would mix two runs. What differs: {listed}")


def freeze(plan: Plan, listener: Listener | None) -> JsonObject:
    """Drop what chain of thought answers alone with the same model (the setting ``filtered``, paper's #Filtered).

    The CoT run is taken from the output folder where a finished one is there, else made. Its loose hits decide, since
    that is the metric of the published tables. The kept ids are frozen in the run.

    Raises:
        UsageError: CoT answers every question.
    """
    settings: dict[str, Any] = {
        "method": "cot",
        "parameters": {},
        "scenario": Scenario.PRIVATE,
        "setting": "total",
        "trials": 1,
    }
    spec = replace(plan.spec, **settings)
    given = Given(
        model=plan.remote.model,
        graph=plan.graph,
        dataset=plan.dataset,
        embeddings=plan.embeddings,
        key=plan.key,
        retries=plan.remote.retries,
    )
    cot = make_plan(spec, given)
    folder = _finished_run(Path(spec.out), cot.spec_id)
    if folder is None:
        folder = RunFolder.open(Path(start(cot, listener).path))
    loaded = load_results(folder)
    hits = per_question(loaded.rows, loaded.golds, FILTER_METRIC)
    kept = [record.question.id for record in plan.records if not hits.get(record.question.id)]
    if not kept:
        raise UsageError("chain of thought answers every question alone: nothing is left to filter for")
    dropped = len(plan.records) - len(kept)
    plan.narrow(kept)
    return {
        "metric": FILTER_METRIC,
        "cot_run": folder.run_id,
        "cot_spec_id": cot.spec_id,
        "dropped": dropped,
        "kept": kept,
    }


def _finished_run(out: Path, wanted: str) -> RunFolder | None:
    for path in sorted(out.glob("*/manifest.json")):
        folder = RunFolder(path.parent)
        manifest = folder.manifest()
        if manifest.get("spec_id") == wanted and manifest.get("status") == "finished":
            return folder
    return None


def _run(plan: Plan, folder: RunFolder, listener: Listener, *, debug: bool = False) -> Summary:
    finished = _finished(folder)
    jobs = [
        _Job(record, trial)
        for trial in range(plan.spec.trials)
        for record in plan.records
        if (record.question.id, trial) not in finished
    ]
    status = "failed"
    try:
        listener.started(plan, folder.run_id, len(finished), len(plan.records) * plan.spec.trials)
        if jobs:
            _work(plan, folder, listener, jobs, debug=debug)
        status = "finished"
    except (KeyboardInterrupt, RunStopped):
        plan.stop.set()
        status = "stopped"
        raise RunStopped(f"stopped; go on with: kgbench resume {folder.path}") from None
    finally:
        plan.stop.set()
        folder.close()
        plan.close()
        folder.write_manifest({**folder.manifest(), "status": status, "ended": _now()})
        listener.finished(status)
    score_folder(folder)
    return summarise(folder)


def _finished(folder: RunFolder) -> set[tuple[str, int]]:
    return {key for key, record in folder.records().items() if record["status"] not in tuple(RETRIED_ON_RESUME)}


def _work(plan: Plan, folder: RunFolder, listener: Listener, jobs: list[_Job], *, debug: bool) -> None:
    recorded = _recorded_calls(plan, folder, {(job.record.question.id, job.trial) for job in jobs})
    prepared = _prepare(plan, folder, recorded.get(SETUP, ()))
    questions = {record.question.id: record for record in plan.records}

    fatal: list[KgbenchError] = []

    def task(job: _Job) -> JsonObject:
        try:
            return answer_question(
                plan,
                folder,
                job.record,
                job.trial,
                recorded=recorded.get((job.record.question.id, job.trial), ()),
                prepared=prepared,
                debug=debug,
            )
        except KgbenchError as error:
            if not isinstance(error, RunStopped):
                fatal.append(error)
            plan.stop.set()  # the others end at their next call
            raise

    side_by_side = 1 if plan.card.keeps_state else plan.spec.jobs
    try:
        for record in Threads(side_by_side, plan.stop.set).map(task, jobs):
            folder.append(RECORDS, record)
            listener.answered(record, hit_of(record, questions[record["question_id"]]))
    except RunStopped:
        if fatal:  # this question was stopped because another one met the cause
            raise fatal[0] from None
        raise


def _recorded_calls(
    plan: Plan, folder: RunFolder, open_keys: set[tuple[str, int]]
) -> dict[tuple[str, int], list[JsonObject]]:
    """Finished calls of questions that have no record yet, from an earlier, interrupted run.

    What the other calls have cost is counted as spent: a run that is resumed keeps to its one budget.
    """
    calls: dict[tuple[str, int], list[JsonObject]] = {}
    for name in (CALLS, LOCAL_CALLS):
        for call in folder.lines(name):
            key = (str(call["question_id"]), int(call["trial"]))
            if key in open_keys or key == SETUP:
                calls.setdefault(key, []).append(call)
            elif "usage" in call:
                usage = call["usage"]
                plan.ledger.record(call["stage"], usage["priced_as"], billed=Usage(**usage["billed"]))
    return calls


def _prepare(plan: Plan, folder: RunFolder, recorded: Sequence[JsonObject]) -> JsonObject | None:
    """Run the method's step before the first question once; its result is kept in the run."""
    if not isinstance(plan.method, PreparedMethod):
        return None
    kept = folder.manifest().get("prepared")
    if kept is not None:
        return dict(kept)
    done = prepare(plan, folder, recorded)
    folder.write_manifest({**folder.manifest(), "prepared": done.result, "setup": done.spending})
    return done.result


def _safe(name: str) -> str:
    return "".join(char if char.isalnum() or char in "._-" else "-" for char in name)[:60]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _manifest(plan: Plan, folder: RunFolder, status: str) -> JsonObject:
    card = plan.remote.model.card
    key_id = plan.key.key_id
    report = plan.dataset.report
    return {
        "schema": SCHEMA_VERSION,
        "run_id": folder.run_id,
        "status": status,
        "spec_id": plan.spec_id,
        "signature": signature(
            plan.spec, plan.identity, n=len(plan.records), metric="hits1@1", version=kgbench.__version__, key_id=key_id
        ),
        "spec": plan.spec.to_json(),
        "identity": plan.identity.to_json(),
        "key_id": key_id,
        "identifiers_public": plan.spec.pseudonyms == "source-id",
        "model": {
            "name": card.name,
            "backend": card.backend,
            "base_url": card.base_url,
            "language_model": card.language_model,
            "context_window": card.context_window,
        },
        "questions": [record.question.id for record in plan.records],
        "data": asdict(report),
        "versions": {"kgbench": kgbench.__version__, "python": platform.python_version(), **_versions()},
        "plugins": _plugins(plan),
        "warnings": plan.warnings,
        "began": _now(),
    }


def _plugins(plan: Plan) -> dict[str, str]:
    """Who provides the method: name -> distribution and version."""
    found = registry.plugins("methods").get(plan.spec.method, [])
    return {plugin.name: f"{plugin.distribution} {plugin.version}" for plugin in found}


@lru_cache(maxsize=1)
def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
