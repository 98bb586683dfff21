"""Chain of thought: one prompt, asked by the methods ``cot`` and ``cot-sc`` and by graph methods that fall back on it.

Wei et al. 2022, arXiv 2201.11903; sampling and layout as in the scripts beside Think-on-Graph (arXiv 2307.07697). Wording
and exemplars are kgbench's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.prompts import Example, Slot, TaskKind, Template
from kgbench.types import Phase, Source
from kgbench_methods.common.answers import Group, write_answers
from kgbench_methods.common.asking import MAX_TOKENS, ClosedBook
from kgbench_methods.common.worked_questions import WORKED_QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench_methods.common.profiles import Profile

FORM_LINE = "the final answer in one pair of curly braces; separate several answers by |."
"""What a closed-book prompt of the clean profile says of the form of its reply."""
OFFICIAL_TURN = "Question: {question}\nAnswer: "
"""Question line and answer cue with a trailing space, as the published scripts lay them out."""
QUESTION_SLOTS: Mapping[str, Slot] = {"question": Slot(role="question")}


def write_chain(answers: Sequence[str] | None) -> str:
    """Write a reply in the form of the chain of thought; None is a reply that knows no answer."""
    return f"The answer is {write_answers(answers)}."


_EXAMPLES = tuple(
    Example({"question": worked.question}, f"{worked.reasoning} {write_chain([worked.answer])}")
    for worked in WORKED_QUESTIONS
)

CHAIN_OF_THOUGHT: Mapping[Profile, Template] = {
    "clean": Template(
        name="cot",
        kind=TaskKind.RECALL,
        phase=Phase.GENERATION,
        stage="cot",
        system=f"Answer the question from what you know. Reason in one or two short sentences, then give {FORM_LINE}",
        turn="Question: {question}",
        slots=QUESTION_SLOTS,
        write=write_chain,
        examples=_EXAMPLES,
        reminder=f"Reason in one or two short sentences, then give {FORM_LINE}",
    ),
    "official": Template(
        name="cot-official",
        kind=TaskKind.RECALL,
        phase=Phase.GENERATION,
        stage="cot",
        system="",
        turn=OFFICIAL_TURN,
        slots=QUESTION_SLOTS,
        write=write_chain,
        examples=_EXAMPLES,
        flat=True,
        send_system=False,
    ),
}
"""Profile -> template. ``official`` has exemplars only, in one user message, and is never asked twice."""


def chain_of_thought(
    profile: Profile = "clean",
    *,
    temperature: float = 0.0,
    max_tokens: int = MAX_TOKENS,
    source: Source = Source.MODEL,
) -> ClosedBook:
    """Return how the chain of thought is asked: its answer stands in the last brace group."""
    return ClosedBook(CHAIN_OF_THOUGHT[profile], Group.LAST, temperature, max_tokens, source)
