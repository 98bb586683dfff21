"""Asking a model once, and once more where it said nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.prompts import SlotValue, Template


def send(ctx: Context, template: Template, temperature: float, **slots: SlotValue | Sequence[SlotValue]) -> Reply:
    """Fill and send a template; an empty completion is asked for once more.

    The second request adds the template's reminder line: identical bytes would bring the same reply. It is a logical call
    of its own, counted as ``retried:<stage>``.
    """
    reply = ctx.llm(template.fill(remind=False, **slots), temperature=temperature)
    if reply.text.strip() or not template.reminder:
        return reply
    ctx.note(f"retried:{template.stage}")
    return ctx.llm(template.fill(remind=True, **slots), temperature=temperature)
