"""SELECT queries that come from outside, perhaps in a model's own words: checked here, bounded, sent as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.errors import GraphError
from kgbench_adapters.queries import check_stays_inside

if TYPE_CHECKING:
    from kgbench.types import Term
    from kgbench_adapters.sparql.iris import Nodes
    from kgbench_adapters.sparql.reader import Reader

Row = tuple["Term | None", ...]


class ServerSelect:
    """Answers SELECT queries.

    A query is read by the embedded engine's parser before anything is sent. So both engines take the same queries, and no
    update, no pragma and no function that one make of server alone knows reaches the server.

    Args:
        reader: sends queries.
        nodes: ids, IRIs and terms.
    """

    def __init__(self, reader: Reader, nodes: Nodes) -> None:
        self._reader = reader
        self._nodes = nodes

    def rows(self, sparql: str, limit: int) -> tuple[tuple[Row, ...], str]:
        """Return the first ``limit`` rows of a query, in the server's order; and why some are missing, where they are.

        None stands where a variable is unbound.

        Raises:
            GraphError: a syntax error, another form than SELECT, a SERVICE clause, or the server's failure. The text holds
                nothing of the query.
        """
        check_stays_inside(sparql)
        variables = _variables(sparql)
        reading = self._reader.read_text(_bounded(sparql, limit), limit)
        rows = tuple(
            tuple(self._nodes.term(binding.get(variable)) for variable in variables) for binding in reading.bindings
        )
        return rows, reading.partial


def _variables(sparql: str) -> tuple[str, ...]:
    """Names of the result's columns, in order.

    Raises:
        GraphError: a syntax error, or no SELECT query.
    """
    try:
        variables = _columns(sparql)
    except SyntaxError as error:
        place = f" (line {error.lineno}, column {error.offset})" if error.lineno else ""
        raise GraphError(f"the query is not valid SPARQL{place}") from None
    except (OSError, RuntimeError, ValueError) as error:
        raise GraphError(f"the query could not be read ({type(error).__name__})") from None
    if variables is None:
        raise GraphError("the query is no SELECT query; only SELECT queries are answered")
    return variables


def _columns(sparql: str) -> tuple[str, ...] | None:
    """Columns of a SELECT query, None for another form. The result, which one thread alone may drop, does not leave here."""
    import pyoxigraph as ox

    # On an empty store, and without reading a row: parsed, not evaluated.
    solutions = ox.Store().query(sparql)
    return tuple(name.value for name in solutions.variables) if isinstance(solutions, ox.QuerySolutions) else None


def _bounded(sparql: str, limit: int) -> str:
    """The query with a LIMIT, where it has none of its own; with one, it stays as it is."""
    bounded = f"{sparql}\nLIMIT {limit}"
    try:
        _variables(bounded)
    except GraphError:
        return sparql
    return bounded
