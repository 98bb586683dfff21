from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import UsageError
from kgbench.report.comparison import answer_texts, compare_runs, comparison_table, verdict
from kgbench.report.measures import read_run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    MakeRun = Callable[..., Path]

FIRST = {"forward mediator": "{Ashgrove Works}", "two hops": "{Port Velm}"}
SECOND = {
    "forward mediator": "{Ashgrove Works}",
    "n-ary mediator": "{Brenka Moll}",
    "same relation twice": "{Ilse Moll}",
}


def test_questions_that_flip_are_listed_both_ways(make_run: MakeRun) -> None:
    compared = compare_runs(read_run(make_run(FIRST)), read_run(make_run(SECOND, seed=1)))
    assert compared.values == (0.5, 0.75)
    assert compared.difference == 0.25
    assert compared.gained == ("n-ary mediator", "same relation twice")
    assert compared.lost == ("two hops",)
    assert compared.p_value == 1.0
    assert compared.metric == "hits1@1"
    assert compared.differences == ("seed: 0 -> 1",)
    assert compared.warnings == ()


def test_a_comparison_is_antisymmetric(make_run: MakeRun) -> None:
    first, second = read_run(make_run(FIRST)), read_run(make_run(SECOND, seed=1))
    there, back = compare_runs(first, second), compare_runs(second, first)
    assert there.difference == -(back.difference or 0.0)
    assert (there.gained, there.lost) == (back.lost, back.gained)
    assert there.p_value == back.p_value


def test_changes_of_calls_tokens_and_cost(make_run: MakeRun) -> None:
    compared = compare_runs(read_run(make_run(FIRST)), read_run(make_run(FIRST, method="cot-sc")))
    assert compared.usage["calls"] == (1.0, 5.0)
    first, second = compared.usage["input_tokens"]
    assert first is not None and second is not None and second > first
    assert compared.usage["usd_per_question"] == (None, None)
    rows = {row["measure"]: row for row in comparison_table(compared).sections[0].rows}
    assert rows["calls"]["change"] == "+4.0"
    assert rows["USD a question"] == {
        "measure": "USD a question",
        "first": "unknown",
        "second": "unknown",
        "change": "",
    }


def test_only_shared_questions_count_and_that_is_said(make_run: MakeRun) -> None:
    compared = compare_runs(read_run(make_run(FIRST)), read_run(make_run(SECOND, limit=2)))
    assert compared.n == 2
    assert compared.values == (0.5, 1.0)
    assert any("has 4 questions, of which 2 are shared" in warning for warning in compared.warnings)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"dataset": "other"}, "not comparable, other data set: toy and other"),
        ({"trials": 2}, "not comparable, other trials: 1 and 2"),
    ],
)
def test_runs_that_are_not_comparable_are_warned_of(
    make_run: MakeRun, settings: dict[str, object], expected: str
) -> None:
    compared = compare_runs(read_run(make_run(FIRST)), read_run(make_run(SECOND, **settings)))
    assert expected in compared.warnings


def test_a_setting_that_differs_is_warned_of(make_run: MakeRun) -> None:
    first, second = make_run(FIRST), make_run(SECOND)
    manifest = json.loads((second / "manifest.json").read_text())
    manifest["spec"]["setting"] = "filtered"
    manifest["identity"]["data_hash"] = "f" * 64
    manifest["status"] = "stopped"
    (second / "manifest.json").write_text(json.dumps(manifest))
    warnings = compare_runs(read_run(first), read_run(second)).warnings
    assert "not comparable, other setting: total and filtered" in warnings
    assert any(warning.startswith("not comparable, other data: 0000") for warning in warnings)
    assert any("is not finished (0 open" in warning and "kgbench resume" in warning for warning in warnings)


def test_a_run_with_itself(make_run: MakeRun) -> None:
    run = read_run(make_run(FIRST))
    compared = compare_runs(run, run)
    assert compared.warnings == ("this is one run compared with itself",)
    assert (compared.difference, compared.p_value) == (0.0, 1.0)


def test_another_metric_and_an_unknown_one(make_run: MakeRun) -> None:
    first, second = read_run(make_run(FIRST)), read_run(make_run(SECOND))
    assert compare_runs(first, second, "f1").metric == "f1@1"
    with pytest.raises(UsageError, match=r'--metric: there is no metric "hits"; did you mean hits1'):
        compare_runs(first, second, "hits")


def test_runs_without_a_shared_question(make_run: MakeRun) -> None:
    others = {
        name: f"other {name}" for name in ("forward mediator", "n-ary mediator", "two hops", "same relation twice")
    }
    with pytest.raises(UsageError, match="share no question"):
        compare_runs(read_run(make_run()), read_run(make_run(renamed=others)))


def test_the_verdict_says_what_the_test_found(make_run: MakeRun) -> None:
    text = verdict(compare_runs(read_run(make_run(FIRST)), read_run(make_run(SECOND))))
    assert text.startswith("hits1@1: +0.2500 [")
    assert "on 4 shared questions, p = 1 (paired randomisation test): chance alone may explain it." in text


def test_answers_to_show(make_run: MakeRun) -> None:
    run = read_run(make_run({"two hops": "{Port Velm | Oslo}", "n-ary mediator": "{}"}))
    assert answer_texts(run, "two hops") == "Port Velm; Oslo"
    assert answer_texts(run, "n-ary mediator") == "(no_answer)"
    assert answer_texts(run, "absent") == "(no record)"
