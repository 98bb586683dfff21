"""Lists in replies: relation labels, numbers of shown items, free texts.

Models number what should be a list, put bullets, fences or scores to it, double or forget its brackets, and stop in the
middle. Whatever is not known is dropped and counted; nothing here raises on any text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench_methods.common.cleaning import marked_lines, unquoted, without_fences, without_reasoning
from kgbench_methods.common.json_replies import JsonValue, json_lists, strings_in
from kgbench_methods.common.labels import find_labels, weight_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Items of a list that is no JSON: quoted with either quote, or bare up to a separator.
_ITEM = re.compile(r"""\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')\s*(?=[,;\n]|$)|([^,;\n]+)""")
_BRACKETS = re.compile(r"\[([^\[\]]*)(?:\]|\Z)")
_LABEL_BRACKETS = str.maketrans("[]", "\ue000\ue001")
_BRACKETS_BACK = str.maketrans("\ue000\ue001", "[]")
_SCORE_NOTE = re.compile(r"[(\[{] ?(?:score|weight|relevance)? ?[:=]? ?[\d.,]+ ?%? ?[)\]}]+$", re.IGNORECASE)
_INTEGER = re.compile(r"(?<![\w.\-])\d{1,4}(?!\w|\.\d|%)")
_LEADING_INTEGER = re.compile(r"[^\w\-]*(\d{1,4})(?!\w|\.\d|%)")
_LABEL_START = "\"'`*{[(<“‘ \t"
_AFTER_LABEL = re.compile(r"""["'`*}\])>”’]*\s*(?:$|[,;:|=({\[]|[-–—]+[\s>]|→)""")


@dataclass(frozen=True, slots=True)
class ChosenLabel:
    """A known label that a reply chose."""

    label: str
    weight: float | None = None
    """The number from 0 to 1 beside it, where the reply has one."""


@dataclass(frozen=True, slots=True)
class RelationReply:
    """What a reply chose from a list of labels."""

    chosen: tuple[ChosenLabel, ...] = ()
    """Best first, without repeats, at most as many as the limit allows."""
    unknown: int = 0
    """Items of the reply that are no known label: dropped."""
    form: str = "none"
    """Where the labels were found: ``list``, ``lines``, ``text`` or ``none``."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels alone."""
        return tuple(choice.label for choice in self.chosen)


@dataclass(frozen=True, slots=True)
class NumberReply:
    """Which numbered items a reply chose."""

    numbers: tuple[int, ...] = ()
    """Positions from 1, in the order of the reply, without repeats."""
    unknown: int = 0
    """Numbers that stand for no item: dropped."""


def parse_relations(reply: str, labels: Iterable[str], limit: int | None = None) -> RelationReply:
    """Read a list of relation labels, best first.

    The last bracketed list counts, an unclosed one up to the end of the text; else numbered or bulleted lines that begin
    with a label; else known labels that stand verbatim in the text, in order of appearance. Repeats go first, then the cut
    to ``limit``.

    Args:
        reply: any text.
        labels: the labels that the prompt showed.
        limit: most labels to keep.

    Returns:
        The choice; empty with form ``none`` where the reply has no known label.
    """
    known = {label: label for label in labels if label.strip()}
    text = without_reasoning(reply)
    readers = (("list", _from_brackets), ("lines", _from_lines), ("text", _from_text))
    unknown = 0
    for form, reader in readers:
        chosen, dropped = reader(text, known)
        unknown = max(unknown, dropped)
        if chosen:
            first = {choice.label: choice for choice in reversed(chosen)}
            distinct = [first[label] for label in dict.fromkeys(choice.label for choice in chosen)]
            return RelationReply(tuple(distinct[:limit]), unknown if form == "text" else dropped, form)
    return RelationReply(unknown=unknown)


def parse_numbers(reply: str, count: int, limit: int | None = None) -> NumberReply:
    """Read the numbers of chosen items, best first.

    The last bracketed list that has a number counts; else numbered or bulleted lines (the number that a line begins with,
    after its list mark if there is one); else all integers of the text.

    Args:
        reply: any text.
        count: how many items the prompt showed; they are numbered from 1.
        limit: most numbers to keep.
    """
    text = without_reasoning(reply)
    numbers = _bracketed_numbers(text) or _line_numbers(text, count) or _integers_in(text)
    distinct = list(dict.fromkeys(numbers))
    valid = [number for number in distinct if 1 <= number <= count]
    return NumberReply(tuple(valid[:limit]), len(distinct) - len(valid))


def list_items(reply: str) -> tuple[str, ...]:
    """Read a list of free texts, such as sub-questions: JSON, numbered or bulleted lines, or a bracketed list.

    Returns:
        The items in order without repeats, quotes and marks dropped; empty where the reply has no list.
    """
    text = without_reasoning(reply)
    for value in reversed(json_lists(text)):
        items = _distinct(strings_in(value))
        if items:
            return items
    items = _distinct(unquoted(content) for _, content in marked_lines(without_fences(text)))
    if items:
        return items
    segments = [segment for segment in _BRACKETS.findall(text) if segment.strip()]
    return _distinct(unquoted(item) for item in _loose_items(segments[-1])) if segments else ()


def write_list(texts: Sequence[str] | Sequence[int]) -> str:
    """Write a list as the prompts ask for it: JSON in one line."""
    return json.dumps(list(texts), ensure_ascii=False)


# --- Relations ---------------------------------------------------------------------------------------------------------


def _from_brackets(text: str, known: dict[str, str]) -> tuple[list[ChosenLabel], int]:
    """Labels of the last bracketed list that holds one, and how many of its items are unknown."""
    unknown = 0
    for items in (*_json_items(text), *_segment_items(text, known)):
        matched = [_match(item, known) for item in items]
        chosen = [choice for choice in matched if choice is not None]
        unknown = max(unknown, len(matched) - len(chosen))
        if chosen:
            return chosen, len(matched) - len(chosen)
    return [], unknown


def _json_items(text: str) -> Iterator[tuple[str, ...]]:
    for value in reversed(json_lists(text)):
        yield strings_in(value)


def _segment_items(text: str, known: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """Items of bracketed stretches that are no JSON, the last stretch first."""
    # Two labels of one name end in " [2]": these brackets are no list.
    for label in known:
        if "[" in label or "]" in label:
            text = text.replace(label, label.translate(_LABEL_BRACKETS))
    for segment in reversed(_BRACKETS.findall(text)):
        yield tuple(item.translate(_BRACKETS_BACK) for item in _loose_items(segment))


def _loose_items(segment: str) -> list[str]:
    items = ("".join(found).strip() for found in _ITEM.findall(segment))
    return [item for item in items if item]


def _match(item: str, known: dict[str, str]) -> ChosenLabel | None:
    """Match one item of a list: the whole item is a label, but for quotes, a score, case and spaces."""
    if item in known:
        return ChosenLabel(item)
    lines = marked_lines(item)
    bare = " ".join(unquoted(lines[0][1] if len(lines) == 1 else item).split())
    note = _SCORE_NOTE.search(bare)
    weight = weight_in(note.group()) if note else None
    name = unquoted((bare[: note.start()] if note else bare).strip("{}<>"))
    if name in known:
        return ChosenLabel(name, weight)
    alike = [label for label in known if label.casefold().split() == name.casefold().split()]
    return ChosenLabel(alike[0], weight) if len(alike) == 1 else None


def _from_lines(text: str, known: dict[str, str]) -> tuple[list[ChosenLabel], int]:
    """Labels that numbered or bulleted lines begin with, and how many of these lines have none."""
    lines = marked_lines(without_fences(text))
    chosen = [choice for _, line in lines if (choice := _line_choice(line, known)) is not None]
    return chosen, len(lines) - len(chosen)


def _line_choice(line: str, known: dict[str, str]) -> ChosenLabel | None:
    skipped = len(line) - len(line.lstrip(_LABEL_START))
    for found in find_labels(line, known):
        if found.start <= skipped and _AFTER_LABEL.match(line, found.end):
            return ChosenLabel(found.label, weight_in(line[found.end :]))
    return None


def _from_text(text: str, known: dict[str, str]) -> tuple[list[ChosenLabel], int]:
    """Labels anywhere in the text, each with the number that follows it in its line; no item can be unknown here."""
    found = find_labels(text, known)
    ends = [match.start for match in found[1:]] + [len(text)]
    return [
        ChosenLabel(match.label, weight_in(text[match.end : end].split("\n", 1)[0]))
        for match, end in zip(found, ends, strict=False)
    ], 0


# --- Numbers -----------------------------------------------------------------------------------------------------------


def _bracketed_numbers(text: str) -> list[int]:
    lists = [numbers for value in json_lists(text) if (numbers := _integers(value))]
    if not lists:
        lists = [numbers for segment in _BRACKETS.findall(text) if (numbers := _integers_in(segment))]
    if all(len(numbers) == 1 for numbers in lists):
        return [number for numbers in lists for number in numbers]  # "[3] and [1]": one list, bracket by bracket
    return lists[-1]


def _integers_in(text: str) -> list[int]:
    return [int(found) for found in _INTEGER.findall(text)]


def _integers(values: JsonValue) -> list[int]:
    """Integers of a decoded list, those in strings and in lists inside it included."""
    found: list[int] = []
    waiting = [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, str):
            found.extend(int(digits) for digits in _LEADING_INTEGER.findall(value)[:1])
        elif isinstance(value, int) and not isinstance(value, bool):
            found.append(value)
    return found


def _line_numbers(text: str, count: int) -> list[int]:
    """Numbers that list lines begin with: behind the list marks where all lines have one there, else the marks."""
    lines = marked_lines(without_fences(text))
    inside = [int(match.group(1)) for _, line in lines if (match := _LEADING_INTEGER.match(line)) is not None]
    if len(inside) == len(lines) and any(1 <= number <= count for number in inside):
        return inside
    return [number for number, _ in lines if number is not None]


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in (text.strip() for text in texts) if text))
