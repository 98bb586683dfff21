"""A graph without some of its facts: those that a question lists, or a share drawn by a keyed hash.

Facts are hidden here, between the adapter and the gate, so that every kind of graph is thinned alike. What is hidden is
hidden whichever end it is read from, and with it the same fact under its declared inverse. A joined relation is two
edges, and is there where both are.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Protocol, TypeVar

from kgbench.errors import GraphPartial, UsageError
from kgbench.types import Direction, Entity, Neighbours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from kgbench.contracts import GraphCard, KnowledgeGraph
    from kgbench.types import NodeKind, NodeNames, Relation, Term

    Relations = dict[Entity, tuple[Relation, ...]]

Result = TypeVar("Result")
ListedTriple = tuple[str, str, str]
"""Ids of subject, relation and object."""

_HASH_BYTES = 8
_HASHES = 1 << (8 * _HASH_BYTES)


class Rule(Protocol):
    """Which facts are hidden."""

    def hides(self, subject: Entity, relation: Relation, value: Term) -> bool:
        """Tell whether a fact is hidden."""

    def concerns(self, entity: Entity) -> bool:
        """False where no fact of the entity is hidden, in either direction."""


@dataclass(frozen=True)
class Thinning:
    """Hides a share of all facts.

    Whether a fact is hidden follows from its three terms and the seed alone: not from its place in a file, nor from what
    else is read. With one seed, what a smaller share hides a larger one hides too.

    Args:
        share: from 0 to below 1.
        seed: another one hides other facts.
        inverses: relation label -> label of its declared inverse, both ways.
    """

    share: float
    seed: int
    inverses: Mapping[str, str]

    def hides(self, subject: Entity, relation: Relation, value: Term) -> bool:
        """Tell whether the hash of a fact lies below the share."""
        digest = blake2b(_fact_text(subject, relation, value, self.inverses), digest_size=_HASH_BYTES, key=self._key)
        return int.from_bytes(digest.digest(), "big") < self.share * _HASHES

    def concerns(self, entity: Entity) -> bool:
        """True: any fact may be drawn."""
        return True

    @property
    def _key(self) -> bytes:
        return f"kgbench thin {self.seed}".encode()


def _fact_text(subject: Entity, relation: Relation, value: Term, inverses: Mapping[str, str]) -> bytes:
    """One text for a fact and for its inverse."""
    inverse = inverses.get(relation.label)
    # Ids are the same in every engine. Inverses are known by label, so such a relation goes by its label.
    name = relation.id if inverse is None else relation.label
    texts = [_json(subject.sort_key, name, value.sort_key)]
    if inverse is not None and isinstance(value, Entity):
        texts.append(_json(value.sort_key, inverse, subject.sort_key))
    return min(texts).encode("utf-8", "surrogatepass")


def _json(*parts: object) -> str:
    return json.dumps(parts, ensure_ascii=False)


class Listed:
    """Hides facts that are listed.

    Args:
        triples: ids of subject, relation and object.
        inverses: relation label -> label of its declared inverse, both ways.
        ids: label -> id of these relations, where they differ.
    """

    def __init__(
        self, triples: Iterable[ListedTriple], inverses: Mapping[str, str], ids: Mapping[str, str] | None = None
    ) -> None:
        self._triples = frozenset(triples)
        self._inverses = inverses
        self._ids = ids or {}
        self._ends = frozenset(end for head, _, tail in self._triples for end in (head, tail))

    def hides(self, subject: Entity, relation: Relation, value: Term) -> bool:
        """Tell whether a fact, or the same fact under the inverse of its relation, is listed."""
        if not isinstance(value, Entity):
            return False
        named = [(subject.id, name, value.id) for name in (relation.id, relation.label)]
        inverse = self._inverses.get(relation.label)
        if inverse is not None:
            named += [(value.id, name, subject.id) for name in (self._ids.get(inverse, inverse), inverse)]
        return not self._triples.isdisjoint(named)

    def concerns(self, entity: Entity) -> bool:
        """Tell whether the entity is an end of a listed fact."""
        return entity.id in self._ends


@dataclass(frozen=True)
class Hiding:
    """What a run hides of its graph."""

    crucial: bool = False
    """Hide the facts that each question lists."""
    thin: float | None = None
    thin_seed: int = 0

    def __bool__(self) -> bool:
        return self.crucial or self.thin is not None

    @property
    def text(self) -> str:
        """What is hidden, for signatures: ``hide=crucial,thin=0.2,thin_seed=0``."""
        parts = ["hide=crucial"] if self.crucial else []
        if self.thin is not None:
            parts += [f"thin={self.thin}", f"thin_seed={self.thin_seed}"]
        return ",".join(parts)

    def fingerprint(self, whole: str) -> str:
        """Fingerprint of what is left of a graph whose own fingerprint is ``whole``."""
        return sha256(f"{whole} {self.text}".encode()).hexdigest()

    def rules(self, listed: Iterable[ListedTriple], card: GraphCard) -> list[Rule]:
        """The rules for one question.

        Args:
            listed: the facts that the question lists.
            card: of the whole graph.
        """
        found: list[Rule] = [Listed(listed, card.inverses, card.inverse_ids)] if self.crucial else []
        if self.thin is not None:
            found.append(Thinning(self.thin, self.thin_seed, card.inverses))
        return found


class HidingGraph:
    """A graph without hidden facts. Itself a ``KnowledgeGraph``.

    Args:
        graph: the whole graph.
        rules: each hides some facts.
        card: what is said of the graph that is left.
    """

    def __init__(self, graph: KnowledgeGraph, rules: Sequence[Rule], card: GraphCard) -> None:
        self._graph = graph
        self._rules = rules
        self._card = card

    @property
    def card(self) -> GraphCard:
        """What the graph is."""
        return self._card

    def relations(self, entities: Sequence[Entity], direction: Direction) -> Relations:
        """Relations along which something is left.

        Costs a read of neighbours for each relation of an entity that a rule concerns.
        """
        return _through_partial(
            lambda: self._graph.relations(entities, direction), lambda found: self._left(found, direction)
        )

    def _left(self, found: Relations, direction: Direction) -> Relations:
        concerned = [entity for entity in found if any(rule.concerns(entity) for rule in self._rules)]
        starts: dict[Relation, list[Entity]] = {}
        for entity in concerned:
            for relation in found[entity]:
                starts.setdefault(relation, []).append(entity)
        reaching = {relation: self._reaching(asked, relation, direction) for relation, asked in starts.items()}
        return found | {
            entity: tuple(relation for relation in found[entity] if entity in reaching[relation])
            for entity in concerned
        }

    def _reaching(self, entities: Sequence[Entity], relation: Relation, direction: Direction) -> frozenset[Entity]:
        """The entities from which the relation leads somewhere still."""
        found = self._read(entities, relation, direction)
        reaching = frozenset(entity for entity, _ in found.pairs)
        if found.cut and len(entities) > 1:  # all share the row limit: one hub may have used it up
            rest = [self._reaching((entity,), relation, direction) for entity in entities if entity not in reaching]
            return reaching.union(*rest)
        return reaching

    def _read(self, entities: Sequence[Entity], relation: Relation, direction: Direction) -> Neighbours:
        try:
            return self.neighbours(entities, relation, direction)
        except GraphPartial as partial:
            result: Neighbours = partial.result
            return result

    def neighbours(
        self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int | None = None
    ) -> Neighbours:
        """What is left of the terms that each entity reaches.

        The whole graph is asked without ``limit``, which bounds what is left: hidden rows must not use it up.
        """

        def left(found: Neighbours) -> Neighbours:
            pairs = tuple(pair for pair in found.pairs if not self._hides(pair, relation, direction))
            cut = limit is not None and len(pairs) > limit
            return Neighbours(pairs[:limit] if cut else pairs, cut=found.cut or cut)

        return _through_partial(lambda: self._graph.neighbours(entities, relation, direction), left)

    def _hides(self, pair: tuple[Entity, Term], relation: Relation, direction: Direction) -> bool:
        start, reached = pair
        if direction is Direction.OUT:
            return any(rule.hides(start, relation, reached) for rule in self._rules)
        return isinstance(reached, Entity) and any(rule.hides(reached, relation, start) for rule in self._rules)

    def names(self, entities: Sequence[Entity]) -> dict[Entity, NodeNames]:
        """Names: all of them."""
        return self._graph.names(entities)

    def types(self, entities: Sequence[Entity]) -> dict[Entity, NodeKind]:
        """Classes: all of them; only relations are hidden."""
        return self._graph.types(entities)

    def select(self, sparql: str) -> tuple[tuple[Term | None, ...], ...]:
        """Refuse: a query would see what is hidden.

        Raises:
            UsageError: always; the run ends, for no question of it could be trusted.
        """
        raise UsageError(
            "the method asks a SPARQL query of its own, which would see the facts that kg.hide or kg.thin hides; leave "
            "these out, or take a method that reads relations and neighbours"
        )


def _through_partial(read: Callable[[], Result], left: Callable[[Result], Result]) -> Result:
    """Take hidden facts out of a result, and out of an incomplete one, which stays known as such."""
    try:
        return left(read())
    except GraphPartial as partial:
        result, reason = left(partial.result), partial.reason
    raise GraphPartial(result, reason)


def _conforms(graph: HidingGraph) -> KnowledgeGraph:
    """Holds the type checker to the contract; never called."""
    return graph
