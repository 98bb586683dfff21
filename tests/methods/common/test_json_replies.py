from __future__ import annotations

from typing import Any

import pytest

from kgbench_methods.common.json_replies import json_list, json_lists, json_object, strings_in


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"type": "river"}', {"type": "river"}),
        ('Sure:\n```json\n{"Type": "river", "description": "water"}\n```', {"type": "river", "description": "water"}),
        ('{{"type": "river"}}', {"type": "river"}),
        ('{"a": 1} {"type": "river"}', {"type": "river"}),
        ("{'type': 'river', 'description': \"it's wet\"}", {"type": "river", "description": "it's wet"}),
        ("{type: river, description: wet}", {"type": "river", "description": "wet"}),
        ('{"type": "river", }', {"type": "river"}),
        ('{"type": "riv', {"type": "riv"}),
        ("type: river\ndescription: wet", {"type": "river", "description": "wet"}),
        ("**Type**: river", {"type": "river"}),
        ('<think>{"type": "lake"}</think>{"type": "river"}', {"type": "river"}),
        ('{"type": "\\ud800"}', {"type": "\ufffd"}),
        ('{"type": ["river", "water"]}', {"type": ["river", "water"]}),
    ],
)
def test_object(reply: str, expected: dict[str, Any]) -> None:
    assert json_object(reply, ("type", "description")) == expected


@pytest.mark.parametrize("reply", ["", "river", "I'm sorry.", "{}", "[1]", "subtype: river", "type:", "{" * 5000])
def test_no_object(reply: str) -> None:
    assert json_object(reply, ("type", "description")) is None


def test_object_without_keys_is_the_first() -> None:
    assert json_object('x {"a": 1} {"b": 2}') == {"a": 1}
    assert json_object("a: 1") is None


def test_lists_in_order_and_not_those_inside() -> None:
    assert json_lists('see [1]: ["a", ["b"]] and [x]') == ([1], ["a", ["b"]])
    assert json_list('see [1]: ["a", ["b"]] and [x]') == ["a", ["b"]]
    assert json_list("none") is None


def test_a_broken_outer_list_does_not_hide_the_inner_one() -> None:
    assert json_lists('[["a", "b"]') == (["a", "b"],)


@pytest.mark.parametrize("reply", ["[" * 20_000, '{"a":' * 20_000, "[" * 400 + "]" * 400, "[" + "9" * 6000 + "]"])
def test_hostile_nesting_and_numbers_are_no_list_of_strings(reply: str) -> None:
    assert strings_in(list(json_lists(reply))) == ()
    assert json_object(reply, ("type",)) is None


def test_strings_of_a_list() -> None:
    value = ["a", 1, None, ["b", {"score": 1, "name": "c", "why": "d"}], True, "e"]
    assert strings_in(value) == ("a", "b", "c", "e")
