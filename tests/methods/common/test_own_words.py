"""Words of a reply for a later prompt."""

from __future__ import annotations

import pytest

from kgbench.contracts import Reply
from kgbench_methods.common.own_words import own_words


@pytest.mark.parametrize("text", ["look at Ann", "Look  AT ann!", "Ann"])
def test_words_in_their_order_are_an_echo(text: str) -> None:
    echo = own_words(Reply("I look at Ann.", exposed=True), text)
    assert echo is not None
    assert (echo.text, echo.exposed) == (text, True)


@pytest.mark.parametrize("text", ["look at Bob", "Ann look", "", "  "])
def test_other_words_are_none(text: str) -> None:
    assert own_words(Reply("I look at Ann."), text) is None


def test_words_of_any_sample() -> None:
    assert own_words(Reply("Ann", samples=("Ann", "Bob")), "Bob") is not None


def test_a_reply_of_the_trusted_zone_gives_no_echo() -> None:
    assert own_words(Reply("Ann", local=True), "Ann") is None
