"""What every method must do, whoever wrote it: ``kgbench check NAME`` and the tests run these checks.

Each check runs the method through the real gateway on the canary world, with models that cost nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from kgbench.config import method_parameters
from kgbench.errors import KgbenchError, UsageError
from kgbench.llm.backends.reader import readable
from kgbench.prompts import TaskKind, Template
from kgbench.seam.pseudonyms import ALPHABET, HANDLE
from kgbench.testing import faults, repeats
from kgbench.testing.exposure import disclosures, hidden_in_exposed_phases
from kgbench.testing.subject import Subject
from kgbench.testing.toy import toy_graph
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from kgbench.contracts import MethodCard

_MODES = ("keyed", "source-id")
_MOST_FINDINGS = 12
"""A check ends after so many findings."""
_SHOWN = 3
"""Findings that a result quotes."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of one check."""

    name: str
    passed: bool
    detail: str = ""
    """What was found, or how much was looked at."""


def check_method(
    method: str | type, parameters: Mapping[str, Any] | None = None, only: Collection[str] = ()
) -> list[CheckResult]:
    """Run the checks on a method.

    Args:
        method: a registry name or a class.
        parameters: of the method; its defaults where left out.
        only: names of checks, of :func:`check_names`; all where left out.

    Returns:
        One result a check, in a fixed order. A check that fails to run has failed; nothing is raised.
    """
    subject = Subject(method, dict(parameters or {}))
    try:
        subject.card  # noqa: B018 - the first check: can it be built at all
    except Exception as error:  # noqa: BLE001 - a method may be anybody's code
        return [CheckResult("the method can be built", passed=False, detail=_kind_of(error))]
    results = [CheckResult("the method can be built", passed=True)]
    results += [_outcome(name, check, subject) for name, check in _CHECKS.items() if not only or name in only]
    return results


# --- What a method says of itself --------------------------------------------------------------------------------------


def _card_is_complete(subject: Subject) -> Iterator[str]:
    card = subject.card
    if isinstance(subject.method, str) and card.name != subject.method:
        yield f'the card is named "{card.name}", the entry point "{subject.method}"'
    for text in ("name", "version", "summary"):
        value = getattr(card, text)
        if not value or "\n" in value:
            yield f"{text} must be one line and not empty"
    names = [getattr(template, "name", None) for template in card.templates]
    if not all(isinstance(template, Template) for template in card.templates):
        yield "templates holds something that is no Template"
    if len(set(names)) < len(names):
        yield "two templates have one name"
    yield from _parameter_faults(card)
    yield from _expectation_faults(subject)


def _parameter_faults(card: MethodCard) -> Iterator[str]:
    kind = card.parameters
    if kind is None:
        return
    if not is_dataclass(kind) or not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        yield "parameters must be a frozen dataclass"
        return
    try:
        kind()
    except TypeError:
        yield f"every parameter needs a default: {', '.join(item.name for item in fields(kind))}"


def _expectation_faults(subject: Subject) -> Iterator[str]:
    card = subject.card
    if card.expected_calls is None:
        yield "expected_calls is missing: --plan cannot say what a run costs"
        return
    typical, largest = card.expected_calls(method_parameters(card.parameters, subject.parameters, card.name))
    if not (0 <= typical <= largest and math.isfinite(largest)):
        yield f"expected_calls gives typical {typical} and largest {largest}"


def _kinds_are_known(subject: Subject) -> Iterator[str]:
    known = set(TaskKind)
    for template in subject.card.templates:
        if template.kind not in known:
            yield f'template "{template.name}" has the unknown kind "{template.kind}"'


def _kinds_detail(subject: Subject) -> str:
    unreadable = [template.name for template in subject.card.templates if not readable(template.kind)]
    return f"needs a language model for: {', '.join(unreadable)}" if unreadable else "builtin/reader reads them all"


def _unknown_parameter_is_refused(subject: Subject) -> Iterator[str]:
    card = subject.card
    try:
        method_parameters(card.parameters, {"no_such_parameter": 1}, card.name)
    except UsageError as error:
        if "no_such_parameter" not in str(error):
            yield "the refusal does not name the parameter"
    else:
        yield "a parameter that does not exist was accepted"


def _templates_are_on_the_card(subject: Subject) -> Iterator[str]:
    known = {template.name for template in subject.card.templates}
    sent = {call["template"] for run in subject.usual_runs for call in run.calls}
    if unknown := sorted(sent - known):
        yield f"sent and not on the card: {', '.join(unknown)}"


def _invented_names_are_nowhere(subject: Subject) -> Iterator[str]:
    """A name that an exemplar invents must not be one of the bundled graphs: a right answer would count as an echo."""
    graph = toy_graph()
    taken = {word for known in graph.all_names.values() for word in _words(known.name or "")}
    for template in subject.card.templates:
        if clash := sorted({word for text in template.invented for word in _words(text)} & taken):
            yield f'template "{template.name}" invents {", ".join(clash)}, which the toy world has'


def _invented_handles_stay_unknown(subject: Subject) -> Iterator[str]:
    """Two letters that no handle has: one alone could be taken for a slip and repaired into a handle of the question."""
    for template in subject.card.templates:
        for handle in filter(HANDLE.fullmatch, template.invented):
            if sum(symbol not in ALPHABET for symbol in handle[2:].lower()) < 2:
                yield f'template "{template.name}" invents {handle}, which is too near to handles that may be issued'


def _words(text: str) -> set[str]:
    return {word for word in text.casefold().split() if len(word) > 3}


# --- What leaves -------------------------------------------------------------------------------------------------------


def _exposure(scenario: Scenario, pseudonyms: str) -> Callable[[Subject], Iterator[str]]:
    def check(subject: Subject) -> Iterator[str]:
        for model in subject.models:
            run = subject.run(model, scenario=scenario, pseudonyms=pseudonyms)
            yield from disclosures(subject.world, run)
            yield from hidden_in_exposed_phases(subject.world, run)
            if run.summary.leaks:
                yield f"the audit counted {run.summary.leaks} leak(s)"

    return check


def _calls_stay_in_bounds(subject: Subject) -> Iterator[str]:
    card = subject.card
    if card.expected_calls is None:
        return
    _, largest = card.expected_calls(method_parameters(card.parameters, subject.parameters, card.name))
    for run in subject.usual_runs:
        most = max(record["total"]["logical"]["calls"] for record in run.records)
        if most > largest:
            yield f"a question took {most} calls; the card announces at most {largest:g}"


_CHECKS: dict[str, Callable[[Subject], Iterable[str]]] = {
    "the card is complete": _card_is_complete,
    "every template has a known kind": _kinds_are_known,
    "an unknown parameter is refused": _unknown_parameter_is_refused,
    "every template sent is on the card": _templates_are_on_the_card,
    "invented names belong to no bundled graph": _invented_names_are_nowhere,
    "invented handles stay unknown": _invented_handles_stay_unknown,
    **{
        f"names only where they may be shown: {scenario}, {mode}": _exposure(scenario, mode)
        for scenario in Scenario
        for mode in _MODES
    },
    "jobs change no request": repeats.jobs_change_nothing,
    "the hash seed changes no request": repeats.hash_seed_changes_nothing,
    "one key, the same bytes": repeats.same_key_same_bytes,
    "another key, other handles and the same evidence": repeats.another_key_renames,
    "two questions share no handle": repeats.questions_share_no_handle,
    "malformed replies do no harm": faults.malformed_replies_do_no_harm,
    "a failing model ends in a status": faults.failures_end_in_a_status,
    "a failing graph ends in kg_error": faults.graph_failures_are_named,
    "calls stay within what the card announces": _calls_stay_in_bounds,
}
_DETAILS: Mapping[str, Callable[[Subject], str]] = {"every template has a known kind": _kinds_detail}


def check_names() -> tuple[str, ...]:
    """Names of all checks, in the order in which they run."""
    return tuple(_CHECKS)


def _outcome(name: str, check: Callable[[Subject], Iterable[str]], subject: Subject) -> CheckResult:
    try:
        faults = list(islice(check(subject), _MOST_FINDINGS))
        detail = _DETAILS[name](subject) if name in _DETAILS else ""
    except Exception as error:  # noqa: BLE001 - a method may be anybody's code
        return CheckResult(name, passed=False, detail=_kind_of(error))
    if not faults:
        return CheckResult(name, passed=True, detail=detail)
    more = f"; and {len(faults) - _SHOWN} or more others" if len(faults) > _SHOWN else ""
    return CheckResult(name, passed=False, detail="; ".join(faults[:_SHOWN]) + more)


def _kind_of(error: Exception) -> str:
    return str(error) if isinstance(error, KgbenchError) else f"{type(error).__name__}: {error}"
