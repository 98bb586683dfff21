"""The subgraphs of RoG's releases of WebQSP and CWQ: each question has a graph of its own, a row of a parquet file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.contracts import GraphCard
from kgbench.errors import GraphError, UsageError
from kgbench_adapters.environment import time_limit

if TYPE_CHECKING:
    from kgbench.contracts import KnowledgeGraph, Profile, QuestionGraphs
    from kgbench_adapters.rog.rows import GraphRows

SCHEME = "rog:"
PROFILE = "rog"
_NO_NODES = "the graph of this question is empty"


class RogAdapter:
    """Subgraphs of RoG's releases, a graph for each question: rog:PATTERN names its parquet files.

    A graph is built when its question is asked and ends with it; the rows stay on the disk, mapped into memory. Nodes
    are names; those that look like a MID have no name and are mediators. An empty graph is a graph.

    Made by :meth:`open`.

    Args:
        rows: the graphs by question.
        timeout: seconds that one read may take.
    """

    def __init__(self, rows: GraphRows, timeout: float) -> None:
        from kgbench_adapters.named.graph import NamedGraphForm
        from kgbench_adapters.rog.vocabulary import VOCABULARY

        self._rows = rows
        self._form = NamedGraphForm(PROFILE, VOCABULARY, timeout)
        self._card = GraphCard(
            name=PROFILE,
            profile=VOCABULARY.profile,
            fingerprint=rows.fingerprint,
            mediators="nodes that go by an id of Freebase for want of a name",
        )

    @staticmethod
    def accepts(location: str) -> bool:
        """Tell whether a location begins with ``rog:``."""
        return location.startswith(SCHEME)

    @classmethod
    def open(cls, location: str, profile: Profile | str | None = None, *, timeout: float | None = None) -> RogAdapter:
        """Open the graphs of some parquet files; none is built yet.

        Args:
            location: ``rog:`` and a file, or a folder with a pattern: ``rog:FOLDER/test-*.parquet``.
            profile: these graphs are read in one way; any other than ``rog`` is refused.
            timeout: seconds that one read may take; by default 30, or what ``KGBENCH_KG_TIMEOUT`` says.

        Raises:
            MissingExtra: the package ``datasets`` is not installed.
            PrerequisiteMissing: there is no such file.
            UsageError: another profile.
            DataError: a file is no parquet file, or lacks the columns ``id`` and ``graph``.
        """
        from kgbench_adapters.rog.rows import open_rows

        if profile is not None and profile != PROFILE:
            raise UsageError("the graphs of a rog data set are read in one way: leave out --kg-profile")
        seconds = time_limit() if timeout is None else timeout
        return cls(open_rows(location.removeprefix(SCHEME)), seconds)

    @property
    def card(self) -> GraphCard:
        """What holds for all the graphs."""
        return self._card

    def graph_for(self, question_id: str) -> KnowledgeGraph:
        """Build the graph of one question.

        Raises:
            GraphError: the files hold no graph for it, or one of another form.
        """
        from kgbench_adapters.files import ReadReport
        from kgbench_adapters.named.graph import build

        triples = self._rows.triples(question_id)
        if triples is None:
            raise GraphError("there is no graph for this question: questions and graphs are not of one release")
        report = ReadReport(warnings=[] if triples else [_NO_NODES])
        return build(triples, self._form, self._rows.fingerprint, report)


def _conforms(adapter: RogAdapter) -> QuestionGraphs:
    """Holds the type checker to the contract; never called."""
    return adapter
