"""Search: the facts around entities, along the relations that serve the agent's thought."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kgbench.types import Entity, Relation
from kgbench_methods.common.lists import list_items, parse_numbers, parse_relations
from kgbench_methods.common.similar import most_similar
from kgbench_methods.gog.asking import GaveUp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.types import Question, Triple
    from kgbench_methods.gog.asking import Asker
    from kgbench_methods.gog.neighbourhood import Neighbourhoods
    from kgbench_methods.gog.prompts import PromptSet
    from kgbench_methods.gog.trace import Thought

MOST_LABELS = 200
"""Relations that one prompt lists; more are filtered locally first."""
_NUMBERS = re.compile(r"[\s\[({]*\d{1,4}(?:[\s,;.)\]]+\d{1,4})*[\s.)\]}]*")


class Found(NamedTuple):
    """What a search found."""

    facts: tuple[Triple, ...]
    new: tuple[Entity, ...]
    """Entities of the facts that were not searched yet, in seeded order."""


@dataclass(slots=True)
class Searcher:
    """Searches for one question."""

    question: Question
    prompts: PromptSet
    asker: Asker
    neighbourhoods: Neighbourhoods
    searched: dict[Entity, None]
    """Entities searched so far; grows with every search."""
    names_hidden: bool = True
    """False once a relation prompt has shown names."""

    def search(self, entities: Sequence[Entity], thought: Thought, step: int) -> Found:
        """Ask for relations of each entity and read their facts.

        Args:
            entities: what to search.
            thought: what the agent wants to know.
            step: number of the agent's step, from 1.
        """
        facts: dict[Triple, None] = {}
        for entity in entities:
            self.searched[entity] = None
            for label in self._chosen(entity, thought, step):
                facts.update(dict.fromkeys(self.neighbourhoods.facts(entity, label, step)))
        ends = {end for triple in facts for end in (triple.subject, triple.object) if isinstance(end, Entity)}
        new = [end for end in ends if end not in self.searched]
        ordered = self.asker.ctx.seeded_order(new, "new", str(step))
        return Found(tuple(facts), tuple(end for end in ordered if isinstance(end, Entity)))

    def _chosen(self, entity: Entity, thought: Thought, step: int) -> Sequence[str]:
        ctx, parameters = self.asker.ctx, self.asker.parameters
        relations = self._offered(entity, step)
        if not relations:
            ctx.note("topic_without_relations" if entity in self.question.topics else "entity_without_relations")
            return ()
        reply = self.asker.ask_twice(
            self.prompts.relations,
            question=self.question,
            thought=thought,
            entity=entity,
            relations=relations,
            width=parameters.relation_width,
        )
        self.names_hidden = not reply.exposed
        if parameters.has("strict_lists") and "[" not in reply.text:
            raise GaveUp("relations")
        limit = None if parameters.has("all_relations") else parameters.relation_width
        shown = [relation.label for relation in reply.shown["relations"] if isinstance(relation, Relation)]
        labels, unknown = chosen_labels(reply.text, shown, limit)
        ctx.note("unknown_relation", unknown)
        if not labels and not is_empty_list(reply.text):
            ctx.note("parse_failure:relations")
        return labels

    def _offered(self, entity: Entity, step: int) -> list[Relation]:
        """Relations in the order in which the prompt is given them; it sorts them unless they are to be shuffled."""
        ctx = self.asker.ctx
        relations = self.neighbourhoods.relations(entity)
        if len(relations) > MOST_LABELS:
            ctx.note("relations_prefiltered")
            relations = most_similar(ctx, self.question.text, relations, MOST_LABELS)
        if self.asker.parameters.has("B8"):
            ctx.rng("relations", entity.id, str(step)).shuffle(relations)
        return relations


def chosen_labels(reply: str, labels: Sequence[str], limit: int | None) -> tuple[tuple[str, ...], int]:
    """Read chosen relations: exact labels, endings at a dot that only one of the labels has, or bare numbers.

    Args:
        reply: any text.
        labels: in the order in which the prompt numbered them.
        limit: most labels to keep.

    Returns:
        The labels, best first, and how many items of the reply are no label.
    """
    if _NUMBERS.fullmatch(reply):
        numbers = parse_numbers(reply, len(labels), limit)
        return tuple(labels[number - 1] for number in numbers.numbers), numbers.unknown
    exact = parse_relations(reply, labels, limit)
    if exact.form != "none" and not exact.unknown:
        return exact.labels, 0
    by_end = _unique_endings(labels)
    loose = parse_relations(reply, (*labels, *by_end))
    if loose.form not in ("list", "lines"):  # a single word of a sentence is no choice
        return exact.labels, exact.unknown
    chosen = dict.fromkeys(by_end.get(label, label) for label in loose.labels)
    return tuple(chosen)[:limit], loose.unknown


def _unique_endings(labels: Sequence[str]) -> dict[str, str]:
    """Ending of a label after one of its dots -> the one label that has it."""
    having: dict[str, set[str]] = {}
    for label in labels:
        segments = label.split(".")
        for start in range(1, len(segments)):
            having.setdefault(".".join(segments[start:]), set()).add(label)
    return {end: min(found) for end, found in having.items() if len(found) == 1 and end not in labels}


def is_empty_list(reply: str) -> bool:
    """True for a reply that chooses nothing on purpose, such as ``[]``."""
    return "[" in reply and not list_items(reply)
