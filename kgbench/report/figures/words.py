"""Foreign text in a picture: on one line, of bounded length, with no character that the font lacks."""

from __future__ import annotations

from functools import lru_cache

from kgbench.seam.render import one_line

_MOST = 44


@lru_cache(maxsize=1)
def _drawable() -> frozenset[int]:
    """Code points of the font that matplotlib ships."""
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(font_manager.findfont("DejaVu Sans")).get_charmap())


def plain(text: str, most: int = _MOST) -> str:
    """A text as it may stand in a picture: what cannot be drawn is written as its code, what is too long is cut."""
    shown = "".join(char if ord(char) in _drawable() else f"\\u{ord(char):04x}" for char in one_line(text))
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def number(value: float) -> str:
    """A number on an axis: no more digits than it needs, thousands apart."""
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"
