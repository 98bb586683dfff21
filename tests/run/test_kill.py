"""A kill at any byte loses at most the calls in flight; what is resumed is the run that nobody killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from methods_of_runs import Preparing, Small
from run_desk import begin, call_keys, given, go_on, only_run, steady

from kgbench.contracts import Completion, ModelCard
from kgbench.errors import DataError, FatalModelError
from kgbench.run.store import CALLS, GOLD, MANIFEST, RECORDS, SCORES, RunFolder
from kgbench.testing import ScriptedModel, toy_records
from kgbench.testing.harness import dataset_of
from kgbench.types import Question

SCRIPT = Path(__file__).with_name("killed_runs.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills by SIGKILL need a POSIX system")
def test_twenty_kills_change_nothing(tmp_path: Path) -> None:
    finished = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path), "20"], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr[-2000:]
    kills = json.loads(finished.stdout)["kills"]
    assert sum(kills) >= 20
    whole = RunFolder(only_run(tmp_path / "whole"))
    expected = steady(tuple(record for _, record in sorted(whole.records().items())))
    for number in range(len(kills)):
        run = RunFolder(only_run(tmp_path / f"killed{number}"))
        assert run.manifest()["status"] == "finished"
        assert steady(tuple(record for _, record in sorted(run.records().items()))) == expected
        assert run.scores() == whole.scores()
        assert sorted(call_keys(run.path)) == sorted(call_keys(whole.path))
        assert set(Counter(call_keys(run.path)).values()) == {1}
        assert wires(run) == wires(whole)


def wires(run: RunFolder) -> list[tuple[object, ...]]:
    return sorted((c["question_id"], c["call"], c["wire"], tuple(c["replies"])) for c in run.lines(CALLS))


def test_a_kill_before_the_gold_was_written_loses_nothing(tmp_path: Path) -> None:
    """The manifest is written first; all that stands beside it can be made again."""
    whole = begin(tmp_path / "whole")
    begin(tmp_path / "killed")
    path = only_run(tmp_path / "killed")
    for name in (GOLD, RECORDS, CALLS, SCORES):
        (path / name).unlink()
    resumed = go_on(path)
    assert steady(resumed.records) == steady(whole.records)
    assert (path / GOLD).read_text() == (only_run(tmp_path / "whole") / GOLD).read_text()
    assert resumed.summary.hits1 == whole.summary.hits1


def test_a_kill_between_a_call_and_its_record_repeats_no_call(tmp_path: Path) -> None:
    whole = begin(tmp_path)
    path = only_run(tmp_path)
    records = (path / RECORDS).read_text().splitlines(keepends=True)
    (path / RECORDS).write_text("".join(records[:-3]))
    calls = (path / CALLS).read_bytes()
    resumed = go_on(path)
    assert (path / CALLS).read_bytes() == calls
    assert steady(resumed.records) == steady(whole.records)


def test_what_the_step_before_the_first_question_asked_is_not_asked_again(tmp_path: Path) -> None:
    def failing() -> ScriptedModel:
        return ScriptedModel(["ready", FatalModelError("the server is gone")])

    with pytest.raises(FatalModelError):
        begin(tmp_path, given(method=Preparing(), model=failing()), method="preparing")
    model = ScriptedModel(lambda request: "more")
    resumed = go_on(only_run(tmp_path), given(method=Preparing(), model=model))
    assert resumed.manifest["prepared"] == {"said": ["ready", "more"]}
    asked = [request.messages[-1]["content"] for request in model.requests]
    assert "Get ready, part 1." not in asked
    assert asked.count("Get ready, part 2.") == 1


def test_calls_that_are_not_repeated_leave_the_same_notes(tmp_path: Path) -> None:
    """A server that cut a prompt silently is noted in the record, also where the call is served from the run."""
    card = ModelCard(name="short", backend="scripted")
    long = "word " * 3000
    record = replace(toy_records("hub")[0], question=Question("hub", long))
    parts = given(
        method=Small(),
        dataset=dataset_of([record]),
        model=ScriptedModel([Completion(("said",), input_tokens=40, output_tokens=1)], card),
    )
    whole = begin(tmp_path, parts, method="small")
    assert whole.records[0]["notes"] == {"prompt_shortened_by_server": 1}
    path = only_run(tmp_path)
    (path / RECORDS).write_text("")
    resumed = go_on(path, replace(parts, model=ScriptedModel([], card)))
    assert steady(resumed.records) == steady(whole.records)


def test_a_torn_manifest_is_named(tmp_path: Path) -> None:
    begin(tmp_path)
    path = only_run(tmp_path)
    (path / MANIFEST).write_text('{"run_id": "x')
    with pytest.raises(DataError, match=r"manifest\.json is no JSON"):
        go_on(path)
