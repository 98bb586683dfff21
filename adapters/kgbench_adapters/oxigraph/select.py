"""SELECT queries from outside, bounded in rows and time."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kgbench.errors import GraphError
from kgbench_adapters.oxigraph.deadline import Deadline, run_within
from kgbench_adapters.queries import check_stays_inside

if TYPE_CHECKING:
    from kgbench.types import Term
    from kgbench_adapters.oxigraph.nodes import Nodes

Row = tuple["Term | None", ...]


class Selector:
    """Answers SELECT queries.

    Args:
        store: the graph.
        nodes: its ids.
        union: True where facts stand in named graphs, as in some stores made by others; a fact that stands in two of
            them gives two rows to a query without DISTINCT.
    """

    def __init__(self, store: ox.Store, nodes: Nodes, union: bool) -> None:
        self._store = store
        self._nodes = nodes
        self._union = union

    def rows(self, sparql: str, limit: int, deadline: Deadline) -> tuple[Row, ...]:
        """Return the first ``limit`` rows of a query, in the engine's order; None where a variable is unbound.

        Raises:
            GraphError: a syntax error, another form than SELECT, a SERVICE clause, or the time is up. The text holds
                nothing of the query.
        """
        check_stays_inside(sparql)
        return run_within(deadline, lambda: self._read(sparql, limit, deadline))

    def _read(self, sparql: str, limit: int, deadline: Deadline) -> tuple[Row, ...]:
        try:
            solutions = self._store.query(sparql, use_default_graph_as_union=self._union)
            if not isinstance(solutions, ox.QuerySolutions):
                raise GraphError("the query is no SELECT query; only SELECT queries are answered")
            # A query left behind at its deadline ends at its next row.
            return tuple(self._row(solution) for solution in deadline.watch(islice(solutions, limit), every=1))
        except SyntaxError as error:
            place = f" (line {error.lineno}, column {error.offset})" if error.lineno else ""
            raise GraphError(f"the query is not valid SPARQL{place}") from None
        except (OSError, RuntimeError, ValueError) as error:
            raise GraphError(f"the query could not be evaluated ({type(error).__name__})") from None

    def _row(self, solution: ox.QuerySolution) -> Row:
        return tuple(self._nodes.term(value) for value in solution)
