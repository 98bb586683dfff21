"""Shares of a run beside its scores: how many questions were answered, by what, and with which marks.

``coverage`` (answered), ``abstentions`` and ``failures`` add up to 1. ``from_graph``, ``from_model`` and
``fallback_share`` add up to ``coverage``; ``hits1_graph``, ``hits1_model`` and ``hits1_fallback`` to ``hits1``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.scoring.abstention import refuses
from kgbench.scoring.metrics import EXEMPLAR_ECHO, judge
from kgbench.types import Source, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgbench.scoring.metrics import Judged
    from kgbench.types import Gold, RestoredPrediction

_SOURCE_SHARES = {Source.GRAPH: "from_graph", Source.MODEL: "from_model", Source.FALLBACK: "fallback_share"}
_FLAG_SHARES = ("no_parse", EXEMPLAR_ECHO, "unknown_handle", "truncated")
SHARES = (
    "coverage",
    "abstentions",
    "failures",
    *_SOURCE_SHARES.values(),
    *(f"hits1_{source}" for source in Source),
    *_FLAG_SHARES,
    "ambiguous",
)
"""Names of all shares."""


def shares(status: str, question: str, prediction: RestoredPrediction | None, gold: Gold) -> Mapping[str, float]:
    """Return every share's 0 or 1 for one question and trial.

    Args:
        status: how it ended; ``""`` where there is no record.
        question: the question's text.
        prediction: the prediction of a scored status, else None.
        gold: the gold record.
    """
    one = dict.fromkeys(SHARES, 0.0)
    judged = judge(question, prediction, gold) if prediction else None
    one[_outcome(status, prediction, judged)] = 1.0
    if prediction is None or judged is None:
        return one
    if one["coverage"]:
        source = answer_source(prediction, judged)
        one[_SOURCE_SHARES[source]] = 1.0
        one[f"hits1_{source}"] = float(judged.first_hits)
    for flag in _FLAG_SHARES:
        one[flag] = float(flag in prediction.flags)
    one["ambiguous"] = float(any(len(item.ids) > 1 for item in judged.items))
    return one


def answer_source(prediction: RestoredPrediction, judged: Judged) -> Source:
    """Where the first answer came from: a fallback, the graph (it stands in the evidence), or the model."""
    if prediction.source is Source.FALLBACK:
        return Source.FALLBACK
    return Source.GRAPH if judged.items[0].in_evidence else Source.MODEL


def _outcome(status: str, prediction: RestoredPrediction | None, judged: Judged | None) -> str:
    if prediction is not None and judged is not None:
        if "no_parse" in prediction.flags and not judged.items:
            return "failures"
        return "abstentions" if all(refuses(item) for item in judged.items) else "coverage"
    return "abstentions" if status == Status.NO_ANSWER else "failures"
