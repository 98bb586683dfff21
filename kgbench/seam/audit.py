"""The audit of every request before it leaves: a taint check over spans and an independent scan of the wire text.

The two channels know nothing of each other. The first sees what the renderer says it wrote; the second reads the final
messages and looks for the names, aliases, literals and ids of every term that the question has read. A leak found by
either in a protected phase stops the request.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from kgbench.seam.policy import LiteralPolicy, PseudonymMode, TopicNames
from kgbench.seam.render import NAMING, Origin
from kgbench.types import Entity, Literal, Term, Zone

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from kgbench.prompts import FilledPrompt
    from kgbench.seam.render import Rendered
    from kgbench.seam.session import Session

Tokens = tuple[str, ...]
_TOKEN = re.compile(r"[^\W_]+")
_FULL_DATE = re.compile(r"-?\d{4,}-\d{2}-\d{2}")


def _scan_text(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def wire_tokens(text: str) -> Tokens:
    """Tokens of a text as the scanner sees it: NFKC, casefold, punctuation and spaces as breaks."""
    return tuple(_TOKEN.findall(_scan_text(text)))


tokens_of = lru_cache(maxsize=100_000)(wire_tokens)
"""The same, remembered: for names, labels and the fixed parts of templates, which come again and again."""


class Read(NamedTuple):
    """A text as the scanner reads it."""

    tokens: Tokens
    words: frozenset[str]
    """Distinct tokens."""
    pairs: frozenset[tuple[str, str]]
    """Distinct pairs of neighbours."""


def read_text(text: str) -> Read:
    """Read a text for the scanner."""
    tokens = wire_tokens(text)
    return Read(tokens, frozenset(tokens), frozenset(pairwise(tokens)))


read_fixed = lru_cache(maxsize=2_000)(read_text)
"""The same, remembered: for the fixed messages of templates."""


class Sensitive(NamedTuple):
    """A string of the graph that must not appear where names are hidden."""

    tokens: Tokens
    kind: str
    """``name``, ``literal`` or ``source_id``."""


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """Common words that, standing alone, say nothing of an entity that happens to bear them as its name."""
    text = files("kgbench.seam").joinpath("common_words.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def sensitive_strings(term: Term, names: Iterable[str]) -> list[Sensitive]:
    """Strings of one term for the scanner; strings too short or numbers too plain to mean anything are left out."""
    found: list[Sensitive] = []
    if isinstance(term, Literal):
        if tokens := _worth(term.lexical):
            found.append(Sensitive(tokens, "literal"))
        return found
    for name in names:
        if tokens := _worth(name):
            found.append(Sensitive(tokens, "name"))
    if len(term.id) >= 3 and (tokens := tokens_of(term.id)):
        found.append(Sensitive(tokens, "source_id"))
    return found


def _worth(text: str) -> Tokens:
    tokens = tokens_of(text)
    joined = "".join(tokens)
    if joined.isdigit():
        return tokens if len(joined) >= 4 or _FULL_DATE.fullmatch(text.strip()) else ()
    return tokens if len(joined) >= 3 else ()


def contains(haystack: Tokens, needle: Tokens) -> bool:
    """True if ``needle`` stands in ``haystack`` as a run of whole tokens."""
    if len(needle) > len(haystack) or not needle:
        return False
    first, length = needle[0], len(needle)
    return any(
        haystack[start] == first and haystack[start : start + length] == needle
        for start in range(len(haystack) - length + 1)
    )


class SensitiveIndex:
    """Sensitive strings by their first one or two tokens.

    Sets are intersected instead of walking over the text: a hub brings thousands of ids that all begin with one token.
    """

    def __init__(self) -> None:
        self._single: dict[str, dict[Sensitive, None]] = {}
        self._longer: dict[tuple[str, str], dict[Sensitive, None]] = {}

    def add(self, strings: Iterable[Sensitive]) -> None:
        """Add strings."""
        for string in strings:
            if len(string.tokens) == 1:
                self._single.setdefault(string.tokens[0], {})[string] = None
            else:
                self._longer.setdefault((string.tokens[0], string.tokens[1]), {})[string] = None

    def hits(self, text: Read) -> list[Sensitive]:
        """Every string that stands in a text as a run of whole tokens, each once, sorted."""
        found = [string for word in text.words & self._single.keys() for string in self._single[word]]
        for pair in text.pairs & self._longer.keys():
            found += [string for string in self._longer[pair] if contains(text.tokens, string.tokens)]
        return sorted(found)


class Verdict(NamedTuple):
    """What the audit found in one request."""

    leaks: int
    """By either channel; over zero, the request must not leave."""
    counts: Mapping[str, int]
    """Exposures by kind: ``taint``, ``scan``, ``echo``, ``ambiguous``, ``topic_label``, ``literals``, ``source_ids``."""


class Auditor:
    """Audits the requests of one session.

    Args:
        session: knows what was read, shown and heard.
        declared: digests of the templates on the method's card. The text of any other template explains nothing: a
            template made on the way could hold a name.
    """

    def __init__(self, session: Session, declared: Collection[str]) -> None:
        self._session = session
        self._declared = declared
        self._index = SensitiveIndex()
        self._explained: dict[Sensitive, str | None] = {}
        self._labels_seen = 0
        self._heard: list[Tokens] = []

    def audit(self, prompt: FilledPrompt, rendered: Rendered, zone: Zone) -> Verdict:
        """Audit one rendered request of a zone; LOCAL requests never leave and are not gated."""
        if zone is Zone.LOCAL:
            return Verdict(0, {})
        counts: Counter[str] = Counter()
        for _, _, origin in rendered.spans:
            if origin is Origin.TOPIC_LABEL:
                counts["topic_label"] += 1
            elif origin is Origin.SOURCE_ID:
                counts["source_ids"] += 1
            elif origin in NAMING:
                counts["literals" if origin is Origin.LITERAL else "names"] += 1
        if rendered.exposed:
            return Verdict(0, counts)
        leaks = self._taint(rendered)
        if leaks:
            counts["taint"] = leaks
        scanned = self._scan(prompt, rendered, counts)
        return Verdict(leaks + scanned, counts)

    def _taint(self, rendered: Rendered) -> int:
        """Spans that show a name in a protected phase; literals in clear only where the policy says so."""
        clear = self._session.policy.literals is not LiteralPolicy.HANDLE
        return sum(origin in NAMING and not (origin is Origin.LITERAL and clear) for _, _, origin in rendered.spans)

    def _scan(self, prompt: FilledPrompt, rendered: Rendered, counts: Counter[str]) -> int:
        self._read_new_terms()
        leaks = 0
        for number, message in enumerate(rendered.messages):
            read = read_fixed if number < rendered.fixed else read_text
            for hit in self._index.hits(read(message["content"])):
                why = self._explain(hit, prompt)
                if why is None:
                    counts["scan"] += 1
                    leaks += 1
                elif why in {"echo", "ambiguous", "topic_label", "literals", "source_ids"}:
                    counts[why] += 1
        return leaks

    def _read_new_terms(self) -> None:
        """Add the strings of terms read since the last request; one round trip for their names."""
        fresh, self._session.unaudited = self._session.unaudited, []
        if fresh:
            self._session.load_names(term for term in fresh if isinstance(term, Entity))
            for term in fresh:
                names: Sequence[str] = ()
                if isinstance(term, Entity):
                    known = self._session.names(term)
                    label = self._session.name(term)
                    names = [name for name in (label, known.name, *known.aliases, known.description) if name]
                self._index.add(sensitive_strings(term, names))
        labels, heard = len(self._session.labels), len(self._session.heard)
        if (labels, heard) != (self._labels_seen, len(self._heard)):
            self._labels_seen = labels
            self._heard += [wire_tokens(text) for text in self._session.heard[len(self._heard) :]]
            self._explained = {hit: why for hit, why in self._explained.items() if why is not None}

    def _explain(self, hit: Sensitive, prompt: FilledPrompt) -> str | None:
        """Why a hit is no leak: question, template, echo or ambiguous, tested in this order; None for a leak."""
        if hit in self._explained:
            return self._explained[hit]
        why = self._why(hit, prompt)
        if why != "template":  # templates differ from call to call
            self._explained[hit] = why
        return why

    def _why(self, hit: Sensitive, prompt: FilledPrompt) -> str | None:
        session, policy = self._session, self._session.policy
        if hit.kind == "source_id" and policy.pseudonyms is PseudonymMode.SOURCE_ID:
            return "source_ids"
        if contains(tokens_of(session.question_as_shown), hit.tokens):
            return "question"
        if policy.topic_names is TopicNames.LABEL and self._is_topic_label(hit):
            return "topic_label"
        if prompt.template.digest in self._declared and _in_template(hit.tokens, prompt):
            return "template"
        if any(contains(text, hit.tokens) for text in self._heard):
            return "echo"
        if self._is_vocabulary(hit.tokens):
            return "ambiguous"
        if hit.kind == "literal" and policy.literals is not LiteralPolicy.HANDLE:
            return "literals"
        return None

    def _is_vocabulary(self, needle: Tokens) -> bool:
        """True for words of the schema, a common word, or two pieces that may be shown and stand side by side by chance.

        Of the last kind is ``danish, language.human_language.countries_spoken_in``: a mention and a relation label, where
        the graph happens to name the topic "Danish Language".
        """
        labels = [tokens_of(label) for label in self._session.labels]
        if any(contains(label, needle) for label in labels):
            return True
        if len(needle) == 1:
            return needle[0] in common_words()
        shown = [*labels, *(tokens_of(mention) for mention in self._session.shown_mentions)]
        for cut in range(1, len(needle)):
            before, after = needle[:cut], needle[cut:]
            ends = any(text[-cut:] == before for text in shown)
            if ends and any(text[: len(after)] == after for text in shown):
                return True
        return False

    def _is_topic_label(self, hit: Sensitive) -> bool:
        labels = [self._session.topic_label(topic) or "" for topic in self._session.question.topics]
        return any(contains(tokens_of(label), hit.tokens) for label in labels)


def _in_template(needle: Tokens, prompt: FilledPrompt) -> bool:
    template = prompt.template
    texts = [message["content"] for message in template.fixed_messages]
    texts += [fixed for fixed, _ in template.segments]
    return any(contains(tokens_of(text), needle) for text in (*texts, template.reminder))
