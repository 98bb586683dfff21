"""Each quirk of the published code, on and off, everything else being equal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tog_worlds import NO, ask, chosen, equal_scores

from kgbench_methods.tog.exemplars import CHOICE_RELATIONS, CHOSEN
from kgbench_methods.tog.parameters import QUIRKS, TogParameters
from kgbench_methods.tog.prompts import prompts_for
from kgbench_methods.tog.replies import read_relations, read_relations_strictly

FALLBACK = {"cot": "{Memory}"}
INWARD = "b  r.one  start"


def on(quirk: str, *others: str) -> dict[str, tuple[str, ...]]:
    return {"quirks": (quirk, *others)}


def off(quirk: str, *others: str) -> dict[str, tuple[str, ...]]:
    return {"quirks": (f"-{quirk}", *others)}


def test_q1_relations_that_arrive_are_offered_and_lead_nowhere() -> None:
    script = {"rel_prune": chosen("r.one"), "evaluate": NO, "answer": "{unknown}", **FALLBACK}
    seen = ask(INWARD, script, depth=1, **on("Q1"))
    assert seen.offered() == [["r.one"]]
    assert seen.stages == ("rel_prune", "answer")
    seen = ask(INWARD, script, depth=1, **off("Q1"))
    assert seen.stages == ("rel_prune", "evaluate", "cot")
    assert seen.triples() == [{"b, r.one, start"}]


def test_q2_a_reply_in_the_form_of_the_exemplar_is_lost() -> None:
    with_quirk = prompts_for(TogParameters(quirks=("Q2",))).rel_prune.examples[0].reply
    without = prompts_for(TogParameters()).rel_prune.examples[0].reply
    assert read_relations_strictly(with_quirk, CHOICE_RELATIONS).chosen == ()
    assert len(read_relations_strictly(without, CHOICE_RELATIONS).chosen) == len(CHOSEN)
    assert len(read_relations(with_quirk, CHOICE_RELATIONS).chosen) == len(CHOSEN)
    script = {"rel_prune": "{r.one (Score: 0.9))}: why", "evaluate": NO, "answer": "{unknown}", **FALLBACK}
    seen = ask("start  r.one  b", script, depth=1, profile="official", **on("Q2"))
    assert seen.stages == ("rel_prune", "answer")
    seen = ask("start  r.one  b", script, depth=1, profile="official", **off("Q2"))
    assert seen.stages == ("rel_prune", "evaluate", "cot")


MIXED = """
start  r.one  event
start  r.one  a
start  r.one  b
event  r.two  x
a      r.two  y
b      r.two  z
"""


def _walked(facts: str, seed: int, **settings: object) -> tuple[set[str], set[str]]:
    """What was shown at depth 1, and where depth 2 went on from."""
    script = {"rel_prune": [chosen("r.one"), chosen("r.two")], "ent_score": equal_scores, "evaluate": NO, **FALLBACK}
    seen = ask(facts, script, depth=2, seed=seed, mediators=["event"], scenario="p-rag", **settings)
    first, second = seen.triples()
    shown = {triple.rpartition(", ")[2] for triple in first}
    return shown, {triple.partition(",")[0] for triple in second - first}


def test_q3_in_a_mixed_cluster_one_node_is_shown_and_another_walked_from() -> None:
    wrong = 0
    for seed in range(6):
        shown, walked = _walked(MIXED, seed, **on("Q3"))
        assert shown == {"a", "b"}
        wrong += walked != shown
        shown, walked = _walked(MIXED, seed, **off("Q3"))
        assert shown == walked == {"a", "b"}
    assert wrong > 0


def test_q3_with_one_name_left_later_rows_shift() -> None:
    facts = "start  r.a  event\nstart  r.a  named\nstart  r.b  later\nevent  r.two  x\nnamed  r.two  y\nlater  r.two  z"
    script = {"rel_prune": [chosen("r.a", "r.b"), chosen("r.two")], "evaluate": NO, **FALLBACK}
    walked = {}
    for name, quirks in (("on", on("Q3")), ("off", off("Q3"))):
        seen = ask(facts, script, depth=2, mediators=["event"], scenario="p-rag", **quirks)
        first, second = seen.triples()
        assert first == {"start, r.a, named", "start, r.b, later"}
        walked[name] = {triple.partition(",")[0] for triple in second - first}
    assert walked == {"on": {"event", "named"}, "off": {"named", "later"}}


@pytest.mark.parametrize("pruner", ["bm25", "embedding"])
def test_q3_shifts_the_local_pruners_too(pruner: str) -> None:
    facts = (
        "\n".join(f"start  first.big.old.thing  a{number}" for number in range(5))
        + "\nstart  spare.big.old.thing  b\nb  r.two  c"
    )
    settings = {"depth": 2, "width": 3, "pruner": pruner, "text": "first big old thing of start"}
    script = {"evaluate": NO, "answer": "{unknown}", **FALLBACK}
    shifted, sound = (ask(facts, script, **settings, **quirks) for quirks in (on("Q3"), off("Q3")))
    assert "start, spare.big.old.thing, b" in shifted.triples()[0] & sound.triples()[0]
    assert "b, r.two, c" in sound.triples()[1]
    assert "b, r.two, c" not in shifted.triples()[1], "the walk goes on from a node of the first relation"


def test_q4_a_fact_walked_backwards_is_shown_the_wrong_way_round() -> None:
    script = {"rel_prune": chosen("r.one"), "evaluate": NO, **FALLBACK}
    assert ask(INWARD, script, depth=1, **on("Q4")).triples() == [{"start, r.one, b"}]
    assert ask(INWARD, script, depth=1, **off("Q4")).triples() == [{"b, r.one, start"}]


@pytest.mark.parametrize("profile", ["clean", "official"])
def test_q5_labels_and_line_ends_are_missing_in_the_last_turn_alone(profile: str) -> None:
    script = {"rel_prune": chosen("r.one"), "evaluate": NO, "answer": "{b}", **FALLBACK}
    broken = ask("start  r.one  b", script, profile=profile, **on("Q5"))
    sound = ask("start  r.one  b", script, profile=profile, **off("Q5"))
    question = "What has start to do with it?"
    assert broken.turns("evaluate")[0].endswith(f"{question}\nTriples:\nstart, r.one, b; Answer: ")
    assert not broken.turns("evaluate")[0].endswith(f"Question: {question}\nTriples:\nstart, r.one, b; Answer: ")
    assert broken.turns("answer")[0].endswith(f"Question: {{}}\n{question}\nTriples:\nstart, r.one, b; Answer: ")
    for stage in ("evaluate", "answer"):
        turn = sound.turns(stage)[0].removesuffix("\nAnswer:")
        assert turn.endswith(f"Question: {question}\nTriples:\nstart, r.one, b")
        fixed = "\n".join(message["content"] for call in broken.calls for message in call["messages"])
        assert "Question: Which newspaper did Dorveth Sallimore found?\nTriples:\n" in fixed


def test_q6_later_verdicts_see_the_facts_of_all_depths() -> None:
    facts = "start  r.one  b\nb  r.two  c"
    script = {"rel_prune": [chosen("r.one"), chosen("r.two")], "evaluate": NO, **FALLBACK}
    assert ask(facts, script, depth=2, **on("Q6")).triples()[1] == {"start, r.one, b", "b, r.two, c"}
    assert ask(facts, script, depth=2, **off("Q6")).triples()[1] == {"b, r.two, c"}


def test_q7_a_half_stop_on_zero_scores_is_followed_by_the_same_depth_again() -> None:
    facts = "start  r.one  b\nstart  r.one  c"
    script = {"rel_prune": chosen("r.one"), "ent_score": "0, 0", "answer": "{Half}", **FALLBACK}
    seen = ask(facts, script, depth=2, **on("Q7"))
    assert seen.stages == ("rel_prune", "ent_score", "answer") * 2 + ("cot",)
    assert (seen.answers, seen.notes["half_stop_overwritten"]) == (["Memory"], 2)
    seen = ask(facts, script, depth=2, **off("Q7"))
    assert seen.stages == ("rel_prune", "ent_score", "answer")
    assert seen.answers == ["Half"]


def test_q7_a_half_stop_on_values_alone_does_not_end_the_question_either() -> None:
    script = {"rel_prune": chosen("r.year"), "evaluate": NO, "answer": "{Half}", **FALLBACK}
    settings = {"depth": 2, "tog_literals": True}
    seen = ask('start  r.year  "1911"^^gYear', script, **settings, **on("Q7"))
    assert seen.stages == ("rel_prune", "evaluate", "answer", "rel_prune", "evaluate", "cot")
    seen = ask('start  r.year  "1911"^^gYear', script, **settings, **off("Q7"))
    assert seen.stages == ("rel_prune", "evaluate", "answer")


def test_q8_after_a_duplicate_an_entity_has_the_direction_of_another() -> None:
    # Kept, best first: b twice, outwards, and c, inwards. c is the second entity, and the second direction is one of b's.
    facts = "start  r.a  b\nstart  r.b  b\nc  r.c  start\nc  r.c  z\nw  r.c  c"
    script = {
        "rel_prune": [chosen("r.a", "r.b", "r.c"), chosen("r.c")],
        "ent_score": equal_scores,
        "evaluate": NO,
        **FALLBACK,
    }
    shifted = ask(facts, script, depth=2, **on("Q8", "way_back"))
    carried = ask(facts, script, depth=2, **off("Q8", "way_back"))
    assert shifted.triples()[0] == carried.triples()[0] == {"start, r.a, b", "start, r.b, b", "c, r.c, start"}
    assert shifted.triples()[1] - shifted.triples()[0] == {"c, r.c, z"}
    assert carried.triples()[1] - carried.triples()[0] == {"w, r.c, c"}


def test_q9_a_label_in_both_directions_is_followed_outwards_only() -> None:
    facts = "start  r.one  b\nc  r.one  start"
    script = {"rel_prune": chosen("r.one"), "evaluate": NO, **FALLBACK}
    assert ask(facts, script, depth=1, **on("Q9")).triples() == [{"start, r.one, b"}]
    assert ask(facts, script, depth=1, **off("Q9")).triples() == [{"start, r.one, b", "c, r.one, start"}]


def test_q9_a_relation_that_was_not_offered_is_followed_inwards() -> None:
    facts = "start  r.one  b\nc  r.one  b\nb  r.two  d"
    script = {"rel_prune": [chosen("r.one"), chosen("r.one")], "evaluate": NO, "answer": "{c}", **FALLBACK}
    settings = {"depth": 2, "profile": "official"}
    seen = ask(facts, {**script, "ent_score": equal_scores}, **settings, **on("Q9", "-Q1", "-Q4"))
    assert seen.offered()[1] == ["r.two"]
    assert seen.scored() == [{"start", "c"}], "the triple that one came by is among them"
    assert seen.triples()[1] == {"start, r.one, b", "c, r.one, b"}
    seen = ask(facts, script, **settings, **off("Q9", "-Q1", "-Q4"))
    assert seen.stages == ("rel_prune", "evaluate", "rel_prune", "answer")


def test_q10_a_decimal_in_the_reason_makes_scores_equal() -> None:
    facts = "start  r.one  b\nstart  r.one  c"
    reply = "0.9, 0.1\nThe first is 0.8 better."
    script = {"rel_prune": chosen("r.one"), "ent_score": reply, "evaluate": NO, **FALLBACK}
    with_quirk = ask(facts, script, depth=1, width=1, **on("Q10"))
    without = ask(facts, script, depth=1, width=1, **off("Q10"))
    assert with_quirk.notes["parse_failure:ent_score"] == 1
    assert "parse_failure:ent_score" not in without.notes
    script["ent_score"] = "1, 0"
    assert ask(facts, script, depth=1, **on("Q10")).notes["parse_failure:ent_score"] == 1
    assert len(ask(facts, script, depth=1, **off("Q10")).triples()[0]) == 1, "the second candidate scores zero"


def test_q12_a_relation_named_twice_is_followed_twice_and_takes_two_places() -> None:
    facts = "start  r.one  b\nstart  r.two  c"
    reply = "{r.one (Score: 0.5)}\n{r.one (Score: 0.4)}\n{r.two (Score: 0.1)}"
    script = {"rel_prune": reply, "evaluate": NO, **FALLBACK}
    assert ask(facts, script, depth=1, width=2, max_rel=3, **on("Q12")).triples() == [{"start, r.one, b"}]
    assert ask(facts, script, depth=1, width=2, max_rel=3, **off("Q12")).triples() == [
        {"start, r.one, b", "start, r.two, c"}
    ]


def test_q13_the_evidence_of_a_used_up_depth_is_thrown_away() -> None:
    script = {"rel_prune": chosen("r.one"), "evaluate": NO, **FALLBACK}
    seen = ask("start  r.one  b", script, depth=1, **on("Q13"))
    assert (seen.answers, seen.record["prediction"]["entity_names"]) == (["Memory"], [])
    seen = ask("start  r.one  b", script, depth=1, **off("Q13"))
    assert (seen.answers, seen.record["prediction"]["entity_names"]) == (["Memory"], ["b", "start"])


def test_q14_the_option_that_switches_the_filter_off_has_no_effect() -> None:
    facts = "start  r.one  b\nstart  internal.key  c"
    script = {"rel_prune": chosen("r.one"), "evaluate": NO, **FALLBACK}
    skip = {"explore": ("internal.*",)}
    settings = {"depth": 1, "skip": skip, "filter_relations": False}
    assert ask(facts, script, **settings, **on("Q14")).offered() == [["r.one"]]
    assert ask(facts, script, **settings, **off("Q14")).offered() == [["internal.key", "r.one"]]


def test_q15_values_are_dead_ends_zeros_are_equal_and_generic_relations_go() -> None:
    facts = 'start  r.one  b\nstart  r.one  "7"^^integer\nstart  country  c'
    script = {"rel_prune": chosen("r.one"), "ent_score": "0, 0", "evaluate": NO, "answer": "{unknown}", **FALLBACK}
    seen = ask(facts, script, depth=1, **on("Q15"))
    assert seen.offered() == [["r.one"]]
    assert seen.triples() == [{"start, r.one, b", "start, r.one, 7"}]
    seen = ask(facts, script, depth=1, **off("Q15"))
    assert seen.offered() == [["country", "r.one"]]
    assert seen.triples() == [{"start, r.one, b"}]
    hub = "\n".join(f"start  r.one  n{number}" for number in range(20))
    script["ent_score"] = equal_scores
    assert [len(names) for names in ask(hub, script, depth=1, **on("Q15")).scored()] == [10]


# --- differences without a number --------------------------------------------------------------------------------------


def test_all_relations_follows_whatever_the_reply_names() -> None:
    facts = "\n".join(f"start  r.{letter}  {letter}" for letter in "abcd")
    script = {"rel_prune": chosen("r.a", "r.b", "r.c", "r.d", score=0.5), "evaluate": NO, **FALLBACK}
    four = {"depth": 1, "width": 2, "script": script}
    seen_on = ask(facts, **four, **on("all_relations", "Q7"))
    assert len(seen_on.triples()[0]) == 2, "the beam stays as wide as it is"
    script["rel_prune"] = chosen("r.c", "r.d") + "\n{r.a (Score: 1)}"
    assert "start, r.a, a" in ask(facts, **four, **on("all_relations")).triples()[0]
    assert "start, r.a, a" not in ask(facts, **four, **off("all_relations")).triples()[0]


def test_ask_empty_asks_to_choose_from_nothing() -> None:
    script = {"rel_prune": "none", "answer": "{unknown}"}
    assert ask("b  r.one  c", script, **on("ask_empty")).stages == ("rel_prune", "answer")
    assert ask("b  r.one  c", script, **off("ask_empty")).stages == ("answer",)


def test_g_ids_are_dropped() -> None:
    facts = "start  r.one  g.123\nstart  r.one  m.123"
    script = {"rel_prune": chosen("r.one"), "ent_score": equal_scores, "evaluate": NO, **FALLBACK}
    assert ask(facts, script, depth=1, **on("g_ids")).triples() == [{"start, r.one, m.123"}]
    assert len(ask(facts, script, depth=1, **off("g_ids")).triples()[0]) == 2


def test_raw_tokens_find_no_word_inside_a_label() -> None:
    facts = "start  a.first  b\nstart  person.birth_place  c"
    settings = {"depth": 1, "width": 1, "pruner": "bm25", "text": "What is the birth place of start?"}
    script = {"evaluate": NO, **FALLBACK}
    assert ask(facts, script, **settings, **on("raw_tokens")).triples() == [{"start, a.first, b"}]
    assert ask(facts, script, **settings, **off("raw_tokens")).triples() == [{"start, person.birth_place, c"}]


def test_ties_keep_the_order_of_arrival() -> None:
    facts = "start  r.a  a\nstart  r.b  b"
    script = {"rel_prune": chosen("r.b", "r.a", score=0.5), "evaluate": NO, **FALLBACK}
    settings = {"depth": 1, "width": 1, "max_rel": 2}
    assert ask(facts, script, **settings, **on("ties")).triples() == [{"start, r.b, b"}]
    assert ask(facts, script, **settings, **off("ties")).triples() == [{"start, r.a, a"}]


def test_user_relations_are_offered() -> None:
    facts = "start  user.someone.list  b\nstart  r.one  c"
    skip = {"explore": ("user.*",), "explore-official": ()}
    script = {"rel_prune": chosen("r.one"), "evaluate": NO, **FALLBACK}
    assert ask(facts, script, depth=1, skip=skip, **on("user_relations")).offered() == [["r.one", "user.someone.list"]]
    assert ask(facts, script, depth=1, skip=skip, **off("user_relations")).offered() == [["r.one"]]


def test_way_back_closes_the_whole_relation() -> None:
    facts = "start  stars_in  film\nother  stars_in  film\nfilm  year_of  y"
    script = {
        "rel_prune": [chosen("stars_in"), chosen("stars_in", "year_of")],
        "ent_score": equal_scores,
        "evaluate": NO,
        **FALLBACK,
    }
    seen = ask(facts, script, depth=2, **on("way_back"))
    assert seen.offered()[1] == ["year_of"]
    assert "other, stars_in, film" not in seen.triples()[1]
    seen = ask(facts, script, depth=2, **off("way_back"))
    assert seen.offered()[1] == ["stars_in", "year_of"]
    assert "other, stars_in, film" in seen.triples()[1]


def test_way_back_leaves_the_same_direction_open() -> None:
    facts = "start  child  b\nb  child  c"
    script = {"rel_prune": chosen("child"), "evaluate": NO, **FALLBACK}
    for quirks in (on("way_back"), off("way_back")):
        assert "b, child, c" in ask(facts, script, depth=2, **quirks).triples()[1]


# --- options beside the quirks -----------------------------------------------------------------------------------------


def test_keep_kg_rels_offers_them_beside_the_filter() -> None:
    facts = "start  kg.object_profile.x  b\nstart  type.object.key  c\nstart  type.object.type  d\nstart  r.one  e"
    skip = {"explore": ("kg.*", "type.*")}
    script = {"rel_prune": chosen("r.one"), "evaluate": NO, **FALLBACK}
    assert ask(facts, script, depth=1, skip=skip).offered() == [["r.one"]]
    kept = ask(facts, script, depth=1, skip=skip, keep_kg_rels=True).offered()
    assert kept == [["kg.object_profile.x", "r.one", "type.object.key"]]


def test_a_placeholder_hides_a_mediator_even_where_names_are_hidden() -> None:
    facts = "start  r.one  event\nstart  r.one  event2\nevent  r.two  b\nevent2  r.two  c"
    script = {"rel_prune": [chosen("r.one"), chosen("r.two")], "ent_score": equal_scores, "evaluate": NO, **FALLBACK}
    settings = {"depth": 2, "mediators": ["event", "event2"]}
    seen = ask(facts, script, **settings, unnamed_hidden="placeholder")
    assert seen.stages.count("ent_score") == 0
    assert all("Entity: unnamed node\n" in turn for turn in seen.turns("rel_prune")[1:])
    seen = ask(facts, script, **settings)
    assert seen.stages.count("ent_score") == 1
    assert not any("unnamed node" in turn for turn in seen.turns("rel_prune"))


def test_a_topic_is_shown_by_its_words_even_where_it_is_a_mediator() -> None:
    script = {"rel_prune": chosen("r.one"), "evaluate": NO, **FALLBACK}
    seen = ask("start  r.one  b", script, depth=1, mediators=["start"], unnamed_hidden="placeholder")
    assert "Entity: start\n" in seen.turns("rel_prune")[0]


def test_where_names_are_shown_nodes_without_one_cost_no_scoring() -> None:
    facts = "start  r.one  event\nstart  r.one  event2"
    script = {"rel_prune": chosen("r.one"), "ent_score": equal_scores, "evaluate": NO, **FALLBACK}
    for scenario, scorings in (("private", 1), ("p-g", 1), ("p-r", 0), ("p-rag", 0)):
        seen = ask(facts, script, depth=1, mediators=["event", "event2"], scenario=scenario)
        assert seen.stages.count("ent_score") == scorings


def test_every_quirk_has_a_test_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    tested = set(re.findall(r"^def test_([a-z]+\d+|[a-z_]+)_", source, re.MULTILINE))
    missing = [q.id for q in QUIRKS if not q.refused and not any(name.startswith(q.id.casefold()) for name in tested)]
    assert not missing
