from __future__ import annotations

import pytest

from kgbench.errors import UsageError
from kgbench_methods.tog.method import expected_calls
from kgbench_methods.tog.parameters import QUIRKS, TogParameters

NUMBERED = {f"Q{number}" for number in range(1, 16)}
NEVER = {"Q11"}
OTHER_DATA = {"Q15"}


def test_every_numbered_fault_has_a_quirk() -> None:
    assert {quirk.id for quirk in QUIRKS if quirk.id.startswith("Q")} == NUMBERED
    assert len({quirk.id for quirk in QUIRKS}) == len(QUIRKS)


def test_official_has_what_the_published_code_does() -> None:
    active = TogParameters(profile="official").active
    assert active & NUMBERED == NUMBERED - NEVER - OTHER_DATA
    assert active == {quirk.id for quirk in QUIRKS} - NEVER - OTHER_DATA


def test_clean_has_only_what_is_no_fault() -> None:
    assert TogParameters().active == {"Q6"}


@pytest.mark.parametrize("quirk", [quirk.id for quirk in QUIRKS if quirk.id not in NEVER])
def test_each_quirk_can_be_switched_on_and_off(quirk: str) -> None:
    assert TogParameters(quirks=(quirk,)).active == {"Q6", quirk}
    assert quirk not in TogParameters(profile="official", quirks=(f"-{quirk}",)).active


def test_a_quirk_that_makes_runs_unrepeatable_is_refused_with_the_reason() -> None:
    with pytest.raises(UsageError, match=r"refuses quirk Q11: an unseeded sample .* neither repeated nor resumed"):
        TogParameters(quirks=("Q11",))


@pytest.mark.parametrize(
    ("quirks", "said"), [(("Q16",), "no quirk Q16"), (("-q1",), "no quirk q1"), (("Q1", "-Q1"), "on and off at once")]
)
def test_wrong_quirks_are_refused(quirks: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        TogParameters(quirks=quirks)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"width": 0}, "at least 1"),
        ({"depth": 0}, "at least 1"),
        ({"max_rel": 0}, "at least 1"),
        ({"sample_size": 0}, "at least 1"),
        ({"explore_temperature": 2.5}, "between 0 and 2"),
        ({"rank_names": True, "pruner": "bm25"}, "a method never holds a name"),
        ({"rank_names": True}, "needs pruner=embedding"),
    ],
)
def test_wrong_values_are_refused(values: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        TogParameters(**values)  # type: ignore[arg-type]


def test_defaults_follow_the_profile_and_the_quirks() -> None:
    assert (TogParameters().most_labels, TogParameters(profile="official").most_labels) == (3, None)
    assert TogParameters(profile="official", max_rel=2).most_labels == 2
    assert (TogParameters().sampled, TogParameters(quirks=("Q15",)).sampled) == (5, 10)
    assert TogParameters(quirks=("Q15",), sample_size=4).sampled == 4


def test_the_largest_number_of_calls_is_the_formula_of_the_method() -> None:
    official = (1 + 3 + 1) + 2 * (3 + 9 + 1) + 1
    both_directions = (1 + 6 + 1) + 2 * (3 + 18 + 1) + 1
    assert expected_calls(TogParameters(profile="official"))[1] == official == 32
    assert expected_calls(TogParameters())[1] == both_directions == 53
    assert expected_calls(TogParameters(pruner="bm25"))[1] == 4
    for width in (1, 2, 3, 4):
        for depth in (1, 2, 3, 4):
            typical, largest = expected_calls(TogParameters(width=width, depth=depth))
            assert 2 <= typical <= largest
