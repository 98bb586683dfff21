"""Typed prompts: templates with slots that take nouns of the field, never bare text.

A method fills a template; it does not know how a slot will be shown. The gateway renders it from (scenario, phase, zone)
and keeps the origin of every span for the audit. So a method cannot put a name into a prompt, by intent or by mistake.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from kgbench.contracts import Echo, LocalText
from kgbench.types import (
    ClassLabel,
    Entity,
    JoinedRelation,
    Literal,
    Phase,
    Question,
    Relation,
    Triple,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


class TaskKind(StrEnum):
    """What a prompt asks for; a retrieval model reads the kind, not the method."""

    CHOOSE = "choose"
    SCORE = "score"
    TYPE = "type"
    PATH = "path"
    JUDGE = "judge"
    ANSWER = "answer"
    NOTE = "note"
    ACT = "act"
    RECALL = "recall"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Choice:
    """One item chosen from a list: its 1-based position as shown, its text as shown, and a weight."""

    position: int
    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """Result of a ``judge`` task: enough evidence or not, with the answers where the template has a place for them."""

    sufficient: bool
    answers: tuple[str, ...] = ()


class Layout(StrEnum):
    """How a list stands in the text."""

    INLINE = "inline"
    """Items joined by ``; ``."""
    COMMA = "comma"
    LINES = "lines"
    NUMBERED = "numbered"
    """One a line, ``1. `` first; ``Reply.shown`` tells which item a number means."""


class Order(StrEnum):
    """The order in which a list is sent. Never the graph's own, never by id."""

    SORTED = "sorted"
    """By label, then by handle, alike in all four scenarios."""
    GIVEN = "given"
    """As the method gave it; for lists whose order tells nothing of the graph (steps, notes, echoes)."""


@dataclass(frozen=True, slots=True)
class Word:
    """A fixed word of a template, such as ``entity`` or ``date value``: it belongs to the method, not to the graph."""

    text: str


@dataclass(frozen=True, slots=True)
class Described:
    """An entity or literal with the concepts that stand beside its handle: ``HANDLE (concept, concept)``."""

    term: Entity | Literal
    concepts: tuple[Echo | Word | Relation, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A triple whose ends may carry concepts; shown as ``subject, relation, object``."""

    triple: Triple
    subject: tuple[Echo | Word | Relation, ...] = ()
    object: tuple[Echo | Word | Relation, ...] = ()


SlotValue = (
    Question
    | Entity
    | Literal
    | Described
    | Relation
    | JoinedRelation
    | ClassLabel
    | Triple
    | Fact
    | Echo
    | LocalText
    | Word
    | int
    | float
)
_VALUE_TYPES = (
    Question,
    Entity,
    Literal,
    Described,
    Relation,
    JoinedRelation,
    ClassLabel,
    Triple,
    Fact,
    Echo,
    LocalText,
    Word,
)
_ALLOWED = (*_VALUE_TYPES, int, float)


@dataclass(frozen=True, slots=True)
class Slot:
    """A named place of a template."""

    role: str = ""
    """What it means to a retrieval model: question, query_entity, items, subject_of, object_of, triples, actions, limit."""
    layout: Layout = Layout.INLINE
    order: Order = Order.SORTED
    empty: str = "none"
    """What an empty list shows."""


@dataclass(frozen=True, slots=True)
class Example:
    """An exemplar: a user turn, laid out by the template's own slots, and the reply in the form that the parser reads."""

    slots: Mapping[str, str | tuple[str, ...]]
    reply: str


_SLOT = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True)
class Template:
    """A prompt with typed slots.

    What never changes comes first (system line, exemplars as chat turns), what changes last: providers' prompt caches
    and a local server's prefix reuse then pay off.
    """

    name: str
    kind: TaskKind
    phase: Phase
    stage: str
    system: str
    turn: str
    """The final user turn with ``{slot}`` places; exemplars are laid out by the same text."""
    slots: Mapping[str, Slot]
    write: Callable[[Any], str]
    """Task result -> reply, the inverse of the method's parser."""
    examples: tuple[Example, ...] = ()
    reminder: str = ""
    """One line on the form of the reply, added at the end when a malformed reply is asked for again."""
    invented: tuple[str, ...] = ()
    """Names and handles that the exemplars invent; a reply that repeats one is flagged ``exemplar_echo``."""
    flat: bool = False
    """True: all parts in one user message, as some published code sends them."""
    send_system: bool = True

    def __post_init__(self) -> None:
        named = {part for part in _SLOT.findall(self.turn)}
        if named != set(self.slots):
            raise ValueError(
                f"template {self.name}: the turn names {sorted(named)}, the slots are {sorted(self.slots)}"
            )

    def fill(self, *, remind: bool = False, **values: SlotValue | Sequence[SlotValue]) -> FilledPrompt:
        """Fill every slot.

        Args:
            remind: add the template's reminder line at the end (for a second try after a malformed reply).
            **values: one value or a list of values a slot.

        Raises:
            TypeError: a value is bare text or of another type that no slot takes.
            ValueError: a slot is missing or unknown, or a number is outside 0..999 (integers) or 0..1 (scores).
        """
        if set(values) != set(self.slots):
            raise ValueError(f"template {self.name} has the slots {sorted(self.slots)}, filled were {sorted(values)}")
        filled = {name: _checked(self.name, name, value) for name, value in values.items()}
        return FilledPrompt(self, filled, remind and bool(self.reminder))

    @cached_property
    def segments(self) -> tuple[tuple[str, str | None], ...]:
        """The turn as (fixed text, slot after it or None)."""
        parts: list[tuple[str, str | None]] = []
        end = 0
        for match in _SLOT.finditer(self.turn):
            parts.append((self.turn[end : match.start()], match.group(1)))
            end = match.end()
        parts.append((self.turn[end:], None))
        return tuple(parts)

    @cached_property
    def fixed_messages(self) -> tuple[Mapping[str, str], ...]:
        """System line and exemplar turns: equal for all questions."""
        messages: list[Mapping[str, str]] = []
        if self.system and self.send_system:
            messages.append({"role": "system", "content": self.system})
        for example in self.examples:
            messages.append({"role": "user", "content": self.lay_out(example.slots)})
            messages.append({"role": "assistant", "content": example.reply})
        return tuple(messages)

    def lay_out(self, values: Mapping[str, str | tuple[str, ...]]) -> str:
        """Lay out plain strings in the final turn: for exemplars, whose names are invented."""
        parts: list[str] = []
        for fixed, name in self.segments:
            parts.append(fixed)
            if name is not None:
                value = values[name]
                parts.append(value if isinstance(value, str) else join(self.slots[name], value))
        return "".join(parts)

    @cached_property
    def digest(self) -> str:
        """Hash of everything that this template can send: part of the signature of a run."""
        layout = [(name, slot.layout, slot.order, slot.empty) for name, slot in sorted(self.slots.items())]
        content = repr((self.name, self.phase, self.fixed_messages, self.turn, layout, self.reminder, self.flat))
        return sha256(content.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class FilledPrompt:
    """A template and the values of its slots; what :meth:`kgbench.contracts.Context.llm` accepts."""

    template: Template
    values: Mapping[str, SlotValue | tuple[SlotValue, ...]] = field(repr=False)
    remind: bool = False

    @property
    def name(self) -> str:
        """Name of the template."""
        return self.template.name

    @property
    def phase(self) -> Phase:
        """The phase that the template serves."""
        return self.template.phase

    @property
    def stage(self) -> str:
        """The step of the method."""
        return self.template.stage


def join(slot: Slot, texts: Sequence[str]) -> str:
    """Join the rendered items of a list slot by its layout."""
    if not texts:
        return slot.empty
    if slot.layout is Layout.NUMBERED:
        return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
    return separator(slot).join(texts)


def separator(slot: Slot) -> str:
    """What stands between two items of a list slot."""
    return {Layout.INLINE: "; ", Layout.COMMA: ", ", Layout.LINES: "\n", Layout.NUMBERED: "\n"}[slot.layout]


def _checked(template: str, slot: str, value: SlotValue | Sequence[SlotValue]) -> SlotValue | tuple[SlotValue, ...]:
    if isinstance(value, (list, tuple)):
        return tuple(_checked_item(template, slot, item) for item in value)
    return _checked_item(template, slot, value)  # type: ignore[arg-type]


def _checked_item(template: str, slot: str, value: SlotValue) -> SlotValue:
    where = f'slot "{slot}" of template "{template}"'
    if isinstance(value, bool) or not isinstance(value, _ALLOWED):
        raise TypeError(
            f"{where} got a {type(value).__name__}; a slot takes nouns of kgbench.types, an Echo of a reply, a Word of the "
            "template, small numbers, or LocalText for text derived from the graph"
        )
    if isinstance(value, int) and not 0 <= value <= 999:
        raise ValueError(f"{where} takes integers from 0 to 999; a value of the graph is a Literal")
    if isinstance(value, float) and not (0.0 <= value <= 1.0 and round(value, 4) == value):
        raise ValueError(f"{where} takes scores from 0 to 1 with at most 4 decimals; a value of the graph is a Literal")
    return value
