"""The loop: which calls are made in which order, and how a question ends."""

from __future__ import annotations

import pytest
from gog_script import (
    GENERATE,
    MEMORY,
    UNKNOWN,
    finish,
    finish_ends,
    only,
    play,
    prompts,
    search,
    search_ends,
    texts,
    world,
)
from odd_replies import ODD_REPLIES

from kgbench.errors import GraphError, PromptTooLong, Refused
from kgbench.testing import ScriptedModel, run_once, toy_graph, toy_records
from kgbench.types import Scenario
from kgbench_methods.gog.method import Gog

FOUNDED = search("Ashgrove Works")


def test_search_and_finish_are_three_calls() -> None:
    record, stages = only(play("date", [FOUNDED, finish_ends("company.founded")], relations='["company.founded"]'))
    assert stages == ("agent", "relations", "agent")
    assert (texts(record), record["status"], record["prediction"]["source"]) == (["1911-05-04"], "ok", "graph")
    assert record["notes"] == {}


def test_a_relation_call_for_each_entity_searched() -> None:
    run = play("two topics", [search("Brenka Moll", "Ashgrove Works"), finish("2004")])
    record, stages = only(run)
    assert stages == ("agent", "relations", "relations", "agent")
    assert (texts(record), record["prediction"]["source"]) == (["2004"], "model")
    assert sorted(prompt.split("Entity: ")[1].split("\n")[0] for prompt in prompts(run, "relations")) == [
        "Ashgrove Works",
        "Brenka Moll",
    ]


def test_behind_an_intermediate_node() -> None:
    agent = [search("Brenka Moll"), search_ends("person.job"), finish_ends("job.employer")]
    record, stages = only(play("forward mediator", agent, relations=['["person.job"]', '["job.employer"]']))
    assert stages == ("agent", "relations", "agent", "relations", "agent")
    assert (texts(record), record["prediction"]["source"]) == (["Ashgrove Works"], "graph")


def test_the_trace_shows_what_was_said_and_found() -> None:
    run = play("date", [FOUNDED, finish_ends("company.founded")], relations='["company.founded"]')
    lines = prompts(run, "agent")[1].splitlines()
    fact = lines.pop(6)
    assert fact.startswith("Ashgrove Works, company.founded, m.0")
    assert lines == [
        "Question: When was Ashgrove Works founded?",
        "Topic entities:",
        "Ashgrove Works",
        "Thought: look around.",
        "Action: Search[Ashgrove Works]",
        "Observation:",
        "Already searched:",
        "Ashgrove Works",
    ]


# --- not found ---------------------------------------------------------------------------------------------------------


def test_unknown_widens_the_last_search_and_the_third_is_answered_from_memory() -> None:
    run = play("two hops", [search("the Copper Quill"), UNKNOWN, UNKNOWN, UNKNOWN])
    record, stages = only(run)
    # The prize leads to one win; the win to its winner and a year; the winner is searched in the second widening.
    assert stages == ("agent", "relations", "agent", "relations", "agent", "relations", "agent", "memory")
    assert record["notes"] == {"from_memory:expansions": 1, "widened_search": 2}
    assert (texts(record), record["prediction"]["source"]) == (["Somewhere"], "fallback")
    assert "Action: Search[everything that the last search found]" in prompts(run, "agent")[2]


def test_a_widened_search_asks_once_for_each_new_entity() -> None:
    graph, question = world("a  r.one  b\na  r.two  c\nd  r.three  a\nb  r.four  e", "What of A?", "a")
    record, stages = only(play(question, [search("A"), UNKNOWN, finish("E")], graph=graph))
    assert stages == ("agent", "relations", "agent", "relations", "relations", "relations", "agent")
    assert texts(record) == ["E"]


def test_generate_steps_are_taken_back_before_a_search_is_widened() -> None:
    run = play("two hops", [search("the Copper Quill"), GENERATE, UNKNOWN, finish("x")], generate="Velm\triver\tOrr")
    *_, third, fourth = prompts(run, "agent")
    assert "Orr" in third and "Orr" not in fourth
    assert only(run)[1] == ("agent", "relations", "agent", "generate", "agent", "relations", "agent")


def test_nothing_new_to_search() -> None:
    record, stages = only(play("date", [FOUNDED, UNKNOWN], relations='["company.founded"]'))
    assert stages == ("agent", "relations", "agent", "memory")
    assert record["notes"] == {"from_memory:nothing_new": 1}


def test_unknown_before_any_search() -> None:
    record, stages = only(play("date", [UNKNOWN]))
    assert (stages, record["notes"]) == (("agent", "memory"), {"from_memory:nothing_searched": 1})


@pytest.mark.parametrize("steps", [1, 4])
def test_all_steps_used_up(steps: int) -> None:
    record, stages = only(play("date", [search(f"Ashgrove Works {n}") for n in range(steps)], steps=steps))
    assert stages.count("agent") == steps
    assert stages[-1] == "memory"
    assert record["notes"]["from_memory:steps"] == 1


def test_an_action_is_repeated_once_and_then_counts_as_unknown() -> None:
    record, stages = only(play("two hops", [search("the Copper Quill")] * 3 + [finish("x")]))
    assert stages == ("agent", "relations") * 3 + ("agent",)
    assert record["notes"] == {"repeated_action": 1, "widened_search": 1}


def test_no_topic_is_one_call() -> None:
    record, stages = only(play("no topic", []))
    assert stages == ("memory",)
    assert (record["status"], record["notes"]) == ("ok", {"from_memory:no_topic": 1})
    record, _ = only(play("no topic", [], memory="Action: Finish[unknown]"))
    assert record["status"] == "no_topic_entity"


def test_a_topic_that_the_graph_does_not_have_costs_no_relation_call() -> None:
    record, stages = only(play("absent topic", [search("Quorl Vanth"), finish("x")], scenario=Scenario.P_RAG))
    assert stages == ("agent", "agent")
    assert record["notes"]["topic_without_relations"] == 1


def test_a_name_that_nothing_has_gets_one_fixed_observation() -> None:
    run = play("date", [FOUNDED, search("Nobody"), finish("x")])
    assert only(run)[1] == ("agent", "relations", "agent", "agent")
    assert "Action: Search[Nobody]\nObservation: no such entity\nAlready" in prompts(run, "agent")[2]


def test_in_the_first_step_an_unknown_name_means_the_closest_topic() -> None:
    run = play("two topics", [search("the Ashgrove company"), finish("x")])
    (prompt,) = prompts(run, "relations")
    assert "Entity: Ashgrove Works" in prompt
    assert "no_such_entity" not in only(run)[0]["notes"]


def test_more_entities_than_one_step_searches() -> None:
    graph, question = world("\n".join(f"a  r.x{n}  b{n}" for n in range(3)), "What of A?", "a")
    record, stages = only(play(question, [search("A"), UNKNOWN, finish("x")], graph=graph, most_searched=2))
    assert stages.count("relations") == 3
    assert record["notes"]["search_cut"] == 1


# --- ids as answers ----------------------------------------------------------------------------------------------------

JOB = [search("Brenka Moll"), finish_ends("person.job")]


def test_an_intermediate_node_is_no_answer_and_is_searched() -> None:
    run = play(
        "forward mediator", [*JOB, finish_ends("job.employer")], relations=['["person.job"]', '["job.employer"]']
    )
    record, stages = only(run)
    assert stages == ("agent", "relations", "agent", "relations", "agent")
    assert (texts(record), record["notes"]) == (["Ashgrove Works"], {"finish_as_search": 1})
    assert "(searched, since this is no answer yet)" in prompts(run, "agent")[2]


def test_an_id_that_was_never_issued_is_no_answer() -> None:
    record, stages = only(play("date", [FOUNDED, finish("m.0zzzzzzz"), finish_ends("company.founded")]))
    assert stages == ("agent", "relations", "agent", "agent")
    assert record["notes"]["no_such_entity"] == 1


def test_texts_and_names_are_answers() -> None:
    agent = [search("The Gullmen"), finish("x | y", "AC; DC", "no such song")]
    agent[1] = "Thought: t\nAction: Finish[x | y]"
    record, _ = only(play("odd names", agent, relations='["band.song"]', scenario=Scenario.P_RAG))
    assert (texts(record), record["prediction"]["source"]) == (["x | y"], "graph")
    record, _ = only(
        play(
            "odd names",
            [agent[0], finish("AC; DC", "no such song")],
            relations='["band.song"]',
            scenario=Scenario.P_RAG,
        )
    )
    assert texts(record) == ["AC; DC", "no such song"]
    assert [item["kind"] for item in record["prediction"]["items"]] == ["entity", "text"]


# --- Generate ----------------------------------------------------------------------------------------------------------


def test_generated_facts_are_heard_and_an_answer_from_them_is_the_model_s() -> None:
    run = play("date", [FOUNDED, GENERATE, finish("Orr")], generate="Velm\tlies on\tOrr\nno fact")
    record, stages = only(run)
    assert stages == ("agent", "relations", "agent", "generate", "agent")
    assert (texts(record), record["prediction"]["source"], record["prediction"]["flags"]) == (
        ["Orr"],
        "model",
        ["generated"],
    )
    assert "(written from memory, not from the graph):\nVelm, lies on, Orr\nAlready" in prompts(run, "agent")[2]


def test_generated_facts_are_no_evidence() -> None:
    run = play("date", [GENERATE, finish("Ashgrove Works")], generate="Ashgrove Works\tlies on\tOrr")
    record, _ = only(run)
    assert (texts(record), record["prediction"]["source"]) == (["Ashgrove Works"], "model")


def test_the_self_check_is_one_call_over_all_samples() -> None:
    generate = ["Velm\tlies on\tOrr", "none", "Velm\tlies on\tDun"]
    run = play("date", [GENERATE, finish("Orr")], sc_num=3, generate=generate, verify="Velm\tlies on\tOrr")
    record, stages = only(run)
    assert stages == ("agent", "generate", "verify", "agent")
    assert record["usage"]["generate"]["logical"]["calls"] == 3
    assert record["total"]["logical"]["calls"] == 6
    assert prompts(run, "verify")[0].endswith("Groups:\n1. Velm, lies on, Orr\n2. Velm, lies on, Dun")
    assert "Orr" in prompts(run, "agent")[1] and "Dun" not in prompts(run, "agent")[1]


def test_nothing_generated() -> None:
    run = play("date", [GENERATE, finish("x")], generate="I do not know.")
    assert only(run)[0]["notes"] == {"nothing_generated": 1}
    assert "Observation: nothing found" in prompts(run, "agent")[1]


def test_the_facts_closest_to_the_thought_are_shown() -> None:
    thought = "Thought: on which river lies the town?\nAction: Generate[river]"
    run = play("date", [FOUNDED, thought, finish("x")], generate="none", related_triples=1, relation_width=9)
    (prompt,) = prompts(run, "generate")
    assert prompt.count("\n") == 2
    assert "company.town" in prompt


# --- samples -----------------------------------------------------------------------------------------------------------


def shown_residents(**settings: object) -> frozenset[str]:
    run = play(
        "hub", [search("Port Velm"), finish_ends("person.lives_in")], relations='["person.lives_in"]', **settings
    )
    return frozenset(texts(only(run)[0]))


def test_a_large_relation_is_sampled_by_the_seed() -> None:
    first = shown_residents()
    assert len(first) == 5
    assert shown_residents(scenario=Scenario.P_RAG) == first
    assert shown_residents(seed=1) != first
    assert len(shown_residents(triples_per_relation=26)) == 25


# --- malformed replies and failures ------------------------------------------------------------------------------------


def test_a_malformed_step_is_asked_for_once_more_with_a_reminder() -> None:
    run = play("date", ["I cannot say.", FOUNDED, finish("x")])
    record, stages = only(run)
    assert stages == ("agent", "agent", "relations", "agent")
    assert record["notes"] == {"parse_failure:agent": 1, "retried:agent": 1}
    first, second, _ = prompts(run, "agent")
    assert second == f"{first}\nReply with one line that begins with Thought and one that begins with Action."


def test_a_second_malformed_step_ends_the_search() -> None:
    record, stages = only(play("date", ["I cannot say.", "No."]))
    assert stages == ("agent", "agent", "memory")
    assert record["notes"] == {"from_memory:reply": 1, "parse_failure:agent": 2, "retried:agent": 1}


def test_memory_is_asked_twice_and_a_failure_keeps_the_reply() -> None:
    record, stages = only(play("date", [UNKNOWN], memory=["It was in 1900.", "Yes."]))
    assert stages == ("agent", "memory", "memory")
    assert record["prediction"]["flags"] == ["retried", "no_parse"]
    assert (record["prediction"]["raw"], record["status"]) == ("Yes.", "ok")


def test_an_unreadable_relation_reply_finds_nothing() -> None:
    record, stages = only(play("date", [FOUNDED, finish("x")], relations="I would look at the year."))
    assert stages == ("agent", "relations", "agent")
    assert record["notes"]["parse_failure:relations"] == 1
    record, _ = only(play("date", [FOUNDED, finish("x")], relations="[]"))
    assert "parse_failure:relations" not in record["notes"]


def test_an_empty_relation_reply_is_asked_for_once_more() -> None:
    _, stages = only(play("date", [FOUNDED, finish("x")], relations=["  ", '["company.founded"]']))
    assert stages == ("agent", "relations", "relations", "agent")


@pytest.mark.parametrize("reply", [reply for reply in ODD_REPLIES if len(reply) < 5000])
def test_an_odd_reply_to_everything_ends_in_a_status(reply: str) -> None:
    for scenario in (Scenario.PRIVATE, Scenario.P_RAG):
        run = run_once(Gog, records=toy_records("two topics"), model=ScriptedModel(lambda _: reply), scenario=scenario)
        (record,) = run.records
        assert record["error"] is None
        assert record["prediction"]["source"] == "fallback"
        assert record["status"] in ("ok", "no_answer", "truncated")


@pytest.mark.parametrize("reply", [reply for reply in ODD_REPLIES if len(reply) < 500])
@pytest.mark.parametrize("stages", [("relations", "memory"), ("entity", "generate", "verify")])
def test_an_odd_reply_to_one_stage_does_no_harm(stages: tuple[str, ...], reply: str) -> None:
    agent = [search("Reed Society"), search("Tamsin Orrel"), GENERATE, UNKNOWN, UNKNOWN, UNKNOWN]
    parts = {"entity": "1", "generate": "a\tb\tc", "verify": "a\tb\tc"} | dict.fromkeys(stages, reply)
    record, _ = only(play("homonyms", agent, scenario=Scenario.P_RAG, sc_num=2, **parts))
    assert record["prediction"]["source"] == "fallback"


def test_a_prompt_that_does_not_fit_is_answered_from_memory() -> None:
    model = ScriptedModel([PromptTooLong("too long"), MEMORY])
    run = run_once(Gog, records=toy_records("date"), model=model)
    record, stages = only(run)
    assert stages == ("agent", "memory")
    assert (texts(record), record["notes"]) == (["Somewhere"], {"from_memory:prompt_too_long": 1})


def test_a_prompt_over_the_limit_is_not_sent() -> None:
    record, stages = only(play("date", [], prompt_limit=100))
    assert (stages, record["notes"]) == (("memory",), {"from_memory:prompt_limit": 1})


def test_the_limit_does_not_look_at_names() -> None:
    long = "Velm " * 400
    facts = "a  r.one  b\na  r.two  c"
    for names in ({}, {"b": long, "c": long}):
        graph, question = world(facts, "What of A?", "a", names=names)
        _, stages = only(
            play(question, [search("A"), finish("x")], graph=graph, scenario=Scenario.P_RAG, prompt_limit=1700)
        )
        assert stages == ("agent", "relations", "agent")


def test_a_refusal_and_a_failing_graph_end_in_their_status() -> None:
    run = run_once(Gog, records=toy_records("date"), model=ScriptedModel([Refused("no")]))
    assert run.records[0]["status"] == "refused"

    class Away:
        def __init__(self) -> None:
            graph = toy_graph()
            self.card, self.names = graph.card, graph.names

        def relations(self, *_: object) -> None:
            raise GraphError("away")

        neighbours = types = select = relations

    run = run_once(Gog, records=toy_records("date"), model=ScriptedModel([FOUNDED]), graph=Away())  # type: ignore[arg-type]
    assert run.records[0]["status"] == "kg_error"
