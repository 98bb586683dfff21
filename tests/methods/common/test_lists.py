from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_replies import RELATIONS

from kgbench_methods.common.lists import (
    ChosenLabel,
    NumberReply,
    RelationReply,
    list_items,
    parse_numbers,
    parse_relations,
    write_list,
)

NATIONALITY, STARRING = "people.person.nationality", "film.film.starring"
BOTH = (NATIONALITY, STARRING)


def test_unknown_relation_is_dropped_and_counted_and_the_score_is_kept() -> None:
    reply = parse_relations("1. people.person.nationality (0.4)\n2. made.up.relation (0.3)", RELATIONS)
    assert reply == RelationReply((ChosenLabel(NATIONALITY, 0.4),), unknown=1, form="lines")


@pytest.mark.parametrize(
    ("reply", "form"),
    [
        ('["people.person.nationality", "film.film.starring"]', "list"),
        ('Sure!\n```json\n["people.person.nationality", "film.film.starring"]\n```', "list"),
        ('[["people.person.nationality", "film.film.starring"]]', "list"),
        ('[["people.person.nationality"], ["film.film.starring"]]', "list"),
        ("['people.person.nationality', 'film.film.starring']", "list"),
        ("[people.person.nationality, film.film.starring]", "list"),
        ("[people.person.nationality; film.film.starring]", "list"),
        ("[people.person.nationality\nfilm.film.starring]", "list"),
        ('["people.person.nationality", "film.film.starring"', "list"),
        ("[people.person.nationality, film.film.starring", "list"),
        ('["people.person.nationality (0.4)", "film.film.starring (Score: 0.3)"]', "list"),
        ('["1. people.person.nationality", "2. film.film.starring"]', "list"),
        ("[People.Person.Nationality, ` film.film.starring`]", "list"),
        ('[{"relation": "people.person.nationality"}, {"relation": "film.film.starring", "score": 0.3}]', "list"),
        ('{"relations": ["people.person.nationality", "film.film.starring"]}', "list"),
        ('["people.person.nationality", "film.film.starring"] as said in [2]', "list"),
        ('I see [location.country.capital]. Best: ["people.person.nationality", "film.film.starring"]', "list"),
        ('<think>["location.country.capital"]</think>["people.person.nationality", "film.film.starring"]', "list"),
        ("1. people.person.nationality\n2. film.film.starring", "lines"),
        ("- people.person.nationality\n- film.film.starring", "lines"),
        ("* **people.person.nationality**: tells of people.person\n* `film.film.starring`", "lines"),
        ("1) {people.person.nationality (Score: 0.4))}: so.\n2) {film.film.starring (Score: 0.3)}", "lines"),
        ("people.person.nationality\nfilm.film.starring", "text"),
        ("```\npeople.person.nationality\nfilm.film.starring\n```", "text"),
        ("The best is people.person.nationality, then film.film.starring.", "text"),
        ("[]\nBest: people.person.nationality and film.film.starring", "text"),
    ],
)
def test_forms(reply: str, form: str) -> None:
    read = parse_relations(reply, RELATIONS)
    assert (read.labels, read.form) == (BOTH, form)


def test_a_list_cut_off_keeps_its_whole_labels() -> None:
    read = parse_relations('["people.person.nationality", "people.person.pla', RELATIONS)
    assert read == RelationReply((ChosenLabel(NATIONALITY),), unknown=1, form="list")


def test_repeats_go_before_the_cut() -> None:
    reply = f"[{NATIONALITY}, {NATIONALITY}, {STARRING}, people.person]"
    assert parse_relations(reply, RELATIONS, limit=2).labels == BOTH
    assert parse_relations(reply, RELATIONS, limit=1).labels == (NATIONALITY,)


def test_of_a_label_given_twice_the_first_weight_counts() -> None:
    read = parse_relations(f"1. {NATIONALITY} (0.6)\n2. {NATIONALITY} (0.1)", RELATIONS)
    assert read.chosen == (ChosenLabel(NATIONALITY, 0.6),)


def test_label_inside_a_label() -> None:
    joined = "people.person.nationality-location.country.capital"
    assert parse_relations(f"Take {joined}.", RELATIONS).labels == (joined,)
    assert parse_relations("[people.person.nationality.of]", RELATIONS) == RelationReply(unknown=1)


def test_list_items_are_whole_labels() -> None:
    read = parse_relations("[parent company, child]", ["parent", "child"])
    assert read == RelationReply((ChosenLabel("child"),), unknown=1, form="list")
    assert parse_relations("1. parent company\n2. child", ["parent", "child"]).labels == ("child",)


def test_a_line_must_begin_with_its_label() -> None:
    read = parse_relations(f"1. {NATIONALITY}\n2. unlike {STARRING}, which is no use", RELATIONS)
    assert read == RelationReply((ChosenLabel(NATIONALITY),), unknown=1, form="lines")


def test_brackets_in_prose_are_no_items_where_lines_are_the_list() -> None:
    assert parse_relations(f"I leave out [x, y, z].\n1. {NATIONALITY}", RELATIONS).unknown == 0


def test_case_decides_only_where_it_must() -> None:
    assert parse_relations("[PART]", ["part"]).labels == ("part",)
    assert parse_relations("[PART]", ["part", "Part"]).labels == ()
    assert parse_relations("[Part]", ["part", "Part"]).labels == ("Part",)


@pytest.mark.parametrize(
    ("reply", "form"),
    [
        ('["name [2]", "name"]', "list"),
        ("['name [2]', 'name']", "list"),
        ("[name [2], name]", "list"),
        ("[name [2], name", "list"),
        ("- name [2]\n- name", "lines"),
        ("name [2] and name", "text"),
    ],
)
def test_labels_that_end_in_a_number_in_brackets(reply: str, form: str) -> None:
    read = parse_relations(reply, ["name", "name [2]", "name [3]"])
    assert (read.labels, read.form) == (("name [2]", "name"), form)


@pytest.mark.parametrize("reply", ["", " ", "I'm sorry, I can't help.", "[]", "[made.up]", "<think>film.film.starring"])
def test_nothing_known(reply: str) -> None:
    read = parse_relations(reply, RELATIONS)
    assert (read.labels, read.form) == ((), "none")


def test_unknown_items_are_counted_where_nothing_is_known() -> None:
    assert parse_relations('["made.up", "made.too"]', RELATIONS).unknown == 2
    assert parse_relations("1. made.up (0.9)", RELATIONS).unknown == 1


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<"), min_size=1).filter(str.strip),
        min_size=1,
        max_size=6,
        unique=True,
    )
)
def test_relations_parse_undoes_write(labels: list[str]) -> None:
    assert parse_relations(write_list(labels), [*labels, "other"]).labels == tuple(labels)


@pytest.mark.parametrize(
    ("reply", "numbers", "unknown"),
    [
        ("[3, 1]", (3, 1), 0),
        ('["3", "1"]', (3, 1), 0),
        ('["3. Paris", "1. Rome"]', (3, 1), 0),
        ("```json\n[3, 1]\n```", (3, 1), 0),
        ("[[3, 1]]", (3, 1), 0),
        ("[3, 1", (3, 1), 0),
        ("[3] and [1]", (3, 1), 0),
        ("[#3, #1]", (3, 1), 0),
        ("[3, 3, 1, 99, 0]", (3, 1), 2),
        ("[true, 2, 2.5, -1, null]", (2,), 1),
        ("of the list [1, 2, 3] I take [3, 1]", (3, 1), 0),
        ("3. Paris\n1. Rome", (3, 1), 0),
        ("1. 3\n2. 1", (3, 1), 0),
        ("- 3\n- 1", (3, 1), 0),
        ("1. 2: a film\n3. Alien", (1, 3), 0),
        ("1. 2001: a film\n2. Alien", (1, 2), 0),
        ("Items 3 and 1.", (3, 1), 0),
        ("3, 1", (3, 1), 0),
        ("m.0415 has 0.4 and 50%", (), 0),
        ("<think>[2]</think>[3, 1]", (3, 1), 0),
        ("none of them", (), 0),
        ("", (), 0),
        ("[1" + "0" * 6000 + "]", (), 0),
    ],
)
def test_numbers(reply: str, numbers: tuple[int, ...], unknown: int) -> None:
    assert parse_numbers(reply, 12) == NumberReply(numbers, unknown)


def test_numbers_are_cut_to_the_limit() -> None:
    assert parse_numbers("[3, 3, 1, 2]", 12, limit=2).numbers == (3, 1)


@given(
    st.integers(1, 400).flatmap(lambda count: st.tuples(st.just(count), st.lists(st.integers(1, count), unique=True)))
)
def test_numbers_parse_undoes_write(case: tuple[int, list[int]]) -> None:
    count, numbers = case
    assert parse_numbers(write_list(numbers), count).numbers == tuple(numbers)


@pytest.mark.parametrize(
    "reply",
    [
        '["Who wrote it?", "Where was she born?"]',
        '```json\n["Who wrote it?", "Where was she born?"]\n```',
        '[{"question": "Who wrote it?"}, {"question": "Where was she born?"}]',
        "1. Who wrote it?\n2. Where was she born?",
        'Here they are:\n- "Who wrote it?"\n- Where was she born?',
        "```\n1) Who wrote it?\n2) Where was she born?\n```",
        "['Who wrote it?', 'Where was she born?']",
        "[Who wrote it?; Where was she born?",
    ],
)
def test_list_items(reply: str) -> None:
    assert list_items(reply) == ("Who wrote it?", "Where was she born?")


@pytest.mark.parametrize("reply", ["", "I'm sorry.", "[]", "[1, 2"])
def test_list_without_texts(reply: str) -> None:
    assert list_items(reply) in ((), ("1", "2"))
