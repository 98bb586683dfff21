"""Reading PoG's replies. Nothing is evaluated and nothing raises, whatever the text; None is a reply without the form.

Two readings stand side by side: a tolerant one, and an exact one (quirks B1 and B2), which takes no more than the
patterns of the published code and its reading of a list as a literal would.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgbench.text import norm
from kgbench_methods.common.answers import is_abstention
from kgbench_methods.common.cleaning import unquoted, without_reasoning
from kgbench_methods.common.json_replies import json_list, json_objects, strings_in
from kgbench_methods.common.lists import list_items, parse_numbers, parse_relations, write_list

if TYPE_CHECKING:
    from collections.abc import Sequence

_STRING = r"""(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")"""
_LITERAL_LIST = re.compile(rf"\[\s*(?:{_STRING}\s*(?:,\s*{_STRING}\s*)*,?\s*)?\]")
_ESCAPE = re.compile(r"\\(.)")
_QUOTED_VALUE = re.compile(r"\s*([\"'])(.*?)(?:\1(?=\s*(?:[,}\]]|\Z))|\Z)", re.DOTALL)
_LIST_VALUE = re.compile(r"\s*(\[[^\]]*\]?)")
_FULL_LIST = re.compile(r"\[[^\]]+\]")
_BARE_VALUE = re.compile(r"\s*([^,{}\[\]\n]*)")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reply says of evidence."""

    yes: bool | None
    """Whether the evidence suffices; None where the reply does not say."""
    answers: tuple[str, ...] | None
    """Empty for "no answer"; None where the reply has no place for answers."""
    listed: bool = False
    """True where the answers stood in a list."""

    @property
    def as_one_text(self) -> str:
        """The answers as the published code keeps them: a list is its own spelling."""
        return str(list(self.answers or ())) if self.listed else "".join(self.answers or ())


@dataclass(frozen=True, slots=True)
class Correction:
    """Whether entities should be added back."""

    add: bool
    reason: str = ""


# --- Texts that are kept ----------------------------------------------------------------------------------------------


def read_objectives(reply: str) -> str | None:
    """The list of sub-objectives as text: from the first ``[`` to the last ``]``, else the items of a list of lines."""
    text = without_reasoning(reply)
    bracketed = _slice(text, "[", "]")
    if bracketed is not None:
        return bracketed if norm(bracketed) else None
    items = [item for item in list_items(text) if norm(item)]
    return write_list(items) if items else None


def read_memory(reply: str) -> str | None:
    """The memory as text: from the first ``{`` to the last ``}``; None where nothing is said in it."""
    braced = _slice(without_reasoning(reply), "{", "}")
    return braced if braced is not None and norm(braced) else None


def _slice(text: str, opening: str, closing: str) -> str | None:
    start, end = text.find(opening), text.rfind(closing)
    return text[start : end + 1] if 0 <= start < end else None


# --- Lists ------------------------------------------------------------------------------------------------------------


def read_labels(reply: str, labels: Sequence[str]) -> tuple[str, ...] | None:
    """Known relation labels of a reply; empty for a list that chooses none."""
    read = parse_relations(reply, labels)
    return read.labels if read.labels or _is_empty_list(reply) else None


def read_numbers(reply: str, count: int) -> tuple[int, ...] | None:
    """Numbers of the chosen items, of which the prompt showed ``count``; empty for a list that chooses none."""
    read = parse_numbers(reply, count)
    return read.numbers if read.numbers or _is_empty_list(reply) else None


def read_names(reply: str) -> tuple[str, ...] | None:
    """Items of a list of names; empty for a list that chooses none."""
    items = list_items(reply)
    return items if items or _is_empty_list(reply) else None


def exact_labels(reply: str, labels: Sequence[str]) -> tuple[str, ...] | None:
    """Known labels of the last bracketed list, read as a literal."""
    items = _literal_strings(_last_brackets(without_reasoning(reply)))
    return tuple(dict.fromkeys(item for item in items if item in labels)) if items is not None else None


def exact_names(reply: str, *, whole: bool = False) -> tuple[str, ...]:
    """Items of a list of names as the published code takes them: a literal, else cut at commas.

    Args:
        reply: any text.
        whole: from the first ``[`` to the last ``]``, not the last pair of brackets.
    """
    text = without_reasoning(reply)
    segment = _slice(text, "[", "]") or "" if whole else _last_brackets(text)
    items = _literal_strings(segment)
    if items is None:
        items = tuple(piece.strip().strip("'\"") for piece in segment.strip().strip("[]").split(", "))
    return tuple(dict.fromkeys(item for item in items if item))


def _last_brackets(text: str) -> str:
    start, end = text.rfind("["), text.rfind("]")
    return text[start : end + 1] if start < end else text


def _literal_strings(segment: str) -> tuple[str, ...] | None:
    """Strings of a list that holds quoted strings and nothing else; None for any other text."""
    if not _LITERAL_LIST.fullmatch(segment):
        return None
    return tuple(_ESCAPE.sub(r"\1", found[1:-1]) for found in re.findall(_STRING, segment))


def _is_empty_list(reply: str) -> bool:
    return json_list(reply) == []


# --- Verdicts ---------------------------------------------------------------------------------------------------------


def read_verdict(reply: str, word: str = "sufficient") -> Verdict | None:
    """Read ``{"A": {WORD: ..., "Answer": ...}, "R": ...}``, also flat, fenced, cut off or with single quotes.

    Args:
        reply: any text.
        word: key of the verdict, in lower case.

    Returns:
        None where the reply has neither a verdict nor an answer.
    """
    found = _object_with(reply, (word, "answer"), inside="a")
    if found:
        yes = _yes(found.get(word))
        given = found["answer"] if "answer" in found else ()
        answers = None if "answer" not in found else _answers(given)
        listed = isinstance(given, list)
    else:
        text = without_reasoning(reply)
        yes, value = _yes(_loose(text, word)), _loose(text, "answer")
        listed = value is not None and value.startswith("[")
        answers = None if value is None else _answers(list(list_items(value)) if listed else value)
    return Verdict(yes, answers, listed) if yes is not None or answers is not None else None


def exact_verdict(reply: str) -> Verdict | None:
    """Read a verdict by exact patterns: double quotes, and a string or a list that is not empty for the answer."""
    text = _slice(without_reasoning(reply), "{", "}") or ""
    sufficient, reason, answer = (_exact(text, key) for key in ("Sufficient", "R", "Answer"))
    items = _exact_list(text, "Answer") if answer is None else None
    if sufficient is None or reason is None or (answer is None and items is None):
        return None
    answers = _answers(answer if items is None else list(list_items(items)))
    return Verdict("yes" in sufficient.casefold(), answers, items is not None)


def read_correction(reply: str) -> Correction | None:
    """Read ``{"Add": ..., "Reason": ...}`` with the same tolerance; None where the reply does not say yes or no."""
    text = without_reasoning(reply)
    found = _object_with(reply, ("add",)) or {}
    add = _yes(found.get("add") if found else _loose(text, "add"))
    reason = found.get("reason") if found else _loose(text, "reason")
    return None if add is None else Correction(add, reason.strip() if isinstance(reason, str) else "")


def exact_correction(reply: str) -> Correction | None:
    """Read a correction by exact patterns: both keys, in double quotes."""
    text = _slice(without_reasoning(reply), "{", "}") or ""
    add, reason = _exact(text, "Add"), _exact(text, "Reason")
    return None if add is None or reason is None else Correction("yes" in add.casefold(), reason)


def _exact(text: str, key: str) -> str | None:
    found = re.search(rf'"{key}"\s*:\s*"([^"]*)"', text)
    return found.group(1) if found else None


def _exact_list(text: str, key: str) -> str | None:
    label = re.search(rf'"{key}"\s*:\s*', text)
    items = _FULL_LIST.match(text, label.end()) if label else None
    return items.group() if items else None


def _object_with(reply: str, keys: Sequence[str], inside: str = "") -> dict[str, Any] | None:
    """The first JSON object with one of the keys, itself or under the key ``inside``; its keys in lower case."""
    for value in json_objects(reply):
        lowered = _lowered(value)
        inner = lowered.get(inside)
        candidate = _lowered(inner) if isinstance(inner, dict) else lowered
        if any(key in candidate for key in keys):
            return candidate
    return None


def _lowered(value: dict[str, Any]) -> dict[str, Any]:
    return {key.strip().casefold(): item for key, item in value.items()}


def _yes(value: Any) -> bool | None:
    """Read yes or no; None for anything else."""
    if isinstance(value, bool):
        return value
    words = norm(value).split()[:1] if isinstance(value, str) else []
    return {"yes": True, "true": True, "no": False, "false": False}.get(words[0]) if words else None


def _answers(value: Any) -> tuple[str, ...]:
    """Answers in order, each once; null, an empty text and words for "unknown" are none."""
    if isinstance(value, (bool, int, float)):
        value = str(value)
    texts = strings_in(_numbers_as_texts(value) if isinstance(value, list) else [value])
    return tuple(dict.fromkeys(text.strip() for text in texts if not is_abstention(text)))


def _numbers_as_texts(values: list[Any]) -> list[Any]:
    return [
        str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value for value in values
    ]


def _loose(text: str, key: str) -> str | None:
    """The value behind a key as text, as far as a reply that is no JSON has it; a list keeps its brackets."""
    label = re.search(rf"(?<!\w)[\"'`*]{{0,3}}{key}[\"'`*]{{0,3}}\s*[:=]", text, re.IGNORECASE)
    if label is None:
        return None
    items = _LIST_VALUE.match(text, label.end())
    if items:
        return items.group(1)
    quoted = _QUOTED_VALUE.match(text, label.end())
    if quoted:
        return quoted.group(2).strip()
    bare = _BARE_VALUE.match(text, label.end())
    return unquoted(bare.group(1)) if bare else None
