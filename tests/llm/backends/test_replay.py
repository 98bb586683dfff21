from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.contracts import Completion, ModelRequest
from kgbench.errors import DataError, ModelUnavailable, PrerequisiteMissing, PromptTooLong, Refused
from kgbench.llm.backends.replay import ReplayModel
from kgbench.llm.requests import wire_digest
from kgbench.testing import ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path

SYSTEM = {"role": "system", "content": "Answer."}


def ask(text: str, **sampling: float) -> ModelRequest:
    return ModelRequest((SYSTEM, {"role": "user", "content": text}), {"temperature": 0.0, **sampling})


def line(request: ModelRequest, *replies: str, **more: Any) -> dict[str, Any]:
    return {
        "wire": wire_digest(request),
        "question_id": "q1",
        "trial": 0,
        "replies": list(replies),
        "finish": "stop",
        "model": "gpt-4o-mini-2024-07-18",
        "usage": {"input_tokens": 12, "output_tokens": 3},
        **more,
    }


def write(folder: Path, *lines: object, model: object = None) -> Path:
    folder.mkdir(exist_ok=True)
    manifest = {"model": model or {"name": "openai/gpt-4o-mini-2024-07-18", "language_model": True}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "calls.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    return folder


def test_a_round_trip(tmp_path: Path) -> None:
    """What a model said to requests is what its recorded run says to them."""
    requests = [replace(ask(f"question {number}", seed=number), n=1 + number % 3) for number in range(20)]
    live = ScriptedModel(lambda request: request.messages[-1]["content"].upper())
    answers = [live.complete(request) for request in requests]
    lines = [
        line(
            request,
            *(text for text in answer.texts if text),
            finish=answer.finish,
            model=answer.model,
            usage={"input_tokens": answer.input_tokens, "output_tokens": answer.output_tokens},
        )
        for request, answer in zip(requests, answers, strict=True)
    ]
    replay = ReplayModel(write(tmp_path, *lines))
    assert [replay.complete(request) for request in reversed(requests)] == answers[::-1]


def test_card(tmp_path: Path) -> None:
    replay = ReplayModel(write(tmp_path))
    card = replay.card
    assert card.name == f"replay:{tmp_path}"
    assert card.backend == "replay"
    assert (card.language_model, card.cacheable, card.counts_tokens, card.zone) == (True, False, True, None)
    assert replay.priced_as == "openai/gpt-4o-mini-2024-07-18"
    reader = ReplayModel(write(tmp_path, model={"name": "builtin/reader", "language_model": False}))
    assert not reader.card.language_model
    own = ReplayModel(write(tmp_path, model={"name": "openai/x", "base_url": "http://localhost:1/v1"}))
    assert own.priced_as == "openai/x@http://localhost:1/v1"


def test_repeats_come_in_order_and_the_last_stays(tmp_path: Path) -> None:
    request, other = ask("same"), ask("other")
    replay = ReplayModel(write(tmp_path, line(request, "one"), line(other, "x"), line(request, "two")))
    assert [replay.complete(request).texts[0] for _ in range(4)] == ["one", "two", "two", "two"]
    assert replay.complete(other).texts == ("x",)


def test_usage_as_a_run_records_it(tmp_path: Path) -> None:
    logical = {
        "calls": 3,
        "input_tokens": 36,
        "output_tokens": 9,
        "reasoning_tokens": 2,
        "cached_tokens": 0,
        "estimated": 0,
    }
    sampled, estimated, bare = ask("sampled"), ask("estimated"), ask("bare")
    replay = ReplayModel(
        write(
            tmp_path,
            line(sampled, "a", "b", "c", usage={"logical": logical, "billed": {}}),
            line(estimated, "a", usage={"logical": {**logical, "estimated": 3}}),
            line(bare, "a", usage=None),
        )
    )
    assert replay.complete(sampled) == Completion(("a", "b", "c"), "stop", "gpt-4o-mini-2024-07-18", 12, 9, 2)
    for request in (estimated, bare):
        completion = replay.complete(request)
        assert (completion.input_tokens, completion.output_tokens) == (None, None)


def test_recorded_failures(tmp_path: Path) -> None:
    refused, too_long, flaky, blocked = ask("refused"), ask("too long"), ask("flaky"), {"error": "privacy_blocked"}
    no_reply = {"replies": None, "finish": None}
    replay = ReplayModel(
        write(
            tmp_path,
            line(refused, error="refused", **no_reply),
            line(too_long, error="prompt_too_long", **no_reply),
            line(flaky, error="llm_error", **no_reply),
            line(flaky, "hello", error=None),
            blocked,
        )
    )
    with pytest.raises(Refused):
        replay.complete(refused)
    with pytest.raises(PromptTooLong):
        replay.complete(too_long)
    assert replay.complete(flaky).texts == ("hello",)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (ask("known", top_p=0.5), "other sampling parameters"),
        (replace(ask("known"), n=2), "another number of samples"),
        (ask("unknown"), "a later message differs"),
        (ModelRequest(({"role": "user", "content": "known"},), {"temperature": 0.0}), "another method, template"),
    ],
)
def test_an_unknown_request_is_explained(tmp_path: Path, request_: ModelRequest, reason: str) -> None:
    known = ask("known")
    replay = ReplayModel(write(tmp_path, line(known, "hello", messages=[dict(each) for each in known.messages])))
    with pytest.raises(ModelUnavailable, match=reason) as caught:
        replay.complete(request_)
    assert "first message" in str(caught.value)
    assert "known" not in str(caught.value).replace("unknown", "")


def test_an_unknown_request_of_a_run_without_messages(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="must be those of the run"):
        ReplayModel(write(tmp_path, line(ask("a"), "b"))).complete(ask("c"))


def test_a_line_that_a_kill_cut_off_is_left_out(tmp_path: Path) -> None:
    folder = write(tmp_path, line(ask("a"), "b"))
    with (folder / "calls.jsonl").open("a") as file:
        file.write('{"wire": "123", "repl')
    assert ReplayModel(folder).complete(ask("a")).texts == ("b",)


def test_packed_calls(tmp_path: Path) -> None:
    folder = write(tmp_path, line(ask("a"), "b"))
    (folder / "calls.jsonl.gz").write_bytes(gzip.compress((folder / "calls.jsonl").read_bytes()))
    (folder / "calls.jsonl").unlink()
    assert ReplayModel(folder).complete(ask("a")).texts == ("b",)


@pytest.mark.parametrize("bad", ["{nonsense", "[1]", '{"replies": ["x"]}', '{"wire": "1", "replies": "x"}'])
def test_a_malformed_line_is_named(tmp_path: Path, bad: str) -> None:
    folder = write(tmp_path, line(ask("a"), "b"))
    good = (folder / "calls.jsonl").read_text()
    (folder / "calls.jsonl").write_text(good + bad + "\n" + good)
    with pytest.raises(DataError, match=r"calls\.jsonl, line 2"):
        ReplayModel(folder)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteMissing, match=r"manifest\.json is missing"):
        ReplayModel(tmp_path)
    folder = write(tmp_path)
    (folder / "calls.jsonl").unlink()
    with pytest.raises(PrerequisiteMissing, match=r"calls\.jsonl is missing"):
        ReplayModel(folder)
    for text in ("{", "[]", "{}"):
        (folder / "manifest.json").write_text(text)
        with pytest.raises(DataError, match=r"manifest\.json"):
            ReplayModel(folder)
