"""The remote graph: whatever stands behind a SPARQL 1.1 endpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from kgbench.contracts import GraphCard
from kgbench.errors import GraphError, GraphPartial
from kgbench_adapters.schema import inverse_ids, mediators_in_words
from kgbench_adapters.sparql.makes import product_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from kgbench.contracts import KnowledgeGraph, Profile
    from kgbench.types import Direction, Entity, Neighbours, NodeKind, NodeNames, Relation, Term
    from kgbench_adapters.sparql.endpoint import Traffic
    from kgbench_adapters.sparql.opening import OpenedServer
    from kgbench_adapters.sparql.options import ServerOptions

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ServerCard:
    """What is known of a server; a remote graph's ``server``, which ``kgbench doctor`` shows."""

    address: str
    """Without user, password and parameters."""
    make: str
    """By its own account, such as ``Virtuoso/07.20.3229``; empty where it says nothing."""
    product: str
    """The kind of server, such as ``Virtuoso``; empty where it is not known."""
    incomplete: str
    """How an answer that it cannot finish is known."""
    row_cap: int | None
    """Most rows that it gives at once, where it gives fewer than were asked for."""
    timeout: float
    """Seconds that it may work on one query."""


class SparqlAdapter:
    """A graph behind a SPARQL endpoint. Reads may come from any number of threads.

    Made by :meth:`open`. Reads raise :class:`~kgbench.errors.GraphPartial` where the server's answer is
    incomplete, with the rows that came, and :class:`~kgbench.errors.GraphError` where none did.

    Args:
        opened: the endpoint and what is known of its graph.
        timeout: seconds that the server may work on one query.
    """

    def __init__(self, opened: OpenedServer, timeout: float) -> None:
        from kgbench_adapters.sparql.facts import ServerFacts
        from kgbench_adapters.sparql.reads import ServerReads
        from kgbench_adapters.sparql.select import ServerSelect

        known, nodes, reader = opened.vocabulary, opened.nodes, opened.reader
        self._opened = opened
        self._timeout = timeout
        self._reads = ServerReads(reader, nodes, opened.naming, known.hidden)
        self._facts = ServerFacts(reader, opened.texts, nodes, opened.naming, known, opened.rule)
        self._select = ServerSelect(reader, nodes)
        self._card = GraphCard(
            name=opened.name,
            profile=known.profile,
            fingerprint=opened.fingerprint,
            triples=opened.triples,
            domains=opened.schema.domains,
            inverses=opened.schema.inverses,
            inverse_ids=inverse_ids(opened.schema, nodes.iris),
            relations=len(opened.schema.relation_labels),
            mediators=mediators_in_words(opened.rule, by_form=known.mediator_ids is not None),
        )

    @staticmethod
    def accepts(location: str) -> bool:
        """Tell whether a location is a web address."""
        return location.startswith(("http://", "https://"))

    @classmethod
    def open(
        cls, location: str, profile: Profile | str | None = None, **options: Unpack[ServerOptions]
    ) -> SparqlAdapter:
        """Open a graph.

        Args:
            location: the endpoint's address; ``user:password@`` and ``?default-graph-uri=IRI`` may stand in it.
            profile: how to read the graph; by default what ``graph.toml`` says, else a guess by host and ids.
            **options: see :class:`~kgbench_adapters.sparql.options.ServerOptions`.

        Raises:
            MissingExtra: SPARQLWrapper is not installed.
            PrerequisiteMissing: there is no SPARQL endpoint at the address.
            UsageError: no such address or profile, or a wrong option.
            GraphError: the server failed, or cannot tell its graph's schema in time.
        """
        from kgbench_adapters.sparql.address import Address
        from kgbench_adapters.sparql.opening import open_server
        from kgbench_adapters.sparql.options import wire_of

        wire = wire_of(options)
        opened = open_server(Address.parse(location, options.get("graph")), profile, wire, options.get("schema"))
        return cls(opened, wire.settings.timeout)

    @property
    def card(self) -> GraphCard:
        """What the graph is. Its fingerprint stands for address, profile and schema: the content itself is not read."""
        return self._card

    @property
    def server(self) -> ServerCard:
        """What is known of the server."""
        endpoint, cap = self._opened.endpoint, self._opened.reader.cap
        product = product_of(endpoint.make, endpoint.address.host)
        return ServerCard(endpoint.address.shown, endpoint.make, product.name, product.incomplete, cap, self._timeout)

    @property
    def traffic(self) -> Traffic:
        """What went over the wire so far."""
        return self._opened.endpoint.traffic

    def relations(self, entities: Sequence[Entity], direction: Direction) -> dict[Entity, tuple[Relation, ...]]:
        """Distinct relations of each entity, sorted by label; names, types and the schema are none."""
        return _whole(*self._reads.relations(entities, direction))

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
        rows = self._card.profile.row_limit if limit is None else min(limit, self._card.profile.row_limit)
        if rows < 1:
            raise GraphError("the row limit of a read must be at least 1")
        return _whole(*self._reads.neighbours(entities, relation, direction, rows))

    def names(self, entities: Sequence[Entity]) -> dict[Entity, NodeNames]:
        """Names and aliases of entities: LOCAL."""
        return _whole(*self._facts.names(entities))

    def types(self, entities: Sequence[Entity]) -> dict[Entity, NodeKind]:
        """Classes of entities, and whether they are mediators."""
        return _whole(*self._facts.kinds(entities))

    def select(self, sparql: str) -> tuple[tuple[Term | None, ...], ...]:
        """Rows of a SELECT query, at most the profile's row limit; None where a variable is unbound.

        Raises:
            GraphError: no SELECT query of SPARQL 1.1, one that would leave the graph, or the server's failure.
        """
        return _whole(*self._select.rows(sparql, self._card.profile.row_limit))

    def close(self) -> None:
        """Close the cache; reads go on without it."""
        self._opened.reader.close()


def _whole(result: Result, partial: str) -> Result:
    """Return a result that is complete; raise one that is not."""
    if partial:
        raise GraphPartial(result, partial)
    return result


def _conforms(adapter: SparqlAdapter) -> KnowledgeGraph:
    """Holds the type checker to the contract; never called."""
    return adapter
