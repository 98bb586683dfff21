from __future__ import annotations

import pytest
from fake_context import FakeContext

from kgbench.errors import PromptTooLong
from kgbench_methods.common.evidence import ask_within_window, distinct, newest


def test_distinct_keeps_the_first_of_each() -> None:
    assert distinct("abcab") == ["a", "b", "c"]


def test_newest_keeps_the_last() -> None:
    assert newest([1, 2, 3, 4, 5], 2) == [4, 5]


def ask_at_most(most: int):  # type: ignore[no-untyped-def]
    def ask(items):  # type: ignore[no-untyped-def]
        if len(items) > most:
            raise PromptTooLong("too long")
        return list(items)

    return ask


@pytest.mark.parametrize(
    ("most", "left", "cuts"), [(9, [1, 2, 3, 4, 5, 6, 7], 0), (6, [5, 6, 7], 1), (2, [7], 2), (1, [7], 2)]
)
def test_the_newest_half_is_asked_over_until_it_fits(most: int, left: list[int], cuts: int) -> None:
    ctx = FakeContext([])
    assert ask_within_window([1, 2, 3, 4, 5, 6, 7], ask_at_most(most), ctx) == left
    assert ctx.notes["prompt_cut"] == cuts


def test_what_stays_can_be_chosen() -> None:
    oldest = lambda items, count: items[:count]  # noqa: E731
    assert ask_within_window([1, 2, 3, 4], ask_at_most(2), FakeContext([]), oldest) == [1, 2]


def test_a_prompt_that_never_fits_is_too_long() -> None:
    with pytest.raises(PromptTooLong):
        ask_within_window([1, 2, 3], ask_at_most(0), FakeContext([]))
    with pytest.raises(PromptTooLong):
        ask_within_window([], ask_at_most(-1), FakeContext([]))
