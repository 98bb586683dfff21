"""The agent's replies: a thought and an action, read with tolerance and written in the form that is read.

The form asked for is two lines, ``Thought: ...`` and ``Action: Search[a | b]``, ``Generate[...]`` or ``Finish[a | b]``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from kgbench_methods.common.answers import UNKNOWN, is_abstention
from kgbench_methods.common.cleaning import QUOTES, unquoted, without_reasoning

if TYPE_CHECKING:
    from collections.abc import Sequence


class Verb(StrEnum):
    """What an action does."""

    SEARCH = "search"
    GENERATE = "generate"
    FINISH = "finish"


class ActResult(Protocol):
    """Result of an ``act`` task, as a retrieval model gives it."""

    @property
    def verb(self) -> str:
        """``search`` or ``finish``."""

    @property
    def arguments(self) -> Sequence[str]:
        """What to search, or the answers."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thought and action of a reply."""

    thought: str
    """Without its label, on one line; empty where the reply has none."""
    verb: Verb
    content: str
    """What stands in the brackets, decoded."""
    arguments: tuple[str, ...]
    """The pieces of the content between ``|``, decoded, without quotes and repeats."""
    action: str
    """The action as the reply wrote it, such as ``Search[a | b]``."""
    is_unknown: bool = False
    """True for ``Finish[unknown]`` and its like."""


_VERB = re.compile(r"(?<!\w)(search|generate|finish)[ \t]*\[", re.IGNORECASE)
_ACTION_LABEL = re.compile(r"action[ \t]*\d{0,3}[ \t]*[*_]{0,3}[:.\-)]?[ \t\r\n*_`\"']{0,8}\Z", re.IGNORECASE)
_THOUGHT_LABEL = re.compile(r"(?<!\w)thought[ \t]*\d{0,3}[ \t]*[*_]{0,3}:[*_]{0,3}", re.IGNORECASE)
_OBSERVATION = re.compile(r"^[ \t*_#>]{0,8}observation\b", re.IGNORECASE | re.MULTILINE)
_MARKS = " \t\r\n*_`#>"
"""Marks of a layout at the ends of a thought, such as those before the label of the next line."""
_LABEL_ROOM = 40
"""Characters before a verb that may belong to its label."""
_ID = re.compile(r"[\s\"'`(*]*[mg]\.[0-9a-z_]+(?!\w)", re.IGNORECASE)

# What the parser reads as structure is written as \uXXXX, so that any name survives.
_STRUCTURE = re.compile(r"[\[\]|<\r\n\\]")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def read_step(reply: str, *, first: bool = False) -> Step | None:
    """Read a thought and an action.

    What follows the action's observation, if the model went on to invent one, is dropped.

    Args:
        reply: any text.
        first: take the first action of the reply (as published) instead of the last one.

    Returns:
        The step, or None where the reply has no action or searches nothing.
    """
    text = without_reasoning(reply)
    actions = _actions(text)
    if not actions:
        return None
    chosen = 0 if first else len(actions) - 1
    before = text[actions[chosen - 1].end if chosen else 0 : actions[chosen].start]
    return _step(before, actions[chosen], first=first)


def read_finish(reply: str) -> Step | None:
    """Read the first ``Finish[...]`` of a reply that wrote a whole trace at once, observations included."""
    text = without_reasoning(reply)
    finish = next((action for action in _found(text) if action.verb is Verb.FINISH), None)
    return _step("", finish) if finish is not None else None


def write_step(result: ActResult) -> str:
    """Write a step: the inverse of :func:`read_step`."""
    verb = Verb(result.verb)
    if verb is Verb.FINISH and tuple(result.arguments) in ((), (UNKNOWN,)):
        return write_unknown()
    thought = {
        Verb.SEARCH: "what these lead to is needed.",
        Verb.GENERATE: "the graph lacks this fact.",
        Verb.FINISH: "the facts found hold the answer.",
    }[verb]
    return f"Thought: {thought}\nAction: {verb.capitalize()}[{' | '.join(map(_escaped, result.arguments))}]"


def write_unknown(_: object = None) -> str:
    """Write the step of an agent that knows no answer and nothing more to do."""
    return f"Thought: no fact holds the answer.\nAction: Finish[{UNKNOWN}]"


def is_id(piece: str) -> bool:
    """True for a piece of a reply that begins with an id, such as ``m.0b7k2xq1 (event)``."""
    return _ID.match(piece) is not None


# --- Reading -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Action:
    verb: Verb
    start: int
    """Where its label begins, or its verb where it has none."""
    end: int
    text: str
    content: str
    labelled: bool


def _actions(text: str) -> list[_Action]:
    """Actions before the first observation that follows one; labelled ones alone where there are any."""
    found = _found(text)
    if found:
        observed = _OBSERVATION.search(text, found[0].end)
        found = [action for action in found if observed is None or action.start < observed.start()]
    labelled = [action for action in found if action.labelled]
    return labelled or found


def _found(text: str) -> list[_Action]:
    closing = _closing_brackets(text)
    found: list[_Action] = []
    for match in _VERB.finditer(text):
        if found and match.start() < found[-1].end:
            continue  # inside the brackets of another action
        opened = match.end() - 1
        closed = closing.get(opened)
        end = closed if closed is not None else _line_end(text, opened)
        label = _ACTION_LABEL.search(text, max(0, match.start() - _LABEL_ROOM), match.start())
        found.append(
            _Action(
                verb=Verb(match.group(1).casefold()),
                start=label.start() if label else match.start(),
                end=end + (closed is not None),
                text=text[match.start() : end + (closed is not None)],
                content=text[opened + 1 : end],
                labelled=label is not None,
            )
        )
    return found


def _closing_brackets(text: str) -> dict[int, int]:
    """Place of each opening bracket -> place of the one that closes it; unclosed ones are left out."""
    closing: dict[int, int] = {}
    waiting: list[int] = []
    for found in re.finditer(r"[\[\]]", text):
        if found.group() == "[":
            waiting.append(found.start())
        elif waiting:
            closing[waiting.pop()] = found.start()
    return closing


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _step(before: str, action: _Action, *, first: bool = False) -> Step | None:
    content = _bare(action.content)
    raw = [piece for piece in map(_bare, content.split("|")) if piece]
    if action.verb is Verb.SEARCH and not raw:
        return None
    return Step(
        thought=" ".join(_thought(before, first=first).strip(_MARKS).split()),
        verb=action.verb,
        content=_unescaped(content),
        arguments=tuple(dict.fromkeys(map(_unescaped, raw))),
        action=" ".join(action.text.split()),
        is_unknown=action.verb is Verb.FINISH and (not raw or is_abstention(raw[0])),
    )


def _bare(text: str) -> str:
    """Drop quotes and one pair of brackets around a text."""
    bare = unquoted(text)
    if bare.startswith("[") and bare.endswith("]") and bare.count("[") == bare.count("]") == 1:
        return unquoted(bare[1:-1])
    return bare


def _thought(before: str, *, first: bool) -> str:
    """What follows the last label ``Thought`` (the first one as published), without the labels of other lines."""
    labels = list(_THOUGHT_LABEL.finditer(before))
    if not labels:
        return before
    chosen = labels[0] if first else labels[-1]
    following = next((label.start() for label in labels if label.start() >= chosen.end()), len(before))
    return before[chosen.end() : following]


# --- Escapes -----------------------------------------------------------------------------------------------------------


def _escaped(argument: str) -> str:
    text = _STRUCTURE.sub(lambda found: _code(found.group()), argument)
    if text and (text[0].isspace() or text[0] in QUOTES or is_abstention(text)):
        text = _code(text[0]) + text[1:]
    if text and (text[-1].isspace() or text[-1] in QUOTES):
        text = text[:-1] + _code(text[-1])
    return text


def _code(character: str) -> str:
    return f"\\u{ord(character):04x}"


def _unescaped(text: str) -> str:
    def decode(found: re.Match[str]) -> str:
        code = int(found.group(1), 16)
        return found.group() if 0xD800 <= code <= 0xDFFF or code == 0 else chr(code)

    return _ESCAPE.sub(decode, text)
