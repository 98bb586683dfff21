"""Filters over tags: `answerable=exact,hops>=2`."""

from __future__ import annotations

import difflib
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.types import QuestionRecord

_CONDITION = re.compile(r"\s*(?P<tag>[^\s=!<>,]+)\s*(?P<operator>!=|<=|>=|=|<|>)\s*(?P<value>.*?)\s*", re.DOTALL)
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

Scalar = str | bool | int | float | None


@dataclass(frozen=True)
class Condition:
    """One comparison of a tag with a value."""

    tag: str
    operator: str
    value: str

    def holds(self, record: QuestionRecord) -> bool:
        """Tells whether a record meets the condition. A record that lacks the tag meets `!=` alone."""
        if self.tag not in record.tags:
            return self.operator == "!="
        value = record.tags[self.tag]
        if self.operator == "=":
            return _equal(value, self.value)
        if self.operator == "!=":
            return not _equal(value, self.value)
        number = _number(value)
        wanted = _number(self.value)
        return number is not None and wanted is not None and _COMPARISONS[self.operator](number, wanted)


def filter_records(records: Sequence[QuestionRecord], where: str) -> tuple[QuestionRecord, ...]:
    """The records that meet every condition, in their order.

    Args:
        records: of one data set.
        where: conditions joined by `,`; each a tag, one of `=`, `!=`, `<`, `<=`, `>`, `>=`, and a value. Numbers are
            compared by value, with `<` and its kin only numbers; everything else as text. `null`, `true` and `false` are
            written so. Blank: every record.

    Raises:
        UsageError: not of this form, a tag that no record has, or a comparison that the tag does not allow.
    """
    conditions = parse_conditions(where)
    for condition in conditions:
        _require_usable(condition, records)
    return tuple(record for record in records if all(condition.holds(record) for condition in conditions))


def parse_conditions(where: str) -> tuple[Condition, ...]:
    """Reads a filter.

    Raises:
        UsageError: a part that is no condition.
    """
    parts = [part for part in where.split(",") if part.strip()]
    return tuple(_condition(part) for part in parts)


def _condition(part: str) -> Condition:
    match = _CONDITION.fullmatch(part)
    if match is None:
        raise UsageError(
            f'"{part.strip()}" is no condition: write TAG=VALUE, or with !=, <, <=, >, >=; join several by commas'
        )
    return Condition(match["tag"], match["operator"], match["value"])


def _require_usable(condition: Condition, records: Sequence[QuestionRecord]) -> None:
    values = [record.tags[condition.tag] for record in records if condition.tag in record.tags]
    if not values and records:
        raise _unknown_tag(condition.tag, records)
    if any(isinstance(value, list | dict) for value in values):
        raise UsageError(f'the tag "{condition.tag}" holds lists or objects and cannot be compared')
    if condition.operator in _COMPARISONS:
        if _number(condition.value) is None:
            raise UsageError(f'"{condition.operator}" compares numbers, and "{condition.value}" is none')
        if values and all(_number(value) is None for value in values):
            raise UsageError(f'the tag "{condition.tag}" holds no numbers; compare it with = or !=')


def _unknown_tag(tag: str, records: Sequence[QuestionRecord]) -> UsageError:
    known = sorted(
        {name for record in records for name, value in record.tags.items() if not isinstance(value, list | dict)}
    )
    near = difflib.get_close_matches(tag, known, n=1)
    hint = f'; did you mean "{near[0]}"?' if near else ""
    listing = f"tags to filter by: {', '.join(known)}" if known else "the records have no tags"
    return UsageError(f'no record has the tag "{tag}"{hint} ({listing})')


def _equal(value: Scalar, wanted: str) -> bool:
    number, wanted_number = _number(value), _number(wanted)
    if number is not None and wanted_number is not None:
        return number == wanted_number
    return _text(value) == wanted


def _text(value: Scalar) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _number(value: Scalar) -> float | None:
    if value is None or isinstance(value, bool):
        return None
    try:
        return float(value)
    except ValueError:
        return None
