"""The columns of the tables, each defined once."""

from __future__ import annotations

from kgbench.report.table import Column, Kind

METHOD = Column("method", "method")
SCENARIO = Column("scenario", "scenario")
MODEL = Column("model", "model")
LM = Column("lm", "LM")
N = Column("n", "n", Kind.COUNT)
HITS1 = Column("hits1", "Hits@1 [95 %]", Kind.SHARE, 1)
HIT_ANY = Column("hit_any", "hit_any", Kind.SHARE, 1)
F1 = Column("f1", "F1", Kind.SHARE, 1)
TOG_LOOSE = Column("tog_loose", "tog_loose", Kind.SHARE, 1)
CALLS = Column("calls", "calls", Kind.MEAN, -1)
INPUT_TOKENS = Column("input_tokens", "tokens in", Kind.MEAN, -1)
OUTPUT_TOKENS = Column("output_tokens", "tokens out", Kind.MEAN, -1)
USD_PER_QUESTION = Column("usd_per_question", "USD a question", Kind.USD, -1, missing="unknown")
LEAKS = Column("leaks", "leaks", Kind.COUNT, -1)
ECHOES = Column("echoes", "echoes", Kind.COUNT, -1)
FALLBACK_SHARE = Column("fallback_share", "fallback", Kind.SHARE, -1)
ERROR_RATE = Column("error_rate", "errors", Kind.SHARE, -1)
STATUSES = Column("statuses", "statuses")
SECONDS = Column("seconds", "seconds", Kind.SECONDS, -1)
P_BEST = Column("p_best", "p to best", Kind.SHARE)
MARKS = Column("marks", "marks")
VERSION = Column("kgbench", "kgbench")
RUN = Column("run", "run")
SIGNATURE = Column("signature", "signature")
