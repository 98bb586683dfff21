"""Writes a demo graph as files, and finds the shipped ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from kgbench.data.demo import schema
from kgbench.data.demo.graph import Tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kgbench.data.demo.graph import DemoGraph
    from kgbench.types import JsonObject

TRIPLES = "triples.tsv"
SHIPPED_NAME = "demo"
FILES = ("entities.tsv", "graph.toml", "questions.jsonl", "relations.tsv", "triples.tsv", "types.tsv")


def demo_folder() -> Path:
    """The folder with the graph and the questions that kgbench ships (seed 0, about 5,000 triples)."""
    return Path(__file__).parent / "files"


def write(graph: DemoGraph, folder: Path, name: str = SHIPPED_NAME) -> None:
    """Writes the files of a graph folder; the same graph gives the same bytes.

    Args:
        graph: what `generate` made.
        folder: made if it is not there; files of the same names are replaced.
        name: what the graph calls itself.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_tables(Tables(graph.triples, graph.entities, graph.types), graph.seed, folder, name)
    write_questions(graph.questions, folder)


def write_tables(tables: Tables, seed: int, folder: Path, name: str) -> None:
    """Writes every file but the questions."""
    relation_header = [("relation", "inverse", "domain", "range")]
    _write_rows(folder / TRIPLES, tables.triples)
    _write_rows(folder / "entities.tsv", ((row.id, row.name, "|".join(row.aliases)) for row in tables.entities))
    _write_rows(folder / "types.tsv", ((row.id, "|".join(row.classes)) for row in tables.types))
    _write_rows(
        folder / "relations.tsv",
        relation_header + [(row.label, row.inverse, row.domain, row.range) for row in schema.RELATIONS],
    )
    _write_lines(folder / "graph.toml", _settings(seed, name))


def write_questions(questions: Iterable[JsonObject], folder: Path) -> None:
    """Writes `questions.jsonl`."""
    lines = (json.dumps(question, ensure_ascii=False, allow_nan=False) for question in questions)
    _write_lines(folder / "questions.jsonl", lines)


def read_triples(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Reads the triples that `write_tables` wrote, row by row."""
    with (folder / TRIPLES).open(encoding="utf-8", newline="\n") as file:
        for line in file:
            head, relation, tail = line.removesuffix("\n").split("\t")
            yield head, relation, tail.replace("\\t", "\t").replace("\\n", "\n")


def _settings(seed: int, name: str) -> list[str]:
    return [
        f"# A fictional hospital group, made by kgbench.data.demo with seed {seed}. Every name is invented.",
        f"name = {json.dumps(name)}",
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
