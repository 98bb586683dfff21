from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.contracts import MethodCard
from kgbench.llm.retry import RetryPolicy
from kgbench.privacy.exposure import clean, exposure, verdict
from kgbench.prompts import Layout, Slot, TaskKind, Template
from kgbench.run.plan import Given, make_plan
from kgbench.run.runner import start
from kgbench.spec import RunSpec
from kgbench.testing import TEST_KEY, ScriptedModel, canary_world, toy_graph, toy_records
from kgbench.testing.harness import dataset_of
from kgbench.types import Direction, Entity, Phase, Prediction, Relation, Scenario, Triple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.contracts import Context, ModelRequest
    from kgbench.privacy.exposure import Exposure
    from kgbench.types import Question

    MakeRun = Callable[..., Path]

ASKED = ("date", "two topics")
RETRIEVE = Template(
    name="double.retrieve",
    kind=TaskKind.CHOOSE,
    phase=Phase.RETRIEVAL,
    stage="retrieve",
    system="Choose relations.",
    turn="{question}\n{topics}\n{relations}",
    slots={"question": Slot("question"), "topics": Slot("topics"), "relations": Slot("items", Layout.LINES)},
    write=str,
)
ANSWER = Template(
    name="double.answer",
    kind=TaskKind.ANSWER,
    phase=Phase.GENERATION,
    stage="answer",
    system="Answer.",
    turn="{question}\n{triples}\n{heard}",
    slots={"question": Slot("question"), "triples": Slot("triples", Layout.LINES), "heard": Slot()},
    write=str,
)


class OneHop:
    """Shows a topic's relations in one prompt, what it reaches in another; ``leaky`` smuggles names into labels."""

    card = MethodCard("double", "1", "One hop", templates=(RETRIEVE, ANSWER))

    def __init__(self, *, leaky: bool = False) -> None:
        self.leaky = leaky

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Answer with everything that the topics reach."""
        relations = ctx.kg.relations(question.topics, Direction.OUT)
        reply = ctx.llm(RETRIEVE.fill(question=question, topics=question.topics, relations=relations))
        triples = [
            Triple(topic, relation, term)
            for topic in question.topics
            for relation in relations
            for term in ctx.kg.neighbours(topic, relation, Direction.OUT)
        ]
        if self.leaky and question.id == "date":
            triples.append(Triple(question.topics[0], Relation("x", "Port Velm"), question.topics[0]))
        ctx.llm(ANSWER.fill(question=question, triples=triples, heard=[reply.echo(reply.text)]))
        return Prediction(tuple(triple.object for triple in triples))


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """Make a run of the double and return its folder: over two toy questions, or over a graph whose ids may be shown."""

    def make(*, leaky: bool = False, reply: str = "a reply", **settings: Any) -> Path:
        world = canary_world()

        def answer(_request: ModelRequest) -> str:
            return reply

        scenario = Scenario(settings.pop("scenario", "private"))
        out = str(tmp_path / "runs")
        spec = RunSpec(method="double", jobs=1, cache="off", out=out, scenario=scenario, **settings)
        given = Given(
            model=ScriptedModel(answer),
            graph=world.graph if settings.get("pseudonyms") == "source-id" else toy_graph(),
            dataset=dataset_of(world.records[:5] if settings.get("pseudonyms") == "source-id" else toy_records(*ASKED)),
            method=OneHop(leaky=leaky),
            key=TEST_KEY,
            retries=RetryPolicy(retries=0),
        )
        return tmp_path / "runs" / start(make_plan(spec, given)).run_id

    return make


def spans(found: Exposure, phase: str) -> dict[str, tuple[int, int, int]]:
    return {one.origin: (one.prompts, one.spans, one.distinct) for one in found.exposed if one.phase == phase}


def test_private_shows_handles_and_labels_by_phase(make_run: MakeRun) -> None:
    found = exposure(make_run())
    assert (found.prompts, found.questions, found.protected, found.blocked) == (4, 2, 4, 0)
    assert found.prompts_by_phase == {"retrieval": 2, "generation": 2}
    retrieval = spans(found, "retrieval")
    assert set(retrieval) == {"question", "mention", "relation"}
    assert retrieval["question"] == (2, 2, 2)
    assert retrieval["mention"] == (2, 3, 2)
    generation = spans(found, "generation")
    assert set(generation) == {"question", "mention", "relation", "handle", "echo"}
    assert all(not one.names_shown for one in found.exposed)
    assert clean(found)
    assert verdict(found) == (
        "No name, alias, literal or source id of the graph reached the model in a protected phase."
    )


def test_distinct_handles_and_labels_a_question(make_run: MakeRun) -> None:
    path = make_run()
    found = exposure(path)
    calls = [json.loads(line) for line in (path / "calls.jsonl").read_text().splitlines()]
    handles = [
        {call["messages"][-1]["content"][start:end] for start, end, origin in call["spans"] if origin == "handle"}
        for call in calls
        if call["phase"] == "generation"
    ]
    assert all(handle.startswith("m.0") for one in handles for handle in one)
    assert found.handles_per_question.largest == max(map(len, handles))
    assert found.handles_per_question.mean == sum(map(len, handles)) / 2
    assert (
        found.relation_labels_per_question.largest == 9
    )  # the date question asks of one company, the other also of Brenka


@pytest.mark.parametrize(("scenario", "shown"), [("p-r", "retrieval"), ("p-g", "generation")])
def test_one_phase_shown_is_a_study_of_utility(make_run: MakeRun, scenario: str, shown: str) -> None:
    found = exposure(make_run(scenario=scenario))
    assert {one.phase for one in found.exposed if one.names_shown} == {shown}
    assert found.protected == 2
    assert verdict(found).startswith("No name, alias, literal or source id")
    assert verdict(found).endswith(
        f"The scenario {scenario} is a study of utility, not of protection: one provider sees both phases."
    )
    assert found.findings == {}


def test_both_phases_shown_protect_nothing(make_run: MakeRun) -> None:
    found = exposure(make_run(scenario="p-rag"))
    generation = spans(found, "generation")
    assert {"name", "literal"} <= set(generation)
    assert "No name" not in verdict(found)
    assert verdict(found).startswith("Every prompt stood in a phase that shows names")


def test_source_ids_are_said_and_never_called_clean(make_run: MakeRun) -> None:
    found = exposure(make_run(pseudonyms="source-id"))
    assert found.identifiers_public
    assert not clean(found)
    ids = spans(found, "generation")["source_id"][1]
    assert verdict(found) == f"In protected phases the model saw {ids} source ids."
    assert all(set(counts) == {"source_ids"} for counts in found.findings.values())


def test_literals_in_clear_are_counted(make_run: MakeRun) -> None:
    found = exposure(make_run(literals="plain"))
    shown = spans(found, "generation")["literal"][1]
    assert shown > 0
    assert verdict(found) == f"In protected phases the model saw {shown} literals in clear."


def test_a_stopped_request_is_a_finding_and_never_seen(make_run: MakeRun) -> None:
    found = exposure(make_run(leaky=True))
    assert (found.blocked, found.prompts, found.escaped) == (1, 3, 0)
    assert found.leaks >= 1
    assert set(found.findings) == {"date"}
    assert clean(found)
    assert f"1 request(s) with {found.leaks} protected string(s) were stopped before they left." in verdict(found)


def test_a_leak_in_a_prompt_that_left_is_never_called_clean(make_run: MakeRun) -> None:
    path = make_run()
    calls = [json.loads(line) for line in (path / "calls.jsonl").read_text().splitlines()]
    calls[0]["audit"]["leaks"] = 1
    (path / "calls.jsonl").write_text("".join(json.dumps(call) + "\n" for call in calls))
    found = exposure(path)
    assert not clean(found)
    assert verdict(found) == "In protected phases the model saw 1 protected strings that the scanner found."


def test_a_name_in_a_span_that_left_is_never_called_clean(make_run: MakeRun) -> None:
    path = make_run()
    calls = [json.loads(line) for line in (path / "calls.jsonl").read_text().splitlines()]
    calls[0]["spans"][0][2] = "name"
    (path / "calls.jsonl").write_text("".join(json.dumps(call) + "\n" for call in calls))
    assert verdict(exposure(path)) == "In protected phases the model saw 1 names."


def test_echoes_are_counted_apart(make_run: MakeRun) -> None:
    found = exposure(make_run(reply="a reply that names Port Velm"))
    assert (found.leaks, found.blocked) == (0, 0)
    assert found.echoes >= 2
    assert found.findings["date"]["echo"] >= 1
    assert clean(found)
    assert f"Counted apart: {found.echoes} time(s) a name that the model itself had said before" in verdict(found)


def test_what_a_run_did_not_ask_cannot_have_been_seen(make_run: MakeRun) -> None:
    path = make_run()
    (path / "calls.jsonl").unlink()
    found = exposure(path)
    assert found.prompts == 0
    assert verdict(found) == "No prompt left: the model saw nothing."
    assert found.handles_per_question.mean == 0.0


def test_calls_of_the_trusted_zone_are_never_read(make_run: MakeRun) -> None:
    path = make_run()
    before = exposure(path)
    (path / "calls.local.jsonl").write_text("no JSON at all\n")
    after = exposure(path)
    assert after.trusted_zone and not before.trusted_zone
    assert after.exposed == before.exposed


def test_json_holds_the_verdict_and_no_text_of_a_prompt(make_run: MakeRun) -> None:
    path = make_run(scenario="p-rag")
    text = json.dumps(exposure(path).to_json())
    assert json.loads(text)["verdict"].startswith("Every prompt")
    assert "Ashgrove" not in text
    assert Entity("velm").id not in text
