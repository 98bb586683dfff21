"""Which known facts a thought is about: BM25 over the words of their relations.

Names never enter, whatever the scenario: which facts are sent must not depend on them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgbench.text import label_words
from kgbench_methods.common.bm25 import bm25_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.types import Triple

_WORD = re.compile(r"[^\W_]+")


def most_related(thought: str, triples: Sequence[Triple], count: int, *, by_character: bool) -> list[Triple]:
    """Return the ``count`` triples whose relations are closest to a thought, best first.

    Args:
        thought: the words to compare with.
        triples: in the order in which they were found; equal scores keep it.
        count: how many to return.
        by_character: compare the single characters of the thought, as published (quirk B1); nearly all scores then are
            equal, and what was found last comes first.
    """
    query = list(thought) if by_character else _words(thought)
    scores = bm25_scores(query, [_words(label_words(triple.relation.label)) for triple in triples])
    last_first = -1 if by_character else 1
    ranked = sorted(range(len(triples)), key=lambda place: (-scores[place], last_first * place))
    return [triples[place] for place in ranked[:count]]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
