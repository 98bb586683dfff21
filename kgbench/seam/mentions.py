"""Finding the words by which a question names its topic entity.

Data sets give the linked name, which in every fifth question is not in the text: showing it would disclose a name of the
graph. The mention is found locally and is all that a prompt shows of a topic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.text import STOP_WORDS, norm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench.types import Entity

_WORD = re.compile(r"[^\W_]+(?:['’.\-&][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    words: tuple[str, ...]
    bare: bool
    """True where it neither begins nor ends with an article."""


def find_mention(text: str, name: str, aliases: Sequence[str] = (), given: str | None = None) -> str | None:
    """Return the question's own words for a topic, or None where it has none.

    In this order: the words that the record itself gives; the longest span equal, normalised, to the name or an alias;
    the longest span of words (three letters and more, no stop words) that are all words of the name.
    """
    own = re.search(_whole_words(given), text, re.IGNORECASE) if given else None
    if own:
        return own.group()
    spans = _spans(text)
    wanted = {norm(option) for option in (name, *aliases)} - {""}
    squeezed = {option.replace(" ", "") for option in wanted}
    equal = [span for span in spans if "".join(span.words) in squeezed and _equals(text, span, wanted)]
    if equal:
        return _longest(text, equal)
    words = set(norm(name).split())
    partial = [span for span in spans if span.bare and all(_content(word) and word in words for word in span.words)]
    return _longest(text, partial) if partial else None


def _spans(text: str) -> list[_Span]:
    """Every span of up to twelve words, with its normalised words; a closing possessive is no part of a span."""
    pieces = []
    for match in _WORD.finditer(text):
        word = _POSSESSIVE.sub("", match.group())
        pieces.append((match.start(), match.start() + len(word), norm(word)))
    spans = []
    for first in range(len(pieces)):
        for last in range(first, min(first + 12, len(pieces))):
            words = tuple(part for piece in pieces[first : last + 1] for part in piece[2].split())
            if words:
                bare = bool(pieces[first][2] and pieces[last][2])
                spans.append(_Span(pieces[first][0], pieces[last][1], words, bare))
    return spans


def _equals(text: str, span: _Span, wanted: set[str]) -> bool:
    return " ".join(span.words) in wanted or norm(text[span.start : span.end]) in wanted


def _content(word: str) -> bool:
    return len(word) >= 3 and word not in STOP_WORDS


def _longest(text: str, spans: Sequence[_Span]) -> str:
    best = max(spans, key=lambda span: (len(span.words), span.end - span.start, -span.start))
    return text[best.start : best.end]


def mask_question(text: str, mentions: Mapping[Entity, str], handles: Mapping[Entity, str]) -> str:
    """Replace each mention by its topic's handle: longest first, whole words, possessives kept."""
    return replace_phrases(text, {mention: handles[entity] for entity, mention in reversed(list(mentions.items()))})


def replace_phrases(text: str, replacements: Mapping[str, str]) -> str:
    """Replace whole-word phrases whatever their letters' case, the longest first; what was put in is not looked at again.

    A phrase without a letter or digit names nothing and stays. So does one that stands right behind a replaced one: two
    handles in one run of characters could not be told apart again, and the audit stops a name that is left standing.

    Args:
        text: any text.
        replacements: phrase -> what stands in its place.
    """
    naming = [phrase for phrase in replacements if any(char.isalnum() for char in phrase)]
    phrases = sorted(naming, key=lambda phrase: (-len(phrase), phrase))
    if not phrases:
        return text
    # Groups tell which phrase matched: letters such as a dotted capital I have no one lower case to look up by.
    pattern = re.compile("|".join(f"({_whole_words(phrase)})" for phrase in phrases), re.IGNORECASE)

    parts: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        assert match.lastindex is not None  # noqa: S101 - every alternative is a group
        if parts and match.start() == end:
            continue
        parts += [text[end : match.start()], replacements[phrases[match.lastindex - 1]]]
        end = match.end()
    return "".join(parts) + text[end:]


def _whole_words(phrase: str) -> str:
    return rf"(?<!\w){re.escape(phrase)}(?!\w)"
