"""Scores of small runs, made by the real runner over five demo questions, and copies of them with other settings."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.report.figures import RunScores, read_scores
from kgbench.run.plan import Given, make_plan
from kgbench.run.runner import start
from kgbench.seam.pseudonyms import MasterKey
from kgbench.spec import RunSpec
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable

SETTINGS: tuple[dict[str, Any], ...] = (
    {"method": "arog"},
    {"method": "arog", "scenario": Scenario.P_RAG},
    {"method": "tog"},
    {"method": "tog", "scenario": Scenario.P_RAG},
    {"method": "arog", "parameters": {"width": 1}},
    {"method": "arog", "parameters": {"depth": 1}},
    {"method": "arog", "parameters": {"sa": "off"}},
)


@pytest.fixture(scope="session")
def run_paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Folders of finished runs, in the order of ``SETTINGS``; read them, do not change them."""
    out = str(tmp_path_factory.mktemp("runs"))
    given = Given(key=MasterKey(bytes(32)))
    return [
        Path(start(make_plan(RunSpec(limit=5, jobs=1, cache="off", out=out, **one), given)).path) for one in SETTINGS
    ]


@pytest.fixture
def runs(run_paths: list[Path]) -> list[RunScores]:
    """The scores of these runs."""
    return [read_scores(path) for path in run_paths]


@pytest.fixture
def changed() -> Callable[..., RunScores]:
    """Copy scores with other values: of the header by name, of the rest by ``at={"a.b": value}``."""

    def change(run: RunScores, *, at: dict[str, Any] | None = None, **header: Any) -> RunScores:
        data = copy.deepcopy(run.data)
        data["run"] |= header
        data["run"]["spec_id"] = f"{run.text('spec_id')}{json.dumps([header, at], default=str)}"
        for path, value in (at or {}).items():
            *parents, last = path.split(".")
            place = data
            for key in parents:
                place = place[key]
            place[last] = value
        return RunScores(run.source, data)

    return change
