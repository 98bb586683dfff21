"""Whether the text of a literal is a value of its datatype."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from kgbench_adapters.terms import INTEGER_TYPES, XSD

if TYPE_CHECKING:
    from kgbench.types import Literal

_ZONE = r"(?:Z|[+-]\d{2}:\d{2})?"
_YEAR = r"-?(?:[1-9]\d{3,}|0\d{3})"
_DAY = rf"(?P<year>{_YEAR})-(?P<month>\d{{2}})-(?P<day>\d{{2}})"
_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?"
_INTEGER = r"[+-]?\d+"
_DECIMAL = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_DOUBLE = rf"{_DECIMAL}(?:[eE][+-]?\d+)?|[+-]?INF|NaN"
_FORMS = {
    **dict.fromkeys(INTEGER_TYPES, _INTEGER),
    "decimal": _DECIMAL,
    "double": _DOUBLE,
    "float": _DOUBLE,
    "boolean": "true|false|0|1",
    "date": _DAY + _ZONE,
    "dateTime": rf"{_DAY}T(?:{_CLOCK}){_ZONE}",
    "time": rf"(?:{_CLOCK}){_ZONE}",
    "gYear": _YEAR + _ZONE,
    "gYearMonth": rf"{_YEAR}-(?:0[1-9]|1[0-2]){_ZONE}",
}
"""Local name of a datatype of XML Schema -> the form of its values; others are not judged."""
_COMPILED = {kind: re.compile(form, re.ASCII) for kind, form in _FORMS.items()}
_LEAP_YEAR = 2000
"""Stands for years that the standard library's calendar does not reach."""
_LOOKS_TYPED = re.compile(rf"{_DAY}(?:T(?:{_CLOCK}){_ZONE})?|[+-]?\d+(?:[.,]\d+)?|true|false", re.ASCII | re.IGNORECASE)


def fits(literal: Literal) -> bool:
    """Tell whether a literal's text is a value of its datatype; True for datatypes that are not judged.

    Forms are those of XML Schema 1.1 part 2, without the bounds of the sized integers.
    """
    if not literal.datatype.startswith(XSD):
        return True
    form = _COMPILED.get(literal.datatype.removeprefix(XSD))
    if form is None:
        return True
    match = form.fullmatch(literal.lexical.strip())
    if match is None:
        return False
    return "month" not in match.groupdict() or _is_day(match["year"], match["month"], match["day"])


def _is_day(year: str, month: str, day: str) -> bool:
    within = int(year) if len(year) == 4 and year != "0000" else _LEAP_YEAR
    try:
        date(within, int(month), int(day))
    except ValueError:
        return False
    return True


def looks_like_value(text: str) -> bool:
    """Tell whether a bare text reads like a date, a number or a boolean, and not like an id."""
    return _LOOKS_TYPED.fullmatch(text) is not None
