"""GoG: generate on graph (EMNLP 2024, arXiv 2404.14741).

An agent thinks, then searches the graph, writes facts that the graph lacks, or finishes. What it cannot find is answered
from memory.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.contracts import MethodCard
from kgbench.prompts import Word
from kgbench.types import Entity, Prediction, Source
from kgbench_methods.common.final import source_of
from kgbench_methods.common.handles import holds_handle
from kgbench_methods.gog.actions import Step, Verb, is_id, read_step
from kgbench_methods.gog.asking import Asker, GaveUp
from kgbench_methods.gog.exemplars import SEARCHED_INSTEAD, WIDENED
from kgbench_methods.gog.finish import finish_answers, from_memory
from kgbench_methods.gog.generation import Generator
from kgbench_methods.gog.lookup import Lookup
from kgbench_methods.gog.neighbourhood import Neighbourhoods
from kgbench_methods.gog.parameters import GogParameters
from kgbench_methods.gog.prompts import TEMPLATES, prompt_set
from kgbench_methods.gog.schema import Labels
from kgbench_methods.gog.search import Searcher
from kgbench_methods.gog.trace import (
    Record,
    Trace,
    generated,
    observed,
    shown_fact,
    spoken_action,
    spoken_thought,
    thought_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.prompts import Fact
    from kgbench.types import Question, Term, Triple

_REPEATS = 2
"""How often the same action is carried out."""


def expected_calls(parameters: GogParameters) -> tuple[float, float]:
    """Typical and largest number of calls a question, before retries.

    Calls are those of the agent, a relation call for each entity searched, one for each name that several entities bear,
    those of Generate, and the tries from memory. Typical: search, look behind what was found, finish; where ids are no
    answers, all steps and one try from memory.
    """
    steps = parameters.steps
    generate = parameters.sc_num + (parameters.sc_num > 1)
    in_a_step = max(2 * parameters.most_searched, generate)
    largest = steps * (1 + in_a_step) + parameters.memory_tries
    typical = 2 * steps + 1 if parameters.has("G1") else min(6, largest)
    return float(min(typical, largest)), float(largest)


CARD = MethodCard(
    name="gog",
    version="1",
    summary="Generate on Graph: an agent that searches the graph and fills its gaps from memory",
    paper="arXiv 2404.14741 (EMNLP 2024)",
    templates=TEMPLATES,
    parameters=GogParameters,
    uses_graph=True,
    uses_embedder=True,
    expected_calls=expected_calls,
)


class Gog:
    """The method ``gog``."""

    card = CARD

    def __init__(self, parameters: GogParameters | None = None) -> None:
        self.parameters = parameters or GogParameters()

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Answer one question (GoG, section 3)."""
        return _Walk(question, self.parameters, ctx).answer()


@dataclass
class _Walk:
    """The state of one question."""

    question: Question
    parameters: GogParameters
    ctx: Context
    trace: Trace = field(default_factory=Trace)
    evidence: dict[Triple, None] = field(default_factory=dict)
    """Facts of the graph, in the order in which they were found."""
    unknowns: int = 0
    """How often the agent said that it found no answer."""
    done: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """How often each action was asked for, by what it does and to what."""

    def __post_init__(self) -> None:
        self.labels = Labels(short=self.parameters.has("short_labels"))
        self.prompts = prompt_set(self.parameters)
        self.asker = Asker(self.ctx, self.parameters)
        self.lookup = Lookup(self.question, self.prompts, self.asker)
        self.searcher = Searcher(
            self.question,
            self.prompts,
            self.asker,
            Neighbourhoods(self.ctx, self.parameters, self.labels),
            self.trace.searched,
        )
        self.generator = Generator(self.question, self.prompts, self.asker, self._shown)

    def answer(self) -> Prediction:
        try:
            if not self.question.topics:
                raise GaveUp("no_topic")
            return self._walk()
        except GaveUp as stop:
            self.ctx.note(f"from_memory:{stop.reason}")
            return from_memory(self.question, self.ctx, self.parameters, self.prompts)

    def _walk(self) -> Prediction:
        for number in range(1, self.parameters.steps + 1):
            reply, step = self._next_step()
            verb = Verb.SEARCH if self._is_search(step) else step.verb
            if verb is Verb.FINISH and not step.is_unknown:
                return self._finished(reply, step)
            if step.is_unknown or self._is_repeated(verb, step):
                record = self._widened(reply, step, number)
            elif verb is Verb.GENERATE:
                record = self._generated(reply, step)
            else:
                record = self._searched(reply, step, number)
            self.trace.records.append(record)
        raise GaveUp("steps")

    # --- the agent -----------------------------------------------------------------------------------------------------

    def _next_step(self) -> tuple[Reply, Step]:
        """Ask for a step; once more where the reply has none."""
        reply, step = self._ask_agent(remind=False)
        if step is None and self.asker.may_ask_again(self.prompts.agent):
            reply, step = self._ask_agent(remind=True)
        if step is None:
            raise GaveUp("reply")
        return reply, step

    def _ask_agent(self, *, remind: bool) -> tuple[Reply, Step | None]:
        slots = self.trace.slots(self._shown)
        prompt = self.prompts.agent.fill(
            remind=remind, question=self.question, topics=list(self.question.topics), **slots
        )
        reply = self.asker.ask(prompt)
        step = read_step(reply.text, first=self.parameters.has("B10"))
        if step is None:
            self.ctx.note("parse_failure:agent")
        return reply, step

    def _is_search(self, step: Step) -> bool:
        """True for a search, and for a ``Finish`` that names ids which are no answers.

        As published (quirk G1) no id is an answer. Else an id is one if it stands for something in the evidence that is no
        intermediate node.
        """
        if step.verb is not Verb.FINISH or step.is_unknown:
            return step.verb is Verb.SEARCH
        if self.parameters.has("G1"):
            return is_id(step.arguments[0])
        ends = {end for triple in self.evidence for end in (triple.subject, triple.object)}
        return any(holds_handle(piece) and not self._may_answer(piece, ends) for piece in step.arguments)

    def _is_repeated(self, verb: Verb, step: Step) -> bool:
        """Count an action, and tell whether it was carried out often enough."""
        action = (verb, *(argument.casefold() for argument in step.arguments))
        self.done[action] += 1
        repeated = self.done[action] > _REPEATS and not self.parameters.has("repeats")
        if repeated:
            self.ctx.note("repeated_action")
        return repeated

    def _may_answer(self, piece: str, ends: set[Term]) -> bool:
        terms = self.ctx.resolve(piece)
        return bool(terms) and all(term in ends and not self._is_event(term) for term in terms)

    def _finished(self, reply: Reply, step: Step) -> Prediction:
        answers = finish_answers(step, self.ctx)
        evidence = tuple(self.evidence)
        source = source_of(answers, evidence)
        written = source is Source.MODEL and any(
            isinstance(answer, str) and self.generator.wrote(answer) for answer in answers
        )
        return Prediction(answers, reply.text, source, ("generated",) if written else (), evidence)

    # --- actions -------------------------------------------------------------------------------------------------------

    def _searched(self, reply: Reply, step: Step, number: int) -> Record:
        thought = thought_of(reply, step, self.question)
        named = self.lookup.entities(step.arguments, reply, thought, first_step=number == 1)
        if named.missing:
            self.ctx.note("no_such_entity")
        action = spoken_action(reply, step)
        if step.verb is Verb.FINISH:
            self.ctx.note("finish_as_search")
            action = (*action, Word(SEARCHED_INSTEAD))
        record = Record(Verb.SEARCH, thought, spoken_thought(reply, step), action)
        return self._with_facts(record, named.entities, number, missing=named.missing)

    def _widened(self, reply: Reply, step: Step, number: int) -> Record:
        """Search all that the last search found; Generate steps since then are taken back."""
        records = self.trace.records
        while records and records[-1].verb is Verb.GENERATE:
            records.pop()
        if not records:
            raise GaveUp("failed_rollback" if self.parameters.has("B3") else "nothing_searched")
        self.unknowns += 1
        if self.parameters.has("B13") or self.unknowns >= self.parameters.expansions:
            raise GaveUp("expansions")
        last = records[-1]
        if not last.new:
            raise GaveUp("failed_empty_search" if self.parameters.has("B5") else "nothing_new")
        self.ctx.note("widened_search")
        now = () if self.parameters.has("B4") else spoken_thought(reply, step)
        record = Record(Verb.SEARCH, last.thought, (*last.thoughts, *now), (Word(WIDENED),))
        return self._with_facts(record, last.new, number, missing=False)

    def _with_facts(self, record: Record, entities: Sequence[Entity], number: int, *, missing: bool) -> Record:
        most = self.parameters.most_searched
        if len(entities) > most:
            self.ctx.note("search_cut", len(entities) - most)
        # One entity's facts do not depend on another's, so the order tells nothing; a seeded one is the same for every key.
        ordered = self.ctx.seeded_order(entities[:most], "search", str(number))
        chosen = [entity for entity in ordered if isinstance(entity, Entity)]
        found = self.searcher.search(chosen, record.thought, number)
        record.facts, record.new = found.facts, found.new
        record.heard = observed(found.facts, unknown=missing)
        self.evidence.update(dict.fromkeys(found.facts))
        ends = dict.fromkeys(end for triple in found.facts for end in (triple.subject, triple.object))
        self.ctx.kg.are_mediators(
            [end for end in ends if isinstance(end, Entity)]
        )  # read in one round trip, then known
        return record

    def _generated(self, reply: Reply, step: Step) -> Record:
        thought = thought_of(reply, step, self.question)
        written = self.generator.write(
            thought,
            tuple(self.evidence),
            agent_exposed=reply.exposed,
            names_hidden=self.searcher.names_hidden,
        )
        record = Record(Verb.GENERATE, thought, spoken_thought(reply, step), spoken_action(reply, step))
        record.heard = generated(written.lines, followed=bool(written.facts))
        record.facts = tuple(written.facts)
        return record

    # --- showing facts -------------------------------------------------------------------------------------------------

    def _shown(self, triple: Triple) -> Fact:
        return shown_fact(self.labels.triple(triple), self._is_marked)

    def _is_marked(self, term: Term) -> bool:
        """Intermediate nodes are marked where the instructions speak of the mark."""
        return not self.parameters.has("G2") and self._is_event(term)

    def _is_event(self, term: Term) -> bool:
        return isinstance(term, Entity) and self.ctx.kg.is_mediator(term)
