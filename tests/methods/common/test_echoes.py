from __future__ import annotations

from kgbench.contracts import Reply
from kgbench.prompts import Slot, TaskKind, Template
from kgbench.types import Phase
from kgbench_methods.common.echoes import is_invented, lines_without_echoes

TEMPLATE = Template(
    "t", TaskKind.ANSWER, Phase.GENERATION, "t", "", "{q}", {"q": Slot()}, str, invented=("Orvanel", "m.0ea41uo")
)


def test_an_invented_name_is_found_as_whole_words() -> None:
    assert is_invented("It rises on mount ORVANEL.", TEMPLATE)
    assert is_invented("{m.0ea41uo}", TEMPLATE)
    assert not is_invented("Orvanella", TEMPLATE)


def test_lines_that_repeat_an_exemplar_are_dropped_where_the_reply_is_flagged() -> None:
    text = "1. a: good\n2. b: it leads to Orvanel\n3. c: good"
    assert lines_without_echoes(Reply(text, flags=("exemplar_echo",)), TEMPLATE) == "1. a: good\n3. c: good"
    assert lines_without_echoes(Reply(text), TEMPLATE) == text, "the question itself may say the name"
