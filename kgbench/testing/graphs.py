"""A graph made of Python triples: small, readable, held in memory. For tests of this project and of plugins."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from kgbench.contracts import GraphCard, Profile
from kgbench.errors import GraphError
from kgbench.types import ClassLabel, Direction, Entity, Literal, Neighbours, NodeKind, NodeNames, Relation, Triple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from kgbench.types import Term

XSD = "http://www.w3.org/2001/XMLSchema#"
_LITERAL = re.compile(r'"(?P<lexical>.*)"(?:\^\^(?P<datatype>\w+))?')
_GAP = re.compile(r"\s{2,}|\t")


class MemoryGraph:
    """Implements :class:`kgbench.contracts.KnowledgeGraph` over a list of triples.

    Args:
        triples: the facts, in any order; repeats count once.
        names: entity id -> names. An entity that is not in it has no name.
        classes: entity id -> class labels.
        mediators: ids of CVT, statement or reified nodes.
        profile: how the graph is read; its row limit bounds every read.
        inverses: relation label -> label of its declared inverse.
    """

    def __init__(
        self,
        triples: Iterable[Triple],
        *,
        names: Mapping[str, NodeNames] | None = None,
        classes: Mapping[str, Sequence[str]] | None = None,
        mediators: Collection[str] = (),
        profile: Profile | None = None,
        inverses: Mapping[str, str] | None = None,
    ) -> None:
        self.triples = tuple(sorted(set(triples), key=_triple_key))
        self.all_names = dict(names or {})
        self.classes = {node: tuple(labels) for node, labels in (classes or {}).items()}
        self.mediators = frozenset(mediators)
        self._relations: dict[tuple[Entity, Direction], dict[str, Relation]] = {}
        self._reached: dict[tuple[Entity, Relation, Direction], list[Term]] = {}
        for triple in self.triples:
            if isinstance(triple.relation, Relation):
                self._index(triple.subject, triple.relation, Direction.OUT, triple.object)
                self._index(triple.object, triple.relation, Direction.IN, triple.subject)
        content = repr([_triple_key(triple) for triple in self.triples])
        self._card = GraphCard(
            name="memory",
            profile=profile or Profile(name="memory"),
            fingerprint=sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16],
            triples=len(self.triples),
            inverses=dict(inverses or {}),
        )

    @property
    def card(self) -> GraphCard:
        """What the graph is."""
        return self._card

    @property
    def terms(self) -> tuple[Term, ...]:
        """Every entity and literal, sorted."""
        ends = {term for triple in self.triples for term in (triple.subject, triple.object)}
        return tuple(sorted(ends, key=lambda term: term.sort_key))

    def relations(self, entities: Sequence[Entity], direction: Direction) -> dict[Entity, tuple[Relation, ...]]:
        """Distinct relations of each entity, sorted by label."""
        found: dict[Entity, tuple[Relation, ...]] = {}
        for entity in entities:
            by_label = self._relations.get((entity, direction), {})
            found[entity] = tuple(by_label[label] for label in sorted(by_label))
        return found

    def _index(self, start: Term, relation: Relation, direction: Direction, end: Term) -> None:
        if isinstance(start, Entity):
            self._relations.setdefault((start, direction), {})[relation.label] = relation
            self._reached.setdefault((start, relation, direction), []).append(end)

    def neighbours(
        self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int | None = None
    ) -> Neighbours:
        """Terms that each entity reaches along a relation, by start id and then by term."""
        pairs = [
            (entity, term)
            for entity in dict.fromkeys(entities)
            for term in self._reached.get((entity, relation, direction), ())
        ]
        pairs.sort(key=lambda pair: (pair[0].id, pair[1].sort_key))
        most = min(limit or self._card.profile.row_limit, self._card.profile.row_limit)
        return Neighbours(tuple(pairs[:most]), cut=len(pairs) > most)

    def names(self, entities: Sequence[Entity]) -> dict[Entity, NodeNames]:
        """Names of entities; none for one that has no name."""
        return {entity: self.all_names.get(entity.id, NodeNames(None)) for entity in entities}

    def types(self, entities: Sequence[Entity]) -> dict[Entity, NodeKind]:
        """Classes of entities, and whether they are mediators."""
        return {
            entity: NodeKind(
                tuple(ClassLabel(label) for label in self.classes.get(entity.id, ())), entity.id in self.mediators
            )
            for entity in entities
        }

    def select(self, sparql: str) -> tuple[tuple[Term | None, ...], ...]:
        """Refuse: a graph in memory reads no SPARQL.

        Raises:
            GraphError: always.
        """
        raise GraphError("a MemoryGraph reads no SPARQL; test a method that needs it on an RDF file")


def parse_triples(text: str) -> tuple[Triple, ...]:
    """Read triples from lines of subject, relation and object, with two spaces or a tab between them.

    A literal stands in double quotes, with the local name of its XSD datatype after ``^^``, such as ``"1911"^^gYear``.

    Raises:
        ValueError: a line does not have three parts.
    """
    triples = []
    for number, line in enumerate(text.strip().splitlines(), 1):
        parts = _GAP.split(line.strip())
        if len(parts) != 3:
            raise ValueError(f"line {number} has {len(parts)} parts, not subject, relation and object")
        subject, relation, target = parts
        triples.append(Triple(Entity(subject), Relation(relation, relation), parse_term(target)))
    return tuple(triples)


def parse_term(text: str) -> Term:
    """Read a literal in double quotes, or else an entity id."""
    match = _LITERAL.fullmatch(text)
    if match is None:
        return Entity(text)
    datatype = match["datatype"]
    return Literal(match["lexical"], f"{XSD}{datatype}" if datatype else "")


def _triple_key(triple: Triple) -> tuple[object, ...]:
    return (triple.subject.sort_key, triple.relation.id, triple.object.sort_key)
