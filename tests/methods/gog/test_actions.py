"""The agent's replies: what is read of odd ones, and that what is written is read back."""

from __future__ import annotations

import random
from dataclasses import dataclass
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from odd_replies import ODD_REPLIES

from kgbench_methods.common.answers import is_abstention
from kgbench_methods.gog.actions import Verb, is_id, read_finish, read_step, write_step, write_unknown
from kgbench_methods.gog.facts import read_facts, write_facts
from kgbench_methods.gog.search import chosen_labels, is_empty_list

MUTATIONS = 10_000
LABELS = ("person.place_of_birth", "person.name", "company.name", "company.town")


@dataclass(frozen=True)
class Acted:
    verb: str
    arguments: tuple[str, ...]


# --- steps -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        "Thought: look at both.\nAction: Search[Ann | Bob]",
        "Thought 3: look at both.\nAction 3: Search[Ann | Bob]",
        "**Thought 1:** look at both.\n**Action 1:** Search[Ann | Bob]",
        "thought: look at both. action: search [Ann|Bob]",
        'Thought: look at both.\nAction: Search["Ann" | "Bob"]\nObservation: Ann, likes, Eve\nAction: Finish[Eve]',
        "Thought: look at both.\nAction: Search[[Ann] | [Bob]] and so on",
        "Thought: look at both.\nAction: Search[[Ann | Bob]]",
        "Thought: look at both.\nAction:\n`Search[Ann | Bob]`",
        "Thought: look at both.\nAction: Search[Ann | Bob | Ann]",
        "<think>Action: Finish[Eve]</think>Thought: look at both.\nAction: Search[Ann | Bob",
        "look at both.\nSearch[Ann | Bob]",
    ],
)
def test_forms_of_a_step(reply: str) -> None:
    step = read_step(reply)
    assert step is not None
    assert (step.verb, step.arguments, step.is_unknown) == (Verb.SEARCH, ("Ann", "Bob"), False)
    assert step.thought == "look at both."


def test_names_with_brackets() -> None:
    step = read_step("Thought: t\nAction: Finish[Awake [now] | Sleep]")
    assert step is not None
    assert step.arguments == ("Awake [now]", "Sleep")


@pytest.mark.parametrize(
    "reply", ["", "I cannot help.", "Action: Look[Ann]", "Action: Search[]", "Search", "Search[ | ]"]
)
def test_replies_without_a_step(reply: str) -> None:
    assert read_step(reply) is None


@pytest.mark.parametrize("content", ["unknown", "Unknown", "none", "", "n/a", "null | Ann", '"unknown"'])
def test_an_agent_that_found_nothing(content: str) -> None:
    step = read_step(f"Thought: t\nAction: Finish[{content}]")
    assert step is not None
    assert step.is_unknown


def test_the_last_pair_counts_and_as_published_the_first() -> None:
    reply = "Thought 1: a\nAction 1: Search[Ann]\nThought 2: b\nAction 2: Generate[x]"
    last, first = read_step(reply), read_step(reply, first=True)
    assert last is not None and first is not None
    assert (last.thought, last.verb) == ("b", Verb.GENERATE)
    assert (first.thought, first.verb) == ("a", Verb.SEARCH)


def test_an_action_named_in_the_thought_is_no_action() -> None:
    step = read_step("Thought: I could Finish[Eve], but no.\nAction: Search[Ann]\nMaybe later Finish[Eve]")
    assert step is not None
    assert (step.verb, step.arguments) == (Verb.SEARCH, ("Ann",))


def test_the_action_as_written_stays_for_the_trace() -> None:
    step = read_step('Thought: t\nAction: search["Ann" |  Bob]')
    assert step is not None
    assert step.action == 'search["Ann" | Bob]'


def test_a_trace_from_memory_ends_at_its_first_finish() -> None:
    trace = (
        "Thought: a\nAction: Search[Ann]\nObservation:\nAnn, likes, Eve\nAction: Finish[Eve]\nQuestion: x\nFinish[Bob]"
    )
    step = read_finish(trace)
    assert step is not None
    assert step.arguments == ("Eve",)
    assert read_finish("Thought: a\nAction: Search[Ann]") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("m.0b7k2xq1", True), ("g.11b", True), (" 'm.0b7k2xq1 (event)'", True), ("Ann", False), ("am.0b7", False)],
)
def test_what_looks_like_an_id(text: str, expected: bool) -> None:
    assert is_id(text) is expected


# --- written and read --------------------------------------------------------------------------------------------------

ODD_NAMES = (
    "AC; DC",
    "x | y",
    "Awake [now]",
    "a ] b",
    '"quoted"',
    "'Round Midnight",
    "Unknown",
    "none",
    "\\u0041",
    "Line one\nand two",
    "<think>x</think>",
    "Action: Finish[z]",
    "Ostramune T.R.",
    " spaced ",
    "**bold**",
    "m.0b7k2xq1 (event)",
)


@pytest.mark.parametrize("verb", ["search", "finish", "generate"])
def test_odd_names_survive(verb: str) -> None:
    step = read_step(write_step(Acted(verb, ODD_NAMES)))
    assert step is not None
    assert (step.verb, step.arguments, step.is_unknown) == (verb, ODD_NAMES, False)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4, unique=True), st.sampled_from(["search", "finish"]))
@example(["unknown", "x"], "finish")
@example(["\x1c"], "search")
def test_any_names_survive(names: list[str], verb: str) -> None:
    for read in (read_step, lambda reply: read_step(reply, first=True)):
        step = read(write_step(Acted(verb, tuple(names))))
        if verb == "finish" and names == ["unknown"]:
            assert step is not None and step.is_unknown
            continue
        assert step is not None
        assert (step.verb, step.arguments, step.is_unknown) == (verb, tuple(names), False)


@pytest.mark.parametrize("arguments", [(), ("unknown",)])
def test_nothing_to_say_is_unknown(arguments: tuple[str, ...]) -> None:
    for text in (write_step(Acted("finish", arguments)), write_unknown(None)):
        step, whole = read_step(text), read_finish(text)
        assert step is not None and whole is not None
        assert step.is_unknown and whole.is_unknown


# --- facts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        "Ann\tlikes\tBob\nBob\tlives in\tVelm, North",
        "Here you are:\nAnn | likes | Bob\n| Bob | lives in | Velm, North |\nAnn | likes | Bob",
        "```\n1. Ann\tlikes\tBob\n2. Bob\tlives in\t'Velm, North'\n```",
    ],
)
def test_forms_of_facts(reply: str) -> None:
    expected = [("Ann", "likes", "Bob"), ("Bob", "lives in", "Velm, North")]
    assert [tuple(fact) for fact in read_facts(reply)] == expected


def test_lines_that_are_no_facts_are_dropped() -> None:
    assert [tuple(fact) for fact in read_facts("none\na\tb\na\tb\tc\td\nx, y, z\na\t\tb\n")] == [("x", "y", "z")]


@pytest.mark.parametrize("facts", [None, []])
def test_no_fact_is_said_in_a_word(facts: list[tuple[str, str, str]] | None) -> None:
    assert write_facts(facts) == "none"
    assert read_facts(write_facts(facts)) == ()


_FIELD = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="\"'`“”„‘’«»*_<~"), min_size=1)


@given(st.lists(st.tuples(_FIELD, _FIELD, _FIELD), min_size=1, max_size=1))
def test_any_fact_survives(facts: list[tuple[str, str, str]]) -> None:
    assert [tuple(fact) for fact in read_facts(write_facts(facts))] == facts


# --- relations ---------------------------------------------------------------------------------------------------------


def test_relations_by_label_or_by_an_end_that_only_one_has() -> None:
    assert chosen_labels('["company.town", "person.name"]', LABELS, 3) == (("company.town", "person.name"), 0)
    assert chosen_labels("[place_of_birth, company.town]", LABELS, 3) == (("person.place_of_birth", "company.town"), 0)
    labels = ("people.person.name", "fictional.person.name", "people.person.place_of_birth")
    assert chosen_labels("[person.place_of_birth]", labels, 3) == (labels[2:], 0)
    assert chosen_labels("[person.name]", labels, 3) == ((), 1)
    assert chosen_labels("[name, town]", LABELS, 3) == (("company.town",), 1)
    assert chosen_labels("1. place_of_birth\n2. town", LABELS, 1) == (("person.place_of_birth",), 0)


def test_relations_by_their_numbers() -> None:
    assert chosen_labels("[4, 1]", LABELS, 3) == (("company.town", "person.place_of_birth"), 0)
    assert chosen_labels("2, 9.", LABELS, 3) == (("person.name",), 1)
    assert chosen_labels("I take 2 of them.", LABELS, 3) == ((), 0)


def test_a_word_of_a_sentence_is_no_relation() -> None:
    assert chosen_labels("The town is what we need.", LABELS, 3) == ((), 0)
    assert chosen_labels("I would take company.town.", LABELS, 3) == (("company.town",), 0)


@pytest.mark.parametrize(("reply", "empty"), [("[]", True), ("[ ]", True), ("none", False), ('["x"]', False)])
def test_an_empty_list_is_a_choice(reply: str, empty: bool) -> None:
    assert is_empty_list(reply) is empty


# --- any text ----------------------------------------------------------------------------------------------------------

PIECES = (
    "Thought:",
    "Action 1:",
    "Search[",
    "Finish[",
    "Generate[",
    "]",
    "|",
    "\n",
    "\t",
    "Observation:",
    "unknown",
    "m.0",
    '"',
)


def check(text: str) -> None:
    """Run every parser and check what must hold whatever the text."""
    for step in (read_step(text), read_step(text, first=True), read_finish(text)):
        if step is not None:
            assert all(step.arguments) and len(set(step.arguments)) == len(step.arguments)
            assert step.arguments or step.verb is not Verb.SEARCH
            assert "\n" not in step.thought
    assert all(all(fact) and "\n" not in fact.text for fact in read_facts(text))
    labels, unknown = chosen_labels(text, LABELS, 2)
    assert len(labels) == len(set(labels)) <= 2
    assert set(labels) <= set(LABELS) and unknown >= 0
    is_empty_list(text)
    is_abstention(text)


@pytest.mark.parametrize("reply", ODD_REPLIES, ids=range(len(ODD_REPLIES)))
def test_odd_replies(reply: str) -> None:
    check(reply)


def test_ten_thousand_random_and_mutated_replies() -> None:
    generator = random.Random(20240611)  # noqa: S311
    short = [reply for reply in ODD_REPLIES if len(reply) < 1000] + [write_step(Acted("search", ODD_NAMES))]
    for _ in range(MUTATIONS):
        if generator.random() < 0.5:
            check("".join(generator.choice((*PIECES, *LABELS, "Ann", " ")) for _ in range(generator.randint(0, 12))))
            continue
        text = generator.choice(short)
        start, end = sorted(generator.randint(0, len(text)) for _ in range(2))
        check(text[:start] + generator.choice(PIECES) + generator.choice((text[start:end], "")) + text[end:])


@pytest.mark.parametrize(
    "piece", ["[", "]", "Search[", "Action: Search[", "Thought: ", "\t", "Finish[]", "1, ", "Observation\n", "action "]
)
def test_long_replies_take_no_long_time(piece: str) -> None:
    began = process_time()
    check(piece * (40_000 // len(piece)))
    assert process_time() - began < 3
