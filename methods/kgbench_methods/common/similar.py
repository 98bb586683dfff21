"""Local choice by similarity: only words that leave anyway are compared, such as the question and relation labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context
    from kgbench.types import Relation


def similarities(ctx: Context, query: object, items: Sequence[object]) -> list[float]:
    """Cosine of a query and each item, rounded to 6 decimals before anything is ranked by it."""
    if not items:
        return []
    vectors = ctx.embed([query, *items]).astype(np.float64)
    values: list[float] = np.round(vectors[1:] @ vectors[0], 6).tolist()
    return values


def most_similar(ctx: Context, query: str, relations: Sequence[Relation], count: int) -> list[Relation]:
    """The ``count`` relations whose labels are closest to a text, best first; ties go by label.

    Where there are no more than that, all of them as given.
    """
    if len(relations) <= count:
        return list(relations)
    scores = similarities(ctx, query, relations)
    ranked = sorted(zip(scores, relations, strict=True), key=lambda pair: (-pair[0], pair[1].label, pair[1].id))
    return [relation for _, relation in ranked[:count]]
