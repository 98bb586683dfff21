"""PoG: Plan-on-Graph (NeurIPS 2024, arXiv 2410.23875): planning with sub-objectives, memory and self-correction.

The model splits the question, explores as many relations and entities as it sees fit, keeps notes of what it found, says
when that is enough, and may send the search back to entities that it left behind.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from kgbench.contracts import MethodCard
from kgbench.types import Entity
from kgbench_methods.common.evidence import ask_within_window, distinct
from kgbench_methods.pog.answering import Answerer
from kgbench_methods.pog.asking import Asked, Asker, OutOfCalls, echo_of
from kgbench_methods.pog.correcting import Corrector
from kgbench_methods.pog.exploring import Cluster, Explorer, Reached
from kgbench_methods.pog.forms import TEMPLATES, prompts_of
from kgbench_methods.pog.parameters import PogParameters
from kgbench_methods.pog.prompts import NO_MEMORY, NOTHING
from kgbench_methods.pog.pruning import Pruner
from kgbench_methods.pog.replies import read_memory, read_objectives

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.prompts import SlotValue
    from kgbench.types import Prediction, Question, Term, Triple
    from kgbench_methods.common.relations import Edge

DEEPEST = 5
"""With quirk B5 the search ends after the first depth beyond this one."""
_RELATIONS = 3
_ENTITIES = 3
"""Relations of an entity and entities of a cluster that the announced number of calls counts with: what the exemplars of
the published prompts keep. Nothing bounds what a model picks."""


def expected_calls(parameters: PogParameters) -> tuple[float, float]:
    """Typical and largest number of calls a question, before retries.

    A depth costs |frontier| + |clusters of two and more| + 2 calls, and up to 2 more where it is not enough; the first
    call splits the question and a last one may answer it. Typical: the first depth of one topic, and a second one half of
    the time. Breadth is the model's choice: the largest number counts with three relations and three entities each, or is
    the limit on calls where one is set.
    """
    depths = [(_RELATIONS * _ENTITIES) ** depth for depth in range(parameters.depth)]
    largest = 2.0 + sum(frontier * (1 + _RELATIONS) + 4 for frontier in depths)
    if parameters.max_calls_per_question:
        largest = float(parameters.max_calls_per_question)
    typical = 1 + (1 + _RELATIONS - 1 + 2) + (parameters.depth > 1) * 0.5 * (2 + _ENTITIES * 2 + 2)
    return min(typical, largest), largest


CARD = MethodCard(
    name="pog",
    version="1",
    summary="Plan-on-Graph: sub-objectives, adaptive breadth, memory and self-correction",
    paper="arXiv 2410.23875 (NeurIPS 2024)",
    templates=TEMPLATES,
    parameters=PogParameters,
    uses_graph=True,
    uses_embedder=True,
    expected_calls=expected_calls,
)


class Pog:
    """The method ``pog``."""

    card = CARD

    def __init__(self, parameters: PogParameters | None = None) -> None:
        self.parameters = parameters or PogParameters()

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Answer one question (spec: PoG, section 4)."""
        return _Search(question, self.parameters, ctx).answer()


class _Tail(NamedTuple):
    """A node at the far end of a kept triple, or added back, and the edge by which it was reached, if any."""

    node: Term
    edge: Edge | None


@dataclass
class _Search:
    """The state of one question."""

    question: Question
    parameters: PogParameters
    ctx: Context
    memory: SlotValue = NO_MEMORY
    history: list[Cluster] = field(default_factory=list)
    """Everything that was retrieved, before pruning."""
    kept: list[Cluster] = field(default_factory=list)
    """After pruning: the evidence."""
    chains: list[Triple] = field(default_factory=list)
    """Kept triples as prompts show them, oldest first."""

    def __post_init__(self) -> None:
        self.prompts = prompts_of(self.parameters)
        self.asker = Asker(self.ctx, self.parameters)
        self.answerer = Answerer(self.question, self.parameters, self.prompts, self.asker, self.ctx)

    @property
    def evidence(self) -> list[Triple]:
        """Every kept fact once, in subject-to-object order."""
        return distinct(triple for cluster in self.kept for triple in cluster.triples)

    def answer(self) -> Prediction:
        objectives, names_shown = self._objectives()
        if not self.question.topics:
            return self.answerer.from_memory(())
        pruner = Pruner(self.question, self.parameters, self.prompts, self.asker, self.ctx, names_shown)
        explorer = Explorer(self.question, self.parameters, self.prompts, self.asker, self.ctx, objectives)
        corrector = Corrector(self.question, self.parameters, self.prompts, self.asker, self.ctx, pruner)
        try:
            return self._search(explorer, pruner, corrector)
        except OutOfCalls:
            self.ctx.note("call_limit")
            return self._half_stop()

    def _search(self, explorer: Explorer, pruner: Pruner, corrector: Corrector) -> Prediction:
        frontier = [Reached(topic) for topic in distinct(self.question.topics)]
        for depth in range(1, self.parameters.depth + 1):
            clusters = self._retrieved(frontier, explorer)
            self.history += clusters
            kept = [pruned for cluster in clusters if (pruned := pruner.prune(cluster)) is not None]
            if not kept:
                return self._half_stop()
            shown = self._keep(kept)
            self._update_memory(explorer.objectives, shown)
            prediction = self.answerer.at_depth(
                self.memory, shown if self.parameters.has("B14") else self.chains, self.evidence
            )
            if prediction is not None:
                return prediction
            tails = [_Tail(edge.target, edge) for cluster in kept for edge in cluster.edges]
            added = corrector.add([tail.node for tail in tails], self.memory, self.chains, explorer, self.history)
            if self.parameters.has("B7") and any(not reached.edges for reached in added):
                self._drop_unrelated(clusters[-1].source, kept)
            if self.parameters.has("B5") and depth > DEEPEST:
                return self._half_stop()
            tails += [_Tail(reached.entity, reached.edges[0] if reached.edges else None) for reached in added]
            explorer.previous = frozenset(tail.edge.relation.label for tail in tails if tail.edge is not None)
            frontier = self._frontier(tails, depth)
        self.ctx.note("depth_exhausted")
        return self.answerer.from_memory(self.evidence)

    # --- steps --------------------------------------------------------------------------------------------------------

    def _objectives(self) -> tuple[SlotValue, bool]:
        """The sub-objectives as a prompt shows them, the question itself where there are none; are names shown?"""

        def read(reply: Reply) -> SlotValue | None:
            text = read_objectives(reply.text)
            return echo_of(reply, text) if text else None

        objectives: SlotValue | None
        reply, objectives = self.asker.ask(Asked(self.prompts.decompose, {"question": self.question}), read)
        if objectives is None:
            objectives = NOTHING if self.parameters.official else self.question
        return objectives, reply.exposed

    def _retrieved(self, frontier: Sequence[Reached], explorer: Explorer) -> list[Cluster]:
        """What the picked relations of every entity of the frontier lead to; relations that lead nowhere are left out."""
        picked = [(reached, way) for reached in frontier for way in explorer.picked(reached)]
        clusters = [explorer.cluster(reached, way) for reached, way in picked]
        return [cluster for cluster in clusters if cluster.nodes]

    def _keep(self, kept: list[Cluster]) -> list[Triple]:
        """Add a depth to the evidence; return its triples as prompts show them."""
        self.kept += kept
        outwards = self.parameters.has("B9")
        shown = distinct(triple for cluster in kept for triple in cluster.shown(outwards=outwards))
        self.chains = distinct([*self.chains, *shown])
        return shown

    def _update_memory(self, objectives: SlotValue, shown: Sequence[Triple]) -> None:
        """Have the notes written anew; a malformed reply leaves them as they are (official: loses them)."""

        def read(reply: Reply) -> SlotValue | None:
            text = read_memory(reply.text)
            return echo_of(reply, text) if text else None

        def ask(some: Sequence[Triple]) -> SlotValue | None:
            slots: dict[str, SlotValue | Sequence[SlotValue]] = {
                "question": self.question,
                "objectives": objectives,
                "memory": self.memory,
                "triples": list(some),
            }
            memory: SlotValue | None
            _, memory = self.asker.ask(Asked(self.prompts.update_memory, slots), read)
            return memory

        unread = NOTHING if self.parameters.official else self.memory
        self.memory = ask_within_window(shown, ask, self.ctx) or unread

    def _drop_unrelated(self, source: Entity, kept: Sequence[Cluster]) -> None:
        """Quirk B7: the triples that this depth kept of the entity explored last are lost to the evidence."""
        lost = {id(cluster) for cluster in kept if cluster.source == source}
        self.kept = [cluster for cluster in self.kept if id(cluster) not in lost]

    def _frontier(self, tails: Sequence[_Tail], depth: int) -> list[Reached]:
        """The entities among the tails, each once, in seeded order, with the edges by which they were reached.

        Quirk B15: only the first edge counts. Quirk B6: the edge is that of the tail at the entity's position.
        """
        edges: dict[Entity, list[Edge]] = {}
        for tail in tails:
            if isinstance(tail.node, Entity):
                edges.setdefault(tail.node, []).extend([tail.edge] if tail.edge is not None else [])
        if self.parameters.has("B6"):
            edges = {
                entity: [tail.edge] if tail.edge is not None else [] for entity, tail in zip(edges, tails, strict=False)
            }
        most = 1 if self.parameters.has("B15") else None
        order = self.ctx.seeded_order(edges, "frontier", str(depth))
        return [Reached(entity, tuple(edges[entity][:most])) for entity in order if isinstance(entity, Entity)]

    def _half_stop(self) -> Prediction:
        """Answer from the triples kept so far: the search has nowhere to go."""
        self.ctx.note("half_stop")
        return self.answerer.from_evidence(self.chains, self.evidence)
