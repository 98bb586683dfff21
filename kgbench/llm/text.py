"""What is done to a model's text before anybody reads it: reasoning blocks go, tokens are estimated."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    TokenCounter = Callable[[str], int]
    """Number of tokens of a text: a tokenizer, or :func:`rough_tokens` where there is none."""

_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_PIECE = re.compile(r"[^\w\s]?[^\W\d_]+|_[^\W\d_]+|\d+|[^\w\s]|_")
"""A word with the sign before it (as tokenizers join them), a run of digits, or one sign."""
_LETTERS_A_TOKEN = 7
_DIGITS_A_TOKEN = 3
_MESSAGE_OVERHEAD = 4
"""Tokens that a chat format adds around each message (role and separators)."""
_REPLY_OVERHEAD = 3
"""Tokens that open the reply."""


@dataclass(frozen=True, slots=True)
class Stripped:
    """A reply without its reasoning."""

    text: str
    cut_off: bool = False
    """True where the reply ended inside its reasoning: then it never came to an answer."""


def strip_reasoning(text: str) -> Stripped:
    """Remove the reasoning blocks of a reply, ``<think>...</think>`` or ``<thinking>...</thinking>``.

    A closing tag without an opening one ends a block that began with the reply: chat templates of reasoning models
    often write the opening tag themselves. An opening tag without a closing one takes everything after it.
    """
    kept: list[str] = []
    start = 0
    inside = False
    for tag in _TAG.finditer(text):
        closing = bool(tag.group(1))
        if closing and not inside:
            kept.clear()
        elif not closing and not inside:
            kept.append(text[start : tag.start()])
        inside = not closing
        start = tag.end()
    if inside:
        return Stripped("".join(kept).strip(), cut_off=True)
    kept.append(text[start:])
    if len(kept) == 1 and start == 0:
        return Stripped(text)
    return Stripped("".join(kept).strip())


def rough_tokens(text: str) -> int:
    """Estimate the number of tokens of a text without a tokenizer.

    Words, runs of digits and single signs are counted, long words more than once. Meant for prices and limits where a
    server reports nothing; every number made of it is flagged as an estimate.
    """
    total = 0
    for match in _PIECE.finditer(text):
        piece = match.group()
        if not piece.isascii():
            total += -(-len(piece.encode("utf-8", "surrogatepass")) // 3)
        elif piece.isdigit():
            total += -(-len(piece) // _DIGITS_A_TOKEN)
        else:
            total += -(-len(piece) // _LETTERS_A_TOKEN)
    return total


def estimate_tokens(messages: Sequence[Mapping[str, str]], count: TokenCounter = rough_tokens) -> int:
    """Estimate the input tokens of a chat request.

    Args:
        messages: chat messages with ``role`` and ``content``.
        count: counts the tokens of one text.
    """
    return sum(count(message["content"]) + _MESSAGE_OVERHEAD for message in messages) + _REPLY_OVERHEAD
