"""The walk of ARoG over the graph: retrieve, abstract, select, judge, iterate, answer (spec: section 4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.errors import PromptTooLong
from kgbench.text import norm
from kgbench.types import Entity, Triple
from kgbench_methods.arog.choose import ModelSelector
from kgbench_methods.arog.clusters import Cluster, Retriever, WayBack
from kgbench_methods.arog.concepts import Concepts
from kgbench_methods.arog.official import OfficialRetriever, OfficialSelector
from kgbench_methods.arog.prompts import GENERATE, JUDGE, JUDGE_HIDDEN, RR, SA, SA_DECOMPOSITION, SA_REASONING
from kgbench_methods.arog.select import PathSelector
from kgbench_methods.common.braces import parse_braced
from kgbench_methods.common.echoes import is_invented
from kgbench_methods.common.fallback import cot_fallback
from kgbench_methods.common.final import graph_prediction
from kgbench_methods.common.lists import list_items, parse_relations
from kgbench_methods.common.paths import MOST_PIECES, path_pieces, path_text
from kgbench_methods.common.send import send
from kgbench_methods.common.similar import most_similar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.prompts import Described, Template
    from kgbench.types import Prediction, Question, Relation
    from kgbench_methods.arog.parameters import ArogParameters
    from kgbench_methods.arog.select import Selector

MOST_LABELS = 200
"""Labels that one relation prompt lists; more are filtered locally first."""


@dataclass
class Walk:
    """The walk of one question over the graph."""

    question: Question
    parameters: ArogParameters
    ctx: Context
    by_model: bool = False
    """Let the model choose among the candidate triples (``arog-r``)."""
    evidence: list[Cluster] = field(default_factory=list)
    """Kept clusters, in the order in which they were kept."""

    def __post_init__(self) -> None:
        self.concepts = Concepts(self.question, self.parameters, self.ctx)
        kind = OfficialRetriever if self.parameters.official else Retriever
        self.retriever = kind(self.question, self.parameters.width, WayBack(), self.ctx)

    def answer(self) -> Prediction:
        """Answer the question."""
        if not self.question.topics:
            return cot_fallback(self.question, self.ctx)
        selector = self._selector()
        frontier: list[Entity] = list(self.question.topics)
        expanded: set[Entity] = set(self.question.topics)
        for depth in range(1, self.parameters.depth + 1):
            if not frontier:
                if self.parameters.official:  # the published code throws its evidence away here
                    return cot_fallback(self.question, self.ctx)
                break
            self.retriever.started(frontier)
            candidates = [cluster for entity in frontier for cluster in self._candidates(entity)]
            for cluster in candidates:
                self.concepts.name(cluster)
            kept, onward = selector.select(candidates, frontier, expanded, depth)
            if not kept:
                break
            self.evidence += kept
            self.retriever.took(kept)
            # At the last depth the verdict changes nothing; the call is made all the same, as in the published counts.
            if self._sufficient():
                break
            frontier = [e for e in self.ctx.seeded_order(onward, "order", str(depth)) if isinstance(e, Entity)]
            expanded.update(frontier)
        if not self.evidence:
            self.ctx.note("nothing_retrieved")
            return cot_fallback(self.question, self.ctx)
        return self._generate()

    def _selector(self) -> Selector:
        width = self.parameters.width
        if self.by_model:
            return ModelSelector(self.question, self.concepts, self.ctx, width, self.parameters.retrieval_temperature)
        path = self._path()
        if self.parameters.official:
            pieces = path if self.parameters.sa != "off" else []
            return OfficialSelector(self.question, pieces, self.concepts, self.ctx, width)
        return PathSelector(path, self.concepts, self.ctx, width)

    # --- structure-oriented abstraction --------------------------------------------------------------------------------

    def _path(self) -> list[str]:
        """The abstract path as texts to compare with; the question itself where there is none."""
        if self.parameters.sa == "off":
            return [self.question.text]
        template = {"path": SA, "cot": SA_REASONING, "dec": SA_DECOMPOSITION}[self.parameters.sa]
        reply = send(self.ctx, template, 0.0, question=self.question)
        pieces = self._pieces(reply)
        if "exemplar_echo" in reply.flags:
            pieces = [piece for piece in pieces if not is_invented(piece, template)]
        if not pieces:
            self.ctx.note("parse_failure:structure")
        return pieces or [self.question.text]

    def _pieces(self, reply: Reply) -> list[str]:
        if self.parameters.sa == "path":
            return [path_text(piece) for piece in path_pieces(reply.text)]
        if self.parameters.sa == "dec":
            return list(list_items(reply.text))[:MOST_PIECES]
        lines = (line.strip() for line in reply.text.splitlines())
        return list(dict.fromkeys(line for line in lines if norm(line)))[:MOST_PIECES]

    # --- retrieval -----------------------------------------------------------------------------------------------------

    def _candidates(self, entity: Entity) -> list[Cluster]:
        """Clusters along the relations chosen for an entity; no call where it has none."""
        offered = self.retriever.offered(entity)
        if not offered.by_label:
            self.ctx.note("topic_without_relations" if entity in self.question.topics else "entity_without_relations")
            return []
        labels = self._chosen(entity, offered.relations)
        return [
            cluster
            for label in labels
            for relation, direction in offered.by_label[label]
            for cluster in self.retriever.clusters(entity, relation, direction)
        ]

    def _chosen(self, entity: Entity, relations: list[Relation]) -> list[str]:
        if len(relations) > MOST_LABELS:
            self.ctx.note("relations_prefiltered")
            relations = most_similar(self.ctx, self.question.text, relations, MOST_LABELS)
        reply = send(
            self.ctx,
            RR,
            self.parameters.retrieval_temperature,
            question=self.question,
            entity=self._shown(entity),
            relations=relations,
            width=self.parameters.width,
        )
        parsed = parse_relations(reply.text, [relation.label for relation in relations], self.parameters.width)
        self.ctx.note("unknown_relation", parsed.unknown)
        if parsed.labels:
            if parsed.form != "list":
                self.ctx.note(f"parse_repaired:relations:{parsed.form}")
            return list(parsed.labels)
        self.ctx.note("parse_failure:relations")
        nearest = most_similar(self.ctx, self.question.text, relations, self.parameters.width)
        return [relation.label for relation in nearest]

    def _shown(self, entity: Entity) -> Entity | Described:
        return entity if entity in self.question.topics else self.concepts.described(entity)

    # --- generation ----------------------------------------------------------------------------------------------------

    def _sufficient(self) -> bool:
        reply = self._over_evidence(JUDGE if self.parameters.pg_judge else JUDGE_HIDDEN)
        braced = parse_braced(reply.text)
        verdict = norm(braced.groups[0] if braced.groups else reply.text).split()
        if not braced.groups:
            self.ctx.note("parse_failure:judge" if verdict[:1] not in (["yes"], ["no"]) else "parse_repaired:judge")
        return verdict[:1] == ["yes"]

    def _generate(self) -> Prediction:
        reply = self._over_evidence(GENERATE)
        prediction = graph_prediction(reply.text, self._triples(), self.ctx)
        if "no_parse" in prediction.flags:
            self.ctx.note("parse_failure:answer")
        elif prediction.flags:
            self.ctx.note("parse_repaired:answer")
        return prediction

    def _over_evidence(self, template: Template) -> Reply:
        """Ask over the evidence; where it does not fit the model, the worst-ranked kept clusters go first."""
        while True:
            try:
                facts = [self.concepts.fact(triple) for triple in self._triples()]
                return send(self.ctx, template, 0.0, question=self.question, triples=facts)
            except PromptTooLong:
                if len(self.evidence) <= 1:
                    raise
                worst = min(range(len(self.evidence)), key=lambda number: (self.evidence[number].score, -number))
                self.evidence.pop(worst)
                self.ctx.note("evidence_cut")

    def _triples(self) -> Sequence[Triple]:
        """The evidence: each fact once, in the order in which it was kept."""
        return list(dict.fromkeys(triple for cluster in self.evidence for triple in cluster.triples))
