from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.scoring.foreign import foreign_prediction
from kgbench.scoring.metrics import METRICS, best_overlap
from kgbench.types import AnswerItem, Gold, GoldAnswer, NodeNames, RestoredPrediction

STRICT = ("hits1", "hits1_noalias", "hits1_nosplit", "hit_any", "precision", "recall", "f1", "em", "mid_hits1")


def entity(number: int, name: str = "") -> AnswerItem:
    return AnswerItem("entity", name or f"name {number}", (f"m.0{number}",))


def predicted(*items: AnswerItem, **more: Any) -> RestoredPrediction:
    return RestoredPrediction(items=items, raw="{" + " | ".join(item.text for item in items) + "}", **more)


def golds(*numbers: int, **more: Any) -> Gold:
    return Gold("q", tuple(GoldAnswer(id=f"m.0{number}", name=f"name {number}") for number in numbers), **more)


def value(metric: str, prediction: RestoredPrediction | None, gold: Gold, question: str = "Who?") -> float:
    return METRICS[metric].item(question, prediction, gold)["value"]


def truth(prediction: RestoredPrediction | None, gold: Gold) -> str:
    stats = METRICS["truthfulness"].item("Who?", prediction, gold)
    assert sum(stats.values()) == 1.0
    return next(kind for kind, share in stats.items() if share)


def test_every_metric_has_a_versioned_name() -> None:
    for name, metric in METRICS.items():
        assert re.fullmatch(rf"{name}@\d+", metric.name)
    assert {"hits1", "tog_loose", "tog_loose_arog", "truthfulness"} <= METRICS.keys()


def test_a_case_worked_by_hand() -> None:
    prediction, gold = predicted(entity(9), entity(1), entity(2), entity(1)), golds(1, 2, 3, 4)
    assert value("hits1", prediction, gold) == 0
    assert value("hit_any", prediction, gold) == 1
    assert value("precision", prediction, gold) == pytest.approx(2 / 3)
    assert value("recall", prediction, gold) == pytest.approx(2 / 4)
    assert value("f1", prediction, gold) == pytest.approx(4 / 7)
    assert value("em", prediction, gold) == 0
    assert value("em", predicted(entity(2), entity(1)), golds(1, 2)) == 1


def test_a_gold_matched_through_two_aliases_counts_once() -> None:
    gold = Gold("q", (GoldAnswer(name="United States", aliases=("USA",)), GoldAnswer(name="Peru")))
    prediction = predicted(AnswerItem("text", "USA"), AnswerItem("text", "United States"))
    assert value("recall", prediction, gold) == 0.5
    assert value("precision", prediction, gold) == 1


def test_repeats_of_an_id_or_a_gold_count_once() -> None:
    prediction = predicted(entity(1), entity(1, "another name"), entity(9))
    assert value("precision", prediction, golds(1, 1)) == 0.5
    assert value("recall", prediction, golds(1, 1)) == 1


def test_the_best_parse_decides_precision_recall_and_f1_and_hits_use_all_parses() -> None:
    gold = golds(1, 2, 3, 4, parses=((0, 1, 2), (3,), ()))
    prediction = predicted(entity(4), entity(9))
    overlap = best_overlap("Who?", prediction, gold)
    assert (overlap.precision, overlap.recall) == (0.5, 1.0)
    assert value("f1", prediction, gold) == pytest.approx(2 / 3)
    assert value("f1", predicted(entity(1), entity(2), entity(4)), gold) == pytest.approx(2 / 3)
    assert value("hits1", predicted(entity(1)), gold) == value("hits1", predicted(entity(4)), gold) == 1
    assert value("em", predicted(entity(4)), gold) == 1


def test_mid_hits1_shows_what_was_right_by_name_alone() -> None:
    by_name = predicted(AnswerItem("text", "name 1"))
    assert value("hits1", by_name, golds(1)) == 1
    assert value("mid_hits1", by_name, golds(1)) == 0
    assert value("mid_hits1", predicted(entity(1)), golds(1)) == 1
    metric, nameless = METRICS["mid_hits1"], Gold("q", (GoldAnswer(name="name 1"),))
    stats = [metric.item("", predicted(entity(1)), gold) for gold in (golds(1), nameless)]
    assert (metric.total(stats).value, metric.total(stats).n) == (1.0, 1)
    nothing = metric.total([metric.item("", by_name, nameless)])
    assert (nothing.value, nothing.ci, nothing.n) == (None, None, 0)


@pytest.mark.parametrize(
    ("prediction", "kind"),
    [
        (predicted(entity(9), entity(1)), "accurate"),
        (predicted(entity(9)), "hallucinated"),
        (predicted(), "missing"),
        (None, "missing"),
        (predicted(AnswerItem("text", "I don't know.")), "missing"),
        (predicted(AnswerItem("text", "Sorry, I can’t say; not enough information is given")), "missing"),
        (predicted(AnswerItem("text", "unknown")), "missing"),
        (predicted(AnswerItem("text", "I don't know"), entity(9)), "hallucinated"),
        (predicted(AnswerItem("entity", "No Answer", ("m.09",))), "hallucinated"),
    ],
)
def test_truthfulness_tells_missing_from_wrong(prediction: RestoredPrediction | None, kind: str) -> None:
    assert truth(prediction, golds(1)) == kind


def test_truthfulness_is_accurate_minus_hallucinated() -> None:
    metric = METRICS["truthfulness"]
    predictions = [predicted(entity(1)), predicted(entity(1)), predicted(entity(9)), None]
    score = metric.total([metric.item("Who?", prediction, golds(1)) for prediction in predictions])
    assert score.value == pytest.approx((2 - 1) / 4)
    assert score.n == 4


@pytest.mark.parametrize("reply", ["{}", "", "   ", "{null}", "unknown"])
def test_an_empty_answer_is_wrong_in_all_strict_metrics(reply: str) -> None:
    gold = Gold("q", (GoldAnswer(name="unknown"), GoldAnswer(name="null"), GoldAnswer(id="m.01", name="x")))
    for metric in STRICT:
        assert value(metric, foreign_prediction(reply), gold) == 0
    assert truth(foreign_prediction(reply), gold) == "missing"


@pytest.mark.parametrize("metric", [name for name in METRICS if name != "truthfulness"])
def test_no_prediction_is_a_miss_in_every_metric(metric: str) -> None:
    assert value(metric, None, golds(1)) == 0


@pytest.mark.parametrize(("gold_name", "reply"), [("Oman", "Romania"), ("Norway", "no"), ("Ian", "Italian")])
def test_a_name_inside_another_is_wrong(gold_name: str, reply: str) -> None:
    gold = Gold("q", (GoldAnswer(id="m.01", name=gold_name),))
    prediction = predicted(AnswerItem("text", reply))
    assert all(value(metric, prediction, gold) == 0 for metric in STRICT)


def test_homonyms_stay_two_and_a_name_alone_stands_for_both() -> None:
    names = {"m.01": NodeNames("Springfield"), "m.02": NodeNames("Springfield")}
    gold = Gold("q", (GoldAnswer(id="m.02", name="Springfield"),))
    by_name = foreign_prediction("{Springfield}", names)
    assert by_name.flags == ("foreign_text", "ambiguous")
    assert value("hits1", by_name, gold) == value("mid_hits1", by_name, gold) == 1
    both = predicted(entity(1, "Springfield"), entity(2, "Springfield"))
    assert value("hits1", both, gold) == 0
    assert value("precision", both, gold) == 0.5


def test_a_question_without_gold_is_always_a_miss() -> None:
    for gold in (Gold("q", ()), golds(1, flags=("no_gold",))):
        prediction = predicted(entity(1))
        for metric in METRICS.keys() - {"truthfulness"}:
            assert value(metric, prediction, gold) == 0
        assert METRICS["mid_hits1"].item("", prediction, gold)["counted"] == 0
        assert truth(prediction, gold) == "hallucinated"


def test_an_exemplar_echo_is_a_hit_in_the_raw_form_alone() -> None:
    echo = predicted(entity(1), flags=("exemplar_echo",))
    hits = {metric for metric in METRICS.keys() - {"truthfulness"} if value(metric, echo, golds(1))}
    assert hits == {"tog_loose_arog_raw"}
    assert truth(echo, golds(1)) == "hallucinated"


def test_an_unknown_or_exemplar_handle_is_a_miss() -> None:
    for handle in ("m.0zz", "m.0aeiou1 (river)"):
        prediction = predicted(AnswerItem("text", handle), entity(1), flags=("unknown_handle",))
        assert value("hits1", prediction, golds(1)) == 0
        assert value("precision", prediction, golds(1)) == 0.5


def test_only_a_flag_is_no_answer() -> None:
    prediction = foreign_prediction("{Yes} It is name 1")
    assert all(value(metric, prediction, golds(1)) == 0 for metric in (*STRICT, "tog_loose"))


def test_commas_of_a_foreign_text() -> None:
    names = {"m.01": NodeNames("name 1"), "m.02": NodeNames("name 2")}
    closed_book = foreign_prediction("{name 1, name 2}")
    assert value("hits1", closed_book, golds(1)) == 0
    grounded = foreign_prediction("{name 1, name 2}", names)
    assert value("hits1", grounded, golds(1)) == 1
    assert value("hits1_nosplit", grounded, golds(1)) == 0
    assert value("hits1_nosplit", foreign_prediction("{m.01}", names), golds(1)) == 1


def test_a_year_counts_where_the_question_asks_for_it() -> None:
    gold = Gold("q", (GoldAnswer(value="1841-03-04"),))
    prediction = predicted(AnswerItem("literal", "1841"))
    assert value("hits1", prediction, gold, "When was it?") == 0
    assert value("hits1", prediction, gold, "What year was it?") == 1


def test_scoring_twice_gives_the_same() -> None:
    item = AnswerItem("entity", "Route m.02", ("m.01",))
    for _ in range(2):
        assert value("hits1", predicted(item), golds(1)) == 1
        assert value("hits1", predicted(item), golds(2)) == 0


ITEMS = st.lists(
    st.one_of(
        st.integers(1, 6).map(entity),
        st.sampled_from(["name 1", "name 2", "5", "1841", "", "m.0zz", "unknown", "!"]).map(
            lambda text: AnswerItem("text", text)
        ),
    ),
    max_size=8,
)
GOLDS = st.lists(
    st.one_of(
        st.integers(1, 6).map(lambda number: GoldAnswer(id=f"m.0{number}", name=f"name {number}")),
        st.sampled_from(["name 1", "5", "March 4, 1841", "", "null"]).map(lambda name: GoldAnswer(name=name)),
        st.sampled_from(["5", "1841-03-04", ""]).map(lambda text: GoldAnswer(value=text)),
    ),
    max_size=6,
).map(lambda answers: Gold("q", tuple(answers)))


@given(ITEMS, GOLDS, st.booleans())
def test_every_metric_stays_in_its_bounds(items: list[AnswerItem], gold: Gold, year: bool) -> None:
    prediction = predicted(*items)
    question = "In what year?" if year else "Who?"
    for name, metric in METRICS.items():
        score = metric.total([metric.item(question, prediction, gold)])
        low = -1.0 if name == "truthfulness" else 0.0
        assert score.value is None or low <= score.value <= 1.0


@given(ITEMS, GOLDS, st.randoms(use_true_random=False))
def test_order_does_not_change_set_scores(items: list[AnswerItem], gold: Gold, random: Any) -> None:
    shuffled = random.sample(items, len(items))
    for metric in ("hit_any", "precision", "recall", "f1", "em"):
        assert value(metric, predicted(*items), gold) == value(metric, predicted(*shuffled), gold)


def test_order_changes_hits1() -> None:
    assert value("hits1", predicted(entity(1), entity(9)), golds(1)) == 1
    assert value("hits1", predicted(entity(9), entity(1)), golds(1)) == 0


@given(ITEMS, GOLDS)
def test_scores_that_imply_one_another(items: list[AnswerItem], gold: Gold) -> None:
    prediction = predicted(*items)
    assert (
        value("mid_hits1", prediction, gold) <= value("hits1", prediction, gold) <= value("hit_any", prediction, gold)
    )
    assert value("hits1_noalias", prediction, gold) <= value("hits1", prediction, gold)
    assert (value("f1", prediction, gold) > 0) == (value("hit_any", prediction, gold) == 1)


@given(GOLDS)
def test_empty_never_matches(gold: Gold) -> None:
    for text in ("", "  ", "{}", "\n"):
        for prediction in (predicted(AnswerItem("text", text)), foreign_prediction(text)):
            assert all(value(metric, prediction, gold) == 0 for metric in STRICT)


def test_constant_answers_stay_below_one_percent_under_hits1() -> None:
    metric = METRICS["hits1"]
    records = [
        Gold("q", (GoldAnswer(id=f"m.0{number}", name=f"{head}{tail} {number}"),))
        for number, (head, tail) in enumerate(
            (head, tail) for head in "abcdefghij" for tail in ("no", "a", "ya", "xor")
        )
    ]
    for reply in ("{a}", "{No}", "a", "{}", ""):
        prediction = foreign_prediction(reply)
        assert metric.total([metric.item("Who?", prediction, gold) for gold in records]).value == 0
        loose = METRICS["tog_loose"]
        if reply == "{a}":
            assert loose.total([loose.item("Who?", prediction, gold) for gold in records]).value > 0.3
