"""The knobs of GoG: what each choice of profile, quirks and rules switches on, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from kgbench.config import method_parameters
from kgbench.errors import UsageError
from kgbench_methods.gog.method import CARD, expected_calls
from kgbench_methods.gog.parameters import GogParameters
from kgbench_methods.gog.quirks import MID_RULES, QUIRKS

REFUSED = {"B9", "B11", "B12"}
NUMBERED = {"G1", "G2", "G3", *(f"B{number}" for number in range(1, 15))}


def made(**values: Any) -> GogParameters:
    parameters = method_parameters(GogParameters, values, "gog")
    assert isinstance(parameters, GogParameters)
    return parameters


def test_every_numbered_quirk_has_its_id() -> None:
    assert {quirk.id for quirk in QUIRKS} >= NUMBERED
    assert {quirk.id for quirk in QUIRKS if quirk.refused} == REFUSED


def test_profiles() -> None:
    assert made().active == frozenset()
    official = made(profile="official")
    assert official.active == {quirk.id for quirk in QUIRKS} - REFUSED - {"B13"}
    assert (official.largest_prompt, official.memory_tries) == (4096, 5)
    assert (made().largest_prompt, made().memory_tries) == (None, 2)
    assert made(profile="official", prompt_limit=9000).largest_prompt == 9000


@pytest.mark.parametrize("quirk", sorted(NUMBERED - REFUSED))
def test_a_quirk_goes_on_and_off_by_its_id(quirk: str) -> None:
    assert made(quirks=[quirk]).active == {quirk}
    assert quirk not in made(profile="official", quirks=[f"-{quirk}"]).active


@pytest.mark.parametrize("quirk", sorted(REFUSED))
def test_quirks_that_are_the_harness_s_are_refused_with_a_reason(quirk: str) -> None:
    with pytest.raises(UsageError, match=f"refuses quirk {quirk}: .*(names|runs|score)"):
        made(quirks=[quirk])


def test_rules_for_ids() -> None:
    rules = set(MID_RULES)
    assert made(mid_rules="naive").active == rules
    assert made(mid_rules="naive", quirks=["-G1"]).active == rules - {"G1"}
    assert made(mid_rules="aware", profile="official").active.isdisjoint(rules)
    assert made(mid_rules="aware", quirks=["G3"]).active == {"G3"}
    assert made(profile="official").active >= rules


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": 0},
        {"steps": 11},
        {"sc_num": 0},
        {"sc_num": 21},
        {"expansions": 0},
        {"relation_width": 0},
        {"relation_width": 1000},
        {"most_searched": 0},
        {"temperature": 2.5},
        {"prompt_limit": 0},
        {"incomplete": 1.0},
        {"incomplete": -0.1},
        {"quirks": ["B99"]},
        {"quirks": ["B1", "-B1"]},
        {"profile": "paper"},
        {"mid_rules": "auto"},
    ],
)
def test_wrong_values_end_before_the_first_call(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="method"):
        made(**wrong)


def test_announced_calls() -> None:
    assert CARD.expected_calls is expected_calls
    assert expected_calls(made()) == (6.0, 6 * 31 + 2.0)
    assert expected_calls(made(mid_rules="naive"))[0] == 13.0
    assert expected_calls(made(steps=1, most_searched=1, sc_num=5)) == (6.0, 9.0)
