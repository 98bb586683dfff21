"""Which names leave, phase by phase, and what cannot be asked out of the method."""

from __future__ import annotations

from typing import Any

import pytest
from gog_script import GENERATE, Script, ends, finish, finish_ends, only, play, prompts, search, texts

from kgbench.testing import ScriptedModel, run_once
from kgbench.testing.canary import canary_world
from kgbench.testing.exposure import disclosures, names_shown
from kgbench.types import Phase, Scenario
from kgbench_methods.gog.method import Gog

QUESTION = "two hops, named"
TOPIC_FIRST = [
    lambda task: search(*task.slots["query_entity"]),
    lambda task: search(*ends(task, "win.prize")),
    lambda task: search(*ends(task, "win.winner")[:1]),
    GENERATE,
    lambda task: finish(*ends(task, "person.lives_in")),
]


def canary_run(scenario: Scenario, **parameters: Any) -> Any:
    world = canary_world()
    record = next(record for record in world.records if record.question.id == QUESTION)
    script = Script(TOPIC_FIRST, relations='["win.prize", "win.winner", "person.lives_in"]', generate="none")
    return world, run_once(
        Gog, graph=world.graph, records=[record], model=ScriptedModel(script), parameters=parameters, scenario=scenario
    )


@pytest.mark.parametrize("scenario", Scenario)
def test_names_by_phase(scenario: Scenario) -> None:
    world, run = canary_run(scenario)
    assert list(disclosures(world, run)) == []
    assert run.summary.leaks == 0
    record, stages = only(run)
    assert stages == ("agent", "relations") * 3 + ("agent", "generate", "agent")
    (question,) = (record.question for record in world.records if record.question.id == QUESTION)
    said = {token for token, _, _ in world.found(question.text)}
    shown = {phase: bool(names_shown(world, run, phase) - said) for phase in Phase}
    assert shown == {phase: phase in (Phase.RETRIEVAL, Phase.MIXED) and scenario.exposes(phase) for phase in Phase}
    assert record["prediction"]["source"] == "graph"


@pytest.mark.parametrize("scenario", Scenario)
def test_the_walk_is_the_same_in_all_scenarios(scenario: Scenario) -> None:
    _, private = canary_run(Scenario.PRIVATE)
    _, other = canary_run(scenario)
    assert other.stages(QUESTION) == private.stages(QUESTION)
    assert texts(other.records[0]) == texts(private.records[0])
    assert other.records[0]["prediction"]["items"][0]["ids"] == private.records[0]["prediction"]["items"][0]["ids"]


def test_the_mark_of_an_intermediate_node_is_the_same_in_all_scenarios() -> None:
    """It tells what the schema says, and never whether a node has a name."""
    marks = set()
    for scenario in Scenario:
        _, run = canary_run(scenario)
        marks.add(tuple(prompt.count("(event)") for prompt in prompts(run, "agent")))
    assert len(marks) == 1
    assert max(next(iter(marks))) > 0


@pytest.mark.parametrize("scenario", [Scenario.PRIVATE, Scenario.P_R, Scenario.P_G])
def test_a_guessed_name_is_not_looked_up_where_the_agent_sees_none(scenario: Scenario) -> None:
    """In ``p-r`` a retrieval prompt has shown the name before; the agent still cannot ask for it."""
    agent = [
        search("Pavo Moll"),
        lambda task: search(*ends(task, "person.child")[:1]),
        search("Brenka Moll"),
        finish("x"),
    ]
    run = play("same relation twice", agent, relations='["person.child"]', scenario=scenario)
    record, stages = only(run)
    assert stages == ("agent", "relations", "agent", "relations", "agent", "agent")
    assert record["notes"]["no_such_entity"] == 1
    absent = play(
        "same relation twice",
        [*agent[:2], search("Nobody Moll"), agent[3]],
        relations='["person.child"]',
        scenario=scenario,
    )
    there, not_there = prompts(run, "agent")[3], prompts(absent, "agent")[3]
    assert there.replace("Brenka", "Nobody") == not_there


def test_where_the_agent_sees_names_it_may_use_them() -> None:
    agent = [search("Pavo Moll"), search("Brenka Moll"), finish_ends("person.friend")]
    run = play(
        "same relation twice", agent, relations=['["person.child"]', '["person.friend"]'], scenario=Scenario.P_RAG
    )
    assert only(run)[1] == ("agent", "relations", "agent", "relations", "agent")
    assert "Tamsin Orrel" in texts(only(run)[0])


GENERATED = (
    "Brenka Moll\tperson.lives_in\tPort Velm\n"  # both ends shown, a relation of the graph
    "Brenka\tperson.lives_in\tPort Velm\n"  # a part of a name
    "Brenka Moll\tis a Moll of\tPort Velm\n"  # a name in the relation
    "Brenka Moll\tperson.lives_in\tDun"  # a name of the model's own
)


def generated(scenario: Scenario) -> Any:
    agent = [search("Brenka Moll"), GENERATE, finish("x")]
    return play("forward mediator", agent, generate=GENERATED, relations='["person.lives_in"]', scenario=scenario)


def test_what_was_written_in_sight_of_names_is_typed_before_it_goes_where_they_are_hidden() -> None:
    run = generated(Scenario.P_R)
    assert only(run)[0]["notes"]["generated_dropped"] == 3
    assert run.summary.leaks == 0
    heard = prompts(run, "agent")[2].split("not from the graph):\n")[1]
    fact, rest = heard.split("\n", 1)
    assert fact.startswith("Brenka Moll, person.lives_in, m.0")
    assert rest == "Already searched:\nBrenka Moll"
    assert "Port Velm" in prompts(run, "generate")[0]


@pytest.mark.parametrize("scenario", [Scenario.PRIVATE, Scenario.P_G, Scenario.P_RAG])
def test_elsewhere_it_stays_in_the_model_s_words(scenario: Scenario) -> None:
    run = generated(scenario)
    heard = prompts(run, "agent")[2].split("not from the graph):\n")[1]
    assert heard.split("\nAlready")[0] == GENERATED.replace("\t", ", ")
    assert run.summary.leaks == 0


def test_an_invented_name_of_the_exemplars_is_no_fact() -> None:
    run = play("date", [GENERATE, finish("x")], generate="Velm\tlies on\tOrr\nVelm\thas\tTavilute")
    assert "Velm, lies on, Orr" in prompts(run, "agent")[1]
    assert "Tavilute" not in prompts(run, "agent")[1]


def test_which_facts_generate_sees_does_not_depend_on_names() -> None:
    seen = []
    for scenario in (Scenario.PRIVATE, Scenario.P_RAG):
        agent = [search("Ashgrove Works"), "Thought: the phone 0417 3302?\nAction: Generate[x]", finish("x")]
        run = play("date", agent, generate="none", related_triples=2, scenario=scenario)
        seen.append([task["stage"] for task in run.calls])
        facts = prompts(run, "generate")[0].splitlines()[2:]
        seen.append(sorted(fact.split(", ")[1] for fact in facts))
    assert seen[:2] == seen[2:]
