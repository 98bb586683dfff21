from __future__ import annotations

import pytest

from kgbench_methods.common.json_replies import json_objects


@pytest.mark.parametrize(
    ("reply", "objects"),
    [
        ('{"x": 1} and {"y": {"z": 2}}', ({"x": 1}, {"y": {"z": 2}})),
        ('{{"x": 1}}', ({"x": 1},)),
        ('[{"x": 1}] <think>{"y": 2}</think>', ({"x": 1},)),
        ('{"x": 1', ()),
        ("{'x': 1}", ()),
        ("", ()),
        ('{"x": "\\ud800"}', ({"x": "\ufffd"},)),
    ],
)
def test_objects_in_order_and_none_inside_another(reply: str, objects: tuple[dict[str, object], ...]) -> None:
    assert json_objects(reply) == objects
