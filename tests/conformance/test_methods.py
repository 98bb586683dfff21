"""Every method of this distribution passes every check."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from kgbench import registry
from kgbench.testing import CheckResult, check_method
from kgbench.testing.conformance import check_names

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
OWN = tuple(
    name
    for name, plugins in registry.plugins("methods").items()
    if any(plugin.distribution == "kgbench" for plugin in plugins)
)

checked = cache(check_method)


def failures(results: list[CheckResult]) -> list[str]:
    return [f"{result.name}: {result.detail}" for result in results if not result.passed]


@pytest.mark.parametrize("name", OWN)
def test_method_conforms(name: str) -> None:
    results = checked(name)
    assert failures(results) == []
    assert [result.name for result in results] == ["the method can be built", *check_names()]


def test_every_entry_point_is_covered() -> None:
    declared = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["entry-points"]["kgbench.methods"]
    assert sorted(declared) == sorted(OWN), "reinstall kgbench: the entry points are not those of pyproject.toml"
    assert {"io", "cot", "cot-sc", "arog"} <= set(OWN)


def test_an_unknown_method_is_one_failed_check() -> None:
    (result,) = check_method("arogg")
    assert not result.passed
    assert "arog" in result.detail
