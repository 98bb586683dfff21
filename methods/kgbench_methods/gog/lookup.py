"""From the words of an action to entities.

Only what the question's own prompts have shown can be found: ids, names where names are shown, and the topics. A service
that looks names up in the whole graph would tell the model which names the graph has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kgbench.prompts import Described
from kgbench.types import Entity, Relation
from kgbench_methods.common.handles import holds_handle
from kgbench_methods.common.lists import parse_numbers
from kgbench_methods.common.own_words import own_words
from kgbench_methods.common.similar import similarities
from kgbench_methods.gog.actions import is_id
from kgbench_methods.gog.asking import Asker, GaveUp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Reply
    from kgbench.types import Question, Term
    from kgbench_methods.gog.prompts import PromptSet
    from kgbench_methods.gog.trace import Thought

MOST_CANDIDATES = 10
_GENERAL_KINDS = ("common.", "base.")
"""Beginnings of classes that say nothing of what a thing is."""


class Named(NamedTuple):
    """What the pieces of an action stand for."""

    entities: tuple[Entity, ...]
    """In the order of the pieces, each once."""
    missing: bool
    """True where a piece stands for no entity."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """Finds the entities that actions name, for one question."""

    question: Question
    prompts: PromptSet
    asker: Asker

    def entities(self, pieces: Sequence[str], reply: Reply, thought: Thought, *, first_step: bool) -> Named:
        """Find the entities that the pieces of an action name.

        Args:
            pieces: what stood in the action's brackets.
            reply: the reply that has them.
            thought: what the agent wants to know.
            first_step: nothing was searched yet: a name that was not shown then means the topic closest to it.
        """
        found: dict[Entity, None] = {}
        missing = False
        for piece in pieces:
            entities = self._named(piece, reply, thought)
            if not entities and first_step and not is_id(piece):
                entities = self._closest_topic(piece)
            missing = missing or not entities
            found.update(dict.fromkeys(entities))
        return Named(tuple(found), missing)

    def _named(self, piece: str, reply: Reply, thought: Thought) -> Sequence[Entity]:
        if holds_handle(piece):
            if self.asker.parameters.has("B6") and piece.lstrip().startswith("g."):
                return ()  # looked up as a name, which nothing has
            return _entities(self.asker.ctx.resolve(piece))
        # Where names are hidden from the agent, a name that it guessed must not be found, even if another phase showed it.
        entities = _entities(self.asker.ctx.resolve(piece, among=None if reply.exposed else self.question.topics))
        if len(entities) < 2 or all(entity in self.question.topics for entity in entities):
            return entities  # topics that the question calls alike are all meant
        return self._meant(piece, entities, reply, thought)

    def _closest_topic(self, piece: str) -> list[Entity]:
        topics = list(self.question.topics)
        if len(topics) < 2:
            return topics
        scores = similarities(self.asker.ctx, piece, topics)
        return [topics[max(range(len(topics)), key=lambda place: scores[place])]]

    def _meant(self, name: str, entities: Sequence[Entity], reply: Reply, thought: Thought) -> Sequence[Entity]:
        """Ask which of several entities of one name is meant."""
        ctx = self.asker.ctx
        kinds = {entity: self._kinds(entity) for entity in entities}
        ordered = [entity for entity in ctx.seeded_order(entities, "homonyms") if isinstance(entity, Entity)]
        offered = sorted(ordered, key=lambda entity: -len(kinds[entity]))[:MOST_CANDIDATES]
        answer = self.asker.ask_twice(
            self.prompts.entity,
            thought=thought,
            name=own_words(reply, name) or entities[0],
            candidates=[Described(entity, kinds[entity]) for entity in offered],
            width=1,
        )
        shown = answer.shown["candidates"]
        numbers = parse_numbers(answer.text, len(shown), 1).numbers
        if not numbers:
            ctx.note("parse_failure:entity")
            if self.asker.parameters.has("B7"):
                raise GaveUp("entity")  # whatever was said is taken for an id, and its query fails
        chosen = shown[numbers[0] - 1 if numbers else 0]
        return (chosen.term,) if isinstance(chosen, Described) and isinstance(chosen.term, Entity) else ()

    def _kinds(self, entity: Entity) -> tuple[Relation, ...]:
        """Classes of an entity, as labels of the schema."""
        labels = self.asker.ctx.kg.types(entity)
        return tuple(Relation(label, label) for label in labels if not label.startswith(_GENERAL_KINDS))


def _entities(terms: Sequence[Term]) -> tuple[Entity, ...]:
    return tuple(term for term in terms if isinstance(term, Entity))
