"""Checks a graph and its questions: files first, then what they hold together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.contracts import WholeGraph
from kgbench.errors import DataError
from kgbench.kg.open import inspect_graph, open_graph
from kgbench.survey.census import take_census
from kgbench.survey.findings import Findings
from kgbench.survey.graph_checks import check_graph
from kgbench.survey.known import entities_of, look_up
from kgbench.survey.question_checks import check_against, check_alone, read_questions
from kgbench.survey.values import GoldNodes
from kgbench.types import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.contracts import KnowledgeGraph
    from kgbench.survey.question_checks import ReadQuestions
    from kgbench.types import JsonObject


@dataclass(frozen=True)
class Checked:
    """What a check looked at and found."""

    findings: Findings
    facts: int | None
    """Facts of the graph; None where it could not be opened, or its size is not known."""
    questions: int
    """Questions that could be read."""

    @property
    def errors(self) -> int:
        """How many errors were found."""
        return self.findings.count(Severity.ERROR)

    @property
    def warnings(self) -> int:
        """How many warnings were found."""
        return self.findings.count(Severity.WARNING)

    def to_json(self) -> JsonObject:
        """For machines."""
        return {
            "facts": self.facts,
            "questions": self.questions,
            "errors": self.errors,
            "warnings": self.warnings,
            "hints": self.findings.count(Severity.HINT),
            "findings": [entry.to_json() for entry in self.findings.entries()],
            "left_out": self.findings.left_out,
        }


def check_data(
    graph: str, questions: Path | None, profile: str | None = None, progress: Callable[[str], None] = lambda _: None
) -> Checked:
    """Check a graph and, where they are given, its questions. Goes on after every fault.

    Args:
        graph: where the graph is.
        questions: a JSONL file.
        profile: how to read the graph; by default it is guessed.
        progress: hears what is being done.

    Raises:
        PrerequisiteMissing: the graph or the file of questions is not there.
        UsageError: the location is no graph, or the profile is unknown.
        GraphError: a remote graph failed.
    """
    findings = Findings()
    read: ReadQuestions | None = None
    if questions is not None:
        read = read_questions(questions, findings)
        check_alone(read, findings)
    progress("reading the graph's files")
    before = findings.count(Severity.ERROR)
    inspected = inspect_graph(graph, profile, findings)
    try:
        opened = open_graph(graph, profile)
    except DataError as error:
        if findings.count(Severity.ERROR) == before:  # else its files were found at fault already
            findings(Finding(Severity.ERROR, "unreadable", str(error)))
        return Checked(findings, None, len(read.records) if read else 0)
    for note in () if inspected else opened.card.notes:
        findings(Finding(Severity.WARNING, "left_out", note))  # all that its adapter tells of its files
    progress("looking at the graph")
    gold_nodes = _check_graph(opened, findings)
    if read is not None:
        progress("looking at the questions")
        check_against(read, look_up(opened, entities_of(read.records)), gold_nodes, findings)
    return Checked(findings, opened.card.triples, len(read.records) if read else 0)


def _check_graph(opened: KnowledgeGraph, findings: Findings) -> GoldNodes | None:
    if not isinstance(opened, WholeGraph):
        text = "the graph cannot be read whole, as on a server: only what the questions name was looked at"
        findings(Finding(Severity.HINT, "not_read_whole", text))
        return None
    census = take_census(opened)
    check_graph(opened, census, findings)
    return GoldNodes(opened, census)
