"""What a scrubbed page hides of one question's calls, and how.

Three rules, and each fails closed:

1. A span whose origin discloses what the graph holds (:data:`MASKED`) is masked, whatever the scenario allowed to send.
2. Its words are masked wherever else they stand in the same question, the fixed text of prompts included. So are the
   question's answers, gold and ids, as far as the run's records tell them.
3. Words of the model are shown as they are until a prompt of the same question and trial has shown it words of the graph.
   From then on a word of it is shown if it stands in the question or in the schema, or if it is no part of anything that
   is masked and stands in a template or is a common word; any other is hidden. So is a number, unless it heads a line of
   a list or is a score from 0 to 1: a date or a sum can be written in many ways. Where ids of the graph stood for
   handles, words with digits are hidden in the same way, for a model can rewrite an id.

The question itself, and its words for its topic, are shown: it was asked in them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from kgbench.report.page.phrases import Phrases, tokens_in, words_in
from kgbench.report.page.pieces import HIDDEN, turn_of
from kgbench.seam.audit import common_words
from kgbench.seam.pseudonyms import HANDLE
from kgbench.seam.render import Origin
from kgbench.text import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from kgbench.report.page.pieces import Piece, Turn
    from kgbench.types import JsonObject

NAMES = frozenset({Origin.NAME, Origin.LITERAL, Origin.LOCAL_TEXT, Origin.TOPIC_LABEL, HIDDEN})
"""Origins after which the model has seen words of the graph; text of an unknown origin counts as such."""
MASKED = NAMES | {Origin.SOURCE_ID}
"""Origins that a scrubbed page never shows."""
_ASKED = frozenset({Origin.QUESTION, Origin.MENTION})
"""Origins that hold words of the question."""
_SPOKEN = frozenset({Origin.ECHO, Origin.CONCEPT})
"""Origins that hold words of the model."""
_SCHEMA = frozenset({Origin.RELATION, Origin.CLASS, Origin.HANDLE})
"""Origins that hold words of the schema, and handles."""
_OPEN = frozenset({Origin.WORD, ""})
"""Origins whose words are the method's; the empty one is a template's own text."""
_NUMBER = re.compile(r"\d+")
_OPEN_NUMBER = re.compile(
    r"^(?P<head>[ \t>*#-]*\d{1,2})(?=[.):]\s|[.):]?[ \t]*$)|(?<![\w.,:/-])[01]\.\d{1,4}(?![\w%]|[.,:/-]\d)",
    re.MULTILINE,
)
"""Numbers of the model that tell nothing: at the head of a line in a list, or alone on a line; and scores."""
_ENDINGS = frozenset({"s", "t"})
"""What stands behind an apostrophe."""


class Shown(NamedTuple):
    """A piece of text on a page."""

    text: str | None
    """None where it is masked."""
    origin: str = ""
    number: int = 0
    """Tells masked pieces of one origin apart; 0 where the text is shown, or hidden without a number."""


@dataclass
class Scrubber:
    """Scrubs the calls of one question, of all its trials.

    Args:
        calls: calls of the REMOTE zone.
        secrets: further strings that the run's records know to be of the graph: answers, gold, ids.
        question: the question's text in the data set, to tell its own words from others.
        source_ids: the run shows ids of the graph for handles, so that whatever stands for a handle is one.
    """

    calls: Sequence[JsonObject]
    secrets: Iterable[str]
    question: str
    source_ids: bool = False
    _numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    _all: Phrases = field(default_factory=Phrases)
    _ids: Phrases = field(default_factory=Phrases)
    _open: set[str] = field(default_factory=set)
    _named: dict[int, int] = field(default_factory=dict)
    """Trial -> number of the first call after which the model may have seen words of the graph."""

    def __post_init__(self) -> None:
        self._said = words_in(self.question)
        pieces = [piece for call in self._sent() for piece in self._pieces(call)]
        for piece in pieces:
            self._learn(piece)
        asked = self._words_asked(pieces)
        for secret in sorted(set(self.secrets)) if self._named else ():
            if not words_in(secret) <= asked:
                self._all.add(secret, HIDDEN, 0)
        if self._named or self.source_ids:
            self._learn_open_words(pieces, asked)

    def _sent(self) -> Iterator[JsonObject]:
        return (call for call in self.calls if "messages" in call)

    def _pieces(self, call: JsonObject) -> tuple[Piece, ...]:
        """The pieces of a call's turn; whether it names something of the graph is remembered."""
        turn = turn_of(call)
        pieces = turn.pieces if turn is not None else ()
        names = turn is None or call.get("exposed") is not False or any(self._origin(one) in NAMES for one in pieces)
        if names:
            trial, number = _place(call)
            self._named[trial] = min(number, self._named.get(trial, number))
        return pieces

    def _has_seen_names(self, call: JsonObject) -> bool:
        trial, number = _place(call)
        return trial in self._named and number >= self._named[trial]

    def _learn(self, piece: Piece) -> None:
        origin = self._origin(piece)
        if origin in MASKED:
            number = self._number(origin, piece.text)
            self._all.add(piece.text, origin, number)
            if origin == Origin.SOURCE_ID:
                self._ids.add(piece.text, origin, number)

    def _words_asked(self, pieces: Iterable[Piece]) -> set[str]:
        """Words of the question as it was sent; an id of the graph in it is none of these."""
        sent = {word for piece in pieces if self._origin(piece) in _ASKED for word in words_in(piece.text)}
        return sent & self._said if self.source_ids else sent

    def _learn_open_words(self, pieces: Iterable[Piece], asked: Collection[str]) -> None:
        sent = [(piece.text, self._origin(piece)) for piece in pieces]
        schema = {word for text, origin in dict.fromkeys(sent) if origin in _SCHEMA for word in words_in(text)}
        texts = [text for text, origin in sent if origin in _OPEN]
        texts += [str(message["content"]) for call in self._sent() for message in call["messages"][:-1]]
        template = {word for text in dict.fromkeys(texts) for word in words_in(text)}
        words = schema | ((template | common_words()) - self._all.words) | STOP_WORDS | _ENDINGS
        self._open.update({word for word in words if not _NUMBER.fullmatch(word)}, asked)

    def _origin(self, piece: Piece) -> str:
        """The origin of a piece; a mention that the question does not say is a label, a handle may be an id."""
        if piece.origin == Origin.MENTION and not words_in(piece.text) <= self._said:
            return str(Origin.TOPIC_LABEL)
        if piece.origin == Origin.HANDLE and self.source_ids:
            return str(Origin.SOURCE_ID)
        return piece.origin

    def _number(self, origin: str, text: str) -> int:
        """A number that stands for a masked text in this question; it counts up in the order of appearance."""
        known = self._numbers.get((origin, text))
        if known is None:
            known = self._numbers[(origin, text)] = 1 + sum(kind == origin for kind, _ in self._numbers)
        return known

    # --- what is shown ---------------------------------------------------------------------------------------------------

    def turn(self, call: JsonObject, turn: Turn) -> list[list[Shown]]:
        """What is shown of each piece of a call's turn."""
        return [self._piece(call, piece) for piece in turn.pieces]

    def _piece(self, call: JsonObject, piece: Piece) -> list[Shown]:
        origin = self._origin(piece)
        if origin in MASKED:
            return [Shown(None, origin, self._number(origin, piece.text))]
        if origin in _ASKED:
            return self._asked(piece.text, origin)
        if origin in _SPOKEN:
            return self.spoken(call, piece.text, origin)
        if origin == "":
            return self.fixed(piece.text)
        return [Shown(piece.text, origin)]

    def _asked(self, text: str, origin: str) -> list[Shown]:
        """The question as sent; where its topics are masked by ids of the graph, without these."""
        if not self.source_ids:
            return [Shown(text, origin)]
        return self._but_for(self._said.__contains__, self._without(self._ids, text, origin, worth=False))

    def fixed(self, text: str) -> list[Shown]:
        """What is shown of a template's own text."""
        return self._without(self._all, text, "", worth=True)

    def spoken(self, call: JsonObject, text: str, origin: str = "") -> list[Shown]:
        """What is shown of words of the model in a call's prompt or reply."""
        if not self._has_seen_names(call):
            shown = self._without(self._ids, text, origin, worth=False)
            return self._but_for(self._is_no_id, self._without_id_like(shown)) if self.source_ids else shown
        return self._but_for(self._open.__contains__, self._without(self._all, text, origin, worth=False))

    def _is_no_id(self, word: str) -> bool:
        """True for a word of letters alone, or one that is open: an id has digits, in whatever way it is rewritten."""
        return word.isalpha() or word in self._open

    @staticmethod
    def _without(phrases: Phrases, text: str, origin: str, *, worth: bool) -> list[Shown]:
        shown, end = [], 0
        for start, stop, phrase in phrases.matches(text, worth=worth):
            if start > end:
                shown.append(Shown(text[end:start], origin))
            shown.append(Shown(None, phrase.origin, phrase.number))
            end = stop
        if end < len(text):
            shown.append(Shown(text[end:], origin))
        return shown

    @staticmethod
    def _without_id_like(shown: Iterable[Shown]) -> list[Shown]:
        """Hide what looks like an id of the graph and is none of those sent: the model may know others by heart."""
        found: list[Shown] = []
        for piece in shown:
            if piece.text is None:
                found.append(piece)
                continue
            end = 0
            for match in HANDLE.finditer(piece.text):
                found += [Shown(piece.text[end : match.start()], piece.origin), Shown(None, HIDDEN)]
                end = match.end()
            found.append(Shown(piece.text[end:], piece.origin))
        return [piece for piece in found if piece.text != ""]

    @staticmethod
    def _but_for(is_open: Callable[[str], bool], shown: Iterable[Shown]) -> list[Shown]:
        """Hide every word but the open ones."""
        found: list[Shown] = []
        opens_line = True
        for piece in shown:
            if piece.text is None:
                found.append(piece)
            else:
                found += _hidden_but(is_open, piece.text, piece.origin, opens_line=opens_line)
            opens_line = piece.text is not None and piece.text.endswith("\n")
        return found


def _hidden_but(is_open: Callable[[str], bool], text: str, origin: str, *, opens_line: bool) -> list[Shown]:
    """A text without the words that are not open; neighbours that are hidden become one."""
    shown: list[Shown] = []
    end = 0
    numbers = _open_numbers(text, opens_line=opens_line)
    for token in tokens_in(text):
        if is_open(token.word) or token.start in numbers:
            continue
        between = text[end : token.start]
        if between.strip() or not shown or shown[-1].text is not None:
            if between:
                shown.append(Shown(between, origin))
            shown.append(Shown(None, HIDDEN))
        end = token.end
    if end < len(text):
        shown.append(Shown(text[end:], origin))
    return shown


def _open_numbers(text: str, *, opens_line: bool) -> frozenset[int]:
    """Where the numbers stand that may be shown; a text that goes on in the midst of a line begins with none."""
    found = []
    for match in _OPEN_NUMBER.finditer(text):
        if match["head"] is None or match.start() > 0 or opens_line:
            found += [match.start() + digits.start() for digits in _NUMBER.finditer(match.group())]
    return frozenset(found)


def _place(call: JsonObject) -> tuple[int, int]:
    return int(call.get("trial", 0)), int(call.get("call", 0))


class Verbatim:
    """Shows everything as it was sent: for a revealed page."""

    def turn(self, call: JsonObject, turn: Turn) -> list[list[Shown]]:
        """What is shown of each piece of a turn: all."""
        return [[Shown(piece.text, piece.origin)] for piece in turn.pieces]

    def fixed(self, text: str) -> list[Shown]:
        """What is shown of a template's own text: all."""
        return [Shown(text)]

    def spoken(self, call: JsonObject, text: str, origin: str = "") -> list[Shown]:
        """What is shown of words of the model: all."""
        return [Shown(text, origin)]
