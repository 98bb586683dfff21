"""Brace groups: the form in which a prompt asks for a final answer or a verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgbench_methods.common.cleaning import without_reasoning

_GROUP = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Braced:
    """The brace groups of a reply."""

    groups: tuple[str, ...] = ()
    """What stands inside each pair of braces, in order, as written."""
    truncated: bool = False
    """True where no group was closed: the one group then is the rest of the reply."""


def parse_braced(reply: str) -> Braced:
    """Find the non-nested brace groups of a reply.

    ``{{A}}`` is the group ``A``. Without a closed group, an opening brace makes a group of all that follows it, and the
    reply counts as truncated.

    Args:
        reply: any text.

    Returns:
        The groups; none for a reply without an opening brace.
    """
    text = without_reasoning(reply)
    groups = tuple(_GROUP.findall(text))
    if groups or "{" not in text:
        return Braced(groups)
    return Braced((text.rpartition("{")[2],), truncated=True)
