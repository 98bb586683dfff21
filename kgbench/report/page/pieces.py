"""The recorded text of a call as pieces, each with the origin that the renderer gave it, and the facts that they state."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kgbench.seam.render import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgbench.types import JsonObject

HIDDEN = "hidden"
"""Origin of words that a page hides although no span says what they are."""
ORIGINS = (*(str(origin) for origin in Origin), HIDDEN)
"""Origins as a page knows them; their place in this list is their number in the page's data."""
NODES = (Origin.HANDLE, Origin.SOURCE_ID, Origin.NAME, Origin.LITERAL, Origin.MENTION, Origin.TOPIC_LABEL)
"""Origins of what can stand at the end of a fact."""
_NOTE = re.compile(r" \([^()]*\)")
"""A word of the template behind a node: a datatype, or that it is the topic."""


class Piece(NamedTuple):
    """A stretch of text; ``origin`` is empty for the template's own."""

    text: str
    origin: str = ""


class Fact(NamedTuple):
    """A fact that a prompt states, by the places of its parts among the prompt's pieces."""

    subject: int
    relation: int
    object: int


@dataclass(frozen=True)
class Turn:
    """The last message of a call."""

    pieces: tuple[Piece, ...]

    def facts(self) -> Iterator[Fact]:
        """Yield each ``node, relation, node`` of the turn, as the renderer writes a triple."""
        for place, piece in enumerate(self.pieces):
            if piece.origin != Origin.RELATION or place < 2 or place + 2 >= len(self.pieces):
                continue
            subject = self._node_before(place)
            if subject is not None and self.pieces[place + 1] == (", ", "") and self.pieces[place + 2].origin in NODES:
                yield Fact(subject, place, place + 2)

    def concept(self, node: int) -> int | None:
        """The place of the concept that stands behind a node, or None."""
        behind = self.pieces[node + 1 : node + 3]
        found = len(behind) == 2 and behind[0] == (" (", "") and behind[1].origin == Origin.CONCEPT
        return node + 2 if found else None

    def _node_before(self, relation: int) -> int | None:
        """The place of the node whose comma ends right before a relation."""
        between = self.pieces[relation - 1]
        if between.origin or not between.text.endswith(", "):
            return None
        if between.text == "), " and relation >= 4 and self.concept(relation - 4) == relation - 2:
            node = relation - 4
        elif between.text == ", " or _NOTE.fullmatch(between.text[:-2]):
            node = relation - 2
        else:
            return None
        return node if self.pieces[node].origin in NODES else None


def turn_of(call: JsonObject) -> Turn | None:
    """Cut the last message of a call into pieces; None where its spans are missing or do not fit its text.

    A page shows no text that it cannot account for: such a message is withheld.
    """
    spans = call.get("spans")
    if not isinstance(spans, list):
        return None
    text, end, pieces = str(call["messages"][-1]["content"]), 0, []
    for span in spans:
        if not _fits(span, end, len(text)):
            return None
        start, stop, origin = span
        if start > end:
            pieces.append(Piece(text[end:start]))
        if stop > start:
            pieces.append(Piece(text[start:stop], origin if origin in ORIGINS else HIDDEN))
        end = stop
    if end < len(text):
        pieces.append(Piece(text[end:]))
    return Turn(tuple(pieces))


def _fits(span: Sequence[object], begin: int, length: int) -> bool:
    if not isinstance(span, list) or len(span) != 3:
        return False
    start, stop, origin = span
    if not isinstance(start, int) or not isinstance(stop, int) or not isinstance(origin, str):
        return False
    return begin <= start <= stop <= length
