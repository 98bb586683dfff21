"""A graph as a folder of TSV files: which files there are, and their rows as facts, names, types and schema."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from kgbench.errors import DataError, PrerequisiteMissing, UsageError
from kgbench_adapters.files import ReadReport, digest_of, read_rows, unescape
from kgbench_adapters.profiles import vocabulary
from kgbench_adapters.terms import literal_from_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kgbench.types import Literal

TRIPLES, ENTITIES, TYPES, RELATIONS = "triples.tsv", "entities.tsv", "types.tsv", "relations.tsv"
SETTINGS = "graph.toml"


class Fact(NamedTuple):
    """One row of ``triples.tsv``."""

    head: str
    relation: str
    tail: str | Literal
    line: int


class Listed(NamedTuple):
    """One row of ``entities.tsv``."""

    id: str
    name: str
    """Empty where the row has none."""
    aliases: tuple[str, ...]
    line: int


class Typed(NamedTuple):
    """One row of ``types.tsv``."""

    id: str
    classes: tuple[str, ...]
    line: int


_RELATION_COLUMNS = ("relation", "inverse", "domain", "range")


class RelationRow(NamedTuple):
    """One row of ``relations.tsv``; empty where nothing is said."""

    relation: str
    inverse: str
    domain: str
    range: str
    line: int


@dataclass(frozen=True)
class Settings:
    """What ``graph.toml`` says."""

    name: str | None = None
    profile: str | None = None
    mediator_classes: tuple[str, ...] = ()
    unlisted_are_mediators: bool | None = None
    """Overrides the profile: False for a part of Freebase whose entity list is not complete."""


@dataclass(frozen=True)
class GraphFolder:
    """The files of one graph. ``triples`` is there; the others may be."""

    name: str
    files: dict[str, Path]
    """Role (``triples``, ``entities``, ``types``, ``relations``, ``settings``) -> path."""

    @classmethod
    def find(cls, location: Path) -> GraphFolder:
        """Find the files of a graph.

        Args:
            location: a folder with ``triples.tsv[.gz]``, or one file ``PREFIXtriples.tsv[.gz]``; then the other files
                are those beside it with the same prefix.

        Raises:
            PrerequisiteMissing: there are no triples.
            DataError: a file is there both plain and packed.
        """
        folder, prefix = (location, "") if location.is_dir() else (location.parent, _prefix(location))
        names = {"triples": TRIPLES, "entities": ENTITIES, "types": TYPES, "relations": RELATIONS, "settings": SETTINGS}
        files = {role: path for role, name in names.items() if (path := _one_of(folder, prefix + name)) is not None}
        if "triples" not in files:
            raise PrerequisiteMissing(_no_triples(folder, prefix))
        return cls(prefix.rstrip("._-") or folder.resolve().name, files)

    def settings(self, report: ReadReport) -> Settings:
        """Read ``graph.toml``; nothing is said where there is none.

        Raises:
            DataError: it is no TOML, has an unknown key, a value of the wrong kind or an unknown profile.
        """
        path = self.files.get("settings")
        if path is None:
            return Settings()
        report.digests["settings"] = digest_of(path)
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise DataError(f"{path.name} is not valid TOML: {error}") from error
        kinds = {"name": str, "profile": str, "mediator_classes": list, "unlisted_are_mediators": bool}
        for key, value in table.items():
            if key not in kinds:
                raise DataError(f'{path.name} has an unknown key "{key}"; known are: {", ".join(kinds)}')
            if not isinstance(value, kinds[key]):
                raise DataError(f'{path.name}: "{key}" must be a {kinds[key].__name__}')
        if "profile" in table:
            try:
                vocabulary(table["profile"])
            except UsageError as error:
                raise DataError(f"{path.name}: {error}") from None
        classes = table.pop("mediator_classes", [])
        if not all(isinstance(label, str) for label in classes):
            raise DataError(f'{path.name}: "mediator_classes" must be a list of class labels in quotes')
        return Settings(mediator_classes=tuple(classes), **table)

    def facts(self, report: ReadReport) -> Iterator[Fact]:
        """Rows of ``triples.tsv``; a tail in N-Triples form is a literal."""
        path = self.files["triples"]
        for line, (head, relation, tail) in read_rows(path, "triples", range(3, 4), report):
            if not relation or not tail:
                report.skip(path, line, "empty relation" if not relation else "empty id")
                continue
            literal = literal_from_text(tail) if tail.startswith('"') else None
            yield Fact(unescape(head), unescape(relation), unescape(tail) if literal is None else literal, line)

    def sample_heads(self, count: int = 1000) -> tuple[str, ...]:
        """Heads of the first facts, to guess a profile from."""
        return tuple(fact.head for fact in islice(self.facts(ReadReport()), count))

    def entities(self, report: ReadReport) -> Iterator[Listed]:
        """Rows of ``entities.tsv``: id, name and, in a third field, other names joined by ``|``."""
        for line, (node_id, name, *others) in self._rows("entities", range(2, 4), report):
            aliases = others[0].split("|") if others else []
            yield Listed(node_id, name.strip(), tuple(alias.strip() for alias in aliases if alias.strip()), line)

    def types(self, report: ReadReport) -> Iterator[Typed]:
        """Rows of ``types.tsv``: id, classes joined by ``|``."""
        for line, (node_id, classes) in self._rows("types", range(2, 3), report):
            yield Typed(node_id, tuple(label for label in classes.split("|") if label), line)

    def relations(self, report: ReadReport) -> Iterator[RelationRow]:
        """Rows of ``relations.tsv``, by the names in its header; columns that are not ours are passed over.

        Raises:
            DataError: the header has no column ``relation``.
        """
        rows = self._rows("relations", range(1, 1000), report)
        _, header = next(rows, (0, ["relation"]))
        if "relation" not in header:
            name = self.files["relations"].name
            raise DataError(f"{name}, line 1: a header with relation, inverse, domain, range is needed")
        for line, row in rows:
            if len(row) != len(header):
                report.skip(
                    self.files["relations"], line, f"{len(row)} fields in place of {len(header)}, as in the header"
                )
                continue
            cells = dict(zip(header, row, strict=True))
            relation, inverse, domain, range_ = (cells.get(column, "") for column in _RELATION_COLUMNS)
            yield RelationRow(relation, inverse, domain, range_, line)

    def _rows(self, role: str, fields: range, report: ReadReport) -> Iterator[tuple[int, list[str]]]:
        if role in self.files:
            for line, row in read_rows(self.files[role], role, fields, report):
                yield line, list(map(unescape, row))


def triples_file(path: Path) -> bool:
    """Tell whether a path is named like the triples of a graph: ``triples.tsv``, ``x.triples.tsv.gz``."""
    return path.name.removesuffix(".gz").endswith(TRIPLES)


def _no_triples(folder: Path, prefix: str) -> str:
    message = (
        f'no graph in "{folder}": neither {prefix}{TRIPLES} nor {prefix}{TRIPLES}.gz is there. A graph folder holds '
        "triples.tsv (head, relation, tail; tab-separated) and, for names, entities.tsv"
    )
    others = sorted(path.name for path in folder.glob("*.tsv*") if triples_file(path))
    return f"{message}; there are {', '.join(others)}: give the path of one of these" if others else message


def _prefix(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(TRIPLES)


def _one_of(folder: Path, name: str) -> Path | None:
    plain, packed = folder / name, folder / f"{name}.gz"
    if plain.is_file() and packed.is_file():
        raise DataError(f"both {plain.name} and {packed.name} are in the folder; keep one of them")
    return next((path for path in (plain, packed) if path.is_file()), None)
