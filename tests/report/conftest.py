"""Runs of the closed-book method over the toy world, made by the real runner with a scripted model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.contracts import ModelCard
from kgbench.llm.retry import RetryPolicy
from kgbench.run.plan import Given, make_plan
from kgbench.run.runner import start
from kgbench.spec import RunSpec
from kgbench.testing import TEST_KEY, ScriptedModel, toy_graph, toy_records
from kgbench.testing.harness import dataset_of
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from kgbench.contracts import ModelRequest

RIGHT = {
    "forward mediator": "{Ashgrove Works}",
    "n-ary mediator": "{Brenka Moll}",
    "two hops": "{Port Velm}",
    "same relation twice": "{Ilse Moll}",
}


@pytest.fixture
def make_run(tmp_path: Path) -> Callable[..., Path]:
    """Make a run of ``io`` and return its folder.

    ``replies`` are by question id, all right by default; ``renamed`` gives questions other ids; ``fail`` lists ids whose
    call fails.
    """

    def make(
        replies: Mapping[str, str] = RIGHT,
        *,
        model: ModelCard | None = None,
        renamed: Mapping[str, str] | None = None,
        fail: Mapping[str, Exception] | None = None,
        dataset: str = "toy",
        **settings: Any,
    ) -> Path:
        records = toy_records(*RIGHT)
        by_text = {record.question.text: record.question.id for record in records}

        def reply(request: ModelRequest) -> str:
            turn = request.messages[-1]["content"]
            question_id = next(one for text, one in by_text.items() if text in turn)
            if fail and question_id in fail:
                raise fail[question_id]
            return replies.get(question_id, "{nothing of the kind}")

        new_ids = renamed or {}
        questions = [
            replace(
                record,
                question=replace(record.question, id=new_ids.get(record.question.id, record.question.id)),
                gold=replace(record.gold, question_id=new_ids.get(record.question.id, record.question.id)),
            )
            for record in records
        ]
        scenario = Scenario(settings.pop("scenario", "private"))
        fixed = {"method": "io", "jobs": 1, "cache": "off", "out": str(tmp_path / "runs"), "scenario": scenario}
        spec = RunSpec(**{**fixed, **settings})
        given = Given(
            model=ScriptedModel(reply, model or ModelCard(name="openai/scripted", backend="scripted")),
            graph=toy_graph(),
            dataset=dataset_of(questions, dataset),
            key=TEST_KEY,
            retries=RetryPolicy(retries=0),
        )
        return tmp_path / "runs" / start(make_plan(spec, given)).run_id

    return make
