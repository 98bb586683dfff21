"""Exemplar echoes: replies, or pieces of one, that repeat an invented name of their prompt's exemplars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.text import norm

if TYPE_CHECKING:
    from kgbench.contracts import Reply
    from kgbench.prompts import Template


def is_invented(piece: str, template: Template) -> bool:
    """Tell whether a piece of a reply holds an invented name of the template, as whole words."""
    words = f" {norm(piece)} "
    return any(f" {norm(name)} " in words for name in template.invented)


def lines_without_echoes(reply: Reply, template: Template) -> str:
    """The text of a reply; where it repeats an exemplar, without the lines that do."""
    if "exemplar_echo" not in reply.flags:
        return reply.text
    return "\n".join(line for line in reply.text.splitlines() if not is_invented(line, template))
