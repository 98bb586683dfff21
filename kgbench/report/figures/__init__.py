"""Figures, drawn from the ``scores.json`` of runs alone; beside each picture stand its values as CSV."""

from __future__ import annotations

from kgbench.report.figures.draw import FORMATS, draw
from kgbench.report.figures.picture import ReportedPoint
from kgbench.report.figures.runs import RunScores, read_scores

__all__ = ["FORMATS", "ReportedPoint", "RunScores", "draw", "read_scores"]
