"""Quirks of published code: named one by one, so that a user can see what each is worth.

A ported method lists its quirks. Profile ``official`` has those that are marked as published behaviour on; ``quirks=Q1``
switches a single one on, ``quirks=-Q1`` off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.errors import UsageError
from kgbench_methods.common.profiles import check_profile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Quirk:
    """One way in which published code differs from the clean profile."""

    id: str
    """As users write it, such as ``Q1``."""
    summary: str
    """What happens where it is on, in one line."""
    official: bool = True
    """True for published behaviour: on in profile ``official``."""
    clean: bool = False
    """True for what the clean profile does as well."""
    refused: str = ""
    """Why it can never be switched on: it would break the privacy seam, or make runs unrepeatable."""


def active_quirks(method: str, profile: str, chosen: Sequence[str], known: Iterable[Quirk]) -> frozenset[str]:
    """Return the ids of the quirks that are on.

    Args:
        method: the method's registry name, for messages.
        profile: ``clean`` or ``official``.
        chosen: ids to switch on, or off with a ``-`` before them.
        known: every quirk of the method.

    Raises:
        UsageError: the profile or a quirk is unknown, a quirk is switched on and off at once, or it is refused.
    """
    by_id = {quirk.id: quirk for quirk in known}
    switched_on = [quirk for quirk in chosen if not quirk.startswith("-")]
    switched_off = [quirk.removeprefix("-") for quirk in chosen if quirk.startswith("-")]
    check_profile(method, profile, (*switched_on, *switched_off), tuple(by_id))
    both = sorted(set(switched_on) & set(switched_off))
    if both:
        raise UsageError(f"method {method}: {', '.join(both)} is switched on and off at once; leave out one of the two")
    for quirk in switched_on:
        if by_id[quirk].refused:
            raise UsageError(
                f"method {method} refuses quirk {quirk}: {by_id[quirk].refused}; leave it out of method.quirks"
            )
    default = {
        quirk.id
        for quirk in by_id.values()
        if not quirk.refused and (quirk.official if profile == "official" else quirk.clean)
    }
    return frozenset((default | set(switched_on)) - set(switched_off))
