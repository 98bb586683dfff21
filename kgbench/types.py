"""The nouns of the field as plain data: entities, literals, relations, triples, questions, gold, predictions.

Nothing here knows a method, a model or a graph engine. An :class:`Entity` is an opaque handle without a name, and
:class:`Gold` is another type than :class:`Question`, so that no method can reach a name or an answer by accident.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

_NUMBER_TYPES = frozenset({"int", "decimal", "float", "double", "long", "short", "byte"})
_PRINT_KEY = os.urandom(16)


def short_digest(*parts: str) -> str:
    """Return six hex digits that stand for ``parts`` within this process only.

    The digest is keyed with bytes drawn at start-up: ids, dates and small numbers could otherwise be found by trying
    them all, and log lines do leave machines.
    """
    data = "\x00".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, key=_PRINT_KEY, digest_size=3).hexdigest()


class Direction(StrEnum):
    """Which end of a triple an entity stands at."""

    OUT = "out"
    """The entity is the subject."""
    IN = "in"
    """The entity is the object."""

    @property
    def reverse(self) -> Direction:
        """The other direction."""
        return Direction.IN if self is Direction.OUT else Direction.OUT


class Phase(StrEnum):
    """What a prompt serves; it decides, with the scenario, whether names may be shown."""

    RETRIEVAL = "retrieval"
    GENERATION = "generation"
    MIXED = "mixed"
    """Serves both: names only where both phases are exposed."""
    SETUP = "setup"
    """Before the first question: holds no graph content at all."""


class Zone(StrEnum):
    """Where a model runs."""

    REMOTE = "remote"
    """Untrusted: honest but curious, logs everything."""
    LOCAL = "local"
    """Inside the owner's control; may see names."""


class Scenario(StrEnum):
    """Which phases show names (privacy scenarios of the ARoG paper, figure 5)."""

    PRIVATE = "private"
    P_R = "p-r"
    P_G = "p-g"
    P_RAG = "p-rag"

    def exposes(self, phase: Phase) -> bool:
        """Tell whether prompts of ``phase`` may show names in this scenario."""
        if phase is Phase.SETUP:
            return False
        if phase is Phase.MIXED:
            return self is Scenario.P_RAG
        shown = {
            Scenario.PRIVATE: (),
            Scenario.P_R: (Phase.RETRIEVAL,),
            Scenario.P_G: (Phase.GENERATION,),
            Scenario.P_RAG: (Phase.RETRIEVAL, Phase.GENERATION),
        }
        return phase in shown[self]


class Status(StrEnum):
    """How a question ended. Only OK and KG_PARTIAL are scored; every other status is a miss."""

    OK = "ok"
    NO_ANSWER = "no_answer"
    PARSE_ERROR = "parse_error"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    PROMPT_TOO_LONG = "prompt_too_long"
    LLM_ERROR = "llm_error"
    KG_ERROR = "kg_error"
    KG_PARTIAL = "kg_partial"
    NO_TOPIC_ENTITY = "no_topic_entity"
    PRIVACY_BLOCKED = "privacy_blocked"
    SKIPPED_BUDGET = "skipped_budget"


SCORED = (Status.OK, Status.KG_PARTIAL)
"""Statuses whose answers are scored."""
RETRIED_ON_RESUME = (Status.LLM_ERROR, Status.KG_ERROR, Status.KG_PARTIAL, Status.SKIPPED_BUDGET)
"""Statuses that a resumed run works on again."""
ERROR_STATUSES = (
    Status.PARSE_ERROR,
    Status.REFUSED,
    Status.TRUNCATED,
    Status.PROMPT_TOO_LONG,
    Status.LLM_ERROR,
    Status.KG_ERROR,
    Status.PRIVACY_BLOCKED,
)
"""Statuses that count as errors of a run (``--max-errors``)."""


class Source(StrEnum):
    """Where an answer came from; a fallback is never credited to the graph."""

    GRAPH = "graph"
    MODEL = "model"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the graph, known by its id alone. Prints as a digest: an id may be a public name."""

    id: str

    @property
    def sort_key(self) -> tuple[int, str, str, str]:
        """Order among terms: entities by id, before all literals."""
        return (0, self.id, "", "")

    def __repr__(self) -> str:
        return f"Entity#{short_digest('E', self.id)}"

    __str__ = __repr__


@dataclass(frozen=True, slots=True)
class Literal:
    """A value in the graph: a date, a number, a string. Prints as a digest."""

    lexical: str
    """The value as written, without quotes."""
    datatype: str = ""
    """Full IRI of the datatype; empty for a plain or xsd:string literal and for a language-tagged one."""
    language: str = ""
    """Language tag in lower case, or empty."""

    @property
    def kind(self) -> str:
        """``date``, ``number``, ``boolean`` or ``text``: read from the datatype, which is schema."""
        kind = self.datatype.rpartition("#")[2].lower()
        if "date" in kind or kind.startswith(("gyear", "gmonth", "gday", "time")):
            return "date"
        if kind in _NUMBER_TYPES or kind.endswith("integer"):
            return "number"
        return "boolean" if kind == "boolean" else "text"

    @property
    def sort_key(self) -> tuple[int, str, str, str]:
        """Order among terms: literals by lexical form, after all entities."""
        return (1, self.lexical, self.datatype, self.language)

    def __repr__(self) -> str:
        return f"Literal#{short_digest('L', self.lexical, self.datatype, self.language)}"

    __str__ = __repr__


Term = Entity | Literal


@dataclass(frozen=True, slots=True)
class Relation:
    """A predicate of the graph."""

    id: str
    """The predicate's own id (in an RDF store its IRI)."""
    label: str
    """What a prompt shows for it."""


@dataclass(frozen=True, slots=True)
class JoinedRelation:
    """Two edges through a mediator (CVT), read as one relation (ARoG paper, appendix E).

    ``first`` leads from the entity to the mediator, ``second`` from the mediator on.
    """

    first: Relation
    first_direction: Direction
    second: Relation
    second_direction: Direction

    @property
    def direction(self) -> Direction:
        """Direction in which the joined edge is shown; OUT where the mediator is the subject or object of both edges."""
        return self.first_direction if self.first_direction is self.second_direction else Direction.OUT

    @property
    def label(self) -> str:
        """Both labels joined by ``-``, in subject-to-object order."""
        if self.direction is Direction.IN:
            return f"{self.second.label}-{self.first.label}"
        return f"{self.first.label}-{self.second.label}"

    @property
    def reversed(self) -> JoinedRelation:
        """The same two edges, walked from the far end."""
        return JoinedRelation(self.second, self.second_direction.reverse, self.first, self.first_direction.reverse)

    @property
    def id(self) -> str:
        """An id that is unique among relations and joined relations; never sent, never parsed back."""
        return f"{self.first_direction}:{self.first.id}|{self.second_direction}:{self.second.id}"


AnyRelation = Relation | JoinedRelation


@dataclass(frozen=True, slots=True)
class ClassLabel:
    """A class of the schema, by its label."""

    label: str


@dataclass(frozen=True, slots=True)
class Triple:
    """One fact, simple or joined."""

    subject: Term
    relation: AnyRelation
    object: Term


@dataclass(frozen=True, slots=True)
class Question:
    """All of a question that a method or a prompt can reach."""

    id: str
    text: str
    topics: tuple[Entity, ...] = ()
    """Topic entities in the order of exploration; may be empty."""


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """One right answer: an entity (``id``), a literal (``value``) or a text (``name`` alone)."""

    id: str | None = None
    name: str | None = None
    aliases: tuple[str, ...] = ()
    value: str | None = None
    datatype: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Name and aliases, without repeats."""
        every = ((self.name,) if self.name else ()) + self.aliases
        return tuple(dict.fromkeys(every))


@dataclass(frozen=True, slots=True)
class Gold:
    """The right answers of one question. Loaded by scoring alone; no method can reach it."""

    question_id: str
    answers: tuple[GoldAnswer, ...]
    parses: tuple[tuple[int, ...], ...] = ()
    """For WebQSP: indices into ``answers``, one tuple a parse; empty where the data set has no parses."""
    flags: tuple[str, ...] = ()
    """Quality marks such as ``no_gold`` or ``gold_is_topic``."""


Answer = Entity | Literal | str
"""What a method may return as one answer; a ``str`` is text that stands for no node."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a method returns for a question."""

    answers: tuple[Answer, ...] = ()
    """Best first."""
    raw: str = ""
    """The reply that the answers were read from, as the model wrote it (handles and all)."""
    source: Source = Source.MODEL
    flags: tuple[str, ...] = ()
    evidence: tuple[Triple, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerItem:
    """One answer with its name restored: what the record holds and what scorers see."""

    kind: str
    """``entity``, ``literal`` or ``text``."""
    text: str
    """The entity's name (or id where it has none), the literal's lexical form, or the text."""
    ids: tuple[str, ...] = ()
    """Ids that the item stands for: one for an entity, two or more for a text that names homonyms."""
    aliases: tuple[str, ...] = ()
    datatype: str = ""
    in_evidence: bool = False


@dataclass(frozen=True, slots=True)
class RestoredPrediction:
    """A prediction after the runner restored the names: the only form that scorers and reports read."""

    items: tuple[AnswerItem, ...] = ()
    raw: str = ""
    """The raw reply with each issued handle replaced by its name."""
    source: Source = Source.MODEL
    flags: tuple[str, ...] = ()
    entity_names: tuple[str, ...] = ()
    """Names of the entities that this question's evidence holds; lets a scorer know a comma that belongs to a name."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call or of many."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    """Input tokens that the provider served from its own prompt cache."""
    estimated: int = 0
    """Calls whose tokens were estimated locally."""
    requests: int = 0
    """Requests sent, retries included."""

    def to_json(self) -> dict[str, int]:
        """Field -> value; written once a call, hence by hand."""
        return {
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "reasoning_tokens": self.reasoning_tokens,
            "cached_tokens": self.cached_tokens,
            "estimated": self.estimated,
            "requests": self.requests,
        }

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            self.cached_tokens + other.cached_tokens,
            self.estimated + other.estimated,
            self.requests + other.requests,
        )


@dataclass(frozen=True, slots=True)
class NodeNames:
    """The names of one node: LOCAL only."""

    name: str | None
    aliases: tuple[str, ...] = ()
    description: str | None = None


@dataclass(frozen=True, slots=True)
class NodeKind:
    """What the schema says of a node."""

    classes: tuple[ClassLabel, ...] = ()
    mediator: bool = False
    """True for a CVT, statement or reified node: known from the schema or profile, never from a missing name."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Terms reached from entities along one relation in one direction."""

    pairs: tuple[tuple[Entity, Term], ...]
    """(start, term reached), sorted by start id and then by term."""
    cut: bool = False
    """True where the row limit was reached: there may be more."""


JsonObject = dict[str, Any]
"""A JSON object as read from a file."""


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    """Something is not read as it was meant."""
    WARNING = "warning"
    """It is read, and most likely not what was meant."""
    HINT = "hint"
    """It may be meant so; worth a look."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check of data files found. Holds no name, alias, literal or id: a report of it may be passed on."""

    severity: Severity
    kind: str
    """For machines, such as ``bad_line``."""
    text: str
    """For people: what is wrong, and what follows or what to do."""
    file: str = ""
    """Name of the file, without its folder; empty where the finding is about no file."""
    line: int = 0
    """Counted from 1; 0 where it is about no line."""


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """A question with all that belongs to it, kept apart: only ``question`` ever reaches a method."""

    question: Question
    gold: Gold
    topic_names: dict[Entity, str] = field(default_factory=dict)
    """The data set's names of the topics; for the gateway, which looks for the mention."""
    mentions: dict[Entity, str] = field(default_factory=dict)
    """The question's own words for a topic, where the record gives them."""
    tags: JsonObject = field(default_factory=dict)
    """Every other field of the record: for filters and split rows, out of every method's reach."""
