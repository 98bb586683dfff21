"""Strings that a page must not show, and where they stand in a text: by whole words, whatever their case and form."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from kgbench.seam.audit import common_words
from kgbench.seam.render import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORD = re.compile(r"[^\s!-/:-@\[-`{-~]+")
"""A run of anything but white space and ASCII punctuation, so that no script and no mark escapes."""
_WORTH = 3
"""Letters and digits that a string must have to be looked for in fixed text; shorter ones stand everywhere."""


class Token(NamedTuple):
    """A word and where it stands."""

    word: str
    """Normalised."""
    start: int
    end: int


class Phrase(NamedTuple):
    """A string to mask, by its words, and what stands in its place."""

    words: tuple[str, ...]
    origin: str
    number: int


@lru_cache(maxsize=2_000)
def tokens_in(text: str) -> tuple[Token, ...]:
    """The words of a text, in order."""
    return tuple(Token(_normal(match.group()), match.start(), match.end()) for match in _WORD.finditer(text))


def _normal(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold()


@lru_cache(maxsize=2_000)
def words_in(text: str) -> frozenset[str]:
    """The distinct words of a text."""
    return frozenset(token.word for token in tokens_in(text))


class Phrases:
    """Strings to mask, by their first word; of two that fit, the longer wins, and of equals one with a number."""

    def __init__(self) -> None:
        self._by_first: dict[str, list[Phrase]] = {}

    def add(self, text: str, origin: str, number: int) -> None:
        """Add a string."""
        words = tuple(token.word for token in tokens_in(text))
        if words:
            known = self._by_first.setdefault(words[0], [])
            known.append(Phrase(words, origin, number))
            known.sort(key=lambda phrase: (-len(phrase.words), not phrase.number, phrase.origin, phrase.number))

    @property
    def words(self) -> frozenset[str]:
        """The words of all strings."""
        return frozenset(word for known in self._by_first.values() for phrase in known for word in phrase.words)

    def matches(self, text: str, *, worth: bool) -> Iterator[tuple[int, int, Phrase]]:
        """Yield where phrases stand in a text, from left to right.

        Args:
            text: where to look.
            worth: pass over what is too short or too common to mean anything.
        """
        if not self._by_first or self._by_first.keys().isdisjoint(words_in(text)):
            return
        tokens, place = tokens_in(text), 0
        while place < len(tokens):
            phrase = self._at(tokens, place, worth=worth)
            if phrase is None:
                place += 1
                continue
            last = place + len(phrase.words)
            yield tokens[place].start, tokens[last - 1].end, phrase
            place = last

    def _at(self, tokens: Sequence[Token], place: int, *, worth: bool) -> Phrase | None:
        for phrase in self._by_first.get(tokens[place].word, ()):
            found = tuple(token.word for token in tokens[place : place + len(phrase.words)])
            if found == phrase.words and (not worth or _is_worth(phrase)):
                return phrase
        return None


def _is_worth(phrase: Phrase) -> bool:
    if phrase.origin == Origin.SOURCE_ID:
        return True
    joined = "".join(phrase.words)
    if joined.isdigit():
        return len(joined) > _WORTH
    return len(joined) >= _WORTH and not (len(phrase.words) == 1 and joined in common_words())
