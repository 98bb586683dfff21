"""Normal forms in which answers are compared: text keys, numbers, dates.

Text keys rest on :func:`kgbench.text.norm`. Numbers are compared by value, dates by their known parts, so that
``March 4, 1841`` and ``1841-03-04`` are one date and ``five`` and ``5`` one number.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache

from kgbench.text import norm

DateParts = tuple[int, ...]
"""(year), (year, month) or (year, month, day); years before Christ are negative."""

NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen twenty""".split()
    )
}

_MONTH_NAMES = "january february march april may june july august september october november december".split()
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}

_QUOTED = re.compile(r'"(?P<body>.*)"(?:\^\^\S+|@[A-Za-z][A-Za-z0-9-]*)?', re.DOTALL)
_XSD_SUFFIX = re.compile(r"\^\^\S+$")
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,3}(?P<separator>[, '’])[0-9]{3}(?:(?P=separator)[0-9]{3})*|[0-9]+|(?=\.[0-9]))"
    r"(?:\.[0-9]*)?(?:e[+-]?[0-9]{1,3})?"
)
_SEPARATOR = re.compile(r"[, '’]")
_LONGEST_NUMBER = 60
_EXACT = Context(prec=2 * _LONGEST_NUMBER)

_ZONE = r"(?:z|[+-][0-9]{2}:[0-9]{2})?"
_ISO_DATE = re.compile(
    rf"(?P<year>-?[0-9]{{4}})(?:-(?P<month>[0-9]{{2}})(?:-(?P<day>[0-9]{{2}})(?:t[0-9:.]+)?)?)?{_ZONE}"
)
_YEAR_FIRST = re.compile(r"(?P<year>[0-9]{4})[/.](?P<month>[0-9]{1,2})[/.](?P<day>[0-9]{1,2})")
_YEAR_LAST = re.compile(r"(?P<first>[0-9]{1,2})[/.-](?P<second>[0-9]{1,2})[/.-](?P<year>[0-9]{4})")
_ORDINAL = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR_WORDS = r"(?:(?:ad )?(?P<year>[0-9]{1,4})(?P<era> (?:bc|bce|ad|ce))?)"
_MONTH_WORD = r"(?P<month>[a-z]{3,9})"
_WRITTEN_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_MONTH_WORD} (?:the )?{_ORDINAL} {_YEAR_WORDS}",
        rf"(?:the )?{_ORDINAL} (?:of )?{_MONTH_WORD} {_YEAR_WORDS}",
        rf"{_MONTH_WORD} (?:of )?{_YEAR_WORDS}",
        rf"(?P<year>[0-9]{{4}}) {_MONTH_WORD} {_ORDINAL}",
        r"(?P<year>[0-9]{1,4})(?P<era> (?:bc|bce|ad|ce))",
        r"ad (?P<year>[0-9]{1,4})",
    )
)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_NUMBER_TYPES = frozenset(
    """integer decimal float double int long short byte nonnegativeinteger positiveinteger nonpositiveinteger
    negativeinteger unsignedint unsignedlong unsignedshort unsignedbyte""".split()
)
_DATE_TYPES = frozenset("date datetime datetimestamp gyear gyearmonth".split())


def lexical(text: str) -> str:
    """Return the value of a text that may be written as an RDF literal: ``"5"^^xsd:integer`` and ``5`` are both ``5``."""
    stripped = text.strip()
    quoted = _QUOTED.fullmatch(stripped)
    return quoted["body"] if quoted else _XSD_SUFFIX.sub("", stripped)


@lru_cache(maxsize=100_000)
def parse_number(text: str) -> Decimal | None:
    """Return the number that a whole text writes, or None.

    Separators of thousands and an XSD suffix are dropped; number words from zero to twenty are read.
    """
    value = unicodedata.normalize("NFKC", lexical(text)).strip().casefold().replace("−", "-")
    if value in NUMBER_WORDS:
        return Decimal(NUMBER_WORDS[value])
    if len(value) > _LONGEST_NUMBER or not _NUMBER.fullmatch(value):
        return None
    return _EXACT.normalize(Decimal(_SEPARATOR.sub("", value))) or Decimal(0)


@lru_cache(maxsize=100_000)
def parse_date(text: str) -> DateParts | None:
    """Return the known parts of the date that a whole text writes, or None.

    ISO 8601 and XSD forms, ``1841/3/4``, ``4/13/1841`` where only one order of day and month is possible, and English
    forms such as ``March 4th, 1841``, ``4 Mar 1841``, ``March 1841``, ``44 BC``. A bare number of four digits is a year.
    """
    value = unicodedata.normalize("NFKC", lexical(text)).strip().casefold()
    if len(value) > _LONGEST_NUMBER:
        return None
    match = _ISO_DATE.fullmatch(value) or _YEAR_FIRST.fullmatch(value)
    if match:
        return _checked(match["year"], match["month"], match["day"])
    match = _YEAR_LAST.fullmatch(value)
    if match:
        return _day_and_month_in_either_order(match)
    return _written_date(value)


def asks_for_year(question: str) -> bool:
    """Tell whether a question asks for a year, so that a date answers it by its year alone."""
    words = " ".join(question.casefold().split())
    return "what year" in words or "which year" in words


@lru_cache(maxsize=100_000)
def text_key(text: str) -> str:
    """Return the form in which texts are compared; only a blank text has an empty key.

    Numbers are keyed by value: dropping punctuation would make ``1.5`` and ``15`` one text. A name of nothing but
    punctuation or articles keeps its characters, since an empty key would match nothing.
    """
    number = parse_number(text)
    if number is not None:
        return f"#{number}"
    return norm(text) or " ".join(text.casefold().split())


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A literal gold answer, read once by its datatype."""

    number: Decimal | None
    date: DateParts | None
    key: str
    """Text key; decides only where the value is neither a number nor a date."""

    @classmethod
    def read(cls, value: str, datatype: str = "") -> TypedValue:
        """Read a value; without a datatype (or as a string) it may be both a number and a year."""
        kind = _local_name(datatype)
        if kind in _NUMBER_TYPES:
            return cls(parse_number(value), None, text_key(value))
        if kind in _DATE_TYPES:
            return cls(None, parse_date(value), text_key(value))
        if kind == "boolean":
            return cls(None, None, _boolean_key(value))
        return cls(parse_number(value), parse_date(value), text_key(lexical(value)))

    @property
    def identity(self) -> tuple[object, ...]:
        """Equal for two golds that are one value."""
        return (self.number, self.date) if self.number is not None or self.date is not None else (self.key,)

    def equals(self, text: str, year_is_enough: bool) -> bool:
        """Tell whether a predicted text is this value.

        Args:
            text: the prediction.
            year_is_enough: the question asks for a year, so that equal years decide.
        """
        if self.number is not None and parse_number(text) == self.number:
            return True
        if self.date is not None:
            return same_date(parse_date(text), self.date, year_is_enough)
        return self.number is None and text_key(lexical(text)) == self.key != ""


def same_date(predicted: DateParts | None, gold: DateParts, year_is_enough: bool) -> bool:
    """Tell whether a predicted date is at least as precise as the gold and agrees with it in all that the gold says."""
    if predicted is None:
        return False
    if year_is_enough:
        return predicted[0] == gold[0]
    return predicted[: len(gold)] == gold


def _written_date(value: str) -> DateParts | None:
    words = " ".join(value.replace(",", " ").replace(".", " ").split())
    for pattern in _WRITTEN_DATES:
        match = pattern.fullmatch(words)
        if not match:
            continue
        parts = match.groupdict()
        month = parts.get("month")
        if month is not None and month not in _MONTHS:
            continue
        before_christ = (parts.get("era") or "").strip() in ("bc", "bce")
        year = f"-{parts['year']}" if before_christ else parts["year"]
        return _checked(year, str(_MONTHS[month]) if month else None, parts.get("day"))
    return None


def _day_and_month_in_either_order(match: re.Match[str]) -> DateParts | None:
    readings = {
        _checked(match["year"], match["first"], match["second"]),
        _checked(match["year"], match["second"], match["first"]),
    } - {None}
    return readings.pop() if len(readings) == 1 else None


def _checked(year: str, month: str | None, day: str | None) -> DateParts | None:
    parts = tuple(int(part) for part in (year, month, day) if part is not None)
    if len(parts) > 1 and not 1 <= parts[1] <= 12:
        return None
    if len(parts) > 2 and not 1 <= parts[2] <= _DAYS[parts[1] - 1]:
        return None
    return parts


def _boolean_key(value: str) -> str:
    return {"1": "true", "0": "false"}.get(lexical(value).strip(), text_key(value))


def _local_name(datatype: str) -> str:
    return re.split(r"[#/:]", datatype)[-1].casefold()
