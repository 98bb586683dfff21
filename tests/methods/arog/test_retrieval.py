"""What ARoG reads of a graph, told by the evidence that its last prompt shows."""

from __future__ import annotations

import pytest
from arog_script import about, ask, evidence, items, turns, world

from kgbench.contracts import Profile
from kgbench.testing import toy_graph


def test_a_mediator_is_walked_forwards() -> None:
    run = ask("forward mediator", {"relations": '["person.job"]'})
    assert run.stages("forward mediator") == ("structure", "relations", "abstraction", "judge", "answer")
    assert evidence(run) == [
        "Brenka Moll, person.job-job.employer, ashgrove (thing)",
        'Brenka Moll, person.job-job.since, "2004" (date value)',
    ]
    assert "object of: person.job-job.employer\n" in turns(run, "abstraction")[0]
    assert sorted(items(run)) == ["2004", "Ashgrove Works"]


def test_a_mediator_is_walked_backwards() -> None:
    run = ask("backward mediator", {"relations": '["job.employer"]'})
    assert evidence(run) == [
        "brenka (thing), person.job-job.employer, Ashgrove Works",
        "tamsin1 (thing), person.job-job.employer, Ashgrove Works",
    ]
    assert "subject of: person.job-job.employer" in turns(run, "abstraction")[0]


def test_a_mediator_that_is_the_subject_of_all_its_roles() -> None:
    run = ask("n-ary mediator", {"relations": '["win.prize"]'})
    assert evidence(run) == [
        "Copper Quill, win.prize-win.winner, brenka (thing)",
        'Copper Quill, win.prize-win.year, "2011" (date value)',
    ]


def test_joined_relations_behind_a_mediator_are_the_closest_to_the_question() -> None:
    run = ask("forward mediator", {"relations": '["person.job"]'}, parameters={"width": 1})
    assert evidence(run) == ["Brenka Moll, person.job-job.employer, ashgrove (thing)"]


def test_literals_need_no_call() -> None:
    run = ask("literals", {"relations": '["company.phone", "company.founded"]'})
    assert run.stages("literals") == ("structure", "relations", "judge", "answer")
    assert evidence(run) == [
        'Ashgrove Works, company.founded, "1911-05-04" (date value)',
        'Ashgrove Works, company.phone, "0417 3301" (text value)',
        'Ashgrove Works, company.phone, "0417 3302" (text value)',
        'Ashgrove Works, company.phone, "0417 3303" (text value)',
    ]
    assert set(items(run)) == {"1911-05-04", "0417 3301", "0417 3302", "0417 3303"}


def test_a_large_cluster_is_sampled_alike_in_every_scenario() -> None:
    hidden, shown, reseeded = ask("hub"), ask("hub", scenario="p-rag"), ask("hub", seed=1)
    people = toy_graph().all_names
    sampled = [
        {line.split(" (")[0] for line in evidence(run) if "lives_in" in line} for run in (hidden, shown, reseeded)
    ]
    assert [len(nodes) for nodes in sampled] == [5, 5, 5]
    assert {people[node].name for node in sampled[0]} == sampled[1]
    assert sampled[0] != sampled[2]


@pytest.mark.parametrize(("count", "kept"), [(19, 19), (20, 5)])
def test_where_sampling_begins(count: int, kept: int) -> None:
    facts = "\n".join(f't  rel.one  "value {number}"' for number in range(count))
    assert len(evidence(ask(about("t"), graph=world(facts)))) == kept
    facts = "\n".join(f"t  rel.one  node{number}" for number in range(count))
    assert len(evidence(ask(about("t"), graph=world(facts)))) == kept


def test_behind_mediators_twenty_are_kept() -> None:
    facts = "\n".join(f"t  rel.one  m\nm  rel.two  node{number}" for number in range(30))
    assert len(evidence(ask(about("t"), graph=world(facts, mediators=["m"])))) == 20


def test_a_dead_end_of_nodes_without_names_is_answered_from_what_there_is() -> None:
    run = ask("dead end", {"judge": "{No} more."})
    assert run.stages("dead end") == ("structure", "relations", "abstraction", "judge", "answer")
    assert evidence(run) == [f"the Old Lantern, object.part, part{number} (thing)" for number in (1, 2)]
    assert turns(run, "abstraction")[0].endswith("subject of: none")
    assert run.records[0]["notes"]["entity_without_relations"] == 2
    assert run.records[0]["prediction"]["source"] == "graph"


def test_where_relations_say_nothing_the_last_ones_words_are_the_concept() -> None:
    profile = Profile(name="p", skip={"describe": ("*",)})
    run = ask(about("t"), graph=world("t  rel.odd_part  x", profile=profile))
    assert run.stages("q") == ("structure", "relations", "judge", "answer")
    assert evidence(run) == ["T, rel.odd_part, x (odd part)"]


def test_bookkeeping_relations_are_neither_offered_nor_followed() -> None:
    profile = Profile(name="p", skip={"explore": ("hidden.*",)})
    run = ask(about("t"), graph=world("t  rel.one  x\nt  hidden.two  y\nt  rel.m  m\nm  hidden.z  z", profile=profile))
    assert "hidden" not in "".join(turns(run, "relations"))
    assert not any("hidden" in line for line in evidence(run))


def test_a_cluster_that_holds_a_topic_shows_it_by_its_mention() -> None:
    run = ask("two topics", {"relations": ['["person.job"]', '["job.employer"]']})
    assert run.stages("two topics") == ("structure", "relations", "relations", "abstraction", "judge", "answer")
    assert evidence(run) == [
        "Brenka Moll, person.job-job.employer, Ashgrove Works",
        'Brenka Moll, person.job-job.since, "2004" (date value)',
        "tamsin1 (thing), person.job-job.employer, Ashgrove Works",
    ]


def test_a_label_in_both_directions_is_offered_once_and_followed_both_ways() -> None:
    run = ask("forward mediator", {"relations": '["person.friend"]'})
    assert turns(run, "relations")[0].count("person.friend") == 1
    assert evidence(run) == [
        "Brenka Moll, person.friend, tamsin1 (thing)",
        "tamsin10 (thing), person.friend, Brenka Moll",
    ]


def test_only_the_triple_one_came_by_is_barred_on_the_way_on() -> None:
    """From a film back along ``starring`` to its other actors: the same relation, another triple."""
    facts = "film1  film.starring  ann\nfilm1  film.starring  bob\nann  award.won  cup"
    run = ask(
        about("ann"),
        {"relations": ['["film.starring"]', '["film.starring"]'], "judge": ["{No}", "{Yes}"]},
        graph=world(facts),
    )
    assert evidence(run) == ["film1 (thing), film.starring, ANN", "film1 (thing), film.starring, bob (thing)"]
    lonely = ask(about("ann"), {"relations": '["film.starring"]', "judge": "{No}"}, graph=world(facts.splitlines()[0]))
    assert lonely.stages("q") == ("structure", "relations", "abstraction", "judge", "answer")


def test_the_way_back_along_a_declared_inverse_is_barred_too() -> None:
    facts = "ann  directed  film1\nfilm1  directed_by  ann"
    graph = world(facts, inverses={"directed": "directed_by"})
    run = ask(about("ann"), {"relations": '["directed"]', "judge": "{No}"}, graph=graph)
    assert run.stages("q") == ("structure", "relations", "abstraction", "judge", "answer")


def test_nothing_is_expanded_twice() -> None:
    """A circle: a topic or an entity met again stays evidence and is not walked from again."""
    facts = "pp  next  qq\nqq  next  rr\nrr  next  pp"
    run = ask(about("pp"), {"judge": "{No}"}, graph=world(facts), parameters={"depth": 4})
    asked = [turn.split("\n")[1] for turn in turns(run, "relations")]
    assert len(asked) == len(set(asked)) == 3
    assert evidence(run) == ["PP, next, qq (thing)", "qq (thing), next, rr (thing)", "rr (thing), next, PP"]


def test_equal_scores_are_told_apart_by_label() -> None:
    """Both labels are the same words, so both clusters score alike; order in the graph or of ids says nothing."""
    run = ask(about("t"), graph=world("t  a.b_c  x2\nt  a.b-c  x1\nt  a.b.c  x3"), parameters={"width": 3})
    chosen = ask(
        about("t"),
        {"relations": '["a.b_c"]'},
        graph=world("t  a.b_c  x2\ns  a.b_c  t\nt  a.b-c  x1"),
        parameters={"width": 1},
    )
    assert len(evidence(run)) == 3
    assert evidence(chosen) == ["T, a.b_c, x2 (thing)"]
