"""One question of the toy world with its session, renderer and auditor, without a run around them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kgbench.prompts import Layout, Order, Slot, TaskKind, Template
from kgbench.seam.audit import Auditor
from kgbench.seam.policy import PrivacyPolicy
from kgbench.seam.render import Renderer
from kgbench.seam.session import Session, SessionSeed
from kgbench.testing import TEST_KEY, MemoryGraph, toy_graph, toy_records
from kgbench.types import Entity, Phase, QuestionRecord, Scenario, Zone

if TYPE_CHECKING:
    from kgbench.prompts import FilledPrompt
    from kgbench.seam.audit import Verdict
    from kgbench.seam.pseudonyms import MasterKey
    from kgbench.seam.render import Rendered

BRENKA, ASHGROVE, VELM, PAVO = Entity("brenka"), Entity("ashgrove"), Entity("velm"), Entity("pavo")
UNNAMED = Entity("part1")


@dataclass
class Desk:
    """A session and what works on it."""

    record: QuestionRecord = field(default_factory=lambda: toy_records("forward mediator")[0])
    graph: MemoryGraph = field(default_factory=toy_graph)
    policy: PrivacyPolicy = field(default_factory=PrivacyPolicy)
    key: MasterKey = TEST_KEY

    def __post_init__(self) -> None:
        self.session = Session(self.record, self.policy, self.key, SessionSeed("double", 0, 0), self.graph.names)
        self.declared: set[str] = set()
        """Digests of the templates that count as the method's own: those that are audited here, unless a test says no."""
        self.auditor = Auditor(self.session, self.declared)

    def render(self, prompt: FilledPrompt, zone: Zone = Zone.REMOTE) -> Rendered:
        return Renderer(self.session, zone).render(prompt)

    def show(self, phase: Phase = Phase.GENERATION, zone: Zone = Zone.REMOTE, **slots: Any) -> str:
        """The final turn of a prompt that has just these slots, one a line."""
        return self.render(prompt(phase, **slots), zone).messages[-1]["content"]

    def audit(self, filled: FilledPrompt, zone: Zone = Zone.REMOTE, *, declared: bool = True) -> Verdict:
        if declared:
            self.declared.add(filled.template.digest)
        return self.auditor.audit(filled, self.render(filled, zone), zone)


def desk(scenario: Scenario = Scenario.PRIVATE, **policy: Any) -> Desk:
    """A desk under a scenario and further settings of the privacy policy."""
    return Desk(policy=PrivacyPolicy(scenario=scenario, **policy))


def prompt(
    phase: Phase = Phase.GENERATION, *, layout: Layout = Layout.LINES, order: Order = Order.SORTED, **slots: Any
) -> FilledPrompt:
    """A prompt whose turn is its slots, one a line."""
    template = Template(
        name="desk",
        kind=TaskKind.ANSWER,
        phase=phase,
        stage="desk",
        system="You are asked.",
        turn="\n".join(f"{{{name}}}" for name in slots),
        slots={name: Slot(name, layout, order) for name in slots},
        write=str,
    )
    return template.fill(**slots)


def saying(record: QuestionRecord, text: str) -> QuestionRecord:
    """The record with another question text."""
    return replace(record, question=replace(record.question, text=text))
