"""Exemplars of IO: the questions of the chain of thought with the answer alone."""

from __future__ import annotations

from kgbench.prompts import Example
from kgbench_methods.common.answers import write_answers
from kgbench_methods.common.worked_questions import WORKED_QUESTIONS

IO_EXAMPLES = tuple(
    Example({"question": worked.question}, write_answers([worked.answer])) for worked in WORKED_QUESTIONS
)
