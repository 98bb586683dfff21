r"""Foreign text in LaTeX: every character shows as it is, or visibly as its code point, and pdflatex compiles.

Characters that pdflatex sets with the T1 and TS1 fonts pass as they are. Any other becomes ``\kgbenchchar{4E2D}``, a boxed
``U+4E2D``; with XeLaTeX or LuaLaTeX that macro can be defined as ``\symbol{"#1}``.
"""

from __future__ import annotations

import re

from kgbench.seam.render import one_line

_NAMED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    # Behind a line's end these two would be read as an argument of it.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}
_NO_LIGATURE = re.compile(r"([-,])(?=\1)")
"""Two of these would join into another sign."""
_BREAK = r"\allowbreak{}"
_BREAKABLE = re.compile(r"\\textbar\{\}|/")
_UNSET = set("ĦħĸĿŀŉŦŧſ\u00b8")
"""Letters that the T1 fonts lack, within the ranges below."""
_PUNCTUATION = set("–—‘’‚“”„†‡•‰‹›€™")
_UNNAMED = {escaped: char for char, escaped in _NAMED.items()}
_TOKEN = re.compile(
    r"\\kgbenchchar\{(?P<code>[0-9A-F]+)\}|" + "|".join(re.escape(text) for text in sorted(_UNNAMED, key=len)[::-1])
)


def escape_latex(text: str, *, breaks: bool = False) -> str:
    """Return a text that LaTeX shows as it is, on one line.

    Args:
        text: any text.
        breaks: whether a line may end behind ``|`` and ``/``, for long texts without spaces.
    """
    plain = _NO_LIGATURE.sub("\\1\0", one_line(text))
    escaped = "".join("{}" if char == "\0" else _escaped(char) for char in plain)
    return _BREAKABLE.sub(lambda match: match[0] + _BREAK, escaped) if breaks else escaped


def _escaped(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    if " " <= char <= "~" or char in _PUNCTUATION or ("\u00a1" <= char <= "\u017e" and char not in _UNSET):
        return char
    return rf"\kgbenchchar{{{ord(char):04X}}}"


def unescape_latex(text: str) -> str:
    """Take away what :func:`escape_latex` put in."""
    joined = text.replace(_BREAK, "")
    joined = re.sub(r"([-,])\{\}(?=\1)", r"\1", joined)
    return _TOKEN.sub(lambda match: chr(int(match["code"], 16)) if match["code"] else _UNNAMED[match[0]], joined)
