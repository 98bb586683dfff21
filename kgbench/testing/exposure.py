"""Who is named in a request, read off its text alone, held against what the scenario and the spans say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.seam.render import Origin
from kgbench.types import Entity, Phase, Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgbench.testing.canary import CanaryWorld
    from kgbench.testing.harness import RunArtifacts
    from kgbench.types import JsonObject

_ANYWHERE = frozenset({Origin.QUESTION, Origin.MENTION})
"""Spans that may hold a canary in any phase: the question states it itself."""
_HEARD = frozenset({Origin.ECHO, Origin.CONCEPT})
"""The model's own words; in a protected phase they may repeat the question, and ids where ids are shown."""
_EXPOSED = _ANYWHERE | _HEARD | {Origin.NAME, Origin.LITERAL, Origin.LOCAL_TEXT}
_NEVER = ("tag", "gold")
"""Canaries of what no method can reach."""


def disclosures(world: CanaryWorld, run: RunArtifacts) -> Iterator[str]:
    """Yield what a run disclosed that it should not have, one line each, without the canary itself."""
    said = {
        record.question.id: {token for token, _, _ in world.found(record.question.text)} for record in world.records
    }
    for call in run.calls:
        where = f"{call['stage']} ({call['phase']}) of question {call['question_id']!r}"
        if "messages" not in call:
            yield f"{where} was stopped: the audit found {call['audit']}"
            continue
        if call["exposed"] != Scenario(run.manifest["spec"]["scenario"]).exposes(Phase(call["phase"])):
            yield f"{where} is marked exposed={call['exposed']}, against the scenario"
        for token, kind, origin in _canaries(world, call):
            repeated = origin in _HEARD and token in said.get(call["question_id"], ())
            if not repeated and not _allowed(kind, origin, call, run.manifest["spec"]["pseudonyms"]):
                yield f"{where} shows a canary of kind {kind} in a span of origin {origin or 'none'}"


def hidden_in_exposed_phases(world: CanaryWorld, run: RunArtifacts) -> Iterator[str]:
    """Yield where a prompt hid a name although its phase is exposed: then two scenarios would be one."""
    if run.manifest["spec"]["pseudonyms"] == "source-id":
        return
    for call in run.calls:
        if not call.get("exposed"):
            continue
        terms = run.handles(call["question_id"])
        topics = {topic for r in world.records if r.question.id == call["question_id"] for topic in r.question.topics}
        content = call["messages"][-1]["content"]
        for start, end, origin in call["spans"]:
            term = terms.get(content[start:end]) if origin == Origin.HANDLE else None
            if term is None or term in topics:
                continue
            if not isinstance(term, Entity) or world.graph.names([term])[term].name:
                yield f"{call['stage']} ({call['phase']}) of question {call['question_id']!r} hides a name"


def names_shown(world: CanaryWorld, run: RunArtifacts, phase: Phase) -> set[str]:
    """Canaries of names and literals in the prompts of a phase that the question itself does not hold."""
    return {
        token
        for call in run.calls
        if call["phase"] == phase and "messages" in call
        for token, kind, start in world.found(call["messages"][-1]["content"])
        if kind in ("name", "literal") and _origin(call, start) not in _ANYWHERE
    }


def _canaries(world: CanaryWorld, call: JsonObject) -> Iterator[tuple[str, str, Origin | None]]:
    *fixed, last = call["messages"]
    for message in fixed:
        for token, kind, _ in world.found(message["content"]):
            yield token, kind, None
    for token, kind, start in world.found(last["content"]):
        yield token, kind, _origin(call, start)


def _origin(call: JsonObject, position: int) -> Origin | None:
    for start, end, origin in call["spans"]:
        if start <= position < end:
            return Origin(origin)
    return None


def _allowed(kind: str, origin: Origin | None, call: JsonObject, pseudonyms: str) -> bool:
    if origin is None or kind in _NEVER:
        return False
    if kind == "id":
        return origin in _HEARD | {Origin.SOURCE_ID} and pseudonyms == "source-id"
    if call["phase"] == Phase.SETUP:
        return origin is Origin.QUESTION
    return origin in (_EXPOSED if call["exposed"] else _ANYWHERE)
