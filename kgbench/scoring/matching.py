"""The strict match: which gold answers an answer item stands for. No substrings.

Rules, per item and gold answer: (a) the gold's id is known and the item stands for ids: equal ids, names are not
consulted, so that homonyms stay different; (b) a literal gold: typed equality; (c) else equal text keys of the item
(an entity's local name) and a gold name or alias.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from kgbench.scoring.normalise import TypedValue, parse_date, text_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kgbench.types import AnswerItem, Gold, GoldAnswer

HANDLE = re.compile(r"\b[mg]\.[0-9a-z_]+\b")
"""A Freebase id, or a keyed handle, which has the same shape."""
HANDLE_WITH_NOTE = re.compile(rf"{HANDLE.pattern}(?:\s*\([^()]*\))?")
"""A handle with the type note that prompts show behind it."""

PLACEHOLDER_NAMES = frozenset({"null", "unname entity", "unnameentity", "unnamed entity"})
"""Text keys of what data sets write in place of a missing name; they name nothing."""

_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True)
class GoldIndex:
    """The gold answers of one question, ready for lookup. Numbers are positions of distinct gold answers."""

    size: int
    """Distinct gold answers."""
    position: tuple[int, ...]
    """For each answer of the gold record, the position of the distinct answer that it is."""
    by_id: Mapping[str, frozenset[int]]
    by_name: Mapping[str, frozenset[int]]
    """Text key of a name or alias -> gold answers."""
    by_name_without_id: Mapping[str, frozenset[int]]
    """The same for gold answers without an id."""
    values: tuple[tuple[int, TypedValue], ...]
    """Literal gold answers, and answers given by name alone whose name is a date."""

    def matched(self, item: AnswerItem, year_is_enough: bool) -> frozenset[int]:
        """Return the gold answers that an item stands for.

        Args:
            item: one answer item; a text with two ids names homonyms and stands for both.
            year_is_enough: the question asks for a year.
        """
        if is_unresolved(item):
            return _NONE
        found = set(self.matched_by_id(item))
        by_name = self.by_name_without_id if item.ids else self.by_name
        found |= by_name.get(text_key(item.text), _NONE)
        found.update(position for position, value in self.values if value.equals(item.text, year_is_enough))
        return frozenset(found)

    def matched_by_id(self, item: AnswerItem) -> frozenset[int]:
        """Return the gold answers that an item stands for by its ids alone."""
        return _NONE.union(*(self.by_id.get(entity_id, _NONE) for entity_id in item.ids))


def is_unresolved(item: AnswerItem) -> bool:
    """True for a handle or id that was not issued in its question: it names nothing, whatever the gold holds."""
    return not item.ids and HANDLE_WITH_NOTE.fullmatch(item.text.strip()) is not None


@lru_cache(maxsize=64)
def gold_index(gold: Gold, aliases: bool) -> GoldIndex:
    """Index the gold answers of a question.

    Args:
        gold: the gold record.
        aliases: whether a gold answer's aliases count as its names.

    Raises:
        TypeError: the answers are a string, which would be read letter by letter.
    """
    check_answers(gold)
    positions: dict[tuple[object, ...], int] = {}
    position = tuple(positions.setdefault(_identity(answer), len(positions)) for answer in gold.answers)
    pairs = list(zip(position, gold.answers, strict=True))
    without_id = [(place, answer) for place, answer in pairs if answer.id is None]
    return GoldIndex(
        size=len(positions),
        position=position,
        by_id=_grouped((answer.id, place) for place, answer in pairs if answer.id is not None),
        by_name=_grouped((key, place) for place, answer in pairs for key in _name_keys(answer, aliases)),
        by_name_without_id=_grouped(
            (key, place) for place, answer in without_id for key in _name_keys(answer, aliases)
        ),
        values=tuple(_values(pairs)),
    )


def check_answers(gold: Gold) -> None:
    """Refuse a string in place of the list of gold answers.

    Raises:
        TypeError: the answers are a string.
    """
    if isinstance(cast("object", gold.answers), str):
        raise TypeError(f"the gold answers of question {gold.question_id} are a string; give a list of answers")


def _identity(answer: GoldAnswer) -> tuple[object, ...]:
    if answer.id is not None:
        return ("id", answer.id)
    if answer.value is not None:
        return ("value", *TypedValue.read(answer.value, answer.datatype).identity)
    return ("name", text_key(answer.name or ""))


def _name_keys(answer: GoldAnswer, aliases: bool) -> list[str]:
    names = answer.names if aliases else (answer.name or "",)
    return [key for key in map(text_key, names) if key and key not in PLACEHOLDER_NAMES]


def _values(pairs: Iterable[tuple[int, GoldAnswer]]) -> list[tuple[int, TypedValue]]:
    values = []
    for place, answer in pairs:
        if answer.value is not None:
            values.append((place, TypedValue.read(answer.value, answer.datatype)))
        elif answer.id is None and answer.name and parse_date(answer.name):
            values.append((place, TypedValue.read(answer.name)))
    return values


def _grouped(pairs: Iterable[tuple[str, int]]) -> dict[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for key, place in pairs:
        groups.setdefault(key, set()).add(place)
    return {key: frozenset(places) for key, places in groups.items()}
