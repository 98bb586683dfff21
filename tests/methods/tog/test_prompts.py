from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.prompts import Choice, Judgement, TaskKind
from kgbench_methods.common.answers import split_answers
from kgbench_methods.common.braces import parse_braced
from kgbench_methods.tog.exemplars import CASES, CHOSEN, INVENTED, SCORES
from kgbench_methods.tog.method import CARD
from kgbench_methods.tog.parameters import TogParameters
from kgbench_methods.tog.prompts import TEMPLATES, prompts_for, write_relations, write_scores, write_verdict
from kgbench_methods.tog.replies import (
    read_relations,
    read_relations_strictly,
    read_scores,
    read_scores_anywhere,
    read_verdict,
)

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.prompts import Template

ODD_LABELS = (
    "award.award_honor.award_winner",
    "a-b",
    "a",
    "spouse (of person)",
    "part {of}",
    "has [2]",
    "wohnt in",
    "0.5",
    "relation:type/x",
)
ODD_NAMES = (
    "Paris",
    "A; B",
    "x | y",
    "{now}",
    "Line one\nand two",
    " padded ",
    "'quoted'",
    "unknown",
    "1. FC",
    "é",
    "a\\b",
)
texts = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12).filter(str.strip)


def of_kind(kind: TaskKind) -> list[Template]:
    return [template for template in TEMPLATES if template.kind is kind]


def by_name(template: Template) -> str:
    return template.name


# --- the exemplars -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("template", of_kind(TaskKind.CHOOSE), ids=by_name)
def test_the_exemplar_of_rel_prune_parses_to_its_choice(template: Template) -> None:
    (example,) = template.examples
    reading = read_relations(example.reply, example.slots["relations"])
    assert [(choice.label, choice.score) for choice in reading.chosen] == [(label, score) for label, score, _ in CHOSEN]
    assert sum(choice.score for choice in reading.chosen) == pytest.approx(1)
    assert list(example.slots["relations"]) == sorted(example.slots["relations"])
    assert len(CHOSEN) == int(str(example.slots["width"]))


@pytest.mark.parametrize("template", of_kind(TaskKind.SCORE), ids=by_name)
def test_the_exemplar_of_ent_score_parses_to_its_scores(template: Template) -> None:
    (example,) = template.examples
    assert read_scores(example.reply, len(example.slots["candidates"])) == SCORES
    assert sum(SCORES) == pytest.approx(1)


@pytest.mark.parametrize("kind", [TaskKind.JUDGE, TaskKind.ANSWER])
def test_the_exemplars_over_triples_parse_to_their_cases(kind: TaskKind) -> None:
    for template in of_kind(kind):
        replies = [example.reply for example in template.examples] or [
            part.partition("\nAnswer: ")[2] for part in template.system.split("\n\n")[1:]
        ]
        assert len(replies) == len(CASES) == 5
        for case, reply in zip(CASES, replies, strict=True):
            groups = parse_braced(reply).groups
            if kind is TaskKind.JUDGE:
                assert read_verdict(reply).sufficient == (case.answer is not None)
                groups = groups[1:]
            assert (split_answers(groups[0]) if groups else ()) == ((case.answer,) if case.answer else ())
    assert sum(case.answer is not None for case in CASES) == 2


def test_exemplars_show_what_they_invent_and_nothing_that_is_not_invented() -> None:
    shown = " ".join(
        template.lay_out(e.slots) + e.reply for template in TEMPLATES for e in template.examples
    ).casefold()
    assert all(name.casefold() in shown for name in INVENTED)
    assert all(any(vowel in name[3:] for vowel in "aeiou") for name in INVENTED if name.startswith("m."))
    assert all(template.invented == INVENTED for template in TEMPLATES)


def test_invented_names_stand_in_no_bundled_question_and_in_no_other_prompt() -> None:
    bundled = files("kgbench").joinpath("data", "demo", "files")
    text = "".join(
        entry.read_text(encoding="utf-8") for entry in bundled.iterdir() if entry.name.endswith((".jsonl", ".tsv"))
    )
    assert len(text) > 1000
    assert not [name for name in INVENTED if name.casefold() in text.casefold()]


def test_invented_names_stand_in_no_real_question(real_data: Path) -> None:
    for path in sorted((real_data / "questions").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            text = " ".join([record["question"], *record["topic_entities"].values()]).casefold()
            assert not [name for name in INVENTED if name.casefold() in text]


# --- write is the inverse of the parser --------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ODD_LABELS)
def test_a_written_choice_is_read_again(label: str) -> None:
    others = [other for other in ODD_LABELS if other != label][:2]
    labels = [label, *others]
    weights = [0.5, 0.3, 0.2]
    reply = write_relations(
        [Choice(place, text, w) for place, (text, w) in enumerate(zip(labels, weights, strict=True), 1)]
    )
    assert [(c.label, c.score) for c in read_relations(reply, ODD_LABELS).chosen] == list(
        zip(labels, weights, strict=True)
    )


def test_a_written_choice_is_read_strictly_too() -> None:
    labels = ["a.b.c", "a-b", "wohnt in"]
    reply = write_relations([Choice(place, label, 0.25) for place, label in enumerate(labels, 1)])
    assert [(c.label, c.score) for c in read_relations_strictly(reply, labels).chosen] == [(x, 0.25) for x in labels]
    assert write_relations([]) == ""


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_written_scores_are_read_again(weights: list[float]) -> None:
    rounded = tuple(float(f"{weight:.4f}") for weight in weights)
    assert read_scores(write_scores(weights), len(weights)) == rounded
    assert read_scores_anywhere(write_scores(weights), len(weights)) == rounded


@given(st.lists(texts | st.sampled_from(ODD_NAMES), max_size=4, unique=True))
def test_a_written_verdict_is_read_again(answers: list[str]) -> None:
    verdict = read_verdict(write_verdict(Judgement(True, tuple(answers))))
    assert verdict.sufficient
    (group,) = parse_braced(verdict.rest).groups
    assert split_answers(group) == tuple(answers)
    assert not read_verdict(write_verdict(Judgement(False))).sufficient


@pytest.mark.parametrize("template", of_kind(TaskKind.ANSWER), ids=by_name)
def test_written_answers_are_read_again(template: Template) -> None:
    (group,) = parse_braced(template.write(list(ODD_NAMES))).groups
    assert split_answers(group) == ODD_NAMES
    assert split_answers(parse_braced(template.write([])).groups[0]) == ()


# --- which templates there are -----------------------------------------------------------------------------------------


def test_every_template_that_parameters_can_ask_for_is_on_the_card() -> None:
    on_card = {template.name: template for template in CARD.templates}
    assert len(on_card) == len(CARD.templates)
    for profile in ("clean", "official"):
        for quirks in ((), ("Q2",), ("Q5",), ("Q2", "Q5"), ("-Q2", "-Q5")):
            for hint in (False, True):
                chosen = prompts_for(TogParameters(profile=profile, quirks=quirks, id_hint=hint))  # type: ignore[arg-type]
                for template in (chosen.rel_prune, chosen.ent_score, chosen.evaluate, chosen.answer):
                    assert on_card[template.name] == template


def test_official_prompts_are_one_message_and_never_remind() -> None:
    for template in TEMPLATES:
        assert template.flat == ("official" in template.name)
        assert not (template.flat and template.reminder)
    assert prompts_for(TogParameters()).rel_prune.reminder


def test_clean_lists_candidates_by_number_and_official_inline() -> None:
    clean, official = (prompts_for(TogParameters(profile=p)).ent_score for p in ("clean", "official"))  # type: ignore[arg-type]
    assert "1. Bromfeth Mass\n2. " in clean.lay_out(clean.examples[0].slots)
    assert "Bromfeth Mass; Songs of Dastrimor; " in official.lay_out(official.examples[0].slots)


def test_only_the_hint_speaks_of_codes() -> None:
    for template in TEMPLATES:
        assert ("Codes such as" in template.system) == ("hint" in template.name)
