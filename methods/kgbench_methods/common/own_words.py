"""Words of a reply for a later prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.contracts import Echo

if TYPE_CHECKING:
    from kgbench.contracts import Reply


def own_words(reply: Reply, text: str) -> Echo | None:
    """Wrap a piece of a remote reply as an echo.

    Args:
        reply: the reply, or one of its samples, that has the words.
        text: words of it, in their order.

    Returns:
        The echo; None where the words are not the reply's own (an escape in it was decoded, say) or there are none.
    """
    if not text.strip():
        return None
    try:
        echo = reply.echo(text)
    except ValueError:
        return None
    return echo if isinstance(echo, Echo) else None
