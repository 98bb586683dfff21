"""Answers: read from the action that finishes, or asked of the model's memory where the search has failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.types import Prediction, Source
from kgbench_methods.common.handles import holds_handle
from kgbench_methods.gog.actions import read_finish

if TYPE_CHECKING:
    from kgbench.contracts import Context
    from kgbench.types import Answer, Question
    from kgbench_methods.gog.actions import Step
    from kgbench_methods.gog.parameters import GogParameters
    from kgbench_methods.gog.prompts import PromptSet

MEMORY_TOKENS = 512


def finish_answers(step: Step, ctx: Context) -> tuple[Answer, ...]:
    """Resolve the pieces of ``Finish[...]`` to terms, in order; a piece that stands for none stays a text.

    A piece with an id that was never issued in this question is dropped: it stands for nothing.
    """
    if step.is_unknown:
        return ()
    if not holds_handle(step.content):
        whole = ctx.resolve(step.content)
        if whole:  # a name that itself holds a separator
            return tuple(whole)
    answers: dict[Answer, None] = {}
    for piece in step.arguments:
        terms = ctx.resolve(piece)
        answers.update(dict.fromkeys(terms))
        if not terms and not holds_handle(piece):
            answers[piece] = None
    return tuple(answers)


def from_memory(question: Question, ctx: Context, parameters: GogParameters, prompts: PromptSet) -> Prediction:
    """Ask the model to write the whole trace by itself, until it finishes; the source of its answers is ``fallback``.

    A second try differs from the first in the reminder or, above temperature 0, in its seed; where neither is so, there is
    none.
    """
    template = prompts.memory
    tries = parameters.memory_tries if template.reminder or parameters.temperature > 0 else 1
    flags: tuple[str, ...] = ()
    raw = ""
    for attempt in range(tries):
        prompt = template.fill(remind=attempt > 0, question=question, topics=list(question.topics))
        reply = ctx.llm(prompt, temperature=parameters.temperature, max_tokens=MEMORY_TOKENS)
        raw = reply.text or raw
        step = read_finish(reply.text)
        if step is not None:
            return Prediction(finish_answers(step, ctx), reply.text, Source.FALLBACK, flags)
        ctx.note(f"parse_failure:{template.stage}")
        flags = ("retried",)
    cut = ("truncated",) if reply.finish == "length" else ()
    return Prediction((), raw, Source.FALLBACK, (*(flags if tries > 1 else ()), "no_parse", *cut))
