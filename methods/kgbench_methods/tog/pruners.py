"""Who prunes: the model, or a local comparison of relation labels with the question (BM25, embeddings)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kgbench.prompts import Word
from kgbench.text import label_words
from kgbench.types import Entity
from kgbench_methods.common.bm25 import bm25_scores
from kgbench_methods.common.echoes import lines_without_echoes
from kgbench_methods.common.evidence import ask_within_window
from kgbench_methods.common.similar import most_similar, similarities
from kgbench_methods.tog.beam import Rated
from kgbench_methods.tog.replies import (
    ScoredLabel,
    read_relations,
    read_relations_strictly,
    read_scores,
    read_scores_anywhere,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.types import Question, Relation, Term
    from kgbench_methods.tog.explore import Choices
    from kgbench_methods.tog.parameters import TogParameters
    from kgbench_methods.tog.prompts import PromptSet

UNNAMED = Word("unnamed node")
"""What stands for a mediator where it counts as a node without a name."""
_WORD = re.compile(r"[^\W_]+")
LONG_LIST = 200
"""Relations from which on a list is noted as long."""


class Pruner(Protocol):
    """Chooses relations of an entity, and scores what lies behind one."""

    def relations(self, entity: Entity, choices: Choices) -> Sequence[ScoredLabel]:
        """The relations to follow, with scores; none drops the branch."""

    def terms(self, relation: Relation, terms: Sequence[Term]) -> Rated:
        """Share the score of a relation among the terms that it leads to."""


@dataclass(slots=True)
class LlmPruner:
    """The model chooses and scores."""

    question: Question
    parameters: TogParameters
    prompts: PromptSet
    ctx: Context
    _names_shown: bool = False
    """True once a retrieval prompt has shown names: then a mediator is seen to have none."""

    def relations(self, entity: Entity, choices: Choices) -> Sequence[ScoredLabel]:
        """Ask which relations to follow; once more, with a reminder of the form, where the reply names none."""
        offered = choices.offered.relations
        if not offered and "ask_empty" not in self.parameters.active:
            return ()
        if len(offered) > LONG_LIST:
            self.ctx.note("long_relation_list")
        most = self.parameters.max_relations_in_prompt
        if most is not None and len(offered) > most:
            self.ctx.note("relations_prefiltered")
            offered = most_similar(self.ctx, self.question.text, offered, most)
        chosen = self._read(self._ask(entity, offered, remind=False), offered, choices)
        if not chosen and offered:
            self.ctx.note("parse_failure:rel_prune")
            if self.prompts.rel_prune.reminder:
                self.ctx.note("retried:rel_prune")
                chosen = self._read(self._ask(entity, offered, remind=True), offered, choices)
        return chosen

    def terms(self, relation: Relation, terms: Sequence[Term]) -> Rated:
        """Ask for scores where two candidates or more can be told apart; nodes without a name share equally or go."""
        terms = self._sampled(terms)
        unnamed = self._unnamed(terms)
        if len(unnamed) == len(terms):
            return Rated(terms, _equal(terms), terms)
        named = [term for term in terms if term not in unnamed]
        if len(named) == 1:
            return Rated(named, [1.0], terms if "Q3" in self.parameters.active else named)
        shares = self._scores(relation, named)
        targets = terms[: len(named)] if "Q3" in self.parameters.active else named
        return Rated(named, shares, targets)

    def _ask(self, entity: Entity, offered: Sequence[Relation], *, remind: bool) -> Reply:
        """Ask over a list of relations; where it does not fit the model, over the half closest to the question."""

        def ask(relations: Sequence[Relation]) -> Reply:
            prompt = self.prompts.rel_prune.fill(
                remind=remind,
                question=self.question,
                entity=UNNAMED if self._is_placeholder(entity) else entity,
                relations=tuple(relations),
                width=self.parameters.width,
            )
            return self.ctx.llm(
                prompt, temperature=self.parameters.explore_temperature, max_tokens=self.parameters.max_tokens
            )

        def closest(relations: Sequence[Relation], count: int) -> Sequence[Relation]:
            return most_similar(self.ctx, self.question.text, relations, count)

        reply = ask_within_window(offered, ask, self.ctx, closest)
        self._names_shown = reply.exposed
        return reply

    def _read(self, reply: Reply, offered: Sequence[Relation], choices: Choices) -> Sequence[ScoredLabel]:
        active = self.parameters.active
        read = read_relations_strictly if "Q2" in active else read_relations
        text = lines_without_echoes(reply, self.prompts.rel_prune)
        labels = [*(relation.label for relation in offered), *choices.hidden.by_label]
        reading = read(text, labels, self.parameters.most_labels, repeats="Q12" in active)
        self.ctx.note("unknown_relation", reading.unknown)
        return reading.chosen

    def _sampled(self, terms: Sequence[Term]) -> Sequence[Term]:
        """The first few of a large cluster; the terms come in seeded order."""
        if len(terms) < self.parameters.large_cluster:
            return terms
        self.ctx.note("sampled")
        return terms[: self.parameters.sampled]

    def _scores(self, relation: Relation, terms: Sequence[Term]) -> list[float]:
        prompt = self.prompts.ent_score.fill(question=self.question, relation=relation, candidates=tuple(terms))
        reply = self.ctx.llm(
            prompt, temperature=self.parameters.explore_temperature, max_tokens=self.parameters.max_tokens
        )
        read = read_scores_anywhere if "Q10" in self.parameters.active else read_scores
        scores = read(reply.text, len(terms))
        if scores is None:
            self.ctx.note("parse_failure:ent_score")
            return _equal(terms)
        if not any(scores) and "Q15" in self.parameters.active:
            return _equal(terms)
        by_term = dict(zip(reply.shown["candidates"], scores, strict=True))
        return [by_term[term] for term in terms]

    def _unnamed(self, terms: Sequence[Term]) -> set[Term]:
        """Candidates that count as nodes without a name: mediators, known from the schema and not from a name."""
        if not (self._names_shown or self.parameters.unnamed_hidden == "placeholder"):
            return set()
        entities = [term for term in terms if isinstance(term, Entity)]
        self.ctx.kg.are_mediators(entities)  # one round trip for all of them
        return {entity for entity in entities if self.ctx.kg.is_mediator(entity)}

    def _is_placeholder(self, entity: Entity) -> bool:
        hidden = self.parameters.unnamed_hidden == "placeholder" and entity not in self.question.topics
        return hidden and self.ctx.kg.is_mediator(entity)


@dataclass(frozen=True, slots=True)
class LocalPruner:
    """Labels are compared with the question; no model is asked.

    Without ``rank_names`` nothing tells the entities of a cluster apart: the first W in seeded order share equally.
    """

    question: Question
    parameters: TogParameters
    ctx: Context

    def relations(self, entity: Entity, choices: Choices) -> Sequence[ScoredLabel]:
        """The W relations whose labels are closest to the question."""
        offered = choices.offered.relations
        if not offered:
            return ()
        if self.parameters.pruner == "bm25":
            words = _raw if "raw_tokens" in self.parameters.active else _words
            scores = bm25_scores(words(self.question.text), [words(relation.label) for relation in offered])
        else:
            scores = similarities(self.ctx, self.question.text, offered)
        ranked = sorted(zip(scores, offered, strict=True), key=lambda pair: (-pair[0], pair[1].label))
        top = ranked[: self.parameters.max_rel or self.parameters.width]
        shares = _positive([score for score, _ in top])
        return [ScoredLabel(relation.label, share) for (_, relation), share in zip(top, shares, strict=True)]

    def terms(self, relation: Relation, terms: Sequence[Term]) -> Rated:
        """The first W terms: by their names where these may be compared, else in seeded order."""
        scores = self.ctx.rank(self.question.text, terms) if self.parameters.rank_names else [0.0] * len(terms)
        ranked = sorted(zip(scores, terms, strict=True), key=lambda pair: -pair[0])[: self.parameters.width]
        shown = [term for _, term in ranked]
        targets = terms if "Q3" in self.parameters.active else shown
        return Rated(shown, _positive([score for score, _ in ranked]), targets)


def make_pruner(question: Question, parameters: TogParameters, prompts: PromptSet, ctx: Context) -> Pruner:
    """The pruner that the parameters name."""
    if parameters.pruner == "llm":
        return LlmPruner(question, parameters, prompts, ctx)
    return LocalPruner(question, parameters, ctx)


def _words(text: str) -> list[str]:
    return _WORD.findall(label_words(text).casefold())


def _raw(text: str) -> list[str]:
    return text.split()


def _equal(terms: Sequence[object]) -> list[float]:
    return [1 / len(terms)] * len(terms)


def _positive(scores: Sequence[float]) -> list[float]:
    """Scores cut off below at zero; equal ones where all are zero."""
    cut = [max(score, 0.0) for score in scores]
    return cut if any(cut) else _equal(cut)
