"""Abstract paths: a question planned as steps such as ``{a (type) -> verb -> b (type)}``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgbench.text import label_words, norm
from kgbench_methods.common.braces import parse_braced
from kgbench_methods.common.cleaning import without_fences, without_list_marks, without_reasoning

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_PIECES = 8
"""Pieces that are kept of one reply."""

_ARROW = re.compile(r"<?[-=–—]{1,3}>|<[-=–—]{1,3}|[→←⟶⟵⇒➔➜]")
_SECTION = re.compile(
    r"^[^\w\n]*(?:\d[.)]\s*)?(thought|thinking|reasoning|path|paths|reasoning path|answer)\b[^\w\n:={]*[:=]",
    re.IGNORECASE | re.MULTILINE,
)
_BRACES = re.compile(r"[{}]+")
_PARENTHESES = re.compile(r"[()]+")
_SEPARATOR = re.compile(r"[;\r\n]")


def path_pieces(reply: str) -> tuple[str, ...]:
    """Read the pieces of an abstract path.

    Looked at is what follows the label ``path``; without that label, the whole reply. Brace groups are pieces; without
    any, the text split at ``;`` and line ends. A labelled piece without two arrows is kept as it is, an unlabelled one is
    prose.

    Args:
        reply: any text; the form asked for is three lines with the labels thought, path and answer.

    Returns:
        The pieces as written, without braces; pieces of equal :func:`path_text` once, the first eight. Empty where there
        is no path: the question then stands for it.
    """
    text = without_fences(without_reasoning(reply))
    section = _path_section(text)
    pieces = _pieces(section or "")
    if not pieces:
        pieces = tuple(piece for piece in _pieces(text) if _has_two_arrows(piece))
    by_text: dict[str, str] = {}
    for piece in pieces:
        key = path_text(piece)
        if norm(key):
            by_text.setdefault(key, piece)
    return tuple(by_text.values())[:MOST_PIECES]


def path_text(piece: str) -> str:
    """Return a piece as words, ``a verb b``: what is embedded.

    Braces go, arrows become spaces, parentheses go but the types in them stay; in a verb, the separators of labels become
    spaces. ``{Orvane (river) -> flows_through -> x (city)}`` is ``Orvane river flows through x city``.
    """
    plain = _PARENTHESES.sub(" ", _BRACES.sub(" ", piece))
    parts = [part.replace("_", " ") for part in _ARROW.split(plain)]
    if len(parts) >= 3:
        parts[1::2] = [label_words(part) for part in parts[1::2]]
    return " ".join(" ".join(parts).split())


def write_path(pieces: Iterable[str]) -> str:
    """Write pieces as a path line holds them: each in braces, joined by ``; ``."""
    return "; ".join("{" + " ".join(_BRACES.sub(" ", piece).split()) + "}" for piece in pieces)


def _path_section(text: str) -> str | None:
    """What follows the last label ``path``, up to the next label or the end."""
    marks = list(_SECTION.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    sections = [
        text[mark.end() : end] for mark, end in zip(marks, ends, strict=False) if "path" in mark.group(1).casefold()
    ]
    return sections[-1] if sections else None


def _pieces(section: str) -> tuple[str, ...]:
    """Brace groups of a section, or its stretches between separators."""
    groups = parse_braced(section).groups
    if groups:
        return tuple(group.strip() for group in groups)
    return tuple(piece.strip() for piece in without_list_marks(_SEPARATOR.split(section)))


def _has_two_arrows(piece: str) -> bool:
    return len(_ARROW.findall(piece)) >= 2
