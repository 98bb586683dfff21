"""Known labels found in the text of a reply: whole labels only, never a label inside another one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

# A number from 0 to 1, or a percentage; no part of a longer number, of a word or of a handle.
_WEIGHT = re.compile(r"(?<![\w.])(?:(\d{1,3}(?:\.\d+)?)\s?%|((?:0?\.\d+|[01](?:\.\d+)?)(?![\w%]|\.\d)))")


@dataclass(frozen=True, slots=True)
class FoundLabel:
    """A known label and where a text has it."""

    label: str
    start: int
    end: int


def find_labels(text: str, labels: Collection[str]) -> tuple[FoundLabel, ...]:
    """Find known labels that stand verbatim in a text.

    Longest first, each stretch of text used once. A match lies between label boundaries: no letter, digit, ``_`` or ``-``
    beside it, and no ``.`` that joins another word. So ``people.person`` is not found in ``people.person.gender``.

    Args:
        text: any text.
        labels: the known labels.

    Returns:
        Every match, in order of appearance.
    """
    used = bytearray(len(text))
    found: list[FoundLabel] = []
    for label in sorted({label for label in labels if label.strip()}, key=lambda label: (-len(label), label)):
        for start in _occurrences(text, label):
            end = start + len(label)
            if not any(used[start:end]) and _stands_alone(text, start, end):
                used[start:end] = b"\x01" * len(label)
                found.append(FoundLabel(label, start, end))
    return tuple(sorted(found, key=lambda match: match.start))


def weight_in(text: str) -> float | None:
    """Return the first number from 0 to 1 in a text, or the first percentage as such a number; else None."""
    for match in _WEIGHT.finditer(text):
        percent, plain = match.groups()
        weight = float(plain) if plain is not None else float(percent) / 100
        if weight <= 1:
            return weight
    return None


def _occurrences(text: str, label: str) -> Iterator[int]:
    start = text.find(label)
    while start >= 0:
        yield start
        start = text.find(label, start + 1)


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if (before and _belongs_to_label(before[-1])) or (after and _belongs_to_label(after[0])):
        return False
    joined_before = len(before) == 2 and before[1] == "." and _belongs_to_label(before[0])
    joined_after = len(after) == 2 and after[0] == "." and _belongs_to_label(after[1])
    return not (joined_before or joined_after)


def _belongs_to_label(character: str) -> bool:
    return character.isalnum() or character in "_-"
