"""Describes a graph and its questions, whichever way the graph can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kgbench.contracts import WholeGraph
from kgbench.kg.open import open_graph
from kgbench.survey.census import take_census
from kgbench.survey.describe import GraphDescription, describe_graph
from kgbench.survey.describe_questions import QuestionsDescription, describe_questions
from kgbench.survey.describe_remote import describe_remote

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.types import QuestionRecord


class Survey(NamedTuple):
    """What a graph and its questions are like."""

    graph: GraphDescription
    questions: QuestionsDescription | None


def survey(
    location: str,
    records: Sequence[QuestionRecord] | None,
    profile: str | None = None,
    *,
    names: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> Survey:
    """Describe a graph and its questions.

    Args:
        location: where the graph is.
        records: the questions, or None.
        profile: how to read the graph; by default it is guessed.
        names: whether names may be in the description.
        progress: hears what is being done.

    Raises:
        PrerequisiteMissing: the graph is not there.
        UsageError: the location is no graph, or the profile is unknown.
        GraphError: a remote graph failed.
    """
    progress("opening the graph")
    graph = open_graph(location, profile)
    if isinstance(graph, WholeGraph):
        progress("counting")
        census = take_census(graph)
        described = describe_graph(graph, census, names=names)
        about = describe_questions(records, graph, (graph, census)) if records is not None else None
        return Survey(described, about)
    described = describe_remote(graph, progress)
    progress("looking at the questions")
    return Survey(described, describe_questions(records, graph, None) if records is not None else None)
