from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.report.page.phrases import Phrases, words_in
from kgbench.report.page.pieces import Turn, turn_of
from kgbench.report.page.scrub import Scrubber, Shown
from kgbench.seam.audit import common_words
from kgbench.text import STOP_WORDS

QUESTION = "Where does Brenka Moll work?"


def call(*parts: str | tuple[str, str], number: int = 1, exposed: bool = False, **more: Any) -> dict[str, Any]:
    """A call whose turn is made of plain texts and of (text, origin)."""
    text, spans = "", []
    for part in parts:
        piece, origin = part if isinstance(part, tuple) else (part, "")
        if origin:
            spans.append([len(text), len(text) + len(piece), origin])
        text += piece
    return {
        "trial": 0,
        "call": number,
        "messages": [{"role": "system", "content": "Pick a town."}, {"role": "user", "content": text}],
        "spans": spans,
        "exposed": exposed,
        **more,
    }


def written(shown: list[Shown]) -> str:
    return "".join(f"<{part.origin} {part.number}>" if part.text is None else part.text for part in shown)


def turn(scrubber: Scrubber, one: dict[str, Any]) -> str:
    made = turn_of(one)
    assert made is not None
    return "".join(written(parts) for parts in scrubber.turn(one, made))


def test_in_a_private_run_everything_is_shown_as_sent() -> None:
    one = call("Q: ", (QUESTION, "question"), "\n", ("m.0k4d7xw", "handle"), " (", ("firm", "concept"), ")")
    scrubber = Scrubber([one], ["Ashgrove Works"], QUESTION)
    assert turn(scrubber, one) == f"Q: {QUESTION}\nm.0k4d7xw (firm)"
    assert written(scrubber.spoken(one, "It is Ashgrove Works.")) == "It is Ashgrove Works."


def test_names_are_masked_wherever_they_stand_and_numbered_by_text() -> None:
    one = call(
        ("Ashgrove Works", "name"), "; ", ("Velm", "name"), "; ", ("ASHGROVE  works", "echo"), " Velm!", exposed=True
    )
    scrubber = Scrubber([one], (), QUESTION)
    assert turn(scrubber, one) == "<name 1>; <name 2>; <name 1> <name 2>!"
    assert written(scrubber.spoken(one, "velm, not Umbria")) == "<name 2>, not <hidden 0>"


@pytest.mark.parametrize("origin", ["name", "literal", "local_text", "topic_label", "source_id", "novelty"])
def test_every_disclosing_origin_is_masked_and_so_is_an_unknown_one(origin: str) -> None:
    one = call("A: ", ("Quillmarsh", origin))
    scrubber = Scrubber([one], (), QUESTION)
    assert "Quillmarsh" not in turn(scrubber, one)
    assert "uillmarsh" not in written(scrubber.spoken(one, "so quillmarsh, QUILLMARSH or Ｑuillmarsh?")).casefold()


def test_words_of_the_model_are_open_until_it_has_seen_a_name() -> None:
    before = call((QUESTION, "question"), number=1)
    after = call(("Velm", "name"), number=2, exposed=True)
    scrubber = Scrubber([after, before], (), QUESTION)
    assert written(scrubber.spoken(before, "Perhaps Umbria")) == "Perhaps Umbria"
    assert written(scrubber.spoken(after, "Umbria")) == "<hidden 0>"
    other_trial = before | {"trial": 1, "call": 9}
    assert written(scrubber.spoken(other_trial, "Umbria")) == "Umbria"


def test_open_words_are_those_of_question_template_schema_and_short_numbers() -> None:
    one = call((QUESTION, "question"), " ", ("person.lives_in", "relation"), ("Velm", "name"), exposed=True)
    scrubber = Scrubber([one], (), QUESTION)
    said = "1. Brenka Moll lives_in a town: Umbria Magna, 1954"
    assert written(scrubber.spoken(one, said)) == "1. Brenka Moll lives_in a town: <hidden 0>, <hidden 0>"


def test_a_common_word_that_is_part_of_a_name_is_not_open() -> None:
    assert {"stone", "group", "ward"} <= common_words()
    one = call(("Stone Group", "name"), " ", ("hospital.ward", "relation"), " ", ("Velm Ward", "name"), exposed=True)
    scrubber = Scrubber([one], (), QUESTION)
    assert written(scrubber.spoken(one, "a stone of the group, a town")) == "a <hidden 0> of the <hidden 0>, a town"
    assert written(scrubber.spoken(one, "the ward")) == "the ward", "the schema says it"


def test_a_word_of_a_template_that_is_part_of_a_name_is_not_open() -> None:
    one = call(("Town Velm", "name"), exposed=True)
    assert written(Scrubber([one], (), QUESTION).spoken(one, "Pick the town")) == "Pick the <hidden 0>"


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("1. a town\n 2) a town\n3", "1. a town\n 2) a town\n3"),
        ("a town (0.4), 1.0: 0.7598", "a town (0.4), 1.0: 0.7598"),
        ("It was 6/9/22", "It was <hidden 0>"),
        ("6/9/22", "<hidden 0>"),
        ("6.9.22", "<hidden 0>"),
        ("in 20 22 or 2 0 2 2", "in <hidden 0> or <hidden 0>"),
        ("54 32 86 or 0.45%", "<hidden 0> or <hidden 0>%"),
        ("10.0.22.1", "<hidden 0>"),
        ("٦. or ٢٢", "٦. or <hidden 0>"),
        ("Velm 6\n7. Velm", "<name 1> <hidden 0>\n7. <name 1>"),
    ],
)
def test_numbers_are_shown_as_marks_of_a_list_and_as_scores(reply: str, shown: str) -> None:
    one = call(("Velm", "name"), ("2022-09-06", "literal"), exposed=True)
    found = re.sub(
        r"<hidden 0>(?:[^\w<%]+<hidden 0>)+", "<hidden 0>", written(Scrubber([one], (), QUESTION).spoken(one, reply))
    )
    assert found == shown


def test_a_number_of_the_question_is_open_and_one_of_a_template_is_not() -> None:
    question = "Who came 22nd of 30 in 1954?"
    one = call((question, "question"), " e.g. 77", ("Velm", "name"), exposed=True)
    assert written(Scrubber([one], (), question).spoken(one, "of 30 in 1954, in 77")) == "of 30 in 1954, in <hidden 0>"


def test_a_mention_that_the_question_does_not_say_is_a_label() -> None:
    one = call(("Brenka Moll", "mention"), ", ", ("The Big Valley", "mention"))
    scrubber = Scrubber([one], (), QUESTION)
    assert turn(scrubber, one) == "Brenka Moll, <topic_label 1>"
    assert (
        written(scrubber.spoken(one, "Brenka Moll of the Valley, Big")) == "Brenka Moll of the <hidden 0>, <hidden 0>"
    )


def test_what_the_question_says_itself_is_no_secret_and_a_numbered_mask_wins() -> None:
    one = call((QUESTION, "question"), ("Port Velm", "name"), exposed=True)
    scrubber = Scrubber([one], ["Brenka Moll", "Port Velm"], QUESTION)
    assert written(scrubber.spoken(one, "Brenka Moll, Port Velm")) == "Brenka Moll, <name 1>"


def test_what_the_records_know_is_masked_in_fixed_text_too() -> None:
    one = call(("Velm", "name"), exposed=True)
    scrubber = Scrubber([one], ["Port Ostel", "n3941r"], QUESTION)
    assert written(scrubber.fixed("As in port ostel, or n3941r.")) == "As in <hidden 0>, or <hidden 0>."


def test_fixed_text_keeps_common_words_that_are_also_names() -> None:
    one = call(("Film", "name"), exposed=True)
    scrubber = Scrubber([one], (), QUESTION)
    assert written(scrubber.fixed("Name a film.")) == "Name a film."
    assert written(scrubber.spoken(one, "Film")) == "<name 1>"


def test_ids_of_the_graph_are_masked_in_the_question_and_in_replies() -> None:
    shown = "Where does m.02mjmr work?"
    one = call((shown, "question"), " ", ("m.02mjmr", "handle"), " ", ("m.0abc", "source_id"))
    scrubber = Scrubber([one], (), QUESTION, source_ids=True)
    assert turn(scrubber, one) == "Where does <source_id 1> work? <source_id 1> <source_id 2>"
    reply = "It is m.0abc, not m.09c7w0 of Umbria"
    assert written(scrubber.spoken(one, reply)) == "It is <source_id 2>, not <hidden 0> of Umbria"


@pytest.mark.parametrize(
    "rewritten", ["02mjmr", "m02mjmr", "m.02mj\u200bmr", "rmjm20", "bS4wMm1qbXI=", "ｍ０２ｍｊｍｒ"]
)
def test_a_rewritten_id_is_hidden(rewritten: str) -> None:
    one = call((QUESTION, "question"), " ", ("m.02mjmr", "handle"), " ", ("people.height2", "relation"))
    scrubber = Scrubber([one], (), QUESTION, source_ids=True)
    head, _, tail = written(scrubber.spoken(one, f"1. height2 of Brenka: {rewritten}")).partition(": ")
    assert head == "1. height2 of Brenka"
    assert tail.replace("<hidden 0>", "").rstrip("=") in ("", "m.")


def test_an_id_in_the_question_alone_is_masked_since_the_question_does_not_say_it() -> None:
    one = call(("Where does Q4217 work?", "question"))
    assert turn(Scrubber([one], (), QUESTION, source_ids=True), one) == "Where does <hidden 0> work?"


def test_the_longer_phrase_wins() -> None:
    phrases = Phrases()
    phrases.add("Tamsin", "name", 1)
    phrases.add("Tamsin Orrel", "name", 2)
    found = list(phrases.matches("Tamsin Orrel met Tamsin; Tamsins did not", worth=False))
    assert [(start, end, phrase.number) for start, end, phrase in found] == [(0, 12, 2), (17, 23, 1)]


NAME = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(
    NAME, st.lists(st.sampled_from([" ", ", ", "(", ") ", "\n", "umbria ", "town ", "\u0301", "\u200b"]), max_size=6)
)
def test_once_a_name_was_seen_only_open_words_are_shown(name: str, around: list[str]) -> None:
    one = call((name, "name"), exposed=True)
    scrubber = Scrubber([one], (), QUESTION)
    reply = name.join(around) if len(around) > 1 else f"{name} {''.join(around)}"
    shown = scrubber.spoken(one, reply)
    words = words_in(" ".join(part.text for part in shown if part.text is not None))
    open_words = ((words_in("Pick a town.") | common_words()) - words_in(name)) | STOP_WORDS | {"s", "t"}
    assert {word for word in words if not re.fullmatch(r"\d{1,2}", word)} <= open_words


@given(st.lists(st.tuples(NAME, st.sampled_from(["", "name", "handle", "question", "relation"])), max_size=8))
def test_pieces_join_to_the_text(parts: list[tuple[str, str]]) -> None:
    one = call(*parts)
    made = turn_of(one)
    assert isinstance(made, Turn)
    assert "".join(piece.text for piece in made.pieces) == "".join(text for text, _ in parts)
