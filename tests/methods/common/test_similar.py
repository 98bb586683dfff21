from __future__ import annotations

from typing import Any

import numpy as np

from kgbench.types import Relation
from kgbench_methods.common.similar import most_similar, similarities

VECTORS = {"query": (1.0, 0.0), "b": (1.0, 0.0), "a": (1.0, 0.0), "c": (0.6, 0.8), "d": (0.0, 1.0)}
RELATIONS = [Relation(label, label) for label in ("d", "b", "c", "a")]


class FakeContext:
    """Embeds relations and texts by a table."""

    def embed(self, items: Any) -> Any:
        return np.array([VECTORS[getattr(item, "label", item)] for item in items], dtype=np.float32)


def test_cosines_are_rounded() -> None:
    assert similarities(FakeContext(), "query", RELATIONS) == [0.0, 1.0, 0.6, 1.0]  # type: ignore[arg-type]
    assert similarities(FakeContext(), "query", []) == []  # type: ignore[arg-type]


def test_the_most_similar_come_first_and_ties_go_by_label() -> None:
    kept = most_similar(FakeContext(), "query", RELATIONS, 3)  # type: ignore[arg-type]
    assert [relation.label for relation in kept] == ["a", "b", "c"]


def test_a_short_list_stays_as_it_is() -> None:
    assert most_similar(FakeContext(), "query", RELATIONS, 4) == RELATIONS  # type: ignore[arg-type]
