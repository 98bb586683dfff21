"""Final answers: read from the braces of a reply, and written in the form that is read.

A prompt asks for its answers in one pair of braces, with ``|`` between several. Pieces are split at ``|``, ``;`` and line
ends, never at commas, which belong to names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from kgbench.text import norm
from kgbench_methods.common.braces import parse_braced
from kgbench_methods.common.cleaning import QUOTES, list_mark, unquoted, without_list_marks

if TYPE_CHECKING:
    from collections.abc import Sequence

_ABSTENTIONS = frozenset({"", "null", "none", "unknown", "n/a"})
_SEPARATOR = re.compile(r"[|;\r\n]")
_STRUCTURE = re.compile(r"[{}|;\r\n\\]")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
UNKNOWN = "unknown"
"""What stands in the braces of a reply that knows no answer."""


class Group(StrEnum):
    """Which brace group holds the answer."""

    FIRST = "first"
    """For replies that begin with the answer."""
    LAST = "last"
    """For replies that reason first: a model may put braces around a step on the way."""


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """What a parser made of a final reply."""

    answers: tuple[str, ...] = ()
    """Best first, without repeats; empty for an abstention as well as for a reply that cannot be read."""
    parsed: bool = False
    """True where the reply has the form that was asked for, an abstention included."""
    truncated: bool = False
    """True where the braces were opened and never closed."""

    @property
    def flags(self) -> tuple[str, ...]:
        """Flags for a prediction: ``no_parse`` or ``truncated``."""
        if not self.parsed:
            return ("no_parse",)
        return ("truncated",) if self.truncated else ()


def read_answers(reply: str, group: Group = Group.LAST) -> AnswerReading:
    """Read the answers of a reply from its braces.

    Args:
        reply: any text.
        group: which brace group holds the answer.

    Returns:
        The answers in the order of the reply.
    """
    braced = parse_braced(reply)
    if not braced.groups:
        return AnswerReading()
    content = braced.groups[0 if group is Group.FIRST else -1]
    return AnswerReading(split_answers(content), parsed=True, truncated=braced.truncated)


def split_answers(text: str) -> tuple[str, ...]:
    """Split the content of a brace group into answers.

    Surrounding quotes, one trailing full stop, the marks of a list and words that stand for "no answer" are dropped.

    Args:
        text: what stands between the braces.

    Returns:
        The answers without repeats; empty for an abstention.
    """
    pieces = without_list_marks(_SEPARATOR.split(_bare(text)))
    bare = (_bare(piece) for piece in pieces)
    return tuple(dict.fromkeys(_unescaped(piece) for piece in bare if not is_abstention(piece)))


def is_abstention(text: str) -> bool:
    """Tell whether a piece of a reply stands for "no answer"."""
    return text.strip().casefold() in _ABSTENTIONS


def write_answers(answers: Sequence[str] | None) -> str:
    r"""Write answers in braces: the inverse of :func:`split_answers`.

    Characters that the parser reads as structure are written as ``\uXXXX``, so that any name survives.

    Args:
        answers: best first; None or empty for an abstention.
    """
    return "{" + (" | ".join(_escaped(answer) for answer in answers or ()) or UNKNOWN) + "}"


def vote_key(answers: Sequence[str]) -> frozenset[str]:
    """Return the key under which answers vote as a set: equal for answers that the strict normaliser makes equal."""
    return frozenset(item_key(answer) for answer in answers)


def item_key(answer: str) -> str:
    """Return the strict normal form of one answer; of an answer that it would leave nothing of, the answer itself."""
    return norm(answer) or answer.casefold().strip()


def _bare(text: str) -> str:
    """Drop white space, surrounding quotes and one trailing full stop."""
    bare = unquoted(text)
    return unquoted(bare[:-1]) if bare.endswith(".") else bare


def _escaped(answer: str) -> str:
    text = _STRUCTURE.sub(lambda found: _code(found.group()), answer)
    if not text:
        return text
    if text[0].isspace() or text[0] in QUOTES or is_abstention(text) or list_mark(text) is not None:
        text = _code(text[0]) + text[1:]
    if text[-1].isspace() or text[-1] in QUOTES or text[-1] == ".":
        text = text[:-1] + _code(text[-1])
    return text


def _code(character: str) -> str:
    return f"\\u{ord(character):04x}"


def _unescaped(text: str) -> str:
    r"""Decode ``\uXXXX``, also where a model writes it by habit; halves of a surrogate pair stay as they are."""

    def decode(found: re.Match[str]) -> str:
        code = int(found.group(1), 16)
        return found.group() if 0xD800 <= code <= 0xDFFF or code == 0 else chr(code)

    return _ESCAPE.sub(decode, text)
