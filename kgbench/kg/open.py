"""Opens a graph by its location, with whatever adapter reads it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from kgbench import registry
from kgbench.contracts import QuestionGraphs
from kgbench.errors import PrerequisiteMissing, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.contracts import KnowledgeGraph, Profile
    from kgbench.types import Finding

_GROUP = "adapters"
_FORMS = (
    "a folder with triples.tsv (or .tsv.gz), an RDF file (.ttl .nt .rdf .nq .trig, or .gz of these), an oxigraph store "
    "folder, the address of a SPARQL endpoint, or what an installed adapter reads"
)


class GraphAdapter(Protocol):
    """What an entry point of ``kgbench.adapters`` names."""

    def accepts(self, location: str) -> bool:
        """Tell whether this adapter reads such a location; nothing is opened."""

    def open(
        self, location: str, profile: Profile | str | None = None, **options: Any
    ) -> KnowledgeGraph | QuestionGraphs:
        """Open the graph, or the graphs of which each question has its own; options are the adapter's own."""


@runtime_checkable
class InspectingAdapter(Protocol):
    """An adapter that can also tell what is wrong with the files of a graph; ``kgbench data check`` asks it."""

    def inspect(self, location: str, profile: Profile | str | None, found: Callable[[Finding], None]) -> None:
        """Read the files as ``open`` would, and tell of every fault with its file and line; go on after each.

        Findings hold no name, alias, literal or id.
        """


def open_graphs(location: str, profile: Profile | str | None = None, **options: Any) -> KnowledgeGraph | QuestionGraphs:
    """Open what a location names: a graph, or graphs of which each question has its own.

    Args and errors are those of :func:`open_graph`.
    """
    return find_adapter(location).open(location, profile, **options)


def open_graph(location: str, profile: Profile | str | None = None, **options: Any) -> KnowledgeGraph:
    """Open a graph with the first adapter, by name, that accepts its location.

    Args:
        location: a path or an address.
        profile: how to read the graph; by default the adapter guesses, and the card of the graph holds what it took.
        **options: passed on to the adapter.

    Returns:
        The open graph; wrap it in a :class:`kgbench.kg.gate.GraphGate` before a method reads it.

    Raises:
        PrerequisiteMissing: there is no such file or folder.
        UsageError: no adapter reads the location, or it holds a graph for each question.
    """
    opened = open_graphs(location, profile, **options)
    if isinstance(opened, QuestionGraphs):
        raise UsageError(f'"{location}" holds a graph for each question, and here one graph is needed')
    return opened


def inspect_graph(location: str, profile: Profile | str | None, found: Callable[[Finding], None]) -> bool:
    """Have the files of a graph inspected by the adapter that would open it.

    Args:
        location: a path or an address.
        profile: as for :func:`open_graph`.
        found: hears each finding.

    Returns:
        False where the adapter has no files to inspect, or cannot.

    Raises:
        PrerequisiteMissing: there is no such file or folder.
        UsageError: no adapter reads the location.
    """
    adapter = find_adapter(location)
    if not isinstance(adapter, InspectingAdapter):
        return False
    adapter.inspect(location, profile, found)
    return True


def find_adapter(location: str) -> GraphAdapter:
    """Return the first adapter, by name, that accepts a location.

    Raises:
        PrerequisiteMissing: there is no such file or folder.
        UsageError: no adapter reads the location.
    """
    broken: list[str] = []
    for name in registry.names(_GROUP):
        try:
            adapter: GraphAdapter = registry.load(_GROUP, name)
        except registry.BrokenPlugin as error:
            broken.append(str(error))
            continue
        if adapter.accepts(location):
            return adapter
    raise _no_adapter(location, broken)


def _no_adapter(location: str, broken: list[str]) -> UsageError | PrerequisiteMissing:
    left_out = f" Not asked: {'; '.join(broken)}" if broken else ""
    if "://" not in location and not Path(location).expanduser().exists():
        return PrerequisiteMissing(f'there is no graph at "{location}"; give {_FORMS}.{left_out}')
    asked = ", ".join(registry.names(_GROUP)) or "none is installed"
    return UsageError(f'no adapter reads "{_shown(location)}" (adapters: {asked}); give {_FORMS}.{left_out}')


def _shown(location: str) -> str:
    """A location without what nobody else should see: an address may hold a password, and a key among its parameters."""
    scheme, mark, rest = location.partition("://")
    if not mark:
        return location
    return scheme + mark + re.split(r"[?#]", rest, maxsplit=1)[0].rpartition("@")[2]
