from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.errors import DataError, ModelUnavailable, UsageError
from kgbench.report.page import build_page
from kgbench.report.page.runs import without_paths

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.testing import CanaryWorld
    from kgbench.types import JsonObject


def trials(page: Any, number: int = 1, run: int = 0) -> list[JsonObject]:
    return page.question(number)["runs"][run]["trials"]


def edit(run: Path, name: str, change: Callable[[JsonObject], JsonObject | None]) -> None:
    """Change or drop lines of a file of a run."""
    lines = [change(json.loads(line)) for line in (run / name).read_text(encoding="utf-8").splitlines()]
    (run / name).write_text("".join(json.dumps(line) + "\n" for line in lines if line is not None), encoding="utf-8")


def test_a_page_has_every_question_with_its_trace(make_run: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    page = page_of(make_run({"forward mediator": "{Ashgrove Works}", "two hops": "Perhaps {Velm <b>}"}))
    assert [row["number"] for row in page.index] == [1, 2, 3, 4]
    hits = [row["runs"][0]["hit"] for row in page.index]
    assert sorted(hits) == [0, 0, 0, 1]
    assert page.index[0]["text"].endswith("?")
    trial = trials(page)[0]
    assert trial["status"] == "ok"
    assert [call["stage"] for call in trial["calls"]] == ["io"]
    assert trial["calls"][0]["exposed"] is False
    assert trial["usage"][0][:2] == ["io", 1]
    run = page.meta["runs"][0]
    assert run["scores"][0]["value"] == pytest.approx(0.25)
    assert run["signature"].startswith("hits1@")
    assert run["exposure"]["prompts"] == 4


def test_the_same_runs_give_the_same_bytes(make_run: Callable[..., Path]) -> None:
    run = make_run()
    assert build_page([run]).html == build_page([run]).html


def test_ids_gold_tags_and_answers_are_the_owners(make_run: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    run = make_run({"forward mediator": "{unknown}"}, renamed={"two hops": "two-hops-id"})
    page = page_of(run)
    for secret in ("two-hops-id", "Port Velm", "Ashgrove Works"):
        assert secret not in page.everything, secret
    assert not any(key in "".join(page.blocks.values()) for key in ('"gold"', '"owner"', '"issued"', '"id"'))


def test_a_run_without_calls_says_so(make_run: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    run = make_run()
    (run / "calls.jsonl").unlink()
    page = page_of(run)
    assert page.meta["runs"][0]["calls"] is False
    assert any("no calls.jsonl" in note for note in page.meta["runs"][0]["notes"])
    assert page.index[0]["text"] is None
    assert trials(page)[0]["calls"] == []


def test_an_unfinished_run_shows_what_is_there(make_run: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    run = make_run()
    edit(run, "records.jsonl", lambda record: record if record["question_id"] == "two hops" else None)
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps(manifest | {"status": "started"}))
    with (run / "calls.jsonl").open("a") as file:
        file.write('{"torn')
    page = page_of(run)
    assert sorted(row["runs"][0]["status"][0] for row in page.index) == ["missing", "missing", "missing", "ok"]
    assert any("not finished (started, 3 open)" in note for note in page.meta["runs"][0]["notes"])


def test_a_run_killed_before_its_first_question(make_run: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    run = make_run()
    for name in ("records.jsonl", "calls.jsonl", "gold.jsonl", "scores.json"):
        (run / name).unlink()
    page = page_of(run)
    assert page.index == []
    assert page.meta["runs"][0]["scores"][0]["value"] is None


def test_a_damaged_line_is_named(make_run: Callable[..., Path]) -> None:
    run = make_run()
    (run / "calls.jsonl").write_text("no JSON\n{}\n")
    with pytest.raises(DataError, match=r"calls\.jsonl, line 1"):
        build_page([run])


def test_a_record_without_its_fields_is_an_error_that_names_the_run(make_run: Callable[..., Path]) -> None:
    run = make_run()
    edit(run, "records.jsonl", lambda record: {key: record[key] for key in record if key != "total"})
    with pytest.raises(DataError, match="lacks a field") as caught:
        build_page([run])
    assert str(run) in str(caught.value)


def test_records_of_an_early_version_lack_what_came_later(
    make_run: Callable[..., Path], page_of: Callable[..., Any]
) -> None:
    run = make_run()
    later = ("phases", "exposure", "graph_reads", "notes", "retries", "issued", "seconds", "waiting_seconds")
    edit(run, "records.jsonl", lambda record: {key: record[key] for key in record if key not in later})
    assert [one["status"] for one in trials(page_of(run))] == ["ok"]


def test_progress_is_told_after_each_question(make_run: Callable[..., Path]) -> None:
    heard: list[tuple[int, int]] = []
    build_page([make_run()], progress=lambda done, of: heard.append((done, of)))
    assert heard == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_errors_and_several_trials(make_run: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    run = make_run(trials=2, fail={"two hops": ModelUnavailable("HTTP 500 from http://secret-host:8000/v1")})
    page = page_of(run)
    row = next(row for row in page.index if "llm_error" in row["runs"][0]["status"])
    both = trials(page, row["number"])
    assert len(both) == 2
    assert both[0]["error"] is None
    assert both[0]["calls"][0]["error"] == "llm_error"
    assert "secret-host" not in page.everything


def test_a_stopped_request_is_shown_as_such(make_run: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    run = make_run()

    def stop(call: JsonObject) -> JsonObject:
        kept = {key: call[key] for key in ("question_id", "trial", "call", "stage", "template", "phase", "zone")}
        return kept | {"error": "privacy_blocked", "audit": {"leaks": 2}}

    edit(run, "calls.jsonl", stop)
    call = trials(page_of(run))[0]["calls"][0]
    assert call == {
        "number": 1,
        "stage": "io",
        "template": "io",
        "phase": "generation",
        "audit": {"leaks": 2},
        "error": "privacy_blocked",
        "stopped": True,
    }


def test_a_word_of_the_server_beside_a_reply_stays_off(
    make_run: Callable[..., Path], page_of: Callable[..., Any]
) -> None:
    run = make_run()
    ends = iter(("Odd Name", "length", "stop", None))
    edit(run, "calls.jsonl", lambda call: call | {"finish": next(ends)})
    page = page_of(run)
    told = [trials(page, number)[0]["calls"][0]["finish"] for number in (1, 2, 3, 4)]
    assert sorted(told) == ["length", "none", "other", "stop"]
    assert "Odd Name" not in page.everything


def test_several_runs_share_numbers_and_compare(make_run: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    right, wrong = make_run(), make_run({"two hops": "{Port Velm}"}, seed=1)
    page = page_of(right, wrong)
    assert [run["label"] for run in page.meta["runs"]] == ["A", "B"]
    cells = [[cell["hit"] for cell in row["runs"]] for row in page.index]
    assert sorted(cells) == [[1, 0], [1, 0], [1, 0], [1, 1]]
    board = page.meta["tables"][0]
    assert board["title"] == "Runs side by side"
    assert [row[0] for section in board["sections"] for row in section["rows"]] == ["A", "B"]


def test_a_question_that_one_run_lacks(make_run: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    first, second = make_run(), make_run(limit=1)
    page = page_of(second, first)
    assert [cell is None for row in page.index for cell in row["runs"]] == [False, False] + [True, False] * 3


def test_the_limit_leaves_scores_alone(make_run: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    run = make_run()
    report = build_page([run], limit=1)
    assert (report.questions, report.left_out) == (1, 3)
    page = page_of(run, limit=1)
    assert len(page.index) == 1
    assert page.meta["runs"][0]["questions"] == 4


def test_parts_by_counts_alone_unless_revealed(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], world: CanaryWorld
) -> None:
    words = [replace(one, tags={**one.tags, "hops": "Secret"}) for one in world.records[:6]]
    assert [table["title"] for table in page_of(make_canary_run("io", "private")).meta["tables"]] == ["By hops"]
    assert page_of(make_canary_run("io", "private", records=words)).meta["tables"] == []


def test_long_traces_are_cut_into_chunks_that_can_be_packed(
    make_run: Callable[..., Path], page_of: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run()
    monkeypatch.setattr("kgbench.report.page.build.CHUNK_SIZE", 2_000)
    plain, packed = page_of(run), page_of(run, packed=True)
    assert len(plain.chunks) > 1
    assert plain.meta["chunks"][0] == 0
    assert len(plain.meta["chunks"]) == len(plain.chunks)
    assert plain.chunks == packed.chunks
    monkeypatch.setattr("kgbench.report.page.build.PLAIN_LIMIT", 1)
    assert page_of(run).meta["packed"] is True


def test_paths_filters_and_addresses_stay_off(make_run: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    run = make_run()
    manifest = json.loads((run / "manifest.json").read_text())
    manifest["spec"] |= {
        "dataset": "jsonl:/home/ann/patients.jsonl",
        "kg": "/home/ann/my graph",
        "where": "ward=secretward",
        "base_url": "http://secret-host:8000/v1",
        "model": "replay:/home/ann/runs/x",
    }
    manifest["model"] |= {"name": "replay:/home/ann/runs/x", "base_url": "http://secret-host:8000/v1"}
    manifest["identity"]["kg"] = "/home/ann/my graph"
    manifest["signature"] = (
        "hits1@1|toy[ward=secretward]@0|kg=/home/ann/my graph/plain@1|io@1|replay:/home/ann/runs/x@http://secret-host:8000/v1"
    )
    (run / "manifest.json").write_text(json.dumps(manifest))
    page = page_of(run)
    for secret in ("/home", "ann/", "secret"):
        assert secret not in page.everything, secret
    assert page.meta["runs"][0]["signature"] == "hits1@1|toy[filtered]@0|kg=plain@1|io@1|replay:x"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("openai/gpt-4o-mini", "openai/gpt-4o-mini"),
        ("/models/a b/llama.gguf", "llama.gguf"),
        ("gguf:/models/llama.gguf", "gguf:llama.gguf"),
        ("openai//srv/llama", "openai/llama"),
        (r"C:\models\llama.gguf", "llama.gguf"),
        ("~/models/llama.gguf", "llama.gguf"),
        ("http://host:8890/sparql", "http:sparql"),
        ("private/keyed/question/handle/mention", "private/keyed/question/handle/mention"),
    ],
)
def test_absolute_paths_and_addresses_lose_their_way(text: str, left: str) -> None:
    assert without_paths(text) == left


def test_no_run_and_too_many() -> None:
    from pathlib import Path

    with pytest.raises(UsageError, match="1 to 26 runs"):
        build_page([])
    with pytest.raises(UsageError, match="1 to 26 runs"):
        build_page([Path("x")] * 27)
