from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from run_desk import begin, given, only_run

from kgbench.privacy.exposure import exposure
from kgbench.report.figures.runs import read_scores
from kgbench.run.results import SCORES_SCHEMA, score_folder
from kgbench.run.seen import ANY, Seen
from kgbench.run.store import CALLS, RECORDS, RunFolder
from kgbench.run.usage import EXPOSED
from kgbench.types import Scenario

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.run.plan import Given

USAGE = {"logical": {"calls": 2, "input_tokens": 30, "output_tokens": 4, "reasoning_tokens": 0}}


def run_of(out: Path, parts: Given | None = None, **settings: Any) -> Path:
    """The folder of a finished run."""
    begin(out, parts, **settings)
    return only_run(out)


def call(phase: str, turn: str, spans: list[tuple[int, int, str]], **fields: Any) -> dict[str, Any]:
    usual = {"phase": phase, "zone": "remote", "stage": "s", "messages": [{"content": turn}], "spans": spans}
    return {**usual, "usage": USAGE, **fields}


def test_a_text_shown_in_two_phases_is_one_distinct_text() -> None:
    seen = Seen()
    seen.read(call("retrieval", "m.0a m.0a m.0b", [(0, 4, "handle"), (5, 9, "handle"), (10, 14, "handle")]))
    seen.read(call("generation", "m.0b Anna", [(0, 4, "handle"), (5, 9, "name")]))
    assert seen.exposure() == {
        "prompts": {"generation": 1, "retrieval": 1},
        "spans": {"generation": {"handle": 1, "name": 1}, "retrieval": {"handle": 3}},
        "distinct": {
            ANY: {"handle": 2, "name": 1},
            "generation": {"handle": 1, "name": 1},
            "retrieval": {"handle": 2},
        },
    }
    assert "Anna" not in json.dumps(seen.exposure())


def test_usage_stands_under_phase_and_stage() -> None:
    seen = Seen()
    seen.read(call("retrieval", "", [], stage="b"))
    seen.read(call("retrieval", "", [], stage="a"))
    seen.read(call("retrieval", "", [], stage="b"))
    assert seen.phases() == {
        "retrieval": {
            "b": {"calls": 4, "input_tokens": 60, "output_tokens": 8},
            "a": {"calls": 2, "input_tokens": 30, "output_tokens": 4},
        }
    }
    assert list(seen.phases()["retrieval"]) == ["b", "a"], "in the order of the first call"


def test_the_trusted_zone_is_used_and_not_seen() -> None:
    seen = Seen()
    seen.read(call("retrieval", "Anna", [(0, 4, "name")], zone="local"))
    assert seen.exposure() == {"prompts": {}, "spans": {}, "distinct": {}}
    assert seen.phases()["local"]["s"]["calls"] == 2


def test_a_stopped_request_was_not_seen() -> None:
    stopped = call("retrieval", "", [])
    del stopped["messages"], stopped["usage"]
    seen = Seen()
    seen.read(stopped)
    assert seen.exposure()["prompts"] == {}
    assert seen.phases() == {}


def test_records_count_what_the_calls_hold(tmp_path: Path) -> None:
    path = run_of(tmp_path, method="arog", scenario=Scenario.P_RAG)
    found = exposure(path)
    records = list(RunFolder(path).records().values())
    sums: dict[tuple[str, str], int] = {}
    for record in records:
        for phase, counts in record["exposure"]["spans"].items():
            for origin, count in counts.items():
                sums[phase, origin] = sums.get((phase, origin), 0) + count
    assert sums == {(one.phase, one.origin): one.spans for one in found.exposed}
    assert sum(sum(record["exposure"]["prompts"].values()) for record in records) == found.prompts
    handles = [record["exposure"]["distinct"].get(ANY, {}).get("handle", 0) for record in records]
    assert max(handles) == found.handles_per_question.largest
    for record in records:
        by_phase = [used["calls"] for stages in record["phases"].values() for used in stages.values()]
        assert sum(by_phase) == record["total"]["logical"]["calls"]


def test_scores_say_which_run_they_are_of(tmp_path: Path) -> None:
    path = run_of(tmp_path, method="arog", parameters={"width": 2})
    scores, manifest = RunFolder(path).scores(), RunFolder(path).manifest()
    header = scores["run"]
    assert scores["schema"] == SCORES_SCHEMA
    assert header["run_id"] == path.name
    assert header["signature"] == manifest["signature"]
    assert header["parameters"]["changed"] == {"width": 2}
    assert header["parameters"]["effective"]["depth"] == 3
    assert (header["status"], header["n"], header["lm"]) == ("finished", len(manifest["questions"]), False)
    assert header["data_hash"] == manifest["identity"]["data_hash"]


def test_usage_by_stage_adds_up(tmp_path: Path) -> None:
    scores = RunFolder(run_of(tmp_path, method="arog")).scores()
    for key in ("calls", "input_tokens", "output_tokens"):
        total = scores[f"{key}_per_question"]["value"]
        stages = sum(used[key] for used in scores["usage"]["stages"].values())
        phases = sum(used[key] for stages in scores["usage"]["phases"].values() for used in stages.values())
        assert abs(stages - total) < 1e-4
        assert abs(phases - total) < 1e-4
    tokens = scores["input_tokens_per_question"]["value"] + scores["output_tokens_per_question"]["value"]
    assert abs(scores["tokens_per_question"]["value"] - tokens) < 1e-5


def test_private_shows_nothing_in_clear_and_p_rag_does(tmp_path: Path) -> None:
    private = RunFolder(run_of(tmp_path / "a", method="arog")).scores()["exposure"]
    shown = RunFolder(run_of(tmp_path / "b", method="arog", scenario=Scenario.P_RAG)).scores()["exposure"]
    assert private["in_clear"]["value"] == 0
    distinct = shown["distinct"][ANY]
    assert min(distinct["name"], distinct["literal"]) > 0
    assert shown["in_clear"]["value"] == pytest.approx(distinct["name"] + distinct["literal"], abs=1e-5)
    assert private["handles"]["value"] > shown["handles"]["value"]
    assert shown["relations"]["ci"][0] <= shown["relations"]["value"] <= shown["relations"]["ci"][1]


def test_scores_hold_no_name_literal_handle_or_id(tmp_path: Path) -> None:
    path = run_of(tmp_path, method="arog", scenario=Scenario.P_RAG)
    shown: dict[str, set[str]] = {}
    for one in RunFolder(path).lines(CALLS):
        turn = one["messages"][-1]["content"]
        for start, end, origin in one["spans"]:
            shown.setdefault(origin, set()).add(turn[start:end])
    assert {"name", "literal", "mention", "handle", "relation", "question"} <= shown.keys()
    scores = (path / "scores.json").read_text()
    for origin in ("name", "literal", "mention", "handle", "question"):
        assert [text for text in sorted(shown[origin]) if text in scores and len(text) > 3] == [], origin
    ids = [one for one in RunFolder(path).manifest()["questions"] if " " in one]  # others are words such as "literals"
    assert ids and not [one for one in ids if one in scores]


def test_runs_without_the_counts_are_not_measured_and_never_0(tmp_path: Path) -> None:
    path = run_of(tmp_path, method="arog")
    records = [json.loads(line) for line in (path / RECORDS).read_text().splitlines()]
    for record in records[:1]:
        del record["exposure"], record["phases"]
    (path / RECORDS).write_text("".join(json.dumps(record) + "\n" for record in records))
    scores = score_folder(RunFolder(path))
    assert all(scores["exposure"][name]["value"] is None for name in EXPOSED)
    assert scores["exposure"]["prompts"] is None
    assert scores["usage"]["phases"] is None
    assert scores["usage"]["stages"]["relations"]["calls"] > 0
    assert read_scores(path).measure("exposure", "handles").value is None


def test_a_question_without_a_record_showed_and_used_nothing(tmp_path: Path) -> None:
    path = run_of(tmp_path, method="arog")
    whole = RunFolder(path).scores()
    lines = (path / RECORDS).read_text().splitlines(keepends=True)
    (path / RECORDS).write_text(lines[0])
    part = score_folder(RunFolder(path))
    assert part["exposure"]["handles"]["n"] == whole["exposure"]["handles"]["n"] == len(lines)
    first = json.loads(lines[0])["exposure"]["distinct"][ANY]["handle"]
    assert abs(part["exposure"]["handles"]["value"] - first / len(lines)) < 1e-6


def test_an_unknown_price_is_no_zero(tmp_path: Path) -> None:
    from kgbench.contracts import ModelCard
    from kgbench.testing import Parrot

    parrot = Parrot()
    parrot.card = ModelCard(name="openai/nobody-has-this", backend="scripted")
    scores = RunFolder(run_of(tmp_path, given(model=parrot), method="arog")).scores()
    assert scores["usd_per_question"]["value"] is None
    assert {used["usd"] for used in scores["usage"]["stages"].values()} == {None}
