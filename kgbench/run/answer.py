"""Answering one question: session, gateway, view and context are made, the method runs, its prediction is restored."""

from __future__ import annotations

import time
import traceback
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from kgbench.contracts import PreparedMethod
from kgbench.errors import KgbenchError, QuestionError
from kgbench.kg.gate import GraphGate
from kgbench.llm.gateway import QuestionGateway
from kgbench.llm.ledger import Ledger
from kgbench.run.context import QuestionContext
from kgbench.run.seen import Seen
from kgbench.run.steps import steps
from kgbench.run.store import CALLS, LOCAL_CALLS
from kgbench.seam.session import Session, SessionSeed
from kgbench.seam.view import GraphView
from kgbench.types import (
    AnswerItem,
    Entity,
    Gold,
    Literal,
    Prediction,
    Question,
    QuestionRecord,
    RestoredPrediction,
    Status,
    Zone,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgbench.contracts import KnowledgeGraph
    from kgbench.run.plan import Plan
    from kgbench.run.store import RunFolder
    from kgbench.types import Answer, JsonObject, Term

SETUP = ("kgbench:setup", 0)
"""Under which key the calls of a method's step before the first question are recorded."""


def answer_question(
    plan: Plan,
    folder: RunFolder,
    record: QuestionRecord,
    trial: int,
    *,
    recorded: Iterable[JsonObject] = (),
    prepared: JsonObject | None = None,
    debug: bool = False,
) -> JsonObject:
    """Answer one question of one trial and return its record.

    Args:
        plan: the run.
        folder: takes the call records.
        record: the question with its topic names.
        trial: number of the trial, from 0.
        recorded: calls that an interrupted run of this question has finished.
        prepared: what the method's ``prepare`` returned.
        debug: keep the traceback of a method's own exception in the record's ``error``.

    Raises:
        KgbenchError: the whole run must end (no server, wrong key, stopped).
    """
    began = time.monotonic()
    opened = _open_question(plan, folder, record, trial, recorded, prepared)
    session, gateway, ledger = opened.session, opened.gateway, opened.ledger
    prediction, error = Prediction(), None
    try:
        if opened.failure is not None:
            raise opened.failure
        prediction = plan.method.answer(record.question, opened.context)
        session.note("kg_partial", len(opened.partial))
        status = status_of(prediction, record, session)
    except QuestionError as failure:
        status, error = Status(failure.status), str(failure)
    except KgbenchError:
        raise
    except Exception as failure:  # noqa: BLE001 - a method may be anybody's code
        # A method may meet anything in a reply. Its message could quote a name, so only its kind is kept.
        status, error = Status.PARSE_ERROR, f"the method raised {type(failure).__name__}"
        if debug:
            error += "\n" + "".join(traceback.format_tb(failure.__traceback__))
    try:
        restored = restore(prediction, session)
    except QuestionError as failure:  # the names of the answers cannot be read
        restored, status, error = RestoredPrediction(), Status(failure.status), str(failure)
    return {
        "question_id": record.question.id,
        "trial": trial,
        "status": str(status),
        "error": error,
        "prediction": prediction_json(restored),
        "usage": {stage: spending.to_json() for stage, spending in ledger.stages().items()},
        "total": ledger.total().to_json(),
        "phases": opened.seen.phases(),
        "exposure": opened.seen.exposure(),
        "graph_reads": session.notes.pop("graph_reads", 0),
        "notes": dict(sorted(session.notes.items())),
        "audit": {"leaks": gateway.totals.leaks, **dict(sorted(gateway.totals.audit.items()))},
        "retries": gateway.totals.retries,
        "issued": [_term_json(term) for term in session.pseudonyms.issued_terms()],
        **steps(prediction, session, opened.seen),
        "seconds": round(time.monotonic() - began, 4),
        "waiting_seconds": round(gateway.totals.waiting_seconds, 3),
    }


class Prepared(NamedTuple):
    """What a method's step before the first question gave and cost."""

    result: JsonObject
    spending: JsonObject


def prepare(plan: Plan, folder: RunFolder, recorded: Iterable[JsonObject]) -> Prepared:
    """Run a method's step before the first question; its prompts may hold no graph content."""
    assert isinstance(plan.method, PreparedMethod)  # noqa: S101
    question_id, trial = SETUP
    record = QuestionRecord(Question(question_id, ""), Gold(question_id, ()))
    graph = plan.graph.before_questions() if plan.graph is not None else None
    opened = _open(plan, folder, record, trial, recorded, None, graph)
    result = plan.method.prepare([each.question for each in plan.records], opened.context)
    return Prepared(result, opened.ledger.total().to_json())


class _Opened(NamedTuple):
    session: Session
    gateway: QuestionGateway
    ledger: Ledger
    context: QuestionContext
    partial: list[str]
    """One entry for each incomplete answer of the graph."""
    seen: Seen
    failure: QuestionError | None = None
    """Why the question cannot be asked at all."""


def _open_question(
    plan: Plan,
    folder: RunFolder,
    record: QuestionRecord,
    trial: int,
    recorded: Iterable[JsonObject],
    prepared: JsonObject | None,
) -> _Opened:
    """Make what one question needs; a graph that fails before the method starts ends this question alone."""
    recorded = tuple(recorded)
    try:
        return _open(plan, folder, record, trial, recorded, prepared, plan.graph_for(record))
    except QuestionError as failure:
        return _open(plan, folder, record, trial, recorded, prepared, None)._replace(failure=failure)


def _open(
    plan: Plan,
    folder: RunFolder,
    record: QuestionRecord,
    trial: int,
    recorded: Iterable[JsonObject],
    prepared: JsonObject | None,
    whole: KnowledgeGraph | None,
) -> _Opened:
    """Make what one question needs, all of it thrown away with it."""
    seed = SessionSeed(plan.card.name, plan.spec.seed, trial)
    partial: list[str] = []
    graph = GraphGate(whole, partial.append) if whole is not None else None
    session = Session(record, plan.policy, plan.key, seed, graph.names if graph is not None else None)
    ledger = Ledger(plan.prices.cost, parent=plan.ledger)

    recorded, seen = tuple(recorded), Seen()
    for call in recorded:
        if call.get("error") is None:  # served again instead of sent, and so not written again
            seen.read(call)

    def write(zone: Zone, call: JsonObject) -> None:
        seen.read(call)
        folder.append(CALLS if zone is Zone.REMOTE else LOCAL_CALLS, call)

    gateway = QuestionGateway(
        session,
        {Zone.REMOTE: plan.remote, Zone.LOCAL: plan.local},
        ledger,
        write,
        declared=plan.declared,
        recorded=recorded,
        stop=plan.stop,
    )
    view = GraphView(graph, session) if graph is not None and plan.card.uses_graph else None
    context = QuestionContext(session, gateway, view, plan.embeddings, prepared)
    return _Opened(session, gateway, ledger, context, partial, seen)


def status_of(prediction: Prediction, record: QuestionRecord, session: Session) -> Status:
    """Name how a question ended that raised nothing."""
    if session.notes.get("kg_partial"):
        return Status.KG_PARTIAL  # with or without an answer: a resumed run asks again
    if any(not isinstance(answer, str) or answer.strip() for answer in prediction.answers):
        return Status.OK
    if "truncated" in prediction.flags:
        return Status.TRUNCATED
    if "no_parse" in prediction.flags and prediction.raw.strip():
        # The loose metrics read the raw text of a reply that kept to no form; the strict ones count a miss.
        return Status.OK
    return Status.NO_TOPIC_ENTITY if not record.question.topics else Status.NO_ANSWER


def restore(prediction: Prediction, session: Session) -> RestoredPrediction:
    """Put the names back: entities by id, handles in texts by whole token."""
    evidence: dict[Term, None] = {}
    for triple in prediction.evidence:
        evidence[triple.subject] = evidence[triple.object] = None
    entities = [term for term in evidence if isinstance(term, Entity)]
    session.load_names([*entities, *(answer for answer in prediction.answers if isinstance(answer, Entity))])
    flags = dict.fromkeys(prediction.flags)
    if prediction.raw in session.echoed_exemplar and prediction.raw:
        flags["exemplar_echo"] = None
    names = sorted({name for entity in entities if (name := session.name(entity))})
    return RestoredPrediction(
        items=tuple(_item(answer, session, evidence) for answer in prediction.answers),
        raw=session.restore(prediction.raw),
        source=prediction.source,
        flags=tuple(flags),
        entity_names=tuple(names),
    )


def _item(answer: Answer, session: Session, evidence: dict[Term, None]) -> AnswerItem:
    if isinstance(answer, Entity):
        known = session.names(answer)
        text = session.name(answer) or answer.id
        aliases = tuple(name for name in dict.fromkeys((known.name, *known.aliases)) if name and name != text)
        return AnswerItem("entity", text, (answer.id,), aliases, in_evidence=answer in evidence)
    if isinstance(answer, Literal):
        return AnswerItem("literal", answer.lexical, datatype=answer.datatype, in_evidence=answer in evidence)
    return AnswerItem("text", session.restore(answer))


def _term_json(term: Term) -> list[str]:
    if isinstance(term, Entity):
        return ["E", term.id]
    return ["L", term.lexical, term.datatype, term.language]


def prediction_json(prediction: RestoredPrediction) -> JsonObject:
    """A restored prediction as JSON."""
    return {**asdict(prediction), "source": str(prediction.source)}
