"""Templates: every exemplar is read as it should be, and what a template writes is what the method reads."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

import pytest

from kgbench.prompts import Choice, TaskKind, Template
from kgbench.seam.audit import contains, tokens_of
from kgbench.testing.toy import toy_graph
from kgbench.types import Phase
from kgbench_methods.common.lists import parse_numbers
from kgbench_methods.gog.actions import Verb, read_finish, read_step
from kgbench_methods.gog.exemplars import AWARE, EVENT, GENERATED, MISSING, NAIVE, NOTHING, SEARCHED_INSTEAD, WIDENED
from kgbench_methods.gog.facts import read_facts
from kgbench_methods.gog.parameters import MOST_STEPS, GogParameters
from kgbench_methods.gog.prompts import STEP_SLOTS, TEMPLATES, prompt_set
from kgbench_methods.gog.search import chosen_labels, is_empty_list

ODD = ("AC; DC", "x | y", "Awake [now]", 'say "so"', "a, b", "m.0b7k2xq1 (event)", "1. FC")


@dataclass(frozen=True)
class Acted:
    verb: str
    arguments: tuple[str, ...]


def of(task: str) -> list[Template]:
    return [template for template in TEMPLATES if template.stage == task]


def test_the_templates_of_a_run_are_among_all() -> None:
    names = [template.name for template in TEMPLATES]
    assert len(names) == len(set(names)) == 22
    for profile in ("clean", "official"):
        chosen = prompt_set(GogParameters(profile=profile))  # type: ignore[arg-type]
        for template in (chosen.agent, chosen.relations, chosen.entity, chosen.generate, chosen.verify, chosen.memory):
            assert template in TEMPLATES
            assert template.flat is (profile == "official")
            assert bool(template.reminder) is (profile == "clean")


def test_phases_and_kinds() -> None:
    found = {template.stage: (template.phase, template.kind) for template in TEMPLATES}
    assert found == {
        "agent": (Phase.MIXED, TaskKind.ACT),
        "relations": (Phase.RETRIEVAL, TaskKind.CHOOSE),
        "entity": (Phase.RETRIEVAL, TaskKind.CHOOSE),
        "generate": (Phase.RETRIEVAL, TaskKind.RECALL),
        "verify": (Phase.RETRIEVAL, TaskKind.RECALL),
        "memory": (Phase.GENERATION, TaskKind.RECALL),
    }


# --- exemplars ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("template", of("agent"), ids=lambda template: template.name)
def test_exemplars_of_the_agent(template: Template) -> None:
    steps = [step for trace in AWARE for step in trace.steps]
    assert len(template.examples) == len(steps)
    verbs = []
    for example in template.examples:
        read = read_step(example.reply)
        assert read is not None and not read.is_unknown
        verbs.append(read.verb)
        assert set(example.slots) == {"question", "topics", "searched", *(name for pair in STEP_SLOTS for name in pair)}
    assert set(verbs) == set(Verb)
    turns = "\n".join(template.lay_out(example.slots) for example in template.examples)
    assert "\n\n" not in turns
    assert (f"({EVENT})" in turns) is ("naive" not in template.name)


def test_a_turn_shows_step_below_step() -> None:
    example = prompt_set(GogParameters()).agent.examples[4]
    turn = prompt_set(GogParameters()).agent.lay_out(example.slots)
    assert turn.splitlines()[2:6] == [
        "Hobbelune Vey",
        "Thought: I need the posts of Hobbelune Vey.",
        "Action: Search[Hobbelune Vey]",
        "Observation:",
    ]
    assert turn.splitlines()[-2:] == ["Already searched:", "Hobbelune Vey; m.0ou52ai; m.0ua41ei"]


def test_naive_traces_answer_with_names_alone() -> None:
    for aware, naive in zip(AWARE, NAIVE, strict=True):
        read = read_step(naive.steps[-1].reply)
        assert read is not None
        assert not any(argument.startswith("m.") for argument in read.arguments)
        assert aware.topics == naive.topics


@pytest.mark.parametrize("template", of("memory"), ids=lambda template: template.name)
def test_exemplars_of_the_memory_prompt_are_whole_traces(template: Template) -> None:
    for example in template.examples:
        read = read_finish(example.reply)
        assert read is not None and not read.is_unknown
        assert example.reply.count("Action:") == example.reply.count("Observation") + 1


@pytest.mark.parametrize("template", of("relations"), ids=lambda template: template.name)
def test_exemplars_of_the_relation_prompt(template: Template) -> None:
    read = [chosen_labels(e.reply, e.slots["relations"], 3) for e in template.examples]  # type: ignore[arg-type]
    assert [unknown for _, unknown in read] == [0, 0, 0]
    assert [len(labels) for labels, _ in read] == [2, 3, 0]
    assert is_empty_list(template.examples[2].reply)


def test_exemplars_of_the_other_retrieval_prompts() -> None:
    for template in of("entity"):
        assert [parse_numbers(example.reply, 2).numbers for example in template.examples] == [(1,)]
    for template in of("generate"):
        assert [len(read_facts(example.reply)) for example in template.examples] == [1, 0]
    for template in of("verify"):
        assert [len(read_facts(example.reply)) for example in template.examples] == [1, 1]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_invented_names_stand_in_no_bundled_graph(template: Template) -> None:
    demo = files("kgbench.data.demo").joinpath("files", "entities.tsv").read_text(encoding="utf-8").casefold()
    toy = " ".join(known.name or "" for known in toy_graph().all_names.values()).casefold()
    for name in template.invented:
        assert name.casefold() not in demo
        assert name.casefold() not in toy
        assert not name.startswith("m.") or any(vowel in name[2:] for vowel in "aeiou")


def test_exemplars_name_only_what_they_invent() -> None:
    """Every capital word inside a line is one of the invented names, a label of the form, or begins a sentence."""
    allowed = {name for template in TEMPLATES for name in template.invented}
    allowed |= {"Ensemble", "Quartet", "Vey", "T.R.", "T.R", "I", "Search", "Finish", "Generate"}
    for trace in AWARE + NAIVE:
        words = [word.strip("?,.|[]()") for word in trace.question.split()[1:]]
        assert {word for word in words if word[:1].isupper()} <= allowed


# --- written and read --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_what_a_template_writes_is_read_back(template: Template) -> None:
    if template.stage == "agent":
        for verb in ("search", "finish"):
            step = read_step(template.write(Acted(verb, ODD)))
            assert step is not None and (step.verb, step.arguments) == (verb, ODD)
    elif template.stage == "memory":
        step = read_finish(template.write(None))
        assert step is not None and step.is_unknown
    elif template.stage == "relations":
        labels = ("a.b", 'c "d"', "e, f", "g.h-i.j")
        reply = template.write([Choice(2, labels[1]), Choice(4, labels[3]), Choice(3, labels[2])])
        assert chosen_labels(reply, labels, None) == ((labels[1], labels[3], labels[2]), 0)
        assert is_empty_list(template.write([]))
    elif template.stage == "entity":
        assert parse_numbers(template.write([Choice(3, "x")]), 5).numbers == (3,)
        assert parse_numbers(template.write([]), 5).numbers == ()
    else:
        assert read_facts(template.write(None)) == ()
        assert read_facts(template.write([("a, b", "c | d", 'e "f" g')])) == (("a, b", "c | d", 'e "f" g'),)


@pytest.mark.parametrize("text", [NOTHING, MISSING, WIDENED, SEARCHED_INSTEAD, GENERATED])
@pytest.mark.parametrize("template", of("agent"), ids=lambda template: template.name)
def test_fixed_texts_of_a_trace_stand_in_its_template(template: Template, text: str) -> None:
    """An entity may be called "Everything": where the word is the template's own, the audit must know it."""
    fixed = [tokens_of(message["content"]) for message in template.fixed_messages]
    spoken = tokens_of(text.removeprefix("Observation").removeprefix("Action"))
    assert any(contains(tokens, spoken) for tokens in fixed)


def test_there_is_room_for_every_step() -> None:
    assert len(STEP_SLOTS) == MOST_STEPS - 1
