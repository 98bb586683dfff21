"""Opens a graph by its location, with whatever adapter reads it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kgbench import registry
from kgbench.errors import PrerequisiteMissing, UsageError

if TYPE_CHECKING:
    from kgbench.contracts import KnowledgeGraph, Profile

_GROUP = "adapters"
_FORMS = (
    "a folder with triples.tsv (or .tsv.gz), an RDF file (.ttl .nt .rdf .nq .trig, or .gz of these), an oxigraph store "
    "folder, the address of a SPARQL endpoint, or what an installed adapter reads"
)


class GraphAdapter(Protocol):
    """What an entry point of ``kgbench.adapters`` names."""

    def accepts(self, location: str) -> bool:
        """Tell whether this adapter reads such a location; nothing is opened."""

    def open(self, location: str, profile: Profile | str | None = None, **options: Any) -> KnowledgeGraph:
        """Open the graph; options are the adapter's own."""


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
            return adapter.open(location, profile, **options)
    raise _no_adapter(location, broken)


def _no_adapter(location: str, broken: list[str]) -> UsageError | PrerequisiteMissing:
    left_out = f" Not asked: {'; '.join(broken)}" if broken else ""
    if "://" not in location and not Path(location).expanduser().exists():
        return PrerequisiteMissing(f'there is no graph at "{location}"; give {_FORMS}.{left_out}')
    asked = ", ".join(registry.names(_GROUP)) or "none is installed"
    return UsageError(f'no adapter reads "{location}" (adapters: {asked}); give {_FORMS}.{left_out}')
