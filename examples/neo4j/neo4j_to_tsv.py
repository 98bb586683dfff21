"""Turn the CSV file that ``apoc.export.csv.all`` writes into a graph folder for kgbench. Needs Python alone.

python neo4j_to_tsv.py EXPORT.csv FOLDER --name name --name title --alias nickname

Nodes become entities with their labels as classes; the properties given with ``--name`` and ``--alias`` become names, all
other properties facts that end in a value. A relationship becomes a fact; one that has properties of its own becomes a
mediator between its two ends, so that the properties have something to belong to.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FORMS = (
    ("xsd:integer", re.compile(r"-?(?:0|[1-9]\d{0,17})")),
    ("xsd:decimal", re.compile(r"-?(?:0|[1-9]\d*)\.\d+")),
    ("xsd:boolean", re.compile(r"true|false")),
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_OWN = ("_id", "_labels", "_start", "_end", "_type")
"""Columns of the export that are no properties."""


@dataclass
class Folder:
    """The rows of the files, as they are gathered."""

    triples: set[tuple[str, str, str]] = field(default_factory=set)
    entities: set[tuple[str, str, str]] = field(default_factory=set)
    types: set[tuple[str, str]] = field(default_factory=set)
    mediator_classes: set[str] = field(default_factory=set)

    def write(self, folder: Path, name: str) -> None:
        """Write the files, sorted."""
        folder.mkdir(parents=True, exist_ok=True)
        for file, rows in (("triples", self.triples), ("entities", self.entities), ("types", self.types)):
            lines = ("\t".join(map(_cell, row)) + "\n" for row in sorted(rows))
            (folder / f"{file}.tsv").write_text("".join(lines), encoding="utf-8")
        classes = json.dumps(sorted(self.mediator_classes), ensure_ascii=False)
        settings = f'name = {json.dumps(name)}\nprofile = "plain"\nmediator_classes = {classes}\n'
        (folder / "graph.toml").write_text(settings, encoding="utf-8")


def convert(rows: Iterable[dict[str, str]], names: list[str], aliases: list[str]) -> Folder:
    """Read the rows of the export.

    Args:
        rows: one dictionary a line, by the heading of the file.
        names: properties that hold a node's name; the first that is there counts, the others are further names.
        aliases: properties that hold further names.
    """
    folder = Folder()
    edges = 0
    for row in rows:
        if row["_id"]:
            _add_node(folder, row, names, aliases)
        else:
            edges += 1
            _add_edge(folder, row, f"r{edges}")
    return folder


def _add_node(folder: Folder, row: dict[str, str], names: list[str], aliases: list[str]) -> None:
    node = f"n{row['_id']}"
    said = [value for column in (*names, *aliases) for value in _values(row.get(column, ""))]
    if said:
        folder.entities.add((node, said[0], "|".join(said[1:])))
    classes = [label for label in row["_labels"].split(":") if label]
    if classes:
        folder.types.add((node, "|".join(map(_label, classes))))
    _add_properties(folder, node, row, (*_OWN, *names, *aliases))


def _add_edge(folder: Folder, row: dict[str, str], mediator: str) -> None:
    start, end, relation = f"n{row['_start']}", f"n{row['_end']}", _label(row["_type"])
    if not any(value for column, value in row.items() if column not in _OWN):
        folder.triples.add((start, relation, end))
        return
    folder.triples |= {(start, relation, mediator), (mediator, "to", end)}
    folder.types.add((mediator, relation))
    folder.mediator_classes.add(relation)
    _add_properties(folder, mediator, row, _OWN)


def _add_properties(folder: Folder, node: str, row: dict[str, str], left_out: tuple[str, ...]) -> None:
    for column, text in row.items():
        if column not in left_out:
            folder.triples |= {(node, _label(column), _literal(value)) for value in _values(text)}


def _values(text: str) -> Iterator[str]:
    """The values of a cell: the items of a list, else the text itself; none of an empty cell."""
    if text.startswith("[") and text.endswith("]"):
        try:
            items = json.loads(text)
        except json.JSONDecodeError:
            items = [text]
        yield from (item if isinstance(item, str) else json.dumps(item) for item in items)
    elif text:
        yield text


def _literal(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    quoted = f'"{escaped}"'.replace("\t", "\\t")
    if _is_day(value):
        return f"{quoted}^^xsd:date"
    return next((f"{quoted}^^{kind}" for kind, form in _FORMS if form.fullmatch(value)), quoted)


def _is_day(value: str) -> bool:
    if not _DAY.fullmatch(value):
        return False
    try:
        datetime.date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _label(text: str) -> str:
    """``WORKS_IN`` as ``works_in``; camel case is left as it is."""
    return text.lower() if text.isupper() else text


def _cell(value: str) -> str:
    return value.replace("\t", "\\t").replace("\n", "\\n")


def main() -> None:
    """Read the arguments and convert."""
    parser = argparse.ArgumentParser(
        description="Turn the CSV file of apoc.export.csv.all into a kgbench graph folder."
    )
    parser.add_argument("export", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--name", action="append", default=[], help="property that holds a name; may be repeated")
    parser.add_argument(
        "--alias", action="append", default=[], help="property that holds further names; may be repeated"
    )
    given = parser.parse_args()
    with given.export.open(encoding="utf-8-sig", newline="") as file:
        folder = convert(csv.DictReader(file), given.name or ["name"], given.alias)
    folder.write(given.folder, given.folder.name)
    counts = (
        f"{len(folder.triples)} triples, {len(folder.entities)} names, mediators: {sorted(folder.mediator_classes)}"
    )
    sys.stderr.write(f"{counts}\n")


if __name__ == "__main__":
    main()
