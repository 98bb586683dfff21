"""JSON in replies, read with tolerance and without evaluating anything.

Models wrap JSON in prose and fences, double its braces, use single quotes, or stop in the middle of it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kgbench_methods.common.cleaning import unquoted, without_reasoning

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_STARTS = 200
"""Opening brackets that are tried; a reply that has more holds no list that a prompt asked for."""
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_DECODER = json.JSONDecoder()

JsonValue = Any
"""Whatever JSON can hold."""


def json_lists(reply: str) -> tuple[list[JsonValue], ...]:
    """Return the JSON lists of a reply in order; a list inside another one is not listed again."""
    return tuple(value for value in _values(without_reasoning(reply), "[") if isinstance(value, list))


def json_list(reply: str) -> list[JsonValue] | None:
    """Return the last JSON list of a reply, or None."""
    lists = json_lists(reply)
    return lists[-1] if lists else None


def json_objects(reply: str) -> tuple[dict[str, JsonValue], ...]:
    """Return the JSON objects of a reply in order; an object inside another one is not listed again."""
    return tuple(value for value in _values(without_reasoning(reply), "{") if isinstance(value, dict))


def json_object(reply: str, keys: Sequence[str] = ()) -> dict[str, JsonValue] | None:
    """Return the first JSON object of a reply that has one of the keys.

    Where nothing decodes, the values of ``keys`` are read one by one, as far as the reply has them: single quotes, missing
    quotes and a missing end do no harm. Keys are compared without regard to case.

    Args:
        reply: any text.
        keys: keys in lower case; empty to take the first object whatever it holds.

    Returns:
        The object with its keys in lower case, or None where no key was found.
    """
    text = without_reasoning(reply)
    for value in _values(text, "{"):
        if isinstance(value, dict):
            lowered = {key.strip().casefold(): item for key, item in value.items()}
            if not keys or any(key in lowered for key in keys):
                return lowered
    loose = {key: value for key in keys if (value := _loose_value(text, key)) is not None}
    return loose or None


def strings_in(value: JsonValue) -> tuple[str, ...]:
    """Return the strings of a decoded list: its items, and of each object in it the first string.

    Lists inside are flattened; numbers and all else are left out.
    """
    found: list[str] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, list):
            waiting.extend(reversed(item))
        elif isinstance(item, dict):
            waiting.extend([text for text in item.values() if isinstance(text, str)][:1])
    return tuple(found)


def _values(text: str, opening: str) -> Iterator[JsonValue]:
    """Decode at each opening bracket that stands outside what was decoded before."""
    start = text.find(opening)
    for _ in range(_MOST_STARTS):
        if start < 0:
            return
        end = start + 1
        try:
            decoded, after = _DECODER.raw_decode(text, start)
            value = _without_surrogates(decoded)
        except (ValueError, RecursionError):
            pass  # no JSON from here on, or nested too deep: the next bracket may begin some
        else:
            end = after
            yield value
        start = text.find(opening, end)


def _without_surrogates(value: JsonValue) -> JsonValue:
    """Replace halves of surrogate pairs, which JSON can hold and no file can."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return value


def _loose_value(text: str, key: str) -> str | None:
    """Read the value behind ``key:`` up to the quote, comma, bracket or line end that closes it."""
    label = re.search(rf"(?<!\w)[\"'`*]{{0,3}}{re.escape(key)}[\"'`*]{{0,3}}\s*[:=]\s*", text, re.IGNORECASE)
    if label is None:
        return None
    rest = text[label.end() :]
    quote = rest[:1]
    if quote and quote in "\"'`":
        closed = re.match(rf"{quote}((?:[^{quote}\\]|\\.)*){quote}", rest, re.DOTALL)
        if closed:
            return closed.group(1).strip()
    return unquoted(re.split(r"[,{}\[\]\n]", rest, maxsplit=1)[0]).strip("\"'`") or None
