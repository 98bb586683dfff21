"""MetaQA's file of facts as a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgbench.errors import DataError, PrerequisiteMissing, UsageError
from kgbench.kg.open import open_graph
from kgbench.types import Direction, Entity, Relation
from kgbench_adapters.metaqa.adapter import MetaqaAdapter

if TYPE_CHECKING:
    from pathlib import Path

LANTERN, ADA = Entity("Old Lantern"), Entity("Ada Fenn")
LINES = "Old Lantern|directed_by|Ada Fenn\nOld Lantern|release_year|1931\n\nThe Tide|directed_by|Ada Fenn\n"


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    path = tmp_path / "kb.txt"
    path.write_text(LINES, encoding="utf-8")
    return path


def test_it_opens_by_its_file_name(kb: Path) -> None:
    graph = open_graph(str(kb))
    assert (graph.card.name, graph.card.profile.name, graph.card.triples) == ("metaqa", "plain", 3)
    directed = Relation("directed_by", "directed_by")
    assert graph.relations([LANTERN], Direction.OUT)[LANTERN][0] == directed
    assert graph.neighbours([ADA], directed, Direction.IN).pairs == ((ADA, LANTERN), (ADA, Entity("The Tide")))
    assert graph.names([ADA])[ADA].name == "Ada Fenn"
    assert not graph.types([ADA])[ADA].mediator


def test_bad_lines_are_counted_or_stop(kb: Path) -> None:
    kb.write_bytes(LINES.encode() + b"a|b\n\xff|r|c\n|r|c\n")
    (note,) = open_graph(str(kb)).card.notes
    assert "skipped 3 bad lines" in note
    assert "kb.txt, line 5: 2 fields in place of 3" in note
    with pytest.raises(DataError, match=r"kb\.txt, line 5"):
        open_graph(str(kb), strict=True)


def test_fingerprint_and_empty_file(kb: Path) -> None:
    first = open_graph(str(kb)).card.fingerprint
    kb.write_text("", encoding="utf-8")
    card = open_graph(str(kb)).card
    assert card.fingerprint != first
    assert (card.triples, card.notes) == (0, ("kb.txt is empty",))


def test_what_is_refused(tmp_path: Path, kb: Path) -> None:
    assert not MetaqaAdapter.accepts("http://localhost/kb.txt")
    with pytest.raises(PrerequisiteMissing, match="there is no file"):
        open_graph(str(tmp_path / "none" / "kb.txt"))
    with pytest.raises(UsageError, match=r"ids of kb\.txt are names"):
        open_graph(str(kb), "freebase")
