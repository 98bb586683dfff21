from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.scoring.foreign import foreign_prediction
from kgbench.scoring.items import answer_items
from kgbench.types import AnswerItem, NodeNames, RestoredPrediction

NAMES = {
    "m.01": NodeNames("Washington, D.C.", ("District of Columbia",)),
    "m.02": NodeNames("Oslo"),
    "m.03": NodeNames("Oslo"),
    "m.04": NodeNames("AC; DC"),
    "m.05": NodeNames("Crosby, Stills, Nash and Young"),
    "m.06": NodeNames(None),
    "m.07": NodeNames("Georgia (country)"),
}


def texts(reply: str, names: dict[str, NodeNames] | None = None, *, split: bool = True) -> list[str]:
    return [item.text for item in answer_items(foreign_prediction(reply, names), split=split)]


@pytest.mark.parametrize(
    ("reply", "items"),
    [
        ('["Paris", "Rome"]', ["Paris", "Rome"]),
        ("['Paris', 'Rome']", ["Paris", "Rome"]),
        ('["AC; DC"]', ["AC; DC"]),
        ('{"answer": ["Paris", {"name": "Rome"}]}', ["Paris", "Rome"]),
        ('{"answers": [1841, null, true]}', ["1841", "true"]),
        ('Sure: {"A": {"Sufficient": "Yes", "Answer": "Paris | Rome"}, "R": "x"} done', ["Paris", "Rome"]),
        ('```json\n{"answer": "Paris"}\n```', ["Paris"]),
        ("First {Yes}. Then {Paris}.", ["Paris"]),
        ("{Paris; Rome\nOslo} and {Bern}", ["Paris", "Rome", "Oslo", "Bern"]),
        ('{{"Paris."}}', ["Paris"]),
        ("[1] says so: {Paris}", ["Paris"]),
        ("Finish[Paris | Rome]", ["Paris", "Rome"]),
        ("{}", []),
        ("{unknown}", []),
        ('{"answer": ""}', []),
        ('{"answer": null}', []),
    ],
)
def test_forms_of_a_reply(reply: str, items: list[str]) -> None:
    prediction = foreign_prediction(reply)
    assert [item.text for item in answer_items(prediction)] == items
    assert "no_parse" not in prediction.flags


@pytest.mark.parametrize("reply", ["", "   ", "It is Paris.", "{Yes}", "{Yes} but {No}", '{"reason": 1}', "{Paris"])
def test_anything_else_is_no_parse(reply: str) -> None:
    prediction = foreign_prediction(reply)
    assert prediction.items == ()
    assert "no_parse" in prediction.flags


def test_a_closed_book_reply_is_not_split_at_commas() -> None:
    assert texts("{Washington, D.C.}") == ["Washington, D.C"]
    assert texts("{Paris, Rome and Bern}") == ["Paris, Rome and Bern"]


def test_commas_split_where_the_question_has_names_of_its_own() -> None:
    assert texts("{Paris, Rome and Bern}", NAMES) == ["Paris", "Rome", "Bern"]
    assert texts("{Washington, D.C.}", NAMES) == ["Washington, D.C."]
    assert texts("{District of Columbia, Paris}", NAMES) == ["District of Columbia", "Paris"]
    assert texts("{Paris, Crosby, Stills, Nash and Young, and Rome}", NAMES) == [
        "Paris",
        "Crosby, Stills, Nash and Young",
        "Rome",
    ]
    assert texts("{5,000}", NAMES) == ["5,000"]
    assert texts("{March 4, 1841, Paris}", NAMES) == ["March 4, 1841", "Paris"]
    assert texts('["Paris, Texas"]', NAMES) == ["Paris, Texas"]


def test_the_unsplit_form_stands_beside() -> None:
    assert texts("{Paris, Rome}", NAMES, split=False) == ["Paris, Rome"]
    assert texts("{AC; DC | Oslo}", NAMES, split=False) == ["AC; DC", "Oslo"]


def test_an_unsplit_item_keeps_its_id() -> None:
    prediction = foreign_prediction("{m.07 (country, place)}", NAMES)
    assert prediction.raw == "{Georgia (country)}"
    split, unsplit = answer_items(prediction), answer_items(prediction, split=False)
    assert split == unsplit
    assert split[0].ids == ("m.07",)


def test_ids_and_names_resolve_to_the_questions_own_entities() -> None:
    prediction = foreign_prediction("{m.01 (city) | Oslo | m.06}", NAMES)
    assert [(item.kind, item.text, item.ids) for item in prediction.items] == [
        ("entity", "Washington, D.C.", ("m.01",)),
        ("text", "Oslo", ("m.02", "m.03")),
        ("entity", "m.06", ("m.06",)),
    ]
    assert "ambiguous" in prediction.flags
    assert "unknown_handle" not in prediction.flags


def test_a_handle_that_the_question_does_not_have_is_flagged_and_stays() -> None:
    prediction = foreign_prediction("{m.0zz (city)}", NAMES)
    assert [(item.text, item.ids) for item in prediction.items] == [("m.0zz (city)", ())]
    assert "unknown_handle" in prediction.flags


def test_a_name_that_holds_an_id_is_not_read_again() -> None:
    names = {"m.01": NodeNames("Route m.02"), "m.02": NodeNames("Oslo")}
    prediction = foreign_prediction("{m.01}", names)
    assert prediction.raw == "{Route m.02}"
    again = foreign_prediction(prediction.raw, {"m.01": names["m.01"]})
    assert again.items == prediction.items


def test_own_predictions_are_never_split_and_repeats_merge_in_order() -> None:
    items = (
        AnswerItem("entity", "B, C", ("m.02",)),
        AnswerItem("text", "A and D"),
        AnswerItem("entity", "another name", ("m.02",)),
        AnswerItem("text", "the a and d"),
        AnswerItem("text", "unknown"),
        AnswerItem("entity", "Unknown", ("m.03",)),
    )
    prediction = RestoredPrediction(items=items, raw="[]", entity_names=("B",))
    assert answer_items(prediction) == (items[0], items[1], items[5])
    assert answer_items(prediction, split=False) == answer_items(prediction)


def test_a_long_list_is_read_in_bounded_work() -> None:
    reply = "{" + ", ".join(f"name {number}" for number in range(3000)) + "}"
    assert len(texts(reply, NAMES)) == 3000


@given(st.text(alphabet=st.sampled_from("{}[]\"'|;,\nyesno AmDJ.0:`") | st.characters(), max_size=80))
def test_no_reply_raises(reply: str) -> None:
    for names in (None, NAMES):
        prediction = foreign_prediction(reply, names)
        answer_items(prediction)
        answer_items(prediction, split=False)
