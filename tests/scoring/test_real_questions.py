from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kgbench.scoring.foreign import foreign_prediction
from kgbench.scoring.score import ScoredRow, score_run
from kgbench.types import AnswerItem, Gold, GoldAnswer, RestoredPrediction

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("webqsp.fbmini.jsonl", "cwq.fbmini.jsonl", "grailqa.fbmini.jsonl", "metaqa_2hop.metaqa.jsonl")


def records(folder: Path, name: str) -> list[dict]:
    lines = (folder / "questions" / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def name_of(answer: dict) -> str | None:
    return None if answer["name"] == "null" else answer["name"]


def gold_of(record: dict) -> Gold:
    answers = tuple(GoldAnswer(id=answer["mid"], name=name_of(answer)) for answer in record["answers"])
    return Gold(record["id"], answers)


@pytest.mark.parametrize("name", FILES)
def test_constant_answers_stay_below_one_percent(real_data: Path, name: str) -> None:
    every = records(real_data, name)
    golds = {record["id"]: gold_of(record) for record in every}
    for reply in ("{a}", "{No}", "a", "", "{}"):
        prediction = foreign_prediction(reply)
        rows = [ScoredRow(record["id"], 0, record["question"], "ok", prediction) for record in every]
        scores = score_run(rows, golds)
        assert scores["hits1"]["value"] < 0.01
        assert reply != "{a}" or scores["tog_loose"]["value"] > 0.5


@pytest.mark.parametrize("name", FILES)
def test_the_gold_itself_scores_one(real_data: Path, name: str) -> None:
    every = records(real_data, name)
    golds = {record["id"]: gold_of(record) for record in every}
    rows = []
    for record in every:
        items = tuple(
            AnswerItem("entity", name_of(answer) or answer["mid"], (answer["mid"],)) for answer in record["answers"]
        )
        raw = "{" + (items[0].text if items else "") + "}"
        rows.append(ScoredRow(record["id"], 0, record["question"], "ok", RestoredPrediction(items, raw)))
    scores = score_run(rows, golds)
    for metric in ("hits1", "hit_any", "precision", "recall", "f1", "em", "mid_hits1", "tog_loose", "tog_loose_arog"):
        assert scores[metric]["value"] == 1.0
