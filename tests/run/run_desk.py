"""Runs of the toy world in a folder that stays, so that they can be stopped, looked at and resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgbench.llm.retry import RetryPolicy
from kgbench.run.plan import Given, load_method, make_plan
from kgbench.run.runner import resume, start
from kgbench.run.store import CALLS, RunFolder
from kgbench.spec import RunSpec
from kgbench.testing import TEST_KEY, Parrot, RunArtifacts, toy_graph, toy_records
from kgbench.testing.harness import dataset_of, read_run

if TYPE_CHECKING:
    from kgbench.types import JsonObject

UNSTEADY = ("seconds", "waiting_seconds")
"""Fields of a record that measure time."""


def given(**parts: Any) -> Given:
    """Parts of a run: the toy world, a parrot and a fixed key, but for what is named."""
    usual = Given(
        model=Parrot(),
        graph=toy_graph(),
        dataset=dataset_of(toy_records()),
        key=TEST_KEY,
        retries=RetryPolicy(retries=0),
    )
    return replace(usual, **parts)


def begin(out: Path, parts: Given | None = None, **settings: Any) -> RunArtifacts:
    """Start a run below ``out``."""
    spec = RunSpec(**{"jobs": 1, "cache": "off", "out": str(out), **settings})
    summary = start(make_plan(spec, with_method(parts or given(), spec)))
    return read_run(Path(summary.path), summary)


def go_on(path: Path, parts: Given | None = None, changes: dict[str, Any] | None = None) -> RunArtifacts:
    """Resume a run."""
    summary = resume(path, given=parts or given(), changes=changes)
    return read_run(path, summary)


def with_method(parts: Given, spec: RunSpec) -> Given:
    """The parts with a fresh method, unless they bring one."""
    return parts if parts.method is not None else replace(parts, method=load_method(spec.method, dict(spec.parameters)))


def only_run(out: Path) -> Path:
    """The one run folder below ``out``."""
    (path,) = (entry for entry in out.iterdir() if entry.is_dir())
    return path


def steady(records: tuple[JsonObject, ...]) -> list[JsonObject]:
    """Records without what measures time."""
    return [{key: value for key, value in record.items() if key not in UNSTEADY} for record in records]


def call_keys(path: Path) -> list[tuple[str, int, int]]:
    """(question, trial, call) of every recorded call, in file order."""
    return [(call["question_id"], call["trial"], call["call"]) for call in RunFolder(path).lines(CALLS)]
