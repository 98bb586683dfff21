"""Numbers that a publication reports, each with its source, its metric and its conditions.

They stand beside our own numbers, marked ``reported``. They are never ranked with them and never tested against them:
question sets, model versions and prompts differ, and single answers are not known.

In code: ``published("arog-2508.08785")`` gives a :class:`PublishedTable`, whose ``rows`` are :class:`Reported`, one for each
line of a published table. ``select(table="table1", dataset="webqsp", setting="total")`` picks some of them. A row's
``values`` map the key of a column of the leaderboard (``tog_loose_arog``, ``calls``, ``input_tokens``, ...) to a number in
that column's unit: shares are 0 to 1, whatever the publication prints.

A file is TOML: keys of the publication, then ``[[tables]]``, each with ``rows``. A key of a row may stand in its table
instead, where all rows share it. Or it is CSV with one line a row, which holds every key. See ``docs/leaderboards.md``.
"""

from __future__ import annotations

import csv
import io
import math
import re
import tomllib
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgbench.config import CONFIG_PACKAGE
from kgbench.errors import DataError, PrerequisiteMissing, UsageError
from kgbench.registry import unknown
from kgbench.report.columns import MEASURES
from kgbench.report.table import Kind
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FOLDER = "published"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_REQUIRED = ("method", "dataset", "model", "published_as", "conditions")
_TEXTS = (*_REQUIRED, "setting", "scenario", "preset", "unit")
_COUNTS = ("n", "trials")
_PUBLICATION = ("source", "title", "url")
_UNITS = {"percent": 100.0, "share": 1.0}
_SETTINGS = ("total", "filtered")


@dataclass(frozen=True, slots=True)
class Reported:
    """One line of a published table."""

    source: str
    """Where it was published, such as ``arXiv 2508.08785``."""
    table: str
    """The table's name in the publication, such as ``table1``."""
    method: str
    """kgbench's name of the method."""
    model: str
    dataset: str
    """kgbench's name of the data set."""
    published_as: str
    """What the publication calls the measure."""
    conditions: str
    """How the number was made, in the words that a reader needs to compare it."""
    values: Mapping[str, float]
    """Column key -> number, shares from 0 to 1."""
    setting: str = "total"
    scenario: str = ""
    """Privacy scenario; empty where the publication has none."""
    preset: str = ""
    """Shipped preset that sets this row up; empty for the method as it is."""
    n: int | None = None
    """Questions; None where the publication does not say."""
    trials: int | None = None
    where: str = field(default="", compare=False)
    """Key or line in the file, for messages."""

    @property
    def label(self) -> str:
        """The method as a row shows it: the preset where there is one."""
        return self.preset or self.method


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """The numbers of one publication."""

    name: str
    source: str
    title: str
    url: str
    rows: tuple[Reported, ...]

    def select(self, **wanted: str) -> tuple[Reported, ...]:
        """Return the rows whose fields have the wanted values, such as ``table="table1", setting="filtered"``."""
        return tuple(row for row in self.rows if all(getattr(row, key) == value for key, value in wanted.items()))

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the publication's tables, in their order."""
        return tuple(dict.fromkeys(row.table for row in self.rows))


def published(name: str) -> PublishedTable:
    """Return published numbers by the name of a shipped or imported file, or by a path.

    Raises:
        UsageError: no file has the name (with the nearest ones).
        DataError: the file breaks the format; the text names file and key or line.
    """
    path = Path(name)
    if path.suffix in _READERS and path.is_file():
        return read_published(path)
    if name in shipped_names():
        text = files(CONFIG_PACKAGE).joinpath(_FOLDER, f"{name}.toml").read_text(encoding="utf-8")
        return parse_published(text, name, f"{name}.toml")
    imported = _imported()
    if name not in imported:
        known = sorted({*shipped_names(), *imported})
        raise UsageError("--reported: " + unknown("file or name of published numbers", name, known))
    return read_published(imported[name])


def shipped_names() -> list[str]:
    """Names of the published numbers that come with kgbench."""
    folder = files(CONFIG_PACKAGE).joinpath(_FOLDER)
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def published_names() -> list[str]:
    """Names of all published numbers: shipped and imported."""
    return sorted({*shipped_names(), *_imported()})


def read_published(path: Path) -> PublishedTable:
    """Read a file of published numbers, TOML or CSV by its ending; its name is that of the file.

    Raises:
        PrerequisiteMissing: it cannot be read.
        DataError: it breaks the format.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise PrerequisiteMissing(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: byte {error.start} is no UTF-8; save the file as UTF-8") from None
    if path.suffix not in _READERS:
        raise DataError(f"{path}: published numbers are read from .toml or .csv files")
    return parse_published(text, path.stem, str(path))


def import_published(path: Path, name: str | None = None) -> tuple[PublishedTable, Path]:
    """Check a file of published numbers and keep a copy of it under a name.

    Args:
        path: the file.
        name: the name to keep it under; by default the file's own.

    Returns:
        What the file holds, and where the copy is kept.

    Raises:
        UsageError: the name is one of a shipped file, or no name for a file.
        PrerequisiteMissing: the file cannot be read, or the copy not be written.
        DataError: the file breaks the format.
    """
    name = path.stem if name is None else name
    if not _NAME.fullmatch(name):
        raise UsageError(f'"{name}" cannot be a name: use letters, digits, ".", "_" and "-" (--name NAME)')
    if name in shipped_names():
        raise UsageError(f'"{name}" is the name of numbers that come with kgbench; choose another: --name NAME')
    table = read_published(path)
    folder = _user_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for suffix in _READERS:
            (folder / f"{name}{suffix}").unlink(missing_ok=True)
        kept = folder / f"{name}{path.suffix}"
        kept.write_text(path.read_text(encoding="utf-8-sig"), encoding="utf-8")
    except OSError as error:
        raise PrerequisiteMissing(f"cannot keep a copy in {folder}: {error.strerror}") from None
    return table, kept


def _user_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("kgbench") / _FOLDER


def _imported() -> dict[str, Path]:
    folder = _user_folder()
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return {path.stem: path for path in found if path.suffix in _READERS}


def parse_published(text: str, name: str, where: str) -> PublishedTable:
    """Read the text of a file of published numbers.

    Args:
        text: TOML or CSV, by the ending of ``where``.
        name: the name that it goes by.
        where: the file, for messages.

    Raises:
        DataError: it breaks the format.
    """
    reader = _READERS[Path(where).suffix]
    about, raw_rows = reader(text, where)
    rows: list[Reported] = []
    seen: dict[tuple[object, ...], str] = {}
    for place, raw in raw_rows:
        row = _row(raw, place)
        identity = (row.source, row.table, row.label, row.model, row.scenario, row.dataset, row.setting)
        if identity in seen:
            raise DataError(f"{place}: the same row as {seen[identity]}: {row.table}, {row.label}, {row.dataset}")
        seen[identity] = place
        rows.append(row)
    if not rows:
        raise DataError(f"{where}: holds no row")
    return PublishedTable(
        name, about.get("source", rows[0].source), about.get("title", ""), about.get("url", ""), tuple(rows)
    )


def _toml_rows(text: str, where: str) -> tuple[dict[str, str], list[tuple[str, dict[str, Any]]]]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{where}: is no TOML: {error}") from None
    tables = data.pop("tables", None)
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise DataError(f"{where}: needs tables, each under the heading [[tables]]")
    _known(data, _PUBLICATION, where)
    about = {key: _text(value, f"{where}: {key}") for key, value in data.items()}
    if not about.get("source"):
        raise DataError(f"{where}: lacks source: where the numbers were published")
    return about, list(_rows_of_tables(tables, about["source"], where))


def _rows_of_tables(tables: list[dict[str, Any]], source: str, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, table in enumerate(tables, 1):
        place = f"{where}: table {number}"
        shared = {key: value for key, value in table.items() if key not in ("name", "rows")}
        name = _text(table.get("name", ""), f"{place}: name")
        if not name:
            raise DataError(f"{place}: lacks name: what the publication calls the table")
        rows = table.get("rows")
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise DataError(
                f"{place} ({name}): rows must be a list of tables, such as {{ method = ..., dataset = ... }}"
            )
        for line, row in enumerate(rows, 1):
            yield f"{place} ({name}), row {line}", {"source": source, "table": name, **shared, **row}


def _csv_rows(text: str, where: str) -> tuple[dict[str, str], list[tuple[str, dict[str, Any]]]]:
    reader = csv.DictReader(io.StringIO(text), strict=True)
    found: list[tuple[str, dict[str, Any]]] = []
    try:
        for row in reader:
            place = f"{where}, line {reader.line_num}"
            if None in row or None in row.values():
                raise DataError(f"{place}: has another number of cells than the head has")
            filled = {key: value.strip() for key, value in row.items() if value.strip()}
            for key in ("source", "table"):
                if key not in filled:
                    raise DataError(f"{place}: lacks {key}")
            found.append((place, {key: _csv_value(key, value, place) for key, value in filled.items()}))
    except csv.Error as error:
        raise DataError(f"{where}, line {reader.line_num}: is no CSV: {error}") from None
    return {}, found


def _csv_value(key: str, text: str, place: str) -> Any:
    if key not in MEASURES and key not in _COUNTS:
        return text
    try:
        return int(text) if key in _COUNTS else float(text)
    except ValueError:
        raise DataError(f'{place}: {key} must be a number; got "{text}"') from None


_READERS = {".toml": _toml_rows, ".csv": _csv_rows}


def _row(raw: Mapping[str, Any], place: str) -> Reported:
    """Check one row and put its numbers into the units of the columns."""
    _known(raw, ("source", "table", *_TEXTS, *_COUNTS, *MEASURES), place)
    texts = {key: _text(raw[key], f"{place}: {key}") for key in ("source", "table", *_TEXTS) if key in raw}
    for key in _REQUIRED:
        if not texts.get(key):
            raise DataError(f"{place}: lacks {key}")
    divisor = _UNITS[_one_of(texts.pop("unit", "share"), _UNITS, f"{place}: unit")]
    _one_of(texts.get("setting", "total"), _SETTINGS, f"{place}: setting")
    _one_of(texts.get("scenario", ""), ("", *Scenario), f"{place}: scenario")
    values = {key: _number(key, raw[key], divisor, f"{place}: {key}") for key in raw if key in MEASURES}
    if not values:
        raise DataError(
            f"{place}: holds no number; a number stands under the key of its measure, such as tog_loose_arog"
        )
    counts = {key: _count(raw[key], f"{place}: {key}") for key in _COUNTS if key in raw}
    given: dict[str, Any] = {**texts, **counts}
    return Reported(values=values, where=place, **given)


def _known(given: Mapping[str, Any], keys: tuple[str, ...], place: str) -> None:
    for key in given:
        if key not in keys:
            raise DataError(f"{place}: {unknown('key', key, keys)}")


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise DataError(f"{place} must be a text; got {value!r}")
    return value


def _one_of(text: str, choices: Mapping[str, float] | tuple[str, ...], place: str) -> str:
    if text not in choices:
        raise DataError(f'{place} is one of {", ".join(choice for choice in choices if choice)}; got "{text}"')
    return text


def _count(value: Any, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise DataError(f"{place} must be a whole number from 1; got {value!r}")
    return value


def _number(key: str, value: Any, divisor: float, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise DataError(f"{place} must be a number; got {value!r}")
    if MEASURES[key].kind is not Kind.SHARE:
        if value < 0:
            raise DataError(f"{place} must not be negative; got {value!r}")
        return float(value)
    share = value / divisor
    if not -1.0 <= share <= 1.0 or (share < 0 and key != "truthfulness"):
        hint = '; for percent, say unit = "percent"' if divisor == 1.0 and 1.0 < share <= 100.0 else ""
        raise DataError(f"{place} must be a share from 0 to 1{hint}; got {value!r}")
    return round(share, 6)
