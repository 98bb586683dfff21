"""What parsers do to a reply, or to a piece of one, before they read it. None of it raises on any text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_REASONING_TAG = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$", re.MULTILINE)

# "1.", "2)", "(3)", "4:" or a bullet. A digit after the number's mark makes it a decimal, such as the score 0.4.
_NUMBER_MARK = re.compile(r"\s*\(?(\d{1,3})[.):](?!\d)\s*")
_BULLET_MARK = re.compile(r"\s*[-*+•–‣▪◦](?:\s+|$)")

_QUOTE_PAIRS = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "‘": "’", "«": "»"}
_EMPHASIS = ("***", "**", "__")

QUOTES = frozenset("".join(_QUOTE_PAIRS) + "".join(_QUOTE_PAIRS.values()) + "*_")
"""Characters that :func:`unquoted` may take from the ends of a text."""


def without_reasoning(reply: str) -> str:
    """Drop reasoning blocks; one never closed goes on to the end, one never opened goes back to the tag before it.

    The gateway strips them already; a reply that comes another way is read alike.
    """
    kept: list[str] = []
    start, inside = 0, False
    for tag in _REASONING_TAG.finditer(reply):
        closing = bool(tag.group(1))
        if not closing and not inside:
            kept.append(reply[start : tag.start()])
        inside = not closing
        start = tag.end()
    return "".join(kept) if inside else "".join(kept) + reply[start:]


def without_fences(reply: str) -> str:
    """Drop the lines that open and close a fenced block; what stands in it stays."""
    return _FENCE.sub("", reply)


def unquoted(text: str) -> str:
    """Drop white space and pairs of quotes or emphasis marks around a text.

    A pair counts only if it holds the whole text: ``"A" and "B"`` stays as it is, and so does ``'Round Midnight``.
    """
    text = text.strip()
    for mark in _EMPHASIS:
        inner = text[len(mark) : -len(mark)]
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark) and mark not in inner:
            return unquoted(inner)
    if len(text) < 2 or _QUOTE_PAIRS.get(text[0]) != text[-1]:
        return text
    inner = text[1:-1]
    return text if _holds_quote(inner, text[0], text[-1]) else inner.strip()


def _holds_quote(text: str, opening: str, closing: str) -> bool:
    """True where a quote in ``text`` may end the pair; an apostrophe between two letters does not."""
    for at, char in enumerate(text):
        if char in (opening, closing):
            inside_word = 0 < at < len(text) - 1 and text[at - 1].isalnum() and text[at + 1].isalnum()
            if not inside_word or char not in "'’":
                return True
    return False


def list_mark(line: str) -> tuple[int | None, str] | None:
    """Split a list line into its number (None for a bullet) and what follows; None where the line has no mark."""
    number = _NUMBER_MARK.match(line)
    if number:
        return int(number.group(1)), line[number.end() :].strip()
    bullet = _BULLET_MARK.match(line)
    return (None, line[bullet.end() :].strip()) if bullet else None


def marked_lines(reply: str) -> tuple[tuple[int | None, str], ...]:
    """Return number (None for a bullet) and content of every numbered or bulleted line that has a content."""
    marked = (list_mark(line) for line in reply.splitlines())
    return tuple(found for found in marked if found is not None and found[1])


def without_list_marks(pieces: Sequence[str]) -> tuple[str, ...]:
    """Drop list marks if the pieces are one list: two or more, all bullets or numbered 1, 2, 3.

    A single ``1. FC Union`` keeps its number: it may belong to the name.
    """
    kept = [piece for piece in pieces if piece.strip()]
    marks = [list_mark(piece) for piece in kept]
    numbers = [mark[0] for mark in marks if mark is not None]
    is_list = numbers in ([None] * len(kept), list(range(1, len(kept) + 1)))
    if len(kept) < 2 or not is_list:
        return tuple(kept)
    return tuple(mark[1] for mark in marks if mark is not None)
