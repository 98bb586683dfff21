"""Each quirk of the published code, on and off."""

from __future__ import annotations

from typing import Any

import pytest
from gog_script import (
    GENERATE,
    MEMORY,
    UNKNOWN,
    ends,
    finish,
    finish_ends,
    only,
    play,
    prompts,
    relations_of,
    search,
    search_ends,
    texts,
    world,
)

from kgbench.contracts import Profile
from kgbench.types import Entity, Relation, Scenario, Triple
from kgbench_methods.gog.relevance import most_related

FOUNDED = search("Ashgrove Works")
BORN = '["company.founded"]'


def both(quirk: str, question: Any, agent: list[Any], **settings: Any) -> tuple[Any, Any]:
    """Runs with a quirk on and off, all else clean."""
    on, off = (play(question, agent, quirks=quirks, **dict(settings)) for quirks in ([quirk], []))
    return on, off


# --- rules for ids -----------------------------------------------------------------------------------------------------


def test_g1_an_id_is_never_an_answer() -> None:
    agent = [search("Pavo Moll"), finish_ends("person.child"), *[finish_ends("person.child")] * 4]
    on, off = both("G1", "same relation twice", agent, relations='["person.child"]')
    record, stages = only(off)
    assert (texts(record), stages) == (["Brenka Moll"], ("agent", "relations", "agent"))
    record, stages = only(on)
    assert record["prediction"]["source"] == "fallback"
    assert record["notes"]["finish_as_search"] >= 2
    assert stages[-1] == "memory"


def test_g1_lets_names_pass() -> None:
    agent = [search("Pavo Moll"), finish("Brenka Moll")]
    run = play("same relation twice", agent, quirks=["G1"], scenario=Scenario.P_RAG)
    assert texts(only(run)[0]) == ["Brenka Moll"]


def test_naive_rules_never_answer_from_the_graph_in_private() -> None:
    """With ids for names a typical question spends all its steps (published: 10 to 13 calls)."""
    agent = [search("Pavo Moll"), *[lambda task: finish(ends(task, "person.child")[0])] * 5]
    record, stages = only(play("same relation twice", agent, profile="official", relations='["person.child"]'))
    assert stages == ("agent", "relations") * 6 + ("memory",)
    assert record["prediction"]["source"] == "fallback"


def test_g2_what_the_instructions_say_of_ids() -> None:
    agent = [search("Brenka Moll"), finish("x")]
    on, off = both("G2", "forward mediator", agent, relations='["person.job"]')
    assert [call["template"] for call in on.calls if call["stage"] == "agent"] == ["gog.agent-naive"] * 2
    assert "is a full answer" in off.calls[0]["messages"][0]["content"]
    assert "an intermediate node without a name" in on.calls[0]["messages"][0]["content"]
    assert "(event)" in prompts(off, "agent")[1]
    assert "(event)" not in prompts(on, "agent")[1]


@pytest.mark.parametrize(("scenario", "kept"), [(Scenario.PRIVATE, 0), (Scenario.P_RAG, 1)])
def test_g3_generate_sees_no_fact_with_an_id(scenario: Scenario, kept: int) -> None:
    agent = [search("Brenka Moll"), GENERATE, finish("x")]
    on, off = both(
        "G3",
        "forward mediator",
        agent,
        relations='["person.job", "person.lives_in"]',
        generate="none",
        scenario=scenario,
    )
    assert prompts(off, "generate")[0].count("\n") == 3
    facts = prompts(on, "generate")[0].split("Known facts:\n")[1]
    assert (0 if facts == "none" else len(facts.splitlines())) == kept
    assert "person.job" not in facts  # it leads to a node without a name


# --- faults of the code ------------------------------------------------------------------------------------------------


def test_b1_facts_by_the_characters_of_the_thought() -> None:
    town, year = (
        Triple(Entity("a"), Relation(label, label), Entity("b")) for label in ("company.town", "company.year")
    )
    for facts in ([town, year], [year, town]):
        assert most_related("which town?", facts, 1, by_character=False) == [town]
        assert most_related("which town?", facts, 1, by_character=True) == facts[1:]


def test_b1_in_a_run() -> None:
    thought = "Thought: when was it founded?\nAction: Generate[x]"
    settings: dict[str, Any] = {
        "generate": "none",
        "related_triples": 1,
        "relations": '["company.founded", "company.town"]',
    }
    on, off = both("B1", "date", [FOUNDED, thought, finish("x")], **settings)
    assert "company.founded" in prompts(off, "generate")[0]
    assert "company.town" in prompts(on, "generate")[0]


def test_b2_never_asks_again() -> None:
    on, off = both("B2", "date", ["I cannot say.", FOUNDED, finish("x")], relations=["", BORN])
    assert only(on)[1] == ("agent", "memory")
    assert only(off)[1] == ("agent", "agent", "relations", "relations", "agent")


def test_b3_a_rollback_before_any_search_fails() -> None:
    on, off = both("B3", "date", [GENERATE, UNKNOWN], generate="none")
    assert only(on)[1] == only(off)[1] == ("agent", "generate", "agent", "memory")
    assert only(on)[0]["notes"]["from_memory:failed_rollback"] == 1
    assert only(off)[0]["notes"]["from_memory:nothing_searched"] == 1


def test_b4_the_thought_before_a_widened_search_is_lost() -> None:
    agent = [search("the Copper Quill"), UNKNOWN, finish("x")]
    on, off = both("B4", "two hops", agent)
    assert prompts(on, "agent")[2].count("Thought: look around.") == 2
    assert "not found yet" not in prompts(on, "agent")[2]
    assert "Thought: look around.\nThought: not found yet.\nAction: Search[every" in prompts(off, "agent")[2]
    for run in (on, off):  # the relations go by the earlier thought in both
        assert "Thought: look around." in prompts(run, "relations")[1]


def test_b5_nothing_new_is_searched_and_fails() -> None:
    on, off = both("B5", "date", [FOUNDED, UNKNOWN], relations=BORN)
    assert only(on)[1] == only(off)[1]
    assert only(on)[0]["notes"]["from_memory:failed_empty_search"] == 1
    assert only(off)[0]["notes"]["from_memory:nothing_new"] == 1


def test_b6_ids_that_begin_with_g() -> None:
    graph, question = world(
        "m.0a1  r.one  g.0b2\ng.0b2  r.two  m.0c3",
        "What of it?",
        "m.0a1",
        profile=Profile("test", opaque_ids=True),
        names={"m.0a1": "Ada", "g.0b2": "Orr", "m.0c3": "Velm"},
    )
    settings: dict[str, Any] = {"graph": graph, "pseudonyms": "source-id"}
    on, off = both("B6", question, [search("m.0a1"), search("g.0b2"), finish("x")], **settings)
    assert only(off)[1] == ("agent", "relations", "agent", "relations", "agent")
    assert "r.two, m.0c3" in prompts(off, "agent")[2]
    assert only(on)[1] == ("agent", "relations", "agent", "agent")
    assert "Action: Search[g.0b2]\nObservation: no such entity" in prompts(on, "agent")[2]


HOMONYMS = [search("Reed Society"), search("Tamsin Orrel"), finish("x")]


def test_b7_which_of_two_is_meant_is_not_checked() -> None:
    settings: dict[str, Any] = {"scenario": Scenario.P_RAG, "entity": "the older one"}
    on, off = both("B7", "homonyms", HOMONYMS, **settings)
    assert only(on)[1] == ("agent", "relations", "agent", "entity", "memory")
    assert only(off)[1] == ("agent", "relations", "agent", "entity", "relations", "agent")
    assert only(off)[0]["notes"]["parse_failure:entity"] == 1


def test_a_choice_between_homonyms_by_number() -> None:
    run = play("homonyms", HOMONYMS, scenario=Scenario.P_RAG, entity="2")
    (prompt,) = prompts(run, "entity")
    assert "1. Tamsin Orrel (person)\n2. Tamsin Orrel (person)" in prompt
    assert only(run)[1] == ("agent", "relations", "agent", "entity", "relations", "agent")
    assert "parse_failure:entity" not in only(run)[0]["notes"]


def test_b8_shuffled_relations_and_a_new_sample_in_every_step() -> None:
    facts = [f"ada  r.x{n}  c{n}" for n in range(9)] + [f"b{n:02}  r.of  ada" for n in range(30)]
    graph, question = world("\n".join(facts), "What of Ada?", "ada")
    agent = [search("Ada"), search("Ada"), finish("x")]
    on, off = both("B8", question, agent, graph=graph, relations='["r.of"]')
    listed = [[relations_of(p) for p in prompts(run, "relations")] for run in (on, off)]
    assert listed[1] == [sorted(listed[1][0])] * 2
    assert [sorted(relations) for relations in listed[0]] == listed[1]
    assert len({*map(tuple, listed[0]), tuple(listed[1][0])}) == 3

    def samples(run: Any) -> list[set[str]]:
        steps = prompts(run, "agent")[2].split("Observation:")[1:]
        return [{line for line in step.splitlines() if ", r.of, " in line} for step in steps]

    assert samples(off)[0] == samples(off)[1]
    assert samples(on)[0] != samples(on)[1]


def test_b10_the_first_pair_of_a_reply_counts() -> None:
    repeated = f"{search('Brenka Moll')}\n{search('Ashgrove Works')}"
    on, off = both("B10", "two topics", [repeated, finish("x")])
    assert "Entity: Brenka Moll" in prompts(on, "relations")[0]
    assert "Entity: Ashgrove Works" in prompts(off, "relations")[0]


def test_b13_the_first_unknown_fails() -> None:
    on, off = both("B13", "two hops", [search("the Copper Quill"), UNKNOWN, finish("x")])
    assert only(on)[1] == ("agent", "relations", "agent", "memory")
    assert only(on)[0]["notes"] == {"from_memory:expansions": 1}
    assert only(off)[1] == ("agent", "relations", "agent", "relations", "agent")


def test_b14_an_exemplar_without_its_full_stop() -> None:
    on, off = both("B14", "date", [UNKNOWN])
    for run, ending in ((on, "Finish[Ostramune T.R]"), (off, "Finish[Ostramune T.R.]")):
        for call in run.calls:
            assert call["messages"][-2]["content"].endswith(ending)


# --- differences without a number --------------------------------------------------------------------------------------


def test_all_relations_that_a_reply_names() -> None:
    on, off = both("all_relations", "date", [FOUNDED, finish("x")])
    relations = ("company.founded", "company.phone", "company.staff", "company.town", "job.employer")
    shown = [{label for label in relations if f", {label}, " in prompts(run, "agent")[1]} for run in (on, off)]
    assert shown == [set(relations), {"company.founded", "company.phone", "company.staff"}]


def test_strict_lists() -> None:
    on, off = both("strict_lists", "date", [FOUNDED, finish_ends("company.founded")], relations="1. company.founded")
    assert only(on)[1] == ("agent", "relations", "memory")
    assert texts(only(off)[0]) == ["1911-05-04"]


def test_repeats() -> None:
    agent = [search("the Copper Quill")] * 3 + [finish("x")]
    on, off = both("repeats", "two hops", agent)
    assert only(on)[0]["notes"] == {}
    assert only(off)[0]["notes"] == {"repeated_action": 1, "widened_search": 1}


def test_short_labels() -> None:
    """Two relations may then share a label, which stands for both."""
    graph, question = world("ada  x.person.child  b\nada  y.person.child  c\nada  z.person.friend  d", "Who?", "ada")
    choose = '["person.child"]'
    on, off = both("short_labels", question, [search("Ada"), UNKNOWN], graph=graph, relations=choose, expansions=1)
    assert relations_of(prompts(on, "relations")[0]) == ["person.child", "person.friend"]
    assert relations_of(prompts(off, "relations")[0]) == ["x.person.child", "y.person.child", "z.person.friend"]
    assert prompts(on, "agent")[1].count(", person.child, ") == 2
    assert "nothing found" in prompts(off, "agent")[1]  # an ending that two labels have chooses neither
    run = play(question, [search("Ada"), finish("x")], graph=graph, relations='["person.friend"]')
    assert ", z.person.friend, " in prompts(run, "agent")[1]


def test_user_relations() -> None:
    profile = Profile("test", skip={"explore": ("user.*",), "explore-official": ()})
    graph, question = world("a  r.one  b\na  user.ann.likes  c", "What of A?", "a", profile=profile)
    on, off = both("user_relations", question, [search("A"), finish("x")], graph=graph)
    assert relations_of(prompts(on, "relations")[0]) == ["r.one", "user.ann.likes"]
    assert relations_of(prompts(off, "relations")[0]) == ["r.one"]


def test_the_official_memory_prompt_is_tried_five_times() -> None:
    record, stages = only(play("no topic", [], profile="official", memory="no end"))
    assert stages == ("memory",) * 5
    record, stages = only(play("no topic", [], profile="official", memory="no end", temperature=0.0))
    assert stages == ("memory",)  # a second request would not differ
    assert record["prediction"]["flags"] == ["no_parse"]
    record, stages = only(play("no topic", [], profile="official", memory=["no end", MEMORY]))
    assert (stages, texts(record)) == (("memory", "memory"), ["Somewhere"])


def test_search_behind_an_unmarked_node_in_naive_runs() -> None:
    agent = [search("Brenka Moll"), search_ends("person.job"), finish("x")]
    _, stages = only(
        play("forward mediator", agent, mid_rules="naive", relations=['["person.job"]', '["job.employer"]'])
    )
    assert stages == ("agent", "relations", "agent", "relations", "agent")
