"""Which columns a leaderboard shows, which one decides the order, and which metric is tested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.errors import UsageError
from kgbench.registry import unknown
from kgbench.report import columns as c
from kgbench.report.table import Column, Part
from kgbench.scoring.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DEFAULT = (
    c.HITS1,
    c.HIT_ANY,
    c.F1,
    c.TOG_LOOSE,
    c.CALLS,
    c.INPUT_TOKENS,
    c.OUTPUT_TOKENS,
    c.USD_PER_QUESTION,
    c.LEAKS,
    c.ECHOES,
    c.FALLBACK_SHARE,
    c.ERROR_RATE,
)
"""Measures that a leaderboard shows unless others are asked for."""
_SHORTHANDS = {"default": tuple(column.key for column in DEFAULT), "all": tuple(c.MEASURES)}
_LABELS = {column.key: column for column in (c.METHOD, c.SCENARIO, c.MODEL, c.LM, c.N)}


@dataclass(frozen=True)
class Choice:
    """The columns of a leaderboard; see :func:`choose`."""

    measures: tuple[Column, ...]
    order: Column
    """Decides the order of rows."""
    tested: str | None
    """Metric of the paired tests; None where no metric is shown."""

    def columns(self, *, ours: bool, reported: bool) -> tuple[Column, ...]:
        """All columns in the order shown.

        Args:
            ours: whether there are rows of runs.
            reported: whether there are reported rows, which have a source in place of a run.
        """
        shown: list[Column] = [*c.GROUPING, c.METHOD, c.SCENARIO, c.MODEL, c.LM, c.N]
        for column in sorted(self.measures, key=lambda measure: _PARTS.index(measure.part)):
            shown.append(column)
            if column.key == self.tested:
                shown += [c.P_BEST, c.GROUP]
        run = [c.VERSION, c.RUN, c.SIGNATURE] if ours else []
        return (*shown, c.MARKS, *run, *([c.SOURCE] if reported else []))


_PARTS = list(Part)


def choose(wanted: str | None = None, sort: str | None = None, also: Iterable[str] = ()) -> Choice:
    """Choose columns.

    Args:
        wanted: keys of measures, separated by commas; ``default`` and ``all`` stand for several. None: the default.
        sort: key of the column that decides the order; by default the first metric shown, Hits@1 before others.
        also: keys that are shown whatever is wanted, such as those that reported rows have.

    Raises:
        UsageError: there is no such column (with the nearest ones).
    """
    keys = list(dict.fromkeys([*_expanded(wanted or "default"), *also]))
    if sort is not None and sort not in keys:
        _require(sort, {**c.MEASURES, **_LABELS}, "--sort")
        keys += [sort] if sort in c.MEASURES else []
    measures = tuple(c.MEASURES[key] for key in keys)
    tested = _tested(keys, sort)
    order = {**c.MEASURES, **_LABELS}[sort or tested or keys[0]]
    return Choice(measures, order, tested)


def _expanded(wanted: str) -> list[str]:
    keys = [key.strip() for key in wanted.split(",") if key.strip()]
    if not keys:
        raise UsageError("--columns: names no column; leave it out for the usual ones")
    found: list[str] = []
    for key in keys:
        if key not in _SHORTHANDS:
            _require(key, c.MEASURES, "--columns", also=_SHORTHANDS)
        found += _SHORTHANDS.get(key, (key,))
    return found


def _require(key: str, known: Iterable[str], option: str, also: Iterable[str] = ()) -> None:
    options = [*known, *also]
    if key not in options:
        raise UsageError(f"{option}: {unknown('column', key, options)}")


def _tested(keys: Sequence[str], sort: str | None) -> str | None:
    metrics = [key for key in keys if key in METRICS]
    if sort in metrics:
        return sort
    return c.HITS1.key if c.HITS1.key in metrics else next(iter(metrics), None)
