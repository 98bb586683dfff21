"""What looks like a handle or an id in the text of a reply. Which node it stands for, the gateway alone can tell."""

from __future__ import annotations

import re

_HANDLE = re.compile(r"(?<![\w.])[mg]\.[0-9a-z_]+(?!\w)", re.IGNORECASE)


def holds_handle(text: str) -> bool:
    """Tell whether a text holds something of the form of a handle."""
    return _HANDLE.search(text) is not None


def begins_with_handle(text: str) -> bool:
    """Tell whether a text begins like one: the test by which published code knows "a node without a name"."""
    return text.lstrip().startswith("m.")
