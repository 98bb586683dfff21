"""What a page shows of graph queries and parsed answers, scrubbed and revealed."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.report.page.pieces import HIDDEN, ORIGINS
from kgbench.report.page.steps import Steps
from kgbench.testing import TEST_KEY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.testing import CanaryWorld

HANDLE, RELATION, MASK = ORIGINS.index("handle"), ORIGINS.index("relation"), [ORIGINS.index(HIDDEN), None]
TOLD = frozenset({("handle", "m.0bcdfgh"), ("relation", "works_for")})
KNOWN, OTHER = "m.0bcdfgh", "m.0zzzzzz"


def steps(*, revealed: bool = False) -> Steps:
    return Steps(TOLD, lambda text: [f"spoken {text}"], revealed)


def read(
    of: Any = KNOWN,
    found: Any = 7,
    relation: str | None = "works_for",
    *,
    calls: int = 1,
    kind: str = "neighbours",
    shown: bool = True,
) -> list[Any]:
    return [calls, kind, of, found, relation, "out", True, shown]


def lines(*rows: list[Any], revealed: bool = False, left_out: int = 0) -> list[Any]:
    record = {"reads": {"rows": list(rows), "left_out": left_out}}
    return steps(revealed=revealed).json(record)["queries"]["rows"]


def test_a_scrubbed_line_has_the_handle_and_the_label_and_no_count() -> None:
    assert lines(read()) == [[1, "neighbours", [HANDLE, KNOWN], [RELATION, "works_for"], "out", None, False]]


def test_a_revealed_line_has_everything() -> None:
    assert lines(read(OTHER, relation="secret", shown=False), revealed=True) == [
        [1, "neighbours", [HANDLE, OTHER], [RELATION, "secret"], "out", 7, True]
    ]
    assert lines(read(4), revealed=True)[0][2] == 4
    assert lines(read("entity 3"), revealed=True)[0][2] == "entity 3"


@pytest.mark.parametrize(
    ("relation", "shown"),
    [("works_for", False), ("secret", True), ("secret", False)],
    ids=["marked", "not told", "both"],
)
def test_a_label_must_be_marked_as_shown_and_stand_in_a_prompt(relation: str, shown: bool) -> None:
    """The mark is the record's word, the prompt the page's own: a page takes neither alone."""
    assert lines(read(relation=relation, shown=shown)) == [[1, "neighbours", [HANDLE, KNOWN], None, None, None, False]]


@pytest.mark.parametrize("of", [OTHER, "entity 3", "literal 1", "topic 1, the king", "Brenka Moll"])
def test_an_entity_without_a_handle_in_the_prompts_is_another_one(of: str) -> None:
    assert lines(read(of))[0][2] is None
    assert lines(read("topic 2"))[0][2] == "topic 2"


def test_how_many_were_asked_and_how_often_is_left_out() -> None:
    told = lines(read(17), read(OTHER), read("entity 1"), read("entity 2"), read(OTHER, calls=2), read(3))
    assert [(row[0], row[2]) for row in told] == [(1, 0), (1, None), (2, None)]
    assert len(lines(read("entity 1"), read("entity 1"), revealed=True)) == 2


@pytest.mark.parametrize(("revealed", "told"), [(False, 1), (True, 41)])
def test_reads_beyond_the_limit_are_told_of(revealed: bool, told: int) -> None:
    record = {"reads": {"rows": [], "left_out": 41}}
    assert steps(revealed=revealed).json(record)["queries"]["left_out"] == told


def test_answers_by_handle_by_words_of_the_model_and_hidden() -> None:
    items = [{"text": name} for name in ("Anna", "Bert", "Carl", "Dora", "Emil")]
    record = {
        "prediction": {"items": items},
        "answered": [
            {"kind": "entity", "as": KNOWN, "in_evidence": True},
            {"kind": "entity", "as": OTHER, "in_evidence": True},
            {"kind": "text", "as": "Port Velm", "in_evidence": False},
            {"kind": "text", "as": None, "in_evidence": False},
            {"kind": "entity", "as": "entity 2", "in_evidence": False},
        ],
    }
    assert steps().json(record)["answered"] == [
        [[[HANDLE, KNOWN]], True],
        [[MASK], None],
        [["spoken Port Velm"], False],
        [[MASK], False],
        [[MASK], None],
    ]
    assert steps(revealed=True).json(record)["answered"] == [
        [[[HANDLE, KNOWN]], True],
        [[[HANDLE, OTHER]], True],
        [["Carl"], False],
        [["Dora"], False],
        [["Emil"], False],
    ]


def test_a_record_of_an_early_version_tells_nothing() -> None:
    assert steps().json({"prediction": {"items": []}}) == {}


# --- whole pages ---------------------------------------------------------------------------------------------------------


def told(page: Any, number: int = 1) -> dict[str, Any]:
    return page.question(number)["runs"][0]["trials"][0]


def changed(run: Path, target: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Path:
    copy = shutil.copytree(run, target)
    records = [json.loads(line) for line in (run / "records.jsonl").read_text(encoding="utf-8").splitlines()]
    text = "".join(json.dumps(change(record)) + "\n" for record in records)
    (copy / "records.jsonl").write_text(text, encoding="utf-8")
    return copy


def test_a_scrubbed_page_tells_less_than_a_revealed_one(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgbench.report.page.reveal.load_master_key", lambda: TEST_KEY)
    run = make_canary_run("arog", "private")
    scrubbed, revealed = told(page_of(run)), told(page_of(run, revealed=True))
    rows = scrubbed["queries"]["rows"]
    assert any(row[1] == "neighbours" and row[3] is not None for row in rows)
    assert any(isinstance(row[2], list) for row in rows)
    assert {(row[5], row[6]) for row in rows} == {(None, False)}
    assert all(isinstance(row[5], int) for row in revealed["queries"]["rows"])
    assert len(revealed["queries"]["rows"]) >= len(rows)


def test_every_handle_and_label_of_a_scrubbed_line_stands_in_a_prompt_of_its_trial(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], world: CanaryWorld
) -> None:
    page = page_of(make_canary_run("tog", "private"))
    checked = 0
    for number in range(1, len(world.records) + 1):
        trial = told(page, number)
        prompts = json.dumps([call["turn"] for call in trial["calls"]])
        for row in trial["queries"]["rows"]:
            for segment in (part for part in row[2:4] if isinstance(part, list)):
                assert json.dumps(segment) in prompts
                checked += 1
    assert checked > 100


def test_early_records_stay_readable(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], tmp_path: Path
) -> None:
    def older(record: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in record.items() if key not in ("reads", "answered")}

    trial = told(page_of(changed(make_canary_run("arog", "private"), tmp_path / "run", older)))
    assert trial["reads"] > 0
    assert not {"queries", "answered"} & set(trial)


def test_forged_fields_bring_nothing_onto_the_page(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], tmp_path: Path
) -> None:
    def forged(record: dict[str, Any]) -> dict[str, Any]:
        rows = [[0, "Secretword", "Secretword", 5, "Secretword", "Secretword", True, True]]
        answered = [{"kind": "entity", "as": "Secretword", "in_evidence": True}]
        return record | {"reads": {"rows": rows, "left_out": 0}, "answered": answered}

    page = page_of(changed(make_canary_run("arog", "private"), tmp_path / "run", forged))
    assert "Secretword" not in page.everything
    assert told(page)["queries"]["rows"] == [[0, "other", None, None, None, None, False]]


def test_a_name_in_a_text_answer_is_masked_as_in_a_reply(
    make_canary_run: Callable[..., Path], page_of: Callable[..., Any], world: CanaryWorld, tmp_path: Path
) -> None:
    """The record keeps no such answer; a page does not rely on it."""

    def quoted(record: dict[str, Any]) -> dict[str, Any]:
        answered = [
            {"kind": "text", "as": item["text"], "in_evidence": False} for item in record["prediction"]["items"]
        ]
        return record | {"answered": answered}

    page = page_of(changed(make_canary_run("arog", "p-rag"), tmp_path / "run", quoted))
    texts = [told(page, number)["answered"] for number in range(1, len(world.records) + 1)]
    assert sum(len(answered) for answered in texts) > 5
    for record, answered in zip(world.records, texts, strict=True):
        said = {token for token, _, _ in world.found(record.question.text)}
        assert {token for token, _, _ in world.found(json.dumps(answered))} <= said
