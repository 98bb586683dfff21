"""Resuming: what is answered stays, errors are worked on, another run is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from methods_of_runs import Small
from run_desk import begin, call_keys, given, go_on, only_run, steady

from kgbench.contracts import ModelCard, TransientFailure
from kgbench.errors import GraphError, UsageError
from kgbench.run.store import CALLS, RECORDS, SCORES
from kgbench.testing import OTHER_KEY, Parrot, ScriptedModel, parse_triples, toy_graph, toy_records
from kgbench.testing.graphs import MemoryGraph
from kgbench.testing.harness import dataset_of
from kgbench.types import Status

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.contracts import ModelRequest
    from kgbench.run.plan import Given
    from kgbench.types import JsonObject


def files(path: Path) -> dict[str, bytes]:
    return {name: (path / name).read_bytes() for name in (RECORDS, CALLS, SCORES)}


def test_with_nothing_left_nothing_happens(tmp_path: Path) -> None:
    first = begin(tmp_path)
    path = only_run(tmp_path)
    before = files(path)
    silent = ScriptedModel([])
    again = go_on(path, given(model=silent))
    assert files(path) == before
    assert silent.calls == 0
    assert again.summary == first.summary


def other_questions() -> Any:
    return dataset_of(toy_records()[:-1])


def other_contents() -> Any:
    data = dataset_of(toy_records())
    return replace(data, report=replace(data.report, sha256="1" * 64))


class Newer(Small):
    card = replace(Small.card, version="2")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"key": OTHER_KEY}, "pseudonym key: id"),
        ({"dataset": other_questions()}, "questions_hash: "),
        ({"dataset": other_contents()}, "data_hash: '0000"),
        ({"graph": MemoryGraph(parse_triples("a  b  c"))}, "kg_fingerprint: "),
        ({"method": Newer()}, "method_version: '1' then, '2' now"),
    ],
)
def test_another_run_is_refused_with_what_differs(tmp_path: Path, parts: dict[str, Any], said: str) -> None:
    begin(tmp_path, given(method=Small()), method="small")
    path = only_run(tmp_path)
    before = files(path)
    with pytest.raises(UsageError, match="cannot be resumed") as caught:
        go_on(path, replace(given(method=Small()), **parts))
    assert said in str(caught.value)
    assert files(path) == before


def test_settings_without_an_effect_may_change(tmp_path: Path) -> None:
    begin(tmp_path)
    go_on(only_run(tmp_path), changes={"jobs": 3, "cache": "off"})
    with pytest.raises(UsageError, match="spec_id: "):
        go_on(only_run(tmp_path), changes={"seed": 1})


class Flaky(Parrot):
    """Fails at one stage until it is mended."""

    def __init__(self, failure: Exception | None) -> None:
        super().__init__()
        self.failure = failure
        self.asked: list[str] = []

    def complete(self, request: ModelRequest) -> Any:
        assert request.task is not None
        self.asked.append(request.task.template)
        if self.failure is not None and request.task.template == "arog.judge":
            raise self.failure
        return super().complete(request)


def test_a_model_that_was_away_is_asked_for_what_is_missing_alone(tmp_path: Path) -> None:
    whole = begin(tmp_path / "whole")
    broken = begin(tmp_path / "broken", given(model=Flaky(TransientFailure("down"))))
    statuses = {record["question_id"]: record["status"] for record in broken.records}
    assert Status.LLM_ERROR in statuses.values()
    path = only_run(tmp_path / "broken")
    mended = Flaky(None)
    resumed = go_on(path, given(model=mended))
    assert steady_but_requests(resumed.records) == steady_but_requests(whole.records)
    failed = [q for q, status in statuses.items() if status == Status.LLM_ERROR]
    finished_calls = [c for c in broken.calls if c["question_id"] in failed and c["error"] is None]
    assert finished_calls
    assert "arog.sa" not in mended.asked
    wanted = [call for call in whole.calls if call["question_id"] in failed]
    assert len(mended.asked) == len(wanted) - len(finished_calls)


def steady_but_requests(records: tuple[JsonObject, ...]) -> list[JsonObject]:
    """Records without times and without what failed attempts cost."""
    return [{key: value for key, value in record.items() if key != "retries"} for record in steady(records)]


class AwayGraph:
    """A graph that fails for one entity."""

    def __init__(self) -> None:
        self.graph = toy_graph()
        self.card, self.names, self.types, self.select = (
            self.graph.card,
            self.graph.names,
            self.graph.types,
            self.graph.select,
        )
        self.neighbours = self.graph.neighbours

    def relations(self, entities: Any, direction: Any) -> Any:
        if any(entity.id == "velm" for entity in entities):
            raise GraphError("a time-out")
        return self.graph.relations(entities, direction)


def test_a_graph_that_was_away_is_read_again(tmp_path: Path) -> None:
    broken = begin(tmp_path, given(graph=AwayGraph()))
    assert broken.record("hub")["status"] == Status.KG_ERROR
    assert broken.record("hub")["prediction"]["items"] == []
    resumed = go_on(only_run(tmp_path))
    assert resumed.record("hub")["status"] == Status.OK


@pytest.mark.parametrize("status", Status)
def test_which_statuses_are_worked_on_again(tmp_path: Path, status: Status) -> None:
    """An error of the model's, the graph's or the budget's; an answer, a refusal or a leak is final."""
    again = {Status.LLM_ERROR, Status.KG_ERROR, Status.KG_PARTIAL, Status.SKIPPED_BUDGET}
    run = begin(tmp_path, given(method=Small(), dataset=dataset_of(toy_records("hub"))), method="small")
    path = only_run(tmp_path)
    (path / RECORDS).write_text(
        (path / RECORDS).read_text().replace(f'"status":"{run.records[0]["status"]}"', f'"status":"{status}"')
    )
    (path / CALLS).write_text("")
    model = ScriptedModel(lambda request: "x")
    go_on(path, given(method=Small(), dataset=dataset_of(toy_records("hub")), model=model))
    assert bool(model.calls) == (status in again)


PRICED = ModelCard(name="gpt-4o-mini-2024-07-18", backend="openai")


def priced() -> Given:
    return given(method=Small(), model=ScriptedModel(lambda request: "an answer", PRICED))


def test_a_spent_budget_leaves_questions_open_for_later(tmp_path: Path) -> None:
    short = begin(tmp_path, priced(), method="small", budget=0.00005)
    skipped = [r["question_id"] for r in short.records if r["status"] == Status.SKIPPED_BUDGET]
    answered = [r["question_id"] for r in short.records if r["status"] == Status.OK]
    assert skipped
    assert answered
    assert "raise --budget" in short.record(skipped[0])["error"]
    resumed = go_on(only_run(tmp_path), priced(), {"budget": None})
    assert {record["status"] for record in resumed.records} == {Status.OK}
    keys = call_keys(only_run(tmp_path))
    assert len(keys) == len(set(keys)) == len(resumed.records)


def test_a_budget_counts_what_the_run_has_spent_before(tmp_path: Path) -> None:
    """Else a run that is resumed often enough spends any sum."""
    begin(tmp_path, priced(), method="small", budget=0.00005)
    again = priced()
    go_on(only_run(tmp_path), again)
    assert isinstance(again.model, ScriptedModel)
    assert again.model.calls == 0


def test_a_budget_needs_a_price(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs the price"):
        begin(tmp_path, given(method=Small()), method="small", budget=1.0)
