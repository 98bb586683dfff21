"""How questions and runs end: leaks, errors of a method, a model that is gone, an interrupt; and that trials are apart."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from methods_of_runs import ASK, Preparing, Raising, Small, Thief, ThiefByLabel, ThiefByTemplate
from run_desk import begin, given, only_run, steady

from kgbench.contracts import ModelCard
from kgbench.errors import FatalModelError, PromptTooLong, Refused, RunStopped, UsageError
from kgbench.prompts import TaskKind
from kgbench.run.plan import make_plan
from kgbench.run.runner import start
from kgbench.run.store import RunFolder
from kgbench.spec import RunSpec
from kgbench.testing import Parrot, ScriptedModel, toy_records
from kgbench.testing.harness import dataset_of
from kgbench.types import Scenario, Status

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.contracts import ModelRequest

EVERY = len(toy_records())


def statuses(run: Any) -> dict[str, str]:
    return {record["question_id"]: record["status"] for record in run.records}


# --- leaks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("thief", [Thief, ThiefByLabel, ThiefByTemplate])
@pytest.mark.parametrize("scenario", [Scenario.PRIVATE, Scenario.P_R])
def test_a_leak_is_stopped_before_it_leaves_and_the_run_goes_on(
    tmp_path: Path, thief: type[Thief], scenario: Scenario
) -> None:
    model = ScriptedModel(lambda request: "said")
    run = begin(tmp_path, given(method=thief(), model=model), method="thief", scenario=scenario)
    ended = statuses(run)
    assert ended.pop(Thief.victim) == Status.PRIVACY_BLOCKED
    assert set(ended.values()) == {Status.OK}
    assert run.summary.leaks >= 1
    assert model.calls == EVERY - 1
    stolen = ("Ilse Moll", "Tamsin Orrel")
    assert not any(name in message["content"] for r in model.requests for message in r.messages for name in stolen)
    (blocked,) = run.calls_of(Thief.victim)
    assert blocked["error"] == "privacy_blocked"
    assert "messages" not in blocked
    record = run.record(Thief.victim)
    assert "was stopped before it left" in record["error"]
    assert not any(name in str(record["error"]) for name in stolen)


def test_where_the_phase_is_exposed_a_name_in_disguise_is_no_leak(tmp_path: Path) -> None:
    run = begin(tmp_path, given(method=Thief()), method="thief", scenario=Scenario.P_G)
    assert set(statuses(run).values()) == {Status.OK}
    assert run.summary.leaks == 0


# --- errors ------------------------------------------------------------------------------------------------------------


def test_a_method_that_raises_loses_that_question_alone_and_tells_no_name(tmp_path: Path) -> None:
    run = begin(tmp_path, given(method=Raising()), method="raising")
    ended = statuses(run)
    assert ended.pop("hub") == Status.PARSE_ERROR
    assert set(ended.values()) == {Status.OK}
    assert run.record("hub")["error"] == "the method raised KeyError"


@pytest.mark.parametrize(
    ("failure", "status"),
    [(Refused("no"), Status.REFUSED), (PromptTooLong("long"), Status.PROMPT_TOO_LONG)],
)
def test_an_error_of_one_question_is_its_status(tmp_path: Path, failure: Exception, status: Status) -> None:
    replies: list[Any] = ["a", failure] + ["b"] * EVERY
    run = begin(tmp_path, given(method=Small(), model=ScriptedModel(replies)), method="small")
    assert sorted(statuses(run).values()).count(status) == 1
    assert run.summary.error_rate == pytest.approx(1 / EVERY, abs=1e-6)


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_model_that_cannot_be_used_at_all_ends_the_run_at_once(tmp_path: Path, jobs: int) -> None:
    model = ScriptedModel([FatalModelError("the key is wrong")] * EVERY)
    with pytest.raises(FatalModelError, match="the key is wrong"):
        begin(tmp_path, given(method=Small(), model=model), method="small", jobs=jobs)
    assert model.calls <= jobs
    folder = RunFolder(only_run(tmp_path))
    assert folder.manifest()["status"] == "failed"
    assert folder.records() == {}


def test_a_fatal_error_keeps_what_was_answered(tmp_path: Path) -> None:
    replies: list[Any] = ["a", "b", FatalModelError("gone")]
    with pytest.raises(FatalModelError):
        begin(tmp_path, given(method=Small(), model=ScriptedModel(replies)), method="small")
    assert len(RunFolder(only_run(tmp_path)).records()) == 2


@pytest.mark.parametrize("jobs", [1, 4])
def test_an_interrupt_ends_the_run_and_leaves_it_resumable(tmp_path: Path, jobs: int) -> None:
    class Interrupting:
        def started(self, *_: Any) -> None: ...

        def answered(self, record: Any, hit: float | None) -> None:
            raise KeyboardInterrupt

        def finished(self, status: str) -> None:
            ended.append(status)

    ended: list[str] = []
    plan = make_plan(
        RunSpec(method="small", jobs=jobs, cache="off", out=str(tmp_path)), given(method=Small(), model=Parrot())
    )
    with pytest.raises(RunStopped, match="go on with: kgbench resume") as caught:
        start(plan, Interrupting())
    assert caught.value.exit_code == 130
    assert ended == ["stopped"]
    folder = RunFolder(only_run(tmp_path))
    assert folder.manifest()["status"] == "stopped"
    assert 1 <= len(folder.records()) < EVERY


def test_a_stop_ends_the_questions_under_way_at_their_next_call(tmp_path: Path) -> None:
    plan = make_plan(
        RunSpec(method="small", jobs=1, cache="off", out=str(tmp_path)),
        given(method=Small(), model=ScriptedModel(lambda request: stop_after(request, 3))),
    )
    asked: list[ModelRequest] = []

    def stop_after(request: ModelRequest, count: int) -> str:
        asked.append(request)
        if len(asked) == count:
            plan.stop.set()
        return "x"

    with pytest.raises(RunStopped):
        start(plan)
    assert len(asked) == 3


# --- trials, order, preparation ----------------------------------------------------------------------------------------


def test_trials_have_handles_and_samples_of_their_own(tmp_path: Path) -> None:
    run = begin(tmp_path, given(dataset=dataset_of(toy_records("hub"))), trials=2)
    first, second = (run.record("hub", trial) for trial in (0, 1))
    assert len(run.records) == 2
    assert run.summary.trials == 2
    texts = ["\n".join(m["content"] for c in run.calls_of("hub", trial) for m in c["messages"]) for trial in (0, 1)]
    assert texts[0] != texts[1]
    assert first["issued"] != second["issued"], "the sample of the hub is drawn again"


@pytest.mark.parametrize("model", [None, Parrot()])
def test_jobs_change_nothing_but_time(tmp_path: Path, model: Any) -> None:
    one, four = (begin(tmp_path / str(jobs), given(model=model), jobs=jobs) for jobs in (1, 4))
    assert steady(one.records) == steady(four.records)
    scores = [RunFolder(only_run(tmp_path / str(jobs))).scores() for jobs in (1, 4)]
    assert scores[0] == scores[1]


def test_a_method_with_state_runs_one_question_at_a_time(tmp_path: Path) -> None:
    side_by_side: list[int] = []
    lock = threading.Lock()

    class Stateful(Small):
        card = replace(Small.card, name="stateful", keeps_state=True)

        def answer(self, question: Any, ctx: Any) -> Any:
            assert lock.acquire(blocking=False), "two questions at once"
            try:
                side_by_side.append(1)
                return super().answer(question, ctx)
            finally:
                lock.release()

    run = begin(tmp_path, given(method=Stateful()), method="stateful", jobs=4)
    assert set(statuses(run).values()) == {Status.OK}
    assert len(side_by_side) == EVERY


def test_preparation_is_asked_once_and_given_to_every_question(tmp_path: Path) -> None:
    class Reading(Preparing):
        def value(self, question: Any, ctx: Any, number: int) -> Any:
            assert ctx.prepared == {"said": ["ready", "ready"]}
            return number

    run = begin(tmp_path, given(method=Reading()), method="preparing")
    assert set(statuses(run).values()) == {Status.OK}
    assert [call["phase"] for call in run.calls].count("setup") == 2
    assert run.manifest["prepared"] == {"said": ["ready", "ready"]}


def test_a_method_that_says_it_uses_no_graph_gets_none(tmp_path: Path) -> None:
    class Blind(Small):
        card = replace(Small.card, name="blind", uses_graph=False)

        def value(self, question: Any, ctx: Any, number: int) -> Any:
            return len(ctx.kg.types(question.topics[0]))

    with pytest.raises(UsageError, match="uses_graph=False"):
        begin(tmp_path, given(method=Blind()), method="blind")


# --- models and money --------------------------------------------------------------------------------------------------


def test_a_task_that_the_model_cannot_read_fails_before_a_folder_is_made(tmp_path: Path) -> None:
    class Programming(Small):
        card = replace(Small.card, name="programming", templates=(replace(ASK, kind=TaskKind.PROGRAM),))

    with pytest.raises(UsageError, match=r"small\.ask"):
        begin(tmp_path / "runs", given(method=Programming(), model=None), method="programming")
    assert not (tmp_path / "runs").exists()


def test_the_cost_of_a_run_counts_what_was_asked_before_the_first_question(tmp_path: Path) -> None:
    card = ModelCard(name="gpt-4o-mini-2024-07-18", backend="openai")
    run = begin(tmp_path, given(method=Preparing(), model=ScriptedModel(lambda request: "x", card)), method="preparing")
    billed = [call["usage"]["billed"] for call in run.calls]
    paid = sum(0.15e-6 * usage["input_tokens"] + 0.60e-6 * usage["output_tokens"] for usage in billed)
    assert run.summary.cost_usd == pytest.approx(paid)
