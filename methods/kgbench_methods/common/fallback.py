"""The fallback of graph methods: the chain of thought, never credited to the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.types import Source
from kgbench_methods.common.asking import ask
from kgbench_methods.common.chain_of_thought import CHAIN_OF_THOUGHT, chain_of_thought

if TYPE_CHECKING:
    from kgbench.contracts import Context
    from kgbench.prompts import Template
    from kgbench.types import Prediction, Question
    from kgbench_methods.common.profiles import Profile

FALLBACK_TEMPLATES: tuple[Template, ...] = tuple(CHAIN_OF_THOUGHT.values())
"""For the card of a method that falls back."""


def cot_fallback(question: Question, ctx: Context, profile: Profile = "clean") -> Prediction:
    """Answer from the model's memory where the graph gives nothing.

    Args:
        question: only its text is sent.
        ctx: the question's context.
        profile: ``official`` sends the prompt of the published scripts and asks once.

    Returns:
        A prediction with source ``fallback``. One call, or two where the clean profile asks again.
    """
    return ask(chain_of_thought(profile, source=Source.FALLBACK), question, ctx)
