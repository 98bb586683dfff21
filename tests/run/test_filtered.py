"""The setting ``filtered``: what chain of thought answers alone is dropped, once, and stays dropped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgbench.data.records import Dataset, LoadReport
from kgbench.errors import UsageError
from kgbench.run.plan import Given, make_plan
from kgbench.run.runner import resume, start
from kgbench.run.store import RunFolder
from kgbench.spec import RunSpec
from kgbench.testing import TEST_KEY, ScriptedModel, toy_graph, toy_records

if TYPE_CHECKING:
    from kgbench.contracts import ModelRequest
    from kgbench.run.results import Summary

KNOWN = "forward mediator"
"""The question whose answer the model knows without the graph."""
OTHERS = ("backward mediator", "homonyms")


def knows_one(request: ModelRequest) -> str:
    """Knows where Brenka Moll works, and nothing else."""
    asked = request.messages[-1]["content"]
    return "{Ashgrove Works}" if "At which employer does Brenka Moll" in asked else "{unknown}"


def parts(model: ScriptedModel) -> Given:
    records = tuple(toy_records(KNOWN, *OTHERS))
    dataset = Dataset("toy", records, LoadReport("toy", "0" * 64, len(records), len(records)))
    return Given(model=model, graph=toy_graph(), dataset=dataset, key=TEST_KEY)


def run(out: Path, method: str, model: ScriptedModel, setting: str = "filtered") -> Summary:
    spec = RunSpec(method=method, setting=setting, out=str(out), jobs=1, cache="off")
    return start(make_plan(spec, parts(model)))


def test_cot_scores_zero_on_its_own_split_and_not_on_all(tmp_path: Path) -> None:
    every = run(tmp_path / "total", "cot", ScriptedModel(knows_one), setting="total")
    kept = run(tmp_path / "filtered", "cot", ScriptedModel(knows_one))
    assert (every.n, every.tog_loose) == (3, pytest.approx(1 / 3))
    assert (kept.n, kept.tog_loose, kept.hits1) == (2, 0.0, 0.0)


def test_what_is_kept_is_frozen_with_its_metric_and_run(tmp_path: Path) -> None:
    summary = run(tmp_path, "io", ScriptedModel(knows_one))
    manifest = RunFolder.open(Path(summary.path)).manifest()
    assert manifest["filtered"]["kept"] == list(OTHERS)
    assert (manifest["filtered"]["dropped"], manifest["filtered"]["metric"]) == (1, "tog_loose")
    assert (tmp_path / manifest["filtered"]["cot_run"]).is_dir()
    assert manifest["questions"] == list(OTHERS)


def test_the_split_is_made_once_and_taken_from_there(tmp_path: Path) -> None:
    run(tmp_path, "io", ScriptedModel(knows_one))
    model = ScriptedModel(knows_one)
    run(tmp_path, "io", model)
    assert model.calls == 2  # the two questions that are left; chain of thought is not asked again


def test_a_resumed_run_keeps_its_split(tmp_path: Path) -> None:
    summary = run(tmp_path, "io", ScriptedModel(knows_one))
    path = Path(summary.path)
    (path / "records.jsonl").write_text("")
    again = resume(path, given=parts(ScriptedModel(lambda request: "{Ashgrove Works}")))
    assert (again.n, sum(again.statuses.values())) == (2, 2)


def test_a_split_of_nothing_is_said_so(tmp_path: Path) -> None:
    def knows_all(request: ModelRequest) -> str:
        return "{Ashgrove Works | Brenka Moll | Tamsin Orrel}"

    with pytest.raises(UsageError, match="answers every question alone"):
        run(tmp_path, "io", ScriptedModel(knows_all))
