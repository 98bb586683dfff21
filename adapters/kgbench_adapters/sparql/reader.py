"""Reads the rows of a query, all of them or as many as are wanted, from a server that may give fewer than it has.

A server may cap its answers without a word, and give rows in another order each time. So an answer that may have reached a
cap is followed by a look at whether there is one row more; if there is, the rows are read page by page in a stable order,
and counted at the end. What cannot be proved complete is called partial.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.errors import GraphError
from kgbench_adapters import queries
from kgbench_adapters.environment import LARGER_TIME_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench_adapters.queries import Query
    from kgbench_adapters.sparql.cache import ReadCache
    from kgbench_adapters.sparql.endpoint import Endpoint
    from kgbench_adapters.sparql.responses import Answer, Binding

PAGE_ROWS = 10_000
"""Rows of one page, unless the server gives fewer; more than the cap of any well-known public server."""
_ROWS_AT_ONCE = 100_000
"""Most rows of one answer: where the server gives so many, they need not be sorted and read in pages."""
_MOST_PAGES = 50
"""Pages of one read: a bound on requests where a server gives few rows at a time."""
_SORTED_ROWS = 20_000
"""Rows that a server sorts for a sample at a cut, at least. Oxigraph's server takes seconds for these."""
_ROUND = 100
"""A number of rows that this divides may be a cap; so may any that is larger than what was tried at the opening."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Rows of a query."""

    bindings: tuple[Binding, ...]
    more: bool = False
    """True where the limit was reached and there are more."""
    partial: str = ""
    """Why rows are missing though the limit was not reached; empty where none are."""


class Reader:
    """Reads queries to the end. Thread safe.

    Args:
        endpoint: where.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._cache: ReadCache | None = None
        self._cap: int | None = None

    def close(self) -> None:
        """Close the cache."""
        if self._cache is not None:
            self._cache.close()

    def use(self, cache: ReadCache) -> None:
        """Keep complete readings from now on."""
        self._cache = cache

    @property
    def cap(self) -> int | None:
        """Most rows that the server gives at once, where it is known to give fewer than were asked for."""
        return self._cap

    def read(self, query: Query, limit: int) -> Reading:
        """Read up to ``limit`` rows of a query.

        At a cut the rows are the first in the query's order, among the 20,000 (or twice the limit) that the server comes
        upon first: sorting more would take a server minutes.

        Raises:
            GraphError: the server gave no answer, or an incomplete one without a row.
        """
        return self._through_cache(query.text(limit), lambda: self._read(query, limit))

    def read_text(self, sparql: str, limit: int) -> Reading:
        """Read up to ``limit`` rows of a query that stands as it is: it cannot be asked in pages.

        Raises:
            GraphError: the server gave no answer, or an incomplete one without a row.
        """
        return self._through_cache(sparql, lambda: self._read_once(sparql, limit))

    def _read_once(self, sparql: str, limit: int) -> Reading:
        answer = self._endpoint.ask(sparql)
        rows = len(answer.bindings)
        capped = 0 < rows < limit and rows in (answer.cap, self._cap)
        reason = answer.partial or (f"it gives {rows:,} rows at most" if capped else "")
        return Reading(answer.bindings[:limit], more=rows >= limit, partial=reason)

    def _through_cache(self, text: str, read: Callable[[], Reading]) -> Reading:
        kept = self._cache.get(text) if self._cache is not None else None
        if kept is not None:
            self._endpoint.count(cached=1)
            return Reading(*kept)
        reading = read()
        if reading.partial and not reading.bindings:
            raise GraphError(
                f"the SPARQL server at {self._endpoint.address.shown} gave an incomplete answer without a row: "
                f"{reading.partial}; ask for less at once, or {LARGER_TIME_LIMIT}"
            )
        if not reading.partial and self._cache is not None:
            self._cache.put(text, reading.bindings, more=reading.more)
        return reading

    def read_batch(self, nodes: Sequence[str], build: Callable[[Sequence[str]], Query], most: int) -> Reading:
        """Read every row about some nodes.

        Of a batch whose rows do not fit one answer each half is read by itself: that costs a server less than to sort all
        of them for each page.

        Args:
            nodes: at least one.
            build: makes the query about some of the nodes.
            most: rows beyond which the read is an error.

        Raises:
            GraphError: as in :meth:`read`, or there are more than ``most`` rows.
        """
        text = build(nodes).text(most)
        reading = self._through_cache(text, lambda: self._read_batch(nodes, build, most))
        if reading.more or len(reading.bindings) > most:
            raise GraphError(f"the graph has more than {most:,} rows for one read; ask for fewer entities at once")
        return reading

    def _read_batch(self, nodes: Sequence[str], build: Callable[[Sequence[str]], Query], most: int) -> Reading:
        query = build(nodes)
        answer, whole = self._first(query, min(most, PAGE_ROWS))
        if whole or answer.partial:
            return Reading(answer.bindings, partial=answer.partial)
        if len(nodes) == 1:
            return self._pages(query, most, more=False)
        middle = len(nodes) // 2
        first, second = (self.read_batch(half, build, most) for half in (nodes[:middle], nodes[middle:]))
        return Reading((*first.bindings, *second.bindings), partial=first.partial or second.partial)

    def probe(self, wanted: int) -> Answer:
        """Ask for any statements, many of them, to learn the server's cap."""
        answer = self._endpoint.ask(queries.statements(wanted))
        rows = len(answer.bindings)
        if 0 < rows < wanted and not answer.partial and self._row_after(queries.all_statements(), rows).bindings:
            self._learn_cap(rows)
        return answer

    def _read(self, query: Query, limit: int) -> Reading:
        answer, whole = self._first(query, limit)
        if whole or answer.partial:
            return Reading(answer.bindings[:limit], partial=answer.partial)
        if len(answer.bindings) >= limit:
            return self._sample(query, limit, answer)
        return self._pages(query, limit, more=False)

    def _first(self, query: Query, limit: int) -> tuple[Answer, bool]:
        """As many rows as one answer holds, and whether these are all there are."""
        wanted = min(limit + 1, self._cap or _ROWS_AT_ONCE, _ROWS_AT_ONCE)
        answer = self._endpoint.ask(query.text(wanted))
        rows = len(answer.bindings)
        if answer.partial or rows > limit:
            return answer, False
        if rows < wanted and not self._may_be_capped(answer):
            return answer, True
        next_row = self._row_after(query.everything(), rows)
        if next_row.bindings and rows < wanted:
            self._learn_cap(rows)
        return answer, not next_row.bindings and not next_row.partial

    def _may_be_capped(self, answer: Answer) -> bool:
        rows = len(answer.bindings)
        return rows > 0 and (rows in (answer.cap, self._cap) or rows % _ROUND == 0 or rows > PAGE_ROWS)

    def _row_after(self, everything: str, offset: int) -> Answer:
        return self._endpoint.ask(f"{everything} LIMIT 1 OFFSET {offset}")

    def _learn_cap(self, rows: int) -> None:
        self._cap = rows if self._cap is None else min(rows, self._cap)

    def _sample(self, query: Query, limit: int, unsorted: Answer) -> Reading:
        """The first rows in order of a query that has more than ``limit``.

        A hub is normal, and no reason to lose a question: where the server cannot sort its rows, those that it gave first
        are the sample. But next time it may give others.
        """
        try:
            reading = self._pages(query, limit, more=True)
        except GraphError:
            reading = Reading((), partial="it could not sort its rows, so it may give others next time")
        if reading.partial and len(reading.bindings) < limit:
            return Reading(unsorted.bindings[:limit], partial=reading.partial)
        return reading

    def _pages(self, query: Query, limit: int, *, more: bool) -> Reading:
        """Read up to ``limit`` rows in order; ``more`` where it is known that there are more than these."""
        sorted_rows = max(_SORTED_ROWS, 2 * limit)
        found: dict[str, Binding] = {}
        read = 0
        for _ in range(_MOST_PAGES):
            size = min(limit - read, self._cap or PAGE_ROWS) if more else (self._cap or PAGE_ROWS)
            answer = self._endpoint.ask(query.page(size, read, sorted_rows))
            read += len(answer.bindings)
            found.update((_key(binding), binding) for binding in answer.bindings)
            if answer.partial:
                return Reading(tuple(found.values())[:limit], partial=answer.partial)
            if read > limit or (more and read == limit):
                return self._cut(found, read, limit)
            if len(answer.bindings) < size:
                return self._counted(query, found)
        return Reading(tuple(found.values()), more=True)

    @staticmethod
    def _cut(found: dict[str, Binding], read: int, limit: int) -> Reading:
        if len(found) < read:
            return Reading(tuple(found.values())[:limit], partial=_UNSTABLE)
        return Reading(tuple(found.values())[:limit], more=True)

    def _counted(self, query: Query, found: dict[str, Binding]) -> Reading:
        """The rows of all pages, proved complete by their number."""
        answer = self._endpoint.ask(query.count())
        counted = answer.bindings[0].get("n", {}).get("value") if answer.bindings else None
        whole = not answer.partial and counted == str(len(found))
        return Reading(tuple(found.values()), partial="" if whole else _UNSTABLE)


_UNSTABLE = "its pages do not add up to the number of rows that it counts"


def _key(binding: Binding) -> str:
    return json.dumps(binding, sort_keys=True)
