"""Text rules that several layers must share: the strict normaliser, label words, stop words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_DASHES = re.compile(r"[\-‐‑‒–—―−]")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS = re.compile(r"[._\-/#:|\s]+")

STOP_WORDS = frozenset(
    """a about after all also an and any are as at be been before being between both but by can could did do does during
    each either every for from had has have having he her here him his how i if in into is it its itself many may me might
    more most much must my no nor not of off on once one or other our out over own same shall she should so some such than
    that the their them then there these they this those through to too under until up upon us was we were what when where
    which while who whom whose why will with would you your""".split()
)
"""English function words: they carry no content of a question."""


@lru_cache(maxsize=100_000)
def norm(text: str) -> str:
    """Normalise a text for strict comparison.

    NFKD, combining marks dropped, casefold, dashes to spaces, other punctuation dropped, the articles a, an, the dropped,
    spaces squeezed. Idempotent. May return the empty string, which matches nothing.
    """
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    decomposed = unicodedata.normalize("NFKD", decomposed)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    spaced = _DASHES.sub(" ", plain)
    kept = "".join(char for char in spaced if char.isalnum() or char.isspace())
    return " ".join(_ARTICLES.sub(" ", kept).split())


@lru_cache(maxsize=100_000)
def label_words(label: str) -> str:
    """Return a label as words: dots, underscores, hyphens and camel case become spaces."""
    return " ".join(_SEPARATORS.sub(" ", _CAMEL.sub(" ", label)).split())
