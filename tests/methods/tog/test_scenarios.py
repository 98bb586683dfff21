"""What ToG shows in each scenario, and that it meets what every method must."""

from __future__ import annotations

import re

import pytest
from tog_worlds import NO, ask, chosen, equal_scores

from kgbench.seam.pseudonyms import HANDLE
from kgbench.testing.canary import canary_world
from kgbench.testing.conformance import check_method, check_names
from kgbench.testing.exposure import disclosures, names_shown
from kgbench.testing.harness import run_once
from kgbench.testing.parrot import Parrot
from kgbench.types import Phase, Scenario
from kgbench_methods.tog.method import Tog

FACTS = """
start     r.one  Hidden1
start     r.one  Hidden2
Hidden1   r.two  Hidden3
Hidden2   r.two  Hidden3
"""
SCRIPT = {
    "rel_prune": [chosen("r.one"), chosen("r.two")],
    "ent_score": equal_scores,
    "evaluate": NO,
    "cot": "{Memory}",
}
PARAMETERS = [
    {},
    {"profile": "official"},
    {"pruner": "bm25"},
    {"pruner": "embedding", "tog_literals": True},
    {"quirks": ("Q3", "Q7", "Q12", "Q15"), "unnamed_hidden": "placeholder"},
]


@pytest.mark.parametrize("scenario", Scenario)
def test_each_prompt_shows_names_in_its_own_phase(scenario: Scenario) -> None:
    seen = ask(FACTS, SCRIPT, depth=2, scenario=scenario)
    for call in seen.calls:
        text = call["messages"][-1]["content"]
        if call["stage"] == "cot" or "Hidden" not in seen.plain(text):
            continue
        assert ("Hidden" in text) == scenario.exposes(Phase(call["phase"])), call["stage"]
    phases = {call["stage"]: call["phase"] for call in seen.calls}
    assert phases == {"rel_prune": "retrieval", "ent_score": "retrieval", "evaluate": "generation", "cot": "generation"}


def test_without_mediators_the_walk_is_the_same_in_all_scenarios_given_the_same_replies() -> None:
    walks = {}
    for scenario in Scenario:
        seen = ask(FACTS, SCRIPT, depth=2, scenario=scenario)
        walks[scenario] = (seen.stages, seen.offered(), seen.scored(), seen.triples())
    assert all(walk == walks[Scenario.PRIVATE] for walk in walks.values())


def test_with_mediators_private_and_p_g_retrieve_alike() -> None:
    world = canary_world()
    walks = []
    for scenario in (Scenario.PRIVATE, Scenario.P_G):
        run = run_once(
            Tog, graph=world.graph, records=world.records, model=Parrot(declines_ties=True), scenario=scenario
        )
        walks.append([(c["stage"], c["messages"][-1]["content"]) for c in run.calls if c["phase"] == Phase.RETRIEVAL])
    assert walks[0] == walks[1]
    assert walks[0]


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_canaries_stand_only_where_the_scenario_shows_names(parameters: dict[str, object]) -> None:
    world = canary_world()
    for scenario in (Scenario.PRIVATE, Scenario.P_R, Scenario.P_G):
        run = run_once(
            Tog, graph=world.graph, records=world.records, model=Parrot(), parameters=parameters, scenario=scenario
        )
        assert not list(disclosures(world, run))
        assert run.summary.leaks == 0
        for phase in (Phase.RETRIEVAL, Phase.GENERATION):
            shown = names_shown(world, run, phase)
            # A local pruner sends no retrieval prompt at all.
            may_show = scenario.exposes(phase) and (phase is Phase.GENERATION or "pruner" not in parameters)
            assert bool(shown) == may_show, (scenario, phase)


def test_a_prompt_of_private_shows_no_id_and_no_name() -> None:
    seen = ask(FACTS, SCRIPT, depth=2)
    sent = "\n".join(call["messages"][-1]["content"] for call in seen.calls)
    assert "Hidden" not in sent
    assert len(set(HANDLE.findall(sent))) == 3
    assert re.search(r"Entity: start\n", sent), "the topic is shown by the words of the question"


REPEATABLE = [name for name in check_names() if not name.startswith(("malformed", "the hash seed", "jobs"))]


@pytest.mark.parametrize("parameters", [{}, {"profile": "official"}], ids=["clean", "official"])
def test_it_meets_what_every_method_must(parameters: dict[str, object]) -> None:
    results = check_method(Tog, parameters, only=REPEATABLE)
    assert not [f"{result.name}: {result.detail}" for result in results if not result.passed]
    assert len(results) == len(REPEATABLE) + 1
