from __future__ import annotations

import pytest
from fake_context import messages_of, question

from kgbench.prompts import TaskKind, Template
from kgbench.types import Entity, Phase, Question
from kgbench_methods.common.answers import Group, read_answers
from kgbench_methods.common.chain_of_thought import CHAIN_OF_THOUGHT
from kgbench_methods.common.fallback import FALLBACK_TEMPLATES
from kgbench_methods.io_cot.method import Cot, CotSc, Io
from kgbench_methods.io_cot.prompts import DIRECT

CLEAN = [DIRECT["clean"], CHAIN_OF_THOUGHT["clean"]]
OFFICIAL = [DIRECT["official"], CHAIN_OF_THOUGHT["official"]]
ALL = [*CLEAN, *OFFICIAL]

by_name = pytest.mark.parametrize("template", ALL, ids=lambda template: template.name)


@by_name
def test_closed_book_template(template: Template) -> None:
    assert template.phase is Phase.GENERATION
    assert template.kind is TaskKind.RECALL
    assert set(template.slots) == {"question"}
    assert template.slots["question"].role == "question"


@by_name
@pytest.mark.parametrize("group", list(Group))
def test_parse_undoes_write(template: Template, group: Group) -> None:
    unknown = read_answers(template.write(None), group)
    assert (unknown.answers, unknown.parsed, unknown.flags) == ((), True, ())
    assert read_answers(template.write(["A | B", "C."]), group).answers == ("A | B", "C.")


@pytest.mark.parametrize("template", CLEAN, ids=lambda template: template.name)
def test_all_turns_but_the_last_are_equal_for_two_questions(template: Template) -> None:
    first, second = (messages_of(template.fill(question=question(text))) for text in ("who?", "where?"))
    assert first[:-1] == second[:-1]
    assert [message["role"] for message in first] == ["system", *["user", "assistant"] * 6, "user"]
    assert first[-1]["content"] == "Question: who?"


@pytest.mark.parametrize("template", OFFICIAL, ids=lambda template: template.name)
def test_official_is_one_user_message_without_instruction(template: Template) -> None:
    (message,) = messages_of(template.fill(question=question("who?")))
    assert message["role"] == "user"
    assert message["content"].startswith("Question: ")
    assert message["content"].endswith("Question: who?\nAnswer: ")
    assert "brace" not in message["content"]
    assert not template.send_system
    assert not template.reminder


@pytest.mark.parametrize("template", CLEAN, ids=lambda template: template.name)
def test_the_reminder_changes_the_last_turn_only(template: Template) -> None:
    plain, reminded = (messages_of(template.fill(remind=remind, question=question("who?"))) for remind in (False, True))
    assert plain[:-1] == reminded[:-1]
    assert reminded[-1]["content"] == f"{plain[-1]['content']}\n{template.reminder}"
    assert "|" in template.reminder


@by_name
def test_only_the_text_of_the_question_is_sent(template: Template) -> None:
    bare = Question("q1", "who?")
    linked = Question("other-id", "who?", (Entity("m.canary"),))
    assert messages_of(template.fill(question=bare)) == messages_of(template.fill(question=linked))


def test_the_fallback_is_the_template_of_cot() -> None:
    assert FALLBACK_TEMPLATES == Cot.card.templates == CotSc.card.templates


@pytest.mark.parametrize("method", [Io, Cot, CotSc])
def test_card(method: type[Io | Cot | CotSc]) -> None:
    assert method.card.parameters is not None
    assert not method.card.uses_graph
    assert not method.card.uses_embedder
    names = [template.name for template in method.card.templates]
    assert len(set(names)) == len(names) == 2
