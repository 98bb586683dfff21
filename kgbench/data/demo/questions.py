"""Asks the questions of a demo graph: which topics, in which words, with which gold answers.

For each question a pool of candidate topics is drawn, each with its gold from SPARQL, and the candidate taken that best
meets what the set still wants: a third with several answers, some homonyms among the answers, some odd names, some topics
named by an alias or by a part of their name. No model and no retriever takes part in the choice.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kgbench.data.demo import schema
from kgbench.data.demo.gold_store import GoldStore, Result
from kgbench.data.demo.names import ODD_LISTS, seeded
from kgbench.data.demo.one_hop import ONE_HOP
from kgbench.data.demo.paths import PathType, entity_iri, query
from kgbench.data.demo.three_hops import THREE_HOPS
from kgbench.data.demo.two_hops import TWO_HOPS
from kgbench.errors import UsageError

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Sequence

    from kgbench.types import JsonObject

PLAN: tuple[tuple[tuple[PathType, ...], int], ...] = ((ONE_HOP, 50), (TWO_HOPS, 45), (THREE_HOPS, 25))
"""Kinds of questions, and how many of the shipped questions they give together; other numbers keep these shares."""
SHIPPED = sum(count for _, count in PLAN)
"""Questions of the shipped graph."""
MOST_ANSWERS = 12
MOST_USES_OF_A_TOPIC = 2
POOL = 12
"""Candidates compared for one question."""
DRAWS = 400
"""Topics tried for one pool."""
LEG_SEPARATOR = "&"
"""Stands between the legs in the `chain` of a question with several topics."""
ODD_NAMES = frozenset(name for odd in ODD_LISTS for name, _ in odd)
ODD_CHARACTER = re.compile(r"[^\w\s.'-]")
PARTED_AT_THE_END = (schema.WARD, schema.SITE, schema.SUPPLIER, schema.CONTRACT)
"""Classes whose names still say enough without their last word."""


@dataclass(frozen=True)
class Known:
    """What the questions may use of a graph beside its triples."""

    names: dict[str, str]
    """Id to name; nodes without a name are absent."""
    aliases: dict[str, tuple[str, ...]]
    members: dict[str, list[str]]
    """Class to the ids of its members, sorted."""

    @cached_property
    def bearers(self) -> Counter[str]:
        """How many nodes bear each name or alias."""
        every = Counter(self.names.values())
        every.update(alias for aliases in self.aliases.values() for alias in aliases)
        return every

    @cached_property
    def parts(self) -> dict[str, str]:
        """Id to a part of the name that stands for one node alone, where there is one."""
        part_of: dict[str, str] = {}
        for name in (schema.PERSON, *PARTED_AT_THE_END):
            part_of.update({node: _part(self.names[node], name) for node in self.members[name] if node in self.names})
        shared = Counter(part_of.values())
        return {node: part for node, part in part_of.items() if part and shared[part] == 1 and part not in self.bearers}

    @cached_property
    def by_name(self) -> dict[str, str]:
        """Name to an id that bears it."""
        return {name: node for node, name in self.names.items()}


def _part(name: str, class_label: str) -> str:
    first, _, last = name.rpartition(" ")
    if _is_odd(name) or not first:
        return ""
    return first if class_label in PARTED_AT_THE_END else last


def _is_odd(name: str) -> bool:
    return name in ODD_NAMES or ODD_CHARACTER.search(name) is not None


class Wishes(NamedTuple):
    """What a question should be, if the graph has it."""

    style: str
    """How the topic is mentioned: `name`, `alias` or `part`."""
    several: bool
    homonym: bool
    odd: bool


def _wishes(number: int) -> Wishes:
    style = {7: "alias", 3: "part"}.get(number % 10, "name")
    return Wishes(style, several=number % 3 == 0, homonym=number % 4 == 1, odd=number % 5 == 2)


class Candidate(NamedTuple):
    """Topics of one kind of question with their gold."""

    topics: tuple[str, ...]
    answers: tuple[Result, ...]
    sparql: str


@dataclass
class Asker:
    """Draws the questions of one graph."""

    known: Known
    triples: Iterable[tuple[str, str, str]]
    seed: int
    count: int = SHIPPED
    """How many questions to ask."""
    uses: Counter[str] = field(default_factory=Counter)
    """Topic id to the number of questions about it so far."""
    asked: set[str] = field(default_factory=set)
    """Texts of the questions so far; none is asked twice."""

    def questions(self) -> list[JsonObject]:
        """The records, in an order that mixes hops and kinds, with ids in that order.

        Raises:
            UsageError: the graph is too small for so many different questions.
        """
        store = GoldStore(self.triples)
        drafts = [record for paths, count in shares(self.count) for record in self._of_length(paths, count, store)]
        seeded(self.seed, "order").shuffle(drafts)
        width = len(str(len(drafts)))
        return [{"id": f"demo-{number:0{width}d}", **record} for number, record in enumerate(drafts, start=1)]

    def _of_length(self, paths: Sequence[PathType], count: int, store: GoldStore) -> Iterator[JsonObject]:
        """Goes round the kinds until `count` questions are asked; every round uses the next wording of each kind.

        When every wording of every kind has been used, they come again, with other topics; a kind that then finds none is
        not asked any more.
        """
        asked = 0
        wordings = max(len(path.wordings) for path in paths)
        spent: set[str] = set()
        for turn in range(count):
            for path in paths:
                if asked == count:
                    return
                if path.name in spent or len(path.wordings) <= turn < wordings:
                    continue
                wishes = _wishes(asked)
                rng = seeded(self.seed, f"question|{path.name}|{turn}")
                record = self._asked(path, turn % len(path.wordings), wishes, store, rng)
                if record is not None:
                    asked += 1
                    yield record
                elif turn >= wordings:
                    spent.add(path.name)
        if asked < count:
            raise UsageError(
                f"the demo graph has material for {asked} of {count} questions of one length; ask for fewer questions or "
                "for more triples"
            )

    def _asked(
        self, path: PathType, wording: int, wishes: Wishes, store: GoldStore, rng: random.Random
    ) -> JsonObject | None:
        """One more question of a kind, or None where the graph has no material for it."""
        candidate = self._best(path, wishes, store, rng)
        record = None if candidate is None else self._record(path, candidate, path.wordings[wording], wishes)
        if candidate is None or record is None or record["question"] in self.asked:
            return None
        self.uses.update(candidate.topics)
        self.asked.add(record["question"])
        return record

    def _best(self, path: PathType, wishes: Wishes, store: GoldStore, rng: random.Random) -> Candidate | None:
        pool: list[Candidate] = []
        for _ in range(DRAWS):
            candidate = self._draw(path, store, rng)
            if candidate is not None:
                pool.append(candidate)
            if len(pool) == POOL:
                break
        return max(pool, key=lambda candidate: self._merit(candidate, wishes), default=None)

    def _merit(self, candidate: Candidate, wishes: Wishes) -> int:
        names = [self.known.names[answer.id] for answer in candidate.answers if answer.id]
        shown = [self.known.names[topic] for topic in candidate.topics] + names
        return (
            4 * (self._words(candidate.topics[0], wishes.style) != "")
            + 3 * ((len(candidate.answers) > 1) == wishes.several)
            + 2 * (wishes.odd and any(_is_odd(name) for name in shown))
            + 2 * (wishes.homonym and any(self.known.bearers[name] > 1 for name in names))
        )

    def _draw(self, path: PathType, store: GoldStore, rng: random.Random) -> Candidate | None:
        """One candidate, or None where the topics drawn do not make a question."""
        topics = self._topics(path, store, rng)
        if not topics or any(not self._may_be_topic(topic) for topic in topics):
            return None
        terms = [f"<{entity_iri(topic)}>" for topic in topics]
        sparql = query(path, terms)
        answers = store.select(sparql)
        if not 1 <= len(answers) <= MOST_ANSWERS or any(self._is_no_answer(answer, topics) for answer in answers):
            return None
        if path.one_mediator and answers != store.select(query(path, terms, share_mediator=False)):
            return None  # a reader of the flattened graph, who sees no mediator, would find something else
        return Candidate(topics, tuple(answers), sparql)

    def _topics(self, path: PathType, store: GoldStore, rng: random.Random) -> tuple[str, ...]:
        """One topic a leg: the first at random, every other one such that the legs meet in an answer."""
        topics: list[str] = []
        for number, leg in enumerate(path.legs):
            if leg.fixed_topic:
                topics.append(self.known.by_name[leg.fixed_topic])
            elif number == 0:
                topics.append(rng.choice(self.known.members[leg.topic_class]))
            else:
                terms = [f"<{entity_iri(topic)}>" for topic in topics] + ["?topic"]
                meeting = [result.id for result in store.select(query(path, terms, wanted="?topic"))]
                if not meeting:
                    return ()
                topics.append(rng.choice(meeting))
        return tuple(topics)

    def _may_be_topic(self, topic: str) -> bool:
        name = self.known.names.get(topic, "")
        can_be_said = name != "" and "\n" not in name and self.known.bearers[name] == 1
        return can_be_said and self.uses[topic] < MOST_USES_OF_A_TOPIC

    def _is_no_answer(self, answer: Result, topics: Sequence[str]) -> bool:
        return bool(answer.id) and (answer.id in topics or answer.id not in self.known.names)

    def _words(self, topic: str, style: str) -> str:
        """The words for a topic in a question; empty where the topic cannot be mentioned in this style."""
        if style == "alias":
            return next((alias for alias in self.known.aliases.get(topic, ()) if self.known.bearers[alias] == 1), "")
        return self.known.parts.get(topic, "") if style == "part" else self.known.names[topic]

    def _record(self, path: PathType, candidate: Candidate, wording: str, wishes: Wishes) -> JsonObject:
        words = [self.known.names[topic] for topic in candidate.topics]
        if len(words) == 1:
            words = [self._words(candidate.topics[0], wishes.style) or words[0]]
        text = re.sub(r"\{(\d)\}", lambda place: words[int(place[1])], wording)
        mentions = {
            topic: shown
            for topic, shown in zip(candidate.topics, words, strict=True)
            if shown in text and (_is_odd(shown) or shown in self.known.aliases.get(topic, ()))
        }
        record: JsonObject = {
            "question": text,
            "topic_entities": {topic: self.known.names[topic] for topic in candidate.topics},
            **({"mentions": mentions} if mentions else {}),
            "answers": self._gold(candidate.answers),
            "answerable": "exact",
            "chain": _chain(path),
            "hops": path.hops,
            "sparql": candidate.sparql,
            "type": path.name,
        }
        return record

    def _gold(self, answers: Sequence[Result]) -> list[JsonObject]:
        literals: list[JsonObject] = [
            {"value": answer.value, "datatype": answer.datatype} for answer in answers if not answer.id
        ]
        entities: list[JsonObject] = []
        for node in sorted(
            (answer.id for answer in answers if answer.id), key=lambda node: (self.known.names[node], node)
        ):
            aliases = self.known.aliases.get(node)
            entities.append(
                {"id": node, "name": self.known.names[node], **({"aliases": list(aliases)} if aliases else {})}
            )
        return entities + literals


def shares(count: int) -> list[tuple[tuple[PathType, ...], int]]:
    """How many questions each length gives, by the shares of the shipped questions; the rest goes to the shortest."""
    parts = [(paths, count * share // SHIPPED) for paths, share in PLAN]
    rest = count - sum(part for _, part in parts)
    return [(parts[0][0], parts[0][1] + rest), *parts[1:]]


def _chain(path: PathType) -> list[str]:
    chain: list[str] = list(path.legs[0].chain)
    for leg in path.legs[1:]:
        chain += [LEG_SEPARATOR, *leg.chain]
    return chain
