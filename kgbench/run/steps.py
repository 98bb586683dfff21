"""What a question read of the graph and what it took as answers, for its record: without a name, literal or source id.

An entity or literal is written as the handle that it got in its question; a topic that prompts show in the question's own
words as ``topic 1``; anything without a handle, or whose handle is an id of the graph, as ``entity 3`` or ``literal 2``, in
the order of first appearance in the record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.run.seen import LOCAL
from kgbench.seam.policy import PseudonymMode, TopicNames
from kgbench.seam.render import NAMING, Origin, one_line
from kgbench.text import norm
from kgbench.types import Entity, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from kgbench.run.seen import Seen
    from kgbench.seam.reads import Read
    from kgbench.seam.session import Session
    from kgbench.types import Answer, JsonObject, Prediction, Term, Triple

COLUMNS = ("calls", "kind", "of", "found", "relation", "direction", "cut", "shown")
"""What stands in each row of a record's ``reads``.

``calls`` is how many model calls came before, ``of`` an entity as this module writes it, how many were asked for at once, or
null; ``shown`` is false where no prompt of the question showed the relation's label to the provider.
"""
_DISCLOSING = (*NAMING, Origin.TOPIC_LABEL, Origin.SOURCE_ID)
"""Origins after which a word of the model may be one of the graph."""


def steps(prediction: Prediction, session: Session, seen: Seen) -> JsonObject:
    """The fields ``reads`` and ``answered`` of a record."""
    return _Writer(session, seen).written(prediction)


class _Writer:
    def __init__(self, session: Session, seen: Seen) -> None:
        self._session = session
        self._handles = {term: session.handle(term) for term in session.pseudonyms.issued_terms()}
        self._numbers: dict[Term, str] = {}
        self._counts = {"entity": 0, "literal": 0}
        self._shown = seen.texts(Origin.RELATION)
        self._may_quote = not seen.texts(*_DISCLOSING) and LOCAL not in seen.phases() and not self._source_ids
        self._heard: str | None = None

    @property
    def _source_ids(self) -> bool:
        return self._session.policy.pseudonyms is PseudonymMode.SOURCE_ID

    def written(self, prediction: Prediction) -> JsonObject:
        log = self._session.reads
        rows = [self._row(read) for read in log.kept]
        evidence = _ends(prediction.evidence)
        answered = [self._answer(answer, evidence) for answer in prediction.answers]
        return {"reads": {"rows": rows, "left_out": log.left_out}, "answered": answered}

    def _row(self, read: Read) -> list[Any]:
        of = self._reference(read.of) if isinstance(read.of, Entity) else read.of
        label = one_line(read.relation) if read.relation is not None else None
        direction = str(read.direction) if read.direction is not None else None
        shown = label is None or label in self._shown
        return [read.calls, str(read.kind), of, read.found, label, direction, read.cut, shown]

    def _answer(self, answer: Answer, evidence: set[Term]) -> JsonObject:
        if isinstance(answer, str):
            return {"kind": "text", "as": answer if self._is_heard(answer) else None, "in_evidence": False}
        kind = "entity" if isinstance(answer, Entity) else "literal"
        return {"kind": kind, "as": self._reference(answer), "in_evidence": answer in evidence}

    def _reference(self, term: Term) -> str:
        if isinstance(term, Entity) and self._shown_by_words(term):
            return f"topic {self._session.question.topics.index(term) + 1}"
        handle = self._handles.get(term)
        if handle is not None and not (self._source_ids and isinstance(term, Entity)):
            return handle
        if term not in self._numbers:
            kind = "literal" if isinstance(term, Literal) else "entity"
            self._counts[kind] += 1
            self._numbers[term] = f"{kind} {self._counts[kind]}"
        return self._numbers[term]

    def _shown_by_words(self, entity: Entity) -> bool:
        """True for a topic that is not shown by a handle of which this record could speak."""
        if not self._session.is_topic(entity):
            return False
        if self._source_ids or entity not in self._handles:
            return True
        policy = self._session.policy.topic_names
        return policy is not TopicNames.MASK and (policy is TopicNames.LABEL or entity in self._session.mentions)

    def _is_heard(self, answer: str) -> bool:
        """True for words of the model that it wrote before it had seen a word of the graph."""
        if not self._may_quote:
            return False
        if self._heard is None:
            self._heard = f" {' | '.join(norm(text) for text in self._session.heard)} "
        return f" {norm(answer)} " in self._heard


def _ends(evidence: Sequence[Triple]) -> set[Term]:
    return {term for triple in evidence for term in (triple.subject, triple.object)}
