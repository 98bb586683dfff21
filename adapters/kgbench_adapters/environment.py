"""What the environment says of how graphs are read: a time limit, and who is asking. None of it changes an answer."""

from __future__ import annotations

import os

from kgbench.errors import UsageError

TIME_LIMIT = "KGBENCH_KG_TIMEOUT"
"""Seconds that one read of a graph may take."""
USER_AGENT = "KGBENCH_USER_AGENT"
"""What requests to SPARQL endpoints say of their sender."""
PASSWORD = "KGBENCH_KG_PASSWORD"  # noqa: S105 - a name
"""Password for a SPARQL endpoint whose address names a user and no password."""
LARGER_TIME_LIMIT = f"open the graph with a larger time limit ({TIME_LIMIT}=SECONDS)"
"""The end of a message about a read that took too long."""
_SECONDS = 30.0


def time_limit() -> float:
    """Seconds that one read may take where the caller says nothing: 30, or what the environment says.

    Raises:
        UsageError: the environment says no number of seconds.
    """
    text = os.environ.get(TIME_LIMIT, "").strip()
    if not text:
        return _SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise UsageError(f'{TIME_LIMIT} is "{text}"; give a number of seconds above 0, or unset it')
    return seconds


def password() -> str:
    """The password that the environment gives; empty where it gives none."""
    return os.environ.get(PASSWORD, "")


def user_agent() -> str:
    """The sender that the environment names; empty where it names none."""
    return os.environ.get(USER_AGENT, "").strip()
