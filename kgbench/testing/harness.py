"""Runs a method through the real runner, in a folder that is thrown away, and hands back what it left behind."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgbench.config import method_parameters
from kgbench.data.records import Dataset, LoadReport
from kgbench.embed import EmbeddingService, open_service
from kgbench.llm.retry import RetryPolicy
from kgbench.run.plan import Given, load_method, make_plan
from kgbench.run.runner import start
from kgbench.run.store import CALLS, LOCAL_CALLS, RunFolder
from kgbench.seam.pseudonyms import MasterKey, Pseudonyms
from kgbench.spec import RunSpec
from kgbench.testing.toy import toy_graph, toy_records
from kgbench.types import Entity, Literal, Phase, Scenario

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench.contracts import ChatModel, KnowledgeGraph, Method
    from kgbench.run.results import Summary
    from kgbench.types import JsonObject, QuestionRecord, Term

TEST_KEY = MasterKey(bytes(range(32)))
OTHER_KEY = MasterKey(bytes(range(32, 64)))
_NO_RETRIES = RetryPolicy(retries=0)


@dataclass(frozen=True)
class RunArtifacts:
    """What a run left behind."""

    records: tuple[JsonObject, ...]
    """Records by question id and trial."""
    calls: tuple[JsonObject, ...]
    """Calls of the REMOTE zone by question id, trial and number: what left."""
    local_calls: tuple[JsonObject, ...]
    summary: Summary
    manifest: JsonObject = field(repr=False)

    def record(self, question_id: str, trial: int = 0) -> JsonObject:
        """The record of one question."""
        return next(r for r in self.records if (r["question_id"], r["trial"]) == (question_id, trial))

    def calls_of(self, question_id: str, trial: int = 0) -> tuple[JsonObject, ...]:
        """The calls of one question, in order."""
        return tuple(c for c in self.calls if (c["question_id"], c["trial"]) == (question_id, trial))

    def stages(self, question_id: str) -> tuple[str, ...]:
        """The stages of one question's calls, in order."""
        return tuple(call["stage"] for call in self.calls_of(question_id))

    def texts(self, phase: Phase | None = None) -> tuple[str, ...]:
        """The whole text of every call that left, of one phase or of all."""
        return tuple(wire_text(call) for call in self.calls if phase is None or call["phase"] == phase)

    def texts_by_phase(self) -> dict[Phase, tuple[str, ...]]:
        """The whole text of every call that left, by phase."""
        return {phase: self.texts(phase) for phase in Phase}

    def handles(self, question_id: str, key: MasterKey = TEST_KEY) -> dict[str, Term]:
        """The handles of one question, derived again from the key and the terms in its record."""
        record = self.record(question_id)
        spec = self.manifest["spec"]
        derived = key.session(
            method=spec["method"],
            seed=spec["seed"],
            trial=record["trial"],
            question_id=question_id,
            text=self._question_texts[question_id],
        )
        pseudonyms = Pseudonyms(derived, source_ids=spec["pseudonyms"] == "source-id")
        return {pseudonyms.handle(term): term for term in map(read_term, record["issued"])}

    _question_texts: Mapping[str, str] = field(default_factory=dict, repr=False)


def wire_text(call: JsonObject) -> str:
    """All messages of a call as one text; empty for one that was stopped before it left."""
    return "\n".join(message["content"] for message in call.get("messages", ()))


def read_term(parts: Sequence[str]) -> Term:
    """Read back a term of a record's ``issued``."""
    kind, *rest = parts
    return Entity(*rest) if kind == "E" else Literal(*rest)


def run_once(  # noqa: PLR0913 - any part of a run can be replaced, each by its name
    method: str | type | Method,
    *,
    graph: KnowledgeGraph | None = None,
    records: Sequence[QuestionRecord] | None = None,
    model: ChatModel | None = None,
    parameters: Mapping[str, Any] | None = None,
    scenario: Scenario | str = Scenario.PRIVATE,
    key: MasterKey = TEST_KEY,
    local_model: ChatModel | None = None,
    **settings: Any,
) -> RunArtifacts:
    """Run a method once, through planner, gateway and store.

    Args:
        method: a registry name, a method class or a method.
        graph: default: the toy graph.
        records: questions; default: those of the toy world.
        model: default: ``builtin/reader``. Nothing is sent twice, whatever fails.
        parameters: of the method, where it is given by name or class.
        scenario: which phases show names.
        key: pseudonym key; a fixed one, so that two runs send the same bytes.
        local_model: model of the trusted zone.
        **settings: fields of :class:`kgbench.spec.RunSpec`, such as ``seed`` or ``jobs``.

    Raises:
        KgbenchError: what :func:`kgbench.run.runner.start` raises.
    """
    with tempfile.TemporaryDirectory(prefix="kgbench-") as folder:
        built = build_method(method, parameters or {})
        spec = RunSpec(
            **{"method": built.card.name, "jobs": 1, "cache": "off", "out": folder, **settings},
            scenario=Scenario(scenario),
            parameters=dict(parameters or {}),
        )
        given = Given(
            model=model,
            local_model=local_model,
            graph=graph if graph is not None else toy_graph(),
            dataset=dataset_of(toy_records() if records is None else records),
            method=built,
            embeddings=_embeddings(spec.embedder),
            key=key,
            retries=_NO_RETRIES,
        )
        summary = start(make_plan(spec, given))
        return read_run(Path(summary.path), summary)


def read_run(folder: Path, summary: Summary) -> RunArtifacts:
    """Read what a run left behind into memory."""
    run = RunFolder.open(folder)
    return RunArtifacts(
        records=tuple(record for _, record in sorted(run.records().items())),
        calls=_calls(run, CALLS),
        local_calls=_calls(run, LOCAL_CALLS),
        summary=summary,
        manifest=run.manifest(),
        _question_texts={line["question_id"]: line["question"] for line in run.lines("gold.jsonl")},
    )


def dataset_of(records: Sequence[QuestionRecord], name: str = "toy") -> Dataset:
    """Make a data set of question records."""
    report = LoadReport(file=name, sha256="0" * 64, records=len(records), kept=len(records))
    return Dataset(name, tuple(records), report)


def build_method(method: str | type | Method, parameters: Mapping[str, Any]) -> Method:
    """Build a method from its registry name or class; a method is returned as it is.

    Raises:
        UsageError: no such method, or parameters that it does not take.
    """
    if isinstance(method, str):
        return load_method(method, dict(parameters))
    if not isinstance(method, type):
        return method
    card = method.card  # type: ignore[attr-defined]
    built: Method = method(method_parameters(card.parameters, parameters, card.name))
    return built


@cache
def _embeddings(name: str) -> EmbeddingService:
    """One service a process: no vector depends on what else was encoded."""
    return open_service(name)


def _calls(run: RunFolder, name: str) -> tuple[JsonObject, ...]:
    calls = list(run.lines(name))
    return tuple(sorted(calls, key=lambda call: (call["question_id"], call["trial"], call["call"])))
