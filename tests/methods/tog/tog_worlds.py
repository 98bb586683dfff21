"""Small graphs and scripted models for the tests of ToG."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgbench.contracts import Profile
from kgbench.seam.pseudonyms import HANDLE
from kgbench.testing import ScriptedModel
from kgbench.testing.graphs import MemoryGraph, parse_triples
from kgbench.testing.harness import RunArtifacts, run_once
from kgbench.types import Entity, Gold, NodeNames, Question, QuestionRecord, Scenario
from kgbench_methods.tog.method import Tog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kgbench.contracts import ModelRequest

    Script = Mapping[str, str | Sequence[str] | Callable[[ModelRequest], str]]

ID = "q"
NO = "{No} Not yet."
NOTHING = "Nothing fits."
_MARK = re.compile(r"^\d+\. ")


def chosen(*labels: str, score: float | None = None) -> str:
    """A reply that chooses relations, best first, with falling scores or one score for all."""
    scores = [score if score is not None else round(0.9 - 0.1 * place, 2) for place in range(len(labels))]
    return "\n".join(f"{{{label} (Score: {value})}}: it fits." for label, value in zip(labels, scores, strict=True))


def stage_of(request: ModelRequest) -> str:
    """The task of a request, such as ``rel_prune``."""
    assert request.task is not None
    return request.task.template.removeprefix("tog.").partition("-")[0]


def by_stage(script: Script) -> ScriptedModel:
    """A model that answers each task from its own list; the last reply of a list is repeated."""
    waiting = {stage: [*reply] if isinstance(reply, (list, tuple)) else [reply] for stage, reply in script.items()}

    def reply(request: ModelRequest) -> str:
        replies = waiting[stage_of(request)]
        said = replies.pop(0) if len(replies) > 1 else replies[0]
        return said(request) if callable(said) else said

    return ScriptedModel(reply)


def equal_scores(request: ModelRequest) -> str:
    """Scores for every candidate of a request, all alike."""
    assert request.task is not None
    return ", ".join(["0.5"] * len(request.task.slots["items"]))


@dataclass(frozen=True)
class Seen:
    """A run of one question, with ids in place of handles."""

    run: RunArtifacts
    calls: tuple[Mapping[str, Any], ...] = field(repr=False)

    @property
    def record(self) -> Mapping[str, Any]:
        """The question's record."""
        return self.run.record(ID)

    @property
    def stages(self) -> tuple[str, ...]:
        """Stages of the calls, in order."""
        return self.run.stages(ID)

    @property
    def notes(self) -> Mapping[str, int]:
        """Events counted."""
        notes: Mapping[str, int] = self.record["notes"]
        return notes

    @property
    def answers(self) -> list[str]:
        """Ids or texts of the answers."""
        return [item["ids"][0] if item["ids"] else item["text"] for item in self.record["prediction"]["items"]]

    def turns(self, stage: str) -> list[str]:
        """Last turns of the calls of a stage."""
        return [self.plain(call["messages"][-1]["content"]) for call in self.calls if call["stage"] == stage]

    def triples(self, stage: str = "evaluate") -> list[set[str]]:
        """The facts that each call of a stage showed."""
        lists = [turn.rpartition("Triples:\n")[2].rstrip() for turn in self.turns(stage)]
        return [set(text.removesuffix("Answer:").rstrip("; \n").splitlines()) for text in lists]

    def offered(self) -> list[list[str]]:
        """The relations that each ``rel_prune`` call listed."""
        turns = self.turns("rel_prune")
        return [turn.rpartition("Relations: ")[2].partition("\n")[0].split("; ") for turn in turns]

    def scored(self) -> list[set[str]]:
        """The candidates that each ``ent_score`` call listed."""
        lists = [turn.rpartition("Candidates:\n")[2].partition("\nScore:")[0] for turn in self.turns("ent_score")]
        return [{_MARK.sub("", item) for line in text.splitlines() for item in line.split("; ")} for text in lists]

    def plain(self, text: str) -> str:
        """A text of a prompt with ids in place of handles."""
        terms = self.run.handles(ID)
        return HANDLE.sub(lambda match: _shown(terms.get(match.group(), match.group())), text)


def _shown(term: object) -> str:
    return term.id if isinstance(term, Entity) else str(getattr(term, "lexical", term))


def ask(
    facts: str,
    script: Script | None = None,
    *,
    topics: Sequence[str] = ("start",),
    text: str = "What has start to do with it?",
    mediators: Sequence[str] = (),
    names: Mapping[str, str] | None = None,
    inverses: Mapping[str, str] | None = None,
    skip: Mapping[str, tuple[str, ...]] | None = None,
    **settings: Any,
) -> Seen:
    """Run ToG on one question over facts; every node has its id as a name, unless it is a mediator.

    Keyword arguments that :class:`kgbench.spec.RunSpec` does not know are parameters of the method.
    """
    triples = parse_triples(facts)
    ids = {term.id for triple in triples for term in (triple.subject, triple.object) if isinstance(term, Entity)}
    known = {node: NodeNames(names.get(node, node) if names else node) for node in ids if node not in mediators}
    graph = MemoryGraph(
        triples,
        names=known,
        mediators=mediators,
        inverses=inverses,
        profile=Profile(name="test", opaque_ids=True, skip=dict(skip or {})),
    )
    question = Question(ID, text, tuple(Entity(topic) for topic in topics))
    record = QuestionRecord(question, Gold(ID, ()), {Entity(topic): topic for topic in topics})
    spec = {key: settings.pop(key) for key in ("scenario", "seed", "pseudonyms", "topic_names") if key in settings}
    if "scenario" in spec:
        spec["scenario"] = Scenario(spec["scenario"])
    model = settings.pop("model", None) or (by_stage(script) if script is not None else None)
    run = run_once(Tog, graph=graph, records=[record], model=model, parameters=settings, **spec)
    return Seen(run, run.calls_of(ID))
