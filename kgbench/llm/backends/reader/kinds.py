"""How the reader reads each kind of task: one function a kind, from a prompt's task to the result that its template writes.

Roles of slots read here: ``question``, ``items``, ``subject_of``, ``object_of``, ``query_entity``, ``actions``,
``history``; triples come end by end in ``TaskView.triples``.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from kgbench.llm.backends.reader.paths import Coverage, Finding, Thresholds, read_evidence
from kgbench.llm.backends.reader.text import HANDLE, content_words, mention_pattern, plain
from kgbench.prompts import Choice, Judgement, TaskKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from kgbench.contracts import TaskView
    from kgbench.llm.backends.reader.text import Embeddings

NEAR_BEST = 0.1
"""Without a number asked for, a choice keeps what is within this of the best similarity."""
MOST_CHOSEN = 5
"""Most items of a choice, and most nodes of one search, without a number asked for."""
LEAST_WEIGHT = 0.01
"""Similarities are cut off below here before they become weights, so that every item keeps some."""
UNKNOWN = "unknown"
NO_TYPE = "entity"

_CLAUSE_WORD = re.compile(r"(?<!\w)(?:that|who|which|whose|of)(?!\w)", re.IGNORECASE)
_JOINT = re.compile(r"-(?=\w+\.)")
"""Where the labels of a joined relation may meet: a hyphen before a dotted label."""


@dataclass(frozen=True, slots=True)
class ReaderAction:
    """Result of an ``act`` task."""

    verb: Literal["search", "finish"]
    arguments: tuple[str, ...]
    """What to search or the answers, as the prompt shows them; ``unknown`` where nothing is left to do."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What every reading uses."""

    embeddings: Embeddings
    thresholds: Thresholds


# --- Lists -------------------------------------------------------------------------------------------------------------


def choose(task: TaskView, tools: Tools) -> list[Choice]:
    """Items by similarity to the question, best first; ties keep prompt order. Weights sum to 1."""
    items = _items(task)
    if not items:
        return []
    cosines = _cosines(task, tools, items)
    ranked = sorted(range(len(items)), key=lambda place: -cosines[place])
    if task.limit is None:
        least = round(cosines[ranked[0]] - NEAR_BEST, 6)
        ranked = [place for place in ranked if cosines[place] >= least][:MOST_CHOSEN]
    else:
        ranked = ranked[: task.limit]
    weights = _weights([cosines[place] for place in ranked])
    return [Choice(place + 1, items[place], weight) for place, weight in zip(ranked, weights, strict=True)]


def score(task: TaskView, tools: Tools) -> list[float]:
    """Weight of each item, in prompt order; items that show nothing but a handle all weigh the same."""
    return _weights(_cosines(task, tools, _items(task)))


def _items(task: TaskView) -> tuple[str, ...]:
    """Items of a list task; some templates list triples."""
    return task.slots.get("items", task.slots.get("triples", ()))


def _cosines(task: TaskView, tools: Tools, items: Sequence[str]) -> list[float]:
    return tools.embeddings.similarities(" ".join(_content(task)), [plain(item) for item in items])


def _weights(cosines: Sequence[float]) -> list[float]:
    cut = [max(cosine, LEAST_WEIGHT) for cosine in cosines]
    total = sum(cut)
    return [weight / total for weight in cut]


# --- Words -------------------------------------------------------------------------------------------------------------


def type_words(task: TaskView, _tools: Tools) -> str:
    """Name a class: the commonest class part of the labels that have the node as subject, else what it is the object of."""
    classes = (_class_part(label) for label in task.slots.get("subject_of", ()))
    roles = (_role_part(label) for label in task.slots.get("object_of", ()))
    return _commonest(classes) or _commonest(roles) or NO_TYPE


def _class_part(label: str) -> str:
    """Words of the last but one part of a dotted label; of a joined label, the edge that leaves the node counts."""
    parts = _edge_labels(label)[0].split(".")
    return plain(parts[-2]) if len(parts) > 1 else ""


def _role_part(label: str) -> str:
    """Words of the last part of a label; of a joined label, the edge that arrives at the node counts."""
    return plain(_edge_labels(label)[-1].split(".")[-1])


def _edge_labels(label: str) -> list[str]:
    """Labels that a joined relation is made of, where all are dotted; any other label is its own only part."""
    parts = _JOINT.split(label)
    return parts if all("." in part for part in parts) else [label]


def _commonest(texts: Iterable[str]) -> str:
    ranked = Counter(text for text in texts if text).most_common(1)
    return ranked[0][0] if ranked else ""


def path(task: TaskView, _tools: Tools) -> list[str]:
    """Cut the question at its clause words and drop pieces that ask nothing beside a topic's mention; no abstraction."""
    question = _question(task)
    pieces = (piece.strip(" \t\r\n,;:?!.") for piece in _cut(question, task.mentions))
    kept = list(dict.fromkeys(piece for piece in pieces if content_words(piece, task.mentions)))
    return kept or [question]


def _cut(question: str, mentions: Iterable[str]) -> list[str]:
    """Pieces between clause words; a clause word inside a topic's mention does not cut."""
    pattern = mention_pattern(mentions)
    named = [match.span() for match in pattern.finditer(question)] if pattern else []
    pieces: list[str] = []
    begin = 0
    for match in _CLAUSE_WORD.finditer(question):
        if not any(first <= match.start() < last for first, last in named):
            pieces.append(question[begin : match.start()])
            begin = match.end()
    return [*pieces, question[begin:]]


# --- Evidence ----------------------------------------------------------------------------------------------------------


def judge(task: TaskView, tools: Tools) -> Judgement:
    """Tell whether the evidence suffices; where the prompt lists labels and no triples, whether one of them does."""
    finding = _read(task, tools) if task.triples else _read_labels(task, tools)
    enough = finding.suffices(tools.thresholds.uncovered_share)
    return Judgement(enough, finding.answers if enough and task.triples else ())


def _read(task: TaskView, tools: Tools) -> Finding:
    return read_evidence(task.triples, _content(task), tools.embeddings, tools.thresholds.word_similarity)


def _read_labels(task: TaskView, tools: Tools) -> Finding:
    """Read each label as a path of one edge."""
    labels = task.slots.get("items", ())
    content = _content(task)
    coverage = Coverage(content, tools.embeddings, tools.thresholds.word_similarity, labels)
    most = max((coverage.of(label).bit_count() for label in labels), default=0)
    return Finding(labels, most, len(content))


def answer(task: TaskView, tools: Tools) -> list[str]:
    """Ends of the best path and of its like, each as the prompt shows it, best first."""
    return list(_read(task, tools).answers)


def note(task: TaskView, _tools: Tools) -> list[str]:
    """Copy the triples as the prompt shows them, one a line."""
    return list(task.slots.get("triples", ()))


# --- Agents ------------------------------------------------------------------------------------------------------------


def act(task: TaskView, tools: Tools) -> ReaderAction:
    """Search the topics first, finish when the evidence suffices, else search on from the ends of the best path.

    Observations stand in the prompt's triples. What was searched before is read from the ``actions`` slot, or from
    ``history`` where a template has no slot for actions.
    """
    if not task.triples:
        return _search_or_give_up(task, _topics(task))
    finding = _read(task, tools)
    if finding.suffices(tools.thresholds.uncovered_share):
        return ReaderAction("finish", finding.answers)
    return _search_or_give_up(task, finding.answers)


def _search_or_give_up(task: TaskView, nodes: Sequence[str]) -> ReaderAction:
    done = "\n".join(task.slots.get("actions", task.slots.get("history", ())))
    fresh = [node for node in nodes if not _names_node(done, node)]
    if not fresh:
        return ReaderAction("finish", (UNKNOWN,))
    return ReaderAction("search", tuple(fresh[: MOST_CHOSEN if task.limit is None else task.limit]))


def _names_node(text: str, node: str) -> bool:
    """Tell whether ``text`` shows a node, by its handle where it has one, as a whole word."""
    handle = HANDLE.search(node)
    shown = handle.group() if handle else node
    return re.search(rf"(?<!\w){re.escape(shown)}(?!\w)", text) is not None


def _topics(task: TaskView) -> Sequence[str]:
    return task.slots.get("query_entity") or task.mentions


def recall(_task: TaskView, _tools: Tools) -> None:
    """Know nothing: the template writes its own form of "unknown"."""


# --- All kinds ---------------------------------------------------------------------------------------------------------


READINGS: Mapping[str, Callable[[TaskView, Tools], Any]] = {
    TaskKind.CHOOSE: choose,
    TaskKind.SCORE: score,
    TaskKind.TYPE: type_words,
    TaskKind.PATH: path,
    TaskKind.JUDGE: judge,
    TaskKind.ANSWER: answer,
    TaskKind.NOTE: note,
    TaskKind.ACT: act,
    TaskKind.RECALL: recall,
}


def readable(kind: str) -> bool:
    """Tell whether the reader can read a task of this kind; for a check before the first question."""
    return kind in READINGS


def _question(task: TaskView) -> str:
    return " ".join(task.slots.get("question", ()))


def _content(task: TaskView) -> tuple[str, ...]:
    return content_words(_question(task), task.mentions)
