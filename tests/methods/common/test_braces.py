from __future__ import annotations

import pytest

from kgbench_methods.common.braces import Braced, parse_braced


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("{A}", Braced(("A",))),
        ("It is {A}, so the answer is {B}.", Braced(("A", "B"))),
        ("{{A}}", Braced(("A",))),
        ("{{{A}}", Braced(("A",))),
        ("{A", Braced(("A",), truncated=True)),
        ("}{A}", Braced(("A",))),
        ("}{A", Braced(("A",), truncated=True)),
        ("{", Braced(("",), truncated=True)),
        ("{}", Braced(("",))),
        ("A}", Braced()),
        ("no braces", Braced()),
        ("", Braced()),
        ("{two\nlines}", Braced(("two\nlines",))),
        (r"\boxed{\text{A}}", Braced(("A",))),
    ],
)
def test_groups(reply: str, expected: Braced) -> None:
    assert parse_braced(reply) == expected


@pytest.mark.parametrize(
    ("reply", "groups"),
    [
        ("<think>{Rome}?</think>{Paris}", ("Paris",)),
        ("<THINK>{Rome}?</THINK>{Paris}", ("Paris",)),
        ("{Rome}?</think>{Paris}", ("Paris",)),
        ("{Paris}<think>{Rome}", ("Paris",)),
        ("<think>{Rome}", ()),
        ("<think>a<think>{Rome}</think>b</think>{Paris}", ("Paris",)),
        ("<think>{Rome}</think>{Paris}<think>{Oslo}</think>", ("Paris",)),
        ("{Paris}<think>{Rome}</think>{Oslo}</think>", ("Paris",)),
        ("{a < b}", ("a < b",)),
    ],
)
def test_reasoning_is_never_an_answer(reply: str, groups: tuple[str, ...]) -> None:
    assert parse_braced(reply).groups == groups
