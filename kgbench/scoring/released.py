"""The evaluators that GoG and Plan-on-Graph released, for reading their result files; never a column of a run.

Both match substrings in both directions, and so count an empty answer as right.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kgbench.scoring.loose import substring_match

if TYPE_CHECKING:
    from collections.abc import Sequence

_ANSWER = re.compile(r'"Answer":\s*"([^"]*)"')
_LIST = re.compile(r"\[([^\[\]]*)\]")


def gog_hit(prediction: Sequence[str], golds: Sequence[str]) -> bool:
    """GoG: the answers joined by spaces, lower case, spaces kept; a gold inside or around them."""
    candidate = " ".join(prediction).lower()
    return any(candidate in gold.lower() or gold.lower() in candidate for gold in golds)


def pog_hit(results: str, golds: Sequence[str]) -> bool:
    """Plan-on-Graph: the ``Answer`` of the reply's JSON, a list as one text, then ToG's match.

    Where nothing can be read the released code takes the answer of the question before; here it is a miss.
    """
    return any(substring_match(candidate, gold) for candidate in _pog_candidates(results) for gold in golds)


def _pog_candidates(results: str) -> list[str]:
    answer = _answer_in_json(results)
    if answer is not None:
        return [str(answer)]
    quoted = _ANSWER.findall(results)
    if quoted:
        return [quoted[-1]]
    lists = _LIST.findall(results)
    return [part.strip(" \"'") for part in lists[-1].split(",")] if lists else []


def _answer_in_json(results: str) -> Any:
    try:
        record, _ = json.JSONDecoder().raw_decode(results, max(results.find("{"), 0))
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    inner = record.get("A")
    return inner.get("Answer") if isinstance(inner, dict) else record.get("Answer")
