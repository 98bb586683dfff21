"""What a remote graph can tell of the server behind it: an optional member, for people who want to know its limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from kgbench.contracts import KnowledgeGraph, QuestionGraphs


class ServerCard(Protocol):
    """The ``server`` of a graph that is read over the network. An adapter need not have it."""

    @property
    def address(self) -> str:
        """Where it is, without user, password and parameters."""

    @property
    def make(self) -> str:
        """By its own account, such as ``Virtuoso/07.20.3229``; empty where it says nothing."""

    @property
    def product(self) -> str:
        """The kind of server; empty where it is not known."""

    @property
    def incomplete(self) -> str:
        """How an answer that it cannot finish is known, in words."""

    @property
    def row_cap(self) -> int | None:
        """Most rows that it gives at once, where it was seen to give fewer than were asked for."""

    @property
    def timeout(self) -> float:
        """Seconds that it may work on one query."""


def server_of(graph: KnowledgeGraph | QuestionGraphs) -> ServerCard | None:
    """Return what a graph tells of its server; None for one in this process, and for an adapter that does not tell."""
    card: ServerCard | None = getattr(graph, "server", None)
    return card
