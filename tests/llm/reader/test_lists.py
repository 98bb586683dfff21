"""Choosing, scoring, naming, cutting: the kinds that read no graph."""

from __future__ import annotations

import pytest

from kgbench.contracts import ShownEnd, ShownTriple

LABELS = ("film.film.director", "people.person.spouse", "people.person.birth")


def test_choose_ranks_by_similarity_and_tells_positions(ask) -> None:
    choices = ask("choose", "Who is the wife of Ann?", mentions=("Ann",), slots={"items": LABELS}, limit=2)
    assert (choices[0].position, choices[0].text) == (2, "people.person.spouse")
    assert len(choices) == 2
    assert sum(choice.weight for choice in choices) == pytest.approx(1)
    assert choices[0].weight > choices[1].weight


def test_choose_without_a_number_keeps_what_is_near_the_best(ask) -> None:
    items = ("spouse", "wife", "zebra")
    assert [choice.position for choice in ask("choose", "the spouse", slots={"items": items})] == [1, 2]
    assert len(ask("choose", "the spouse", slots={"items": ("spouse",) * 9})) == 5


def test_ties_keep_prompt_order(ask) -> None:
    handles = ("m.0c", "m.0b", "m.0d")
    assert [choice.text for choice in ask("choose", "the spouse", slots={"items": handles}, limit=3)] == list(handles)


def test_the_topic_in_question_and_items_does_not_count(ask) -> None:
    items = ("Ann, film.film.director, m.0b", "m.0c, people.person.spouse, m.0d")
    choices = ask("choose", "Ann: who is the wife of Ann?", mentions=("Ann",), slots={"items": items}, limit=1)
    assert choices[0].position == 2


def test_items_of_a_list_of_triples_are_read_from_their_slot(ask) -> None:
    rendered = ("m.0a, film.film.director, m.0b", "m.0c, people.person.spouse, m.0d")
    assert ask("choose", "the wife", slots={"triples": rendered}, limit=1)[0].text == rendered[1]


@pytest.mark.parametrize("name", ["x | y", "{Awake}", "two\nlines", '"quoted"; A -> B', "[/red]"])
def test_odd_names_come_back_as_shown(ask, name: str) -> None:
    items = ("m.0b", f"{name} (spouse)")
    assert ask("choose", "the spouse", slots={"items": items}, limit=1)[0].text == items[1]
    triple = ShownTriple(ShownEnd("Ann", topic=True), "people.person.spouse", ShownEnd(items[1], "spouse"))
    assert ask("answer", "wife of Ann", mentions=("Ann",), triples=(triple,)) == [items[1]]
    assert ask("judge", "wife of Ann", mentions=("Ann",), triples=(triple,)).answers == (items[1],)


def test_bare_handles_get_equal_scores(ask) -> None:
    scores = ask("score", "the wife of Ann", mentions=("Ann",), slots={"items": ("m.0b", "m.0c", "g.1d", "m.0e_f")})
    assert scores == [0.25] * 4


def test_scores_sum_to_one_and_follow_similarity(ask) -> None:
    scores = ask("score", "the wife", slots={"items": (*LABELS, "m.0b")})
    assert sum(scores) == pytest.approx(1)
    assert max(scores) == scores[1]
    assert min(scores) == scores[3] > 0


@pytest.mark.parametrize("limit", [None, 3])
def test_empty_single_and_long_lists(ask, limit: int | None) -> None:
    assert ask("choose", "the wife", slots={"items": ()}, limit=limit) == []
    assert ask("choose", "the wife", slots={}, limit=limit) == []
    assert ask("score", "the wife", slots={"items": ()}) == []
    assert ask("score", "the wife", slots={"items": ("m.0b",)}) == [1.0]
    assert [choice.weight for choice in ask("choose", "the wife", slots={"items": ("m.0b",)}, limit=limit)] == [1.0]
    many = (*(f"domain.kind.label{number}" for number in range(499)), "people.person.spouse")
    choices = ask("choose", "the wife", slots={"items": many}, limit=limit)
    assert choices[0].position == 500
    assert len(ask("score", "the wife", slots={"items": many})) == 500


def test_a_question_of_stop_words_alone_ranks_nothing(ask) -> None:
    assert [choice.position for choice in ask("choose", "who is it?", slots={"items": LABELS}, limit=3)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("subject_of", "object_of", "expected"),
    [
        (("film.film.genre", "film.film.director", "award.winner.year"), (), "film"),
        (("award.award_winner.year",), ("film.film.director",), "award winner"),
        (("film.actor.film-film.performance.character",), (), "actor"),
        (("works-in.ward.x",), (), "ward"),
        ((), ("film.film.directed_by",), "directed by"),
        ((), ("film.actor.film-film.performance.film_character",), "film character"),
        (("spouse",), ("parentOf",), "parent of"),
        ((), (), "entity"),
    ],
)
def test_type_names_the_commonest_class(ask, subject_of, object_of, expected: str) -> None:
    assert ask("type", slots={"subject_of": subject_of, "object_of": object_of}) == expected


@pytest.mark.parametrize(
    ("question", "mentions", "expected"),
    [
        ("the sex of the parent of Claudius?", ("Claudius",), ["the sex", "the parent"]),
        (
            "Which films were directed by the man that Ann married?",
            ("Ann",),
            ["films were directed by the man", "Ann married"],
        ),
        ("Where was the Bank of Foo founded?", ("Bank of Foo",), ["Where was the Bank of Foo founded"]),
        ("sister of Ann's sister", ("Ann",), ["sister", "Ann's sister"]),
        ("wife of wife of Ann", ("Ann",), ["wife"]),
        ("Who is Ann?", ("Ann",), ["Who is Ann?"]),
        ("", (), [""]),
    ],
)
def test_path_cuts_the_question_at_clause_words(ask, question: str, mentions, expected: list[str]) -> None:
    assert ask("path", question, mentions=mentions) == expected


def test_note_copies_the_triples_as_shown(ask) -> None:
    rendered = ("Ann, people.person.spouse, m.0b (person)", "m.0b (person), people.person.birth, m.0c")
    assert ask("note", "the wife", slots={"triples": rendered}) == list(rendered)
    assert ask("note", "the wife") == []


def test_recall_knows_nothing(ask) -> None:
    assert ask("recall", "Who is the wife of Ann?") is None
