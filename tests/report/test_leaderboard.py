from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.contracts import ModelCard
from kgbench.errors import ModelUnavailable, UsageError
from kgbench.report.leaderboard import leaderboard
from kgbench.report.measures import measures, read_run
from kgbench.report.published import Reported, published
from kgbench.report.splits import Split
from kgbench.report.table import Measured, Rank
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
        cell = found[key]
        value = cell.value if isinstance(cell, Measured) else cell
        assert value == pytest.approx(scores[names.get(key, key)]["value"], abs=1e-6), key
    assert found["total_tokens"] == found["input_tokens"] + found["output_tokens"]  # type: ignore[operator]


def test_best_first_with_a_corrected_paired_test_against_it(make_run: MakeRun) -> None:
    runs = [read_run(make_run({}, seed=1)), read_run(make_run()), read_run(make_run(HALF, seed=2))]
    rows = rows_of(leaderboard(runs))
    assert [row["hits1"].value for row in rows] == [1.0, 0.5, 0.0]  # type: ignore[union-attr]
    # The tests alone give 0.5 and 0.125; Holm doubles the smaller one.
    assert [row["p_best"] for row in rows] == [None, 0.5, 0.25]
    assert [row["group"] for row in rows] == ["top", "top", "top"]


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


def test_scenarios_stand_in_sections_of_their_own_the_private_first(make_run: MakeRun) -> None:
    runs = [read_run(make_run()), read_run(make_run(scenario="p-g")), read_run(make_run(literals="typed"))]
    table = leaderboard(runs[::-1])
    assert [row["scenario"] for row in rows_of(table)] == ["private", "private/typed", "p-g"]
    assert [section.title.rpartition(", ")[2] for section in table.sections] == ["private", "private/typed", "p-g"]
    assert all(row["group"] == "" and row["p_best"] is None for row in rows_of(table))
    assert any("studies of utility, not levels of protection" in note for note in table.notes)


def test_a_run_that_is_not_finished_is_marked_and_no_yardstick(make_run: MakeRun) -> None:
    best, other = make_run(), make_run(HALF, seed=1)
    edit_manifest(best, status="stopped")
    rows = rows_of(leaderboard([read_run(best), read_run(other)]))
    assert rows[0]["marks"] == "not finished: stopped, 0 open"
    assert rows[1]["marks"] == ""
    assert rows[1]["p_best"] is None
    assert [row["group"] for row in rows] == ["not ranked", ""]


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
    assert with_model.notes == ("Metrics: hits1@1, hit_any@1, f1@1, tog_loose@1.",)


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


def ranks_of(table: Table, key: str) -> list[Rank | None]:
    column = next(column for column in table.columns if column.key == key)
    return [section.rank(place, column) for section in table.sections for place in range(len(section.rows))]


def test_rows_without_a_language_model_are_a_contest_of_their_own(make_run: MakeRun) -> None:
    runs = [
        read_run(make_run(model=READER)),
        read_run(make_run(HALF, model=READER, seed=1)),
        read_run(make_run(HALF)),
        read_run(make_run({}, seed=1)),
    ]
    table = leaderboard(runs)
    rows = rows_of(table)
    found = {
        (row["lm"], row["hits1"].value): (rank, row["p_best"])  # type: ignore[union-attr]
        for row, rank in zip(rows, ranks_of(table, "hits1"), strict=True)
    }
    # Each is tested once, against the best of its own kind.
    assert found == {
        ("no", 1.0): (Rank.BEST, None),
        ("no", 0.5): (Rank.SECOND, 0.5),
        ("yes", 0.5): (Rank.BEST, None),
        ("yes", 0.0): (Rank.SECOND, 0.5),
    }


def test_a_marked_row_is_never_best_nor_second(make_run: MakeRun) -> None:
    broken = make_run()
    edit_manifest(broken, status="stopped")
    table = leaderboard([read_run(broken), read_run(make_run(HALF)), read_run(make_run({}, seed=1))])
    assert ranks_of(table, "hits1") == [None, Rank.BEST, Rank.SECOND]
    failing = make_run(fail={"two hops": ModelUnavailable("down")}, seed=2)
    table = leaderboard([read_run(failing), read_run(make_run(HALF)), read_run(make_run({}, seed=1))])
    assert ranks_of(table, "hits1") == [None, Rank.BEST, Rank.SECOND]


def test_tied_runs_are_both_best_and_there_is_no_second(make_run: MakeRun) -> None:
    runs = [read_run(make_run()), read_run(make_run(seed=1)), read_run(make_run(HALF, seed=2))]
    table = leaderboard(runs)
    assert ranks_of(table, "hits1") == [Rank.BEST, Rank.BEST, None]
    assert [row["p_best"] for row in rows_of(table)] == [None, 1.0, 1.0]


def test_a_row_far_from_the_best_is_not_in_its_group(make_run: MakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    from kgbench.report import leaderboard as module

    monkeypatch.setattr(module, "ALPHA", 0.3)
    runs = [read_run(make_run()), read_run(make_run(HALF, seed=1)), read_run(make_run({}, seed=2))]
    assert [row["group"] for row in rows_of(leaderboard(runs))] == ["top", "top", ""]


def test_chosen_columns_stand_in_their_order_and_carry_the_test(make_run: MakeRun) -> None:
    runs = [read_run(make_run()), read_run(make_run(HALF, seed=1))]
    table = leaderboard(runs, columns="calls,tog_loose_arog")
    keys = [column.key for column in table.visible]
    assert keys[4:] == ["n", "tog_loose_arog", "p_best", "group", "calls", "marks", "kgbench", "run", "signature"]
    assert [row["tog_loose_arog"].value for row in rows_of(table)] == [1.0, 0.5]  # type: ignore[union-attr]
    assert any("by tog_loose_arog@1" in note for note in table.notes)


def test_sorting_by_a_metric_brings_its_column(make_run: MakeRun) -> None:
    table = leaderboard([read_run(make_run())], sort="hits1_noalias")
    assert isinstance(rows_of(table)[0]["hits1_noalias"], Measured)


def test_no_metric_no_test(make_run: MakeRun) -> None:
    table = leaderboard([read_run(make_run()), read_run(make_run(HALF, seed=1))], columns="calls,coverage")
    assert "p_best" not in {column.key for column in table.columns}


def test_the_signature_names_the_metric_as_scored_here(make_run: MakeRun) -> None:
    path = make_run()
    signature = RunFolder.open(path).manifest()["signature"]
    edit_manifest(path, signature=signature.replace("hits1@1", "hits1@0"))
    assert rows_of(leaderboard([read_run(path)]))[0]["signature"] == signature


def reported(**changes: Any) -> Reported:
    given: dict[str, Any] = {
        "source": "Journal of Tests 1",
        "table": "table1",
        "method": "io",
        "model": "m",
        "dataset": "toy",
        "published_as": "Hits@1",
        "conditions": "as they were",
        "values": {"tog_loose_arog": 0.999},
        "n": 7,
    }
    return Reported(**(given | changes))


def test_reported_rows_stand_beside_ours_unranked(make_run: MakeRun) -> None:
    runs = [read_run(make_run(HALF)), read_run(make_run({}, seed=1))]
    table = leaderboard(runs, reported=[reported(), reported(method="cot", values={"tog_loose_arog": 0.1})])
    section = table.sections[0]
    assert section.aside == 2
    assert [row["method"] for row in section.rows] == ["io", "io", "io", "cot"]
    assert ranks_of(table, "tog_loose_arog") == [Rank.BEST, Rank.SECOND, None, None]
    row = section.rows[2]
    assert (row["n"], row["tog_loose_arog"], row["hits1"], row["p_best"]) == (7, 0.999, None, None)
    assert row["group"] == "reported"
    assert row["marks"] == "reported: Journal of Tests 1, table1"
    assert row["source"] == 'Journal of Tests 1, table1, as "Hits@1"; as they were'
    assert row["usd_per_question"] is None
    assert section.text(2, next(column for column in table.columns if column.key == "usd_per_question")) == ""
    assert any("neither ranked nor tested" in note for note in table.notes)


@pytest.mark.parametrize(
    "changes",
    [{"dataset": "other"}, {"setting": "filtered"}, {"scenario": "p-rag"}],
    ids=["data", "setting", "scenario"],
)
def test_reported_rows_on_other_data_are_counted_and_left_out(make_run: MakeRun, changes: dict[str, str]) -> None:
    table = leaderboard([read_run(make_run())], reported=[reported(**changes), reported(scenario="private")])
    assert table.sections[0].aside == 1
    assert any(note.startswith("1 reported rows are not shown") for note in table.notes)


def test_parts_of_the_questions_get_no_reported_rows(make_run: MakeRun) -> None:
    table = leaderboard([read_run(make_run())], split=Split.parse("hops"), reported=[reported()])
    assert [section.aside for section in table.sections] == [0, 0]


def test_published_numbers_alone() -> None:
    table = leaderboard([], reported=published("arog-2508.08785").select(table="table1"))
    assert [section.title for section in table.sections][:2] == [
        "webqsp, total, private, as reported",
        "webqsp, filtered, private, as reported",
    ]
    assert all(section.aside == len(section.rows) and not section.ranks for section in table.sections)
    assert len(rows_of(table)) == 54
    keys = [column.key for column in table.visible]
    assert keys[5:] == ["tog_loose_arog", "p_best", "group", "marks", "source"]
