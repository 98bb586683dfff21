"""Gold answers that are no entities: whether a graph holds such a value or name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.scoring.normalise import TypedValue, text_key
from kgbench.types import Entity, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgbench.contracts import WholeGraph
    from kgbench.survey.census import Census
    from kgbench.types import GoldAnswer


class GoldNodes:
    """Finds the nodes that gold answers stand for, by the rules of scoring: id, value, else name.

    Args:
        graph: an open graph that can be read whole.
        census: the same graph.
    """

    def __init__(self, graph: WholeGraph, census: Census) -> None:
        self._number_of = census.number_of
        self._values: dict[tuple[object, ...], list[int]] = {}
        self._names: dict[str, list[int]] = {}
        for number, node in enumerate(census.nodes):
            if isinstance(node, Literal):
                for key in _keys(TypedValue.read(node.lexical, node.datatype)):
                    self._values.setdefault(key, []).append(number)
        for entity, names in graph.all_names():
            for name in filter(None, (names.name, *names.aliases)):
                self._names.setdefault(text_key(name), []).append(census.number_of[entity])

    def of(self, answer: GoldAnswer) -> list[int]:
        """Numbers of the nodes that an answer stands for; none where the graph has no such node."""
        if answer.id:
            number = self._number_of.get(Entity(answer.id))
            return [] if number is None else [number]
        if answer.value is not None:
            return self._of_value(TypedValue.read(answer.value, answer.datatype))
        named = [number for name in answer.names for number in self._names.get(text_key(name), ())]
        return named or [number for name in answer.names for number in self._of_value(TypedValue.read(name))]

    def all_of(self, answers: Iterable[GoldAnswer]) -> set[int]:
        """The nodes of several answers."""
        return {number for answer in answers for number in self.of(answer)}

    def _of_value(self, value: TypedValue) -> list[int]:
        return [number for key in _keys(value) for number in self._values.get(key, ())]


def _keys(value: TypedValue) -> list[tuple[object, ...]]:
    """What a value may be known by: one without a datatype may be a number and a year."""
    keys: list[tuple[object, ...]] = []
    if value.number is not None:
        keys.append(("number", value.number))
    if value.date is not None:
        keys.append(("date", value.date))
    return keys or [("text", value.key)]
