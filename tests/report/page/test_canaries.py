"""Nothing of the graph is on a scrubbed page, whatever the scenario let the provider see."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.report.page.pieces import ORIGINS
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.testing import CanaryWorld
    from kgbench.types import QuestionRecord

METHODS = ("io", "cot", "arog", "tog", "pog", "gog")


def asked(world: CanaryWorld) -> tuple[QuestionRecord, ...]:
    """Every third question: with named topics and without."""
    return world.records[::3]


def canaries(world: CanaryWorld, page: Any) -> list[str]:
    """Canaries on a page that the question beside which they stand does not say, by kind and question."""
    said = [{token for token, _, _ in world.found(record.question.text)} for record in asked(world)]
    by_all = set().union(*said)
    found = [f"{kind} on the page" for token, kind, _ in world.found(page.everything) if token not in by_all]
    for number, spoken in enumerate(said, 1):
        text = page.text_of(number)
        found += [f"{kind} in question {number}" for token, kind, _ in world.found(text) if token not in spoken]
    return found


@pytest.mark.parametrize("scenario", list(Scenario))
@pytest.mark.parametrize("method", METHODS)
def test_no_canary_is_on_a_scrubbed_page(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], world: CanaryWorld, method: str, scenario: str
) -> None:
    run = make_canary_run(method, scenario, records=asked(world))
    page = page_of(run)
    assert canaries(world, page) == []
    assert str(run.parent) not in page.everything
    assert len(page.index) == len(asked(world)) > 5


@pytest.mark.parametrize(
    "settings",
    [
        {"pseudonyms": "source-id"},
        {"pseudonyms": "source-id", "topic_names": "mask"},
        {"literals": "plain"},
        {"literals": "typed"},
        {"topic_names": "label"},
        {"topic_names": "mask"},
        {"trials": 2},
    ],
    ids=str,
)
@pytest.mark.parametrize("scenario", ["private", "p-rag"])
def test_no_setting_brings_a_canary_onto_the_page(
    make_canary_run: Callable[..., Path],
    page_of: Callable[..., Any],
    world: CanaryWorld,
    settings: dict[str, Any],
    scenario: str,
) -> None:
    assert canaries(world, page_of(make_canary_run("arog", scenario, records=asked(world), **settings))) == []


def test_the_calls_of_these_runs_do_hold_canaries(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], world: CanaryWorld
) -> None:
    """The tests above have teeth: what the provider saw is full of names."""
    run = make_canary_run("arog", "p-rag", records=asked(world))
    assert sum(1 for _ in world.found((run / "calls.jsonl").read_text(encoding="utf-8"))) > 500
    masked = f"[{ORIGINS.index('name')}, null, "
    assert page_of(run).everything.count(masked) > 50


def test_a_packed_page_holds_none_either(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], world: CanaryWorld
) -> None:
    page = page_of(make_canary_run("tog", "p-rag", records=asked(world)), packed=True)
    assert '<script type="application/octet-stream" id="chunk-0">' in page.html
    assert canaries(world, page) == []


def test_calls_of_the_trusted_zone_are_not_read_wherever_they_stand(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], tmp_path: Path
) -> None:
    run = shutil.copytree(make_canary_run("io", "private"), tmp_path / "run")
    calls = (run / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    local = json.loads(calls[0])
    local |= {"zone": "local", "stage": "secretstage", "replies": ["Secretname"]}
    (run / "calls.local.jsonl").write_text(json.dumps(local) + "\n", encoding="utf-8")
    (run / "calls.jsonl").write_text("\n".join([*calls, json.dumps(local)]) + "\n", encoding="utf-8")
    page = page_of(run)
    assert "Secretname" not in page.everything
    assert "secretstage" not in page.everything
    assert any("trusted zone" in note for note in page.meta["runs"][0]["notes"])


@pytest.mark.parametrize("damage", ["no spans", "spans beyond the text", "unknown origin", "no mark of exposure"])
def test_text_without_an_account_of_its_words_is_withheld(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], world: CanaryWorld, tmp_path: Path, damage: str
) -> None:
    """Old or foreign records: a page shows less, never more."""
    run = shutil.copytree(make_canary_run("arog", "p-rag", records=asked(world)), tmp_path / "run")
    lines = []
    for line in (run / "calls.jsonl").read_text(encoding="utf-8").splitlines():
        call = json.loads(line)
        if damage == "no spans":
            del call["spans"]
        elif damage == "spans beyond the text":
            call["spans"] = [[0, 10**6, "question"]]
        elif damage == "unknown origin":
            call["spans"] = [[a, b, "novelty" if origin == "name" else origin] for a, b, origin in call["spans"]]
        else:
            del call["exposed"]
        lines.append(json.dumps(call))
    (run / "calls.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    page = page_of(run)
    assert canaries(world, page) == []
    calls = [call for one in page.chunks for q in one["questions"] for call in q["runs"][0]["trials"][0]["calls"]]
    assert all(call.get("withheld") for call in calls) == (damage != "unknown origin")


def test_errors_notes_and_flags_that_quote_the_graph_stay_off_the_page(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], tmp_path: Path
) -> None:
    run = shutil.copytree(make_canary_run("io", "private"), tmp_path / "run")
    lines = []
    for line in (run / "records.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        record |= {
            "status": "parse_error",
            "error": "the method raised KeyError\n  File /home/someone/secretplace.py: secretvalue",
            "notes": {"saw_secretvalue": 2, "handle_repaired": 1, "retried:secretvalue": 1},
        }
        record["prediction"]["flags"] = ["secretvalue"]
        lines.append(json.dumps(record))
    (run / "records.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    page = page_of(run)
    assert "secretvalue" not in page.everything
    assert "secretplace" not in page.everything
    trial = page.question(1)["runs"][0]["trials"][0]
    assert trial["error"] == "the method raised KeyError"
    assert (trial["notes"], trial["other_notes"]) == ({"handle_repaired": 1}, 3)
