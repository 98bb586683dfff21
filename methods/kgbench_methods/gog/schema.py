"""Relation labels as prompts show them: whole, or their last two segments as in the published code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kgbench.types import Relation, Triple

if TYPE_CHECKING:
    from kgbench.types import AnyRelation

_DOTTED = re.compile(r"\w+(?:\.\w+){2,}")
_SEGMENTS = 2
_JOINT = re.compile(r"-(?=\w+\.\w)")
"""Where the labels of a relation that was joined at loading meet: a hyphen before a dotted label."""


@lru_cache(maxsize=100_000)
def short_label(label: str) -> str:
    """Return the last two segments of a dotted label, of each part of a joined one; other labels stay as they are.

    ``people.person.place_of_birth`` is ``person.place_of_birth``.
    """
    return "-".join(
        ".".join(part.split(".")[-_SEGMENTS:]) if _DOTTED.fullmatch(part) else part for part in _JOINT.split(label)
    )


@dataclass(frozen=True, slots=True)
class Labels:
    """How one run shows relations."""

    short: bool
    """Quirk ``short_labels``. Two short labels, or the words before one, may read like a name that the graph has; the audit
    then stops the question, which it does not for whole labels."""

    def relation(self, relation: AnyRelation) -> AnyRelation:
        """The relation under the label that is shown."""
        return Relation(relation.id, short_label(relation.label)) if self.short else relation

    def triple(self, triple: Triple) -> Triple:
        """The triple under the label that is shown."""
        return Triple(triple.subject, self.relation(triple.relation), triple.object)
