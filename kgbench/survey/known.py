"""What a graph knows of the entities that questions name: read in batches, from any graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.seam.mentions import find_mention
from kgbench.types import Direction, Entity, NodeNames

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgbench.contracts import KnowledgeGraph
    from kgbench.types import QuestionRecord

_BATCH = 200


@dataclass(frozen=True, slots=True)
class Known:
    """What a graph knows of one entity."""

    names: NodeNames
    relations: int
    """Relations that it has, as subject and as object; one that it has both ways counts twice."""
    mediator: bool

    @property
    def present(self) -> bool:
        """True where it stands in a fact or has a name."""
        return bool(self.relations or self.every_name)

    @property
    def every_name(self) -> tuple[str, ...]:
        """Name and aliases."""
        return (*((self.names.name,) if self.names.name else ()), *self.names.aliases)


NOTHING = Known(NodeNames(None), 0, mediator=False)


def look_up(graph: KnowledgeGraph, entities: Iterable[Entity]) -> dict[Entity, Known]:
    """Look entities up, 200 a round trip.

    Args:
        graph: any open graph.
        entities: repeats are looked up once.
    """
    known: dict[Entity, Known] = {}
    wanted = list(dict.fromkeys(entities))
    for first in range(0, len(wanted), _BATCH):
        batch = wanted[first : first + _BATCH]
        outgoing, incoming = (graph.relations(batch, direction) for direction in (Direction.OUT, Direction.IN))
        names, kinds = graph.names(batch), graph.types(batch)
        for entity in batch:
            relations = len(outgoing.get(entity, ())) + len(incoming.get(entity, ()))
            kind = kinds.get(entity)
            mediator = kind is not None and kind.mediator
            known[entity] = Known(names.get(entity, NodeNames(None)), relations, mediator)
    return known


def entities_of(records: Iterable[QuestionRecord]) -> list[Entity]:
    """Topics and gold entities of some questions, each once."""
    found: dict[Entity, None] = {}
    for record in records:
        found.update(dict.fromkeys(record.question.topics))
        found.update((Entity(answer.id), None) for answer in record.gold.answers if answer.id)
    return list(found)


def mention_of(record: QuestionRecord, topic: Entity, known: Known) -> str | None:
    """The question's own words for a topic, found as a run finds them; None where it has none."""
    name = record.topic_names.get(topic) or known.names.name or ""
    return find_mention(record.question.text, name, known.every_name, record.mentions.get(topic))
