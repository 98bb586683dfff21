"""Profiles by name, and the guess where none is given."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING

from kgbench.contracts import Profile
from kgbench.errors import UsageError
from kgbench_adapters.profiles import dbpedia, freebase, plain, wikidata
from kgbench_adapters.profiles.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

__all__ = ["NAMES", "Vocabulary", "adjusted", "guess", "of_host", "vocabulary"]

_VOCABULARIES = (dbpedia.VOCABULARY, freebase.VOCABULARY, plain.VOCABULARY, wikidata.VOCABULARY)
_KNOWN = {entry.profile.name: entry for entry in _VOCABULARIES}
NAMES = tuple(sorted(_KNOWN))
"""Names of the profiles."""


def vocabulary(profile: Profile | str) -> Vocabulary:
    """Return the vocabulary of a profile.

    Args:
        profile: a name, or a profile; one with a name of its own is read like a plain graph.

    Raises:
        UsageError: no profile has this name.
    """
    if isinstance(profile, Profile):
        return replace(_KNOWN.get(profile.name, plain.VOCABULARY), profile=profile)
    if profile not in _KNOWN:
        near = difflib.get_close_matches(profile, NAMES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known are: {', '.join(NAMES)}"
        raise UsageError(f'there is no graph profile "{profile}"; {hint}')
    return _KNOWN[profile]


def adjusted(known: Vocabulary, mediator_classes: Iterable[str], unlisted_are_mediators: bool | None) -> Vocabulary:
    """Return a vocabulary with what a graph says of itself.

    Args:
        known: the vocabulary of the graph's kind.
        mediator_classes: class labels to add to the profile's.
        unlisted_are_mediators: replaces the profile's rule; None leaves it.
    """
    profile = known.profile
    classes = tuple(dict.fromkeys((*profile.mediator_classes, *mediator_classes)))
    unlisted = profile.unlisted_are_mediators if unlisted_are_mediators is None else unlisted_are_mediators
    return replace(known, profile=replace(profile, mediator_classes=classes, unlisted_are_mediators=unlisted))


def of_host(host: str) -> str | None:
    """Name the profile of a well-known public server; None for any other host."""
    for entry in _VOCABULARIES:
        if any(host == known or host.endswith(f".{known}") for known in entry.hosts):
            return entry.profile.name
    return None


def guess(ids: Collection[str]) -> str:
    """Name the profile that some ids (or IRIs) of a graph look like: ``freebase`` or ``plain``."""
    alike = sum(map(freebase.looks_alike, ids))
    return "freebase" if alike > len(ids) / 2 else "plain"
