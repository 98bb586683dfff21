"""Evidence in prompts: facts each once, and fewer of them where a model's window is too small for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from kgbench.errors import PromptTooLong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kgbench.contracts import Context

Item = TypeVar("Item")
Result = TypeVar("Result")


def distinct(items: Iterable[Item]) -> list[Item]:
    """Items each once, in the order in which they came."""
    return list(dict.fromkeys(items))


def newest(items: Sequence[Item], count: int) -> Sequence[Item]:
    """The last ``count`` items: what was found last stays."""
    return items[-count:]


def ask_within_window(
    items: Sequence[Item],
    ask: Callable[[Sequence[Item]], Result],
    ctx: Context,
    keep: Callable[[Sequence[Item], int], Sequence[Item]] = newest,
) -> Result:
    """Ask over a list; where the prompt does not fit the model, over half of the list, and over half of that.

    Args:
        items: facts in the order in which they were found, or candidates.
        ask: sends the prompt over a list and returns what was read.
        ctx: counts each shortening as ``prompt_cut``.
        keep: chooses which items stay, given how many may.

    Raises:
        PromptTooLong: not even one item fits.
    """
    while True:
        try:
            return ask(items)
        except PromptTooLong:
            if len(items) <= 1:
                raise
            items = keep(items, len(items) // 2)
            ctx.note("prompt_cut")
