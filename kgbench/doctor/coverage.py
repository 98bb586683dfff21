"""How many of the entities that the questions are about stand in the graph. Here a wrong dump shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.contracts import QuestionGraphs
from kgbench.doctor.presence import Presence, in_graph, in_own_graphs
from kgbench.doctor.questions import gold_ids, topic_ids
from kgbench.doctor.rows import CheckRow, State, not_checked
from kgbench.kg.server import server_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from kgbench.contracts import Profile
    from kgbench.doctor.case import Case
    from kgbench.kg.source import GraphSource
    from kgbench.types import QuestionRecord

ENOUGH, HALF = 0.95, 0.5
"""Shares below which coverage is a warning, and below which the topics are those of another graph."""
SAMPLE_OF_SERVER, SAMPLE_HERE, SAMPLE_OF_OWN = 600, 50_000, 300
"""Most ids that are looked up at a server and in this process, and most questions with graphs of their own."""
_EXAMPLES = 5
_FORMS = {"freebase": re.compile(r"[mg]\.[0-9a-z_]+"), "wikidata": re.compile(r"Q[0-9]+")}
"""How ids of well-known graphs look; the names are those of profiles."""


@dataclass(frozen=True, slots=True)
class _Subject:
    check: str
    noun: str
    ids: Callable[[QuestionRecord], set[str]]
    fails: bool
    """True where a low share means that a run would be worthless."""


_SUBJECTS = (
    _Subject("topics", "topic entities", topic_ids, fails=True),
    _Subject("answers", "gold answers", gold_ids, fails=False),
)


def check_coverage(case: Case) -> list[CheckRow]:
    """Look up topic entities and gold answers.

    Raises:
        GraphError: the graph cannot be read.
    """
    if case.graph is None or not case.records:
        why = "no graph is open" if case.records else "no questions are loaded"
        return [not_checked(subject.check, why) for subject in _SUBJECTS]
    return [_row(case.graph, case.records, subject) for subject in _SUBJECTS]


def _row(source: GraphSource, records: tuple[QuestionRecord, ...], subject: _Subject) -> CheckRow:
    ids = {record.question.id: subject.ids(record) for record in records}
    every = set().union(*ids.values())
    if not every:
        return not_checked(subject.check, f"no question has {subject.noun} with an id")
    found = _look_up(source, ids, every)
    profile, remote = source.card.profile, server_of(source.opened) is not None
    state = _state(found, subject)
    facts = {
        "total": found.total,
        "asked": found.asked,
        "present": found.present,
        "share": round(found.share, 4),
        "sampled": found.asked < found.total,
        "partial": found.partial,
        "missing_ids": list(found.missing) if profile.opaque_ids else None,
    }
    next_step = "" if state is State.OK else _hint(every, profile, low=found.share < HALF, remote=remote)
    text = _text(found, subject.noun, found.missing[:_EXAMPLES] if profile.opaque_ids else ())
    if source.shared is None:
        text += "; each was looked for in its question's own graph"
    return CheckRow(subject.check, state, text, next_step, facts)


def _look_up(source: GraphSource, ids: dict[str, set[str]], every: set[str]) -> Presence:
    """Look in the whole graph, also where a run hides facts of it: hiding is meant, a wrong dump is not."""
    graph = source.opened
    if isinstance(graph, QuestionGraphs):
        return in_own_graphs(graph.graph_for, ids, SAMPLE_OF_OWN)
    return in_graph(graph, every, SAMPLE_HERE if server_of(graph) is None else SAMPLE_OF_SERVER)


def _state(found: Presence, subject: _Subject) -> State:
    if found.share >= ENOUGH:
        return State.OK
    return State.FAILED if found.share < HALF and subject.fails and not found.partial else State.WARNING


def _text(found: Presence, noun: str, examples: tuple[str, ...]) -> str:
    which = f"{found.asked:,}" if found.asked == found.total else f"a sample of {found.asked:,} of {found.total:,}"
    text = f"{found.present:,} of {which} {noun} are in the graph ({found.share:.1%})"
    if found.partial:
        text += ", at least: the server's answers were incomplete"
    more = " and others" if len(found.missing) > len(examples) else ""
    return f"{text}; missing are {', '.join(examples)}{more}" if examples else text


def _hint(ids: Collection[str], profile: Profile, *, low: bool, remote: bool) -> str:
    """What to do, by what the ids look like and how the graph is read."""
    form = next(
        (name for name, form in _FORMS.items() if 2 * sum(map(bool, map(form.fullmatch, ids))) > len(ids)), None
    )
    if low and form is not None and form != profile.name:
        return (
            f"wrong dump or wrong profile: the ids are {form.capitalize()}'s and the graph is read as {profile.name}; "
            f"check --kg, or give --kg-profile {form} if it is such a graph"
        )
    named = " (or the named graph: ?default-graph-uri=IRI)" if remote else ""
    if low:
        what = "most of what the questions name is not in the graph"
        return f"wrong dump or wrong profile: {what}; check --kg{named} and --kg-profile"
    return f"no method can find what is missing; check whether --kg{named} is the dump that the questions were made for"
