"""The canary world: every name, alias, description, literal and id is a nonsense token that stands nowhere else.

So whatever of it turns up in a request is a disclosure, and it can be said of what. Made from the toy world, whose shape
and relation labels it keeps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kgbench.contracts import Profile
from kgbench.testing.graphs import MemoryGraph
from kgbench.testing.toy import toy_graph, toy_records
from kgbench.types import Entity, Gold, GoldAnswer, Literal, NodeNames, Question, QuestionRecord, Triple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kgbench.types import Term

_TOKEN = re.compile(r"[^\W_]+")
_UNSAID = "that one"
"""What stands in a question where its topic is not named."""
PROFILE = Profile(name="canary", opaque_ids=True)
"""Ids have Freebase's form and carry no words, so that ``source-id`` may show them."""


@dataclass(frozen=True)
class CanaryWorld:
    """A graph and questions full of canaries."""

    graph: MemoryGraph
    records: tuple[QuestionRecord, ...]
    kinds: Mapping[str, str] = field(repr=False)
    """Canary token in lower case -> ``name``, ``alias``, ``description``, ``literal``, ``id``, ``gold`` or ``tag``."""

    def found(self, text: str) -> Iterator[tuple[str, str, int]]:
        """Yield each canary in a text: the token, its kind, and where it starts."""
        for match in _TOKEN.finditer(text):
            token = match.group().casefold()
            if token in self.kinds:
                yield token, self.kinds[token], match.start()


def canary_world() -> CanaryWorld:
    """Make the canary world.

    Each toy question comes twice: with the topic's name in its text, and with a given name that the text does not say.
    Their records carry gold in further fields, as published files do (``support``, ``sparql``, ``full_answers``).
    """
    return _Disguise().world()


class _Disguise:
    """Replaces everything that identifies a term of the toy world by canaries."""

    def __init__(self) -> None:
        self._toy = toy_graph()
        self._kinds: dict[str, str] = {}
        self._terms: dict[Term, Term] = {}
        self._names: dict[str, NodeNames] = {}
        for number, term in enumerate(self._toy.terms, 1):
            self._terms[term] = self._literal(term, number) if isinstance(term, Literal) else self._entity(term, number)

    def world(self) -> CanaryWorld:
        def new(entity_id: str) -> str:
            return str(self._entity_of(entity_id).id)

        graph = MemoryGraph(
            [Triple(self._terms[t.subject], t.relation, self._terms[t.object]) for t in self._toy.triples],
            names=self._names,
            classes={new(node): labels for node, labels in self._toy.classes.items()},
            mediators=[new(node) for node in self._toy.mediators],
            profile=PROFILE,
        )
        records = [self._record(record, number, said) for said in (True, False) for number, record in self._numbered()]
        return CanaryWorld(graph, tuple(records), self._kinds)

    def _numbered(self) -> list[tuple[int, QuestionRecord]]:
        known = [record for record in toy_records() if all(topic in self._terms for topic in record.question.topics)]
        return list(enumerate(known, 1))

    def _canary(self, token: str, kind: str) -> str:
        self._kinds[token.casefold()] = kind
        return token

    def _entity(self, entity: Entity, number: int) -> Entity:
        """Ids count up, so that one is a prefix of another."""
        new = Entity("m." + self._canary(f"0qz{number}", "id"))
        if entity.id in self._toy.all_names:
            first, last = self._canary(f"Namqz{number}x", "name"), self._canary(f"Famqz{number}x", "name")
            alias, told = self._canary(f"Aliqz{number}x", "alias"), self._canary(f"Dscqz{number}x", "description")
            self._names[new.id] = NodeNames(f"{first} {last}", (alias,), f"What {told} is.")
        return new

    def _literal(self, literal: Literal, number: int) -> Literal:
        unique = {"date": f"{3000 + number}", "number": f"{900000 + number}"}.get(literal.kind, f"Litqz{number}x")
        self._canary(unique, "literal")
        return replace(literal, lexical=f"{unique}-05-17" if literal.datatype.endswith("#date") else unique)

    def _entity_of(self, toy_id: str) -> Entity:
        term = self._terms[Entity(toy_id)]
        assert isinstance(term, Entity)  # noqa: S101 - for the type checker
        return term

    def _record(self, record: QuestionRecord, number: int, said: bool) -> QuestionRecord:
        question_id = f"{record.question.id}, {'named' if said else 'not named'}"
        text, names = record.question.text, {}
        for topic in record.question.topics:
            new = self._entity_of(topic.id)
            name = self._names[new.id].name or ""
            text = text.replace(record.topic_names[topic], name if said else _UNSAID)
            names[new] = name
        mark = f"qz{number}{'n' if said else 'u'}x"
        tags = {
            "support": [self._canary(f"Sup{mark}", "tag")],
            "sparql": f"SELECT {self._canary(f'Sprql{mark}', 'tag')}",
            "full_answers": [self._canary(f"Ful{mark}", "tag")],
            "hops": record.tags["hops"],
        }
        gold = tuple(self._gold(answer, f"Gld{mark}") for answer in record.gold.answers)
        return QuestionRecord(Question(question_id, text, tuple(names)), Gold(question_id, gold), names, tags=tags)

    def _gold(self, answer: GoldAnswer, extra: str) -> GoldAnswer:
        """The same answer, with a further name that no node of the graph has."""
        if answer.id is not None:
            new = self._entity_of(answer.id)
            return GoldAnswer(new.id, self._names[new.id].name, (self._canary(extra, "gold"),))
        old = Literal(answer.value or "", answer.datatype)
        new_literal = self._terms[old]
        assert isinstance(new_literal, Literal)  # noqa: S101 - for the type checker
        return replace(answer, value=new_literal.lexical)
