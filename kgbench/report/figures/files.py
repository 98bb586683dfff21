"""Writing a figure: the pictures, and beside them their values as CSV."""

from __future__ import annotations

import csv
import io
import math
import os
from typing import TYPE_CHECKING

from kgbench.errors import PrerequisiteMissing
from kgbench.report.faces import escape_csv

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from kgbench.report.figures.picture import Mark, Panel, Picture

COLUMNS = (
    "panel",
    "model",
    "lm",
    "series",
    "tag",
    "axis",
    "x",
    "x_low",
    "x_high",
    "measure",
    "value",
    "low",
    "high",
    "n",
    "source",
    "marks",
    "run",
    "signature",
)
"""Of the CSV. An empty cell has no value; ``source`` is ``run``, or where a published value comes from."""


def to_csv(picture: Picture) -> str:
    """Return the values of a picture, one line a mark, as ``scores.json`` holds them."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for panel in picture.panels:
        for series, mark in panel.marks():
            writer.writerow(_line(panel, series.label, mark))
        for mark in panel.totals:
            writer.writerow(_line(panel, "all stages", mark))
    return buffer.getvalue()


def _line(panel: Panel, label: str, mark: Mark) -> Iterator[str]:
    run = mark.run
    found: Mapping[str, object] = {
        "panel": panel.title,
        "model": run.text("model") if run else "",
        "lm": ("yes" if run.lm else "no") if run else "",
        "series": label,
        "tag": mark.tag,
        "axis": panel.x_title,
        "x": mark.x,
        "x_low": mark.across.low,
        "x_high": mark.across.high,
        "measure": mark.measure,
        "value": mark.y.value,
        "low": mark.y.low,
        "high": mark.y.high,
        "n": mark.y.n or None,
        "source": "run" if run else mark.source,
        "marks": run.doubtful if run else "",
        "run": run.run_id if run else "",
        "signature": run.text("signature") if run else "",
    }
    return (_cell(found[column]) for column in COLUMNS)


def _cell(value: object) -> str:
    if isinstance(value, str):
        return escape_csv(value)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def write(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files by name, each whole or not at all.

    Raises:
        PrerequisiteMissing: the folder cannot be written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            path = folder / name
            part = path.with_name(f".{name}.{os.getpid()}.part")
            part.write_bytes(content)
            part.replace(path)
            written.append(path)
    except OSError as error:
        raise PrerequisiteMissing(f"cannot write to {folder}: {error.strerror}; choose another --out") from None
    return written
