"""Replies that the loose match gets wrong, each with what every form says of it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from kgbench.scoring.foreign import foreign_prediction
from kgbench.scoring.loose import LooseForm, loose_hit
from kgbench.scoring.metrics import METRICS
from kgbench.scoring.released import pog_hit
from kgbench.types import AnswerItem, Gold, GoldAnswer, RestoredPrediction

DATE = "http://www.w3.org/2001/XMLSchema#date"
INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


class Case(NamedTuple):
    reply: str
    gold: GoldAnswer | str
    literal: bool
    intended: bool
    arog: bool
    strict: bool
    question: str = "Who was it?"
    prediction: RestoredPrediction | None = None


def named(name: str, *aliases: str) -> GoldAnswer:
    return GoldAnswer(name=name, aliases=aliases)


ENTITY_REPLY = RestoredPrediction(items=(AnswerItem("entity", "m.0abc", ("m.0abc",)),), raw="{m.0abc}")

FALSE_HITS = {
    "1 empty reply": Case("", "Paris", True, False, False, False),
    "1 empty braces": Case("{}", "Paris", True, False, False, False),
    "1 blank braces": Case("so {  }", "Paris", True, False, False, False),
    "1 empty JSON answer": Case('{"A": {"Sufficient": "Yes", "Answer": ""}}', "Enchanted", False, False, False, False),
    "2 constant letter": Case("{a}", "Paris", True, True, True, False),
    "2 constant letter, plain": Case("a", "Paris", True, True, True, False),
    "2 constant no, plain": Case("No", "Norway", True, True, True, False),
    "2 constant no, braces": Case("{No}", "Norway", True, False, False, False),
    "3 Joule": Case("{Joule}", "Kilojoule", True, True, True, False),
    "3 Tragicomedy": Case("{Tragicomedy}", "Comedy", True, True, True, False),
    "3 Austria": Case("{Austria}", "Austrian Silesia", True, True, True, False),
    "3 Frostbite 2": Case("{Frostbite 2}", "Frostbite", True, True, True, False),
    "3 Belarus": Case("{Belarus}", "Belarusian People's Republic", True, True, True, False),
    "3 Niger": Case("{Niger}", "Nigeria", True, True, True, False),
    "3 Somalia": Case("{Somalia}", "Mali", True, True, True, False),
    "3 Oman": Case("{Romania}", "Oman", True, True, True, False),
    "3 US": Case("{US}", "Russia", True, True, True, False),
    "4 athletics": Case("{athletics}", "World Championships in Athletics 2011", True, True, True, False),
    "4 Islam": Case("{Islam}", "Sunni Islam", True, True, True, False),
    "4 Expo": Case("{Electronic Entertainment Expo}", "Electronic Entertainment Expo 2011", True, True, True, False),
    "4 Season 1": Case("{Season 1}", "Batman - Season 1", True, True, True, False),
    "4 NA": Case("{NA}", "Wii/DS NA", True, True, True, False),
    "5 topic echoed": Case("{Batman}", "Batman - Season 1", True, True, True, False, "What was Batman's first season?"),
    "6 question restated": Case(
        "The country where Niger flows is hard to name.",
        "Niger",
        True,
        True,
        True,
        False,
        "In which country does the Niger flow?",
    ),
    "7 dump": Case(
        "{" + " | ".join([*(f"Guess {number}" for number in range(19)), "Paris"]) + "}",
        "Paris",
        True,
        True,
        True,
        False,
    ),
    "8 nine in a year": Case("{1998}", GoldAnswer(value="9", datatype=INTEGER), True, True, False, False),
    "8 one in a year": Case("{1998}", "1", True, True, False, False),
    "8 Up": Case("{Upper Silesia}", "Up", True, True, True, False),
    "8 Her": Case("{Theresa Hernandez}", "Her", True, True, True, False),
    "8 Red": Case("{Fred Astaire}", "Red", True, True, True, False),
    "8 handle that was not mapped": Case(
        "{m.0415x9}", GoldAnswer(value="1", datatype=INTEGER), True, True, False, False
    ),
    "8 handle and a longer number": Case(
        "{m.0415x9}", GoldAnswer(value="15", datatype=INTEGER), True, True, False, False
    ),
    "9 Null": Case("{Null}", "null", True, False, False, False),
    "9 NULL": Case("{NULL}", "null", False, False, False, False),
    "9 UnName_Entity": Case("{UnName_Entity}", "UnName_Entity", True, False, False, False),
    "9 missing label": Case("{Berlin}", "N", True, True, False, False),
    "10 year for a date": Case("{1841}", GoldAnswer(value="1841-03-04", datatype=DATE), True, True, True, False),
    "10 year asked for": Case(
        "{1841}",
        GoldAnswer(value="1841-03-04", datatype=DATE),
        True,
        True,
        True,
        True,
        "In what year did he enter office?",
    ),
}

FALSE_MISSES = {
    "1 flag first": Case("{Yes}. The triples say so: {De Smet}", "De Smet", False, True, True, True),
    "2 Beyonce": Case("{Beyonce}", "Beyoncé", False, False, False, True),
    "2 colon": Case("{colon}", "Colón", False, False, False, True),
    "3 dash": Case(
        "{University of Missouri-Kansas City}", "University of Missouri–Kansas City", False, False, False, True
    ),
    "4 USA, gold without aliases": Case("{USA}", "United States of America", False, False, False, False),
    "4 USA": Case("{USA}", named("United States of America", "USA"), True, True, True, True),
    "4 Saint Louis": Case("{Saint Louis}", named("St. Louis", "Saint Louis"), True, True, True, True),
    "4 US President": Case(
        "{US President}", named("President of the United States", "US President"), True, True, True, True
    ),
    "5 written date": Case("{March 4, 1841}", GoldAnswer(value="1841-03-04", datatype=DATE), False, False, False, True),
    "5 number word": Case("{five}", GoldAnswer(value="5", datatype=INTEGER), False, False, False, True),
    "5 separator": Case("{5,000}", GoldAnswer(value="5000", datatype=INTEGER), False, False, False, True),
    "6 one gold of many": Case("{Quechua}", "Aymara", False, False, False, False),
    "7 handle": Case(
        "{m.0abc}", GoldAnswer(id="m.0abc", name="Paris"), False, False, True, True, prediction=ENTITY_REPLY
    ),
    "7 handle, foreign": Case("{m.0abc (city)}", GoldAnswer(id="m.0abc", name="Paris"), False, False, True, False),
}


@pytest.mark.parametrize("case", [*FALSE_HITS.values(), *FALSE_MISSES.values()], ids=[*FALSE_HITS, *FALSE_MISSES])
def test_what_each_form_says(case: Case) -> None:
    answer = named(case.gold) if isinstance(case.gold, str) else case.gold
    gold = Gold("q", (answer,))
    prediction = case.prediction or foreign_prediction(case.reply)

    def says(metric: str) -> bool:
        return METRICS[metric].item(case.question, prediction, gold)["value"] == 1.0

    outcome = (loose_hit(LooseForm.LITERAL, prediction, gold), says("tog_loose"), says("tog_loose_arog"), says("hits1"))
    assert outcome == (case.literal, case.intended, case.arog, case.strict)


def test_1_the_empty_json_answer_hits_in_the_released_evaluation_only() -> None:
    assert pog_hit('{"A": {"Sufficient": "Yes", "Answer": ""}}', ["Enchanted"])


def test_4_aliases_are_what_the_strict_match_needs() -> None:
    gold = Gold("q", (named("United States of America", "USA"),))
    prediction = foreign_prediction("{USA}")
    assert METRICS["hits1"].item("", prediction, gold)["value"] == 1.0
    assert METRICS["hits1_noalias"].item("", prediction, gold)["value"] == 0.0


def test_6_a_restated_question_is_a_miss_where_an_answer_part_is_asked_for() -> None:
    prediction = foreign_prediction("The country where Niger flows is hard to name.")
    assert METRICS["tog_loose_noecho"].item("", prediction, Gold("q", (named("Niger"),)))["value"] == 0.0


def test_6_the_second_of_several_answers_is_right_with_all_golds() -> None:
    gold = Gold("q", (named("Aymara"), named("Quechua")))
    prediction = foreign_prediction("{Quechua}")
    for metric in ("tog_loose", "tog_loose_arog", "hits1"):
        assert METRICS[metric].item("", prediction, gold)["value"] == 1.0


def test_7_a_dump_pays_in_precision() -> None:
    reply = FALSE_HITS["7 dump"].reply
    prediction, gold = foreign_prediction(reply), Gold("q", (named("Paris"),))
    assert METRICS["hit_any"].item("", prediction, gold)["value"] == 1.0
    assert METRICS["precision"].item("", prediction, gold)["value"] == pytest.approx(1 / 20)
    assert METRICS["recall"].item("", prediction, gold)["value"] == 1.0
