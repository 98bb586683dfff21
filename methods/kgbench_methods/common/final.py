"""From a final reply to answers: handles and displays to terms, everything else kept as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgbench.types import Entity, Literal, Prediction, Source
from kgbench_methods.common.answers import split_answers
from kgbench_methods.common.braces import parse_braced

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kgbench.contracts import Context
    from kgbench.types import Answer, Triple

_HANDLE_LIKE = re.compile(r"(?<![\w.])[mg]\.[0-9a-z_]+(?!\w)", re.IGNORECASE)


def graph_prediction(reply: str, evidence: Sequence[Triple], ctx: Context) -> Prediction:
    """Read a final reply over graph evidence.

    The first brace group counts, else the whole text, of which only handles and displays are taken: a paragraph is no
    answer. ``source`` is the graph if the first answer stands in the evidence.

    Args:
        reply: the model's text.
        evidence: the triples that its prompt showed.
        ctx: resolves handles and displays.
    """
    braced = parse_braced(reply)
    flags: tuple[str, ...] = ()
    if braced.groups:
        answers = resolve_answers(braced.groups[0], ctx)
        if braced.truncated:
            flags = ("truncated",) if not answers else ("unclosed",)
    else:
        answers = tuple(ctx.resolve(reply))
        flags = ("unbraced",) if answers else ("no_parse",)
    return Prediction(answers, reply, source_of(answers, evidence), flags, tuple(evidence))


def resolve_answers(text: str, ctx: Context) -> tuple[Answer, ...]:
    """Resolve the content of a brace group to terms, in order; pieces that stand for no term stay texts.

    A piece with a handle that was never issued in this question is dropped: it stands for nothing.
    """
    if not _HANDLE_LIKE.search(text):
        whole = ctx.resolve(text)
        if whole:  # a name that itself holds a separator
            return tuple(whole)
    answers: dict[Answer, None] = {}
    for piece in split_answers(text):
        terms = ctx.resolve(piece)
        for term in terms:
            answers[term] = None
        if not terms and not _HANDLE_LIKE.search(piece):
            answers[piece] = None
    return tuple(answers)


def source_of(answers: Sequence[Answer], evidence: Iterable[Triple]) -> Source:
    """Return GRAPH if the first answer stands in the evidence, else MODEL."""
    if answers and isinstance(answers[0], (Entity, Literal)):
        first = answers[0]
        if any(first in (triple.subject, triple.object) for triple in evidence):
            return Source.GRAPH
    return Source.MODEL
