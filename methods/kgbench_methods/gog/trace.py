"""The steps so far: what the agent said, what it heard, and how the next prompt shows both."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.contracts import Echo
from kgbench.prompts import Fact, Word
from kgbench.types import Entity, Question
from kgbench_methods.common.own_words import own_words
from kgbench_methods.gog.exemplars import EVENT, GENERATED, MISSING, NOTHING, OBSERVED
from kgbench_methods.gog.prompts import STEP_SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.contracts import Reply
    from kgbench.prompts import SlotValue
    from kgbench.types import Term, Triple
    from kgbench_methods.gog.actions import Step, Verb

Thought = Echo | Question
"""What the agent wants to know: its own words, or the question where it gave none."""


@dataclass(slots=True)
class Record:
    """One finished step."""

    verb: Verb
    thought: Thought
    """What a search or Generate went by."""
    thoughts: tuple[SlotValue, ...]
    """The thought as the trace shows it: no line or more."""
    action: tuple[SlotValue, ...]
    """The action as the trace shows it, as lines."""
    heard: tuple[SlotValue, ...] = ()
    """The observation but for its facts, as lines."""
    facts: tuple[Triple, ...] = ()
    """What a search found in the graph."""
    new: tuple[Entity, ...] = ()
    """Entities of the facts that were not searched before: what a widened search searches."""


@dataclass(slots=True)
class Trace:
    """The records of one question."""

    records: list[Record] = field(default_factory=list)
    searched: dict[Entity, None] = field(default_factory=dict)

    def slots(self, fact: Callable[[Triple], Fact]) -> dict[str, list[SlotValue]]:
        """Values of the agent prompt's step slots; slots of steps not taken are empty."""
        values: dict[str, list[SlotValue]] = {name: [] for pair in STEP_SLOTS for name in pair}
        for (said, facts), record in zip(STEP_SLOTS, self.records, strict=False):
            shown = [fact(triple) for triple in record.facts]
            values[said] = _lines((*record.thoughts, *record.action, *record.heard), followed=bool(shown))
            values[facts] = list(shown)
        return values | {"searched": list(self.searched)}


def _lines(items: Sequence[SlotValue], *, followed: bool) -> list[SlotValue]:
    """Items as :func:`kgbench_methods.gog.prompts.said_lines` lays out an exemplar's."""
    end = Word("")
    return [end, *items, *([end] if followed else [])]


def spoken_thought(reply: Reply, step: Step) -> tuple[SlotValue, ...]:
    """The thought of a reply in its own words, as a line; none where it has no thought."""
    echo = _labelled(reply, "Thought: ", step.thought)
    return () if echo is None else (echo,)


def spoken_action(reply: Reply, step: Step) -> tuple[SlotValue, ...]:
    """The action of a reply in its own words, as a line."""
    echo = _labelled(reply, "Action: ", step.action)
    return () if echo is None else (echo,)


def thought_of(reply: Reply, step: Step, question: Question) -> Thought:
    """The thought of a step; the question where it has none."""
    return own_words(reply, step.thought) or question


def observed(facts: Sequence[Triple], *, unknown: bool) -> tuple[SlotValue, ...]:
    """Head of a search's observation."""
    heads = [MISSING] if unknown else []
    if facts:
        heads.append(OBSERVED)
    return tuple(map(Word, heads or [NOTHING]))


def generated(lines: Sequence[SlotValue], *, followed: bool) -> tuple[SlotValue, ...]:
    """Observation of Generate, whose facts follow where they are no lines; an empty one says that nothing was found."""
    return (Word(GENERATED), *lines) if lines or followed else (Word(NOTHING),)


def shown_fact(triple: Triple, mark: Callable[[Term], bool]) -> Fact:
    """A fact with a mark beside intermediate nodes."""
    event = (Word(EVENT),)
    return Fact(
        triple,
        subject=event if mark(triple.subject) else (),
        object=event if mark(triple.object) else (),
    )


def _labelled(reply: Reply, label: str, words: str) -> Echo | None:
    """Words of the reply behind their label; without it where the reply does not have it there."""
    return (own_words(reply, label + words) or own_words(reply, words)) if words else None
