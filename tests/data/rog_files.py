"""Parquet files as RoG published them, made for a test. Every name is invented."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

GRAPH = [
    ["Velmora", "location.harbours", "Port Zell"],
    ["Velmora", "location.ruler", "m.0cvt1"],
    ["m.0cvt1", "reign.person", "Ada Fenn"],
    ["m.0cvt1", "reign.from", "1931-05-06"],
]
ROWS: list[dict[str, Any]] = [
    {
        "id": "WebQTest-9001",
        "question": "what harbours does Velmora have",
        "answer": ["Port Zell"],
        "q_entity": ["Velmora"],
        "a_entity": ["Port Zell"],
        "graph": GRAPH,
        "choices": [],
    },
    {
        "id": "WebQTest-9002",
        "question": "since when does Ada Fenn rule Velmora",
        "answer": ["1931-05-06", "m.0nameless"],
        "q_entity": ["Ada Fenn", "Velmora"],
        "a_entity": ["1931-05-06"],
        "graph": [*GRAPH, ["Velmora", "", "Port Zell"]],
        "choices": [],
    },
    {
        "id": "WebQTest-9003",
        "question": "who wrote the Reed Song",
        "answer": [],
        "q_entity": [],
        "a_entity": [],
        "graph": [],
        "choices": [],
    },
]


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write a parquet file of the published columns and types; skips the test where nothing can."""
    pyarrow = pytest.importorskip("pyarrow", reason='the extra "hub" is not installed: pip install "kgbench[hub]"')
    from pyarrow import parquet

    text = pyarrow.string()
    schema = pyarrow.schema(
        [
            ("id", text),
            ("question", text),
            *((name, pyarrow.list_(text)) for name in ("answer", "q_entity", "a_entity")),
            ("graph", pyarrow.list_(pyarrow.list_(text))),
            ("choices", pyarrow.list_(pyarrow.null())),
        ]
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), path)
    return path


def write_release(folder: Path, rows: list[dict[str, Any]] | None = None) -> Path:
    """Write a release of two test files, as on the hub; returns its folder."""
    every = ROWS if rows is None else rows
    write_rows(folder / "data" / "test-00000-of-00002-ab.parquet", every[:1])
    write_rows(folder / "data" / "test-00001-of-00002-cd.parquet", every[1:])
    return folder
