"""What a page tells of a question's graph queries and parsed answers, from its record.

On a scrubbed page an entity stands as a handle, and a relation by its label, only if a prompt of the same trial shows
them on this page. How much a query found, how many were asked for at once and how often it was asked are left out: prompts
do not tell it either.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgbench.report.page.pieces import HIDDEN, ORIGINS
from kgbench.run.steps import COLUMNS
from kgbench.seam.reads import ReadKind
from kgbench.seam.render import Origin
from kgbench.types import Direction

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from kgbench.types import JsonObject

_TOPIC = re.compile(r"topic \d{1,3}")
_NUMBERED = re.compile(r"(?:topic|entity|literal) \d+")
"""What a record writes where there is no handle."""
_KINDS = frozenset(map(str, ReadKind))
_DIRECTIONS = frozenset(map(str, Direction))
_SEVERAL = 0
"""In place of how many entities were asked for at once."""
_MASK = [ORIGINS.index(HIDDEN), None]


@dataclass(frozen=True)
class Steps:
    """Tells of one question and trial.

    Args:
        told: origin and text of the handles and relations that the trial's prompts show on this page.
        spoken: scrubs words of the model, into segments.
        revealed: keep what only an owner may see.
    """

    told: Collection[tuple[str, str]]
    spoken: Callable[[str], list[Any]]
    revealed: bool

    def json(self, record: JsonObject) -> JsonObject:
        """The page's ``queries`` and ``answered``; a record of an early version has neither."""
        found: JsonObject = {}
        reads, answered = record.get("reads"), record.get("answered")
        if isinstance(reads, dict):
            found["queries"] = self._queries(reads)
        if isinstance(answered, list):
            items = (record.get("prediction") or {}).get("items") or ()
            found["answered"] = [self._answer(answer, place, items) for place, answer in enumerate(answered)]
        return found

    def _queries(self, reads: Mapping[str, Any]) -> JsonObject:
        rows = [self._row(dict(zip(COLUMNS, row, strict=False))) for row in reads.get("rows") or ()]
        left_out = int(reads.get("left_out") or 0)
        if not self.revealed:
            rows = list({repr(row): row for row in rows}.values())  # equal lines between two calls stand once
            left_out = min(left_out, 1)
        return {"rows": rows, "left_out": left_out}

    def _row(self, read: Mapping[str, Any]) -> list[Any]:
        """Calls before it, kind, entity, relation, direction, found and cut; null where it is left out."""
        kind = read["kind"] if read["kind"] in _KINDS else "other"
        relation, direction = self._relation(read), read.get("direction")
        if direction not in _DIRECTIONS or (read.get("relation") is not None and relation is None):
            direction = None
        row = [int(read["calls"]), kind, self._of(read.get("of")), relation, direction]
        return [*row, int(read["found"]), bool(read.get("cut"))] if self.revealed else [*row, None, False]

    def _of(self, of: object) -> Any:
        if isinstance(of, int):
            return of if self.revealed else _SEVERAL
        return self._reference(of) if isinstance(of, str) else None

    def _reference(self, text: str) -> Any:
        """An entity or literal as a segment; None where the page may not tell which one."""
        if self.revealed:
            return text if _NUMBERED.fullmatch(text) else [ORIGINS.index(Origin.HANDLE), text]
        if _TOPIC.fullmatch(text):
            return text
        return [ORIGINS.index(Origin.HANDLE), text] if (Origin.HANDLE, text) in self.told else None

    def _relation(self, read: Mapping[str, Any]) -> Any:
        label = read.get("relation")
        if not isinstance(label, str):
            return None
        open_label = read.get("shown") is True and (Origin.RELATION, label) in self.told
        return [ORIGINS.index(Origin.RELATION), label] if open_label or self.revealed else None

    def _answer(self, answer: Mapping[str, Any], place: int, items: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Segments, and whether the answer stands in the evidence; null where it is left out."""
        text = answer.get("as")
        if self.revealed:
            return [
                self._restored(answer, str(items[place]["text"]) if place < len(items) else ""),
                self._evident(answer),
            ]
        if answer.get("kind") == "text":
            return [self.spoken(text) if isinstance(text, str) else [_MASK], False]
        shown = self._reference(text) if isinstance(text, str) else None
        return [[_MASK], None] if shown is None else [[shown], self._evident(answer)]

    def _restored(self, answer: Mapping[str, Any], restored: str) -> list[Any]:
        """A handle, beside which the page writes what it stood for; else the restored answer."""
        text = answer.get("as")
        is_handle = answer.get("kind") != "text" and isinstance(text, str) and not _NUMBERED.fullmatch(text)
        return [self._reference(str(text))] if is_handle else [restored]

    @staticmethod
    def _evident(answer: Mapping[str, Any]) -> bool:
        return answer.get("in_evidence") is True
