"""Every shipped preset is a valid config of a method that exists."""

from __future__ import annotations

import pytest

from kgbench.config import build_spec, preset_names
from kgbench.run.plan import load_method


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_builds_its_method(name: str) -> None:
    spec = build_spec({}, config=name)
    method = load_method(spec.method, dict(spec.parameters))
    assert method.card.name == spec.method


def test_options_win_over_a_preset_and_assignments_stand_between() -> None:
    name = preset_names()[0]
    assert build_spec({}, config=name, assignments=["run.trials=2"]).trials == 2
    assert build_spec({"trials": 3}, config=name, assignments=["run.trials=2"]).trials == 3
