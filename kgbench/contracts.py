"""The contracts between the harness and everything that can be plugged into it.

A method, an adapter, a model backend, an embedder, a metric and an executor each implement one small protocol. What a
method may reach is the :class:`Context`, made for one question: no globals, no names, no gold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from random import Random

    import numpy as np
    from numpy.typing import NDArray

    from kgbench.types import (
        AnyRelation,
        Direction,
        Entity,
        Gold,
        JsonObject,
        Literal,
        Neighbours,
        NodeKind,
        NodeNames,
        Phase,
        Prediction,
        Question,
        Relation,
        RestoredPrediction,
        Term,
        Triple,
        Zone,
    )

Item = TypeVar("Item")
Result = TypeVar("Result")


# --- Replies -----------------------------------------------------------------------------------------------------------


class LocalText:
    """Free text derived from graph content, or taken from a reply of the LOCAL zone.

    The gateway refuses it in a protected phase of a REMOTE call: summaries, descriptions and sub-answers are names in
    bulk.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"LocalText({len(self.text)} characters)"


_ECHO_TOKEN = object()
_WORD = re.compile(r"\w+")


class Echo:
    """Words of an earlier reply of the same question. Made by :meth:`Reply.echo` alone."""

    __slots__ = ("exposed", "text")

    def __init__(self, text: str, exposed: bool, *, token: object = None) -> None:
        if token is not _ECHO_TOKEN:
            raise TypeError("an Echo is made by Reply.echo(fragment) alone, from the reply's own words")
        self.text = text
        self.exposed = exposed
        """True where the prompt that produced the reply showed names: the words may carry them."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Echo) and other.text == self.text and other.exposed == self.exposed

    def __hash__(self) -> int:
        return hash((self.text, self.exposed))

    def __repr__(self) -> str:
        return f"Echo({len(self.text)} characters)"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a method gets back from a model.

    ``text`` has reasoning blocks removed. Names in it, if any, are the model's own or were shown to it.
    """

    text: str
    samples: tuple[str, ...] = ()
    """All samples, ``text`` first."""
    finish: str = "stop"
    """``stop``, ``length`` or the provider's own word."""
    local: bool = False
    """True for a reply of the LOCAL zone."""
    exposed: bool = False
    """True where the prompt showed names."""
    flags: tuple[str, ...] = ()
    """``exemplar_echo`` where it repeats an invented name of its prompt's exemplars, ``cached``, ``estimated``."""
    shown: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    """For each list slot, its items in the order in which the prompt showed them; numbers count from 1 in it."""

    def echo(self, fragment: str) -> Echo | LocalText:
        """Wrap a piece of this reply so that it may be shown in a later prompt.

        Args:
            fragment: words of the reply in their order; words may be left out, none added; case and spacing are free.

        Returns:
            An :class:`Echo`, or :class:`LocalText` where the reply came from the LOCAL zone.

        Raises:
            ValueError: ``fragment`` holds a word that the reply does not have at that place.
        """
        wanted = _WORD.findall(fragment.casefold())
        if not any(_is_subsequence(wanted, _WORD.findall(text.casefold())) for text in self.samples or (self.text,)):
            raise ValueError("the fragment has words that the reply does not have; an Echo repeats a reply's own words")
        if self.local:
            return LocalText(fragment)
        return Echo(fragment, self.exposed, token=_ECHO_TOKEN)


def _is_subsequence(wanted: Sequence[str], words: Iterable[str]) -> bool:
    rest = iter(words)
    return all(word in rest for word in wanted)


class Prompt(Protocol):
    """A filled template, as :meth:`kgbench.prompts.Template.fill` makes it. Nothing else can be sent."""

    @property
    def name(self) -> str:
        """Name of the template."""

    @property
    def phase(self) -> Phase:
        """The phase that the template serves."""

    @property
    def stage(self) -> str:
        """The step of the method, for ledgers and pages."""


# --- Methods -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MethodCard:
    """What a method says of itself."""

    name: str
    """Registry name, as in the papers' tables."""
    version: str
    summary: str
    """One line for ``kgbench list methods``."""
    paper: str = ""
    """Citation or arXiv id."""
    templates: tuple[Any, ...] = ()
    """Every :class:`kgbench.prompts.Template` that the method may send."""
    parameters: type | None = None
    """A frozen dataclass of its knobs, all with defaults."""
    uses_graph: bool = True
    uses_embedder: bool = False
    keeps_state: bool = False
    """True for a method that carries state from question to question: it runs at ``--jobs 1``."""
    expected_calls: Callable[[Any], tuple[float, float]] | None = None
    """Parameters -> (typical, largest) number of logical calls a question, for ``--plan``."""


class Method(Protocol):
    """A KGQA method: plain synchronous code, one question a call. Built as ``MethodClass(parameters)``.

    A method may also have ``prepare(questions, ctx) -> JSON``: it runs once before the first question (phase SETUP);
    what it returns is kept in the run and given to every ``ctx`` as ``ctx.prepared``.
    """

    card: MethodCard

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Answer one question."""


@runtime_checkable
class PreparedMethod(Protocol):
    """A method with a step before the first question."""

    def prepare(self, questions: Sequence[Question], ctx: Context) -> JsonObject:
        """Return JSON that every later context gives back as ``ctx.prepared``."""


class View(Protocol):
    """The graph as a method sees it: ids and labels, no names. Made by the harness over any adapter."""

    def relations(
        self, entities: Entity | Sequence[Entity], direction: Direction, use: str | None = None
    ) -> tuple[Relation, ...]:
        """Distinct relations of the entities in a direction, sorted by label.

        ``use`` is ``explore``, ``explore-official`` or ``describe``: bookkeeping relations of the profile are left out.
        """

    def neighbours(
        self, entity: Entity, relation: AnyRelation, direction: Direction, limit: int | None = None
    ) -> tuple[Term, ...]:
        """Terms reached, sorted by id; through a joined relation: two hops, without ``entity`` itself."""

    def are_mediators(self, entities: Sequence[Entity]) -> bool:
        """True if every one of the entities is a CVT, statement or reified node; one round trip."""

    def is_mediator(self, entity: Entity) -> bool:
        """True for a CVT, statement or reified node."""

    def types(self, entity: Entity) -> tuple[str, ...]:
        """Class labels of the entity."""

    def domain_range(self, relation: Relation) -> tuple[str | None, str | None]:
        """Class labels that the schema gives for subject and object of a relation."""

    def skips(self, relation: AnyRelation, use: str) -> bool:
        """True if a relation, or a part of a joined one, is bookkeeping for a use."""

    def inverse(self, relation: AnyRelation) -> str | None:
        """Label of the declared inverse of a relation, where the schema names one."""

    def select(self, sparql: str) -> tuple[tuple[Term | None, ...], ...]:
        """Rows of a SPARQL SELECT query, bounded."""


class Context(Protocol):
    """Everything that a method can reach while it answers one question."""

    @property
    def kg(self) -> View:
        """The graph, without names."""

    @property
    def prepared(self) -> JsonObject:
        """What :meth:`PreparedMethod.prepare` returned."""

    def llm(self, prompt: Prompt, n: int = 1, **sampling: float) -> Reply:
        """Send a prompt to the REMOTE model.

        Args:
            prompt: a filled template.
            n: samples; each is one logical call.
            **sampling: ``temperature``, ``max_tokens``, ``top_p``, ``seed``.

        Raises:
            TypeError: ``prompt`` is no filled template.
            PromptTooLong: it does not fit the model; the one error that a method may catch.
        """

    def local_llm(self, prompt: Prompt, n: int = 1, **sampling: float) -> Reply:
        """Send a prompt to the trusted LOCAL model; it may show names."""

    def embed(self, items: Sequence[object]) -> NDArray[np.float32]:
        """Unit vectors [n, d] of texts or of tuples of slot values; entities show as mention or concepts, never as names."""

    def resolve(self, fragment: str, among: Iterable[Term] | None = None) -> tuple[Entity | Literal, ...]:
        """The terms that a piece of a reply stands for: an issued handle, else a display used in this question.

        Two results are homonyms. A handle that was not issued in this question resolves to nothing and is counted.
        """

    def seeded_order(self, terms: Iterable[Term], *key: str) -> list[Term]:
        """Terms sorted by id, then shuffled with a seed of (run seed, question id, key): the order for LOCAL choices."""

    def rng(self, *key: str) -> Random:
        """A random generator seeded from run seed, question id and ``key``."""

    def rank(self, query: str, items: Sequence[object]) -> list[float]:
        """Similarity of ``query`` to items, as for :meth:`embed` but with the real names of their entities.

        The record then says ``names_in_selection``: what is sent afterwards depends on private names.
        """

    def link(self, text: str, among: Sequence[Entity]) -> tuple[Entity, ...]:
        """The entities of ``among`` whose real name stands in a text; sets ``names_in_selection`` as well."""

    def note(self, kind: str, count: int = 1) -> None:
        """Count an event of this question, such as a malformed reply, in its record."""


# --- Graphs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Profile:
    """What differs from graph to graph: data only."""

    name: str
    opaque_ids: bool = False
    """True where ids carry no words (Freebase, Wikidata): only there may ``source-id`` show them."""
    mediator_classes: tuple[str, ...] = ()
    """Class labels whose members are mediators."""
    unlisted_are_mediators: bool = False
    """For a bare Freebase dump: nodes that no entity list names are mediators, decided once at load."""
    skip: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Use (``explore``, ``explore-official``, ``describe``) -> glob patterns of bookkeeping relation labels."""
    row_limit: int = 10_000
    """Most rows that one query reads."""


@dataclass(frozen=True)
class GraphCard:
    """What an adapter says of an open graph."""

    name: str
    profile: Profile
    fingerprint: str
    """Hash of the content, or of what identifies a remote graph."""
    triples: int | None = None
    domains: Mapping[str, tuple[str | None, str | None]] = field(default_factory=dict)
    """Relation label -> (domain, range) where the schema states them."""
    inverses: Mapping[str, str] = field(default_factory=dict)
    """Relation label -> label of its declared inverse."""
    inverse_ids: Mapping[str, str] = field(default_factory=dict)
    """Label -> id of the relations in ``inverses``, where an adapter tells."""
    relations: int | None = None
    """Distinct relations, as far as the schema was read."""
    mediators: str = ""
    """How mediators are known, in words."""
    notes: tuple[str, ...] = ()
    """What a user should know of the files: an empty one, lines that were skipped. Holds no name, id or value."""


class KnowledgeGraph(Protocol):
    """An open graph. Batches: many entities are one round trip. Every query is bounded."""

    @property
    def card(self) -> GraphCard:
        """What the graph is."""

    def relations(self, entities: Sequence[Entity], direction: Direction) -> dict[Entity, tuple[Relation, ...]]:
        """Distinct relations of each entity, sorted by label; no filter applied."""

    def neighbours(
        self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int | None = None
    ) -> Neighbours:
        """Terms that each entity reaches along a relation; ``limit`` bounds the rows read (default: the profile's)."""

    def names(self, entities: Sequence[Entity]) -> dict[Entity, NodeNames]:
        """Names and aliases: LOCAL only, called by the harness alone."""

    def types(self, entities: Sequence[Entity]) -> dict[Entity, NodeKind]:
        """Classes of each entity, and whether it is a mediator."""

    def select(self, sparql: str) -> tuple[tuple[Term | None, ...], ...]:
        """Rows of a SELECT query, at most the profile's row limit."""


@runtime_checkable
class QuestionGraphs(Protocol):
    """Graphs of which each belongs to one question, such as published subgraphs. An adapter may open these for a graph."""

    @property
    def card(self) -> GraphCard:
        """What holds for all of them: name, profile, and a fingerprint over all."""

    def graph_for(self, question_id: str) -> KnowledgeGraph:
        """Open the graph of one question, which may be empty. Nobody else holds it: it ends with the question.

        Raises:
            GraphError: no graph belongs to the question.
        """


@runtime_checkable
class WholeGraph(KnowledgeGraph, Protocol):
    """A graph in this process that can hand out all that it holds, for descriptions and checks of data.

    Optional for an adapter. LOCAL, called by the harness alone. A remote graph is too large to be read whole.
    """

    def facts(self) -> Iterator[Triple]:
        """Every fact that reads can give, in no particular order; names, types and the schema are none."""

    def all_names(self) -> Iterator[tuple[Entity, NodeNames]]:
        """Every entity that has a name or alias, sorted by id, with its names."""


# --- Models ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownEnd:
    """One end of a triple as a prompt shows it."""

    text: str
    """All that is shown, such as ``m.0b7k2xq1 (river)``; equal texts in one prompt are one node."""
    concepts: str = ""
    """The concepts among it, joined by ``, ``; empty where none are shown."""
    topic: bool = False
    """True where it is shown by a topic's mention."""


@dataclass(frozen=True, slots=True)
class ShownTriple:
    """One triple as a prompt shows it."""

    subject: ShownEnd
    relation: str
    object: ShownEnd


@dataclass(frozen=True, slots=True)
class TaskView:
    """A prompt's task as a retrieval model can read it: kind, rendered slots, and how to write the reply."""

    kind: str
    template: str
    slots: Mapping[str, tuple[str, ...]]
    """Role -> the slot's values as rendered, in the order shown."""
    write: Callable[[Any], str]
    """Task result -> reply in the form that the prompt demands."""
    triples: tuple[ShownTriple, ...] = ()
    """The items of the ``triples`` slot, end by end."""
    mentions: tuple[str, ...] = ()
    """The words of the question that name its topics."""
    limit: int | None = None
    """For ``choose``: how many items the prompt asks for."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request to a model, built from an allow-list: nothing else leaves."""

    messages: tuple[Mapping[str, str], ...]
    """Chat messages with ``role`` and ``content``."""
    sampling: Mapping[str, float]
    """Effective parameters: temperature, max_tokens, top_p, seed, penalties."""
    n: int = 1
    task: TaskView | None = None
    """For backends inside this process alone; never serialised."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a backend returns: its texts and usage, nothing interpreted."""

    texts: tuple[str | None, ...]
    """One text a choice; None where the provider sent null; empty where it sent no choice."""
    finish: str = "stop"
    model: str = ""
    """Model name that the server returned."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    dropped: tuple[str, ...] = ()
    """Sampling parameters that the backend could not pass on."""


@dataclass(frozen=True)
class ModelCard:
    """What a backend says of its model."""

    name: str
    """As given with ``--model``."""
    backend: str
    base_url: str | None = None
    language_model: bool = True
    """False for ``builtin/reader``: its rows are marked ``LM: no``."""
    zone: Zone | None = None
    cacheable: bool = True
    context_window: int | None = None
    counts_tokens: bool = True
    """False where token counts are always local estimates."""


class ChatModel(Protocol):
    """A model backend: one request, one answer; no cache, no retry, no counting."""

    @property
    def card(self) -> ModelCard:
        """What the model is."""

    def complete(self, request: ModelRequest) -> Completion:
        """Send one request.

        Raises:
            TransientFailure: worth another try (408, 409, 429, 5xx, time-out).
            Refused, PromptTooLong, FatalModelError: final.
        """


class TransientFailure(Exception):
    """A failure that the gateway may try again."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds that the server asked to wait, where it did."""


@dataclass(frozen=True)
class EmbedderCard:
    """What an embedder says of itself; part of every signature."""

    name: str
    revision: str
    dimensions: int


class Embedder(Protocol):
    """A text encoder."""

    @property
    def card(self) -> EmbedderCard:
        """Which encoder, which weights."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape [n, d]; each row depends on its own text alone."""


# --- Scoring and execution ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Score:
    """A metric over all questions."""

    value: float | None
    """The mean, or None where nothing can be measured."""
    ci: tuple[float, float] | None
    """95 % bootstrap interval over questions."""
    n: int
    """The denominator: every question, answered or not."""


class Metric(Protocol):
    """A named, versioned score."""

    @property
    def name(self) -> str:
        """Name and version, such as ``hits1@1``."""

    def item(self, question: str, prediction: RestoredPrediction | None, gold: Gold) -> Mapping[str, float]:
        """Statistics of one question; ``prediction`` is None for a miss whatever its text."""

    def total(self, stats: Sequence[Mapping[str, float]]) -> Score:
        """Aggregate; resampling calls it again."""


class Executor(Protocol):
    """Runs tasks over items."""

    def map(self, task: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield results as they finish, in any order."""
