"""The first terms in order of a node that has too many: one pass over its rows, memory for a few of them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from kgbench.types import Entity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kgbench.types import Literal, Term
    from kgbench_adapters.oxigraph.nodes import Nodes

_CHUNK = 1 << 16
"""Rows that are sorted at a time. Sorting ids as plain strings, many at once, is what keeps a hub of millions cheap."""


def first_terms(
    values: Iterable[object], most: int, nodes: Nodes, check: Callable[[], None] = lambda: None
) -> tuple[list[Term], bool]:
    """Return the ``most`` first distinct terms in order, and whether there are more.

    Which these are does not depend on the order of the rows.

    Args:
        values: nodes and literals of a store; any number of them, some perhaps more than once.
        most: terms wanted, at least 0.
        nodes: converts them.
        check: called now and then; may raise to give up.
    """
    rows = iter(values)
    ids: list[str] = []
    literals: list[Literal] = []
    while chunk := list(islice(rows, _CHUNK)):
        check()
        ids = _first_ids(ids, nodes.ids(chunk), most + 1)
        if len(ids) <= most:  # entities come first: literals count where these are too few
            found = {*literals, *nodes.literals(chunk)}
            literals = sorted(found, key=lambda each: each.sort_key)[: most + 1]
    terms: list[Term] = [*map(Entity, ids), *literals]
    return terms[:most], len(terms) > most


def _first_ids(sorted_ids: list[str], more: Iterable[str], most: int) -> list[str]:
    """The first of some ids, of which many are sorted already, and of more."""
    if len(sorted_ids) == most:
        last = sorted_ids[-1]
        more = (each for each in more if each < last)
    return list(dict.fromkeys(sorted([*sorted_ids, *more])))[:most]
