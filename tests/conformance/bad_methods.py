"""Methods that break one rule each, to prove that the checks bite, and a good one with all that a method may have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kgbench.contracts import MethodCard
from kgbench.errors import QuestionError
from kgbench.prompts import Layout, Order, Slot, TaskKind, Template, Word
from kgbench.types import Direction, Entity, Phase, Prediction, Relation, Source, Triple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context
    from kgbench.types import JsonObject, Question

LOOK = Template(
    name="double.look",
    kind=TaskKind.CHOOSE,
    phase=Phase.RETRIEVAL,
    stage="look",
    system="Choose.",
    turn="{question}\n{items}",
    slots={"question": Slot("question"), "items": Slot("items", Layout.LINES)},
    write=lambda choices: "\n".join(choice.text for choice in choices),
)
TELL = Template(
    name="double.tell",
    kind=TaskKind.ANSWER,
    phase=Phase.GENERATION,
    stage="tell",
    system="Answer.",
    turn="{question}\n{triples}\n{notes}",
    slots={
        "question": Slot("question"),
        "triples": Slot("triples", Layout.LINES),
        "notes": Slot("notes", Layout.COMMA, Order.GIVEN),
    },
    write="\n".join,
)
SETUP = Template(
    name="double.setup",
    kind=TaskKind.RECALL,
    phase=Phase.SETUP,
    stage="setup",
    system="Get ready.",
    turn="{count} questions will come.",
    slots={"count": Slot()},
    write=lambda _: "ready",
)


@dataclass(frozen=True)
class Parameters:
    """Knobs of the good double."""

    width: int = 2


CARD = MethodCard(
    name="good",
    version="1",
    summary="One hop, two prompts",
    templates=(LOOK, TELL, SETUP),
    parameters=Parameters,
    expected_calls=lambda _: (2.0, 2.0),
)


class Good:
    """Reads one hop and answers with it; has a step before the first question."""

    card = CARD

    def __init__(self, parameters: Parameters | None = None) -> None:
        self.parameters = parameters or Parameters()

    def prepare(self, questions: Sequence[Question], ctx: Context) -> JsonObject:
        return {"characters": len(ctx.llm(SETUP.fill(count=min(len(questions), 999))).text)}

    def answer(self, question: Question, ctx: Context) -> Prediction:
        triples = self.triples(question, ctx)
        chosen = ctx.llm(LOOK.fill(question=question, items=self.items(triples)))
        shown = chosen.text.splitlines()[: self.parameters.width]
        notes = [chosen.echo(line) for line in shown if line.strip()]
        reply = ctx.llm(TELL.fill(question=question, triples=triples, notes=self.notes(question, ctx, notes)))
        return Prediction(ctx.resolve(reply.text), reply.text, Source.GRAPH, evidence=tuple(triples))

    def triples(self, question: Question, ctx: Context) -> list[Triple]:
        found: list[Triple] = []
        for topic in question.topics:
            for relation in ctx.kg.relations(topic, Direction.OUT):
                found += [Triple(topic, relation, end) for end in ctx.kg.neighbours(topic, relation, Direction.OUT)]
        return found

    def items(self, triples: list[Triple]) -> list[Any]:
        return list(dict.fromkeys(triple.relation for triple in triples))

    def notes(self, question: Question, ctx: Context, notes: list[Any]) -> list[Any]:
        return notes


class NamesHeard(Good):
    """Lets the model choose nodes and repeats its words later; another key may make it choose others."""

    def items(self, triples: list[Triple]) -> list[Any]:
        return list(dict.fromkeys(triple.object for triple in triples))


def stolen_name(ctx: Any, question: Question) -> str:
    """A name that a method must not have: taken from the harness's own memory, past the gateway."""
    names = [name for topic in question.topics for end in _ends(ctx, topic) if (name := ctx._session.names(end).name)]
    return names[0] if names else "nothing"


def _ends(ctx: Any, topic: Entity) -> list[Entity]:
    ends = [
        term
        for direction in Direction
        for relation in ctx.kg.relations(topic, direction)
        for term in ctx.kg.neighbours(topic, relation, direction)
    ]
    return [end for end in ends if isinstance(end, Entity)]


class NameAsWord(Good):
    """Dresses a name as a word of its template."""

    def notes(self, question: Question, ctx: Context, notes: list[Any]) -> list[Any]:
        return [Word(stolen_name(ctx, question))]


class NameAsRelation(Good):
    """Dresses a name as a relation label."""

    def notes(self, question: Question, ctx: Context, notes: list[Any]) -> list[Any]:
        name = stolen_name(ctx, question)
        return [Relation(name, name)]


class NameInTemplate(Good):
    """Makes a template of its own, with a name in the fixed text."""

    def answer(self, question: Question, ctx: Context) -> Prediction:
        template = replace(TELL, system=f"Answer. One of them is {stolen_name(ctx, question)}.")
        reply = ctx.llm(template.fill(question=question, triples=[], notes=[]))
        return Prediction(raw=reply.text)


class SetOrder(Good):
    """Sends a list in the order of a set."""

    def notes(self, question: Question, ctx: Context, notes: list[Any]) -> list[Any]:
        words = {f"word {number}" for number in range(30)}
        return [Word(text) for text in words]


class Counting(Good):
    """Carries state from question to question and does not say so."""

    asked = 0

    def notes(self, question: Question, ctx: Context, notes: list[Any]) -> list[Any]:
        type(self).asked += 1
        return [type(self).asked % 1000]


class Brittle(Good):
    """Takes every reply for a list of numbers."""

    def answer(self, question: Question, ctx: Context) -> Prediction:
        reply = ctx.llm(LOOK.fill(question=question, items=[]))
        return Prediction((str(int(reply.text or "0")),), reply.text)


class Swallowing(Good):
    """Answers though the model refused."""

    def answer(self, question: Question, ctx: Context) -> Prediction:
        try:
            return super().answer(question, ctx)
        except QuestionError:
            return Prediction(("something",), "something")


class GraphSwallowing(Good):
    """Takes a graph that fails for one without neighbours."""

    def triples(self, question: Question, ctx: Context) -> list[Triple]:
        try:
            return super().triples(question, ctx)
        except QuestionError:
            return []


class Endless(Good):
    """Asks until it likes the reply."""

    def answer(self, question: Question, ctx: Context) -> Prediction:
        while not (reply := ctx.llm(LOOK.fill(question=question, items=[Word("yes")]), temperature=1.0)).text == "yes":
            pass
        return Prediction(("yes",), reply.text)


class Understated(Good):
    """Asks more often than its card says."""

    card = replace(CARD, expected_calls=lambda _: (1.0, 1.0))


class Bare(Good):
    """Has a card that says next to nothing."""

    card = MethodCard(name="", version="1", summary="two\nlines", templates=(LOOK, LOOK))


class LateParameters(Good):
    """Has a parameter without a default."""

    @dataclass(frozen=True)
    class Needed:
        width: int

    card = replace(CARD, parameters=Needed)


class NearHandle(Good):
    """Has an exemplar with a handle of one vowel."""

    card = replace(CARD, templates=(replace(LOOK, invented=("m.0b7ak2x", "Vexmoor")), TELL, SETUP))


class UnknownKind(Good):
    """Has a template of a kind that there is none of, and sends one that is not on its card."""

    card = replace(CARD, templates=(replace(LOOK, kind="guess"), SETUP))  # type: ignore[arg-type]
