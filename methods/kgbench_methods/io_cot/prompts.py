"""Templates of IO. The chain of thought stands in ``common``, since graph methods fall back on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.prompts import TaskKind, Template
from kgbench.types import Phase
from kgbench_methods.common.answers import write_answers
from kgbench_methods.common.chain_of_thought import FORM_LINE, OFFICIAL_TURN, QUESTION_SLOTS
from kgbench_methods.io_cot.exemplars import IO_EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgbench_methods.common.profiles import Profile

DIRECT: Mapping[Profile, Template] = {
    "clean": Template(
        name="io",
        kind=TaskKind.RECALL,
        phase=Phase.GENERATION,
        stage="io",
        system=f"Answer the question from what you know. Reply with nothing but {FORM_LINE}",
        turn="Question: {question}",
        slots=QUESTION_SLOTS,
        write=write_answers,
        examples=IO_EXAMPLES,
        reminder=f"Reply with nothing but {FORM_LINE}",
    ),
    "official": Template(
        name="io-official",
        kind=TaskKind.RECALL,
        phase=Phase.GENERATION,
        stage="io",
        system="",
        turn=OFFICIAL_TURN,
        slots=QUESTION_SLOTS,
        write=write_answers,
        examples=IO_EXAMPLES,
        flat=True,
        send_system=False,
    ),
}
"""Profile -> template of IO. ``official`` has exemplars only, in one user message, and is never asked twice."""
