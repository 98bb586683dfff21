from __future__ import annotations

import time

import pytest

from kgbench.llm.text import Stripped, estimate_tokens, rough_tokens, strip_reasoning


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("{Paris}", Stripped("{Paris}")),
        ("  {Paris}\n", Stripped("  {Paris}\n")),
        ("", Stripped("")),
        ("<think>It is Lyon? No.</think>\n{Paris}", Stripped("{Paris}")),
        ("<THINKING>a</THINKING>{Paris}", Stripped("{Paris}")),
        ("{Paris} <think>sure?</think> yes", Stripped("{Paris}  yes")),
        ("<think>a</think>x<think>b</think>y", Stripped("xy")),
        ("It is {Lyon}, or not.</think>{Paris}", Stripped("{Paris}")),
        ("<think>a <think> b</think>{Paris}", Stripped("{Paris}")),
        ("<think>a</think></think>{Paris}", Stripped("{Paris}")),
        ("<think>it could be {Lyon}", Stripped("", cut_off=True)),
        ("{Paris}<think>or", Stripped("{Paris}", cut_off=True)),
        ("<think></think>", Stripped("")),
        ("a < b and <thinker> stays", Stripped("a < b and <thinker> stays")),
    ],
)
def test_reasoning_is_removed(reply: str, expected: Stripped) -> None:
    assert strip_reasoning(reply) == expected


def test_many_open_tags_take_linear_time() -> None:
    began = time.perf_counter()
    assert strip_reasoning("<think>" * 100_000).cut_off
    assert time.perf_counter() - began < 2.0


def test_rough_tokens_is_near_a_real_tokenizer() -> None:
    """The right numbers are those of OpenAI's cl100k_base."""
    question = "what is the name of the currency used in the country where the author of the novel was born?"
    relations = "people.person.place_of_birth; location.location.containedby; film.film.directed_by.film"
    assert rough_tokens(question) == pytest.approx(20, rel=0.2)
    assert rough_tokens(relations) == pytest.approx(20, rel=0.2)
    assert rough_tokens("") == 0
    assert rough_tokens("1") == 1


def test_rough_tokens_survives_any_text() -> None:
    assert rough_tokens("\ud800\udfff 北京 \x00") > 0


def test_estimate_counts_each_message_with_the_given_counter() -> None:
    messages = [{"role": "system", "content": "ab"}, {"role": "user", "content": "abc"}]
    assert estimate_tokens(messages, len) == 2 + 4 + 3 + 4 + 3
    assert estimate_tokens([]) == 3
