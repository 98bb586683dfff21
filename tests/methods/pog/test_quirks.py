"""Each quirk of the published code, on and off."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from pog_script import (
    QUESTION,
    Script,
    correction,
    everything,
    first_object,
    play,
    prompts,
    readable,
    record,
    stages,
    verdict,
    world,
)

from kgbench.errors import UsageError
from kgbench.types import Phase, Scenario
from kgbench_methods.pog.parameters import QUIRKS, PogParameters

if TYPE_CHECKING:
    from kgbench.contracts import TaskView
    from kgbench.testing.graphs import MemoryGraph
    from kgbench.testing.harness import RunArtifacts

ONE_HOP = "t  has.part  a"
CHAIN = "\n".join(f"{a}  has.part  {b}" for a, b in zip("tabcdefg", "abcdefgh", strict=True))


def both(graph: MemoryGraph, script: dict[str, object], quirk: str, **settings: object) -> tuple[RunArtifacts, ...]:
    """Two runs, with the quirk and without it."""
    parameters = dict(settings.pop("parameters", {}))  # type: ignore[call-overload]
    others = tuple(parameters.pop("quirks", ()))
    return tuple(
        play(graph, Script(**script), parameters={**parameters, "quirks": (*others, sign + quirk)}, **settings)  # type: ignore[arg-type]
        for sign in ("", "-")
    )


@pytest.mark.parametrize(
    ("stage", "reply"),
    [
        ("rel_select", "I would take has.part"),
        ("answer_depth", "I cannot say"),
        ("answer_depth", '{"A": {"Sufficient": "No", "Answer": null}, "R": "none"}'),
        ("answer_depth", '{"A": {"Sufficient": "No", "Answer": "null"}}'),
        ("judge", '{"Add": "No"}'),
    ],
)
def test_b1_a_malformed_reply_loses_the_question(stage: str, reply: str) -> None:
    on, off = both(world(ONE_HOP), {stage: reply}, "B1", parameters={"quirks": ("B2",)})
    assert on.record(QUESTION)["status"] == "parse_error"
    assert "B1" in on.record(QUESTION)["error"]
    assert stages(on)[-1] == stage
    assert off.record(QUESTION)["status"] == "no_answer"
    assert off.record(QUESTION)["error"] is None


@pytest.mark.parametrize("stage", ["decompose", "ent_prune", "update_memory", "add_entities", "answer", "cot_json"])
def test_b1_other_replies_lose_nothing(stage: str) -> None:
    graph = world("t  r.one  a\nt  r.one  b")
    script = {"judge": correction(add=True), stage: "what?"}
    on, _ = both(graph, script, "B1", parameters={"depth": 1})
    assert on.record(QUESTION)["error"] is None


def test_b2_lists_are_exact_literals() -> None:
    on, off = both(world(ONE_HOP), {"rel_select": "1. has.part"}, "B2")
    assert "answer_depth" not in stages(on)
    assert "answer_depth" in stages(off)


def test_b2_evaluates_nothing() -> None:
    code = "[__import__('os').environ.setdefault('POG_WAS_HERE', 'yes')]"
    for quirk in ("B2", "-B2"):
        for stage in ("rel_select", "ent_prune"):
            script = Script(**{stage: code})
            play(
                world("t  r.one  a\nt  r.one  b"), script, parameters={"profile": "official", "quirks": (quirk, "-B1")}
            )
    assert "POG_WAS_HERE" not in os.environ


@pytest.mark.parametrize(
    ("quirk", "reason"), [("B3", "resumes by question id"), ("B10", "share a memory"), ("B12", "sorts every list")]
)
def test_quirks_of_files_and_of_unrepeatable_order_are_refused(quirk: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        PogParameters(quirks=(quirk,))
    assert quirk not in PogParameters(profile="official").active


def test_b4_offers_what_was_explored_only() -> None:
    graph = world("t  r.one  a\nt  r.one  b\nt  r.one  c")
    script = {"ent_prune": "[1]", "judge": correction(add=True), "add_entities": "[]"}
    on, off = both(graph, script, "B4", parameters={"depth": 1})
    assert prompts(on, "add_entities")[0].endswith("Candidates:\n1. Topic")
    assert prompts(off, "add_entities")[0].count("\n3. ") == 1


def test_b4_offers_members_of_clusters_that_no_prompt_can_list() -> None:
    graph = world("\n".join(f"t  r.one  n{number}" for number in range(6)))
    script = {"ent_prune": "[1]", "judge": correction(add=True), "add_entities": "[]"}
    on, _ = both(graph, script, "B4", parameters={"depth": 1, "dense_top": 5})
    assert "\n4. " in prompts(on, "add_entities")[0]


def test_b5_stops_beyond_depth_5() -> None:
    on, off = both(world(CHAIN), {}, "B5", parameters={"depth": 7})
    assert stages(on).count("answer_depth") == 6
    assert stages(on)[-1] == "answer"
    assert stages(off).count("answer_depth") == 7
    assert stages(off)[-1] == "cot_json"


def test_b5_is_never_reached_at_the_published_depth() -> None:
    on, off = both(world(CHAIN), {}, "B5")
    assert stages(on) == stages(off)


def test_b6_takes_the_way_back_of_another_tail() -> None:
    # The literal comes first among the tails, so the entity gets the literal's edge and its own way back stays open.
    graph = world('t  a.year  "1911-05-04"^^date\nt  b.owner  a\na  c.town  d')
    on, off = both(graph, {}, "B6", parameters={"depth": 2})
    assert prompts(on, "rel_select")[1].endswith("Relations: b.owner; c.town")
    assert prompts(off, "rel_select")[1].endswith("Relations: c.town")


def test_b7_loses_kept_triples_of_an_unrelated_entity() -> None:
    script = {
        "judge": [correction(add=True), correction(add=False)],
        "add_entities": lambda task: f"[{task.slots['items'].index('Topic') + 1}]",
        "answer": first_object,
    }
    on, off = both(world("t  r.one  a"), script, "B7", parameters={"depth": 1})
    assert on.record(QUESTION)["prediction"]["entity_names"] == []
    assert off.record(QUESTION)["prediction"]["entity_names"] == ["Node A", "Topic"]


def test_b8_mixes_labels_and_layouts() -> None:
    graph = world("t  r.one  a\nt  r.one  b")
    on, off = both(graph, {}, "B8", parameters={"depth": 1})
    wire = ["\n".join(m["content"] for m in run.calls_of(QUESTION)[2]["messages"]) for run in (on, off)]
    assert "Triplets: " in wire[0]
    assert "\nTriples: " in wire[0]
    assert "Triplets" not in wire[1]
    shown = [prompts(run, "answer_depth")[0].split("Triples:")[1] for run in (on, off)]
    assert [text.strip().count("\n") for text in shown] == [0, 1]
    assert "; " in prompts(on, "judge")[0].split("Triples:")[1]


def test_b9_turns_incoming_triples_round() -> None:
    graph = world("a  r.one  t\nb  r.one  t")
    on, off = both(graph, {}, "B9", parameters={"depth": 1})
    assert "Topic, r.one, a" in readable(on, prompts(on, "answer_depth")[0])
    assert "a, r.one, Topic" in readable(off, prompts(off, "answer_depth")[0])
    assert "Pattern: entity, relation, candidate" in prompts(on, "ent_prune")[0]
    assert "Pattern: candidate, relation, entity" in prompts(off, "ent_prune")[0]


def test_b11_follows_a_label_outwards_only() -> None:
    on, off = both(world("t  is.friend  a\nb  is.friend  t"), {}, "B11", parameters={"depth": 1})
    assert [len(run.calls_of(QUESTION)[3]["messages"][-1]["content"].split("is.friend")) for run in (on, off)] == [2, 3]


def test_b13_leaves_the_question_without_a_label() -> None:
    on, off = both(world(ONE_HOP), {}, "B13", record=record(text="What is it?"))
    assert prompts(on, "cot_json") == ["\nWhat is it?"]
    assert prompts(off, "cot_json") == ["Question: What is it?"]


def test_b14_shows_the_triples_of_one_depth() -> None:
    on, off = both(world(CHAIN), {}, "B14", parameters={"depth": 2})
    assert ["Topic" in prompts(run, "answer_depth")[1].split("Triples:")[1] for run in (on, off)] == [False, True]
    assert stages(play(world(CHAIN), Script(), parameters={"depth": 2})) == stages(on)


def test_b15_knows_the_first_way_back_only() -> None:
    graph = world("t  a.one  a\nt  b.two  a")
    on, off = both(graph, {}, "B15", parameters={"depth": 2})
    assert prompts(on, "rel_select")[1].endswith("Relations: b.two")
    assert stages(off).count("rel_select") == 1


def test_b16_takes_a_list_for_one_text() -> None:
    def objects(task: TaskView) -> str:
        return verdict(*(triple.object.text for triple in task.triples))

    graph = world("t  r.one  a\nt  r.one  b")
    on, off = both(graph, {"answer_depth": objects}, "B16", scenario=Scenario.P_RAG)
    items = [[item["text"] for item in run.record(QUESTION)["prediction"]["items"]] for run in (on, off)]
    assert items[0] in (["['Node A', 'Node B']"], ["['Node B', 'Node A']"])
    assert sorted(items[1]) == ["Node A", "Node B"]


def test_b16_looks_at_the_beginning_of_a_list_only() -> None:
    def mixed(task: TaskView) -> str:
        return verdict("Lutetia", task.triples[0].object.text)

    def mixed_the_other_way(task: TaskView) -> str:
        return verdict(task.triples[0].object.text, "Lutetia")

    naive = {"mid_rules": "naive", "depth": 1}
    for said, ends in ((mixed, [True, True]), (mixed_the_other_way, [False, True])):
        runs = both(world(ONE_HOP), {"answer_depth": said}, "B16", parameters=naive)
        assert ["judge" not in stages(run) for run in runs] == ends


# --- rules that take a handle for a missing name ----------------------------------------------------------------------


def test_p1_refuses_right_answers_where_names_are_hidden() -> None:
    on, off = both(world(CHAIN), {"answer_depth": first_object}, "P1", record=record("t", gold=["a"]))
    assert stages(on).count("answer_depth") == 4
    assert stages(on)[-1] == "cot_json"
    assert on.record(QUESTION)["notes"]["answer_refused"] == 4
    assert stages(off) == ["decompose", "rel_select", "update_memory", "answer_depth"]
    assert off.summary.hits1 == 1.0


@pytest.mark.parametrize("scenario", [Scenario.P_G, Scenario.P_RAG])
def test_p1_does_no_harm_where_names_are_shown(scenario: Scenario) -> None:
    on, off = both(world(CHAIN), {"answer_depth": first_object}, "P1", scenario=scenario)
    assert stages(on) == stages(off)


@pytest.mark.parametrize(("scenario", "shown"), [(Scenario.PRIVATE, [10, 11]), (Scenario.P_R, [11, 11])])
def test_p2_cuts_eleven_handles_to_ten(scenario: Scenario, shown: list[int]) -> None:
    graph = world("\n".join(f"t  r.one  n{number}" for number in range(11)))
    runs = both(graph, {}, "P2", scenario=scenario, parameters={"depth": 1})
    listed = [prompts(run, "ent_prune")[0].split("Candidates:\n")[1].splitlines() for run in runs]
    assert [len(lines) for lines in listed] == shown


def test_mediators_are_sampled_where_names_are_shown() -> None:
    nodes = [f"m{number}" for number in range(11)]
    graph = world("\n".join(f"t  r.one  {node}" for node in nodes), mediators=nodes)
    lines = {
        scenario: len(
            prompts(play(graph, Script(), scenario=scenario, parameters={"depth": 1}), "ent_prune")[0].splitlines()
        )
        for scenario in (Scenario.PRIVATE, Scenario.P_R)
    }
    assert lines[Scenario.PRIVATE] - lines[Scenario.P_R] == 1


def test_p3_compares_what_is_shown() -> None:
    # "Other" is a topic too, so its mention has words; among nodes without any it comes first.
    graph = world("\n".join([*(f"t  r.one  n{number}" for number in range(30)), "t  r.one  u"]))
    asked = record("t", "u", text="What is Topic, and is it of Other?")
    on, off = both(graph, {}, "P3", record=asked, parameters={"depth": 1, "dense_top": 2})
    listed = [prompts(run, "ent_prune")[0].split("Candidates:\n")[1] for run in (on, off)]
    assert ["Other" in text for text in listed] == [True, False]
    assert [text.count("\n") for text in listed] == [1, 1]


def test_large_clusters_are_cut_by_names_only_where_names_are_shown() -> None:
    graph = world("\n".join(f"t  r.one  n{number}" for number in range(5)))
    for scenario in Scenario:
        run = play(graph, Script(), scenario=scenario, parameters={"depth": 1, "dense_top": 2})
        shown = scenario.exposes(Phase.RETRIEVAL)
        assert run.record(QUESTION)["notes"].get("names_in_selection", 0) == shown
        assert run.record(QUESTION)["notes"].get("cut_by_seed", 0) == (not shown)


# --- sets of quirks ---------------------------------------------------------------------------------------------------

REFUSED = {"B3", "B10", "B12"}


def test_the_profiles() -> None:
    assert PogParameters().active == {"B14", "B15"}
    assert PogParameters(profile="official").active == {quirk.id for quirk in QUIRKS} - REFUSED
    assert PogParameters(profile="official", quirks=("-B1", "-P2")).active == (
        {quirk.id for quirk in QUIRKS} - REFUSED - {"B1", "P2"}
    )


def test_the_rules_for_handles() -> None:
    assert PogParameters(mid_rules="naive").active == {"B14", "B15", "P1", "P2", "P3"}
    assert not PogParameters(profile="official", mid_rules="aware").active & {"P1", "P2", "P3"}
    assert PogParameters(mid_rules="naive", quirks=("-P2",)).active == {"B14", "B15", "P1", "P3"}
    assert PogParameters(mid_rules="aware", quirks=("P2",)).active == {"B14", "B15", "P2"}


def test_unknown_and_contradicting_quirks_are_refused() -> None:
    with pytest.raises(UsageError, match="B99"):
        PogParameters(quirks=("B99",))
    with pytest.raises(UsageError, match="at once"):
        PogParameters(quirks=("B9", "-B9"))


def test_every_numbered_quirk_is_there() -> None:
    assert [quirk.id for quirk in QUIRKS] == [*(f"B{n}" for n in range(1, 17)), "P1", "P2", "P3"]


@pytest.mark.parametrize("quirk", sorted({quirk.id for quirk in QUIRKS} - REFUSED))
def test_every_quirk_can_be_switched_on_alone(quirk: str) -> None:
    graph = world("t  r.one  a\nt  r.one  b\na  s.two  c\nu  s.two  b")
    run = play(graph, Script(judge=correction(add=True), add_entities=everything), parameters={"quirks": (quirk,)})
    assert run.record(QUESTION)["error"] is None
