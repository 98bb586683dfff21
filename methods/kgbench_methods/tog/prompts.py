"""The prompts of ToG: four tasks, each clean or laid out as the published code does it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from kgbench.prompts import Choice, Example, Judgement, Layout, Slot, TaskKind, Template
from kgbench.types import Phase
from kgbench_methods.common.answers import write_answers
from kgbench_methods.tog.exemplars import (
    CASES,
    CHOICE_ENTITY,
    CHOICE_QUESTION,
    CHOICE_RELATIONS,
    CHOSEN,
    INVENTED,
    SCORE_CANDIDATES,
    SCORE_QUESTION,
    SCORE_REASON,
    SCORE_RELATION,
    SCORES,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kgbench_methods.tog.parameters import TogParameters

_HINT = (
    " Codes such as m.0ae52ou stand for known things whose names are hidden; where such a thing is the answer, its code is "
    "the answer."
)


# --- Replies, in the form that the parsers read ------------------------------------------------------------------------


def write_relations(choices: Sequence[Choice]) -> str:
    """Write chosen relations with their scores, one a line."""
    return "\n".join(
        f"{number}. {{{choice.text} (Score: {choice.weight:.4f})}}: it may lead towards the answer."
        for number, choice in enumerate(choices, 1)
    )


def write_scores(weights: Sequence[float]) -> str:
    """Write the scores of candidates in the order shown."""
    return "Score: " + ", ".join(f"{weight:.4f}" for weight in weights)


def write_verdict(judgement: Judgement) -> str:
    """Write a verdict; on a yes with the answers."""
    if judgement.sufficient:
        return f"{{Yes}} The triples lead to what is asked for. The answer is {write_answers(judgement.answers)}."
    return "{No} The triples do not lead to what is asked for."


# --- Templates ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Style:
    """What the wording and layout of a template depend on."""

    official: bool = False
    """One user message as the published code sends it, without a reminder: a reply is never asked for again."""
    doubled: bool = False
    """Quirk Q2: a parenthesis too many in the exemplar."""
    malformed: bool = False
    """Quirk Q5."""
    hint: bool = False
    """Tell what codes stand for."""

    def name(self, task: str, *marks: str) -> str:
        """Name of a template: the task, and what is not the default among ``marks`` and the rest."""
        extra = [mark for mark, on in (("official", self.official), ("hint", self.hint)) if on]
        return "-".join((f"tog.{task}", *extra, *marks))

    def system(self, text: str) -> str:
        """The system line, with the hint where it is asked for."""
        return text + _HINT if self.hint else text


@dataclass(frozen=True, slots=True)
class PromptSet:
    """The templates of one run."""

    rel_prune: Template
    ent_score: Template
    evaluate: Template
    answer: Template


@lru_cache
def rel_prune(style: Style) -> Template:
    """The template that chooses relations of an entity and scores them."""
    closing = "))}" if style.doubled else ")}"
    reply = "\n".join(
        f"{number}. {{{label} (Score: {score}{closing}: {reason}"
        for number, (label, score, reason) in enumerate(CHOSEN, 1)
    )
    return Template(
        name=style.name("rel_prune", *(["Q2"] if style.doubled else [])),
        kind=TaskKind.CHOOSE,
        phase=Phase.RETRIEVAL,
        stage="rel_prune",
        system=style.system(
            "You choose relations of a knowledge graph. Given a question, an entity and the relations that the entity has, "
            "pick those that contribute most to answering the question, best first, as many as asked for, and score each "
            "from 0 to 1, so that the scores add up to 1. Copy each label exactly as it is listed. Reply with a numbered "
            "list; each line is {label (Score: x)}: and one short reason."
        ),
        turn=(
            "Pick {width} relations and score them; the {width} scores add up to 1.\nQuestion: {question}\n"
            "Entity: {entity}\nRelations: {relations}" + ("\nAnswer: " if style.official else "")
        ),
        slots={
            "question": Slot("question"),
            "entity": Slot("query_entity"),
            "relations": Slot("items", Layout.INLINE),
            "width": Slot("limit"),
        },
        write=write_relations,
        examples=(
            Example(
                {
                    "question": CHOICE_QUESTION,
                    "entity": CHOICE_ENTITY,
                    "relations": CHOICE_RELATIONS,
                    "width": str(len(CHOSEN)),
                },
                reply,
            ),
        ),
        reminder="" if style.official else "Reply with one line for each relation: {label (Score: x)}: reason.",
        invented=INVENTED,
        flat=style.official,
    )


@lru_cache
def ent_score(style: Style) -> Template:
    """The template that scores what an entity reaches along a relation."""
    cue = "\nScore: " if style.official else ""
    order = "in the order of the list" if style.official else "in the order of the numbers"
    scores = ", ".join(str(score) for score in SCORES)
    return Template(
        name=style.name("ent_score"),
        kind=TaskKind.SCORE,
        phase=Phase.RETRIEVAL,
        stage="ent_score",
        system=style.system(
            "You score candidates. Given a question, a relation of a knowledge graph and the entities that it leads to, say "
            "how much each of them contributes to answering the question: one score from 0 to 1 for each, so that the "
            f"scores add up to 1. Reply with the scores alone on the first line, {order} and separated by commas, then "
            "with one sentence of explanation."
        ),
        turn="Question: {question}\nRelation: {relation}\nCandidates:\n{candidates}" + cue,
        slots={
            "question": Slot("question"),
            "relation": Slot("relation"),
            "candidates": Slot("items", Layout.INLINE if style.official else Layout.NUMBERED),
        },
        write=write_scores,
        examples=(
            Example(
                {"question": SCORE_QUESTION, "relation": SCORE_RELATION, "candidates": SCORE_CANDIDATES},
                f"{'' if style.official else 'Score: '}{scores}\n{SCORE_REASON}",
            ),
        ),
        invented=INVENTED,
        flat=style.official,
    )


@lru_cache
def evaluate(style: Style) -> Template:
    """The template that asks whether the facts suffice, and for the answer where they do."""
    replies = [
        f"{{Yes}} {case.reason} The answer is {write_answers([case.answer])}."
        if case.answer
        else f"{{No}} {case.reason}"
        for case in CASES
    ]
    system = (
        "You judge whether the triples of a knowledge graph that were found so far, together with what you know, are enough "
        "to answer a question. Reply with {Yes} or {No} first, then with one sentence of explanation. After {Yes}, give the "
        "answer in a second pair of braces, several answers separated by ' | '."
    )
    return _over_triples(style, "evaluate", TaskKind.JUDGE, write_verdict, system, replies)


@lru_cache
def answer(style: Style) -> Template:
    """The template that asks for the answer from whatever was found."""
    replies = [f"{write_answers([case.answer] if case.answer else None)} {case.reason}" for case in CASES]
    system = (
        "You answer a question from triples of a knowledge graph, together with what you know. Reply with the answer in one "
        "pair of braces, several answers separated by ' | ', then with one sentence of explanation. If neither the triples "
        "nor what you know give the answer, reply {unknown}."
    )
    return _over_triples(style, "answer", TaskKind.ANSWER, write_answers, system, replies)


_WELL_FORMED = "Question: {question}\nTriples:\n{triples}\nAnswer:"
_SLOTS: Mapping[str, Slot] = {"question": Slot("question"), "triples": Slot("triples", Layout.LINES)}


def _over_triples(
    style: Style, task: str, kind: TaskKind, write: Callable[..., str], system: str, replies: Sequence[str]
) -> Template:
    examples = tuple(
        Example({"question": case.question, "triples": case.triples}, reply)
        for case, reply in zip(CASES, replies, strict=True)
    )
    turn = _WELL_FORMED if style.official else _WELL_FORMED.removesuffix("\nAnswer:")
    shown = style.system(system)
    if style.malformed:
        # The exemplars stay as they are; only the last turn is broken. So they stand in the fixed text. The cue keeps its
        # distance from the last name, which the audit could not find inside a longer word.
        plain = Template(task, kind, Phase.GENERATION, task, "", _WELL_FORMED, _SLOTS, write)
        shown = "\n\n".join([shown, *(f"{plain.lay_out(example.slots)} {example.reply}" for example in examples)])
        examples = ()
        turn = ("Question: {}\n" if kind is TaskKind.ANSWER else "") + "{question}\nTriples:\n{triples}; Answer: "
    return Template(
        name=style.name(task, *(["Q5"] if style.malformed else [])),
        kind=kind,
        phase=Phase.GENERATION,
        stage=task,
        system=shown,
        turn=turn,
        slots=_SLOTS,
        write=write,
        examples=examples,
        invented=INVENTED,
        flat=style.official,
    )


def prompts_for(parameters: TogParameters) -> PromptSet:
    """The templates that a run with these parameters sends."""
    official, hint = parameters.official, parameters.id_hint
    plain = Style(official, hint=hint)
    over_triples = Style(official, malformed="Q5" in parameters.active, hint=hint)
    return PromptSet(
        rel_prune=rel_prune(Style(official, doubled="Q2" in parameters.active, hint=hint)),
        ent_score=ent_score(plain),
        evaluate=evaluate(over_triples),
        answer=answer(over_triples),
    )


def _every_template() -> tuple[Template, ...]:
    """Every template that any parameters can send."""
    both = (False, True)
    found = [
        rel_prune(Style(official, doubled=doubled, hint=hint)) for official, hint, doubled in product(both, repeat=3)
    ]
    found += [ent_score(Style(official, hint=hint)) for official, hint in product(both, repeat=2)]
    for official, hint, malformed in product(both, repeat=3):
        style = Style(official, malformed=malformed, hint=hint)
        found += [evaluate(style), answer(style)]
    return tuple(found)


TEMPLATES = _every_template()
