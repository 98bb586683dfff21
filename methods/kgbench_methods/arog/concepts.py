"""Relation-centric abstraction: one concept a cluster, named from relations alone (ARoG, section 3.2, steps 2 and 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.contracts import Echo
from kgbench.prompts import Described, Fact, Word
from kgbench.types import Direction, Entity, Literal, Relation
from kgbench_methods.arog.prompts import EA
from kgbench_methods.common.json_replies import json_object
from kgbench_methods.common.send import send
from kgbench_methods.common.similar import most_similar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context
    from kgbench.types import AnyRelation, Question, Term, Triple
    from kgbench_methods.arog.clusters import Cluster
    from kgbench_methods.arog.parameters import ArogParameters

Concept = Echo | Word | Relation

ENTITY = Word("entity")
SPECIFIC_VALUE = Word("specific value")
"""The one concept of literals in the published code."""
_LITERAL_WORDS = {
    "date": Word("date value"),
    "number": Word("number value"),
    "boolean": Word("boolean value"),
    "text": Word("text value"),
}
MOST_WORDS = 6
"""Words of a concept; a model that writes more is describing, not naming."""


class Concepts:
    """The concepts of the entities met in one question.

    Args:
        question: relations are filtered by closeness to its text.
        parameters: which steps are on.
        ctx: the question's context.
    """

    def __init__(self, question: Question, parameters: ArogParameters, ctx: Context) -> None:
        self._question = question
        self._parameters = parameters
        self._ctx = ctx
        self._of: dict[Term, list[Concept]] = {}
        self._clusters: dict[tuple[str, str, str], Concept | Entity] = {}
        self._named: dict[tuple[tuple[str, ...], tuple[str, ...]], Concept] = {}

    def name(self, cluster: Cluster) -> None:
        """Give a cluster its concept: at most one call, shared by its members. A topic needs none."""
        members = [member for member in cluster.members if member not in self._question.topics]
        literals = [member for member in members if isinstance(member, Literal)]
        entities = [member for member in members if isinstance(member, Entity)]
        for literal in literals:
            self._add(literal, self._literal_word(literal))
        if not members:
            topic = cluster.entities[0]
            self._clusters[cluster.key] = topic
            return
        if not entities:
            self._clusters[cluster.key] = self._literal_word(literals[0])
            return
        concept = self._concept(cluster, entities) if self._parameters.names_concepts else ENTITY
        self._clusters[cluster.key] = concept
        for member in entities:
            self._add(member, concept)

    def of_cluster(self, cluster: Cluster) -> Concept | Entity:
        """The concept of a named cluster; a topic where the cluster holds nothing else."""
        return self._clusters[cluster.key]

    def of(self, term: Term) -> tuple[Concept, ...]:
        """The concepts of a term, in the order in which they were found; none for a topic."""
        return tuple(self._of.get(term, ()))

    def described(self, term: Term) -> Described:
        """A term with its concepts, for a prompt or for the embedder."""
        return Described(term, self.of(term))

    def fact(self, triple: Triple) -> Fact:
        """A triple with the current concepts of both ends."""
        return Fact(triple, self.of(triple.subject), self.of(triple.object))

    def _literal_word(self, literal: Literal) -> Word:
        return SPECIFIC_VALUE if self._parameters.official else _LITERAL_WORDS[literal.kind]

    def _add(self, term: Term, concept: Concept) -> None:
        """Append a concept unless the joined list already contains it."""
        known = self._of.setdefault(term, [])
        joined = ", ".join(_words(item) for item in known).casefold()
        if _words(concept).casefold() not in joined or not known:
            known.append(concept)

    def _concept(self, cluster: Cluster, members: Sequence[Entity]) -> Concept:
        view = self._ctx.kg
        described = self._signature(members, cluster.direction)
        shown = [] if view.skips(cluster.relation, "describe") else [cluster.relation]
        if not described and not shown:
            return _last_part(cluster.relation)
        if self._parameters.filters:
            described = most_similar(self._ctx, self._question.text, described, self._parameters.top_k)
        forward = cluster.direction is Direction.OUT
        object_of: Sequence[AnyRelation] = shown if forward else described
        subject_of: Sequence[AnyRelation] = described if forward else shown
        key = (tuple(r.label for r in object_of), tuple(r.label for r in subject_of))
        if self._parameters.concept_cache and key in self._named:
            self._ctx.note("concept_reused")
            return self._named[key]
        self._named[key] = self._ask(object_of, subject_of)
        return self._named[key]

    def _signature(self, members: Sequence[Entity], direction: Direction) -> list[Relation]:
        """Relations that describe a cluster: of all its members, or of the one that has most (ties: seeded order)."""
        view = self._ctx.kg
        if self._parameters.signature == "union":
            return list(view.relations(members, direction, use="describe"))
        each = [view.relations(member, direction, use="describe") for member in members]
        largest = max(each, key=len)
        return list(largest)

    def _ask(self, object_of: Sequence[AnyRelation], subject_of: Sequence[AnyRelation]) -> Concept:
        temperature = self._parameters.retrieval_temperature
        reply = send(self._ctx, EA, temperature, object_of=object_of, subject_of=subject_of)
        words = concept_words(reply.text)
        if words is None or "exemplar_echo" in reply.flags:
            self._ctx.note("parse_failure:abstraction")
            return ENTITY
        try:
            echo = reply.echo(words)
        except ValueError:  # the words are not the reply's own: an escape in its JSON, say
            self._ctx.note("parse_failure:abstraction")
            return ENTITY
        return echo if isinstance(echo, Echo) else ENTITY


def concept_words(reply: str) -> str | None:
    """Read the type of an abstraction reply: lower case, at most six words, no quotes or parentheses; None if absent."""
    found = json_object(reply, ("type",))
    value = found.get("type") if found else None
    if not isinstance(value, str):
        return None
    plain = "".join(" " if char in "\"'()[]{}`" else char for char in value)
    words = plain.lower().split()
    return " ".join(words[:MOST_WORDS]) if words and any(char.isalnum() for char in plain) else None


def _last_part(relation: AnyRelation) -> Relation:
    return relation if isinstance(relation, Relation) else relation.second


def _words(concept: Concept) -> str:
    return concept.label if isinstance(concept, Relation) else concept.text
