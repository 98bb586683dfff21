"""What must hold on a grey print: neighbours differ in lightness, everything differs in shape."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from kgbench.report.figures.style import FILLS, HALVES, PHASES, lightness, line
from kgbench.types import Phase, Scenario

LIGHT_STEP = 9.0
"""Least difference of lightness (L*) of two areas that touch; about 2 is just visible."""


def contrast(one: str, other: str) -> float:
    """Contrast ratio of WCAG 2, from lightness."""
    bright, dark = (
        ((lightness(colour) + 16) / 116) ** 3 for colour in sorted((one, other), key=lightness, reverse=True)
    )
    return (bright + 0.05) / (dark + 0.05)


def test_lightness_is_that_of_the_standard() -> None:
    assert lightness("#000000") == pytest.approx(0, abs=1e-6)
    assert lightness("#FFFFFF") == pytest.approx(100, abs=1e-3)
    assert lightness("#777777") == pytest.approx(50.0, abs=0.3)


def test_bars_of_the_four_scenarios_differ_in_lightness_and_hatch() -> None:
    shades = [lightness(one.colour) for one in FILLS[: len(Scenario)]]
    assert shades == sorted(shades)
    assert min(light - dark for dark, light in pairwise(shades)) >= LIGHT_STEP
    assert len({one.hatch for one in FILLS}) == len(FILLS)


def test_phases_differ_in_lightness() -> None:
    shades = [lightness(PHASES[phase].colour) for phase in ("retrieval", "generation", "mixed", "local")]
    assert min(abs(one - other) for one, other in combinations(shades, 2)) >= LIGHT_STEP
    assert set(PHASES) >= {str(phase) for phase in Phase}


@pytest.mark.parametrize("one", PHASES.values())
def test_text_on_a_part_can_be_read(one: object) -> None:
    ink = {"white": "#FFFFFF"}.get(one.ink, one.ink)  # type: ignore[attr-defined]
    assert contrast(ink, one.colour) >= 4.5  # type: ignore[attr-defined]


def test_lines_differ_in_marker_and_stand_out_from_paper() -> None:
    styles = [line(slot) for slot in range(14)]
    assert len({one.marker for one in styles}) == 14
    assert len({(one.colour, one.marker, one.dashes) for one in styles}) == 14
    assert all(contrast(one.colour, "#FFFFFF") >= 2.0 for one in styles)
    assert len({one.colour for one in styles[:8]}) == 8


def test_every_scenario_fills_points_in_its_own_way() -> None:
    assert list(HALVES) == [str(scenario) for scenario in Scenario]
    assert len(set(HALVES.values())) == len(HALVES)
