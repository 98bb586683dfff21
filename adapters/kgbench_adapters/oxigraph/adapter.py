"""The embedded graph: a folder of TSV files, an RDF file or a store on disk, held by oxigraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.contracts import GraphCard
from kgbench.errors import GraphError
from kgbench_adapters.environment import time_limit
from kgbench_adapters.files import ReadReport
from kgbench_adapters.oxigraph.deadline import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kgbench.contracts import Profile, WholeGraph
    from kgbench.types import Direction, Entity, Finding, Neighbours, NodeKind, NodeNames, Relation, Term, Triple
    from kgbench_adapters.oxigraph.opening import OpenedGraph


class OxigraphAdapter:
    """A graph in oxigraph. Reads may come from any number of threads.

    Made by :meth:`open`.

    Args:
        opened: the store and what is known of it.
        timeout: seconds that one read may take.
    """

    def __init__(self, opened: OpenedGraph, timeout: float) -> None:
        # pyoxigraph is loaded with the first graph, not with the list of adapters.
        from kgbench_adapters.oxigraph.names import NodeFacts
        from kgbench_adapters.oxigraph.nodes import Nodes
        from kgbench_adapters.oxigraph.reads import SCANNED_IN_MEMORY, SCANNED_ON_DISK, GraphReads
        from kgbench_adapters.oxigraph.select import Selector
        from kgbench_adapters.schema import inverse_ids, mediator_rule, mediators_in_words

        graph, known = opened.graph, opened.vocabulary
        nodes = Nodes(graph.namespaces)
        rule = mediator_rule(graph.schema, known.profile)
        self._timeout = timeout
        self._row_limit = known.profile.row_limit
        scanned = SCANNED_ON_DISK if opened.on_disk else SCANNED_IN_MEMORY
        self._reads = GraphReads(opened.store, nodes, graph.schema, known.hidden, scanned)
        self._facts = NodeFacts(opened.store, nodes, known, graph.schema, rule)
        self._selector = Selector(opened.store, nodes, graph.schema.named_graphs)
        self._card = GraphCard(
            name=graph.name,
            profile=known.profile,
            fingerprint=graph.fingerprint,
            triples=graph.triples,
            domains=graph.schema.domains,
            inverses=graph.schema.inverses,
            inverse_ids=inverse_ids(graph.schema, nodes.iris),
            relations=len(graph.schema.relation_labels),
            mediators=mediators_in_words(rule, by_form=known.mediator_ids is not None),
            notes=tuple(opened.report.all_warnings()),
        )
        self.report = opened.report
        """What was left out of the files when they were read."""

    @staticmethod
    def accepts(location: str) -> bool:
        """Tell whether a location is a folder, or named like an RDF file or a file of triples."""
        from kgbench_adapters.oxigraph.opening import readable

        return readable(location)

    @staticmethod
    def inspect(location: str, profile: Profile | str | None, found: Callable[[Finding], None]) -> None:
        """Read the files of a graph as :meth:`open` does, and tell of every fault, with its file and line.

        Args:
            location: as for :meth:`open`; a store has no files to inspect.
            profile: as for :meth:`open`.
            found: hears each finding.

        Raises:
            PrerequisiteMissing: there is no graph at the location.
            UsageError: the location is no graph, or the profile is unknown.
        """
        from kgbench_adapters.oxigraph.inspection import inspect_location

        inspect_location(location, profile, found)

    @classmethod
    def open(
        cls,
        location: str,
        profile: Profile | str | None = None,
        *,
        store: str | None = None,
        strict: bool = False,
        timeout: float | None = None,
    ) -> OxigraphAdapter:
        """Open a graph.

        Args:
            location: a folder with ``triples.tsv[.gz]``, one ``PREFIXtriples.tsv[.gz]`` with its companions beside it, an
                RDF file (``.ttl .nt .rdf .nq .trig``, or ``.gz`` of these), or an oxigraph store folder.
            profile: how to read it; by default what ``graph.toml`` says, else a guess. The card holds the one used.
            store: where to keep the graph on disk, as a store that opens at once the next time; by default files are
                held in memory. Sources that are stores already are opened as they are, read-only.
            strict: a bad line is an error, not skipped and counted in ``report``.
            timeout: seconds that one read may take; by default 30, or what ``KGBENCH_KG_TIMEOUT`` says.

        Raises:
            PrerequisiteMissing: there is no graph at the location.
            UsageError: the location is no graph, or the profile is unknown or not the one of the store.
            DataError: the files break their format.
        """
        from kgbench_adapters.oxigraph.opening import open_location

        report = ReadReport(strict=strict)
        opened = open_location(location, profile, store, report)
        return cls(opened, time_limit() if timeout is None else timeout)

    @property
    def card(self) -> GraphCard:
        """What the graph is; its profile names the mediator classes of ``graph.toml`` too."""
        return self._card

    def relations(self, entities: Sequence[Entity], direction: Direction) -> dict[Entity, tuple[Relation, ...]]:
        """Distinct relations of each entity, sorted by label; names, types and the schema are none."""
        deadline = Deadline(self._timeout)
        return {entity: self._reads.relations(entity, direction, deadline) for entity in entities}

    def neighbours(
        self, entities: Sequence[Entity], relation: Relation, direction: Direction, limit: int | None = None
    ) -> Neighbours:
        """Terms that each entity reaches along a relation.

        Args:
            entities: where to start; all share the limit.
            relation: as :meth:`relations` gave it.
            direction: OUT where the entities are subjects.
            limit: most pairs, at least 1; the profile's row limit is never passed.
        """
        rows = self._row_limit if limit is None else min(limit, self._row_limit)
        if rows < 1:
            raise GraphError("the row limit of a read must be at least 1")
        return self._reads.neighbours(entities, relation, direction, rows, Deadline(self._timeout))

    def names(self, entities: Sequence[Entity]) -> dict[Entity, NodeNames]:
        """Names and aliases of entities: LOCAL."""
        return {entity: self._facts.names(entity) for entity in entities}

    def facts(self) -> Iterator[Triple]:
        """Every fact, in no particular order: for descriptions of the whole graph. Neither bounded nor timed."""
        return self._reads.facts()

    def all_names(self) -> Iterator[tuple[Entity, NodeNames]]:
        """Every entity that has a name or alias, by id, with its names: LOCAL, for the linker's and the scanner's index."""
        return ((entity, self._facts.names(entity)) for entity in self._facts.named_entities())

    def types(self, entities: Sequence[Entity]) -> dict[Entity, NodeKind]:
        """Classes of entities, and whether they are mediators."""
        return {entity: self._facts.kind(entity) for entity in entities}

    def select(self, sparql: str) -> tuple[tuple[Term | None, ...], ...]:
        """Rows of a SELECT query, at most the profile's row limit; None where a variable is unbound.

        Raises:
            GraphError: no SELECT query, one that would leave the graph, a syntax error, or the time is up.
        """
        return self._selector.rows(sparql, self._row_limit, Deadline(self._timeout))


def _conforms(adapter: OxigraphAdapter) -> WholeGraph:
    """Holds the type checker to the contract; never called."""
    return adapter
