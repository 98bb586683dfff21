"""Verdicts and answers: when a search may stop, and what its answer is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgbench.types import Entity, Literal, Prediction, Source
from kgbench_methods.common.evidence import ask_within_window
from kgbench_methods.common.final import resolve_answers, source_of
from kgbench_methods.common.handles import begins_with_handle, holds_handle
from kgbench_methods.pog.asking import Asked
from kgbench_methods.pog.replies import Verdict, exact_verdict, read_verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.prompts import SlotValue
    from kgbench.types import Answer, Question, Triple
    from kgbench_methods.pog.asking import Asker
    from kgbench_methods.pog.forms import Prompts
    from kgbench_methods.pog.parameters import PogParameters


@dataclass(frozen=True)
class Answerer:
    """Asks for verdicts and answers of one question."""

    question: Question
    parameters: PogParameters
    prompts: Prompts
    asker: Asker
    ctx: Context

    def at_depth(self, memory: SlotValue, shown: Sequence[Triple], evidence: Sequence[Triple]) -> Prediction | None:
        """Ask whether a depth is enough.

        Args:
            memory: the notes so far.
            shown: the triples that the prompt shows.
            evidence: every triple kept so far.

        Returns:
            The answer that ends the search; None where the model says no, knows no answer, or gives one that is refused.
        """

        def read(reply: Reply) -> Verdict | None:
            if self.parameters.has("B1"):
                return exact_verdict(reply.text)
            verdict = read_verdict(reply.text)
            return None if verdict is None or verdict.yes is None or _echoes(reply) else verdict

        def ask(some: Sequence[Triple]) -> tuple[Reply, Verdict | None]:
            slots: dict[str, SlotValue | Sequence[SlotValue]] = {
                "question": self.question,
                "memory": memory,
                "triples": list(some),
            }
            return self.asker.ask(Asked(self.prompts.answer_depth, slots), read, losing=True)

        reply, verdict = ask_within_window(shown, ask, self.ctx)
        if verdict is None or not verdict.yes:
            return None
        known = _ends(evidence)
        accepted = [text for text in verdict.answers or () if self._accepted(text, known)]
        if self.parameters.has("B16") and verdict.answers and verdict.listed:
            # Only the beginning of the list is looked at, and the list answers as a whole.
            accepted = list(verdict.answers) if self._accepted(verdict.answers[0], known) else []
        if not accepted:
            self.ctx.note("answer_refused" if verdict.answers else "sufficient_without_answer")
            return None
        return self._prediction(reply, replace(verdict, answers=tuple(accepted)), evidence, known)

    def _accepted(self, text: str, known: Collection[Answer]) -> tuple[Answer, ...]:
        """What of an answer may end the search.

        Quirk P1 refuses whatever begins like an id, as the published code does: with names hidden, every right answer of
        the graph. Otherwise a handle counts if its node stands in the evidence and is no mediator.
        """
        if self.parameters.has("P1") and begins_with_handle(text):
            return ()
        answers = resolve_answers(text, self.ctx)
        if self.parameters.has("P1") or not holds_handle(text):
            return answers
        return tuple(answer for answer in answers if isinstance(answer, str) or self._may_answer(answer, known))

    def _may_answer(self, answer: Entity | Literal, known: Collection[Answer]) -> bool:
        return answer in known and not (isinstance(answer, Entity) and self.ctx.kg.is_mediator(answer))

    def _prediction(
        self, reply: Reply, verdict: Verdict, evidence: Sequence[Triple], known: Collection[Answer] | None = None
    ) -> Prediction:
        """The answers of a verdict: as terms where they stand for some; with quirk B16 a list is one text."""
        texts = verdict.answers or ()
        terms = [
            answer
            for text in texts
            for answer in (resolve_answers(text, self.ctx) if known is None else self._accepted(text, known))
        ]
        source = source_of(terms, evidence)
        whole = self.parameters.has("B16") and verdict.listed and bool(texts)
        answers = (verdict.as_one_text,) if whole else tuple(dict.fromkeys(terms))
        return Prediction(answers, reply.text, source, (), tuple(evidence))

    def from_evidence(self, shown: Sequence[Triple], evidence: Sequence[Triple]) -> Prediction:
        """Answer from all triples: where the search came to a dead end before its last depth."""

        def ask(some: Sequence[Triple]) -> tuple[Reply, Verdict | None]:
            slots: dict[str, SlotValue | Sequence[SlotValue]] = {"question": self.question, "triples": list(some)}
            return self.asker.ask(Asked(self.prompts.answer, slots), _answer_in, closing=True)

        return self._final(*ask_within_window(shown, ask, self.ctx), evidence)

    def from_memory(self, evidence: Sequence[Triple]) -> Prediction:
        """Answer from what the model knows: without a topic, or where no depth was enough. Never credited to the graph."""
        asked = Asked(self.prompts.cot, {"question": self.question})
        reply, verdict = self.asker.ask(asked, lambda got: _answer_in(got, "known"), closing=True)
        return replace(self._final(reply, verdict, evidence), source=Source.FALLBACK)

    def _final(self, reply: Reply, verdict: Verdict | None, evidence: Sequence[Triple]) -> Prediction:
        if verdict is not None:
            return self._prediction(reply, verdict, evidence)
        flag = "truncated" if reply.finish == "length" else "no_parse"
        return Prediction((), reply.text, flags=(flag,), evidence=tuple(evidence))


def _answer_in(reply: Reply, word: str = "sufficient") -> Verdict | None:
    """A final reply is read if it has a place for answers."""
    verdict = read_verdict(reply.text, word)
    return verdict if verdict is not None and verdict.answers is not None else None


def _echoes(reply: Reply) -> bool:
    return "exemplar_echo" in reply.flags


def _ends(evidence: Sequence[Triple]) -> frozenset[Answer]:
    return frozenset(end for triple in evidence for end in (triple.subject, triple.object))
