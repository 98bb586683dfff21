"""One closed-book question put to the remote model: asked, read, asked once more where the reply cannot be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.types import Prediction, Source
from kgbench_methods.common.answers import AnswerReading, Group, read_answers

if TYPE_CHECKING:
    from kgbench.contracts import Context, Reply
    from kgbench.prompts import Template
    from kgbench.types import Question

MAX_TOKENS = 256
"""Length of a closed-book reply, as in the published scripts."""


@dataclass(frozen=True, slots=True)
class ClosedBook:
    """How a template is asked and its reply is read."""

    template: Template
    """Its only slot is ``question``."""
    group: Group
    """Which brace group holds the answer."""
    temperature: float = 0.0
    max_tokens: int = MAX_TOKENS
    source: Source = Source.MODEL

    @property
    def may_remind(self) -> bool:
        """True where a malformed reply is asked for again: the template has a line to remind with."""
        return bool(self.template.reminder)


def ask(asking: ClosedBook, question: Question, ctx: Context) -> Prediction:
    """Ask a question from memory; once more, with the reminder, if the first reply has no braces or was cut off.

    Each malformed reply is counted as ``parse_failure:STAGE``. A second reply that is no better is dropped.

    Args:
        asking: template and reading.
        question: only its text is sent.
        ctx: the question's context.

    Returns:
        The answers with the flags ``retried``, ``no_parse`` and ``truncated`` where they apply.
    """
    reply, reading = _try(asking, question, ctx, remind=False)
    if not (asking.may_remind and _malformed(reading)):
        return prediction(reply.text, reading, asking.source, length_flag(reply, reading))
    second_reply, second = _try(asking, question, ctx, remind=True)
    if second.parsed and not (second.truncated and reading.parsed):
        reply, reading = second_reply, second
    return prediction(reply.text, reading, asking.source, ("retried", *length_flag(reply, reading)))


def prediction(raw: str, reading: AnswerReading, source: Source, flags: tuple[str, ...] = ()) -> Prediction:
    """Return the prediction of a reading; flags of the reading come last, each once."""
    return Prediction(
        answers=reading.answers,
        raw=raw,
        source=source,
        flags=tuple(dict.fromkeys((*flags, *reading.flags))),
    )


def length_flag(reply: Reply, reading: AnswerReading) -> tuple[str, ...]:
    """Return ``truncated`` for a reply that the model's length limit ended before its braces were closed."""
    return ("truncated",) if reply.finish == "length" and _malformed(reading) else ()


def _try(asking: ClosedBook, question: Question, ctx: Context, *, remind: bool) -> tuple[Reply, AnswerReading]:
    prompt = asking.template.fill(remind=remind, question=question)
    reply = ctx.llm(prompt, temperature=asking.temperature, max_tokens=asking.max_tokens)
    reading = read_answers(reply.text, asking.group)
    if _malformed(reading):
        ctx.note(f"parse_failure:{asking.template.stage}")
    return reply, reading


def _malformed(reading: AnswerReading) -> bool:
    return reading.truncated or not reading.parsed
