"""What may be seen where: names by phase, the memory between phases, and runs that end well whatever the model says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from odd_replies import ODD_REPLIES
from pog_script import QUESTION, Script, correction, everything, first_object, play, prompts, stages, verdict, world

from kgbench.seam.pseudonyms import HANDLE
from kgbench.testing import ScriptedModel
from kgbench.testing.canary import canary_world
from kgbench.testing.exposure import disclosures, hidden_in_exposed_phases, names_shown
from kgbench.testing.harness import OTHER_KEY, TEST_KEY, run_once
from kgbench.testing.malformed import MALFORMED_REPLIES, now_and_then
from kgbench.testing.parrot import Parrot
from kgbench.testing.toy import toy_records
from kgbench.types import Phase, Scenario, Status
from kgbench_methods.pog.method import Pog

if TYPE_CHECKING:
    from kgbench.contracts import TaskView
    from kgbench.seam.pseudonyms import MasterKey

CANARIES = canary_world()
FEW = tuple(
    record
    for record in CANARIES.records
    if record.question.id in ("two hops, not named", "homonyms, not named", "literals, not named", "odd names, named")
)
UNSAID = tuple(record for record in FEW if record.question.id.endswith("not named"))
"""Their questions name nothing, so that no echo of a question can be taken for a name."""


@pytest.mark.parametrize("parameters", [{}, {"profile": "official"}], ids=["clean", "official"])
@pytest.mark.parametrize("pseudonyms", ["keyed", "source-id"])
@pytest.mark.parametrize("scenario", Scenario)
def test_names_stand_only_where_the_scenario_shows_them(
    scenario: Scenario, pseudonyms: str, parameters: dict[str, str]
) -> None:
    run = run_once(
        Pog,
        graph=CANARIES.graph,
        records=FEW,
        model=Parrot(),
        parameters={**parameters, "depth": 2},
        scenario=scenario,
        pseudonyms=pseudonyms,
    )
    assert not list(disclosures(CANARIES, run))
    assert not list(hidden_in_exposed_phases(CANARIES, run))


@pytest.mark.parametrize("scenario", Scenario)
def test_each_phase_shows_names_where_it_is_exposed(scenario: Scenario) -> None:
    settings = {"graph": CANARIES.graph, "records": UNSAID, "model": Parrot(), "scenario": scenario}
    run = run_once(Pog, parameters={"depth": 2}, **settings)
    for phase in (Phase.RETRIEVAL, Phase.GENERATION, Phase.MIXED):
        assert bool(names_shown(CANARIES, run, phase)) == scenario.exposes(phase)


@pytest.mark.parametrize("scenario", [Scenario.P_R, Scenario.P_G])
def test_memory_carries_no_name_from_phase_to_phase(scenario: Scenario) -> None:
    """A model that writes all it sees into its notes: what it saw there has no names unless all phases show them."""
    graph = world("t  r.one  a\na  r.two  b\nb  r.three  c")

    def all_it_sees(task: TaskView) -> str:
        return task.write(task.slots["triples"])

    run = play(graph, Script(update_memory=all_it_sees), scenario=scenario, parameters={"depth": 3})
    hidden = Phase.GENERATION if scenario is Scenario.P_R else Phase.RETRIEVAL
    notes = [text for text in run.texts(hidden) if "known" in text]
    assert notes
    assert not any("Node" in text for text in (*run.texts(hidden), *run.texts(Phase.MIXED)))


def test_objectives_written_in_sight_of_names_are_masked_where_names_are_hidden() -> None:
    # The model guesses the name of a node; once retrieval has shown it, the guess must not name it in a MIXED prompt.
    script = Script(decompose='["find Node A and Node B"]')
    run = play(world("t  r.one  a\nt  r.one  b"), script, scenario=Scenario.P_R)
    assert "Node A" in prompts(run, "ent_prune")[0]
    assert "Node" not in prompts(run, "update_memory")[0]


def test_the_reason_of_the_judge_stays_in_its_phase() -> None:
    def names_it(task: TaskView) -> str:
        return correction(add=True).replace("an entity", task.triples[0].object.text)

    script = Script(judge=names_it, add_entities="[]")
    run = play(world("t  r.one  a"), script, scenario=Scenario.P_R, parameters={"depth": 1})
    assert "Reason: Node A is missing" in prompts(run, "add_entities")[0]
    assert not any("Node" in text for text in run.texts(Phase.GENERATION))


# --- odd replies ------------------------------------------------------------------------------------------------------

ENDS = {Status.OK, Status.NO_ANSWER, Status.NO_TOPIC_ENTITY, Status.TRUNCATED}


# The longest of them are read in the tests of the parsers; scoring them would take most of the time of these tests.
SHORT = [reply for reply in (*ODD_REPLIES, *MALFORMED_REPLIES) if len(reply) < 2000]


@pytest.mark.parametrize("reply", SHORT)
def test_one_reply_to_everything_ends_in_a_status(reply: str) -> None:
    records = toy_records("two hops", "no topic")
    for parameters in ({"depth": 2}, {"depth": 2, "profile": "official", "quirks": ("-B1",)}):
        run = run_once(Pog, records=records, model=ScriptedModel(lambda request: reply), parameters=parameters)
        for record in run.records:
            assert record["error"] is None
            assert record["status"] in ENDS


@pytest.mark.parametrize("seed", range(3))
def test_odd_replies_now_and_then_end_in_a_status(seed: int) -> None:
    for parameters in ({"depth": 2}, {"depth": 2, "profile": "official"}):
        run = run_once(Pog, model=ScriptedModel(now_and_then(seed)), parameters=parameters)
        assert not [r["error"] for r in run.records if str(r["error"]).startswith("the method raised")]
        if "profile" not in parameters:
            assert {record["status"] for record in run.records} <= ENDS


@pytest.mark.parametrize("stage", ["decompose", "rel_select", "ent_prune", "update_memory", "answer_depth", "judge"])
def test_a_malformed_reply_is_asked_for_once_more_with_other_bytes(stage: str) -> None:
    graph = world("t  r.one  a\nt  r.one  b")
    run = play(graph, Script(**{stage: "?"}), parameters={"depth": 1})
    at = stages(run).index(stage)
    assert stages(run)[at + 1] == f"{stage}_retry"
    first, second = run.calls_of(QUESTION)[at : at + 2]
    assert second["messages"][-1]["content"].startswith(first["messages"][-1]["content"])
    assert second["messages"] != first["messages"]
    notes = run.record(QUESTION)["notes"]
    assert notes[f"parse_failure:{stage}"] == 2
    assert notes[f"retried:{stage}"] == 1
    official = play(graph, Script(**{stage: "?"}), parameters={"profile": "official", "quirks": ("-B1",), "depth": 1})
    assert not any(name.endswith("_retry") for name in stages(official))


def test_a_second_reply_counts() -> None:
    graph = world("t  r.one  a\nt  r.one  b")
    run = play(graph, Script(ent_prune=["?", "[1]"], answer_depth=first_object))
    assert stages(run) == ["decompose", "rel_select", "ent_prune", "ent_prune_retry", "update_memory", "answer_depth"]


def test_names_are_read_where_numbers_were_asked_for() -> None:
    graph = world("t  r.one  a\nt  r.one  b\na  s  c\nb  s  d")
    run = play(graph, Script(ent_prune='["Node B"]'), scenario=Scenario.P_RAG, parameters={"depth": 2})
    assert "Node B, s, Node D" in prompts(run, "answer_depth")[1]
    assert "Node C" not in prompts(run, "answer_depth")[1]


@pytest.mark.parametrize("answer", ["Saxomere", "m.0uk52ea"])
def test_a_repeated_exemplar_is_no_verdict_and_no_memory(answer: str) -> None:
    script = Script(answer_depth=verdict(answer), update_memory=f'{{"1": "{answer}"}}')
    run = play(world("t  r.one  a"), script, parameters={"depth": 1})
    assert stages(run)[-1] == "cot_json"
    assert "Notes: {}" in prompts(run, "answer_depth")[0]
    assert run.record(QUESTION)["notes"]["exemplar_echo:answer_depth"] == 1


def test_the_same_bytes_come_again() -> None:
    script = {"judge": correction(add=True), "add_entities": everything, "ent_prune": everything}
    graph = world("t  r.one  a\nt  r.one  b\na  s  c\nb  s  d\nc  q  e\nd  q  f")
    first, second = (play(graph, Script(**script)) for _ in range(2))  # type: ignore[arg-type]
    assert [call["wire"] for call in first.calls] == [call["wire"] for call in second.calls]


@pytest.mark.parametrize("parameters", [{}, {"profile": "official"}, {"quirks": ("B8",)}])
def test_another_key_asks_the_same_but_for_handles_and_the_order_of_lists(parameters: dict[str, object]) -> None:
    def words_of(key: MasterKey) -> dict[str, list[tuple[str, list[str]]]]:
        settings = {"graph": CANARIES.graph, "records": FEW, "model": Parrot(declines_ties=True), "key": key}
        run = run_once(Pog, parameters={**parameters, "depth": 3}, **settings)
        asked: dict[str, list[tuple[str, list[str]]]] = {}
        for call in run.calls:
            handles = run.handles(call["question_id"], key)
            text = HANDLE.sub(lambda m, known=handles: repr(known.get(m.group())), call["messages"][-1]["content"])
            words = sorted(re.split(r"[\s,;\[\]]+|\d+\. ", text))
            asked.setdefault(call["question_id"], []).append((call["stage"], words))
        return asked

    assert words_of(TEST_KEY) == words_of(OTHER_KEY)
