"""A model that plays its part in an ARoG run, one script a template, and the run around it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from kgbench.testing import MemoryGraph, RunArtifacts, ScriptedModel, parse_triples, run_once, toy_records
from kgbench.types import Entity, Gold, NodeNames, Question, QuestionRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.contracts import ModelRequest, TaskView

    Part = str | list[str] | Callable[[TaskView], str]

SA, RR, EA = "arog.sa", "arog.relations", "arog.abstraction"
CHOOSE, JUDGE, ANSWER, COT = "arog.choose", "arog.judge", "arog.answer", "cot"


def all_labels(task: TaskView) -> str:
    """Choose the first labels that the prompt lists, as many as it asks for."""
    return "[" + ", ".join(f'"{label}"' for label in task.slots["items"][: task.limit]) + "]"


def first_objects(task: TaskView) -> str:
    """Answer with the far end of each triple that starts at a topic, by its handle."""
    ends = [triple.object.text if triple.subject.topic else triple.subject.text for triple in task.triples]
    return "{" + " | ".join(end.split(" (")[0] for end in ends) + "}"


def first_numbers(task: TaskView) -> str:
    """Choose the first lines that the prompt numbers, as many as it asks for."""
    return str(list(range(1, (task.limit or 1) + 1)))


DEFAULTS: dict[str, Part] = {
    SA: "Thought: one step.\nPath: {a (thing) -> leads to -> x (thing)}\nAnswer: x (thing)",
    RR: all_labels,
    EA: '{"type": "thing", "description": "a thing"}',
    JUDGE: "{Yes} enough.",
    ANSWER: first_objects,
    CHOOSE: first_numbers,
    COT: "The answer is {Somewhere}.",
}


def play(**parts: Part) -> Callable[[ModelRequest], str]:
    """A script: template name without ``arog.`` -> a reply, replies one after the other, or a function of the task."""
    named = {(name if name == COT else f"arog.{name}"): part for name, part in parts.items()}
    every = {**DEFAULTS, **{name: deque(part) if isinstance(part, list) else part for name, part in named.items()}}

    def reply(request: ModelRequest) -> str:
        assert request.task is not None
        part = every[request.task.template]
        if callable(part):
            return part(request.task)
        return part.popleft() if isinstance(part, deque) else part

    return reply


def ask(
    question: str | QuestionRecord, parts: dict[str, Part] | None = None, *, method: str = "arog", **settings: Any
) -> RunArtifacts:
    """Run ARoG on one question, of the toy world where only its id is given, with a scripted model."""
    records = toy_records(question) if isinstance(question, str) else (question,)
    return run_once(method, records=records, model=ScriptedModel(play(**(parts or {}))), **settings)


def world(facts: str, *, named: Sequence[str] = (), **graph: Any) -> MemoryGraph:
    """A small graph whose nodes are named by their ids in capitals, all or those given."""
    triples = parse_triples(facts)
    nodes = {end.id for triple in triples for end in (triple.subject, triple.object) if isinstance(end, Entity)}
    chosen = named or sorted(nodes)
    return MemoryGraph(triples, names={node: NodeNames(node.upper()) for node in chosen}, **graph)


def about(*topics: str, text: str | None = None) -> QuestionRecord:
    """A question about topics that its text names in capitals."""
    question = Question("q", text or f"What of {' and '.join(topics).upper()}?", tuple(map(Entity, topics)))
    return QuestionRecord(question, Gold("q", ()), {Entity(topic): topic.upper() for topic in topics})


def turns(run: RunArtifacts, stage: str) -> list[str]:
    """The final user turns of one stage, in order."""
    return [call["messages"][-1]["content"] for call in run.calls if call["stage"] == stage]


def evidence(run: RunArtifacts, stage: str = "answer") -> list[str]:
    """The lines of evidence of the last prompt of a stage, handles replaced by the ids that they stand for."""
    (question,) = {call["question_id"] for call in run.calls}
    terms = run.handles(question)
    text = turns(run, stage)[-1].split("Triples:\n", 1)[1]
    for handle, term in terms.items():
        text = text.replace(handle, term.id if isinstance(term, Entity) else f'"{term.lexical}"')
    return sorted(text.splitlines())


def items(run: RunArtifacts) -> list[str]:
    """Texts of the answers of the one question."""
    (record,) = run.records
    return [item["text"] for item in record["prediction"]["items"]]
