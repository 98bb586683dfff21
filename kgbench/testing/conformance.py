"""What every method must do, whoever wrote it: ``kgbench check NAME`` and the tests run these checks.

Each check runs the method through the real gateway on the canary world, with models that cost nothing.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any

from kgbench.config import method_parameters
from kgbench.contracts import Completion, ModelCard, TransientFailure
from kgbench.errors import GraphError, KgbenchError, PromptTooLong, Refused, UsageError
from kgbench.llm.backends.reader import readable
from kgbench.prompts import TaskKind, Template
from kgbench.seam.pseudonyms import HANDLE
from kgbench.testing.canary import CanaryWorld, canary_world
from kgbench.testing.exposure import disclosures, hidden_in_exposed_phases
from kgbench.testing.harness import OTHER_KEY, TEST_KEY, RunArtifacts, build_method, run_once
from kgbench.testing.malformed import MALFORMED_REPLIES, always, now_and_then
from kgbench.testing.parrot import Parrot
from kgbench.testing.scripted import ScriptedModel
from kgbench.testing.toy import toy_graph
from kgbench.types import Scenario, Status, Zone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from kgbench.contracts import ChatModel, Method, MethodCard, ModelRequest
    from kgbench.types import JsonObject

_MODES = ("keyed", "source-id")
_MOST_CALLS = 400
"""Calls of one question; a method that makes more with a model that never helps goes round in circles."""
_FEW = ("two hops, named", "hub, not named", "literals, named", "no topic, named")
"""Questions for checks that run the method many times."""
_SHOWN = 3
"""Findings that a result quotes."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of one check."""

    name: str
    passed: bool
    detail: str = ""
    """What was found, or how much was looked at."""


def check_method(method: str | type, parameters: Mapping[str, Any] | None = None) -> list[CheckResult]:
    """Run every check on a method.

    Args:
        method: a registry name or a class.
        parameters: of the method; its defaults where left out.

    Returns:
        One result a check, in a fixed order. A check that fails to run has failed; nothing is raised.
    """
    subject = Subject(method, dict(parameters or {}))
    try:
        subject.card  # noqa: B018 - the first check: can it be built at all
    except Exception as error:  # noqa: BLE001 - a method may be anybody's code
        return [CheckResult("the method can be built", passed=False, detail=_kind_of(error))]
    results = [CheckResult("the method can be built", passed=True)]
    for name, check in _CHECKS.items():
        results.append(_outcome(name, check, subject))
    return results


@dataclass(frozen=True)
class Subject:
    """A method under test."""

    method: str | type
    parameters: dict[str, Any]

    @cached_property
    def world(self) -> CanaryWorld:
        """The canary world, made once."""
        return canary_world()

    @cached_property
    def card(self) -> MethodCard:
        """The method's card."""
        return self.build().card

    def build(self) -> Method:
        """A fresh instance: no run may profit from an earlier one."""
        return build_method(self.method, self.parameters)

    @property
    def reader_can(self) -> bool:
        """True where ``builtin/reader`` has a reading for every template."""
        return all(readable(template.kind) for template in self.card.templates)

    @property
    def models(self) -> tuple[ChatModel | None, ...]:
        """The models that checks run with; None is ``builtin/reader``."""
        return (None, Parrot()) if self.reader_can else (Parrot(),)

    def run(self, model: ChatModel | None = None, **settings: Any) -> RunArtifacts:
        """Run the method on the canary world; ``settings`` as :func:`kgbench.testing.harness.run_once` takes them."""
        defaults = {"graph": self.world.graph, "records": self.world.records}
        if model is None and not self.reader_can:
            model = Parrot()
        return run_once(self.build(), model=model, local_model=_LocalParrot(), **{**defaults, **settings})


class _LocalParrot(Parrot):
    card = ModelCard(name="parrot", backend="scripted", language_model=False, cacheable=False, zone=Zone.LOCAL)


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
    sent = {call["template"] for model in subject.models for call in subject.run(model).calls}
    if unknown := sorted(sent - known):
        yield f"sent and not on the card: {', '.join(unknown)}"


def _invented_names_are_nowhere(subject: Subject) -> Iterator[str]:
    """A name that an exemplar invents must not be one of the bundled graphs: a right answer would count as an echo."""
    graph = toy_graph()
    taken = {word for known in graph.all_names.values() for word in _words(known.name or "")}
    for template in subject.card.templates:
        if clash := sorted({word for text in template.invented for word in _words(text)} & taken):
            yield f'template "{template.name}" invents {", ".join(clash)}, which the toy world has'


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


# --- What repeats ------------------------------------------------------------------------------------------------------


def _wires(run: RunArtifacts) -> list[tuple[str, int, int, str]]:
    return [(call["question_id"], call["trial"], call["call"], call.get("wire", "")) for call in run.calls]


def requests_digest(run: RunArtifacts) -> str:
    """One hash over every request of a run, in the order of questions and calls."""
    return sha256(json.dumps(_wires(run)).encode()).hexdigest()


def _jobs_change_nothing(subject: Subject) -> Iterator[str]:
    one, four = (_wires(subject.run(Parrot(), jobs=jobs)) for jobs in (1, 4))
    yield from _first_difference(one, four, "--jobs 1 and --jobs 4")


def _same_key_same_bytes(subject: Subject) -> Iterator[str]:
    for model in subject.models:
        first, second = (_wires(subject.run(model)) for _ in range(2))
        yield from _first_difference(first, second, "two runs with one key")


def _first_difference(one: Sequence[Any], other: Sequence[Any], between: str) -> Iterator[str]:
    if one != other:
        place = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
        where = one[place][:3] if place < len(one) else "the end"
        yield f"requests differ between {between}, first at {where}"


def _hash_seed_changes_nothing(subject: Subject) -> Iterator[str]:
    """Run in another process: sets are ordered by a seed that is drawn when Python starts."""
    target = _importable(subject.method)
    if target is None:
        return
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    script = "import sys; from kgbench.testing.conformance import write_requests_digest as w; w(*sys.argv[1:])"
    finished = subprocess.run(  # noqa: S603 - this interpreter, with a script of this module
        [sys.executable, "-c", script, target, json.dumps(subject.parameters)],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode:
        yield f"the run in another process failed: {finished.stderr.strip()[-300:]}"
    elif finished.stdout != requests_digest(subject.run(Parrot())):
        yield "requests differ under another PYTHONHASHSEED: something is in the order of a set"


def _importable(method: str | type) -> str | None:
    """How another process finds the method; None for a class that stands inside a function."""
    if isinstance(method, str):
        return method
    return None if "<locals>" in method.__qualname__ else f"{method.__module__}:{method.__qualname__}"


def write_requests_digest(target: str, parameters: str) -> None:
    """Write the digest of one run to stdout; for the process with another hash seed."""
    module, colon, name = target.partition(":")
    method = getattr(import_module(module), name) if colon else target
    subject = Subject(method, json.loads(parameters))
    sys.stdout.write(requests_digest(subject.run(Parrot())))


def _another_key_renames(subject: Subject) -> Iterator[str]:
    one, other = (subject.run(Parrot(), key=key) for key in (TEST_KEY, OTHER_KEY))
    for record in one.records:
        question = record["question_id"]
        first, second = one.handles(question, TEST_KEY), other.handles(question, OTHER_KEY)
        if first.keys() & second.keys():
            yield f"question {question!r} has a handle in common under two keys"
        if record["issued"] != other.record(question)["issued"]:
            yield f"question {question!r} shows other terms under another key"
        elif _renamed(one, question, first) != _renamed(other, question, second):
            yield f"question {question!r} asks something else under another key"


def _renamed(run: RunArtifacts, question: str, handles: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Calls of a question with handles replaced by what they stand for, and lists without their order."""

    def plain(call: JsonObject) -> list[str]:
        text = HANDLE.sub(lambda m: repr(handles.get(m.group(), m.group())), call["messages"][-1]["content"])
        return sorted(piece for line in text.splitlines() for piece in line.split("; "))

    return [(call["stage"], plain(call)) for call in run.calls_of(question)]


def _questions_share_no_handle(subject: Subject) -> Iterator[str]:
    run = subject.run(Parrot())
    owner: dict[str, str] = {}
    for record in run.records:
        for handle in run.handles(record["question_id"]):
            if handle in owner:
                yield f"{record['question_id']!r} and {owner[handle]!r} have a handle in common"
            owner[handle] = record["question_id"]


# --- What may go wrong -------------------------------------------------------------------------------------------------


def _malformed_replies_do_no_harm(subject: Subject) -> Iterator[str]:
    few = tuple(record for record in subject.world.records if record.question.id in _FEW)
    for reply in MALFORMED_REPLIES:
        run = subject.run(ScriptedModel(_bounded(always(reply))), records=few)
        yield from (f"{fault} after the reply {reply[:30]!r}" for fault in _raised(run))
    for seed in range(4):
        run = subject.run(ScriptedModel(_bounded(now_and_then(seed))))
        yield from (f"{fault} after a mix of replies (seed {seed})" for fault in _raised(run))


def _bounded(script: Callable[[ModelRequest], str]) -> Callable[[ModelRequest], str]:
    """The same script, which fails a method that asks without end."""
    asked: dict[str, int] = {}

    def reply(request: ModelRequest) -> str:
        question = str(request.messages[-1]["content"])[:60]
        asked[question] = asked.get(question, 0) + 1
        if asked[question] > _MOST_CALLS:
            raise RecursionError("a method asked without end")
        return script(request)

    return reply


def _raised(run: RunArtifacts) -> Iterator[str]:
    for record in run.records:
        if str(record["error"] or "").startswith("the method raised"):
            yield f"question {record['question_id']!r}: {record['error']}"


_FAILURES: Mapping[str, tuple[Exception | Completion, tuple[Status, ...] | None]] = {
    "a model that never answers": (TransientFailure("down"), (Status.LLM_ERROR,)),
    "a refusal": (Refused("no"), (Status.REFUSED,)),
    "an empty list of choices": (Completion(texts=()), (Status.REFUSED,)),
    "a content filter": (Completion(texts=("x",), finish="content_filter"), (Status.REFUSED,)),
    "a prompt that is too long": (PromptTooLong("long"), None),
    "null content": (Completion(texts=(None,)), None),
}
"""What a model may do -> statuses that a question may end in; None: any, as long as nothing is raised."""


class _Failing:
    """A model that does one thing for ever."""

    card = ModelCard(name="failing", backend="scripted", cacheable=False)

    def __init__(self, outcome: Exception | Completion) -> None:
        self._outcome = outcome

    def complete(self, request: ModelRequest) -> Completion:
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


def _failures_end_in_a_status(subject: Subject) -> Iterator[str]:
    for said, (outcome, statuses) in _FAILURES.items():
        run = subject.run(_Failing(outcome))
        yield from (f"{fault} after {said}" for fault in _raised(run))
        for record in run.records:
            asked = run.calls_of(record["question_id"])
            if asked and statuses is not None and record["status"] not in statuses:
                yield f"question {record['question_id']!r} ended in {record['status']} after {said}"


class _FailingGraph:
    """A graph of which every read fails; names are the harness's own and still come."""

    def __init__(self, world: CanaryWorld) -> None:
        self._graph = world.graph
        self.card = world.graph.card
        self.names = world.graph.names

    def _fail(self, *_: object, **__: object) -> Any:
        raise GraphError("the graph is away")

    relations = neighbours = types = select = _fail


def _graph_failures_are_named(subject: Subject) -> Iterator[str]:
    if not subject.card.uses_graph:
        return
    run = subject.run(Parrot(), graph=_FailingGraph(subject.world))
    for record in run.records:
        if record["status"] not in (Status.KG_ERROR, Status.NO_ANSWER, Status.NO_TOPIC_ENTITY):
            yield f"question {record['question_id']!r} ended in {record['status']} though the graph is away"
    if not any(record["status"] == Status.KG_ERROR for record in run.records):
        yield "no question ended in kg_error though the graph is away"


def _calls_stay_in_bounds(subject: Subject) -> Iterator[str]:
    card = subject.card
    if card.expected_calls is None:
        return
    _, largest = card.expected_calls(method_parameters(card.parameters, subject.parameters, card.name))
    for model in subject.models:
        run = subject.run(model)
        most = max(record["total"]["logical"]["calls"] for record in run.records)
        if most > largest:
            yield f"a question took {most} calls; the card announces at most {largest:g}"


_CHECKS: dict[str, Callable[[Subject], Iterable[str]]] = {
    "the card is complete": _card_is_complete,
    "every template has a known kind": _kinds_are_known,
    "an unknown parameter is refused": _unknown_parameter_is_refused,
    "every template sent is on the card": _templates_are_on_the_card,
    "invented names belong to no bundled graph": _invented_names_are_nowhere,
    **{
        f"names only where they may be shown: {scenario}, {mode}": _exposure(scenario, mode)
        for scenario in Scenario
        for mode in _MODES
    },
    "jobs change no request": _jobs_change_nothing,
    "the hash seed changes no request": _hash_seed_changes_nothing,
    "one key, the same bytes": _same_key_same_bytes,
    "another key, other handles and the same evidence": _another_key_renames,
    "two questions share no handle": _questions_share_no_handle,
    "malformed replies do no harm": _malformed_replies_do_no_harm,
    "a failing model ends in a status": _failures_end_in_a_status,
    "a failing graph ends in kg_error": _graph_failures_are_named,
    "calls stay within what the card announces": _calls_stay_in_bounds,
}
_DETAILS: Mapping[str, Callable[[Subject], str]] = {"every template has a known kind": _kinds_detail}


def check_names() -> tuple[str, ...]:
    """Names of all checks, in the order in which they run."""
    return tuple(_CHECKS)


def _outcome(name: str, check: Callable[[Subject], Iterable[str]], subject: Subject) -> CheckResult:
    try:
        faults = list(check(subject))
        detail = _DETAILS[name](subject) if name in _DETAILS else ""
    except Exception as error:  # noqa: BLE001 - a method may be anybody's code
        return CheckResult(name, passed=False, detail=_kind_of(error))
    if not faults:
        return CheckResult(name, passed=True, detail=detail)
    more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
    return CheckResult(name, passed=False, detail="; ".join(faults[:_SHOWN]) + more)


def _kind_of(error: Exception) -> str:
    return str(error) if isinstance(error, KgbenchError) else f"{type(error).__name__}: {error}"
