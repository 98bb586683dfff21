"""A small world for tests of PoG: a graph from lines, one question, and a model that is told what to say by stage."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kgbench.prompts import Choice
from kgbench.testing import ScriptedModel
from kgbench.testing.graphs import MemoryGraph, parse_triples
from kgbench.testing.harness import run_once
from kgbench.types import Entity, Gold, GoldAnswer, NodeNames, Question, QuestionRecord
from kgbench_methods.pog.method import Pog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.contracts import ModelRequest, TaskView
    from kgbench.testing.harness import RunArtifacts

    Said = str | Sequence[str] | Callable[[TaskView], str]

QUESTION = "q1"


def verdict(*answers: str, yes: bool = True, word: str = "Sufficient") -> str:
    """A verdict in the form that the prompts ask for."""
    content: Any = list(answers) if len(answers) != 1 else answers[0]
    return json.dumps({"A": {word: "Yes" if yes else "No", "Answer": content}, "R": "so it is"})


def correction(*, add: bool) -> str:
    """What the judge says."""
    return json.dumps({"Add": "Yes" if add else "No", "Reason": "an entity is missing"})


NO = verdict("null", yes=False)


def everything(task: TaskView) -> str:
    """Choose all items of a list."""
    items = task.slots["items"]
    return task.write([Choice(place, text) for place, text in enumerate(items, 1)])


def first_object(task: TaskView) -> str:
    """Say that the object of the first triple is the answer."""
    return verdict(task.triples[0].object.text)


class Script:
    """Says by stage what it was told; a list is said in turn, its last item for ever.

    Without a word it chooses everything, notes little, finds nothing sufficient, adds nothing and knows nothing.
    """

    def __init__(self, **said: Said) -> None:
        self._said: dict[str, Any] = {
            "decompose": '["find it"]',
            "rel_select": everything,
            "ent_prune": everything,
            "update_memory": '{"1": "noted"}',
            "answer_depth": NO,
            "judge": correction(add=False),
            "add_entities": "[]",
            "answer": verdict("null", yes=False),
            "cot_json": verdict("null", yes=False, word="Known"),
            **said,
        }
        self._turn: dict[str, int] = {}

    def __call__(self, request: ModelRequest) -> str:
        assert request.task is not None
        stage = request.task.template.split(".")[1]
        said = self._said[stage]
        if callable(said):
            return str(said(request.task))
        if isinstance(said, str):
            return said
        turn = self._turn.get(stage, 0)
        self._turn[stage] = turn + 1
        return str(said[min(turn, len(said) - 1)])


def world(
    facts: str, *, mediators: Sequence[str] = (), unnamed: Sequence[str] = (), same_name: Sequence[str] = ()
) -> MemoryGraph:
    """A graph of lines; every node ``x`` is called "Node X" but for those that have no name or share one."""
    triples = parse_triples(facts)
    nodes = {end.id for t in triples for end in (t.subject, t.object) if isinstance(end, Entity)}
    names = {node: NodeNames(f"Node {node.title()}") for node in nodes - set(unnamed) - set(mediators)}
    names |= {node: NodeNames("Node Twin") for node in same_name}
    return MemoryGraph(triples, names=names, mediators=mediators)


def record(*topics: str, text: str = "What is it of Topic?", gold: Sequence[str] = ()) -> QuestionRecord:
    """One question; its topics are called "Topic" and, if there are more, "Other"."""
    entities = tuple(Entity(topic) for topic in topics)
    names = dict(zip(entities, ("Topic", "Other"), strict=False))
    answers = tuple(GoldAnswer(node, f"Node {node.title()}") for node in gold)
    return QuestionRecord(Question(QUESTION, text, entities), Gold(QUESTION, answers), names)


def play(graph: MemoryGraph, script: Script, *topics: str, **settings: Any) -> RunArtifacts:
    """Ask the question of one topic, or of those given, with a scripted model; the rest goes to ``run_once``."""
    asked = settings.pop("record", None) or record(*(topics or ("t",)))
    return run_once(Pog, graph=graph, records=[asked], model=ScriptedModel(script), **settings)


def stages(run: RunArtifacts) -> list[str]:
    """The stages of the question's calls, in order."""
    return list(run.stages(QUESTION))


def prompts(run: RunArtifacts, stage: str) -> list[str]:
    """The final turns of a stage's calls."""
    return [call["messages"][-1]["content"] for call in run.calls_of(QUESTION) if call["stage"] == stage]


def readable(run: RunArtifacts, text: str) -> str:
    """A prompt with every handle replaced by the id, or the value, that it stands for."""
    for handle, term in run.handles(QUESTION).items():
        text = text.replace(handle, term.id if isinstance(term, Entity) else term.lexical)
    return text
