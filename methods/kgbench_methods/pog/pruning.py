"""Pruning: which of the nodes behind a relation the search goes on with. The model decides how many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgbench.prompts import Described, Word
from kgbench.types import Direction, Entity, Literal
from kgbench_methods.common.evidence import ask_within_window
from kgbench_methods.common.similar import similarities
from kgbench_methods.pog.asking import Asked
from kgbench_methods.pog.prompts import FACT_PATTERNS, TRIPLES_LABEL
from kgbench_methods.pog.replies import exact_names, read_names, read_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.prompts import SlotValue
    from kgbench.types import Question, Term
    from kgbench_methods.pog.asking import Asker
    from kgbench_methods.pog.exploring import Cluster
    from kgbench_methods.pog.forms import Prompts
    from kgbench_methods.pog.parameters import PogParameters

_VALUE = Word("value")


@dataclass(frozen=True)
class Pruner:
    """Prunes clusters, and any other list of nodes that is too long for a prompt."""

    question: Question
    parameters: PogParameters
    prompts: Prompts
    asker: Asker
    ctx: Context
    names_shown: bool
    """True where retrieval prompts show names."""

    def prune(self, cluster: Cluster) -> Cluster | None:
        """Keep the nodes that the model picks; None where it picks none.

        A cluster of one node, or of digits alone, is kept without a call.
        """
        if len(cluster.nodes) <= 1:
            return cluster if cluster.nodes else None
        key = (cluster.source.id, cluster.way.relation.id, str(cluster.way.direction))
        if all(isinstance(node, Literal) and node.lexical.isdigit() for node in cluster.nodes):
            nodes = cluster.nodes if self.parameters.official else self.most(cluster.nodes, *key)
            return replace(cluster, nodes=tuple(nodes))
        candidates: Sequence[Term] = cluster.nodes
        if len(candidates) > self.parameters.sample and self._all_unnamed(candidates):
            self.ctx.note("sampled")
            candidates = self.ctx.seeded_order(candidates, "sample", *key)[: self.parameters.sample]
        candidates = self.most(candidates, *key)
        chosen = ask_within_window(
            candidates,
            lambda some: self._ask(cluster, some),
            self.ctx,
            lambda some, count: self.nearest(some, count, *key),
        )
        kept = tuple(node for node in cluster.nodes if node in chosen)
        return replace(cluster, nodes=kept) if kept else None

    def most(self, nodes: Sequence[Term], *key: str) -> Sequence[Term]:
        """At most ``dense_top`` of the nodes: those closest to the question where prompts show names, else by seed."""
        if len(nodes) <= self.parameters.dense_top:
            return nodes
        self.ctx.note("cut_by_similarity" if self.names_shown or self.parameters.has("P3") else "cut_by_seed")
        return self.nearest(nodes, self.parameters.dense_top, *key)

    def nearest(self, nodes: Sequence[Term], count: int, *key: str) -> Sequence[Term]:
        """The ``count`` nodes closest to the question, as far as a prompt would show what they are; ties by seed."""
        ordered = self.ctx.seeded_order(nodes, "nearest", *key)
        if self.names_shown:
            scores = self.ctx.rank(self.question.text, ordered)
        elif self.parameters.has("P3"):
            # Handles are noise to an encoder, and the encoder never sees one: only a topic's mention has words.
            scores = similarities(self.ctx, self.question.text, [_display(node) for node in ordered])
        else:
            scores = [0.0] * len(ordered)
        ranked = sorted(range(len(ordered)), key=lambda place: (-scores[place], place))
        return [ordered[place] for place in ranked[:count]]

    def _all_unnamed(self, nodes: Sequence[Term]) -> bool:
        """True where no node has a name: where names are hidden, quirk P2 takes every handle for a missing name.

        Whether a node has a name is private. Where names are shown, mediators are known to have none from the schema.
        """
        entities = [node for node in nodes if isinstance(node, Entity)]
        if len(entities) < len(nodes):
            return False
        if self.names_shown:
            return self.ctx.kg.are_mediators(entities)
        return self.parameters.has("P2") and not any(entity in self.question.topics for entity in entities)

    def _ask(self, cluster: Cluster, candidates: Sequence[Term]) -> set[Term]:
        direction = Direction.OUT if self.parameters.has("B9") else cluster.way.direction
        slots: dict[str, SlotValue | Sequence[SlotValue]] = {
            "question": self.question,
            "pattern": FACT_PATTERNS[direction],
            "entity": cluster.source,
            "relation": cluster.way.relation,
            "candidates": list(candidates),
        }
        if "label" in self.prompts.ent_prune.slots:
            slots["label"] = TRIPLES_LABEL
        _, chosen = self.asker.ask(Asked(self.prompts.ent_prune, slots), self.reading("candidates"))
        return set(chosen or ())

    def reading(self, slot: str, *, whole: bool = False) -> _Reading:
        """How the chosen items of a list slot are read."""
        return _Reading(slot, self.ctx, numbered=self.prompts.numbered, exact=self.parameters.has("B2"), whole=whole)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads which nodes of a list a reply chose: by number where the list is numbered, else by what was shown."""

    slot: str
    ctx: Context
    numbered: bool
    exact: bool
    whole: bool

    def __call__(self, reply: Reply) -> tuple[Term, ...] | None:
        shown = [item for item in reply.shown[self.slot] if isinstance(item, (Entity, Literal))]
        if self.numbered:
            numbers = read_numbers(reply.text, len(shown))
            if numbers is not None:
                return tuple(shown[number - 1] for number in numbers)
            names: tuple[str, ...] | None = read_names(reply.text)
        else:
            names = exact_names(reply.text, whole=self.whole) if self.exact else read_names(reply.text)
        if names is None:
            return None
        terms = [term for name in names for term in self.ctx.resolve(name, among=shown)]
        return tuple(dict.fromkeys(terms)) if terms or not self.numbered else None


def _display(node: Term) -> object:
    """What the encoder may see of a node where names are hidden: a topic's mention, or that it is an entity or a value."""
    return Described(node) if isinstance(node, Entity) else _VALUE
