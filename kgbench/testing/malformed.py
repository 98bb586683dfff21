"""Replies of the odd kinds that models send, for methods to survive."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from kgbench.testing.parrot import parrot_reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.contracts import ModelRequest

MALFORMED_REPLIES: tuple[str, ...] = (
    "",
    "   \n\t ",
    "I'm sorry, but I can't help with that.",
    "As an AI language model I cannot access private data. Is there anything else?",
    "{}",
    "{null}",
    "{unknown}",
    "{",
    "}{",
    "[",
    "[]",
    "[[[",
    '["unclosed',
    "{{{{Yes}}}}",
    "{Yes",
    "Yes and no",
    "yes" * 200,
    "[1, 2, 999999999999999999999999]",
    '{"type": null, "description": 3}',
    '{"type": ["a"]}',
    '{"type": "zzzz',
    "'type': 'river'",
    "null",
    "NaN",
    "m.0000000",
    "{m.0000000 | m.zzzzzzz}",
    "{m.}",
    "1. \n2. \n3. ",
    "- a\n- b\n- c",
    "```json\n{\n```",
    "<think>never closed",
    "<think>a</think>",
    "{a -> b -> c}; {d -> e}; -> ->",
    "Path: {}\nAnswer:",
    "\\u0000 \\ud800 \x00\x1f \ud800",
    '{"a":' * 500,
    "(" * 500,
    "\n" * 300,
    "| ; , | ; ,",
    "{x | | ; }",
)
"""Empty, refusing, cut off, wrongly typed, nested too deep, with handles that nobody issued, with half characters."""


def always(reply: str) -> Callable[[ModelRequest], str]:
    """A script that says one thing to everything."""
    return lambda request: reply


def now_and_then(seed: int) -> Callable[[ModelRequest], str]:
    """A script that says something malformed to every third request, chosen by its text, and is a parrot otherwise."""

    def reply(request: ModelRequest) -> str:
        text = f"{seed}\x1f{request.messages[-1]['content']}"
        number = int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest()[:4], "big")
        if number % 3:
            return parrot_reply(request)
        return MALFORMED_REPLIES[number // 3 % len(MALFORMED_REPLIES)]

    return reply
