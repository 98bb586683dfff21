"""Where names flow in ARoG: nowhere in private, in relation prompts beyond the topic in p-r, in the last two in p-g."""

from __future__ import annotations

from functools import cache

import pytest
from arog_script import play

from kgbench.seam.pseudonyms import HANDLE
from kgbench.testing import RunArtifacts, ScriptedModel, canary_world, run_once
from kgbench.testing.exposure import names_shown
from kgbench.types import Phase, Scenario

WORLD = canary_world()
GENERATION = {"judge", "answer"}


@cache
def runs(scenario: Scenario, method: str = "arog", pg_judge: bool = True) -> RunArtifacts:
    return run_once(
        method,
        graph=WORLD.graph,
        records=WORLD.records,
        model=ScriptedModel(play(judge="{No}", judge_hidden="{No}")),
        scenario=scenario,
        parameters={"pg_judge": pg_judge},
    )


def differing(one: RunArtifacts, other: RunArtifacts) -> dict[str, list[str]]:
    """Stage -> final turns of the first run's calls whose bytes differ; the calls themselves must be the same ones."""
    names = [[(c["question_id"], c["call"], c["stage"], c["sampling"]) for c in run.calls] for run in (one, other)]
    assert names[0] == names[1]
    found: dict[str, list[str]] = {}
    for first, second in zip(one.calls, other.calls, strict=True):
        if first["messages"] != second["messages"]:
            found.setdefault(first["stage"], []).append(first["messages"][-1]["content"])
    return found


def test_p_r_differs_from_private_in_relation_prompts_beyond_the_topic_alone() -> None:
    found = differing(runs(Scenario.PRIVATE), runs(Scenario.P_R))
    assert set(found) == {"relations"}
    for turn in found["relations"]:
        entity = turn.split("\n")[1]
        assert HANDLE.search(entity)
        assert "(" in entity
        assert "topic of the question" not in entity
    assert all(not names_shown(WORLD, runs(Scenario.P_R), phase) for phase in Phase if phase is not Phase.RETRIEVAL)
    assert names_shown(WORLD, runs(Scenario.P_R), Phase.RETRIEVAL)


def test_p_g_differs_from_private_in_verdicts_and_answers_alone() -> None:
    assert set(differing(runs(Scenario.PRIVATE), runs(Scenario.P_G))) == GENERATION
    assert names_shown(WORLD, runs(Scenario.P_G), Phase.GENERATION)
    assert not names_shown(WORLD, runs(Scenario.P_G), Phase.RETRIEVAL)


def test_p_rag_is_both() -> None:
    assert set(differing(runs(Scenario.PRIVATE), runs(Scenario.P_RAG))) == {"relations", *GENERATION}


def test_the_judge_may_stay_blind_in_p_g() -> None:
    blind = differing(runs(Scenario.PRIVATE, pg_judge=False), runs(Scenario.P_G, pg_judge=False))
    assert set(blind) == {"answer"}


def test_arog_r_shows_names_where_it_chooses_too() -> None:
    found = differing(runs(Scenario.PRIVATE, "arog-r"), runs(Scenario.P_R, "arog-r"))
    assert "relations" in found
    assert not set(found) & GENERATION
    assert len(found) == 2


@pytest.mark.parametrize("scenario", Scenario)
def test_prompts_about_a_kind_of_thing_hold_no_node_and_no_question(scenario: Scenario) -> None:
    questions = {record.question.text for record in WORLD.records}
    turns = [call["messages"][-1]["content"] for call in runs(scenario).calls if call["stage"] == "abstraction"]
    assert turns
    for turn in turns:
        assert not HANDLE.search(turn)
        assert not list(WORLD.found(turn))
        assert not any(question in turn for question in questions)


def test_lists_are_sent_in_the_order_of_labels_or_handles() -> None:
    for call in runs(Scenario.P_RAG).calls:
        content = call["messages"][-1]["content"]
        if call["stage"] == "relations":
            labels = content.split("Relations: ")[1].split("\n")[0].split("; ")
            assert labels == sorted(labels)
        if call["stage"] == "answer":
            lines = [line.split(", ")[1] for line in content.split("Triples:\n")[1].splitlines()]
            assert lines == sorted(lines)
