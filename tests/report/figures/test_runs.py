from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.errors import DataError, UsageError
from kgbench.report.figures import RunScores, read_scores
from kgbench.report.figures.groups import assumed, groups, key_of, labels, plain_runs, slots, without_repeats
from kgbench.report.figures.runs import value_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Change = Callable[..., RunScores]


def test_a_folder_and_its_file_are_read_alike(run_paths: list[Path], tmp_path: Path) -> None:
    summary = tmp_path / "arog.json"
    summary.write_text((run_paths[0] / "scores.json").read_text())
    from_folder, from_file = read_scores(run_paths[0]), read_scores(summary)
    assert from_folder.data == from_file.data
    assert (from_file.run_id, from_file.n, from_file.lm) == (run_paths[0].name, 5, False)


@pytest.mark.parametrize(
    ("content", "error", "text"),
    [
        (None, UsageError, "score the run first: kgbench score"),
        ("no JSON", DataError, "is no JSON"),
        ("[]", UsageError, "does not say which run it is of; make it again: kgbench score RUN"),
        ('{"hits1": {"value": 1}}', UsageError, "does not say which run it is of"),
        ('{"schema": 99, "run": {}}', DataError, "newer kgbench"),
        (
            '{"schema": 2, "run": {"n": "5"}}',
            DataError,
            "lacks run_id, spec_id, method, scenario, dataset, lm, n, param",
        ),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, content: str | None, error: type[Exception], text: str) -> None:
    if content is not None:
        (tmp_path / "scores.json").write_text(content)
    with pytest.raises(error, match=text):
        read_scores(tmp_path)


@pytest.mark.parametrize("entry", [None, 3, {}, {"value": None}, {"value": "0.5"}, {"value": True}])
def test_what_has_no_value_is_never_0(entry: Any) -> None:
    assert value_of(entry).value is None


def test_marks_of_a_run_follow_its_state(runs: list[RunScores], changed: Change) -> None:
    assert runs[0].doubtful == ""
    assert changed(runs[0], status="stopped").doubtful == "not finished"
    assert changed(runs[0], at={"error_rate": {"value": 0.02, "ci": None, "n": 5}}).doubtful == "2.0% errors"


def test_runs_over_other_data_share_no_panel(runs: list[RunScores], changed: Change) -> None:
    other = changed(runs[0], questions_hash="else")
    filtered = changed(runs[0], setting="filtered")
    model = changed(runs[0], model="openai/m")
    assert [len(group.runs) for group in groups([*runs, other, filtered, model])] == [1, 7, 1, 1]
    assert [len(group.runs) for group in groups([*runs, model], by_model=False)] == [8]


def test_labels_tell_apart_what_differs_and_nothing_else(runs: list[RunScores]) -> None:
    assert [labels(runs, {"scenario"})[key_of(run)] for run in runs] == [
        "arog",
        "arog",
        "tog",
        "tog",
        "arog, width=1",
        "arog, depth=1",
        "arog, sa=off",
    ]
    assert labels(runs[:1])[key_of(runs[0])] == "arog"


def test_a_label_tells_settings_beside_the_parameters(runs: list[RunScores], changed: Change) -> None:
    seeded = changed(runs[0], seed=7)
    assert labels([runs[0], seeded])[key_of(seeded)] == "arog, seed=7"
    model = changed(runs[0], model="openai/m", lm=True)
    found = labels([runs[0], model])
    assert [found[key_of(runs[0])], found[key_of(model)]] == ["arog, builtin/reader (LM: no)", "arog, openai/m"]


def from_preset(run: RunScores, changed: Change, **parameters: Any) -> RunScores:
    """A run whose settings name every parameter, as a preset does: it shows no default."""
    effective = {**run.parameters, **parameters}
    return changed(run, parameters={"changed": effective, "effective": effective})


def test_runs_of_presets_are_told_apart_by_what_is_unusual(runs: list[RunScores], changed: Change) -> None:
    usual = [from_preset(run, changed) for run in runs[:2]]
    swept = [from_preset(runs[0], changed, width=1), from_preset(runs[0], changed, sa="off")]
    found = labels([*usual, *swept], {"scenario"})
    assert [found[key_of(run)] for run in (*usual, *swept)] == ["arog", "arog", "arog, width=1", "arog, sa=off"]
    assert assumed([*usual, *swept]) == [
        "arog: sa=path, width=3 where no label says otherwise, as in most of its runs."
    ]
    assert plain_runs([*usual, *swept]) == usual
    assert assumed(runs) == [], "known defaults need no word"


def test_of_a_sweep_alone_no_value_is_usual(runs: list[RunScores], changed: Change) -> None:
    swept = [from_preset(runs[0], changed, width=width) for width in (1, 2)]
    assert [labels(swept)[key_of(run)] for run in swept] == ["arog, width=1", "arog, width=2"]
    assert plain_runs(swept) == swept
    assert assumed(swept) == []


def test_repeated_runs_are_one(runs: list[RunScores]) -> None:
    repeated = RunScores("elsewhere", {**runs[0].data, "run": {**runs[0].header, "run_id": "z"}})
    kept, left = without_repeats([repeated, *runs])
    assert left == [repeated]
    assert len(kept) == len(runs)


def test_sweeps_are_left_out_where_the_defaults_are_there(runs: list[RunScores]) -> None:
    assert plain_runs(runs) == runs[:4]
    assert plain_runs(runs[4:5]) == runs[4:5]


def test_a_method_looks_alike_in_every_panel() -> None:
    found = [("tog", "tog"), ("arog, width=1", "arog"), ("arog", "arog")]
    assert slots(found, ["arog", "tog"]) == {"arog": 0, "arog, width=1": 2, "tog": 1}


def test_the_header_is_json(runs: list[RunScores]) -> None:
    assert json.loads(json.dumps(runs[0].header)) == runs[0].header
