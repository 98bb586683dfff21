"""Progress on standard error, of one run or of a grid: bars on a terminal, else a plain line now and then."""

from __future__ import annotations

import sys

from kgbench.cli.progress.grid import GridBars, GridLines, GridProgress
from kgbench.cli.progress.run import LiveBar, PlainLines, ProgressListener

__all__ = [
    "GridBars",
    "GridLines",
    "GridProgress",
    "LiveBar",
    "PlainLines",
    "ProgressListener",
    "grid_progress",
    "progress_listener",
]


def progress_listener() -> ProgressListener:
    """Return the listener for one run that fits standard error."""
    return ProgressListener(LiveBar() if sys.stderr.isatty() else PlainLines())


def grid_progress() -> GridProgress:
    """Return the listener for a grid that fits standard error."""
    return GridProgress(GridBars() if sys.stderr.isatty() else GridLines())
