from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.report.faces import to_plain
from kgbench.report.run_row import paid_text, remarks, run_table, statuses_text
from kgbench.run.results import summarise
from kgbench.run.store import RunFolder
from kgbench.types import ERROR_STATUSES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.run.results import Summary


@pytest.fixture
def summary(make_run: Callable[..., Path]) -> Summary:
    return summarise(RunFolder.open(make_run()))


def test_the_row_holds_what_the_summary_holds(summary: Summary) -> None:
    head, line = to_plain(run_table([summary], 12.34)).splitlines()
    assert head.split()[:5] == ["method", "scenario", "model", "LM", "n"]
    assert line.split()[:8] == ["io", "private", "openai/scripted", "yes", "4", "1.0000", "[1.0000,", "1.0000]"]
    assert line.split()[-3:] == ["12.3", "ok", "4"]
    assert "seconds" not in to_plain(run_table([summary]))


def test_a_clean_run_needs_no_remark(summary: Summary) -> None:
    assert remarks(summary, 0.05) == []


@pytest.mark.parametrize("status", ERROR_STATUSES)
def test_a_dominant_failure_raises_an_alarm_with_advice(summary: Summary, status: str) -> None:
    failing = replace(summary, statuses={"ok": 7, str(status): 3}, error_rate=0.3)
    found = remarks(failing, 0.05)
    assert found[-2].startswith(f"ALARM: 3 of 10 questions ended in {status}: ")
    assert found[-1] == "30.0% of the questions ended in an error, over --max-errors 0.05."


def test_an_alarm_tells_the_commonest_reason(make_run: Callable[..., Path]) -> None:
    path = make_run()
    lines = [json.loads(line) for line in (path / "records.jsonl").read_text().splitlines()]
    errors = ("no response", "no response", "HTTP 500", "[b]no response")
    for record, error in zip(lines, errors, strict=True):
        record.update(status="llm_error", error=error)
    (path / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in lines))
    failing = summarise(RunFolder.open(path))
    assert failing.reasons == {"llm_error": "no response"}
    text = (path / "records.jsonl").read_text()
    (path / "records.jsonl").write_text(text.replace('"llm_error"', '"parse_error"'))
    assert summarise(RunFolder.open(path)).reasons == {}, "a method's own text may quote a reply"
    assert remarks(failing, 1.0)[0].startswith("ALARM: 4 of 4 questions ended in llm_error (no response): the model")


def test_a_fifth_is_no_alarm_and_no_answer_never_is(summary: Summary) -> None:
    assert remarks(replace(summary, statuses={"ok": 8, "refused": 2}, error_rate=0.2), 0.5) == []
    assert remarks(replace(summary, statuses={"no_answer": 10}), 0.05) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"leaks": 2}, "LEAK: the audit found 2 protected string(s)"),
        ({"statuses": {"ok": 9, "privacy_blocked": 1}}, "LEAK: 1 question(s) were stopped before a prompt left"),
        (
            {"statuses": {"ok": 1, "skipped_budget": 3}},
            "3 question(s) left out for want of budget; go on with: kgbench",
        ),
        ({"statuses": {"ok": 1, "missing": 3}}, "3 question(s) have no record yet; go on with: kgbench resume"),
        ({"identifiers_public": True}, "identifiers public"),
        ({"scenario": "p-rag"}, "p-r, p-g and p-rag are studies of utility, not levels of protection"),
    ],
)
def test_what_must_be_said(summary: Summary, changes: dict[str, Any], expected: str) -> None:
    found = remarks(replace(summary, **changes), 0.05)
    assert len(found) == 1
    assert found[0].startswith(expected)


def test_commands_quote_paths_with_spaces(summary: Summary) -> None:
    found = remarks(replace(summary, leaks=1, path="my runs/a"), 0.05)
    assert "kgbench audit 'my runs/a' --questions" in found[0]


def test_statuses_most_frequent_first() -> None:
    assert statuses_text({"no_answer": 2, "ok": 5, "kg_error": 2}) == "ok 5, kg_error 2, no_answer 2"


def test_an_unknown_price_is_no_zero(summary: Summary) -> None:
    assert paid_text(summary).startswith("unknown")
    assert paid_text(replace(summary, cost_usd=0.5, cached_calls=3)) == "0.5000 USD; 3 call(s) answered from the cache"
