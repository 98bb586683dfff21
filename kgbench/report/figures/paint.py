"""Painting a picture with matplotlib. The same picture gives the same bytes: own settings, own font, no dates."""

from __future__ import annotations

import io
import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgbench.errors import MissingExtra
from kgbench.report.figures.panels import paint_panel
from kgbench.report.figures.picture import Kind
from kgbench.report.figures.style import GREY, HALVES, INK, PHASES, REPORTED, fill, line
from kgbench.report.figures.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kgbench.report.figures.picture import Panel, Picture

_SETTINGS: Mapping[str, Any] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib: the same on every machine
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.linewidth": 0.7,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "text.parse_math": False,  # a name with dollar signs is a name
    "text.usetex": False,
    "axes.unicode_minus": False,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "kgbench",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "figure.dpi": 100,
    "savefig.dpi": 200,
}
_METADATA: Mapping[str, Mapping[str, str | None]] = {
    "png": {"Software": "kgbench"},
    "svg": {"Date": None, "Creator": "kgbench"},
    "pdf": {"CreationDate": None, "Creator": "kgbench", "Producer": "kgbench"},
}
_WIDE, _NARROW = 7.2, 3.5
"""Inches: two columns of a journal, and one."""
_CAPTION_CHARACTERS = 20
"""An inch."""
_CAPTION_SIZE = 6.5
_LEGEND_CHARACTERS = 17
"""An inch."""
_LEGEND_COLUMNS = 8
_LEGEND_ROW = 0.17
"""Inches."""
_FEW_BARS = 8


def require_matplotlib() -> None:
    """Make sure that figures can be drawn.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        import matplotlib.figure
    except ImportError:
        raise MissingExtra("figures", "kgbench figures") from None
    del matplotlib


def paint(picture: Picture, formats: Sequence[str]) -> dict[str, bytes]:
    """Paint a picture.

    Args:
        picture: what to show.
        formats: of ``png``, ``svg`` and ``pdf``.

    Returns:
        The content of the file of each format.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    require_matplotlib()
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with mpl.rc_context():
        mpl.rcdefaults()  # whatever the user's own settings are
        mpl.rcParams.update(_SETTINGS)
        rows = math.ceil(len(picture.panels) / picture.columns)
        width = _NARROW if _is_small(picture) else _WIDE
        caption = _caption(picture.caption, width)
        legend = _Legend(list(_entries(picture)), width)
        height = rows * _row_height(picture) + legend.height + 0.25 + 0.125 * len(caption)
        layout = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.05, wspace=0.04, hspace=0.06)
        figure: Any = Figure(figsize=(width, height), layout=layout)
        axes = figure.subplots(rows, picture.columns, squeeze=False).flatten()
        for number, (axis, panel) in enumerate(zip(axes, picture.panels, strict=False)):
            beside = picture.panels[number - 1] if number % picture.columns else None
            paint_panel(axis, picture.kind, panel, limits=_limits(picture, panel), titled=not _alike(panel, beside))
        for axis in axes[len(picture.panels) :]:
            axis.remove()
        legend.add_to(figure, lines=picture.kind is Kind.LINES)
        figure.supxlabel("\n".join(caption), x=0.01, ha="left", fontsize=_CAPTION_SIZE, color=INK, linespacing=1.25)
        return {form: _bytes(figure, form) for form in formats}


def _bytes(figure: Any, form: str) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, metadata=dict(_METADATA[form]))
    return buffer.getvalue()


def _row_height(picture: Picture) -> float:
    if picture.kind is Kind.STACK:
        return 0.9 + 0.27 * max(len(panel.categories) for panel in picture.panels)
    return 2.5


def _is_small(picture: Picture) -> bool:
    """True where one column of a journal is enough: a few bars."""
    bars = sum(len(panel.categories) * len(panel.series) for panel in picture.panels)
    return picture.kind is Kind.BARS and len(picture.panels) == 1 and bars <= _FEW_BARS


def _caption(lines: Iterable[str], width: float) -> list[str]:
    wrapped: list[str] = []
    for text in lines:
        wrapped += textwrap.wrap(plain(text, most=2_000), int(width * _CAPTION_CHARACTERS))
    return wrapped


def _alike(panel: Panel, other: Panel | None) -> bool:
    """True for panels of the same runs."""
    return other is not None and (panel.title, panel.subtitle) == (other.title, other.subtitle)


def _limits(picture: Picture, panel: Panel) -> tuple[float, float]:
    """Ends of the axis of accuracy, alike in panels of the same runs."""
    values = [mark.y for other in picture.panels if _alike(panel, other) for _, mark in other.marks()]
    ends = [end for value in values for end in (value.value, value.low, value.high) if end is not None]
    lowest, highest = min([0.0, *ends]), max([0.05, *ends])
    room = 0.06 * (highest - lowest)
    hangs = picture.kind in (Kind.LINES, Kind.POINTS)  # a mark at 0 is drawn whole
    return lowest - room * (hangs or lowest < 0), highest + room


# --- the legend --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Legend:
    """What the marks of a picture mean, above its panels; the picture grows by its height."""

    entries: Sequence[tuple[Any, str]]
    """Handle of matplotlib and label."""
    width: float
    """Of the picture, in inches."""

    @property
    def columns(self) -> int:
        """As many as the longest label leaves room for."""
        longest = max((len(label) for _, label in self.entries), default=0)
        return max(1, min(len(self.entries), _LEGEND_COLUMNS, int(self.width * _LEGEND_CHARACTERS) // (longest + 6)))

    @property
    def height(self) -> float:
        """Inches."""
        return _LEGEND_ROW * math.ceil(len(self.entries) / self.columns)

    def add_to(self, figure: Any, *, lines: bool) -> None:
        """Put the legend into a figure of matplotlib; ``lines`` need longer handles."""
        if not self.entries:
            return
        legend = figure.legend(
            handles=[handle for handle, _ in self.entries],
            labels=[str(number) for number in range(len(self.entries))],
            loc="outside upper left",
            ncols=self.columns,
            frameon=False,
            handlelength=3.4 if lines else 2.0,
            columnspacing=1.4,
        )
        for text, (_, label) in zip(legend.get_texts(), self.entries, strict=True):
            text.set_text(label)  # set afterwards: matplotlib drops labels that begin with an underscore


def _entries(picture: Picture) -> Iterator[tuple[Any, str]]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    if picture.kind is Kind.STACK:
        for phase in picture.tags:
            yield Patch(facecolor=PHASES[phase].colour, edgecolor=INK, linewidth=0.6), f"{phase} phase"
        return
    series = {one.label: one.slot for panel in picture.panels for one in (*panel.series, *panel.reported)}
    for label, slot in sorted(series.items(), key=lambda entry: entry[1]):
        if picture.kind is Kind.BARS:
            style = fill(slot)
            yield Patch(facecolor=style.colour, hatch=style.hatch, edgecolor=INK, linewidth=0.6), plain(label)
        else:
            drawn = line(slot)
            dashes = drawn.dashes if picture.kind is Kind.LINES else ""
            yield Line2D([], [], color=drawn.colour, marker=drawn.marker, linestyle=dashes, markersize=5), plain(label)
    for tag in picture.tags:
        yield (
            Line2D(
                [], [], color=GREY, marker="o", linestyle="", markersize=6, fillstyle=HALVES.get(tag, "full"),
                markerfacecoloralt="white", markeredgecolor=INK,
            ),
            tag,
        )  # fmt: skip
    if any(panel.reported for panel in picture.panels):
        if picture.kind is Kind.BARS:
            yield Patch(facecolor="none", edgecolor=INK, linestyle="--", linewidth=1), "reported"
        else:
            yield Line2D([], [], color=INK, linestyle=REPORTED, marker="o", fillstyle="none", linewidth=1), "reported"
