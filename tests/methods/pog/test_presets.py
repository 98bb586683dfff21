"""The shipped presets, and what the card announces."""

from __future__ import annotations

import math
import tomllib
from importlib.resources import files
from typing import Any

import pytest

from kgbench.config import build_spec, method_parameters, preset_names
from kgbench.errors import UsageError
from kgbench_methods.pog.method import CARD, expected_calls
from kgbench_methods.pog.parameters import PogParameters

PRESETS = [name for name in preset_names() if name == "pog" or name.startswith("pog-")]


def parameters_of(preset: str) -> PogParameters:
    spec = build_spec({}, config=preset)
    assert spec.method == "pog"
    built: PogParameters = method_parameters(PogParameters, spec.parameters, "pog")
    return built


def test_the_presets_are_those_of_the_page() -> None:
    assert PRESETS == ["pog-arog", "pog-naive", "pog-repo"]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_spells_out_what_it_stands_for(preset: str) -> None:
    text = files("kgbench_configs").joinpath("methods", f"{preset}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)["method"]
    assert {"name", "profile", "depth", "temperature", "max_tokens"} <= set(table)
    assert text.startswith("# ")


def test_the_repository() -> None:
    repo = parameters_of("pog-repo")
    assert (repo.profile, repo.depth, repo.max_tokens, repo.temperature) == ("official", 4, 4096, 0.3)
    defaults = PogParameters()
    assert (defaults.depth, defaults.max_tokens, defaults.temperature) == (4, 4096, 0.3)
    assert {"P1", "P2", "P3"} <= repo.active


def test_the_arog_paper() -> None:
    arog = parameters_of("pog-arog")
    assert (arog.profile, arog.depth, arog.max_tokens, arog.temperature) == ("official", 3, 256, 0.3)
    assert build_spec({}, config="pog-arog").topic_names == "label"


def test_naive_rules_alone() -> None:
    naive = parameters_of("pog-naive")
    assert naive.profile == "clean"
    assert naive.active == PogParameters().active | {"P1", "P2", "P3"}


@pytest.mark.parametrize(
    "given",
    [
        {"depth": 0},
        {"temperature": 3.0},
        {"max_corrections": -1},
        {"max_calls_per_question": 3},
        {"sample": 0},
        {"profile": "paper"},
        {"mid_rules": "none"},
        {"quirks": ["B3"]},
        {"width": 3},
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        method_parameters(PogParameters, given, "pog")


@pytest.mark.parametrize(("depth", "largest"), [(1, 10), (2, 50), (4, 3298)])
def test_announced_calls(depth: int, largest: float) -> None:
    typical, most = expected_calls(PogParameters(depth=depth))
    # Two calls around the search; a depth of f entities with three relations each costs f + 3 f + 4.
    assert most == largest
    assert 4 <= typical <= most
    assert math.isfinite(most)


def test_the_card() -> None:
    assert CARD.name == "pog"
    assert CARD.parameters is PogParameters
    assert CARD.uses_graph
    assert CARD.uses_embedder
