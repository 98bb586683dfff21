"""The prompts of GoG: typed templates, each clean or laid out in one message as the published code does it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from kgbench.prompts import Choice, Example, Layout, Order, Slot, TaskKind, Template
from kgbench.types import Phase
from kgbench_methods.common.lists import write_list
from kgbench_methods.gog.actions import write_step, write_unknown
from kgbench_methods.gog.exemplars import (
    AWARE,
    GROUPS,
    INVENTED,
    KNOWN_FACTS,
    NAIVE,
    RELATION_CASES,
    SAME_NAME,
    ShownStep,
    Trace,
    without_full_stop,
)
from kgbench_methods.gog.facts import write_facts
from kgbench_methods.gog.parameters import MOST_STEPS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench_methods.gog.parameters import GogParameters

STEP_SLOTS = tuple((f"step_{letter}", f"facts_{letter}") for letter in "abcdefghijklmnopqrstuvwxyz"[: MOST_STEPS - 1])
"""Slots of the steps so far: what was said and heard in a step, and the facts that its search found."""

_ACTIONS = (
    "Each reply is one step: a line 'Thought:' and a line 'Action:' with one of these actions. Search[...] looks up the "
    "facts around one or more things, separated by ' | '. Generate[...] writes facts from your own knowledge where the "
    "graph has none. Finish[...] gives the answer, several answers separated by ' | ', or Finish[unknown] where the facts "
    "found so far do not hold it. Copy names and codes exactly as they are written. An observation is 'no such entity' for "
    "a name that nothing bears and 'nothing found' where there are no facts. Finish[unknown] becomes Search[everything that "
    "the last search found], and a code that cannot answer becomes a search (searched, since this is no answer yet)."
)
"""Names every fixed text that a trace can show: what stands here is known to be no name of the graph."""
_AWARE_RULE = (
    " A code such as m.0io48eu stands for a known thing whose name is hidden: it can be searched, and it is a full answer. "
    "A code marked (event) only joins other things: search it, and never answer with it."
)
_NAIVE_RULE = (
    " A code such as m.0ua41ei is an intermediate node without a name that only joins other things: search it, and never "
    "answer with it."
)


@dataclass(frozen=True, slots=True)
class PromptSet:
    """The templates that one run sends."""

    agent: Template
    relations: Template
    entity: Template
    generate: Template
    verify: Template
    memory: Template


def prompt_set(parameters: GogParameters) -> PromptSet:
    """Return the templates for a profile and its quirks."""
    official = parameters.official
    return PromptSet(
        agent=_agent(official=official, naive=parameters.has("G2"), cut=parameters.has("B14")),
        relations=_relations(official=official, shuffled=parameters.has("B8")),
        entity=_entity(official=official),
        generate=_generate(official=official),
        verify=_verify(official=official),
        memory=_memory(official=official, cut=parameters.has("B14")),
    )


# --- The agent ---------------------------------------------------------------------------------------------------------


def _step_turn() -> str:
    """The steps stand one below the other; each brings its own line ends, so that one not taken leaves no trace."""
    steps = "".join(f"{{{said}}}{{{facts}}}" for said, facts in STEP_SLOTS)
    return f"Question: {{question}}\nTopic entities:\n{{topics}}{steps}\nAlready searched:\n{{searched}}"


def _step_slots() -> Mapping[str, Slot]:
    slots = {"question": Slot("question"), "topics": Slot("query_entity")}
    for said, facts in STEP_SLOTS:
        slots[said] = Slot("history", Layout.LINES, Order.GIVEN, empty="")
        slots[facts] = Slot("triples", Layout.LINES, Order.SORTED, empty="")
    return slots | {"searched": Slot("actions", Layout.INLINE)}


def said_lines(lines: Sequence[str], facts: Sequence[str]) -> tuple[str, ...]:
    """Lines of a step slot: an empty one before them ends the line above, one after them the line above the facts."""
    return ("", *lines, *([""] if facts else []))


def _agent_examples(traces: Sequence[Trace]) -> tuple[Example, ...]:
    return tuple(
        Example(_trace_slots(trace, trace.steps[:count]), trace.steps[count].reply)
        for trace in traces
        for count in range(len(trace.steps))
    )


def _trace_slots(trace: Trace, steps: Sequence[ShownStep]) -> Mapping[str, str | tuple[str, ...]]:
    values: dict[str, str | tuple[str, ...]] = {"question": trace.question, "topics": trace.topics}
    for place, (said, facts) in enumerate(STEP_SLOTS):
        taken = steps[place] if place < len(steps) else None
        values[said] = said_lines(taken.lines, taken.facts) if taken else ()
        values[facts] = taken.facts if taken else ()
    return values | {"searched": tuple(sorted(name for step in steps for name in step.searched))}


@lru_cache
def _agent(*, official: bool, naive: bool, cut: bool) -> Template:
    traces = NAIVE if naive else AWARE
    return Template(
        name=_name("agent", official=official, naive=naive, B14=cut),
        kind=TaskKind.ACT,
        phase=Phase.MIXED,
        stage="agent",
        system=(
            "You answer a question step by step with the facts of a knowledge graph. "
            + _ACTIONS
            + (_NAIVE_RULE if naive else _AWARE_RULE)
        ),
        turn=_step_turn(),
        slots=_step_slots(),
        write=write_step,
        examples=_agent_examples(without_full_stop(traces) if cut else traces),
        reminder="" if official else "Reply with one line that begins with Thought and one that begins with Action.",
        invented=INVENTED,
        flat=official,
    )


@lru_cache
def _memory(*, official: bool, cut: bool) -> Template:
    traces = without_full_stop(NAIVE) if cut else NAIVE
    return Template(
        name=_name("memory", official=official, B14=cut),
        kind=TaskKind.RECALL,
        phase=Phase.GENERATION,
        stage="memory",
        system=(
            "You answer a question step by step. No graph can be searched now: write all steps at once, what a search would "
            "find included, from your own knowledge, and end with Finish[...], which holds the answer, several answers "
            "separated by ' | '."
        ),
        turn="Question: {question}\nTopic entities:\n{topics}",
        slots={"question": Slot("question"), "topics": Slot("query_entity")},
        write=write_unknown,
        examples=tuple(Example({"question": trace.question, "topics": trace.topics}, trace.text) for trace in traces),
        reminder="" if official else "End with an action that finishes, with the answer in square brackets.",
        invented=INVENTED,
        flat=official,
    )


# --- Retrieval ---------------------------------------------------------------------------------------------------------


def write_choices(choices: Sequence[Choice]) -> str:
    """Write chosen relations as a list of quoted labels."""
    return write_list([choice.text for choice in choices])


def write_choice(choices: Sequence[Choice]) -> str:
    """Write the number of the chosen entity."""
    return str(choices[0].position) if choices else "none"


@lru_cache
def _relations(*, official: bool, shuffled: bool) -> Template:
    return Template(
        name=_name("relations", official=official, B8=shuffled),
        kind=TaskKind.CHOOSE,
        phase=Phase.RETRIEVAL,
        stage="relations",
        system=(
            "An agent looks up facts around an entity to answer a question. From the relations of the entity choose those "
            "that serve its current thought, best first, at most as many as asked for. Reply with one bracketed list of "
            "quoted labels, copied exactly, and nothing else; with [] where none serves it."
        ),
        turn="Question: {question}\nThought: {thought}\nEntity: {entity}\nRelations:\n{relations}\nChoose at most: {width}",
        slots={
            "question": Slot("question"),
            "thought": Slot(),
            "entity": Slot("query_entity"),
            # Numbered, so that two labels side by side make no name: "...film" and "adaptation..." do.
            "relations": Slot("items", Layout.NUMBERED, Order.GIVEN if shuffled else Order.SORTED),
            "width": Slot("limit"),
        },
        write=write_choices,
        examples=tuple(
            Example(
                {
                    "question": case.question,
                    "thought": case.thought,
                    "entity": case.entity,
                    "relations": case.relations,
                    "width": "3",
                },
                write_list(case.chosen),
            )
            for case in RELATION_CASES
        ),
        reminder="" if official else "Reply with one bracketed list of quoted labels from the list above.",
        invented=INVENTED,
        flat=official,
    )


@lru_cache
def _entity(*, official: bool) -> Template:
    thought, name, candidates, number = SAME_NAME
    return Template(
        name=_name("entity", official=official),
        kind=TaskKind.CHOOSE,
        phase=Phase.RETRIEVAL,
        stage="entity",
        system=(
            "An agent names a thing, and several things of a knowledge graph bear that name. From their kinds, choose the "
            "one that its thought means. Reply with its number and nothing else."
        ),
        turn="Thought: {thought}\nName: {name}\nThings of that name:\n{candidates}\nChoose at most: {width}",
        slots={
            "thought": Slot("question"),
            "name": Slot(),
            "candidates": Slot("items", Layout.NUMBERED),
            "width": Slot("limit"),
        },
        write=write_choice,
        examples=(Example({"thought": thought, "name": name, "candidates": candidates, "width": "1"}, str(number)),),
        reminder="" if official else "Reply with one number from the list above.",
        invented=INVENTED,
        flat=official,
    )


@lru_cache
def _generate(*, official: bool) -> Template:
    thought, facts, written = KNOWN_FACTS
    return Template(
        name=_name("generate", official=official),
        kind=TaskKind.RECALL,
        phase=Phase.RETRIEVAL,
        stage="generate",
        system=(
            "An agent lacks facts that a knowledge graph does not have. From your own knowledge write those that its "
            "thought asks for, in the manner of the known facts: one a line, subject, relation and object with tabs between "
            "them, and nothing else. Reply with the word none where you know no such fact."
        ),
        turn="Thought: {thought}\nKnown facts:\n{triples}",
        slots={"thought": Slot("question"), "triples": Slot("triples", Layout.LINES, Order.SORTED)},
        write=write_facts,
        examples=(
            Example({"thought": thought, "triples": facts}, write_facts(written)),
            Example({"thought": "I need the colour of Brellophone cases.", "triples": ()}, write_facts(None)),
        ),
        reminder="" if official else "Reply with one fact a line, its three parts separated by tabs.",
        invented=INVENTED,
        flat=official,
    )


@lru_cache
def _verify(*, official: bool) -> Template:
    thought, groups, kept = GROUPS
    return Template(
        name=_name("verify", official=official),
        kind=TaskKind.RECALL,
        phase=Phase.RETRIEVAL,
        stage="verify",
        system=(
            "Several groups of facts were written from memory for the same thought of an agent. Keep the plausible ones: "
            "what several groups say, and nothing that contradicts the rest. Reply with one fact a line, subject, relation "
            "and object with tabs between them, and nothing else; with the word none where no fact is plausible."
        ),
        turn="Thought: {thought}\nGroups:\n{groups}",
        slots={"thought": Slot("question"), "groups": Slot("items", Layout.NUMBERED, Order.GIVEN)},
        write=write_facts,
        examples=(
            Example({"thought": thought, "groups": groups}, write_facts(kept)),
            Example(
                {
                    "thought": "I need the height of the lighthouse Skarrowin.",
                    "groups": ("Skarrowin, height, 12 metres", "Skarrowin, height, 900 kilometres"),
                },
                write_facts([("Skarrowin", "height", "12 metres")]),
            ),
        ),
        reminder="" if official else "Reply with one fact a line, its three parts separated by tabs.",
        invented=INVENTED,
        flat=official,
    )


def _name(task: str, **marks: bool) -> str:
    return "-".join((f"gog.{task}", *(mark for mark, on in marks.items() if on)))


def _all_templates() -> tuple[Template, ...]:
    either = (False, True)
    two, three = tuple(product(either, repeat=2)), tuple(product(either, repeat=3))
    return (
        *(_agent(official=official, naive=naive, cut=cut) for official, naive, cut in three),
        *(_relations(official=official, shuffled=shuffled) for official, shuffled in two),
        *(make(official=official) for official in either for make in (_entity, _generate, _verify)),
        *(_memory(official=official, cut=cut) for official, cut in two),
    )


TEMPLATES = _all_templates()
"""Every template that some choice of profile and quirks sends."""
