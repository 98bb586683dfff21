"""Words and similarity: how the reader compares a question with what a prompt shows.

Handles stand for nodes and mean nothing as words, so they are dropped from every text. A question is compared without the
words that name its topics (else every line that shows the topic looks right) and without stop words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

HANDLE = re.compile(r"\b[mg]\.[0-9a-z_]+\b")
_CAMEL_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")

STOP_WORDS = frozenset(
    """
    a about all also am an and any are as at be been being both but by can could did do does doing each for from had has
    have having he her hers him his how i if in into is it its itself may me might mine must my no nor not of off on one
    ones or other our ours out over own shall she should so some such than that the their theirs them then there these
    they this those through to too under up upon us very was we were what when where which while who whom whose why will
    with within without would you your yours
    d ll m re s t ve
    find give list many me much name named names please show tell
    """.split()
)
"""English words that carry the grammar of a question, the ends of contractions, and words that only ask for an answer."""


class Embeddings(Protocol):
    """What the reader needs of the run's embedding service: cosines rounded to 6 decimals, 0 for a blank text."""

    def similarities(self, query: str, texts: Sequence[str]) -> list[float]:
        """Cosine of a query and each text."""

    def similarity_matrix(self, queries: Sequence[str], texts: Sequence[str]) -> NDArray[np.float64]:
        """Cosines, shape [queries, texts]."""


def words(text: str) -> tuple[str, ...]:
    """Lower-case words of a text, in order: without handles, with dots, underscores, hyphens and camel case as spaces."""
    spaced = _CAMEL_HUMP.sub(" ", HANDLE.sub(" ", text))
    return tuple(_WORD.findall(spaced.casefold()))


def plain(text: str) -> str:
    """Return the words of a text joined by spaces: the form in which texts are compared."""
    return " ".join(words(text))


def content_words(text: str, mentions: Iterable[str] = ()) -> tuple[str, ...]:
    """Words of a question that say what is asked: without topic mentions and stop words, each once, in order."""
    kept = words(without_mentions(text, mentions))
    return tuple(dict.fromkeys(word for word in kept if word not in STOP_WORDS))


def without_mentions(text: str, mentions: Iterable[str]) -> str:
    """Replace every occurrence of every mention, as whole words in any letter case, by a space."""
    pattern = mention_pattern(mentions)
    return pattern.sub(" ", text) if pattern else text


def mention_pattern(mentions: Iterable[str]) -> re.Pattern[str] | None:
    """Compile a pattern that finds the mentions as whole words, longest first; None where there are none."""
    known = sorted({mention.strip() for mention in mentions} - {""}, key=lambda mention: (-len(mention), mention))
    if not known:
        return None
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, known)) + r")(?!\w)", re.IGNORECASE)


def word_similarities(rows: Sequence[str], columns: Sequence[str], embeddings: Embeddings) -> NDArray[np.float64]:
    """Cosines of single words, shape [rows, columns]; equal words have 1 even where the embedder knows neither."""
    if not rows or not columns:
        return np.zeros((len(rows), len(columns)))
    cosines = embeddings.similarity_matrix(rows, columns)
    cosines[np.array(rows)[:, None] == np.array(columns)[None, :]] = 1.0
    return cosines
