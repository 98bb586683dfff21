"""BM25 over token lists (Robertson and Zaragoza 2009), with the constants of common implementations.

What is compared is the caller's choice. Words of relation labels leave anyway; the words of names must not enter, or what
is sent depends on them.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SATURATION = 1.5
_LENGTH_WEIGHT = 0.75


def bm25_scores(query: Sequence[str], documents: Sequence[Sequence[str]]) -> list[float]:
    """Score documents against a query.

    Args:
        query: tokens; one that stands in it twice counts twice.
        documents: tokens of each document.

    Returns:
        One score a document, from 0 up; rounded to 6 decimals, so that ties are ties.
    """
    counts = [Counter(document) for document in documents]
    holding = Counter(token for count in counts for token in count)
    mean_length = sum(map(len, documents)) / len(documents) if documents else 0.0
    weights = {
        token: math.log(1 + (len(documents) - holding[token] + 0.5) / (holding[token] + 0.5)) for token in set(query)
    }

    def score(count: Counter[str], length: int) -> float:
        norm = _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length / (mean_length or 1.0))
        parts = [
            weights[token] * count[token] * (_SATURATION + 1) / (count[token] + norm) for token in query if count[token]
        ]
        return round(math.fsum(parts), 6)

    return [score(count, len(document)) for count, document in zip(counts, documents, strict=True)]
