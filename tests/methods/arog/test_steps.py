"""How many calls ARoG makes and in which order, what it does with replies of all kinds, and its knobs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from arog_script import about, ask, evidence, items, turns, world

from kgbench.contracts import ModelRequest, Profile
from kgbench.errors import PromptTooLong, UsageError
from kgbench.testing import MemoryGraph, ScriptedModel, parse_triples, run_once, toy_records
from kgbench.testing.harness import build_method
from kgbench.types import NodeNames

FORWARD = "forward mediator"


def tree(width: int, depth: int) -> MemoryGraph:
    """A tree in which each node has ``width`` relations to one child each."""
    lines, level = [], ["t"]
    for step in range(depth):
        children = []
        for node in level:
            for number in range(width):
                lines.append(f"{node}  rel{step}.r{number}  {node}{number}")
                children.append(f"{node}{number}")
        level = children
    return world("\n".join(lines))


@pytest.mark.parametrize(("width", "depth"), [(1, 1), (2, 2), (3, 3), (2, 4)])
def test_calls_are_those_of_the_formula_in_its_order(width: int, depth: int) -> None:
    """On a tree: one relation call a frontier entity, a concept a cluster, a verdict an iteration, also at the last."""
    run = ask(
        about("t"), {"judge": "{No} not yet."}, graph=tree(width, depth), parameters={"width": width, "depth": depth}
    )
    expected = ["structure"]
    for step in range(depth):
        frontier = 1 if step == 0 else width
        expected += ["relations"] * frontier + ["abstraction"] * frontier * width + ["judge"]
    assert run.stages("q") == (*expected, "answer")
    assert len(expected) + 1 <= 2 + depth * (width + width**2 + 1)


def test_a_verdict_ends_the_walk() -> None:
    run = ask(about("t"), {"judge": ["{No}", "{Yes}"]}, graph=tree(1, 3))
    assert run.stages("q").count("judge") == 2


def test_more_topics_than_the_width_are_all_explored_at_first() -> None:
    facts = "\n".join(f"{topic}  rel.one  x{topic}" for topic in "abcde")
    run = ask(about(*"abcde"), {"judge": "{No}"}, graph=world(facts), parameters={"width": 2})
    assert run.stages("q").count("relations") == 5
    assert len(evidence(run)) == 2


def test_temperatures() -> None:
    run = ask(FORWARD)
    hot = {call["stage"] for call in run.calls if call["sampling"]["temperature"] == 0.4}
    assert hot == {"relations", "abstraction"}
    assert {call["sampling"]["temperature"] for call in run.calls if call["stage"] not in hot} == {0.0}
    assert {call["sampling"]["max_tokens"] for call in run.calls} == {256}


# --- replies that break their form -------------------------------------------------------------------------------------


def notes(run: Any) -> dict[str, int]:
    (record,) = run.records
    return dict(record["notes"])


@pytest.mark.parametrize(
    ("part", "reply", "note"),
    [
        ("sa", "No idea.", "parse_failure:structure"),
        ("relations", "None of these.", "parse_failure:relations"),
        ("relations", "[]", "parse_failure:relations"),
        ("abstraction", "A thing.", "parse_failure:abstraction"),
        ("abstraction", '{"type": ""}', "parse_failure:abstraction"),
        ("judge", "Maybe.", "parse_failure:judge"),
        ("judge", "Yes, it is.", "parse_repaired:judge"),
        ("answer", "I cannot say.", "parse_failure:answer"),
        ("answer", "{unclosed", "parse_repaired:answer"),
    ],
)
def test_every_malformed_reply_is_counted_and_the_walk_goes_on(part: str, reply: str, note: str) -> None:
    run = ask(FORWARD, {part: reply})
    assert notes(run)[note] >= 1
    assert run.stages(FORWARD)[-1] == "answer"


@pytest.mark.parametrize("part", ["sa", "relations", "abstraction", "judge", "answer"])
def test_an_empty_reply_is_asked_for_once_more_with_other_bytes(part: str) -> None:
    run = ask(FORWARD, {part: ""}, parameters={"depth": 1})
    stage = {"sa": "structure"}.get(part, part)
    first, second = turns(run, stage)[:2]
    assert second.startswith(first + "\n")
    assert notes(run)[f"retried:{stage}"] == run.stages(FORWARD).count(stage) / 2
    assert run.stages(FORWARD)[-1] == "answer"


def test_a_structure_that_cannot_be_read_leaves_the_question_itself() -> None:
    """Selection then compares with the question, as with structure abstraction off."""
    junk, off = ask(FORWARD, {"sa": "No idea."}), ask(FORWARD, parameters={"sa": "off"})
    assert evidence(junk) == evidence(off)
    assert off.stages(FORWARD) == junk.stages(FORWARD)[1:]


@pytest.mark.parametrize(
    ("reply", "followed"),
    [
        ('["person.child.godchild", "person.fri', ["person.child.godchild"]),
        ('["person.child.godchild"', ["person.child.godchild"]),
        ("[person.child.godchild; person.friend]", ["person.child.godchild", "person.friend", "person.friend"]),
        ("I would follow person.child.godchild.", ["person.child.godchild"]),
        ("1. person.child.godchild (0.9)\n2. made.up.relation (0.1)", ["person.child.godchild"]),
        ('["made.up", "person.child.godchild", "person.child.godchild"]', ["person.child.godchild"]),
        ("['person.friend'] or rather ['person.child.godchild']", ["person.child.godchild"]),
    ],
)
def test_relation_replies_of_odd_forms(reply: str, followed: list[str]) -> None:
    """A label inside another one is not found in it, and one that is not offered is dropped and counted."""
    run = ask(FORWARD, {"relations": reply})
    assert sorted(line.split(", ")[1] for line in evidence(run)) == followed
    assert "parse_failure:relations" not in notes(run)
    assert ("made" in reply or reply.endswith("fri")) == ("unknown_relation" in notes(run))


def test_no_usable_relation_falls_back_on_similarity() -> None:
    run = ask(FORWARD, {"relations": "none"}, parameters={"width": 1})
    assert [line.split(", ")[1] for line in evidence(run)] == ["person.job-job.employer"]


def test_more_labels_than_asked_for_are_cut() -> None:
    labels = '["person.friend", "person.lives_in", "person.child", "person.job"]'
    run = ask(FORWARD, {"relations": labels}, parameters={"width": 2})
    assert not {"person.child", "person.job"} & {line.split(", ")[1] for line in evidence(run)}


def test_long_relation_lists_are_filtered_before_they_are_sent() -> None:
    facts = "\n".join(f"t  rel.number{number}  x" for number in range(230))
    run = ask(about("t"), graph=world(facts))
    assert turns(run, "relations")[0].count("rel.number") == 200
    assert notes(run)["relations_prefiltered"] == 1


@pytest.mark.parametrize(
    ("reply", "concept"),
    [
        ('{"type": "Big (old)  \\"Company\\"", "description": "x"}', "big old company"),
        ("{'type': 'river', 'description': 'water'}", "river"),
        ('{"description": "x", "type": "one two three four five six seven"}', "one two three four five six"),
        ('```json\n{"type": "town"}\n```', "town"),
        ("no", "entity"),
    ],
)
def test_concepts_are_short_plain_and_in_lower_case(reply: str, concept: str) -> None:
    run = ask(FORWARD, {"relations": '["person.lives_in"]', "abstraction": reply})
    assert evidence(run) == [f"Brenka Moll, person.lives_in, velm ({concept})"]


def test_concepts_of_several_clusters_are_joined_unless_one_holds_the_other() -> None:
    facts = "t  rel.a  x\nt  rel.b  x\nt  rel.c  x"
    replies = ['{"type": "town"}', '{"type": "port town"}', '{"type": "Town"}']
    run = ask(about("t"), {"abstraction": replies}, graph=world(facts))
    assert all(line.endswith("x (town, port town)") for line in evidence(run))


def test_an_exemplars_name_is_no_concept_and_no_step_of_the_path() -> None:
    run = ask(FORWARD, {"abstraction": '{"type": "Orvanel"}', "sa": "Path: {Orvanel (a) -> b -> x (c)}"})
    assert "Orvanel" not in turns(run, "answer")[0]
    assert notes(run)["exemplar_echo:abstraction"] >= 1
    assert notes(run)["exemplar_echo:structure"] == 1
    assert notes(run)["parse_failure:structure"] == 1


# --- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "status", "texts", "source", "note"),
    [
        ("{m.0zzzzzzz}", "no_answer", [], "model", "unknown_handle"),
        ("{m.0ea41uo}", "no_answer", [], "model", "unknown_handle"),
        ("{unknown}", "no_answer", [], "model", None),
        ("{}", "no_answer", [], "model", None),
        ("{Quorl | Brenka Moll}", "ok", ["Quorl", "Brenka Moll"], "model", None),
        ("{Brenka Moll}", "ok", ["Brenka Moll"], "graph", None),
        ("It is brenka.", "ok", [], "model", "parse_failure:answer"),
    ],
)
def test_answers_without_a_handle_of_the_question(
    reply: str, status: str, texts: list[str], source: str, note: str | None
) -> None:
    run = ask(FORWARD, {"answer": reply})
    (record,) = run.records
    assert (record["status"], items(run), record["prediction"]["source"]) == (status, texts, source)
    assert note is None or record["notes"][note] == 1


def test_unknown_handles_beside_known_ones_are_dropped() -> None:
    def mixed(task: Any) -> str:
        handle = task.triples[0].object.text.split(" (")[0]
        return f"{{m.0zzzzzzz | {handle.upper()} (thing) | {handle[2:]}}}"

    run = ask(FORWARD, {"relations": '["person.lives_in"]', "answer": mixed})
    assert items(run) == ["Port Velm"]
    assert notes(run)["unknown_handle"] == 1
    assert notes(run)["handle_repaired"] == 2


def test_ids_of_which_one_begins_another_are_told_apart() -> None:
    graph = MemoryGraph(
        parse_triples("m.0t  rel.one  m.0t1\nm.0t  rel.one  m.0t10"),
        names={"m.0t": NodeNames("T"), "m.0t1": NodeNames("One"), "m.0t10": NodeNames("Ten")},
        profile=Profile(name="p", opaque_ids=True),
    )
    record = about("m.0t", text="What of T?")
    run = ask(record, {"answer": "{m.0t10 (thing)} not m.0t1"}, graph=graph, pseudonyms="source-id")
    assert items(run) == ["Ten"]
    assert run.records[0]["prediction"]["raw"] == "{Ten (thing)} not One"


def test_homonyms_are_both_answers_and_counted() -> None:
    run = ask("homonyms", {"answer": "{Tamsin Orrel}"}, scenario="p-rag")
    (record,) = run.records
    assert [item["ids"] for item in record["prediction"]["items"]] == [["tamsin1"], ["tamsin10"]]
    assert record["notes"]["ambiguous_answer"] == 1


def test_odd_names_come_back_whole_where_names_are_shown() -> None:
    run = ask("odd names", scenario="p-rag", parameters={"depth": 1})
    names = {"Awake {now}", "AC; DC", "A -> B", "x | y", 'Line one\nand "two"'}
    quoted = ask("odd names", {"answer": "{AC; DC}"}, scenario="p-rag")
    assert items(quoted) == ["AC; DC"]
    hidden = ask("odd names")
    assert set(items(hidden)) == names
    assert len(evidence(run)) == 5


@pytest.mark.parametrize(("question", "stages"), [("no topic", ("cot",)), ("absent topic", ("structure", "cot"))])
def test_where_the_graph_gives_nothing_memory_answers_and_is_not_credited_to_it(
    question: str, stages: tuple[str, ...]
) -> None:
    run = ask(question)
    (record,) = run.records
    assert run.stages(question) == stages
    assert (record["prediction"]["source"], items(run)) == ("fallback", ["Somewhere"])
    assert "nothing_retrieved" in record["notes"] or question == "no topic"


# --- knobs -------------------------------------------------------------------------------------------------------------


def test_without_step_three_everything_is_an_entity() -> None:
    run = ask(FORWARD, {"relations": '["person.job", "person.lives_in"]'}, parameters={"steps": (1,)})
    assert "abstraction" not in run.stages(FORWARD)
    assert "velm (entity)" in "".join(evidence(run))
    assert '"2004" (date value)' in "".join(evidence(run))


def test_step_two_shows_the_closest_relations_alone() -> None:
    facts = "t  rel.one  x\n" + "\n".join(f"x  about.thing{number}  y" for number in range(9))
    shown = {
        steps: len(
            re.findall(
                r"about\.",
                turns(ask(about("t"), graph=world(facts), parameters={"steps": steps, **more}), "abstraction")[0],
            )
        )
        for steps, more in {(1, 2, 3): {"top_k": 4}, (1, 3): {}}.items()
    }
    assert shown == {(1, 2, 3): 4, (1, 3): 9}


@pytest.mark.parametrize(
    "parameters", [{"steps": (1, 2)}, {"steps": (2, 3)}, {"width": 0}, {"depth": 0}, {"sa": "tree"}]
)
def test_impossible_parameters_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        build_method("arog", parameters)


@pytest.mark.parametrize(
    ("sa", "template", "reply"),
    [
        ("cot", "arog.sa_reasoning", "First, find the job.\nThen, find the employer."),
        ("dec", "arog.sa_decomposition", '["What job?", "Which employer?"]'),
    ],
)
def test_other_abstractions_of_the_question(sa: str, template: str, reply: str) -> None:
    run = ask(FORWARD, {template.removeprefix("arog."): reply}, parameters={"sa": sa})
    assert run.calls[0]["template"] == template
    assert "parse_failure:structure" not in notes(run)
    broken = ask(FORWARD, {template.removeprefix("arog."): "..."}, parameters={"sa": sa})
    assert notes(broken)["parse_failure:structure"] == 1


def test_the_official_profile_says_that_names_took_part() -> None:
    official = ask(FORWARD, {"relations": '["person.job"]'}, parameters={"profile": "official"})
    assert notes(official)["names_in_selection"] >= 1
    assert "names_in_selection" not in notes(ask(FORWARD))
    assert "(specific value)" in "".join(evidence(official))


# --- prompts that are too long -----------------------------------------------------------------------------------------


class ShortSighted(ScriptedModel):
    """A model that takes at most some lines of evidence."""

    def __init__(self, lines: int) -> None:
        super().__init__(self._play)
        self._lines = lines

    def _play(self, request: ModelRequest) -> str:
        from arog_script import play

        assert request.task is not None
        if len(request.task.triples) > self._lines:
            raise PromptTooLong("too long")
        return play(relations='["person.job", "person.lives_in"]')(request)


def test_evidence_that_does_not_fit_loses_its_worst_clusters_first() -> None:
    full = ask(FORWARD, {"relations": '["person.job", "person.lives_in"]'})
    assert len(evidence(full)) == 3
    run = run_once("arog", records=toy_records(FORWARD), model=ShortSighted(2))
    assert notes(run)["evidence_cut"] == 1
    assert set(evidence(run)) < set(evidence(full))
    assert run.records[0]["status"] == "ok"


def test_one_cluster_that_does_not_fit_ends_the_question() -> None:
    run = run_once("arog", records=toy_records(FORWARD), model=ShortSighted(0))
    assert run.records[0]["status"] == "prompt_too_long"
