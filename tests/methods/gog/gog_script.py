"""A model that plays its part in a GoG run, one script a stage, and the run around it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from kgbench.testing import MemoryGraph, RunArtifacts, ScriptedModel, parse_triples, run_once, toy_records
from kgbench.types import Entity, Gold, NodeNames, Question, QuestionRecord
from kgbench_methods.gog.method import Gog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.contracts import ModelRequest, Profile, TaskView

    Part = str | Callable[[TaskView], str]

UNKNOWN = "Thought: not found yet.\nAction: Finish[unknown]"
MEMORY = "Thought: I recall it.\nAction: Finish[Somewhere]"


def search(*names: str) -> str:
    return f"Thought: look around.\nAction: Search[{' | '.join(names)}]"


def finish(*names: str) -> str:
    return f"Thought: this is it.\nAction: Finish[{' | '.join(names)}]"


GENERATE = "Thought: the graph lacks the river.\nAction: Generate[river]"


def ends(task: TaskView, relation: str) -> list[str]:
    """Ends of the triples of a relation that are no topics, as the prompt shows them; events where there are only these."""
    found = [end.text for t in task.triples if t.relation == relation for end in (t.subject, t.object) if not end.topic]
    return list(dict.fromkeys(end for end in found if "(event)" not in end)) or list(dict.fromkeys(found))


def search_ends(relation: str) -> Part:
    return lambda task: search(*ends(task, relation))


def finish_ends(relation: str) -> Part:
    return lambda task: finish(*(end.split(" (")[0] for end in ends(task, relation)))


def all_labels(task: TaskView) -> str:
    """Choose every relation that the prompt lists."""
    return "[" + ", ".join(f'"{label}"' for label in task.slots["items"]) + "]"


class Script:
    """Replies by stage: a text for ever, a list one after the other, or a function of the task."""

    def __init__(self, agent: Sequence[Part], **parts: Part | list[Part]) -> None:
        self.parts: dict[str, Any] = {"relations": all_labels, "memory": MEMORY, **parts, "agent": list(agent)}
        self.parts = {name: deque(part) if isinstance(part, list) else part for name, part in self.parts.items()}
        self.tasks: list[TaskView] = []

    def __call__(self, request: ModelRequest) -> str:
        assert request.task is not None
        self.tasks.append(request.task)
        part = self.parts[request.task.template.removeprefix("gog.").split("-")[0]]
        if isinstance(part, deque):
            assert part, f"the script has no reply left for {request.task.template}"
            part = part.popleft()
        return part(request.task) if callable(part) else part


def play(question: str | QuestionRecord, agent: Sequence[Part], **settings: Any) -> RunArtifacts:
    """Run GoG over one question.

    Args:
        question: id of a toy question, or a record.
        agent: what the agent says, step by step.
        **settings: parts of the script by stage (``relations``, ``entity``, ``generate``, ``verify``, ``memory``);
            parameters of the method; everything else goes to the run.
    """
    stages = ("relations", "entity", "generate", "verify", "memory")
    parts = {name: settings.pop(name) for name in stages if name in settings}
    of_run = ("scenario", "graph", "pseudonyms", "seed", "topic_names")
    run = {name: settings.pop(name) for name in of_run if name in settings}
    record = toy_records(question)[0] if isinstance(question, str) else question
    model = ScriptedModel(Script(agent, **parts))
    return run_once(Gog, records=[record], model=model, parameters=settings, **run)


def only(run: RunArtifacts) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The one record of a run and the stages of its calls."""
    (record,) = run.records
    assert record["error"] is None, record["error"]
    return record, run.stages(record["question_id"])


def texts(record: dict[str, Any]) -> list[str]:
    return [item["text"] for item in record["prediction"]["items"]]


def prompts(run: RunArtifacts, stage: str) -> list[str]:
    """Final turns of the calls of a stage."""
    return [call["messages"][-1]["content"] for call in run.calls if call["stage"] == stage]


def relations_of(prompt: str) -> list[str]:
    """Labels that a relation prompt lists, in its order."""
    listed = prompt.split("Relations:\n")[1].split("\nChoose", maxsplit=1)[0]
    return [line.split(". ", 1)[1] for line in listed.splitlines()]


def world(triples: str, text: str, *topics: str, **more: Any) -> tuple[MemoryGraph, QuestionRecord]:
    """A graph whose nodes are named by their ids with a capital first letter, and a question about it."""
    facts = parse_triples(triples)
    nodes = {end.id for fact in facts for end in (fact.subject, fact.object) if isinstance(end, Entity)}
    names = more.pop("names", {})
    known = {node: NodeNames(names.get(node, node.capitalize())) for node in sorted(nodes)}
    mediators = more.pop("mediators", ())
    profile: Profile | None = more.pop("profile", None)
    graph = MemoryGraph(
        facts,
        names={node: name for node, name in known.items() if node not in mediators},
        mediators=mediators,
        profile=profile,
        **more,
    )
    question = Question("q", text, tuple(Entity(topic) for topic in topics))
    record = QuestionRecord(question, Gold("q", ()), {Entity(topic): known[topic].name or "" for topic in topics})
    return graph, record
