"""Colours, markers and hatches: told apart by colour-blind readers, and by everybody on a grey print."""

from __future__ import annotations

from typing import NamedTuple

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
"""The palette of Okabe and Ito, "Color Universal Design" (2008)."""
GREY, PALE, INK = "#767676", "#E4E4E4", "#222222"


class Fill(NamedTuple):
    """How a bar is filled."""

    colour: str
    hatch: str
    ink: str
    """Colour of text on it."""


class Line(NamedTuple):
    """How a series of points or a line is drawn."""

    colour: str
    marker: str
    dashes: str


FILLS = (
    Fill(BLUE, "", "white"),
    Fill(GREEN, "///", INK),
    Fill(ORANGE, "\\\\\\", INK),
    Fill(YELLOW, "...", INK),
    Fill(PURPLE, "xxx", INK),
    Fill(PALE, "---", INK),
)
"""Of bars in one group, from dark to light: each differs from its neighbours in lightness and in hatch."""
PHASES = {
    "retrieval": Fill(BLUE, "", "white"),
    "generation": Fill(YELLOW, "", INK),
    "mixed": Fill(ORANGE, "", INK),
    "setup": Fill(PURPLE, "", INK),
    "local": Fill("#FFFFFF", "", INK),
    "any": Fill(PALE, "", INK),
}
"""Of the parts of a stacked bar, by phase."""
_COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, BLACK, GREY)
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p", "<", "h", ">", "*", "d", "8")
_DASHES = ("-", "--", "-.", ":")
REPORTED = (0, (4, 3))
"""Dashes of published values."""
HALVES = {"private": "full", "p-r": "left", "p-g": "right", "p-rag": "none"}
"""How a point is filled by scenario: the fuller, the more is hidden."""


def fill(slot: int) -> Fill:
    """The fill of a bar."""
    return FILLS[slot % len(FILLS)]


def line(slot: int) -> Line:
    """Colour, marker and dashes of a series; the marker alone tells up to 14 apart, whatever the colour."""
    return Line(_COLOURS[slot % len(_COLOURS)], _MARKERS[slot % len(_MARKERS)], _DASHES[slot % len(_DASHES)])


def lightness(colour: str) -> float:
    """CIE L* of a colour ``#RRGGBB``, 0 (black) to 100 (white): what is left of it on a grey print."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * luminance ** (1 / 3) - 16 if luminance > 216 / 24389 else luminance * 24389 / 27
