"""Checks that nothing that a model or a graph does makes a method raise: a question ends in a status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgbench.contracts import Completion, ModelCard, TransientFailure
from kgbench.errors import GraphError, PromptTooLong, Refused
from kgbench.testing.malformed import MALFORMED_REPLIES, always, now_and_then
from kgbench.testing.parrot import Parrot
from kgbench.testing.scripted import ScriptedModel
from kgbench.types import Phase, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from kgbench.contracts import ModelRequest
    from kgbench.testing.canary import CanaryWorld
    from kgbench.testing.harness import RunArtifacts
    from kgbench.testing.subject import Subject

_MOST_CALLS = 400
"""Calls of one question; a method that makes more with a model that never helps goes round in circles."""
_FEW = ("two hops, named", "no topic, named")
"""Questions for a check that runs the method many times."""


def malformed_replies_do_no_harm(subject: Subject) -> Iterator[str]:
    """Each malformed reply to everything, and mixes of them with good ones: the method raises nothing."""
    few = tuple(record for record in subject.world.records if record.question.id in _FEW)
    for reply in MALFORMED_REPLIES:
        run = subject.run(ScriptedModel(_bounded(always(reply))), records=few)
        yield from (f"{fault} after the reply {reply[:30]!r}" for fault in _raised(run))
    for seed in range(4):
        run = subject.run(ScriptedModel(_bounded(now_and_then(seed))))
        yield from (f"{fault} after a mix of replies (seed {seed})" for fault in _raised(run))


def _bounded(script: Callable[[ModelRequest], str]) -> Callable[[ModelRequest], str]:
    """The same script, which fails a method that asks without end."""
    asked: dict[str, int] = {}

    def reply(request: ModelRequest) -> str:
        question = str(request.messages[-1]["content"])[:60]
        asked[question] = asked.get(question, 0) + 1
        if asked[question] > _MOST_CALLS:
            raise RecursionError("a method asked without end")
        return script(request)

    return reply


def _raised(run: RunArtifacts) -> Iterator[str]:
    for record in run.records:
        if str(record["error"] or "").startswith("the method raised"):
            yield f"question {record['question_id']!r}: {record['error']}"


_FAILURES: Mapping[str, tuple[Exception | Completion, tuple[Status, ...] | None]] = {
    "a model that never answers": (TransientFailure("down"), (Status.LLM_ERROR,)),
    "a refusal": (Refused("no"), (Status.REFUSED,)),
    "an empty list of choices": (Completion(texts=()), (Status.REFUSED,)),
    "a content filter": (Completion(texts=("x",), finish="content_filter"), (Status.REFUSED,)),
    "a prompt that is too long": (PromptTooLong("long"), None),
    "null content": (Completion(texts=(None,)), None),
}
"""What a model may do -> statuses that a question may end in; None: any, as long as nothing is raised."""


class _Failing:
    """A model that does one thing for ever, but for the prompts before the first question: without these nothing runs."""

    card = ModelCard(name="failing", backend="scripted", cacheable=False)

    def __init__(self, outcome: Exception | Completion, spared: Collection[str]) -> None:
        self._outcome = outcome
        self._spared = spared

    def complete(self, request: ModelRequest) -> Completion:
        if request.task is not None and request.task.template in self._spared:
            return Parrot().complete(request)
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


def failures_end_in_a_status(subject: Subject) -> Iterator[str]:
    """A model that fails for good ends each question that asked it in the status of the failure: no method hides it."""
    spared = {template.name for template in subject.card.templates if template.phase is Phase.SETUP}
    for said, (outcome, statuses) in _FAILURES.items():
        run = subject.run(_Failing(outcome, spared))
        yield from (f"{fault} after {said}" for fault in _raised(run))
        for record in run.records:
            asked = run.calls_of(record["question_id"])
            if asked and statuses is not None and record["status"] not in statuses:
                yield f"question {record['question_id']!r} ended in {record['status']} after {said}"


class _FailingGraph:
    """A graph of which every read fails; names are the harness's own and still come."""

    def __init__(self, world: CanaryWorld) -> None:
        self._graph = world.graph
        self.card = world.graph.card
        self.names = world.graph.names

    def _fail(self, *_: object, **__: object) -> Any:
        raise GraphError("the graph is away")

    relations = neighbours = types = select = _fail


def graph_failures_are_named(subject: Subject) -> Iterator[str]:
    """Where every read fails, questions end in ``kg_error``: a failure is never "no neighbours"."""
    if not subject.card.uses_graph:
        return
    run = subject.run(Parrot(), graph=_FailingGraph(subject.world))
    for record in run.records:
        if record["status"] not in (Status.KG_ERROR, Status.NO_ANSWER, Status.NO_TOPIC_ENTITY):
            yield f"question {record['question_id']!r} ended in {record['status']} though the graph is away"
    if not any(record["status"] == Status.KG_ERROR for record in run.records):
        yield "no question ended in kg_error though the graph is away"
