from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.contracts import ModelCard
from kgbench.errors import ModelUnavailable, UsageError
from kgbench.report.leaderboard import Split, leaderboard
from kgbench.report.measures import measures, read_run
from kgbench.report.table import Measured
from kgbench.run.store import RunFolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.report.table import Cell, Table

    MakeRun = Callable[..., Path]

HALF = {"forward mediator": "{Ashgrove Works}", "two hops": "{Port Velm}"}
READER = ModelCard(name="builtin/reader", backend="builtin", language_model=False)


def rows_of(table: Table) -> list[dict[str, Cell]]:
    return [dict(row) for section in table.sections for row in section.rows]


def edit_manifest(path: Path, **changes: Any) -> None:
    folder = RunFolder.open(path)
    folder.write_manifest({**folder.manifest(), **changes})


def test_numbers_are_those_of_the_scores_file(make_run: MakeRun) -> None:
    path = make_run(HALF)
    run = read_run(path)
    scores = json.loads((path / "scores.json").read_text())
    found = measures(run, run.question_ids)
    assert found["hits1"] == Measured(0.5, *scores["hits1"]["ci"])
    names = {"calls": "calls_per_question", "input_tokens": "input_tokens_per_question"}
    for key in (
        "hit_any",
        "f1",
        "tog_loose",
        "fallback_share",
        "leaks",
        "echoes",
        "error_rate",
        "calls",
        "input_tokens",
    ):
        assert found[key] == pytest.approx(scores[names.get(key, key)]["value"], abs=1e-6), key


def test_best_first_with_a_paired_test_against_it(make_run: MakeRun) -> None:
    runs = [read_run(make_run({}, seed=1)), read_run(make_run()), read_run(make_run(HALF, seed=2))]
    rows = rows_of(leaderboard(runs))
    assert [row["hits1"].value for row in rows] == [1.0, 0.5, 0.0]  # type: ignore[union-attr]
    assert [row["p_best"] for row in rows] == [None, 0.5, 0.125]


def test_sorting_by_less_is_better(make_run: MakeRun) -> None:
    runs = [read_run(make_run()), read_run(make_run({}, method="cot"))]
    rows = rows_of(leaderboard(runs, sort="input_tokens"))
    tokens = [row["input_tokens"] for row in rows]
    assert tokens == sorted(tokens)  # type: ignore[type-var]
    assert [row["p_best"] is None for row in rows] == [row["hits1"] == Measured(1.0, 1.0, 1.0) for row in rows]


def test_ties_are_ordered_by_method_and_run(make_run: MakeRun) -> None:
    runs = [read_run(make_run()), read_run(make_run())]
    ordered = [row["run"] for row in rows_of(leaderboard(runs))]
    assert ordered == sorted(ordered, key=str)
    assert ordered == [row["run"] for row in rows_of(leaderboard(runs[::-1]))]


def test_an_unknown_column_to_sort_by_is_named_with_a_near_one(make_run: MakeRun) -> None:
    with pytest.raises(UsageError, match=r'no column "hit1"; did you mean hits1'):
        leaderboard([read_run(make_run())], sort="hit1")


def test_runs_that_may_not_be_compared_stand_apart(make_run: MakeRun) -> None:
    runs = [read_run(make_run()), read_run(make_run(limit=2)), read_run(make_run(dataset="other"))]
    table = leaderboard(runs)
    assert len(table.sections) == 3
    assert any(section.title.startswith("other@") for section in table.sections)
    assert sorted(row["n"] for row in rows_of(table)) == [2, 4, 4]  # type: ignore[type-var]


def test_scenarios_and_models_stand_side_by_side(make_run: MakeRun) -> None:
    runs = [read_run(make_run()), read_run(make_run(scenario="p-g")), read_run(make_run(literals="typed"))]
    table = leaderboard(runs)
    assert len(table.sections) == 1
    assert {row["scenario"] for row in rows_of(table)} == {"private", "p-g", "private/typed"}
    assert any("studies of utility, not levels of protection" in note for note in table.notes)


def test_a_run_that_is_not_finished_is_marked_and_no_yardstick(make_run: MakeRun) -> None:
    best, other = make_run(), make_run(HALF, seed=1)
    edit_manifest(best, status="stopped")
    rows = rows_of(leaderboard([read_run(best), read_run(other)]))
    assert rows[0]["marks"] == "not finished: stopped, 0 open"
    assert rows[1]["marks"] == ""
    assert rows[1]["p_best"] is None


def test_missing_records_are_misses_and_marked(make_run: MakeRun) -> None:
    path = make_run()
    lines = (path / "records.jsonl").read_text().splitlines(keepends=True)
    (path / "records.jsonl").write_text("".join(lines[:3]))
    row = rows_of(leaderboard([read_run(path)]))[0]
    assert row["marks"] == "not finished: finished, 1 open"
    assert row["hits1"].value == 0.75  # type: ignore[union-attr]


def test_errors_over_one_percent_are_marked(make_run: MakeRun) -> None:
    path = make_run(fail={"two hops": ModelUnavailable("down")})
    row = rows_of(leaderboard([read_run(path)]))[0]
    assert row["marks"] == "errors 25.0%"
    assert row["error_rate"] == 0.25


def test_a_retrieval_baseline_is_marked_with_a_note(make_run: MakeRun) -> None:
    table = leaderboard([read_run(make_run(model=READER))])
    assert rows_of(table)[0]["lm"] == "no"
    assert any("not a language model" in note for note in table.notes)
    with_model = leaderboard([read_run(make_run())])
    assert rows_of(with_model)[0]["lm"] == "yes"
    assert with_model.notes == ()


def test_public_identifiers_are_said(make_run: MakeRun) -> None:
    path = make_run()
    edit_manifest(path, identifiers_public=True)
    table = leaderboard([read_run(path)])
    assert rows_of(table)[0]["marks"] == "identifiers public"
    assert any(note.startswith("identifiers public") for note in table.notes)


def test_an_unknown_price_is_none_and_a_free_model_costs_nothing(make_run: MakeRun) -> None:
    rows = rows_of(leaderboard([read_run(make_run()), read_run(make_run(model=READER))]))
    assert [row["usd_per_question"] for row in rows] == [None, 0.0]


def test_split_by_edge(make_run: MakeRun) -> None:
    path = make_run(HALF)
    run = read_run(path)
    table = leaderboard([run], split=Split.parse("hops:2"))
    by_subset = {row["subset"]: row for row in rows_of(table)}
    assert {subset: (row["n"], row["hits1"].value) for subset, row in by_subset.items()} == {  # type: ignore[union-attr]
        "hops<2": (3, pytest.approx(1 / 3, abs=1e-4)),
        "hops>=2": (1, 1.0),
    }
    assert str(by_subset["hops<2"]["signature"]).endswith("|by=hops<2")
    assert len(table.sections) == 2


def test_split_by_value(make_run: MakeRun) -> None:
    rows = rows_of(leaderboard([read_run(make_run())], split=Split.parse("hops")))
    assert [(row["subset"], row["n"]) for row in rows] == [("hops=1", 3), ("hops=2", 1)]


def test_a_split_by_an_unknown_tag_names_the_known(make_run: MakeRun) -> None:
    with pytest.raises(UsageError, match=r'no tag "hop"; did you mean hops'):
        leaderboard([read_run(make_run())], split=Split.parse("hop"))


@pytest.mark.parametrize(
    ("text", "tag", "edge"),
    [("topic_relations:5", "topic_relations", 5.0), ("a:b", "a:b", None), ("x:y:2.5", "x:y", 2.5), ("n:-1", "n", -1.0)],
)
def test_reading_a_split(text: str, tag: str, edge: float | None) -> None:
    assert Split.parse(text) == Split(tag, edge)


def test_parts_of_odd_tags() -> None:
    split = Split("n", 5.0)
    assert [split.part({"n": value}) for value in (4, "5", "many")] == ["n<5", "n>=5", "n no number"]
    assert split.part({}) == "n missing"
    assert Split("n").part({"n": True}) == "n=True"


def test_changed_parameters_stand_beside_the_method(make_run: MakeRun) -> None:
    run = read_run(make_run(parameters={"max_tokens": 64}))
    assert rows_of(leaderboard([run]))[0]["method"] == "io(max_tokens=64)"


def test_trials_are_averaged(make_run: MakeRun) -> None:
    row = rows_of(leaderboard([read_run(make_run(HALF, trials=2))]))[0]
    assert (row["n"], row["hits1"].value, row["calls"]) == (4, 0.5, 1.0)  # type: ignore[union-attr]
