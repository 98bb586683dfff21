"""Generate: the model adds facts from its own knowledge, guided by known facts, and checks them where it is asked to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.text import norm
from kgbench.types import Entity, Triple
from kgbench_methods.common.echoes import is_invented
from kgbench_methods.common.evidence import distinct
from kgbench_methods.common.own_words import own_words
from kgbench_methods.gog.facts import WrittenFact, read_facts
from kgbench_methods.gog.relevance import most_related

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.contracts import Echo, Reply
    from kgbench.prompts import Fact, Template
    from kgbench.types import AnyRelation, Question, Term
    from kgbench_methods.gog.asking import Asker
    from kgbench_methods.gog.prompts import PromptSet
    from kgbench_methods.gog.trace import Thought


@dataclass(slots=True)
class Generated:
    """What one Generate step gave."""

    lines: list[Echo] = field(default_factory=list)
    """Facts in the model's words."""
    facts: list[Triple] = field(default_factory=list)
    """Facts that had to be put into typed form before they may pass into another phase."""


@dataclass(slots=True)
class Generator:
    """Writes facts for one question."""

    question: Question
    prompts: PromptSet
    asker: Asker
    fact: Callable[[Triple], Fact]
    """How a known fact is shown."""
    _ends: set[str] = field(default_factory=set)
    """Normal forms of all that was written as an end of a fact."""

    def write(self, thought: Thought, known: Sequence[Triple], *, agent_exposed: bool, names_hidden: bool) -> Generated:
        """Ask for facts, and for a check of them where several samples are drawn.

        Args:
            thought: what the agent wants to know.
            known: facts of the graph found so far.
            agent_exposed: the agent's own prompt shows names.
            names_hidden: retrieval prompts hide names, so that the ends of facts are ids there.
        """
        samples = self.asker.parameters.sc_num
        related = [self.fact(triple) for triple in self._related(thought, known, names_hidden=names_hidden)]
        reply = self.asker.ask(self.prompts.generate.fill(thought=thought, triples=related), n=samples)
        facts = self._read(reply, self.prompts.generate)
        if samples > 1:
            reply = self.asker.ask(self.prompts.verify.fill(thought=thought, groups=self._groups(reply)))
            facts = self._read(reply, self.prompts.verify)
        if not facts:
            self.asker.ctx.note("nothing_generated")
        if reply.exposed and not agent_exposed:
            return Generated(facts=self._typed(facts, known))
        lines = [echo for fact in facts if (echo := own_words(reply, fact.text)) is not None]
        self._ends.update(norm(end) for fact in facts for end in (fact.subject, fact.object))
        return Generated(lines)

    def wrote(self, answer: str) -> bool:
        """Tell whether a text stands at an end of a fact that was written: such an answer is the model's own."""
        return norm(answer) in self._ends

    def _related(self, thought: Thought, known: Sequence[Triple], *, names_hidden: bool) -> list[Triple]:
        parameters = self.asker.parameters
        if parameters.has("G3"):
            known = [triple for triple in known if not self._shows_id(triple, names_hidden=names_hidden)]
        return most_related(thought.text, known, parameters.related_triples, by_character=parameters.has("B1"))

    def _shows_id(self, triple: Triple, *, names_hidden: bool) -> bool:
        return any(self._is_shown_as_id(end, names_hidden=names_hidden) for end in (triple.subject, triple.object))

    def _is_shown_as_id(self, end: Term, *, names_hidden: bool) -> bool:
        if end in self.question.topics:
            return False
        return names_hidden or (isinstance(end, Entity) and self.asker.ctx.kg.is_mediator(end))

    def _read(self, reply: Reply, template: Template) -> list[WrittenFact]:
        facts = read_facts(reply.text)
        if "exemplar_echo" in reply.flags:
            facts = tuple(fact for fact in facts if not is_invented(fact.text, template))
        return list(facts)

    def _groups(self, reply: Reply) -> list[Echo]:
        """The facts of each sample as one line; samples without any are left out."""
        template = self.prompts.generate
        invented = "exemplar_echo" in reply.flags
        groups = []
        for sample in reply.samples or (reply.text,):
            facts = [fact.text for fact in read_facts(sample) if not (invented and is_invented(fact.text, template))]
            echo = own_words(reply, "; ".join(facts)) if facts else None
            if echo is not None:
                groups.append(echo)
        return groups

    def _typed(self, facts: Sequence[WrittenFact], known: Sequence[Triple]) -> list[Triple]:
        """Facts made of shown things and known relations alone.

        They were written in sight of names and go where names are hidden. The gateway hides the names that it has shown;
        what the model made of them, such as a part of a name, it could not find, so the rest is dropped.
        """
        ctx = self.asker.ctx
        relations: dict[str, AnyRelation] = {}
        for triple in known:
            shown = self.fact(triple).triple.relation
            relations.setdefault(norm(shown.label), shown)
        kept: list[Triple] = []
        for fact in facts:
            subject, target = ctx.resolve(fact.subject), ctx.resolve(fact.object)
            relation = relations.get(norm(fact.relation))
            if relation is not None and len(subject) == len(target) == 1:
                kept.append(Triple(subject[0], relation, target[0]))
        ctx.note("generated_dropped", len(facts) - len(kept))
        return distinct(kept)
