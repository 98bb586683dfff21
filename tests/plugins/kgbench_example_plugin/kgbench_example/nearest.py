"""A method that asks once, over the facts next to the topic."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgbench.contracts import MethodCard
from kgbench.prompts import Layout, Slot, TaskKind, Template
from kgbench.types import Direction, Phase, Prediction, Triple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context
    from kgbench.types import Question


def write(answers: Sequence[str]) -> str:
    """Write a reply as :func:`read` reads it."""
    return "<" + " | ".join(answers) + ">"


def read(reply: str) -> list[str]:
    """Read the answers of a reply."""
    found = re.search(r"<([^<>]*)>", reply)
    return [piece.strip() for piece in found.group(1).split("|") if piece.strip()] if found else []


ANSWER = Template(
    name="nearest.answer",
    kind=TaskKind.ANSWER,
    phase=Phase.GENERATION,
    stage="answer",
    system="Answer from the facts; put the answer between < and >.",
    turn="Question: {question}\nFacts:\n{facts}",
    slots={"question": Slot("question"), "facts": Slot("triples", Layout.LINES)},
    write=write,
)


class Nearest:
    """Reads what stands next to each topic and asks once."""

    card = MethodCard("nearest", "1", "asks once over the facts next to the topic", templates=(ANSWER,))

    def __init__(self, parameters: None = None) -> None:
        self.parameters = parameters

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Answer one question."""
        facts = [
            Triple(topic, relation, term)
            for topic in question.topics
            for relation in ctx.kg.relations(topic, Direction.OUT, use="explore")
            for term in ctx.seeded_order(ctx.kg.neighbours(topic, relation, Direction.OUT))[:5]
        ]
        reply = ctx.llm(ANSWER.fill(question=question, facts=facts))
        answers = tuple(term for piece in read(reply.text) for term in ctx.resolve(piece))
        return Prediction(answers, reply.text, evidence=tuple(facts))
