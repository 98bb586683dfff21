from __future__ import annotations

import json
from typing import Any

import pytest

from kgbench.errors import UsageError
from kgbench.scoring.metrics import METRICS
from kgbench.scoring.score import ScoredRow, per_question, score_run, without_flagged
from kgbench.scoring.shares import SHARES
from kgbench.types import AnswerItem, Gold, GoldAnswer, RestoredPrediction, Source, Status

RIGHT = AnswerItem("entity", "right", ("m.01",), in_evidence=True)
WRONG = AnswerItem("entity", "wrong", ("m.09",))


def predicted(*items: AnswerItem, **more: Any) -> RestoredPrediction:
    return RestoredPrediction(items=items, raw="{" + " | ".join(item.text for item in items) + "}", **more)


def row(question: str, *items: AnswerItem, trial: int = 0, status: str = "ok", **more: Any) -> ScoredRow:
    return ScoredRow(question, trial, "Who?", status, predicted(*items, **more))


def golds(*questions: str) -> dict[str, Gold]:
    return {question: Gold(question, (GoldAnswer(id="m.01", name="right"),)) for question in questions}


def values(scores: dict[str, dict[str, Any]], *names: str) -> list[float | None]:
    return [scores[name]["value"] for name in names]


def test_the_golds_are_the_denominator() -> None:
    scores = score_run([row("a", RIGHT), row("b", WRONG)], golds("a", "b", "c", "d"))
    for metric in ("hits1", "hit_any", "precision", "recall", "f1", "tog_loose", "mid_hits1"):
        assert scores[metric]["value"] == 0.25
        assert scores[metric]["n"] == 4
    assert scores["truthfulness"]["value"] == 0.0
    assert scores["truthfulness"]["n"] == 4


@pytest.mark.parametrize("status", list(Status))
def test_only_ok_and_partial_reads_are_scored_whatever_the_text(status: Status) -> None:
    scores = score_run([row("a", RIGHT, status=status.value)], golds("a"))
    expected = 1.0 if status in (Status.OK, Status.KG_PARTIAL) else 0.0
    for metric in METRICS:
        assert scores[metric]["value"] == expected


def test_trials_are_averaged_per_question_and_missing_ones_are_misses() -> None:
    rows = [row("a", RIGHT, trial=1), row("a", WRONG, trial=2), row("a", RIGHT, trial=3), row("b", RIGHT, trial=1)]
    scores = score_run(rows, golds("a", "b"), trials=3)
    assert scores["hits1"]["value"] == pytest.approx((2 / 3 + 1 / 3) / 2, abs=1e-6)
    assert scores["hits1"]["n"] == 2
    assert scores["hits1"]["std"] == pytest.approx(0.5, abs=1e-6)
    assert score_run(rows[:1], golds("a", "b"), trials=1)["hits1"]["std"] is None
    assert scores["coverage"]["value"] == pytest.approx(4 / 6, abs=1e-6)


def test_interval_is_over_questions_and_not_over_trials() -> None:
    once = [row(f"q{number}", RIGHT if number % 2 else WRONG) for number in range(100)]
    thrice = [ScoredRow(r.question_id, trial, r.question, r.status, r.prediction) for r in once for trial in range(3)]
    every = golds(*(f"q{number}" for number in range(100)))
    assert score_run(once, every)["hits1"]["ci"] == score_run(thrice, every, trials=3)["hits1"]["ci"]


def test_more_trials_than_planned_are_refused() -> None:
    rows = [row("a", RIGHT, trial=trial) for trial in range(2)]
    with pytest.raises(UsageError, match="2 trials, planned were 1"):
        score_run(rows, golds("a"), trials=1)


def test_the_last_row_of_a_question_counts_and_foreign_questions_are_left_out() -> None:
    rows = [row("a", WRONG), row("a", RIGHT), row("elsewhere", WRONG)]
    scores = score_run(rows, golds("a"))
    assert values(scores, "hits1", "coverage") == [1.0, 1.0]


def test_order_of_rows_and_golds_changes_nothing() -> None:
    rows = [row(f"q{number}", RIGHT if number % 3 else WRONG) for number in range(30)]
    names = [f"q{number}" for number in range(40)]
    assert score_run(rows, golds(*names)) == score_run(rows[::-1], golds(*names[::-1]))


def test_scores_are_plain_json_with_every_column() -> None:
    scores = score_run([row("a", RIGHT)], golds("a", "b"))
    assert json.loads(json.dumps(scores)) == scores
    assert scores.keys() == METRICS.keys() | set(SHARES)
    for entry in scores.values():
        assert entry.keys() == {"value", "ci", "n", "std"}


def test_no_golds_give_no_values() -> None:
    scores = score_run([], {})
    for entry in scores.values():
        assert entry == {"value": None, "ci": None, "n": 0, "std": None}


def test_shares_partition_the_run_its_answers_and_its_hits() -> None:
    graph_wrong = AnswerItem("entity", "wrong", ("m.09",), in_evidence=True)
    rows = [
        row("graph", RIGHT, source=Source.GRAPH),
        row("graph wrong", graph_wrong, source=Source.GRAPH),
        row("model", AnswerItem("text", "right"), source=Source.GRAPH),
        row("fallback", RIGHT, source=Source.FALLBACK),
        row("fallback silent", source=Source.FALLBACK),
        row("refusal", AnswerItem("text", "I don't know")),
        row("no answer", status="no_answer"),
        row("error", RIGHT, status="llm_error"),
        row("unreadable", flags=("no_parse",)),
    ]
    names = [r.question_id for r in rows] + ["missing"]
    scores = score_run(rows, golds(*names))
    assert values(scores, "coverage", "abstentions", "failures") == [0.4, 0.3, 0.3]
    assert values(scores, "from_graph", "from_model", "fallback_share") == [0.2, 0.1, 0.1]
    assert values(scores, "hits1_graph", "hits1_model", "hits1_fallback") == [0.1, 0.1, 0.1]
    assert scores["hits1"]["value"] == pytest.approx(0.3)
    assert scores["no_parse"]["value"] == 0.1


def test_flags_have_shares() -> None:
    homonyms = AnswerItem("text", "right", ("m.01", "m.02"))
    rows = [row("a", homonyms, flags=("exemplar_echo",)), row("b", RIGHT, flags=("unknown_handle", "truncated"))]
    scores = score_run(rows, golds("a", "b"))
    for share in ("exemplar_echo", "unknown_handle", "truncated", "ambiguous"):
        assert scores[share]["value"] == 0.5
    assert scores["hits1"]["value"] == 0.5


def test_per_question_gives_the_mean_over_trials() -> None:
    rows = [row("a", RIGHT, trial=0), row("a", WRONG, trial=1), row("b", RIGHT, trial=1)]
    assert per_question(rows, golds("a", "b", "c"), "hits1") == {"a": 0.5, "b": 0.5, "c": 0.0}
    assert per_question(rows, golds("a"), "truthfulness") == {"a": 0.0}
    assert per_question(rows, golds("a"), METRICS["hits1"], trials=4) == {"a": 0.25}
    assert per_question([], golds("a"), "hits1") == {"a": 0.0}


def test_per_question_leaves_out_what_the_metric_does_not_count() -> None:
    every = golds("a") | {"b": Gold("b", (GoldAnswer(name="right"),))}
    assert per_question([row("a", RIGHT), row("b", RIGHT)], every, "mid_hits1") == {"a": 1.0}


def test_an_unknown_metric_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match='unknown metric "hit1"; known are hits1'):
        per_question([], {}, "hit1")


def test_flagged_golds_can_be_left_out() -> None:
    flagged = golds("a") | {"b": Gold("b", (), flags=("no_gold",)), "c": Gold("c", (), flags=("gold_is_topic",))}
    assert set(without_flagged(flagged)) == {"a"}
    assert set(without_flagged(flagged, ("no_gold",))) == {"a", "c"}


def test_the_filtered_split_scores_zero_for_the_run_that_made_it() -> None:
    rows = [row(f"q{number}", RIGHT if number % 3 else WRONG) for number in range(12)]
    every = golds(*(r.question_id for r in rows))
    hits = per_question(rows, every, "tog_loose")
    kept = {question: gold for question, gold in every.items() if hits[question] == 0}
    scores = score_run(rows, kept)
    assert (scores["tog_loose"]["value"], scores["tog_loose"]["n"]) == (0.0, 4)
