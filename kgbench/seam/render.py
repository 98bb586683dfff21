"""Rendering of typed slots: what stands in a prompt for each noun, by scenario, phase and zone.

Every piece that does not come from the template itself leaves a span with its origin, so that the audit can tell a name
from a mention, a handle or the model's own words without guessing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from kgbench.contracts import Echo, LocalText, ShownEnd, ShownTriple, TaskView
from kgbench.errors import PrivacyBlocked
from kgbench.prompts import Described, Fact, Layout, Order, Word, separator
from kgbench.seam.mentions import replace_phrases
from kgbench.seam.policy import LiteralPolicy, TopicNames
from kgbench.text import label_words, norm
from kgbench.types import (
    ClassLabel,
    Entity,
    JoinedRelation,
    Literal,
    Phase,
    Question,
    Relation,
    Triple,
    Zone,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kgbench.prompts import FilledPrompt, Slot, SlotValue
    from kgbench.seam.session import Session
    from kgbench.types import Term

TOPIC_WITHOUT_MENTION = "topic of the question"


class Origin(StrEnum):
    """Where a span of a prompt comes from; text without a span is the template's own."""

    QUESTION = "question"
    MENTION = "mention"
    HANDLE = "handle"
    SOURCE_ID = "source_id"
    """A graph's own id, shown as the handle in ``source-id`` mode or for an entity that has no name."""
    NAME = "name"
    TOPIC_LABEL = "topic_label"
    """A topic's name in the data set that the question does not say."""
    LITERAL = "literal"
    """A literal in clear."""
    RELATION = "relation"
    CLASS = "class"
    CONCEPT = "concept"
    ECHO = "echo"
    LOCAL_TEXT = "local_text"
    NUMBER = "number"
    WORD = "word"


NAMING = (Origin.NAME, Origin.LITERAL, Origin.LOCAL_TEXT)
"""Origins that disclose graph content; never in a protected phase (literals in clear only by policy)."""


Span = tuple[int, int, Origin]
"""A stretch of the final user turn, start and end, with its origin."""


@dataclass(slots=True)
class Rendered:
    """A prompt as it will be sent, with what the audit and a retrieval model need."""

    messages: tuple[Mapping[str, str], ...]
    fixed: int
    """How many messages, from the first, are the template's own and equal for all questions."""
    spans: list[Span]
    exposed: bool
    """True where names may be shown."""
    shown: dict[str, tuple[object, ...]]
    task: TaskView
    texts: list[str] = field(default_factory=list)
    """Every slot value as rendered, to tell an exemplar's name from the question's."""


@lru_cache(maxsize=100_000)
def one_line(text: str) -> str:
    """Squeeze white space and drop control characters, so that one item stays on one line."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _flattened(message: Mapping[str, str]) -> str:
    """A fixed message as a part of one text: a reply stands right behind its cue, a blank line ends a block."""
    content = message["content"]
    if message["role"] == "user":
        return content if content[-1:].isspace() else content + "\n"
    return content + "\n\n"


class _Writer:
    """Collects pieces of the final turn; where each stands is worked out once, at the end."""

    __slots__ = ("_origins", "_parts", "fixed")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._origins: list[tuple[int, Origin]] = []
        self.fixed = self._parts.append
        """Write text of the template's own."""

    def span(self, text: str, origin: Origin) -> None:
        self._origins.append((len(self._parts), origin))
        self._parts.append(text)

    def spans(self) -> list[Span]:
        offsets = list(accumulate(map(len, self._parts), initial=0))
        return [(offsets[place], offsets[place + 1], origin) for place, origin in self._origins]

    def since(self, start_part: int) -> str:
        return "".join(self._parts[start_part:])

    def mark(self) -> int:
        return len(self._parts)


class Renderer:
    """Renders filled prompts for one session and zone."""

    def __init__(self, session: Session, zone: Zone) -> None:
        self._session = session
        self._zone = zone
        self._policy = session.policy
        self._exposed = False
        self._phase = Phase.SETUP
        self._writers: dict[type, Callable[[_Writer, SlotValue], ShownEnd | None]] = {
            Question: self._question,
            Entity: self._bare,
            Literal: self._bare,
            Described: self._described,
            Relation: self._relation,
            JoinedRelation: self._relation,
            ClassLabel: self._class,
            Echo: self._echo,
            LocalText: self._local_text,
            Word: self._word,
            int: self._number,
            float: self._number,
        }

    def render(self, prompt: FilledPrompt) -> Rendered:
        """Render a prompt.

        Raises:
            PrivacyBlocked: LocalText in a protected phase, or graph content in a SETUP prompt.
        """
        template = prompt.template
        self._phase = template.phase
        self._exposed = self._policy.exposes(template.phase, self._zone)
        writer = _Writer()
        roles: dict[str, tuple[str, ...]] = {}
        triples: tuple[ShownTriple, ...] = ()
        shown: dict[str, tuple[object, ...]] = {}
        for fixed, name in template.segments:
            writer.fixed(fixed)
            if name is None:
                continue
            slot = template.slots[name]
            value = prompt.values[name]
            items = self._ordered(slot, value) if isinstance(value, tuple) else (value,)
            if isinstance(value, tuple):
                shown[name] = items
            texts, facts = self._items(writer, slot, items, listed=isinstance(value, tuple))
            if slot.role:
                roles[slot.role] = (*roles.get(slot.role, ()), *texts)
            if facts:
                triples = (*triples, *facts)
        if prompt.remind:
            writer.fixed("\n" + template.reminder)
        return self._assembled(prompt, writer, roles, triples, shown)

    def _assembled(
        self,
        prompt: FilledPrompt,
        writer: _Writer,
        roles: dict[str, tuple[str, ...]],
        triples: tuple[ShownTriple, ...],
        shown: dict[str, tuple[object, ...]],
    ) -> Rendered:
        template = prompt.template
        turn = writer.since(0)
        fixed, spans = template.fixed_messages, writer.spans()
        if template.flat:
            before = "".join(_flattened(message) for message in fixed)
            spans = [(start + len(before), end + len(before), origin) for start, end, origin in spans]
            messages: tuple[Mapping[str, str], ...] = ({"role": "user", "content": before + turn},)
            fixed_count = 0
        else:
            messages = (*fixed, {"role": "user", "content": turn})
            fixed_count = len(fixed)
        limit = roles.pop("limit", ())
        task = TaskView(
            kind=template.kind,
            template=template.name,
            slots=roles,
            write=template.write,
            triples=triples,
            mentions=tuple(self._session.mentions[topic] for topic in self._session.mentions),
            limit=int(limit[0]) if limit else None,
        )
        texts = [text for values in roles.values() for text in values]
        return Rendered(messages, fixed_count, spans, self._exposed, shown, task, texts)

    # --- lists ---------------------------------------------------------------------------------------------------------

    def _ordered(self, slot: Slot, items: tuple[SlotValue, ...]) -> tuple[SlotValue, ...]:
        """Order a list by label, then by handle: the same in all scenarios, and never the graph's own order."""
        if slot.order is Order.GIVEN or len(items) < 2:
            return items
        self._session.load_names(item for item in items if isinstance(item, Entity))
        return tuple(sorted(items, key=self._sort_key))

    def _sort_key(self, item: SlotValue) -> tuple[str, str, str]:
        handle = self._session.handle
        if isinstance(item, (Relation, JoinedRelation, ClassLabel)):
            return (item.label, "", "")
        if isinstance(item, (Entity, Literal)):
            return ("", handle(item), "")
        if isinstance(item, Described):
            return ("", handle(item.term), "")
        if isinstance(item, Fact):
            item = item.triple
        if isinstance(item, Triple):
            return (item.relation.label, handle(item.subject), handle(item.object))
        if isinstance(item, (Echo, Word)):
            return (item.text, "", "")
        return ("", "", "")

    def _items(
        self, writer: _Writer, slot: Slot, items: Sequence[SlotValue], *, listed: bool
    ) -> tuple[tuple[str, ...], tuple[ShownTriple, ...]]:
        """Write the items of a slot; return each as rendered, and the triples among them part by part."""
        if listed and not items:
            writer.fixed(slot.empty)
            return (), ()
        between = separator(slot)
        texts: list[str] = []
        facts: list[ShownTriple] = []
        for number, item in enumerate(items, 1):
            if number > 1:
                writer.fixed(between)
            if listed and slot.layout is Layout.NUMBERED:
                writer.fixed(f"{number}. ")
            mark = writer.mark()
            if isinstance(item, (Triple, Fact)):
                facts.append(self._fact(writer, item))
            else:
                self._writers[type(item)](writer, item)
            texts.append(writer.since(mark))
        return tuple(texts), tuple(facts)

    # --- nouns ---------------------------------------------------------------------------------------------------------

    def _question(self, writer: _Writer, item: SlotValue) -> None:
        assert isinstance(item, Question)  # noqa: S101
        text = self._session.question_as_shown if self._zone is Zone.REMOTE else item.text
        writer.span(text, Origin.QUESTION)

    def _fact(self, writer: _Writer, item: Triple | Fact) -> ShownTriple:
        fact = item if isinstance(item, Fact) else Fact(item)
        subject = self._node(writer, fact.triple.subject, fact.subject)
        writer.fixed(", ")
        writer.span(one_line(fact.triple.relation.label), Origin.RELATION)
        writer.fixed(", ")
        target = self._node(writer, fact.triple.object, fact.object)
        return ShownTriple(subject, one_line(fact.triple.relation.label), target)

    def _bare(self, writer: _Writer, item: SlotValue) -> ShownEnd:
        assert isinstance(item, (Entity, Literal))  # noqa: S101
        return self._node(writer, item, ())

    def _described(self, writer: _Writer, item: SlotValue) -> ShownEnd:
        assert isinstance(item, Described)  # noqa: S101
        return self._node(writer, item.term, item.concepts)

    def _node(self, writer: _Writer, term: Term, concepts: Sequence[Echo | Word | Relation]) -> ShownEnd:
        """Write an entity or a literal with its concepts."""
        self._refuse_in_setup()
        mark = writer.mark()
        topic = isinstance(term, Entity) and self._session.is_topic(term)
        if isinstance(term, Literal):
            self._literal(writer, term)
        elif topic:
            self._topic(writer, term)
        else:
            self._entity(writer, term)
        words = [self._concept_text(concept) for concept in concepts] if not topic else []
        if words:
            writer.fixed(" (")
            writer.span(", ".join(words), Origin.CONCEPT)
            writer.fixed(")")
        return ShownEnd(writer.since(mark), ", ".join(words), topic)

    def _refuse_in_setup(self) -> None:
        if self._phase is Phase.SETUP:
            raise PrivacyBlocked("a SETUP prompt may hold no graph content: no entity, literal, relation or class")

    def _entity(self, writer: _Writer, entity: Entity) -> None:
        name = self._session.name(entity) if self._exposed else None
        if name and (display := one_line(name)):
            writer.span(display, Origin.NAME)
            self._session.showed(entity, display, name=True)
        else:
            handle = self._session.handle(entity)
            writer.span(handle, Origin.SOURCE_ID if handle == entity.id else Origin.HANDLE)

    def _topic(self, writer: _Writer, topic: Entity) -> None:
        if self._policy.topic_names is TopicNames.MASK and self._zone is Zone.REMOTE:
            writer.span(self._session.handle(topic), Origin.HANDLE)
            return
        if self._policy.topic_names is TopicNames.LABEL or self._zone is Zone.LOCAL:
            label = one_line(self._session.topic_label(topic) or "")
            if label:
                said = f" {norm(label)} " in f" {norm(self._session.question.text)} "
                writer.span(label, Origin.MENTION if said else Origin.TOPIC_LABEL)
                self._session.showed(topic, label, name=False)
                return
        mention = self._session.mentions.get(topic)
        if mention:
            display = one_line(mention)
            writer.span(display, Origin.MENTION)
            self._session.showed(topic, display, name=False)
        else:
            handle = self._session.handle(topic)
            writer.span(handle, Origin.SOURCE_ID if handle == topic.id else Origin.HANDLE)
            writer.fixed(f" ({TOPIC_WITHOUT_MENTION})")

    def _literal(self, writer: _Writer, literal: Literal) -> None:
        display = one_line(literal.lexical)
        policy = self._policy.literals
        word = literal.kind
        if (self._exposed or policy is LiteralPolicy.PLAIN) and display:
            writer.span(display, Origin.LITERAL)
            self._session.showed(literal, display, name=self._exposed)
        elif policy is LiteralPolicy.TYPED and word != "text" and display:
            writer.span(display, Origin.LITERAL)
            self._session.showed(literal, display, name=False)
        else:
            writer.span(self._session.handle(literal), Origin.HANDLE)
            if policy is LiteralPolicy.TYPED:
                writer.fixed(f" ({word})")

    def _concept_text(self, concept: Echo | Word | Relation) -> str:
        if isinstance(concept, Relation):
            return label_words(concept.label.rpartition(".")[2])
        return one_line(self._heard(concept) if isinstance(concept, Echo) else concept.text)

    def _relation(self, writer: _Writer, item: SlotValue) -> None:
        assert isinstance(item, (Relation, JoinedRelation))  # noqa: S101
        self._refuse_in_setup()
        writer.span(one_line(item.label), Origin.RELATION)

    def _class(self, writer: _Writer, item: SlotValue) -> None:
        assert isinstance(item, ClassLabel)  # noqa: S101
        self._refuse_in_setup()
        writer.span(one_line(item.label), Origin.CLASS)

    def _echo(self, writer: _Writer, item: SlotValue) -> None:
        assert isinstance(item, Echo)  # noqa: S101
        writer.span(self._heard(item), Origin.ECHO)

    def _heard(self, echo: Echo) -> str:
        """The words of an echo; written in sight of names and shown where names are hidden, it is masked again."""
        if self._exposed or not echo.exposed:
            return echo.text
        shown = self._session.shown_names
        return replace_phrases(echo.text, {name: self._session.handle(term) for name, term in shown.items()})

    def _local_text(self, writer: _Writer, item: SlotValue) -> None:
        assert isinstance(item, LocalText)  # noqa: S101
        if not self._exposed:
            raise PrivacyBlocked(f"text derived from the graph may not enter a {self._phase} prompt in this scenario")
        writer.span(item.text, Origin.LOCAL_TEXT)

    def _word(self, writer: _Writer, item: SlotValue) -> None:
        assert isinstance(item, Word)  # noqa: S101
        writer.span(item.text, Origin.WORD)

    def _number(self, writer: _Writer, item: SlotValue) -> None:
        writer.span(f"{item:.4f}".rstrip("0").rstrip(".") if isinstance(item, float) else str(item), Origin.NUMBER)


def embedding_text(session: Session, item: object, *, names: bool = False) -> str:
    """Text of an item for the embedder: labels as words, topics by mention, other entities by their concepts.

    Args:
        session: knows mentions and names.
        item: a text, a noun that has words, or a tuple of these, whose texts are joined.
        names: put the real name of each entity before its concepts. Only the LOCAL ranking that
            :meth:`kgbench.contracts.Context.rank` counts as ``names_in_selection`` does.

    Raises:
        TypeError: an item is neither a text nor a noun that has words.
    """
    if isinstance(item, str):
        return item
    if isinstance(item, (tuple, list)):
        return "".join(embedding_text(session, piece, names=names) for piece in item)
    if isinstance(item, (Relation, JoinedRelation, ClassLabel)):
        return label_words(item.label)
    if isinstance(item, (Question, Echo, Word)):
        return item.text
    if isinstance(item, (Entity, Literal)):
        item = Described(item)
    if isinstance(item, Described):
        return _node_words(session, item, names=names)
    raise TypeError(
        f"cannot embed a {type(item).__name__}: only texts, labels, echoes and described entities have words"
    )


def _node_words(session: Session, item: Described, *, names: bool) -> str:
    if isinstance(item.term, Entity) and session.is_topic(item.term):
        return session.mentions.get(item.term, "the topic")
    concepts = ", ".join(embedding_text(session, concept) for concept in item.concepts)
    name = session.name(item.term) if names else None
    if name:
        return f"{name} ({concepts})" if concepts else name
    return concepts or "entity"
