from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.report.ranking import column_ranks, holm, with_ranks
from kgbench.report.table import Column, Kind, Measured, Rank, make_table

MORE = Column("more", "more", Kind.SHARE, 1)
LESS = Column("less", "less", Kind.MEAN, -1)
NEITHER = Column("neither", "neither", Kind.SHARE)
B, S = Rank.BEST, Rank.SECOND


@pytest.mark.parametrize(
    ("column", "cells", "expected"),
    [
        (MORE, [0.1, 0.3, 0.2], {1: B, 2: S}),
        (LESS, [0.1, 0.3, 0.2], {0: B, 2: S}),
        (NEITHER, [0.1, 0.3, 0.2], {}),
        (MORE, [0.3, 0.3, 0.2], {0: B, 1: B}),
        (MORE, [0.3, 0.2, 0.2, 0.1], {0: B, 1: S, 2: S}),
        (MORE, [0.3, 0.3], {}),
        (MORE, [0.3], {}),
        (MORE, [None, 0.3, None], {}),
        (MORE, [None, 0.3, 0.0], {1: B, 2: S}),
        (LESS, [0, 5, 0], {0: B, 2: B}),
        (MORE, [Measured(0.2, 0.0, 1.0), 0.3], {1: B, 0: S}),
        (MORE, ["0.9", 0.3, 0.1], {1: B, 2: S}),
    ],
)
def test_best_and_second(column: Column, cells: list[float | None], expected: dict[int, Rank]) -> None:
    assert column_ranks(column, dict(enumerate(cells))) == expected


def test_cells_that_look_equal_are_equal() -> None:
    rows = [{"more": 0.50001}, {"more": 0.50004}, {"more": 0.1}]
    section = with_ranks(make_table((MORE,), [("", rows)]), [["a"] * 3]).sections[0]
    assert section.ranks == {(0, "more"): B, (1, "more"): B}


def test_contests_are_ranked_apart_and_no_contest_not_at_all() -> None:
    rows = [{"more": 1.0}, {"more": 0.5}, {"more": 0.4}, {"more": 0.3}, {"more": 0.2}]
    section = with_ranks(make_table((MORE,), [("", rows)]), [[None, "a", "b", "a", "b"]]).sections[0]
    assert section.ranks == {(1, "more"): B, (3, "more"): S, (2, "more"): B, (4, "more"): S}


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([], []),
        ([0.02], [0.02]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.125], [0.5, 0.25]),
        ([0.9, 0.8], [1.0, 1.0]),
    ],
)
def test_holm(p_values: list[float], adjusted: list[float]) -> None:
    assert holm(p_values) == pytest.approx(adjusted)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_and_keeps_the_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= q <= 1.0 for p, q in zip(p_values, adjusted, strict=True))
    pairs = sorted(zip(p_values, adjusted, strict=True))
    assert [q for _, q in pairs] == sorted(adjusted)
