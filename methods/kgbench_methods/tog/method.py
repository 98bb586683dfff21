"""ToG: Think-on-Graph (ICLR 2024, arXiv 2307.07697), a beam search on the graph that the model steers and ends."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kgbench.contracts import MethodCard
from kgbench.types import Entity, Source
from kgbench_methods.common.asking import ask
from kgbench_methods.common.chain_of_thought import chain_of_thought
from kgbench_methods.common.fallback import FALLBACK_TEMPLATES
from kgbench_methods.common.final import graph_prediction
from kgbench_methods.tog.beam import Picked, Reached, best, in_tie_order, scored
from kgbench_methods.tog.explore import Explorer
from kgbench_methods.tog.parameters import TogParameters
from kgbench_methods.tog.prompts import TEMPLATES, prompts_for
from kgbench_methods.tog.pruners import make_pruner
from kgbench_methods.tog.replies import read_verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.prompts import Template
    from kgbench.types import Prediction, Question, Triple
    from kgbench_methods.tog.beam import Rated


def expected_calls(parameters: TogParameters) -> tuple[float, float]:
    """Typical and largest number of calls a question, before retries, with one topic.

    Largest: at a depth one call an entity of the frontier, one a relation and direction that is followed, and the
    verdict; in the end the answer from memory. Typical: two in three questions need a second depth, no relation leads
    both ways.
    """
    depth, width = parameters.depth, parameters.width
    if parameters.pruner != "llm":
        return 2.0, depth + 1.0
    followed = parameters.most_labels or width
    directions = 1 if "Q9" in parameters.active else 2
    first = 1 + directions * followed + 1
    later = width + directions * followed * width + 1
    typical = (1 + followed + 1) + (depth > 1) * (width + followed * width + 1) * 0.7
    return typical, first + (depth - 1) * later + 1


CARD = MethodCard(
    name="tog",
    version="1",
    summary="Think-on-Graph: a beam search on the graph that the model steers and ends",
    paper="arXiv 2307.07697 (ICLR 2024)",
    templates=(*TEMPLATES, *FALLBACK_TEMPLATES),
    parameters=TogParameters,
    uses_graph=True,
    uses_embedder=True,
    expected_calls=expected_calls,
)


class Tog:
    """The method ``tog``."""

    card = CARD

    def __init__(self, parameters: TogParameters | None = None) -> None:
        self.parameters = parameters or TogParameters()

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Answer one question."""
        return _Walk(question, self.parameters, ctx).answer()


@dataclass
class _Walk:
    """The state of one question."""

    question: Question
    parameters: TogParameters
    ctx: Context
    chains: list[list[Reached]] = field(default_factory=list)
    """The kept steps of each depth."""

    def __post_init__(self) -> None:
        self.prompts = prompts_for(self.parameters)
        self.explorer = Explorer(self.parameters, self.ctx)
        self.pruner = make_pruner(self.question, self.parameters, self.prompts, self.ctx)

    def answer(self) -> Prediction:
        frontier = list(dict.fromkeys(self.question.topics))
        if not frontier:
            return self._from_memory()
        for depth in range(1, self.parameters.depth + 1):
            reached = self._reached(frontier)
            if not reached:
                return self._half_stop()
            top = self._kept(reached, frontier, depth)
            if top:
                self.chains.append(top)
                stopped = self._evaluated(depth)
                if stopped is not None:
                    return stopped
                onward = list(dict.fromkeys(step.target for step in top if isinstance(step.target, Entity)))
                if onward or depth == self.parameters.depth:
                    self.explorer.came([step.onward for step in top])
                    frontier = onward
                    continue
            ended = self._half_stop()
            if "Q7" not in self.parameters.active:
                return ended
            self.ctx.note("half_stop_overwritten")
        self.ctx.note("depth_exhausted")
        return self._from_memory()

    # --- search --------------------------------------------------------------------------------------------------------

    def _reached(self, frontier: Sequence[Entity]) -> list[Reached]:
        """Everything that the frontier reaches along the relations chosen for it, scored.

        All relations are chosen before anything behind them is scored.
        """
        picked = [choice for entity in frontier for choice in self._picked(entity)]
        rated: list[tuple[Picked, Rated]] = []
        for choice in picked:
            terms = self.explorer.behind(choice.entity, choice.way)
            if terms:
                rated.append((choice, self.pruner.terms(choice.way.relation, terms)))
        return scored(rated)

    def _picked(self, entity: Entity) -> Iterator[Picked]:
        choices = self.explorer.choices(entity)
        if not choices.offered.by_label:
            self.ctx.note("topic_without_relations" if entity in self.question.topics else "entity_without_relations")
        for choice in self.pruner.relations(entity, choices):
            ways = choices.offered.by_label.get(choice.label) or choices.hidden.by_label[choice.label]
            for way in ways:
                yield Picked(entity, way, choice.score)

    def _kept(self, reached: Sequence[Reached], frontier: Sequence[Entity], depth: int) -> list[Reached]:
        if "ties" not in self.parameters.active:
            reached = in_tie_order(reached, frontier, depth, self.ctx)
        return best(reached, self.parameters.width)

    # --- verdict and answer --------------------------------------------------------------------------------------------

    def _evaluated(self, depth: int) -> Prediction | None:
        """Ask whether the facts suffice; the reply that says so is the answer."""
        reply = self._over_triples(self.prompts.evaluate)
        verdict = read_verdict(reply.text)
        if verdict.form == "none":
            self.ctx.note("parse_failure:evaluate")
        elif verdict.form == "bare":
            self.ctx.note("parse_repaired:evaluate")
        if not verdict.sufficient:
            return None
        self.ctx.note(f"stopped_at_depth_{depth}")
        return replace(graph_prediction(verdict.rest, self._evidence(), self.ctx), raw=reply.text)

    def _half_stop(self) -> Prediction:
        """Answer from what was found, which may be nothing."""
        self.ctx.note("half_stop")
        if not self.chains:
            self.ctx.note("nothing_retrieved")
        reply = self._over_triples(self.prompts.answer)
        prediction = graph_prediction(reply.text, self._evidence(), self.ctx)
        if "no_parse" in prediction.flags:
            self.ctx.note("parse_failure:answer")
        return prediction

    def _from_memory(self) -> Prediction:
        """Answer without the graph: no topic, or the depth is used up (the facts then stay in the record alone)."""
        closed_book = chain_of_thought(
            self.parameters.profile,
            temperature=self.parameters.reason_temperature,
            max_tokens=self.parameters.max_tokens,
            source=Source.FALLBACK,
        )
        prediction = ask(closed_book, self.question, self.ctx)
        return prediction if "Q13" in self.parameters.active else replace(prediction, evidence=self._evidence())

    def _over_triples(self, template: Template) -> Reply:
        chains = self.chains if "Q6" in self.parameters.active else self.chains[-1:]
        as_walked = "Q4" in self.parameters.active
        triples = dict.fromkeys(step.triple(as_walked=as_walked) for chain in chains for step in chain)
        return self.ctx.llm(
            template.fill(question=self.question, triples=tuple(triples)),
            temperature=self.parameters.reason_temperature,
            max_tokens=self.parameters.max_tokens,
        )

    def _evidence(self) -> tuple[Triple, ...]:
        """The kept facts, each once, as they stand in the graph."""
        return tuple(dict.fromkeys(step.edge.triple for chain in self.chains for step in chain))
