"""Predictions that are a text alone, such as another project's result file.

Their items are read once, in a fixed order of forms. Commas split only where the question's own entity names tell that a
comma does not belong to a name; gold names are never consulted.
"""

from __future__ import annotations

import json
import re
from ast import literal_eval
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kgbench.scoring.abstention import abstains
from kgbench.scoring.matching import HANDLE, HANDLE_WITH_NOTE
from kgbench.scoring.normalise import parse_date, parse_number, text_key
from kgbench.types import AnswerItem, RestoredPrediction, Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench.types import NodeNames

FOREIGN_TEXT = "foreign_text"
"""Flag of a prediction that came as text alone."""
NO_PARSE = "no_parse"
UNKNOWN_HANDLE = "unknown_handle"
AMBIGUOUS = "ambiguous"

_BRACES = re.compile(r"\{([^{}]*)\}")
_FINISH = re.compile(r"\bFinish\s*\[(.*)\]", re.IGNORECASE)
_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_ANSWER_KEYS = ("answers", "answer", "a", "name")
_SEPARATORS = re.compile(r"[|;\n]")
_COMMAS = re.compile(r",\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_OBJECT = re.compile(r"\{\s*\"")
_LONGEST_LIST = 100_000
_MOST_PARTS = 8
"""Most pieces that one name is looked for in; bounds the work on a reply that is a long list."""
_NO_JSON: Any = object()
_NO_ANSWER: Any = object()
"""A JSON object that has no place for an answer."""


@dataclass(frozen=True)
class LocalNames:
    """The entities that a foreign prediction's question has of its own: those of its evidence or of the run's map."""

    by_id: Mapping[str, NodeNames] = field(default_factory=dict)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every name and alias."""
        return tuple(text for names in self.by_id.values() for text in (names.name, *names.aliases) if text)

    @cached_property
    def by_name(self) -> Mapping[str, tuple[str, ...]]:
        """Text key of a name -> ids of the entities that have it; two are homonyms."""
        named: dict[str, list[str]] = {}
        for entity_id in sorted(self.by_id):
            name = self.by_id[entity_id].name
            if name:
                named.setdefault(text_key(name), []).append(entity_id)
        return {key: tuple(ids) for key, ids in named.items()}

    def restore(self, text: str) -> str:
        """Replace each known id, and the type note behind it, by the entity's name; names are never read again."""
        return HANDLE_WITH_NOTE.sub(self._shown, text)

    def item(self, text: str) -> AnswerItem:
        """Read one answer: a known id, else a name of the question's own, else plain text."""
        handle = HANDLE.match(text) if HANDLE_WITH_NOTE.fullmatch(text) else None
        ids = self.by_name.get(text_key(text), ())
        if handle:
            ids = (handle.group(),) if handle.group() in self.by_id else ()
        if not ids:
            return AnswerItem(kind="text", text=text)
        names = self.by_id[ids[0]]
        return AnswerItem(
            kind="entity" if len(ids) == 1 else "text",
            text=names.name or ids[0],
            ids=ids,
            aliases=names.aliases,
            in_evidence=True,
        )

    def _shown(self, match: re.Match[str]) -> str:
        handle = HANDLE.match(match.group())
        names = self.by_id.get(handle.group()) if handle else None
        return names.name if names and names.name else match.group()


def foreign_prediction(
    text: str, names: Mapping[str, NodeNames] | None = None, source: Source = Source.MODEL
) -> RestoredPrediction:
    """Read a prediction that is a text alone.

    Forms, in this order: JSON or a list; brace groups, yes and no dropped; ``Finish[...]``; else ``no_parse``: raw text
    is never matched.

    Args:
        text: the reply.
        names: the question's own entities by id: those of its evidence, or of the run's local map. Without them nothing
            is split at commas.
        source: where the answers came from.
    """
    local = LocalNames(names or {})
    known = _keys(local.texts)
    found = _read(text, known)
    flags = [FOREIGN_TEXT] if found else [FOREIGN_TEXT, NO_PARSE]
    strings = found.strings if found else ()
    if known and found and not found.delimited:
        strings = tuple(_trimmed(part) for string in strings for part in split_at(_COMMAS, string, known))
    items = [local.item(string) for string in strings if not abstains(string)]
    if any(not item.ids and HANDLE_WITH_NOTE.fullmatch(item.text) for item in items):
        flags.append(UNKNOWN_HANDLE)
    if any(len(item.ids) > 1 for item in items):
        flags.append(AMBIGUOUS)
    return RestoredPrediction(
        items=tuple(items), raw=local.restore(text), source=source, flags=tuple(flags), entity_names=local.texts
    )


def unsplit_items(prediction: RestoredPrediction) -> list[AnswerItem]:
    """Return a foreign prediction's items as they were before commas split them: an unsplit one is the item it became."""
    became = {text_key(item.text): item for item in reversed(prediction.items)}
    names = _keys((*prediction.entity_names, *(item.text for item in prediction.items)))
    found = _read(prediction.raw, names)
    strings = found.strings if found else ()
    return [became.get(text_key(string)) or AnswerItem(kind="text", text=string) for string in strings]


def split_at(separator: re.Pattern[str], text: str, known: frozenset[str]) -> list[str]:
    """Split a text, never inside a known name, a number, a date or a handle's type note.

    Args:
        separator: what stands between items.
        text: the text.
        known: text keys of names that may hold a separator.
    """
    bounds = [(match.start(), match.end()) for match in separator.finditer(text)]
    starts = [0, *(end for _, end in bounds)]
    ends = [*(start for start, _ in bounds), len(text)]
    parts = []
    first = 0
    while first < len(starts):
        longest = range(min(first + _MOST_PARTS, len(starts)) - 1, first, -1)
        last = next((last for last in longest if _is_whole(text[starts[first] : ends[last]], known)), first)
        parts.append(text[starts[first] : ends[last]])
        first = last + 1
    return [part.strip() for part in parts if part.strip()]


def _is_whole(text: str, known: frozenset[str]) -> bool:
    if HANDLE_WITH_NOTE.fullmatch(text) or text_key(text) in known:
        return True
    return parse_number(text) is not None or parse_date(text) is not None


def _keys(names: Sequence[str]) -> frozenset[str]:
    return frozenset(map(text_key, names))


@dataclass(frozen=True, slots=True)
class _Found:
    strings: tuple[str, ...]
    delimited: bool
    """True where the reply was a list, which says itself where an answer ends."""


def _read(text: str, known: frozenset[str] = frozenset()) -> _Found | None:
    """Return the answer strings of a reply, or None where it has none of the known forms."""
    answers = _from_json(text)
    if isinstance(answers, list):
        return _Found(tuple(_trimmed(_json_text(answer)) for answer in answers), delimited=True)
    if answers is _NO_JSON:
        groups = _from_braces(text) or _from_finish(text)
    else:
        groups = None if answers is _NO_ANSWER else [_json_text(answers)]
    if groups is None:
        return None
    strings = (_trimmed(part) for group in groups for part in split_at(_SEPARATORS, group, known))
    return _Found(tuple(strings), delimited=False)


def _from_json(text: str) -> Any:
    """Return the answer in a JSON reply: a list or a single value, or ``_NO_JSON`` or ``_NO_ANSWER``."""
    fence = _FENCE.search(text)
    body = (fence[1] if fence else text).strip()
    whole_list = body.startswith("[") and body.endswith("]")
    first_object = _OBJECT.search(body)
    if len(body) > _LONGEST_LIST or not (whole_list or first_object):
        return _NO_JSON
    try:
        value, _ = json.JSONDecoder().raw_decode(body, 0 if whole_list or not first_object else first_object.start())
    except (ValueError, RecursionError):
        value = _python_list(body) if whole_list else _NO_JSON
    return _answer_in(value)


def _answer_in(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    by_key = {str(key).casefold(): part for key, part in value.items()}
    for key in _ANSWER_KEYS:
        if key in by_key:
            return _answer_in(by_key[key])
    return _NO_ANSWER


def _python_list(text: str) -> Any:
    """Read a list that was printed by Python, with single quotes."""
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return _NO_JSON


def _json_text(value: Any) -> str:
    if isinstance(value, dict):
        value = next((value[key] for key in ("name", "answer", "value", "id", "mid") if key in value), "")
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _from_braces(text: str) -> list[str] | None:
    groups = [group for group in _BRACES.findall(text) if _trimmed(group).casefold() not in ("yes", "no")]
    return groups or None


def _from_finish(text: str) -> list[str] | None:
    match = _FINISH.search(text)
    return [match[1]] if match else None


def _trimmed(text: str) -> str:
    return text.strip().strip("\"'“”`*").strip().removesuffix(".").rstrip()
