"""A small method: choose a relation of the topic, answer with what it leads to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.contracts import MethodCard
from kgbench.prompts import Choice, Layout, Slot, TaskKind, Template
from kgbench.types import Direction, Phase, Prediction, Source, Triple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context
    from kgbench.types import Question


def write(choices: Sequence[Choice]) -> str:
    """One label a line."""
    return "\n".join(choice.text for choice in choices)


def read(reply: str, labels: Sequence[str]) -> list[str]:
    """The labels that stand alone on a line."""
    lines = [line.strip() for line in reply.splitlines()]
    return [label for label in dict.fromkeys(lines) if label in labels]


CHOOSE = Template(
    name="example.choose",
    kind=TaskKind.CHOOSE,
    phase=Phase.RETRIEVAL,
    stage="choose",
    system="Choose the relations that lead to the answer. Reply with one label a line.",
    turn="Question: {question}\nRelations:\n{relations}\nAt most: {limit}",
    slots={
        "question": Slot("question"),
        "relations": Slot("items", Layout.LINES),
        "limit": Slot("limit"),
    },
    write=write,
)


@dataclass(frozen=True)
class NeighboursParameters:
    """Knobs of ``example-neighbours``."""

    width: int = 1
    """Relations that are followed."""


class Neighbours:
    """Answers with the neighbours of the topics."""

    card = MethodCard(
        name="example-neighbours",
        version="1",
        summary="One choice of relations, one hop",
        templates=(CHOOSE,),
        parameters=NeighboursParameters,
        expected_calls=lambda _: (1.0, 1.0),
    )

    def __init__(self, parameters: NeighboursParameters) -> None:
        self.parameters = parameters

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """One call; no topic or no relation: no answer."""
        offered = {
            relation.label: relation
            for topic in question.topics
            for relation in ctx.kg.relations(topic, Direction.OUT, use="explore")
        }
        if not offered:
            return Prediction()
        prompt = CHOOSE.fill(question=question, relations=list(offered.values()), limit=self.parameters.width)
        reply = ctx.llm(prompt)
        chosen = read(reply.text, list(offered))[: self.parameters.width]
        triples = [
            Triple(topic, offered[label], end)
            for topic in question.topics
            for label in chosen
            for end in ctx.kg.neighbours(topic, offered[label], Direction.OUT)
        ]
        answers = tuple(dict.fromkeys(triple.object for triple in triples))
        return Prediction(answers, reply.text, Source.GRAPH if answers else Source.MODEL, evidence=tuple(triples))
