"""Reading a grid: a shipped one by name, or a file of one's own. Every fault is named with its file and key."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgbench.config import CONFIG_PACKAGE
from kgbench.errors import DataError, PrerequisiteMissing, UsageError
from kgbench.registry import unknown
from kgbench.report.columns import MEASURES
from kgbench.reproduce.grid import SETTINGS, DataChoice, Grid, Row
from kgbench.reproduce.numbers import KNOWN
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

ALL = "all"
"""Stands for every shipped grid."""
FIGURES = ("width-depth", "abstraction", "scenarios")
"""Pictures that a grid may name."""
CONDITIONS = ("kg", "kg_profile", "embedder", "pseudonyms")
"""Settings whose published value a grid may state; model, questions and trials stand with the published numbers."""
_FOLDER = "reproduce"
_SHARED = ("data", "kg", "model", "privacy", "run")
"""Tables of a config file that hold for every row."""
_TOP = ("grid", "row", "dataset", "conditions", "questions", *_SHARED)
_GRID_TEXTS = ("title", "published", "table", "filter", "figure")
_GRID_LISTS = ("scenarios", "settings", "measures", "beside", "notes", "notes_without_lm")
_ROW_TEXTS = ("label", "preset", "published")
_ROW_TABLES = ("method", "privacy", "model", "run")
_DATASET_KEYS = {"name": "dataset", "kg": "kg", "kg_profile": "kg_profile", "where": "where", "limit": "limit"}


def shipped_grids() -> list[str]:
    """Names of the grids that come with kgbench, tables before figures."""
    folder = files(CONFIG_PACKAGE).joinpath(_FOLDER)
    names = [entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")]
    return sorted(names, key=lambda name: (not name.startswith("table"), name))


def find_grids(name: str) -> list[Grid]:
    """Return the grid of a name or file, or all shipped ones for ``all``.

    Raises:
        UsageError: no such grid (with the nearest names).
        PrerequisiteMissing: the file cannot be read.
        DataError: the file breaks the form; the text names file and key.
    """
    if name == ALL:
        return [_shipped(one) for one in shipped_grids()]
    path = Path(name).expanduser()
    if path.suffix == ".toml":
        try:
            return [parse_grid(path.read_text(encoding="utf-8"), path.stem, name)]
        except OSError as error:
            raise PrerequisiteMissing(f"cannot read the grid {name}: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise DataError(f"{name}: byte {error.start} is no UTF-8; save the file as UTF-8") from None
    if name not in shipped_grids():
        known = [*shipped_grids(), ALL]
        raise UsageError(f"{unknown('table or figure', name, known)} (a grid of your own is a file: FILE.toml)")
    return [_shipped(name)]


def _shipped(name: str) -> Grid:
    text = files(CONFIG_PACKAGE).joinpath(_FOLDER, f"{name}.toml").read_text(encoding="utf-8")
    return parse_grid(text, name, f"{name}.toml")


def parse_grid(text: str, name: str, source: str) -> Grid:
    """Read the text of a grid file.

    Args:
        text: TOML.
        name: what the grid goes by.
        source: the file, for messages.

    Raises:
        DataError: it breaks the form; the text names file and key.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{source}: is no TOML: {error}") from None
    _known(data, _TOP, source)
    head = _table(data.get("grid", {}), f"{source}: grid")
    _known(head, (*_GRID_TEXTS, *_GRID_LISTS), f"{source}: grid")
    texts = {key: _text(head[key], f"{source}: grid.{key}") for key in _GRID_TEXTS if key in head}
    lists = {key: _texts(head[key], f"{source}: grid.{key}") for key in _GRID_LISTS if key in head}
    _check_head(texts, lists, source)
    settings: dict[str, Any] = {**texts, **lists}
    if "scenarios" in lists:
        settings["scenarios"] = tuple(Scenario(text) for text in lists["scenarios"])
    return Grid(
        name=name,
        source=source,
        rows=_rows(data.get("row"), source),
        datasets=tuple(_dataset(one, number, source) for number, one in _numbered(data, "dataset", source)),
        conditions=_conditions(data.get("conditions", {}), f"{source}: conditions"),
        questions=_questions(data.get("questions", {}), f"{source}: questions"),
        tables={key: _table(data[key], f"{source}: {key}") for key in _SHARED if key in data},
        **settings,
    )


def _check_head(texts: Mapping[str, str], lists: Mapping[str, tuple[str, ...]], source: str) -> None:
    _each_of(lists.get("scenarios", ()), tuple(Scenario), f"{source}: grid.scenarios")
    _each_of(lists.get("settings", ()), SETTINGS, f"{source}: grid.settings")
    for key in ("measures", "beside"):
        for name in lists.get(key, ()):
            if name not in KNOWN:
                raise DataError(f"{source}: grid.{key}: {unknown('measure', name, KNOWN)}")
    if len({MEASURES[name].kind for name in lists.get("measures", ())}) > 1:
        raise DataError(f"{source}: grid.measures: all of one kind: shares, or numbers a question, not both")
    for key in ("scenarios", "settings", "measures"):
        if key in lists and not lists[key]:
            raise DataError(f"{source}: grid.{key} must not be empty; leave the key out for the default")
    if texts.get("figure"):
        _each_of((texts["figure"],), FIGURES, f"{source}: grid.figure")
    if bool(texts.get("published")) is not bool(texts.get("table")):
        raise DataError(
            f"{source}: grid.published and grid.table belong together: which numbers, and which table of them"
        )


def _rows(given: object, source: str) -> tuple[Row, ...]:
    if not isinstance(given, list) or not given:
        raise DataError(f"{source}: holds no row; a row is a table under the heading [[row]]")
    rows = tuple(_row(_table(raw, f"{source}: row {number}"), number, source) for number, raw in enumerate(given, 1))
    seen: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        if row.label in seen:
            raise DataError(f'{source}: row {number}: label "{row.label}" is that of row {seen[row.label]}')
        seen[row.label] = number
    return rows


def _row(raw: Mapping[str, Any], number: int, source: str) -> Row:
    place = f"{source}: row {number}"
    _known(raw, (*_ROW_TEXTS, "scenarios", "optional", *_ROW_TABLES), place)
    texts = {key: _text(raw[key], f"{place}: {key}") for key in _ROW_TEXTS if key in raw}
    tables = {key: _table(raw[key], f"{place}: {key}") for key in _ROW_TABLES if key in raw}
    scenarios = _texts(raw.get("scenarios", []), f"{place}: scenarios")
    _each_of(scenarios, tuple(Scenario), f"{place}: scenarios")
    optional = raw.get("optional", False)
    if not isinstance(optional, bool):
        raise DataError(f"{place}: optional is true or false; got {optional!r}")
    subject = texts.get("preset") or tables.get("method", {}).get("name")
    if not subject:
        raise DataError(f'{place}: lacks a method: preset = "NAME", or a table [row.method] with name = "NAME"')
    if optional and "name" not in tables.get("method", {}):
        raise DataError(f"{place}: an optional row names its method in [row.method]")
    return Row(
        label=texts.get("label") or str(subject),
        where=place,
        preset=texts.get("preset"),
        tables=tables,
        scenarios=tuple(map(Scenario, scenarios)),
        published=texts.get("published", str(subject)),
        optional=optional,
    )


def _numbered(data: Mapping[str, Any], key: str, source: str) -> list[tuple[int, object]]:
    given = data.get(key, [])
    if not isinstance(given, list):
        raise DataError(f"{source}: {key} must be tables under the heading [[{key}]]")
    return list(enumerate(given, 1))


def _dataset(raw: object, number: int, source: str) -> DataChoice:
    place = f"{source}: dataset {number}"
    given = _table(raw, place)
    _known(given, _DATASET_KEYS, place)
    if "name" not in given:
        raise DataError(f'{place}: lacks name, such as name = "demo" or name = "jsonl:FILE"')
    return DataChoice({_DATASET_KEYS[key]: value for key, value in given.items()})


def _conditions(given: object, place: str) -> dict[str, str]:
    table = _table(given, place)
    _known(table, CONDITIONS, place)
    return {key: _text(value, f"{place}.{key}") for key, value in table.items()}


def _questions(given: object, place: str) -> dict[str, int]:
    table = _table(given, place)
    for key, value in table.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise DataError(f"{place}.{key} must be a whole number from 1; got {value!r}")
    return dict(table)


def _known(given: Mapping[str, Any], keys: Collection[str], place: str) -> None:
    for key in given:
        if key not in keys:
            raise DataError(f"{place}: {unknown('key', key, keys)}")


def _table(value: object, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"{place} must be a table of keys and values; got {value!r}")
    return value


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise DataError(f"{place} must be a text; got {value!r}")
    return value


def _texts(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise DataError(f"{place} must be a list of texts; got {value!r}")
    return tuple(dict.fromkeys(value))


def _each_of(given: Collection[str], choices: Collection[str], place: str) -> None:
    for text in given:
        if text not in choices:
            raise DataError(f"{place}: {unknown('choice', text, choices)}")
