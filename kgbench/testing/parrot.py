"""A model that says back as much of what it was shown as its task has room for: the worst case for echoes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from kgbench.contracts import Completion, ModelCard
from kgbench.llm.backends.reader import ReaderAction
from kgbench.prompts import Choice, Judgement, TaskKind
from kgbench.seam.pseudonyms import HANDLE
from kgbench.text import label_words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from kgbench.contracts import ModelRequest, TaskView

_WORD = re.compile(r"[^\W\d_]+")


class Parrot:
    """Implements :class:`kgbench.contracts.ChatModel`; deterministic, and blind to what handles look like.

    It chooses whatever is offered, calls no evidence sufficient and answers with every node that it saw, so that methods
    go as deep as they can and every name that a prompt showed comes back.

    Args:
        declines_ties: choose nothing where only handles tell two items apart, so that nothing it says hangs on the key.
    """

    card = ModelCard(name="parrot", backend="scripted", language_model=False, cacheable=False)

    def __init__(self, *, declines_ties: bool = False) -> None:
        self._declines_ties = declines_ties

    def complete(self, request: ModelRequest) -> Completion:
        """Answer from the request's task; a task of a kind without a reading gets the text of its last message back."""
        task = request.task
        if self._declines_ties and task is not None and task.kind == TaskKind.CHOOSE and _has_ties(_items(task)):
            return Completion(texts=(task.write([]),) * request.n, model="parrot")
        return Completion(texts=(parrot_reply(request),) * request.n, model="parrot")


def parrot_reply(request: ModelRequest) -> str:
    """What the parrot says to a request."""
    task = request.task
    reading = _READINGS.get(task.kind) if task is not None else None
    if task is None or reading is None:
        return request.messages[-1]["content"]
    return task.write(reading(task))


def _has_ties(texts: Collection[str]) -> bool:
    return len({HANDLE.sub("", text) for text in texts}) < len(texts)


def _by_words(texts: Iterable[str]) -> list[str]:
    """Sort texts by what remains without their handles, so that no choice depends on the key."""
    return sorted(texts, key=lambda text: HANDLE.sub("", text))


def _choose(task: TaskView) -> list[Choice]:
    items = _items(task)
    places = {text: place for place, text in reversed(list(enumerate(items, 1)))}
    ranked = _by_words(places)[: task.limit]
    return [Choice(places[text], text) for text in ranked]


def _score(task: TaskView) -> list[float]:
    items = _items(task)
    return [1.0 / len(items)] * len(items)


def _type(task: TaskView) -> str:
    labels = (*task.slots.get("subject_of", ()), *task.slots.get("object_of", ()))
    words = [word for label in _by_words(labels) for word in _WORD.findall(label_words(label))]
    return " ".join(words[:3]) or "thing"


def _path(task: TaskView) -> list[str]:
    return [" ".join(task.slots.get("question", ()))]


def _judge(task: TaskView) -> Judgement:
    return Judgement(sufficient=False)


def _answer(task: TaskView) -> list[str]:
    ends = [end.text for triple in task.triples for end in (triple.subject, triple.object)]
    return _by_words(dict.fromkeys(ends or _items(task)))


def _act(task: TaskView) -> ReaderAction:
    """Search everything that was shown and not searched yet; then answer with it."""
    ends = [end.text for triple in task.triples for end in (triple.subject, triple.object)]
    nodes = _by_words(dict.fromkeys((*task.slots.get("query_entity", ()), *ends)))
    done = "\n".join(task.slots.get("actions", task.slots.get("history", ())))
    fresh = tuple(node for node in nodes if node not in done)
    return ReaderAction("search", fresh) if fresh else ReaderAction("finish", tuple(nodes))


def _note(task: TaskView) -> list[str]:
    return _by_words(task.slots.get("triples", ()))


def _recall(task: TaskView) -> None:
    """Know nothing."""


def _items(task: TaskView) -> tuple[str, ...]:
    return task.slots.get("items", task.slots.get("triples", ()))


_READINGS: Mapping[str, Callable[[TaskView], Any]] = {
    TaskKind.CHOOSE: _choose,
    TaskKind.SCORE: _score,
    TaskKind.TYPE: _type,
    TaskKind.PATH: _path,
    TaskKind.JUDGE: _judge,
    TaskKind.ANSWER: _answer,
    TaskKind.NOTE: _note,
    TaskKind.ACT: _act,
    TaskKind.RECALL: _recall,
}
