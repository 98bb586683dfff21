"""The context window against what the method will send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgbench.doctor.rows import CheckRow, failed, not_checked, ok, warning
from kgbench.embed import builtin
from kgbench.llm.gateway import DEFAULT_SAMPLING

if TYPE_CHECKING:
    from kgbench.contracts import Method
    from kgbench.llm.backends.catalogue import Catalogue
    from kgbench.prompts import Template

_CHECK = "context window"
ROOM = 1500
"""Tokens that a prompt's lists should have room for. What lists take depends on the graph and is known after a run alone."""


def check_window(method: Method | None, catalogue: Catalogue, stated: int | None) -> CheckRow:
    """Compare the window with the longest fixed part of the method's prompts and with the reply that it asks for.

    Args:
        method: None where it did not load.
        catalogue: what the server said.
        stated: what the model's card says; None where it says nothing.
    """
    window = catalogue.window or stated
    if window is None:
        next_step = "look it up; prompts that do not fit end their question as prompt_too_long"
        return not_checked(_CHECK, "neither the server nor the model's card tells it", next_step)
    if method is None or not method.card.templates:
        return ok(_CHECK, f"{window:,} tokens", window=window)
    template, fixed = longest(method.card.templates)
    reply = int(getattr(getattr(method, "parameters", None), "max_tokens", DEFAULT_SAMPLING["max_tokens"]))
    facts = {"window": window, "template": template, "fixed_tokens": fixed, "reply_tokens": reply}
    found = (
        f"{window:,} tokens; of these the longest fixed part of a prompt ({template}) takes about {fixed:,} and a reply up "
        f"to {reply:,}, which leaves {max(0, window - fixed - reply):,} for questions and lists"
    )
    return _judged(found, window - fixed - reply, facts, cuts=catalogue.cuts_prompts)


def _judged(found: str, left: int, facts: dict[str, Any], *, cuts: bool) -> CheckRow:
    next_step = "serve the model with a longer context, or take a method or parameters with shorter prompts and replies"
    if facts["fixed_tokens"] >= facts["window"] or (left <= 0 and not cuts):
        return failed(_CHECK, found, next_step, **facts)
    if left < ROOM:
        silently = "; this server cuts what does not fit without an error" if cuts else ""
        return warning(_CHECK, found + silently, next_step, **facts)
    return ok(_CHECK, found, **facts)


def longest(templates: tuple[Template, ...]) -> tuple[str, int]:
    """Return the name and the size of the longest template: tokens, by estimate, of all that is fixed in it."""
    count = builtin().count_tokens
    sizes = [
        (sum(count(message["content"]) for message in template.fixed_messages) + count(template.turn), template.name)
        for template in templates
    ]
    size, name = max(sizes)
    return name, size
