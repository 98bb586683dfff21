"""The columns of the tables, each defined once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.report.table import Column, Kind, Part
from kgbench.scoring.metrics import METRICS
from kgbench.scoring.shares import SHARES

if TYPE_CHECKING:
    from collections.abc import Mapping


def _metric(key: str, title: str = "") -> Column:
    return Column(key, title or key, Kind.SHARE, 1, metric=METRICS[key].name)


def _cost(key: str, title: str, kind: Kind = Kind.MEAN, missing: str = "") -> Column:
    return Column(key, title, kind, -1, missing=missing, part=Part.COST)


METHOD = Column("method", "method", part=Part.LABEL)
SCENARIO = Column("scenario", "scenario", part=Part.LABEL)
MODEL = Column("model", "model", part=Part.LABEL)
LM = Column("lm", "LM", part=Part.LABEL)
N = Column("n", "n", Kind.COUNT)
HITS1 = _metric("hits1", "Hits@1 [95 %]")
P_BEST = Column("p_best", "p to best", Kind.SHARE)
GROUP = Column("group", "group")
HIT_ANY = _metric("hit_any")
F1 = _metric("f1", "F1")
TOG_LOOSE = _metric("tog_loose")
CALLS = _cost("calls", "calls")
INPUT_TOKENS = _cost("input_tokens", "tokens in")
OUTPUT_TOKENS = _cost("output_tokens", "tokens out")
TOTAL_TOKENS = _cost("total_tokens", "tokens")
USD_PER_QUESTION = _cost("usd_per_question", "USD a question", Kind.USD, "unknown")
SECONDS = _cost("seconds", "seconds", Kind.SECONDS)
LEAKS = Column("leaks", "leaks", Kind.COUNT, -1, part=Part.CHECK)
ECHOES = Column("echoes", "echoes", Kind.COUNT, -1, part=Part.CHECK)
FALLBACK_SHARE = Column("fallback_share", "fallback", Kind.SHARE, -1, part=Part.CHECK)
ERROR_RATE = Column("error_rate", "errors", Kind.SHARE, -1, part=Part.CHECK)
STATUSES = Column("statuses", "statuses", part=Part.CHECK)
MARKS = Column("marks", "marks", part=Part.CHECK)
VERSION = Column("kgbench", "kgbench", part=Part.DETAIL)
RUN = Column("run", "run", part=Part.DETAIL)
SIGNATURE = Column("signature", "signature", part=Part.DETAIL)
SOURCE = Column("source", "source", part=Part.DETAIL)

SUBSET = Column("subset", "subset", grouping=True)
"""Part of the questions, where they are split."""
GROUPING = (
    Column("dataset", "data set", grouping=True),
    Column("data", "data", grouping=True),
    Column("questions", "questions", grouping=True),
    Column("setting", "setting", grouping=True),
    Column("kg", "graph", grouping=True),
    Column("privacy", "privacy", grouping=True),
    SUBSET,
)
"""What the rows of one section of a leaderboard have in common."""
_COSTS = (CALLS, INPUT_TOKENS, OUTPUT_TOKENS, TOTAL_TOKENS, USD_PER_QUESTION)
_CHECKS = (LEAKS, ECHOES, FALLBACK_SHARE, ERROR_RATE)
_TITLED = {column.key: column for column in (HITS1, F1)}

MEASURES: Mapping[str, Column] = {
    **{name: _TITLED.get(name) or _metric(name) for name in METRICS},
    **{name: Column(name, name, Kind.SHARE, part=Part.CHECK) for name in SHARES},
    **{column.key: column for column in (*_COSTS, *_CHECKS)},
}
"""Key -> column of every number that a leaderboard can show: metrics, shares, usage and checks."""
ALL = (
    *GROUPING,
    *(METHOD, SCENARIO, MODEL, LM, N, P_BEST, GROUP),
    *MEASURES.values(),
    *(SECONDS, STATUSES, MARKS, VERSION, RUN, SIGNATURE, SOURCE),
)
"""Every column that a table of runs may have, for reading one back."""
