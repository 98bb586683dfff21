"""ToG step by step: which calls it makes, in which order, and where it goes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from odd_replies import ODD_REPLIES
from tog_worlds import NO, NOTHING, ask, by_stage, chosen, equal_scores

from kgbench.contracts import Completion
from kgbench.errors import PromptTooLong
from kgbench.testing import ScriptedModel
from kgbench.testing.graphs import MemoryGraph, parse_triples
from kgbench.testing.harness import run_once
from kgbench.testing.malformed import MALFORMED_REPLIES
from kgbench.types import Entity, Gold, Question, QuestionRecord
from kgbench_methods.tog.method import Tog, expected_calls
from kgbench_methods.tog.parameters import TogParameters

if TYPE_CHECKING:
    from kgbench.contracts import ModelRequest

CHAIN = """
start  r.one    b
b      r.two    c
c      r.three  d
"""
FALLBACK = {"cot": "I know it. The answer is {Memory}."}


def tree(width: int, depth: int, *, inward: bool = False) -> str:
    """Facts in which every node has ``width`` relations, each to two nodes of its own, and the same inwards."""
    lines = []
    frontier = ["start"]
    for level in range(depth):
        reached = []
        for node in frontier:
            for number in range(width):
                label = f"r.l{level}n{number}"
                for place in range(2):
                    lines.append(f"{node}  {label}  {node}o{number}{place}")
                    if inward:
                        lines.append(f"{node}i{number}{place}  {label}  {node}")
                reached += [f"{node}o{number}0", f"{node}o{number}1"]
                reached += [f"{node}i{number}0", f"{node}i{number}1"] if inward else []
        frontier = reached
    return "\n".join(lines)


def choose_all(request: object) -> str:
    task = request.task  # type: ignore[attr-defined]
    return chosen(*task.slots["items"][: task.limit], score=0.5)


EVERYTHING = {"rel_prune": choose_all, "ent_score": equal_scores, "evaluate": NO, **FALLBACK}


# --- calls -------------------------------------------------------------------------------------------------------------


def test_one_step_that_suffices_takes_a_choice_and_a_verdict() -> None:
    seen = ask(CHAIN, {"rel_prune": chosen("r.one"), "evaluate": "{Yes} It is {b}."}, scenario="p-rag")
    assert seen.stages == ("rel_prune", "evaluate")
    assert seen.answers == ["b"]
    prediction = seen.record["prediction"]
    assert (prediction["source"], prediction["raw"]) == ("graph", "{Yes} It is {b}.")
    assert seen.notes == {"stopped_at_depth_1": 1}


@pytest.mark.parametrize(("width", "depth"), [(1, 1), (2, 2), (3, 2), (2, 3), (3, 3)])
def test_calls_of_a_full_tree_equal_the_formula(width: int, depth: int) -> None:
    largest = expected_calls(TogParameters(profile="official", quirks=("-Q2",), width=width, depth=depth))[1]
    seen = ask(tree(width, depth), EVERYTHING, width=width, depth=depth)
    one_level = ["rel_prune"] + ["ent_score"] * width + ["evaluate"]
    later_level = ["rel_prune"] * width + ["ent_score"] * width**2 + ["evaluate"]
    assert list(seen.stages) == one_level + later_level * (depth - 1) + ["cot"]
    assert len(seen.stages) == largest


@pytest.mark.parametrize(("width", "depth"), [(1, 1), (2, 2), (3, 1)])
def test_labels_that_lead_both_ways_cost_two_scorings_each(width: int, depth: int) -> None:
    seen = ask(tree(width, depth, inward=True), EVERYTHING, width=width, depth=depth)
    assert len(seen.stages) == expected_calls(TogParameters(width=width, depth=depth))[1]


def test_one_candidate_is_not_scored() -> None:
    seen = ask(CHAIN, {"rel_prune": chosen("r.one"), "evaluate": NO, **FALLBACK}, depth=1)
    assert seen.stages == ("rel_prune", "evaluate", "cot")


def test_an_entity_without_relations_is_not_asked_about() -> None:
    seen = ask("start  r.one  b", {"rel_prune": chosen("r.one"), "evaluate": NO, "answer": "{b}"})
    assert seen.stages == ("rel_prune", "evaluate", "answer")
    assert seen.notes["entity_without_relations"] == 1


def test_every_topic_is_explored_at_depth_one() -> None:
    facts = "one  r.a  x\ntwo  r.b  y"
    script = {"rel_prune": [chosen("r.a"), chosen("r.b")], "evaluate": NO, **FALLBACK}
    seen = ask(facts, script, topics=("one", "two"), text="Are one and two alike?", depth=1)
    assert seen.offered() == [["r.a"], ["r.b"]]
    assert seen.triples() == [{"one, r.a, x", "two, r.b, y"}]


# --- ends --------------------------------------------------------------------------------------------------------------


def test_without_a_topic_the_chain_of_thought_answers() -> None:
    seen = ask(CHAIN, FALLBACK, topics=())
    assert seen.stages == ("cot",)
    assert (seen.answers, seen.record["prediction"]["source"]) == (["Memory"], "fallback")


def test_a_topic_without_relations_is_answered_over_no_triples() -> None:
    seen = ask(CHAIN, {"answer": "{My guess}"}, topics=("nobody",), text="What of nobody?")
    assert seen.stages == ("answer",)
    assert seen.triples("answer") == [{"none"}]
    assert (seen.answers, seen.record["prediction"]["source"]) == (["My guess"], "model")
    assert seen.notes["nothing_retrieved"] == 1


def test_a_used_up_depth_is_answered_from_memory_with_the_evidence_kept() -> None:
    script = {"rel_prune": [chosen("r.one"), chosen("r.two")], "evaluate": NO, **FALLBACK}
    seen = ask(CHAIN, script, depth=2)
    assert seen.stages == ("rel_prune", "evaluate", "rel_prune", "evaluate", "cot")
    prediction = seen.record["prediction"]
    assert (seen.answers, prediction["source"]) == (["Memory"], "fallback")
    assert prediction["entity_names"] == ["b", "c", "start"]


def test_zero_scores_end_in_a_half_stop() -> None:
    facts = "start  r.one  b\nstart  r.one  c"
    seen = ask(facts, {"rel_prune": chosen("r.one"), "ent_score": "0, 0", "answer": "{c}"}, scenario="p-rag")
    assert seen.stages == ("rel_prune", "ent_score", "answer")
    assert seen.answers == ["c"]
    assert seen.notes["half_stop"] == 1


def test_a_verdict_without_an_answer_is_no_answer_and_ends_the_question() -> None:
    seen = ask(CHAIN, {"rel_prune": chosen("r.one"), "evaluate": "{Yes} That is enough."})
    assert seen.stages == ("rel_prune", "evaluate")
    assert seen.answers == []
    assert "no_parse" in seen.record["prediction"]["flags"]


def test_a_verdict_outside_braces_is_read_and_counted() -> None:
    seen = ask(CHAIN, {"rel_prune": chosen("r.one"), "evaluate": "Yes. It is b."}, scenario="p-rag")
    assert seen.notes["parse_repaired:evaluate"] == 1
    seen = ask(CHAIN, {"rel_prune": chosen("r.one"), "evaluate": "Who knows?", **FALLBACK}, depth=1)
    assert seen.notes["parse_failure:evaluate"] == 1


# --- choice of relations -----------------------------------------------------------------------------------------------


def test_a_reply_that_names_no_relation_is_asked_for_once_more_with_the_reminder() -> None:
    seen = ask(CHAIN, {"rel_prune": [NOTHING, chosen("r.one")], "evaluate": "{Yes} {b}"}, scenario="p-rag")
    assert seen.stages == ("rel_prune", "rel_prune", "evaluate")
    first, second = seen.turns("rel_prune")
    assert second == first + "\nReply with one line for each relation: {label (Score: x)}: reason."
    assert (seen.notes["parse_failure:rel_prune"], seen.notes["retried:rel_prune"]) == (1, 1)


def test_a_branch_without_a_choice_is_dropped_after_the_second_try() -> None:
    seen = ask(CHAIN, {"rel_prune": NOTHING, "answer": "{unknown}"})
    assert seen.stages == ("rel_prune", "rel_prune", "answer")
    assert seen.record["status"] == "no_answer"


def test_official_does_not_ask_again() -> None:
    seen = ask(CHAIN, {"rel_prune": NOTHING, "answer": "{unknown}"}, profile="official")
    assert seen.stages == ("rel_prune", "answer")


def test_no_more_than_w_labels_are_followed_and_one_followed_both_ways_counts_once() -> None:
    facts = "start  r.a  b\nc  r.a  start\nstart  r.b  d\nstart  r.c  e\nstart  r.d  f"
    script = {"rel_prune": chosen("r.a", "r.b", "r.c", "r.d"), "evaluate": NO, **FALLBACK}
    seen = ask(facts, script, depth=1, width=4, max_rel=2)
    assert seen.triples() == [{"start, r.a, b", "c, r.a, start", "start, r.b, d"}]
    seen = ask(facts, script, depth=1, width=4)
    assert len(seen.triples()[0]) == 4


def test_lines_that_repeat_the_exemplar_are_dropped() -> None:
    facts = "start  r.one  b\nstart  r.two  c"
    reply = "1. {r.one (Score: 0.9)}: it leads to Yaldrune.\n2. {r.two (Score: 0.1)}: it fits."
    seen = ask(facts, {"rel_prune": reply, "evaluate": NO, **FALLBACK}, depth=1)
    assert seen.triples() == [{"start, r.two, c"}]


def test_a_long_list_is_cut_where_it_is_asked_for_and_only_noted_otherwise() -> None:
    facts = "\n".join(f"start  r.number{number}  b{number}" for number in range(201)) + "\nstart  person.birth_place  z"
    script = {"rel_prune": chosen("person.birth_place"), "evaluate": NO, **FALLBACK}
    text = "What is the birth place of start?"
    seen = ask(facts, script, depth=1, text=text)
    assert (len(seen.offered()[0]), seen.notes["long_relation_list"]) == (202, 1)
    seen = ask(facts, script, depth=1, text=text, max_relations_in_prompt=5)
    assert (len(seen.offered()[0]), seen.notes["relations_prefiltered"]) == (5, 1)
    assert "person.birth_place" in seen.offered()[0]


def test_a_list_that_does_not_fit_the_model_is_halved() -> None:
    facts = "\n".join(f"start  r.number{number}  b{number}" for number in range(8))

    def reply(request: object) -> str:
        if len(request.task.slots["items"]) > 3:  # type: ignore[attr-defined]
            raise PromptTooLong("too long")
        return choose_all(request)

    model = by_stage({"rel_prune": reply, "evaluate": NO, **FALLBACK})
    seen = ask(facts, model=model, depth=1)
    assert [len(offered) for offered in seen.offered() if offered != [""]][-1] == 2
    assert seen.notes["prompt_cut"] == 2


# --- candidates --------------------------------------------------------------------------------------------------------

HUB = "\n".join(f"start  r.one  n{number:02d}" for number in range(25))


def test_a_large_cluster_is_sampled_by_the_seed() -> None:
    script = {"rel_prune": chosen("r.one"), "ent_score": equal_scores, "evaluate": NO, **FALLBACK}
    one, again, other = (ask(HUB, script, depth=1, seed=seed) for seed in (0, 0, 1))
    assert [len(names) for names in one.scored()] == [5]
    assert one.notes["sampled"] == 1
    assert one.scored() == again.scored() != other.scored()


def test_nineteen_are_all_scored() -> None:
    facts = "\n".join(HUB.splitlines()[:19])
    script = {"rel_prune": chosen("r.one"), "ent_score": equal_scores, "evaluate": NO, **FALLBACK}
    seen = ask(facts, script, depth=1)
    assert [len(names) for names in seen.scored()] == [19]
    assert "sampled" not in seen.notes


def test_scores_of_relation_and_entity_are_multiplied() -> None:
    facts = "start  r.a  a1\nstart  r.a  a2\nstart  r.b  b1\nstart  r.b  b2"
    script = {
        "rel_prune": "{r.a (Score: 0.1)}\n{r.b (Score: 0.9)}",
        "ent_score": ["0.9, 0.1", "0.5, 0.5"],
        "evaluate": NO,
        **FALLBACK,
    }
    seen = ask(facts, script, depth=1, width=2)
    assert seen.triples() == [{"start, r.b, b1", "start, r.b, b2"}], "0.45 twice beats 0.09"


def test_a_score_belongs_to_the_candidate_at_its_place_in_the_prompt() -> None:
    facts = "\n".join(f"start  r.one  n{number}" for number in range(6))

    def all_for_n3(request: ModelRequest) -> str:
        assert request.task is not None
        return ", ".join("1.0" if item == "n3" else "0.0" for item in request.task.slots["items"])

    script = {"rel_prune": chosen("r.one"), "ent_score": all_for_n3, "evaluate": NO, **FALLBACK}
    for seed in range(3):
        assert ask(facts, script, depth=1, seed=seed, scenario="p-rag").triples() == [{"start, r.one, n3"}]


def test_equal_scores_of_two_starts_go_outwards_first() -> None:
    facts = "x  r.a  one\ntwo  r.a  y"
    script = {"rel_prune": chosen("r.a", score=0.5), "evaluate": NO, **FALLBACK}
    for topics in (("one", "two"), ("two", "one")):
        seen = ask(facts, script, depth=1, width=1, topics=topics, text="Are one and two alike?")
        assert seen.triples() == [{"two, r.a, y"}]


def test_equal_scores_go_by_label_then_outwards_first() -> None:
    facts = "start  r.b  b\nstart  r.a  a\nc  r.a  start"
    reply = chosen("r.b", "r.a", score=0.5)
    seen = ask(facts, {"rel_prune": reply, "evaluate": NO, **FALLBACK}, depth=1, width=1, max_rel=2)
    assert seen.triples() == [{"start, r.a, a"}]
    seen = ask(facts, {"rel_prune": reply, "evaluate": NO, **FALLBACK}, depth=1, width=2)
    assert seen.triples() == [{"start, r.a, a", "c, r.a, start"}]


def test_a_count_of_scores_that_does_not_fit_shares_equally() -> None:
    facts = "start  r.one  b\nstart  r.one  c"
    seen = ask(facts, {"rel_prune": chosen("r.one"), "ent_score": "0.9", "evaluate": NO, **FALLBACK}, depth=1)
    assert seen.triples() == [{"start, r.one, b", "start, r.one, c"}]
    assert seen.notes["parse_failure:ent_score"] == 1


def test_literals_are_dropped_unless_they_are_asked_for() -> None:
    facts = 'start  r.year  "1911"^^gYear\nstart  r.year  b\nb  r.two  c'
    script = {"rel_prune": [chosen("r.year"), chosen("r.two")], "ent_score": equal_scores, "evaluate": NO, **FALLBACK}
    seen = ask(facts, script, depth=1)
    assert seen.triples() == [{"start, r.year, b"}]
    seen = ask(facts, script, depth=2, tog_literals=True)
    assert seen.triples()[0] == {"start, r.year, b", "start, r.year, 1911"}
    assert seen.stages.count("rel_prune") == 2, "a literal is no place to go on from"


def test_where_only_literals_are_reached_the_question_is_answered() -> None:
    script = {"rel_prune": chosen("r.year"), "evaluate": NO, "answer": "{1911}"}
    seen = ask('start  r.year  "1911"^^gYear', script, tog_literals=True, scenario="p-rag")
    assert seen.stages == ("rel_prune", "evaluate", "answer")
    assert [item["kind"] for item in seen.record["prediction"]["items"]] == ["literal"]


def test_values_at_the_last_depth_end_like_any_used_up_depth() -> None:
    script = {"rel_prune": chosen("r.year"), "evaluate": NO, **FALLBACK}
    seen = ask('start  r.year  "1911"^^gYear', script, tog_literals=True, depth=1)
    assert seen.stages == ("rel_prune", "evaluate", "cot")


def test_each_task_has_its_temperature_and_all_replies_one_length() -> None:
    facts = "start  r.one  b\nstart  r.one  c"
    script = {"rel_prune": chosen("r.one"), "ent_score": equal_scores, "evaluate": NO, "answer": "{b}", **FALLBACK}
    settings = {"explore_temperature": 0.7, "reason_temperature": 0.2, "max_tokens": 99}
    calls = (*ask(facts, script, depth=1, **settings).calls, *ask(facts, script, depth=2, **settings).calls)
    sampling = {call["stage"]: (call["sampling"]["temperature"], call["sampling"]["max_tokens"]) for call in calls}
    assert sampling == {
        "rel_prune": (0.7, 99),
        "ent_score": (0.7, 99),
        "evaluate": (0.2, 99),
        "answer": (0.2, 99),
        "cot": (0.2, 99),
    }


# --- the way back ------------------------------------------------------------------------------------------------------

ACTORS = """
start  stars_in  film
other  stars_in  film
third  stars_in  film
"""
BACK = {"rel_prune": chosen("stars_in"), "ent_score": equal_scores, "evaluate": NO, **FALLBACK}


def test_a_walk_may_go_back_along_the_relation_to_other_nodes() -> None:
    seen = ask(ACTORS, BACK, depth=2)
    assert seen.scored() == [{"other", "third"}]
    assert seen.triples()[1] == {"start, stars_in, film", "other, stars_in, film", "third, stars_in, film"}


def test_a_label_that_leads_only_back_is_not_offered() -> None:
    seen = ask(
        "start  r.one  b\nb  r.two  c",
        {"rel_prune": [chosen("r.one"), chosen("r.two")], "evaluate": NO, **FALLBACK},
        depth=2,
    )
    assert seen.offered() == [["r.one"], ["r.two"]]


def test_a_declared_inverse_is_the_same_triple() -> None:
    facts = "start  has_child  b\nb  has_parent  start\nb  r.two  c"
    script = {"rel_prune": [chosen("has_child"), chosen("r.two")], "evaluate": NO, **FALLBACK}
    assert ask(facts, script, depth=2).offered()[1] == ["has_parent", "r.two"]
    seen = ask(facts, script, depth=2, inverses={"has_child": "has_parent", "has_parent": "has_child"})
    assert seen.offered() == [["has_child", "has_parent"], ["r.two"]]


# --- local pruners -----------------------------------------------------------------------------------------------------

PLACES = """
start  person.birth_place   velm
start  person.profession    baker
start  person.shoe_size     forty
"""


@pytest.mark.parametrize("pruner", ["bm25", "embedding"])
def test_local_pruners_ask_no_model_to_choose(pruner: str) -> None:
    seen = ask(
        PLACES,
        {"evaluate": "{Yes} {velm}"},
        pruner=pruner,
        width=1,
        text="What is the birth place of start?",
        scenario="p-rag",
    )
    assert seen.stages == ("evaluate",)
    assert seen.triples() == [{"start, person.birth_place, velm"}]


@pytest.mark.parametrize("pruner", ["bm25", "embedding"])
def test_local_pruners_keep_w_entities_in_seeded_order_without_looking_at_names(pruner: str) -> None:
    script = {"evaluate": NO, **FALLBACK}
    one, other = (ask(HUB, script, pruner=pruner, depth=1, seed=seed) for seed in (0, 1))
    assert len(one.triples()[0]) == 3
    assert one.triples() != other.triples()
    assert "names_in_selection" not in one.notes


def test_names_are_compared_only_where_that_is_asked_for_and_the_record_says_so() -> None:
    names = {"n07": "birth place", "start": "start"}
    script = {"evaluate": NO, **FALLBACK}
    text = "What is the birth place of start?"
    seen = ask(HUB, script, pruner="embedding", depth=1, width=1, rank_names=True, names=names, text=text)
    assert seen.triples() == [{"start, r.one, n07"}]
    assert seen.notes["names_in_selection"] == 1


# --- whatever a model says ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["clean", "official"])
def test_odd_replies_end_in_a_status(profile: str) -> None:
    replies = (*ODD_REPLIES, *MALFORMED_REPLIES)
    topic = Entity("start")
    records = [
        QuestionRecord(
            Question(f"q{number}", f"What of start {number}?", (topic,)), Gold(f"q{number}", ()), {topic: "start"}
        )
        for number in range(len(replies))
    ]

    def reply(request: ModelRequest) -> str:
        found = re.findall(r"What of start (\d+)\?", request.messages[-1]["content"])
        return replies[int(found[-1])]

    graph = MemoryGraph(parse_triples(tree(2, 1)))
    run = run_once(Tog, graph=graph, records=records, model=ScriptedModel(reply), parameters={"profile": profile})
    assert len(run.records) == len(replies)
    assert not [record["error"] for record in run.records if record["error"]]


def test_null_content_is_a_malformed_reply() -> None:
    model = ScriptedModel([Completion(texts=(None,))] * 8)
    seen = ask(CHAIN, model=model)
    assert seen.record["error"] is None
    assert seen.stages == ("rel_prune", "rel_prune", "answer")
