"""The incomplete-graph setting: a share of the facts is missing, whichever way one comes to them."""

from __future__ import annotations

from typing import Any

from gog_script import finish, only, play, prompts, relations_of, search, world

FACTS = "\n".join(f"ada  r.knows{n:02}  c{n:02}" for n in range(40))


def listed(**settings: Any) -> set[str]:
    """Relations that are offered for the topic."""
    graph, question = world(FACTS, "Whom does Ada know?", "ada")
    run = play(question, [search("Ada"), finish("x")], graph=graph, relations="[]", **settings)
    only(run)
    return set(relations_of(prompts(run, "relations")[0]))


def test_a_share_of_the_facts_is_missing_and_leaves_no_relation_behind() -> None:
    every, half = listed(), listed(incomplete=0.5)
    assert len(every) == 40
    assert half < every
    assert 8 <= len(half) <= 32


def test_what_is_missing_follows_from_seed_and_fact() -> None:
    assert listed(incomplete=0.5) == listed(incomplete=0.5)
    assert listed(incomplete=0.5) != listed(incomplete=0.5, seed=1)
    assert listed(incomplete=0.8) < listed(incomplete=0.3)


def test_a_missing_fact_is_missing_from_both_ends_and_under_its_inverse() -> None:
    facts = "\n".join(f"ada  r.has  c{n:02}\nc{n:02}  r.had_by  ada" for n in range(20))
    graph, question = world(facts, "What has Ada?", "ada", inverses={"r.has": "r.had_by", "r.had_by": "r.has"})
    agent = [search("Ada"), lambda task: search(*task.slots["query_entity"]), finish("x")]
    run = play(question, agent, graph=graph, relations='["r.has", "r.had_by"]', incomplete=0.5, triples_per_relation=50)
    step = prompts(run, "agent")[1].splitlines()
    outward = {line.split(", ")[2] for line in step if ", r.has, " in line}
    inward = {line.split(", ")[0] for line in step if ", r.had_by, " in line}
    assert outward == inward
    assert 0 < len(outward) < 20


def test_values_are_never_missing() -> None:
    facts = "\n".join(f'ada  r.value{n:02}  "{n + 1000}"' for n in range(20))
    graph, question = world(facts, "How much has Ada?", "ada")
    run = play(question, [search("Ada"), finish("x")], graph=graph, relations="[]", incomplete=0.9)
    assert prompts(run, "relations")[0].count("r.value") == 20
