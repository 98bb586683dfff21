"""Who saw what: the exposure of a run, from the recorded calls of its REMOTE zone alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Any

from kgbench.run.store import CALLS, LOCAL_CALLS, RunFolder
from kgbench.seam.render import Origin
from kgbench.types import Phase, Scenario

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from kgbench.types import JsonObject

ORIGIN_TEXT: Mapping[str, str] = {
    Origin.QUESTION: "question words",
    Origin.MENTION: "topic mentions",
    Origin.TOPIC_LABEL: "topic labels the question does not say",
    Origin.HANDLE: "handles",
    Origin.SOURCE_ID: "source ids",
    Origin.NAME: "names",
    Origin.LITERAL: "literals in clear",
    Origin.LOCAL_TEXT: "texts derived from the graph",
    Origin.RELATION: "relation labels",
    Origin.CLASS: "class labels",
    Origin.CONCEPT: "concepts",
    Origin.ECHO: "echoes of replies",
    Origin.NUMBER: "numbers",
    Origin.WORD: "words of the template",
}
"""Origin of a span -> what people call it, in the order shown."""
DISCLOSING = (Origin.NAME, Origin.LITERAL, Origin.LOCAL_TEXT, Origin.SOURCE_ID)
"""Origins that disclose what the graph holds."""
FINDINGS: Mapping[str, str] = {
    "blocked": "requests stopped",
    "leaks": "leaks",
    "echo": "echoes",
    "ambiguous": "ambiguous words",
    "topic_label": "topic labels",
    "literals": "literals in clear",
    "source_ids": "source ids",
}
"""What a question can be listed for, in protected phases: key -> what people call it."""
_PHASES = tuple(Phase)


@dataclass(frozen=True)
class Exposed:
    """What one phase showed of one origin."""

    phase: str
    names_shown: bool
    """True where the scenario shows names in this phase."""
    origin: str
    prompts: int
    """Prompts with at least one such span."""
    spans: int
    distinct: int
    """Distinct texts of these spans, over the whole run."""


@dataclass(frozen=True)
class PerQuestion:
    """How much of something a question showed; over questions and trials that sent a prompt."""

    mean: float
    largest: int


@dataclass(frozen=True)
class Exposure:
    """What a run showed to its model."""

    run_id: str
    method: str
    scenario: str
    pseudonyms: str
    literals: str
    topic_names: str
    model: str
    base_url: str | None
    language_model: bool
    prompts: int
    """Prompts that left, replies from the cache included: the model has seen them, then or now."""
    prompts_by_phase: Mapping[str, int]
    protected: int
    """Prompts of these in phases that hide names."""
    from_cache: int
    failed: int
    """Prompts of these that ended without a reply; they may have been seen."""
    questions: int
    """Questions and trials that sent a prompt."""
    blocked: int
    """Requests that the audit stopped before they left."""
    leaks: int
    """Protected strings in stopped requests."""
    disclosed: int
    """Spans that show names, texts, literals or ids of the graph in a protected phase, in prompts that left."""
    escaped: int
    """Protected strings that the scanner found in prompts that left; 0 unless the gate failed."""
    echoes: int
    ambiguous: int
    topic_labels: int
    handles_per_question: PerQuestion
    relation_labels_per_question: PerQuestion
    exposed: tuple[Exposed, ...]
    findings: Mapping[str, Mapping[str, int]]
    """Question id -> finding -> count, for questions with one."""
    identifiers_public: bool
    trusted_zone: bool
    """True where a model of the trusted zone was asked; its calls hold names and were not read."""

    def to_json(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {**asdict(self), "verdict": verdict(self)}


@dataclass
class _Tally:
    """What is counted while calls are read."""

    prompts: Counter[str] = field(default_factory=Counter)
    origin_prompts: Counter[tuple[str, bool, str]] = field(default_factory=Counter)
    origin_spans: Counter[tuple[str, bool, str]] = field(default_factory=Counter)
    texts: dict[tuple[str, bool, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    handles: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    labels: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    asked: dict[tuple[str, int], None] = field(default_factory=dict)
    findings: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    protected: int = 0
    from_cache: int = 0
    failed: int = 0
    disclosed: int = 0
    escaped: int = 0

    def read(self, call: JsonObject) -> None:
        """Count one call."""
        self._find(call)
        if "messages" not in call:
            return
        session = (str(call["question_id"]), int(call["trial"]))
        self.asked[session] = None
        self.prompts[call["phase"]] += 1
        self.from_cache += call.get("cache") == "hit"
        self.failed += call.get("error") is not None
        if not call["exposed"]:
            self.protected += 1
            self.escaped += int(call["audit"].get("leaks", 0))
        self._spans(call, session)

    def _spans(self, call: JsonObject, session: tuple[str, int]) -> None:
        turn = call["messages"][-1]["content"]
        seen: set[tuple[str, bool, str]] = set()
        for start, end, origin in call["spans"]:
            key = (str(call["phase"]), bool(call["exposed"]), str(origin))
            text = turn[start:end]
            seen.add(key)
            self.origin_spans[key] += 1
            self.texts[key].add(text)
            if origin in (Origin.HANDLE, Origin.SOURCE_ID):
                self.handles[session].add(text)
            elif origin == Origin.RELATION:
                self.labels[session].add(text)
            self.disclosed += not call["exposed"] and origin in DISCLOSING
        self.origin_prompts.update(seen)

    def _find(self, call: JsonObject) -> None:
        if call.get("exposed"):  # a phase that shows names by its scenario; a stopped request has no such mark
            return
        counts = {key: int(call["audit"].get(key, 0)) for key in FINDINGS if key != "blocked"}
        counts["blocked"] = int("messages" not in call)
        found = {key: count for key, count in counts.items() if count}
        if found:
            self.findings[str(call["question_id"])].update(found)

    def total(self, finding: str) -> int:
        """Sum of one finding over all questions."""
        return sum(counts[finding] for counts in self.findings.values())

    def per_question(self, found: Mapping[tuple[str, int], set[str]]) -> PerQuestion:
        """Mean and largest number of distinct texts over the questions asked."""
        sizes = [len(found.get(session, ())) for session in self.asked]
        return PerQuestion(round(fmean(sizes), 2), max(sizes)) if sizes else PerQuestion(0.0, 0)

    def exposed(self) -> tuple[Exposed, ...]:
        """One entry a phase and origin, in their order."""
        phases, origins = [str(phase) for phase in _PHASES], [str(origin) for origin in ORIGIN_TEXT]
        ordered = sorted(self.origin_spans, key=lambda key: (phases.index(key[0]), key[1], origins.index(key[2])))
        return tuple(
            Exposed(*key, self.origin_prompts[key], self.origin_spans[key], len(self.texts[key])) for key in ordered
        )


def exposure(path: Path) -> Exposure:
    """Read what a run showed to its model; no model, graph, key or name is needed.

    Args:
        path: the run's folder.

    Raises:
        UsageError: it is none.
        DataError: its calls are damaged.
    """
    folder = RunFolder.open(path)
    tally = _tally(folder.lines(CALLS))
    return _exposure(folder, tally)


def _tally(calls: Iterable[JsonObject]) -> _Tally:
    tally = _Tally()
    for call in calls:
        tally.read(call)
    return tally


def _exposure(folder: RunFolder, tally: _Tally) -> Exposure:
    manifest = folder.manifest()
    spec, model = manifest["spec"], manifest["model"]
    return Exposure(
        run_id=folder.run_id,
        method=spec["method"],
        scenario=spec["scenario"],
        pseudonyms=spec["pseudonyms"],
        literals=spec["literals"],
        topic_names=spec["topic_names"],
        model=model["name"],
        base_url=model["base_url"],
        language_model=model["language_model"],
        prompts=tally.prompts.total(),
        prompts_by_phase={str(phase): tally.prompts[phase] for phase in _PHASES if tally.prompts[phase]},
        protected=tally.protected,
        from_cache=tally.from_cache,
        failed=tally.failed,
        questions=len(tally.asked),
        blocked=tally.total("blocked"),
        leaks=tally.total("leaks"),
        disclosed=tally.disclosed,
        escaped=tally.escaped,
        echoes=tally.total("echo"),
        ambiguous=tally.total("ambiguous"),
        topic_labels=tally.total("topic_label"),
        handles_per_question=tally.per_question(tally.handles),
        relation_labels_per_question=tally.per_question(tally.labels),
        exposed=tally.exposed(),
        findings={question: dict(sorted(counts.items())) for question, counts in sorted(tally.findings.items())},
        identifiers_public=bool(manifest.get("identifiers_public")),
        trusted_zone=(folder.path / LOCAL_CALLS).exists(),
    )


# --- what to say of it -------------------------------------------------------------------------------------------------


def clean(found: Exposure) -> bool:
    """True where nothing of the graph reached the model in a protected phase, by both channels of the audit."""
    return found.disclosed == 0 and found.escaped == 0


def verdict(found: Exposure) -> str:
    """Say in a few sentences what the counts allow to say, and no more."""
    if not found.prompts:
        return _stopped(found) or "No prompt left: the model saw nothing."
    parts = [_protected(found), _stopped(found), _exceptions(found)]
    if found.scenario != Scenario.PRIVATE:
        parts.append(
            f"The scenario {found.scenario} is a study of utility, not of protection: one provider sees both phases."
        )
    return " ".join(part for part in parts if part)


def _protected(found: Exposure) -> str:
    if not found.protected:
        return "Every prompt stood in a phase that shows names: nothing was protected."
    if clean(found):
        return "No name, alias, literal or source id of the graph reached the model in a protected phase."
    shown = Counter[str]()
    for one in found.exposed:
        if not one.names_shown and one.origin in DISCLOSING:
            shown[ORIGIN_TEXT[one.origin]] += one.spans
    told = [f"{count} {what}" for what, count in shown.items()]
    if found.escaped:
        told.append(f"{found.escaped} protected strings that the scanner found")
    return f"In protected phases the model saw {', '.join(told)}."


def _stopped(found: Exposure) -> str:
    if not found.blocked:
        return ""
    return f"{found.blocked} request(s) with {found.leaks} protected string(s) were stopped before they left."


def _exceptions(found: Exposure) -> str:
    """What stands apart from leaks: said by question, model or schema, not by the graph."""
    told = []
    if found.topic_labels:
        told.append(f"{found.topic_labels} time(s) a topic's label that the question does not say")
    if found.echoes:
        told.append(f"{found.echoes} time(s) a name that the model itself had said before (echoes)")
    if found.ambiguous:
        told.append(f"{found.ambiguous} time(s) a name that is also a word of the schema or a common word (ambiguous)")
    return f"Counted apart: {'; '.join(told)}." if told else ""
