"""Writes a demo graph as files, and finds the shipped ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from kgbench.data.demo import schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kgbench.data.demo.graph import DemoGraph

FILES = ("entities.tsv", "graph.toml", "questions.jsonl", "relations.tsv", "triples.tsv", "types.tsv")


def demo_folder() -> Path:
    """The folder with the graph and the questions that kgbench ships (seed 0, about 5,000 triples)."""
    return Path(__file__).parent / "files"


def write(graph: DemoGraph, folder: Path) -> None:
    """Writes the files of a graph folder; the same graph gives the same bytes.

    Args:
        graph: what `generate` made.
        folder: made if it is not there; files of the same names are replaced.
    """
    folder.mkdir(parents=True, exist_ok=True)
    relation_header = [("relation", "inverse", "domain", "range")]
    _write_rows(folder / "triples.tsv", graph.triples)
    _write_rows(folder / "entities.tsv", ((row.id, row.name, "|".join(row.aliases)) for row in graph.entities))
    _write_rows(folder / "types.tsv", ((row.id, "|".join(row.classes)) for row in graph.types))
    _write_rows(
        folder / "relations.tsv",
        relation_header + [(row.label, row.inverse, row.domain, row.range) for row in graph.relations],
    )
    _write_lines(
        folder / "questions.jsonl",
        (json.dumps(question, ensure_ascii=False, allow_nan=False) for question in graph.questions),
    )
    _write_lines(folder / "graph.toml", _settings(graph.seed))


def _settings(seed: int) -> list[str]:
    return [
        f"# A fictional hospital group, made by kgbench.data.demo with seed {seed}. Every name is invented.",
        'name = "demo"',
        'profile = "plain"',
        f"mediator_classes = {json.dumps(sorted(schema.MEDIATOR_CLASSES))}",
    ]


def _write_rows(path: Path, rows: Iterable[Sequence[str]]) -> None:
    _write_lines(path, ("\t".join(_escape(value) for value in row) for row in rows))


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def _escape(value: str) -> str:
    return value.replace("\t", "\\t").replace("\n", "\\n")
