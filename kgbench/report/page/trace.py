"""What a page tells of one question and trial: how it ended, and its calls in order, as JSON-ready values.

Text is cut into segments: a plain string, or ``[origin, text]``, or ``[origin, null, number]`` where it is masked.
Long texts that come again and again, as the fixed part of prompts, are numbers that point into a table of texts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from kgbench.report.page.pieces import HIDDEN, ORIGINS, turn_of
from kgbench.report.page.scrub import Shown
from kgbench.report.page.steps import Steps
from kgbench.seam.pseudonyms import HANDLE
from kgbench.seam.render import Origin
from kgbench.types import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kgbench.report.page.pieces import Turn
    from kgbench.types import JsonObject

Segment = Any
_REPEATED = 120
"""Characters from which a text of a template is kept once for many prompts."""
_PLAIN_WORD = re.compile(r"[A-Za-z][\w.:\- ]{0,59}")
_KNOWN_ERRORS = frozenset({*map(str, Status), "fatal"})
_RAISED = re.compile(r"the method raised [A-Za-z_]\w{0,60}")
_FINISHES = frozenset({"none", "stop", "length", "content_filter", "tool_calls", "function_call"})
"""Why a reply ended, as servers name it. Any other word is the server's own, and could be anything."""
_TOLD = frozenset({Origin.HANDLE, Origin.RELATION})
_SAMPLING = ("temperature", "max_tokens", "top_p")
OWN_NOTES = frozenset(
    "ambiguous_answer cut_off exemplar_echo handle_repaired kg_partial names_in_selection parse_failure parse_repaired "
    "prompt_cut prompt_shortened_by_server retried unknown_handle unknown_number unknown_relation".split()
)
"""Events whose names a scrubbed page shows, with the stage behind a colon; a method may name others as it likes."""


class Scrubbing(Protocol):
    """How much of the recorded text a page shows."""

    def turn(self, call: JsonObject, turn: Turn) -> list[list[Shown]]:
        """What is shown of each piece of a call's turn."""

    def fixed(self, text: str) -> list[Shown]:
        """What is shown of a template's own text."""

    def spoken(self, call: JsonObject, text: str, origin: str = "") -> list[Shown]:
        """What is shown of words of the model in a call's prompt or reply."""


class Texts:
    """A table of long texts, each kept once."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self.size = 0
        """Characters of all texts."""

    def place(self, text: str) -> int:
        """The place of a text in the table."""
        known = self._places.get(text)
        if known is None:
            known = self._places[text] = len(self._places)
            self.size += len(text)
        return known

    def listed(self) -> list[str]:
        """All texts, in the order of their places."""
        return list(self._places)


def word(text: object) -> str:
    """A name that a template gives (a stage, its own name) as a page shows it: nothing but a plain word or two."""
    return text if isinstance(text, str) and _PLAIN_WORD.fullmatch(text) else "(odd name)"


@dataclass
class _Node:
    number: int
    concept: str


@dataclass
class Tracer:
    """Writes down the calls of one question and trial.

    Args:
        scrubbing: how much of the text is shown.
        texts: takes long texts.
        revealed: keep what only an owner may see.
    """

    scrubbing: Scrubbing
    texts: Texts
    revealed: bool
    _nodes: dict[tuple[str, str | None, int], _Node] = field(default_factory=dict)
    _facts: dict[tuple[int, int, str], list[int]] = field(default_factory=dict)
    _handles: set[str] = field(default_factory=set)
    _told: set[tuple[str, str]] = field(default_factory=set)
    """Origin and text of every handle and relation that a prompt shows on the page."""

    def calls(self, calls: Sequence[JsonObject]) -> JsonObject:
        """The calls with the facts that their prompts stated."""
        found = [self._call(place, call) for place, call in enumerate(calls)]
        nodes = [[*_masked_or(key), node.concept] for key, node in self._nodes.items()]
        facts = [[subject, label, target, places] for (subject, target, label), places in self._facts.items()]
        return {"calls": found, "nodes": nodes, "facts": facts}

    def steps(self, record: JsonObject, calls: Sequence[JsonObject]) -> JsonObject:
        """The graph queries and the parsed answers, once the calls are written down."""

        def spoken(text: str) -> list[Segment]:
            """Words of the model, masked as those of the last call are; without a call nothing tells what they may be."""
            return self._reply(calls[-1], text) if calls else [_segment(Shown(None))]

        return Steps(self._told, spoken, self.revealed).json(record)

    # --- one call --------------------------------------------------------------------------------------------------------

    def _call(self, place: int, call: JsonObject) -> JsonObject:
        entry: JsonObject = {
            "number": int(call.get("call", 0)),
            "stage": word(call.get("stage")),
            "template": word(call.get("template")),
            "phase": word(call.get("phase")),
            "audit": counts(call.get("audit")),
        }
        if call.get("error") is not None:
            entry["error"] = call["error"] if call["error"] in _KNOWN_ERRORS else "error"
        if "messages" not in call:
            return entry | {"stopped": True}
        entry |= self._usage(call)
        turn = turn_of(call)
        if turn is None or not isinstance(call.get("exposed"), bool):
            return entry | {"withheld": True} if not self.revealed else entry | self._raw(call)
        entry["exposed"] = call["exposed"]
        entry["fixed"] = [self._message(message) for message in call["messages"][:-1]]
        shown = self.scrubbing.turn(call, turn)
        self._note_facts(place, turn, shown)
        self._handles.update(piece.text for piece in turn.pieces if piece.origin in (Origin.HANDLE, Origin.SOURCE_ID))
        parts = (part for found in shown for part in found)
        self._told.update((part.origin, part.text) for part in parts if part.text is not None and part.origin in _TOLD)
        entry["turn"] = self._segments(part for parts in shown for part in parts)
        entry["role"] = word(call["messages"][-1].get("role"))
        return entry | self._replies(call)

    def _raw(self, call: JsonObject) -> JsonObject:
        """A call without spans, as a revealed page shows it: its text, with no mark in it."""
        *fixed, last = call["messages"]
        turn = self._segments(self.scrubbing.fixed(str(last["content"])))
        return {"fixed": [self._message(message) for message in fixed], "turn": turn} | self._replies(call)

    def _replies(self, call: JsonObject) -> JsonObject:
        replies = call.get("replies") or []
        shown = [None if text is None else self._reply(call, str(text)) for text in replies]
        finish = call.get("finish") or "none"
        told = word(finish) if finish in _FINISHES or self.revealed else "other"
        return {"replies": shown, "finish": told} if replies else {}

    def _message(self, message: Mapping[str, Any]) -> list[Any]:
        return [word(message.get("role")), self._segments(self.scrubbing.fixed(str(message.get("content") or "")))]

    def _reply(self, call: JsonObject, text: str) -> list[Segment]:
        """A reply, with the handles in it that its question's prompts had shown."""
        segments: list[Segment] = []
        for shown in self.scrubbing.spoken(call, text):
            if shown.text is None:
                segments.append(_segment(shown))
                continue
            end = 0
            for match in HANDLE.finditer(shown.text):
                if match.group() in self._handles:
                    segments += [shown.text[end : match.start()], _segment(Shown(match.group(), Origin.HANDLE))]
                    end = match.end()
            segments.append(shown.text[end:])
        return [segment for segment in segments if segment != ""]

    def _segments(self, shown: Iterable[Shown]) -> list[Segment]:
        found: list[Segment] = []
        for piece in shown:
            if piece.text is not None and not piece.origin:
                found.append(self.texts.place(piece.text) if len(piece.text) >= _REPEATED else piece.text)
            else:
                found.append(_segment(piece))
        return found

    def _usage(self, call: JsonObject) -> JsonObject:
        logical = (call.get("usage") or {}).get("logical") or {}
        entry: JsonObject = {
            "tokens": [int(logical.get("input_tokens", 0)), int(logical.get("output_tokens", 0))],
            "estimated": bool(logical.get("estimated")),
            "cache": word(call.get("cache") or "none"),
            "requests": int(call.get("requests", 0)),
            "seconds": float(call.get("seconds", 0)),
        }
        sampling = call.get("sampling") or {}
        entry["sampling"] = {key: sampling[key] for key in _SAMPLING if isinstance(sampling.get(key), (int, float))}
        if int(call.get("n", 1)) != 1:
            entry["sampling"]["n"] = int(call["n"])
        if call.get("shortened"):
            entry["shortened"] = True
        return entry

    # --- facts -----------------------------------------------------------------------------------------------------------

    def _note_facts(self, place: int, turn: Turn, shown: Sequence[Sequence[Shown]]) -> None:
        for fact in turn.facts():
            subject, target = self._node(turn, shown, fact.subject), self._node(turn, shown, fact.object)
            key = (subject, target, turn.pieces[fact.relation].text)
            places = self._facts.setdefault(key, [])
            if place not in places:
                places.append(place)

    def _node(self, turn: Turn, shown: Sequence[Sequence[Shown]], place: int) -> int:
        """The number of a node; its first concept is kept."""
        parts = shown[place]
        key = _key(parts[0]) if len(parts) == 1 else (parts[0].origin, _joined(parts), 0)
        behind = turn.concept(place)
        concept = _joined(shown[behind]) if behind is not None else ""
        known = self._nodes.setdefault(key, _Node(len(self._nodes), concept))
        known.concept = known.concept or concept
        return known.number


def _key(shown: Shown) -> tuple[str, str | None, int]:
    return (shown.origin, shown.text, shown.number)


def _masked_or(key: tuple[str, str | None, int]) -> list[Any]:
    origin, text, number = key
    return [ORIGINS.index(origin), text, number]


def _joined(parts: Sequence[Shown]) -> str:
    return "".join("…" if part.text is None else part.text for part in parts)


def _segment(shown: Shown) -> Segment:
    origin = ORIGINS.index(shown.origin or HIDDEN) if shown.text is None or shown.origin else -1
    if shown.text is None:
        return [origin, None, shown.number] if shown.number else [origin, None]
    return [origin, shown.text] if shown.origin else shown.text


# --- the record ----------------------------------------------------------------------------------------------------------


def ending(record: JsonObject | None, stages: Iterable[str], *, revealed: bool) -> JsonObject:
    """How a question and trial ended, from its record.

    Args:
        record: None where there is none yet.
        stages: stages of its calls of the REMOTE zone; others are put together under one name.
        revealed: keep error texts, notes and flags as they are.
    """
    if record is None:
        return {"status": "missing"}
    known = frozenset(stages)
    prediction = record.get("prediction") or {}
    found: JsonObject = {
        "status": word(record.get("status")),
        "source": word(prediction.get("source") or "none"),
        "answers": len(prediction.get("items") or ()),
        "reads": int(record.get("graph_reads", 0)),
        "retries": int(record.get("retries", 0)),
        "seconds": float(record.get("seconds", 0)),
        "audit": counts(record.get("audit")),
        "usage": _usage_by_stage(record.get("usage") or {}, known),
    }
    notes = counts(record.get("notes"))
    if revealed:
        found |= {"notes": notes, "flags": list(prediction.get("flags") or ()), "error": record.get("error")}
    else:
        found |= _open_notes(notes, known) | {"error": _open_error(record.get("error"))}
    return found


def counts(given: object) -> dict[str, int]:
    """Counts by name, without those that are 0."""
    if not isinstance(given, dict):
        return {}
    return {str(key): int(count) for key, count in sorted(given.items()) if isinstance(count, int) and count}


def _usage_by_stage(usage: Mapping[str, Any], known: frozenset[str]) -> list[list[Any]]:
    """Rows of stage, calls, tokens in and out; stages that no call of the REMOTE zone has are one row, the last."""
    rows, other = [], [0, 0, 0]
    for stage, spending in usage.items():
        logical = spending.get("logical") or {}
        numbers = [int(logical.get(key, 0)) for key in ("calls", "input_tokens", "output_tokens")]
        if known and stage not in known:
            other = [a + b for a, b in zip(other, numbers, strict=True)]
        else:
            rows.append([word(stage), *numbers])
    return [*rows, ["trusted zone", *other]] if any(other) else rows


def _open_notes(notes: Mapping[str, int], stages: frozenset[str]) -> JsonObject:
    shown = {note: count for note, count in notes.items() if _is_open_note(note, stages)}
    rest = sum(count for note, count in notes.items() if note not in shown)
    return {"notes": shown, "other_notes": rest} if rest else {"notes": shown}


def _is_open_note(note: str, stages: frozenset[str]) -> bool:
    kind, _, stage = note.partition(":")
    return kind in OWN_NOTES and (not stage or stage in stages)


def _open_error(error: object) -> str | None:
    """The part of an error's text that cannot quote anything; the status says the rest."""
    match = _RAISED.match(error) if isinstance(error, str) else None
    return match.group() if match else None
