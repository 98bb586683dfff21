"""The prompts of PoG: every reply that a template writes, or shows as an exemplar, is read back by its parser."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.llm.backends.reader import readable
from kgbench.prompts import Choice, Judgement, Template
from kgbench.types import Phase
from kgbench_methods.arog.prompts import INVENTED as OTHER_INVENTED
from kgbench_methods.common.answers import split_answers
from kgbench_methods.common.lists import list_items
from kgbench_methods.pog import exemplars
from kgbench_methods.pog.forms import CLEAN, TEMPLATES, prompts_of
from kgbench_methods.pog.parameters import PogParameters
from kgbench_methods.pog.replies import (
    exact_correction,
    exact_labels,
    exact_names,
    exact_verdict,
    read_correction,
    read_labels,
    read_memory,
    read_names,
    read_numbers,
    read_objectives,
    read_verdict,
)

if TYPE_CHECKING:
    from pathlib import Path

OFFICIAL = prompts_of(PogParameters(profile="official"))
SETS = [CLEAN, OFFICIAL, prompts_of(PogParameters(quirks=("B8", "B13")))]
# Displays as the gateway shows them: one line, no white space at the ends.
shown = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=20).map(
    lambda text: " ".join(text.split())
)
ODD = ("a | b", "{x}", "[y]", 'say "it"', "d'Or", "None", "unknown", "A, B", "A; B", "1. FC", r"\u0041", "C.")
odd = st.one_of(shown.filter(bool), st.sampled_from(ODD))
by_name = pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
by_set = pytest.mark.parametrize("prompts", SETS, ids=["clean", "official", "quirks"])


def answers_of(reply: str, word: str) -> list[str] | None:
    verdict = read_verdict(reply, word)
    assert verdict is not None
    return None if verdict.answers is None else [piece for text in verdict.answers for piece in split_answers(text)]


@by_name
def test_every_template_can_be_read_by_a_retrieval_model(template: Template) -> None:
    assert readable(template.kind)
    roles = {slot.role for slot in template.slots.values()}
    assert "question" in roles
    assert {"choose": "items", "note": "triples", "answer": "triples", "judge": "triples"}.get(
        template.kind, "question"
    ) in roles


def test_phases_and_stages_are_those_of_the_method() -> None:
    phases = {template.stage: template.phase for template in CLEAN.templates}
    assert phases == {
        "decompose": Phase.RETRIEVAL,
        "rel_select": Phase.RETRIEVAL,
        "ent_prune": Phase.RETRIEVAL,
        "update_memory": Phase.MIXED,
        "answer_depth": Phase.GENERATION,
        "judge": Phase.RETRIEVAL,
        "add_entities": Phase.RETRIEVAL,
        "answer": Phase.GENERATION,
        "cot_json": Phase.GENERATION,
    }
    assert [len(template.examples) for template in CLEAN.templates] == [1, 1, 1, 1, 5, 2, 1, 5, 1]


# --- parse(write(x)) = x ----------------------------------------------------------------------------------------------


@by_set
@given(steps=st.lists(odd, min_size=1, max_size=4, unique=True))
def test_decompose(prompts, steps: list[str]) -> None:  # type: ignore[no-untyped-def]
    kept = read_objectives(prompts.decompose.write(steps))
    if kept is not None:  # a list of nothing but punctuation says nothing
        assert json.loads(kept) == steps
        assert list_items(kept)


@by_set
@given(labels=st.lists(st.from_regex(r"[a-z]{1,6}\.[a-z_]{1,8}", fullmatch=True), max_size=5, unique=True))
def test_rel_select(prompts, labels: list[str]) -> None:  # type: ignore[no-untyped-def]
    reply = prompts.rel_select.write([Choice(place, label) for place, label in enumerate(labels, 1)])
    known = [*labels, "people.person.gender", "zzz"]
    assert read_labels(reply, known) == exact_labels(reply, known) == tuple(labels)


@pytest.mark.parametrize("name", ["ent_prune", "add_entities"])
@given(places=st.lists(st.integers(1, 80), max_size=6, unique=True))
def test_numbers(name: str, places: list[int]) -> None:
    template: Template = getattr(CLEAN, name)
    assert read_numbers(template.write([Choice(place, "x") for place in places]), 80) == tuple(places)


@pytest.mark.parametrize("name", ["ent_prune", "add_entities"])
@given(names=st.lists(odd, max_size=5, unique=True))
def test_names(name: str, names: list[str]) -> None:
    reply = getattr(OFFICIAL, name).write([Choice(place, text) for place, text in enumerate(names, 1)])
    assert read_names(reply) == tuple(names)
    if not any(char in text for text in names for char in "[]\\"):
        assert exact_names(reply) == exact_names(reply, whole=True) == tuple(names)


@by_set
@given(lines=st.lists(odd, min_size=1, max_size=5))
def test_update_memory(prompts, lines: list[str]) -> None:  # type: ignore[no-untyped-def]
    memory = read_memory(prompts.update_memory.write(lines))
    assert memory is not None
    assert json.loads(memory)["1"][1:] == lines


@by_set
@pytest.mark.parametrize("sufficient", [True, False])
@given(answers=st.lists(odd, max_size=4, unique=True))
def test_answer_depth(prompts, sufficient: bool, answers: list[str]) -> None:  # type: ignore[no-untyped-def]
    reply = prompts.answer_depth.write(Judgement(sufficient, tuple(answers)))
    verdict = read_verdict(reply)
    assert verdict is not None
    assert verdict.yes == sufficient
    assert answers_of(reply, "sufficient") == (answers if sufficient else [])


@by_set
@pytest.mark.parametrize("sufficient", [True, False])
def test_judge(prompts, sufficient: bool) -> None:  # type: ignore[no-untyped-def]
    for read in (read_correction, exact_correction):
        correction = read(prompts.judge.write(Judgement(sufficient)))
        assert correction is not None
        assert correction.add != sufficient


@by_set
@given(answers=st.lists(odd, max_size=4, unique=True))
def test_final_answers(prompts, answers: list[str]) -> None:  # type: ignore[no-untyped-def]
    assert answers_of(prompts.answer.write(answers), "sufficient") == answers
    assert answers_of(prompts.cot.write(answers), "known") == answers


def test_a_closed_book_reply_that_knows_nothing() -> None:
    assert read_verdict(CLEAN.cot.write(None), "known") is not None
    assert answers_of(CLEAN.cot.write(None), "known") == []


# --- exemplars --------------------------------------------------------------------------------------------------------


@by_name
def test_exemplars_are_read_by_the_parser(template: Template) -> None:
    for example in template.examples:
        stage = template.stage
        if stage in ("answer_depth", "answer"):
            verdict = exact_verdict(example.reply)
            assert verdict == read_verdict(example.reply)
            assert verdict is not None
            triples = " ".join(example.slots["triples"])
            assert all(answer in triples for answer in verdict.answers or ())
            assert verdict.yes == bool(verdict.answers)
        elif stage == "judge":
            assert read_correction(example.reply) == exact_correction(example.reply) is not None
        elif stage == "rel_select":
            assert read_labels(example.reply, example.slots["relations"]) == exemplars.CHOSEN_RELATIONS
        elif stage in ("ent_prune", "add_entities"):
            candidates = example.slots["candidates"]
            numbers = read_numbers(example.reply, len(candidates))
            chosen = exact_names(example.reply) if "official" in template.name else None
            picked = chosen if chosen is not None else tuple(candidates[number - 1] for number in numbers or ())
            assert set(picked) <= set(candidates)
            assert len(picked) == {"ent_prune": 1, "add_entities": 3}[stage]
        elif stage == "update_memory":
            assert read_memory(example.reply) == example.reply
        elif stage == "decompose":
            assert read_objectives(example.reply) == example.reply
        else:
            assert answers_of(example.reply, "known")


def test_two_of_five_cases_suffice() -> None:
    assert [bool(case.answers) for case in exemplars.CASES].count(True) == 2


def test_invented_names_are_the_methods_own_and_every_handle_holds_a_vowel() -> None:
    assert not set(exemplars.INVENTED) & set(OTHER_INVENTED)
    texts = " ".join(message["content"] for template in TEMPLATES for message in template.fixed_messages)
    assert all(name in texts for name in exemplars.INVENTED)
    handles = set(re.findall(r"\bm\.0\w+", texts))
    assert handles <= set(exemplars.INVENTED)
    assert all(re.search("[aeiou]", handle[2:]) for handle in handles)


def test_invented_names_stand_in_no_data_set(real_data: Path) -> None:
    wanted = [name.casefold() for name in exemplars.INVENTED]
    import gzip

    for file in sorted(real_data.glob("*/entities.tsv.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            text = lines.read().casefold()
        assert not [name for name in wanted if name in text]
    for file in sorted((real_data / "questions").glob("*.jsonl")):
        with file.open(encoding="utf-8") as questions:
            text = " ".join(json.loads(line)["question"] for line in questions).casefold()
        assert not [name for name in wanted if name in text]


# --- layout -----------------------------------------------------------------------------------------------------------


def test_clean_prompts_are_chat_turns_and_official_ones_one_message() -> None:
    assert not any(template.flat for template in CLEAN.templates)
    assert all(template.flat for template in OFFICIAL.templates)
    assert all(template.reminder for template in TEMPLATES)


def test_numbers_are_asked_for_where_lists_are_numbered() -> None:
    assert all("numbers" in template.system for template in (CLEAN.ent_prune, CLEAN.add_entities))
    assert not any("number" in template.system for template in (OFFICIAL.ent_prune, OFFICIAL.add_entities))


def test_the_card_names_every_template_once() -> None:
    names = [template.name for template in TEMPLATES]
    assert len(names) == len(set(names))
    sent = {t.name for p in SETS for t in p.templates}
    assert sent <= set(names)
