"""Undoes double encoding: UTF-8 that was read as Windows-1252 and written again (`BeyoncÃ©` for `Beyoncé`)."""

from __future__ import annotations

import re

_NON_ASCII = re.compile(r"[^\x00-\x7f]+")
_MOST_LAYERS = 2


def repaired(text: str) -> str:
    """The text with each stretch that was encoded twice restored; anything else stays as it is.

    A stretch is restored only if its bytes are valid UTF-8, which properly encoded text almost never is.
    """
    for _ in range(_MOST_LAYERS):
        better = _NON_ASCII.sub(lambda stretch: _decoded(stretch.group()), text)
        if better == text:
            break
        text = better
    return text


def _decoded(stretch: str) -> str:
    data = b"".join(_byte(character) for character in stretch)
    try:
        return data.decode("utf-8") if len(data) == len(stretch) else stretch
    except UnicodeDecodeError:
        return stretch


def _byte(character: str) -> bytes:
    """The byte that was misread as this character; nothing for a character that no byte is misread as."""
    for encoding in ("cp1252", "latin-1"):  # Windows-1252 leaves five bytes open, which readers pass through as Latin-1
        try:
            return character.encode(encoding)
        except UnicodeEncodeError:
            continue
    return b""
