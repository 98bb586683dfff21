"""The graph: whether it opens, how it is read, which server stands behind it, and that queries stay inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.contracts import MethodCard
from kgbench.data.records import Dataset, LoadReport
from kgbench.doctor.rows import CheckRow, failed, not_checked, ok, warning
from kgbench.errors import GraphError
from kgbench.kg.server import server_of
from kgbench.run.graphs import check_hiding
from kgbench.run.plan import open_run_graph

if TYPE_CHECKING:
    from kgbench.contracts import GraphCard
    from kgbench.doctor.case import Case
    from kgbench.kg.server import ServerCard

_ANY_METHOD = MethodCard(name="the method", version="", summary="")
_NO_QUESTIONS = Dataset("no data set", (), LoadReport("", "", 0, 0))
_LEAVING = "SELECT ?s WHERE { SERVICE <http://kgbench.invalid/> { ?s ?p ?o } }"
"""A query that would send something elsewhere; the address never resolves."""


def check_graph(case: Case) -> list[CheckRow]:
    """Open the graph as the run would.

    Raises:
        KgbenchError: there is none, or it cannot be opened.
    """
    if case.spec.kg is None and case.dataset is None and case.given.graph is None:
        return [not_checked("graph", "the data set, whose own graph it would be, did not load")]
    card = case.method.card if case.method is not None else _ANY_METHOD
    source = open_run_graph(case.spec, case.dataset or _NO_QUESTIONS, case.given, card)
    if source is None:
        return [ok("graph", f"none; {card.name} asks without one")]
    check_hiding(source, case.records)
    case.graph = source
    rows = [_graph_row(source.card, named=case.spec.kg_profile is not None, shared=source.shared is not None)]
    server = server_of(source.opened)
    return rows if server is None else [*rows, _server_row(server)]


def _graph_row(card: GraphCard, *, named: bool, shared: bool) -> CheckRow:
    profile = card.profile
    facts = {
        "name": card.name,
        "profile": profile.name,
        "profile_given": named,
        "triples": card.triples,
        "relations": card.relations,
        "domains": len(card.domains),
        "inverses": len(card.inverses),
        "mediators": card.mediators,
        "row_limit": profile.row_limit,
        "ids_public": profile.opaque_ids,
        "per_question": not shared,
        "fingerprint": card.fingerprint,
    }
    parts = [
        card.name if shared else f"{card.name}, a graph of its own for each question",
        f"profile {profile.name}" + ("" if named else " (none was given: guessed, or the graph's own)"),
        "triples not counted" if card.triples is None else f"{card.triples:,} triples",
        _schema_text(card),
        f"mediators: {card.mediators or 'not told'}",
        f"a read is cut at {profile.row_limit:,} rows",
    ]
    found = "; ".join(parts)
    if card.triples == 0:
        next_step = (
            "no method finds anything in it: check --kg, at a server also the named graph (?default-graph-uri=IRI)"
        )
        return failed("graph", f"{card.name} is empty", next_step, **facts)
    if card.notes:
        return warning(
            "graph", "; ".join([found, *card.notes]), "mend the files, or know that this is left out", **facts
        )
    return ok("graph", found, **facts)


def _schema_text(card: GraphCard) -> str:
    if not (card.relations or card.domains or card.inverses):
        return "no schema found: labels of relations come from their IRIs, and no domain, range or inverse is known"
    listed = "relations not listed" if card.relations is None else f"{card.relations:,} relations in the schema"
    return f"{listed}, {len(card.domains):,} with domain or range, {len(card.inverses):,} with an inverse"


def _server_row(server: ServerCard) -> CheckRow:
    made = f" ({server.make})" if server.make and server.make != server.product else ""
    capped = f"gives {server.row_cap:,} rows at most, so more are read in pages" if server.row_cap else "no row cap met"
    found = (
        f"{server.product or 'a make that is not known'}{made} at {server.address}; {capped}; "
        f"a query may take {server.timeout:g} s; {server.incomplete}"
    )
    facts = {
        "address": server.address,
        "make": server.make,
        "product": server.product,
        "row_cap": server.row_cap,
        "timeout": server.timeout,
        "incomplete": server.incomplete,
    }
    return ok("server", found, **facts)


def check_queries(case: Case) -> list[CheckRow]:
    """Make sure that a query of a method, which may be a model's own words, cannot leave the graph."""
    if case.graph is None:
        return [not_checked("queries", "no graph is open")]
    if case.graph.shared is None:
        return [not_checked("queries", "each question has a graph of its own; each is opened with its question")]
    try:
        case.graph.shared.select(_LEAVING)
    except GraphError as error:
        if "SERVICE" in str(error):
            return [ok("queries", "a query that would leave the graph (SERVICE) is refused before it is sent")]
        next_step = "ask the adapter's authors whether it refuses SERVICE clauses"
        return [warning("queries", "a query with a SERVICE clause failed, but was not refused", next_step)]
    next_step = "do not read a private graph with this adapter: a query could send parts of it elsewhere"
    return [failed("queries", "a query with a SERVICE clause was answered", next_step)]
