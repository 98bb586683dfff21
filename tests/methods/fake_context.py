"""A context with scripted replies for tests of methods: no harness, no model, no graph unless one is given."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from kgbench.contracts import Reply
from kgbench.prompts import Described, Fact, FilledPrompt
from kgbench.types import Entity, Literal, Question, Triple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from kgbench.types import Term


@dataclass(frozen=True)
class RecordedCall:
    """One call that a method made."""

    prompt: FilledPrompt
    messages: tuple[Mapping[str, str], ...]
    n: int
    sampling: Mapping[str, float]

    @property
    def wire(self) -> tuple[Any, ...]:
        """Everything that makes two requests equal."""
        return (
            tuple(tuple(message.items()) for message in self.messages),
            self.n,
            tuple(sorted(self.sampling.items())),
        )


@dataclass
class FakeContext:
    """Serves replies in order, one a sample, and records what was asked.

    ``script`` holds texts and ready-made ``Reply`` objects (a ``Reply`` answers a whole call), or is a function from the
    prompt to a text. Running out of script fails the test.
    """

    script: Iterable[str | Reply] | Callable[[FilledPrompt], str]
    graph: Any = None
    resolved: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)
    prepared: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._waiting = None if callable(self.script) else deque(self.script)
        self.calls: list[RecordedCall] = []
        self.notes: Counter[str] = Counter()

    @property
    def kg(self) -> Any:
        assert self.graph is not None, "the method reads the graph, and the test gave none"
        return self.graph

    def llm(self, prompt: FilledPrompt, n: int = 1, **sampling: float) -> Reply:
        assert isinstance(prompt, FilledPrompt)
        self.calls.append(RecordedCall(prompt, messages_of(prompt), n, sampling))
        if self._waiting is not None and self._waiting and isinstance(self._waiting[0], Reply):
            return self._waiting.popleft()  # type: ignore[return-value]
        samples = tuple(self._next(prompt) for _ in range(n))
        return Reply(text=samples[0], samples=samples, shown=_shown(prompt))

    def local_llm(self, prompt: FilledPrompt, n: int = 1, **sampling: float) -> Reply:
        raise AssertionError("the method asked a model of the trusted zone, and the test gave none")

    def embed(self, items: Sequence[object]) -> Any:
        raise AssertionError("the method asked for embeddings, and the test gave none")

    def resolve(self, fragment: str, among: Iterable[Term] | None = None) -> tuple[Term, ...]:
        allowed = None if among is None else set(among)
        return tuple(term for term in self.resolved.get(fragment, ()) if allowed is None or term in allowed)

    def seeded_order(self, terms: Iterable[Term], *key: str) -> list[Term]:
        ordered = sorted(terms, key=lambda term: term.sort_key)
        self.rng(*key).shuffle(ordered)
        return ordered

    def rng(self, *key: str) -> Random:
        return Random("/".join(key))  # noqa: S311

    def link(self, text: str, k: int = 5) -> list[tuple[Entity, float]]:
        raise AssertionError("the method asked for entity linking, and the test gave none")

    def rank(self, query: str, items: Sequence[Term]) -> list[float]:
        raise AssertionError("the method ranked by real names, and the test gave none")

    def note(self, kind: str, count: int = 1) -> None:
        self.notes[kind] += count

    def _next(self, prompt: FilledPrompt) -> str:
        if self._waiting is None:
            return self.script(prompt)  # type: ignore[operator]
        assert self._waiting, f"the script has no reply left for call {len(self.calls)} ({prompt.name})"
        reply = self._waiting.popleft()
        assert isinstance(reply, str), "a ready-made Reply answers a whole call, not one sample of it"
        return reply


def messages_of(prompt: FilledPrompt) -> tuple[Mapping[str, str], ...]:
    """The messages of a prompt with every node shown by its id."""
    template = prompt.template
    values = {name: _rendered(value) for name, value in prompt.values.items()}
    turn = template.lay_out(values) + ("\n" + template.reminder if prompt.remind else "")
    if template.flat:
        fixed = "".join(f"{message['content']}\n" for message in template.fixed_messages)
        return ({"role": "user", "content": fixed + turn},)
    return (*template.fixed_messages, {"role": "user", "content": turn})


def _shown(prompt: FilledPrompt) -> dict[str, tuple[object, ...]]:
    return {name: value for name, value in prompt.values.items() if isinstance(value, tuple)}


def _rendered(value: Any) -> str | tuple[str, ...]:
    return tuple(_text(item) for item in value) if isinstance(value, tuple) else _text(value)


def _text(value: Any) -> str:
    if isinstance(value, Described):
        concepts = ", ".join(_text(concept) for concept in value.concepts)
        return f"{_text(value.term)} ({concepts})" if concepts else _text(value.term)
    if isinstance(value, Fact):
        ends = (Described(value.triple.subject, value.subject), Described(value.triple.object, value.object))
        return f"{_text(ends[0])}, {value.triple.relation.label}, {_text(ends[1])}"
    if isinstance(value, Triple):
        return _text(Fact(value))
    if isinstance(value, Entity):
        return value.id
    if isinstance(value, Literal):
        return value.lexical
    if isinstance(value, (int, float)):
        return str(value)
    return value.label if hasattr(value, "label") else value.text


def question(text: str, identifier: str = "q1") -> Question:
    """A question without topics."""
    return Question(identifier, text)
