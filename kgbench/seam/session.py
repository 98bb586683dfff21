"""What the harness remembers while one question is answered: handles, names, mentions, what was read and heard.

Made for one question and trial and thrown away with it. Parallel questions share nothing but the master key and the
graph.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from kgbench.seam.mentions import find_mention, mask_question
from kgbench.seam.policy import PseudonymMode, PseudonymScope, TopicNames
from kgbench.seam.pseudonyms import Pseudonyms
from kgbench.seam.reads import ReadLog
from kgbench.text import norm
from kgbench.types import Entity, Literal, NodeNames, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from kgbench.seam.policy import PrivacyPolicy
    from kgbench.seam.pseudonyms import MasterKey
    from kgbench.types import Question, QuestionRecord

_NO_NAMES = NodeNames(None)


@dataclass(frozen=True, slots=True)
class SessionSeed:
    """What a session's choices and handles derive from."""

    method: str
    seed: int
    trial: int

    def random(self, question_id: str, *key: str) -> random.Random:
        """Return a generator seeded from run seed, trial, question id and ``key``; no secret key enters."""
        text = "\x1f".join((str(self.seed), str(self.trial), question_id, *key))
        return random.Random(int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest(), "big"))  # noqa: S311


class Session:
    """The local memory of one question and trial.

    Args:
        record: the question with its topic names and mentions.
        policy: the run's privacy settings.
        key: the installation's key.
        seed: method, run seed and trial.
        read_names: reads names from the graph; None where no graph is open.
    """

    def __init__(
        self,
        record: QuestionRecord,
        policy: PrivacyPolicy,
        key: MasterKey,
        seed: SessionSeed,
        read_names: Callable[[Sequence[Entity]], Mapping[Entity, NodeNames]] | None = None,
    ) -> None:
        self.question: Question = record.question
        self.policy = policy
        self.seed = seed
        self.notes: Counter[str] = Counter()
        """Events counted for the record."""
        self.labels: set[str] = set()
        """Relation and class labels that the question read."""
        self.heard: list[str] = []
        """Completions received so far."""
        self.echoed_exemplar: set[str] = set()
        """Completions that repeat an invented name of their prompt's exemplars."""
        self.unaudited: list[Term] = []
        """Terms read since the scanner last looked."""
        self.reads = ReadLog()
        """What the method asked of the graph."""
        self.calls = 0
        """Model calls so far, in both zones; those that a resumed run does not repeat count too."""
        self._topic_names = dict(record.topic_names)
        self._read_names = read_names
        self._names: dict[Entity, NodeNames] = {}
        self._touched: set[Term] = set()
        self._displays: dict[str, dict[Term, None]] = {}
        self._shown_names: dict[str, Term] = {}
        if policy.scope is PseudonymScope.RUN:
            derived = key.run(method=seed.method, seed=seed.seed)
        else:
            derived = key.session(
                method=seed.method,
                seed=seed.seed,
                trial=seed.trial,
                question_id=self.question.id,
                text=self.question.text,
            )
        self.pseudonyms = Pseudonyms(derived, source_ids=policy.pseudonyms is PseudonymMode.SOURCE_ID)
        self.mentions = self._find_mentions(record)
        self.touch(self.question.topics)

    # --- names: LOCAL only ---------------------------------------------------------------------------------------------

    def names(self, entity: Entity) -> NodeNames:
        """Names of one entity; empty where the graph has none."""
        self.load_names((entity,))
        return self._names[entity]

    def load_names(self, entities: Iterable[Entity]) -> None:
        """Read the names of entities in one round trip, where they are not known yet."""
        missing = [entity for entity in entities if entity not in self._names]
        if not missing:
            return
        found = self._read_names(missing) if self._read_names is not None else {}
        for entity in missing:
            self._names[entity] = found.get(entity, _NO_NAMES)

    def name(self, term: Term) -> str | None:
        """The name of an entity, the lexical form of a literal; None for an entity without a name."""
        if isinstance(term, Literal):
            return term.lexical
        given = self._topic_names.get(term)
        if given:
            return given
        return self.names(term).name

    def topic_label(self, topic: Entity) -> str | None:
        """The data set's name of a topic, else the graph's."""
        return self.name(topic)

    def is_topic(self, term: Term) -> bool:
        """True for a topic entity of the question."""
        return term in self.question.topics

    def _find_mentions(self, record: QuestionRecord) -> dict[Entity, str]:
        if self.policy.topic_names is TopicNames.LABEL:
            return {}
        mentions: dict[Entity, str] = {}
        for topic in self.question.topics:
            known = self.names(topic)
            name = record.topic_names.get(topic) or known.name or ""
            aliases = (*known.aliases, *((known.name,) if known.name else ()))
            found = find_mention(self.question.text, name, aliases, record.mentions.get(topic))
            if found:
                mentions[topic] = found
        return mentions

    @cached_property
    def question_as_shown(self) -> str:
        """The question's text as REMOTE prompts show it: masked where topics are."""
        if self.policy.topic_names is not TopicNames.MASK:
            return self.question.text
        return mask_question(self.question.text, self.mentions, {topic: self.handle(topic) for topic in self.mentions})

    @property
    def shown_mentions(self) -> tuple[str, ...]:
        """Mentions that REMOTE prompts show: none where topics are masked."""
        return () if self.policy.topic_names is TopicNames.MASK else tuple(self.mentions.values())

    # --- what was read, shown and heard --------------------------------------------------------------------------------

    def touch(self, terms: Iterable[Term]) -> None:
        """Remember terms that the question read, for handles and for the scanner."""
        fresh = [term for term in terms if term not in self._touched]
        if fresh:
            self._touched.update(fresh)
            self.unaudited.extend(fresh)
            self.pseudonyms.read(term.id for term in fresh if isinstance(term, Entity))

    @property
    def touched(self) -> list[Term]:
        """Every term read so far, sorted."""
        return sorted(self._touched, key=lambda term: term.sort_key)

    def handle(self, term: Term) -> str:
        """The handle of a term."""
        return self.pseudonyms.handle(term)

    def showed(self, term: Term, display: str, *, name: bool) -> None:
        """Remember how a prompt showed a term, so that a reply that repeats it can be resolved."""
        self._displays.setdefault(norm(display), {})[term] = None
        if name:
            self._shown_names.setdefault(display, term)

    @property
    def shown_names(self) -> Mapping[str, Term]:
        """Names that prompts of exposed phases have shown."""
        return self._shown_names

    def hear(self, text: str) -> None:
        """Remember a completion: what it says first is an echo later, and no disclosure by the graph."""
        self.heard.append(text)

    def note(self, kind: str, count: int = 1) -> None:
        """Count an event."""
        if count:
            self.notes[kind] += count

    # --- replies -------------------------------------------------------------------------------------------------------

    def resolve(self, fragment: str, among: Iterable[Term] | None = None) -> tuple[Term, ...]:
        """Return the terms that a piece of a reply stands for; see :meth:`kgbench.contracts.Context.resolve`."""
        found = self.pseudonyms.find(fragment)
        self.note("handle_repaired", found.repaired)
        self.note("unknown_handle", found.unknown)
        terms = found.terms or self._by_display(fragment)
        if among is not None:
            allowed = set(among)
            terms = tuple(term for term in terms if term in allowed)
        return terms

    def _by_display(self, fragment: str) -> tuple[Term, ...]:
        for candidate in (fragment, _without_note(fragment)):
            key = norm(candidate)
            if key and key in self._displays:
                terms = tuple(sorted(self._displays[key], key=lambda term: term.sort_key))
                self.note("ambiguous_answer", len(terms) > 1)
                return terms
        return ()

    def restore(self, text: str) -> str:
        """Replace every issued handle of a text by the name it stands for, by whole token."""
        terms = self.pseudonyms.find(text).terms
        self.load_names(term for term in terms if isinstance(term, Entity))
        display = {term: self.name(term) or self._plain_id(term) for term in terms}
        return self.pseudonyms.restore(text, display)

    @staticmethod
    def _plain_id(term: Term) -> str:
        return term.id if isinstance(term, Entity) else term.lexical

    # --- seeded choices ------------------------------------------------------------------------------------------------

    def seeded_order(self, terms: Iterable[Term], *key: str) -> list[Term]:
        """Terms sorted by id, then shuffled: the order of every LOCAL choice (ARoG spec: samples, ties, frontier)."""
        ordered = sorted(set(terms), key=lambda term: term.sort_key)
        self.seed.random(self.question.id, *key).shuffle(ordered)
        return ordered


def _without_note(fragment: str) -> str:
    """Drop one trailing note in parentheses: ``NAME (concept)`` is how prompts show an entity."""
    text = fragment.rstrip()
    if text.endswith(")") and "(" in text:
        return text[: text.rindex("(")]
    return text
