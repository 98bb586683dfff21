from __future__ import annotations

import pytest

from kgbench.errors import UsageError
from kgbench.report.choice import DEFAULT, choose
from kgbench.report.columns import MEASURES
from kgbench.scoring.metrics import METRICS
from kgbench.scoring.shares import SHARES


def test_the_usual_columns() -> None:
    choice = choose()
    assert choice.measures == DEFAULT
    assert (choice.order.key, choice.tested) == ("hits1", "hits1")


def test_every_metric_and_share_can_be_a_column() -> None:
    assert {*METRICS, *SHARES} <= set(MEASURES)
    assert {column.key for column in choose("all").measures} == set(MEASURES)
    assert all(MEASURES[name].metric == metric.name for name, metric in METRICS.items())


def test_shorthands_and_repeats() -> None:
    assert [column.key for column in choose("hits1_noalias, default,f1").measures] == [
        "hits1_noalias",
        *(column.key for column in DEFAULT),
    ]


@pytest.mark.parametrize(
    ("wanted", "sort", "order", "tested"),
    [
        ("tog_loose_arog,calls", None, "tog_loose_arog", "tog_loose_arog"),
        ("f1,hits1", None, "hits1", "hits1"),
        ("calls,leaks", None, "calls", None),
        ("hits1,f1", "f1", "f1", "f1"),
        ("hits1,calls", "calls", "calls", "hits1"),
        ("calls", "em", "em", "em"),
        (None, "method", "method", "hits1"),
        (None, "n", "n", "hits1"),
    ],
)
def test_what_decides_the_order_and_what_is_tested(
    wanted: str | None, sort: str | None, order: str, tested: str | None
) -> None:
    choice = choose(wanted, sort)
    assert (choice.order.key, choice.tested) == (order, tested)


@pytest.mark.parametrize(
    ("wanted", "sort", "expected"),
    [
        ("hits", None, r'--columns: there is no column "hits"; did you mean hits1'),
        (None, "hit1", r'--sort: there is no column "hit1"; did you mean hits1'),
        (" , ", None, "--columns: names no column"),
    ],
)
def test_unknown_columns_are_named(wanted: str | None, sort: str | None, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        choose(wanted, sort)


def test_columns_that_reported_rows_need_are_added() -> None:
    assert [column.key for column in choose("hits1", also=("tog_loose_arog", "calls")).measures] == [
        "hits1",
        "tog_loose_arog",
        "calls",
    ]
