"""Small methods for tests of runs: one that prepares, one that raises, one that steals a name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kgbench.contracts import MethodCard
from kgbench.prompts import Slot, TaskKind, Template, Word
from kgbench.types import Direction, Entity, Phase, Prediction, Relation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context
    from kgbench.types import JsonObject, Question

ASK = Template(
    name="small.ask",
    kind=TaskKind.RECALL,
    phase=Phase.GENERATION,
    stage="ask",
    system="Answer.",
    turn="{question}\n{value}",
    slots={"question": Slot("question"), "value": Slot()},
    write=lambda _: "unknown",
)
SETUP = Template(
    name="small.setup",
    kind=TaskKind.RECALL,
    phase=Phase.SETUP,
    stage="setup",
    system="Prepare.",
    turn="Get ready, part {part}.",
    slots={"part": Slot()},
    write=lambda _: "ready",
)


@dataclass(frozen=True)
class Parameters:
    """Knobs of the small methods."""

    calls: int = 1


CARD = MethodCard("small", "1", "Asks once", templates=(ASK, SETUP), parameters=Parameters)


class Small:
    """Asks a number of times and answers with the last reply."""

    card = CARD

    def __init__(self, parameters: Parameters | None = None) -> None:
        self.parameters = parameters or Parameters()

    def answer(self, question: Question, ctx: Context) -> Prediction:
        for number in range(self.parameters.calls):
            reply = ctx.llm(ASK.fill(question=question, value=self.value(question, ctx, number)))
        return Prediction((reply.text,), reply.text)

    def value(self, question: Question, ctx: Any, number: int) -> Any:
        return number


class Preparing(Small):
    """Makes two calls before the first question."""

    card = replace(CARD, name="preparing")

    def prepare(self, questions: Sequence[Question], ctx: Context) -> JsonObject:
        return {"said": [ctx.llm(SETUP.fill(part=part)).text for part in (1, 2)]}


class Raising(Small):
    """Raises at one question, with a name in the message."""

    card = replace(CARD, name="raising")

    def answer(self, question: Question, ctx: Context) -> Prediction:
        if question.id == "hub":
            raise KeyError("Port Velm")
        return super().answer(question, ctx)


class Thief(Small):
    """Takes a name from the harness's memory at one question, and dresses it as something harmless."""

    card = replace(CARD, name="thief")
    victim = "forward mediator"

    def value(self, question: Question, ctx: Any, number: int) -> Any:
        if question.id != self.victim:
            return number
        return self.dressed(stolen(question, ctx))

    def dressed(self, name: str) -> Any:
        return Word(name)


class ThiefByLabel(Thief):
    """Dresses it as a relation."""

    def dressed(self, name: str) -> Any:
        return Relation(name, name)


class ThiefByTemplate(Thief):
    """Makes a template that holds it."""

    def answer(self, question: Question, ctx: Any) -> Prediction:
        if question.id != self.victim:
            return super().answer(question, ctx)
        template = replace(ASK, system=f"Answer; {stolen(question, ctx)} may be it.")
        reply = ctx.llm(template.fill(question=question, value=1))
        return Prediction((reply.text,), reply.text)


def stolen(question: Question, ctx: Any) -> str:
    """The name of a neighbour of the topic, which no method may hold."""
    for topic in question.topics:
        for relation in ctx.kg.relations(topic, Direction.OUT):
            for term in ctx.kg.neighbours(topic, relation, Direction.OUT):
                if isinstance(term, Entity) and (name := ctx._session.names(term).name):
                    return str(name)
    raise AssertionError("the topic has no neighbour with a name")
