"""The search: which calls are made in which order, and where it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pog_script import (
    NO,
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

from kgbench.contracts import Profile
from kgbench.errors import PromptTooLong
from kgbench.testing import ScriptedModel
from kgbench.testing.graphs import MemoryGraph
from kgbench.testing.harness import run_once
from kgbench.types import Scenario, Source
from kgbench_methods.pog.method import Pog, expected_calls
from kgbench_methods.pog.parameters import PogParameters

if TYPE_CHECKING:
    from pog_script import Said

    from kgbench.contracts import TaskView

ONE_HOP = "t  has.part  a"
CHAIN = "\n".join(f"{a}  has.part  {b}" for a, b in zip("tabcdefg", "abcdefgh", strict=True))
FLOOR = ["decompose", "rel_select", "update_memory", "answer_depth"]
DEEPER = ["judge", "rel_select", "update_memory", "answer_depth"]


def test_the_shortest_path_takes_four_calls() -> None:
    run = play(world(ONE_HOP), Script(answer_depth=first_object), record=record("t", gold=["a"]))
    assert stages(run) == FLOOR
    assert run.summary.hits1 == 1.0
    prediction = run.record(QUESTION)["prediction"]
    assert prediction["source"] == Source.GRAPH
    assert prediction["items"][0]["in_evidence"]


def test_every_further_depth_costs_a_judgement_and_the_same_again_and_then_the_model_answers_alone() -> None:
    run = play(world(CHAIN), Script(cot_json=verdict("Lutetia", word="Known")))
    assert stages(run) == [*FLOOR, *DEEPER * 3, "judge", "cot_json"]
    prediction = run.record(QUESTION)["prediction"]
    assert prediction["source"] == Source.FALLBACK
    assert [item["text"] for item in prediction["items"]] == ["Lutetia"]
    assert run.record(QUESTION)["notes"]["depth_exhausted"] == 1


@pytest.mark.parametrize("depth", [1, 2, 6])
def test_depth_bounds_the_search(depth: int) -> None:
    run = play(world(CHAIN), Script(), parameters={"depth": depth})
    assert stages(run).count("answer_depth") == depth


def test_a_depth_costs_a_call_for_each_entity_and_each_cluster_of_two_and_more() -> None:
    graph = world(
        "t  r.one  a\nt  r.two  b\nt  r.two  c\na  s.one  d\nb  s.one  e\nb  s.two  f\nb  s.two  g\nc  s.one  h"
    )
    run = play(graph, Script(), parameters={"depth": 2})
    first = ["rel_select", "ent_prune", "update_memory", "answer_depth", "judge"]
    second = [*["rel_select"] * 3, "ent_prune", "update_memory", "answer_depth", "judge"]
    assert stages(run) == ["decompose", *first, *second, "cot_json"]


def test_without_a_topic_the_model_is_asked_alone() -> None:
    run = play(world(ONE_HOP), Script(), record=record(text="What is the tallest one?"))
    assert stages(run) == ["decompose", "cot_json"]
    assert run.record(QUESTION)["status"] == "no_topic_entity"


def test_where_nothing_is_retrieved_the_evidence_so_far_answers() -> None:
    run = play(world(ONE_HOP), Script(answer=first_object))
    assert stages(run) == [*FLOOR, "judge", "answer"]
    record_ = run.record(QUESTION)
    assert record_["prediction"]["items"][0]["text"] == "Node A"
    assert record_["notes"]["half_stop"] == 1


def test_where_no_node_is_kept_the_evidence_answers() -> None:
    run = play(world("t  r.one  a\nt  r.one  b"), Script(ent_prune="[]"))
    assert stages(run) == ["decompose", "rel_select", "ent_prune", "answer"]


def test_literals_are_evidence_and_dead_ends() -> None:
    graph = world('t  r.when  "1911-05-04"^^date\nt  r.when  "1912-05-04"^^date')
    run = play(graph, Script(answer=first_object))
    assert stages(run) == ["decompose", "rel_select", "ent_prune", "update_memory", "answer_depth", "judge", "answer"]
    assert run.record(QUESTION)["prediction"]["items"][0]["text"] in {"1911-05-04", "1912-05-04"}


def test_digits_alone_are_kept_without_a_call_and_at_most_as_many_as_a_prompt_lists() -> None:
    graph = world("\n".join(f't  r.code  "{number}"^^integer' for number in range(1000, 1030)))
    for parameters, lines in (({"dense_top": 20}, 20), ({"dense_top": 20, "profile": "official"}, 30)):
        run = play(graph, Script(), parameters=parameters)
        assert "ent_prune" not in stages(run)
        assert prompts(run, "answer_depth")[0].count("Topic, r.code, " if lines == 20 else "r.code") == lines


def test_both_directions_of_a_label_are_followed_and_it_is_offered_once() -> None:
    run = play(world("t  is.friend  a\nb  is.friend  t"), Script())
    assert prompts(run, "rel_select")[0].endswith("Relations: is.friend")
    shown = readable(run, prompts(run, "answer_depth")[0])
    assert "Topic, is.friend, a" in shown
    assert "b, is.friend, Topic" in shown


def test_the_way_back_is_closed_and_the_relation_stays_open() -> None:
    graph = world("film  stars  t\nfilm  stars  other")
    run = play(graph, Script(), parameters={"depth": 2})
    shown = [readable(run, text) for text in prompts(run, "answer_depth")]
    assert "film, stars, Topic" in shown[0]
    assert "film, stars, other" in shown[1]
    assert "Topic" not in shown[1].split("Triples:")[1]


def test_the_memory_is_rewritten_and_passed_on() -> None:
    run = play(world(CHAIN), Script(update_memory=['{"1": "alpha"}', "no object", "still none", '{"1": "gamma"}']))
    assert "Notes: {}" in prompts(run, "update_memory")[0]
    assert all('Notes: {"1": "alpha"}' in text for text in prompts(run, "answer_depth")[:2])
    assert 'Notes: {"1": "gamma"}' in prompts(run, "answer_depth")[2]
    assert 'Notes: {"1": "alpha"}' in prompts(run, "judge")[0]


def test_the_official_profile_loses_notes_that_are_no_object_and_has_no_objectives_without_a_list() -> None:
    script = Script(update_memory=['{"1": "alpha"}', "no object"], decompose="I see.")
    run = play(world(CHAIN), script, parameters={"profile": "official"})
    assert ["alpha" in text for text in prompts(run, "answer_depth")] == [True, False, False, False]
    assert "Objectives: \n" in prompts(run, "rel_select")[0]


def test_the_objectives_are_used_word_for_word() -> None:
    run = play(world(ONE_HOP), Script(decompose='Sure: ["find  the part", "done"] !'))
    assert 'Objectives: ["find  the part", "done"]\n' in prompts(run, "rel_select")[0]
    assert 'Objectives: ["find  the part", "done"]\n' in prompts(run, "update_memory")[0]


def test_without_objectives_the_question_stands_for_them() -> None:
    run = play(world(ONE_HOP), Script(decompose="I see."))
    assert stages(run)[:2] == ["decompose", "decompose_retry"]
    assert "Objectives: What is it of Topic?" in prompts(run, "rel_select")[0]


# --- self-correction --------------------------------------------------------------------------------------------------

BRANCH = "t  r.one  a\nt  r.one  b\na  s.one  c\nb  s.one  d\nc  s.two  e\nd  s.two  f"


def test_entities_left_behind_can_be_added() -> None:
    script = Script(ent_prune="[1]", judge=[correction(add=True), correction(add=False)], add_entities=everything)
    run = play(world(BRANCH), script, parameters={"depth": 2})
    assert stages(run)[5:7] == ["judge", "add_entities"]
    offered = readable(run, prompts(run, "add_entities")[0]).split("Candidates:\n")[1].splitlines()
    assert len(offered) == 2
    assert any(line.endswith("Topic") for line in offered)
    # The kept tail, the node left behind and the topic are explored; the topic leads to where the search has been.
    assert stages(run).count("rel_select") == 4
    assert "Reason: an entity is missing" in prompts(run, "add_entities")[0]


def tree(depth: int) -> MemoryGraph:
    """Two ways on from every node: whatever is kept, something is left behind."""
    nodes, lines = ["t"], []
    for _ in range(depth):
        children = [(node, f"{node}{side}") for node in nodes for side in "lr"]
        lines += [f"{node}  to  {child}" for node, child in children]
        nodes = [child for _, child in children]
    return world("\n".join(lines))


def new_ones() -> Said:
    """Choose a candidate that was never chosen before."""
    chosen: set[str] = set()

    def choose(task: TaskView) -> str:
        items = task.slots["items"]
        fresh = next(item for item in items if item not in chosen)
        chosen.add(fresh)
        return f"[{items.index(fresh) + 1}]"

    return choose


@pytest.mark.parametrize(("most", "corrections"), [(None, 5), (2, 2), (0, 0)])
def test_entities_are_added_a_limited_number_of_times(most: int | None, corrections: int) -> None:
    script = Script(ent_prune="[1]", judge=correction(add=True), add_entities=new_ones())
    parameters = {"depth": 7} if most is None else {"depth": 7, "max_corrections": most}
    run = play(tree(8), script, scenario=Scenario.P_RAG, parameters=parameters)
    assert stages(run).count("answer_depth") == 7
    assert stages(run).count("judge") == stages(run).count("add_entities") == corrections


def test_an_entity_is_added_once() -> None:
    def the_topic(task: TaskView) -> str:
        return f"[{task.slots['items'].index('Topic') + 1}]"

    script = Script(ent_prune="[1]", judge=correction(add=True), add_entities=the_topic)
    run = play(tree(4), script, parameters={"depth": 3})
    explored = [readable(run, text).split("Entity: ")[1].splitlines()[0] for text in prompts(run, "rel_select")]
    assert explored.count("Topic") == 2
    assert stages(run).count("add_entities") == 3


# --- answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", Scenario)
def test_homonyms_stay_two_nodes(scenario: Scenario) -> None:
    graph = world("t  r.one  a\nt  r.one  b\na  s.one  c\nb  s.one  d", same_name=("a", "b"))
    run = play(graph, Script(), scenario=scenario, parameters={"depth": 2})
    assert prompts(run, "ent_prune")[0].count("\n2. ") == 1
    assert stages(run).count("rel_select") == 3


def test_a_list_of_answers_is_a_set() -> None:
    def all_objects(task: TaskView) -> str:
        return verdict(*(triple.object.text for triple in task.triples))

    graph = world("t  r.one  a\nt  r.one  b")
    run = play(graph, Script(answer_depth=all_objects), record=record("t", gold=["a", "b"]))
    assert {item["text"] for item in run.record(QUESTION)["prediction"]["items"]} == {"Node A", "Node B"}
    assert run.summary.f1 == 1.0


@pytest.mark.parametrize("answer", ["null", "None", "", "unknown", "m.0000000"])
def test_yes_without_an_answer_does_not_end_the_search(answer: str) -> None:
    run = play(world(ONE_HOP), Script(answer_depth=verdict(answer)))
    assert "judge" in stages(run)


def test_a_mediator_is_no_answer() -> None:
    graph = world("t  r.one  m\nm  r.two  a", mediators=["m"])
    run = play(graph, Script(answer_depth=first_object), record=record("t", gold=["a"]))
    assert stages(run).count("answer_depth") == 2
    assert run.record(QUESTION)["notes"]["answer_refused"] == 1
    assert run.summary.hits1 == 1.0


def test_a_handle_that_is_no_evidence_is_no_answer() -> None:
    dropped: list[str] = []

    def keep_the_first(task: TaskView) -> str:
        dropped.append(task.slots["items"][1])
        return "[1]"

    script = Script(ent_prune=keep_the_first, answer_depth=lambda task: verdict(dropped[0]))
    run = play(world("t  r.one  a\nt  r.one  b"), script, parameters={"depth": 1})
    assert run.record(QUESTION)["notes"]["answer_refused"] == 1
    assert stages(run)[-1] == "cot_json"


# --- what is explored -------------------------------------------------------------------------------------------------


def test_the_official_way_back_closes_the_relations_of_the_depth_before_in_one_direction() -> None:
    # Reached outwards: "to" is closed inwards, and "of", of the same depth, too. Reached inwards: closed outwards.
    graph = world("t  to  a\nb  of  t\nx  to  a\na  to  c\nx  of  a\nb  of  d\nb  to  e\nf  of  b\nc  to  g")
    run = play(graph, Script(), parameters={"profile": "official", "quirks": ("-B1", "-B6"), "depth": 3})
    asked = {
        readable(run, text).split("Entity: ")[-1].splitlines()[0]: text.split("Relations: ")[-1]
        for text in prompts(run, "rel_select")
    }
    assert asked["Topic"] == "of; to"
    assert asked["a"] == "to"
    assert asked["b"] == "of"
    assert asked["c"] == "to"


@pytest.mark.parametrize(("profile", "offered"), [("clean", "a.kept"), ("official", "a.kept; b.kept")])
def test_each_profile_leaves_out_its_own_bookkeeping(profile: str, offered: str) -> None:
    skip = {"explore": ("b.*", "c.*"), "explore-official": ("c.*",)}
    graph = world("t  a.kept  x\nt  b.kept  y\nt  c.kept  z")
    skipping = MemoryGraph(graph.triples, names=graph.all_names, profile=Profile("memory", skip=skip))
    run = play(skipping, Script(), parameters={"profile": profile})
    assert prompts(run, "rel_select")[0].endswith(f"Relations: {offered}")


@pytest.mark.parametrize(("profile", "count"), [("clean", 200), ("official", 230)])
def test_very_many_relations_are_filtered_before_they_are_listed(profile: str, count: int) -> None:
    graph = world("\n".join(f"t  part.number{number}  a" for number in range(230)))
    run = play(graph, Script(rel_select="[]"), parameters={"profile": profile})
    assert prompts(run, "rel_select")[0].split("Relations: ")[-1].count("; ") == count - 1
    assert run.record(QUESTION)["notes"].get("relations_prefiltered", 0) == (profile == "clean")


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [10, 15, 16, 17])
def test_the_limit_on_calls_ends_with_an_answer_from_the_evidence(limit: int) -> None:
    run = play(world(CHAIN), Script(), parameters={"depth": 7, "max_calls_per_question": limit})
    assert len(stages(run)) <= limit
    assert stages(run)[-1] == "answer"
    assert run.record(QUESTION)["notes"]["call_limit"] == 1
    assert expected_calls(PogParameters(max_calls_per_question=limit))[1] == limit


def test_the_limit_holds_where_every_reply_is_asked_for_twice() -> None:
    model = ScriptedModel(lambda request: "?")
    run = run_once(
        Pog, records=[record("a")], graph=world(CHAIN), model=model, parameters={"max_calls_per_question": 10}
    )
    assert len(run.calls) <= 10
    assert run.record(QUESTION)["status"] in {"ok", "no_answer"}


def test_many_calls_are_noted() -> None:
    lines = [f"t  p  n{number}\nn{number}  q  e{number}" for number in range(60)]
    run = play(world("\n".join(lines)), Script(), parameters={"depth": 2})
    assert len(stages(run)) > 60
    assert run.record(QUESTION)["notes"]["many_calls"] == 1


def test_a_prompt_that_is_too_long_is_sent_with_fewer_triples_and_the_newest_stay() -> None:
    class Narrow(ScriptedModel):
        def complete(self, request):  # type: ignore[no-untyped-def]
            content = request.messages[-1]["content"]
            if "answer" in request.task.template and content.count("has.part") > 1:
                raise PromptTooLong("too long")
            return super().complete(request)

    graph: MemoryGraph = world(CHAIN)
    asked = record("t")
    run = run_once(
        Pog, graph=graph, records=[asked], model=Narrow(Script()), parameters={"depth": 3, "quirks": ("-B14",)}
    )
    assert run.record(QUESTION)["notes"]["prompt_cut"] >= 2
    last = readable(run, [text for text in prompts(run, "answer_depth") if text][-1])
    assert "b, has.part, c" in last
    assert "Topic, has.part" not in last


def test_no_call_sends_other_sampling_than_the_parameters_say() -> None:
    run = play(world(CHAIN), Script(), parameters={"temperature": 0.7, "max_tokens": 99})
    assert {(call["sampling"]["temperature"], call["sampling"]["max_tokens"]) for call in run.calls} == {(0.7, 99)}
    defaults = play(world(CHAIN), Script())
    assert {(call["sampling"]["temperature"], call["sampling"]["max_tokens"]) for call in defaults.calls} == {
        (0.3, 4096)
    }


def test_a_no_with_an_answer_is_a_no() -> None:
    run = play(world(ONE_HOP), Script(answer_depth=[NO.replace('"null"', '"Node A"')]))
    assert stages(run)[4] == "judge"
