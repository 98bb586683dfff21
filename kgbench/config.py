"""Reading settings: defaults < config file < ``--set`` < options.

A config is TOML with the tables ``method model data kg privacy run``; ``--set method.width=2`` names the same keys.
"""

from __future__ import annotations

import difflib
import json
import tomllib
import types
import typing
from dataclasses import MISSING, fields, is_dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

from kgbench.errors import UsageError
from kgbench.spec import RunSpec
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CONFIG_PACKAGE = "kgbench_configs"
_KEYS = {item.metadata["key"]: item.name for item in fields(RunSpec) if item.name != "parameters"}
_CHOICES: dict[str, tuple[str, ...]] = {
    "setting": ("total", "filtered"),
    "pseudonyms": ("keyed", "source-id"),
    "pseudonym_scope": ("question", "run"),
    "literals": ("handle", "typed", "plain"),
    "topic_names": ("mention", "label", "mask"),
    "executor": ("threads",),
    "cache": ("on", "off", "read", "refresh"),
    "scenario": tuple(Scenario),
    "split": ("test", "train", "dev"),
    "gold": ("expanded", "single", "aliases"),
    "hide": ("crucial",),
}
_AT_LEAST = {"trials": 1, "jobs": 1, "limit": 1, "thin": 0, "thin_seed": 0}
_ZERO_IS_UNSET = ("thin", "thin_seed")
"""Settings whose 0 says what leaving them out says: both must give one run."""


def build_spec(
    options: Mapping[str, Any],
    *,
    config: str | None = None,
    tables: Iterable[tuple[str, Mapping[str, Any]]] = (),
    assignments: Iterable[str] = (),
) -> RunSpec:
    """Build a spec from a config file, tables of its form, ``--set`` assignments and options, the later winning.

    Args:
        options: spec field -> value, only those that the user gave.
        config: path of a TOML file, or the name of a shipped preset.
        tables: where they stand, for messages, and tables as a config file has them.
        assignments: ``table.key=value`` texts.

    Raises:
        UsageError: an unknown key, a value of the wrong type, or one out of range.
    """
    settings: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    if config is not None:
        _merge(read_config(config), settings, parameters, f'config "{config}"')
    for where, content in tables:
        _merge(content, settings, parameters, where)
    for assignment in assignments:
        key, value = parse_assignment(assignment)
        _merge_one(key, value, settings, parameters, f"--set {assignment}")
    settings.update(options)
    spec_values = {name: _checked(name, value) for name, value in settings.items()}
    return RunSpec(parameters=parameters, **spec_values)


def read_config(name: str) -> dict[str, Any]:
    """Read a config file, or a shipped preset by name.

    Raises:
        UsageError: no such file or preset, or it is no TOML.
    """
    path = Path(name)
    if path.suffix == ".toml" or path.exists():
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot read the config {name}: {error.strerror}") from None
    else:
        text = _preset(name)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f'config "{name}" is no TOML: {error}') from None


def preset_names() -> list[str]:
    """Names of the shipped presets."""
    folder = files(CONFIG_PACKAGE).joinpath("methods")
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def _preset(name: str) -> str:
    if name not in preset_names():
        near = difflib.get_close_matches(name, preset_names(), n=2)
        hint = f"did you mean {' or '.join(near)}?" if near else f"shipped presets: {', '.join(preset_names())}"
        raise UsageError(f'there is no config file or preset "{name}"; {hint}')
    return files(CONFIG_PACKAGE).joinpath("methods", f"{name}.toml").read_text(encoding="utf-8")


def parse_assignment(text: str) -> tuple[str, Any]:
    """Split ``table.key=value``; the value is read as TOML, and as a text where it is none."""
    key, equals, value = text.partition("=")
    if not equals or "." not in key:
        raise UsageError(f'--set takes table.key=value, such as method.width=2; got "{text}"')
    try:
        return key.strip(), tomllib.loads(f"value = {value.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def _merge(tables: Mapping[str, Any], settings: dict[str, Any], parameters: dict[str, Any], where: str) -> None:
    for table, content in tables.items():
        if not isinstance(content, dict):
            raise UsageError(f'{where}: "{table}" must be a table such as [method]; found a single value')
        for key, value in content.items():
            _merge_one(f"{table}.{key}", value, settings, parameters, where)


def _merge_one(key: str, value: Any, settings: dict[str, Any], parameters: dict[str, Any], where: str) -> None:
    if key in _KEYS:
        settings[_KEYS[key]] = value
    elif key.startswith("method."):
        parameters[key.removeprefix("method.")] = value
    else:
        near = difflib.get_close_matches(key, _KEYS, n=2)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known keys: method.*, {', '.join(sorted(_KEYS))}"
        raise UsageError(f'{where}: there is no setting "{key}"; {hint}')


def _checked(name: str, value: Any) -> Any:
    """Check one setting against its field: type, choices, range."""
    hint = typing.get_type_hints(RunSpec)[name]
    item = next(item for item in fields(RunSpec) if item.name == name)
    value = convert(value, hint, f'setting "{item.metadata["key"]}"')
    if name in _CHOICES and value is not None and str(value) not in _CHOICES[name]:
        near = difflib.get_close_matches(str(value), _CHOICES[name], n=1)
        guess = f" Did you mean {near[0]}?" if near else ""
        raise UsageError(f'{item.metadata["key"]} is one of {", ".join(_CHOICES[name])}; got "{value}".{guess}')
    if name in _AT_LEAST and value is not None and value < _AT_LEAST[name]:
        raise UsageError(f"{item.metadata['key']} must be at least {_AT_LEAST[name]}; got {value}")
    if name in _ZERO_IS_UNSET and not value:
        return None
    if name == "thin" and value >= 1:
        raise UsageError(f"kg.thin is a share of the facts, at least 0 and below 1; got {value}")
    if name == "shield" and value:
        raise UsageError("shields are not in this version: leave privacy.shield empty")
    return value


def method_parameters(kind: type | None, given: Mapping[str, Any], method: str) -> Any:
    """Build a method's parameter object; unknown keys and wrong types fail before the first paid call.

    Raises:
        UsageError: an unknown key (with the nearest one) or a value of the wrong type or range.
    """
    if kind is None:
        if given:
            raise UsageError(f'method "{method}" has no parameters; got {", ".join(sorted(given))}')
        return None
    assert is_dataclass(kind)  # noqa: S101
    try:
        hints = typing.get_type_hints(kind)
    except NameError as error:
        raise UsageError(
            f'method "{method}": the annotations of its parameters cannot be read ({error}); import these types outside '
            "TYPE_CHECKING"
        ) from None
    known = {item.name for item in fields(kind)}
    values = {}
    for key, value in given.items():
        if key not in known:
            near = difflib.get_close_matches(key, sorted(known), n=1)
            hint = f"did you mean {near[0]}?" if near else f"it has: {', '.join(sorted(known))}"
            raise UsageError(f'method "{method}" has no parameter "{key}"; {hint}')
        values[key] = convert(value, hints[key], f'parameter "method.{key}"')
    try:
        return kind(**values)
    except ValueError as error:
        raise UsageError(f'method "{method}": {error}') from None


def parameter_values(parameters: Any) -> dict[str, Any]:
    """Every parameter with its value, JSON-ready."""
    if parameters is None:
        return {}
    return {
        item.name: json.loads(json.dumps(getattr(parameters, item.name), default=str)) for item in fields(parameters)
    }


def parameter_defaults(kind: type | None) -> dict[str, Any]:
    """Name -> default of every parameter of a method."""
    if kind is None:
        return {}
    assert is_dataclass(kind)  # noqa: S101
    return {item.name: None if item.default is MISSING else item.default for item in fields(kind)}


def convert(value: Any, hint: Any, what: str) -> Any:
    """Convert a TOML value to an annotated type: scalars, literals, optional ones and tuples.

    Raises:
        UsageError: the value is of another type.
    """
    origin = get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _convert_union(value, get_args(hint), what)
    if origin is typing.Literal:
        if value not in get_args(hint):
            raise UsageError(f'{what} is one of {", ".join(map(str, get_args(hint)))}; got "{value}"')
        return value
    if origin is tuple:
        items = value if isinstance(value, (list, tuple)) else [value]
        inner = get_args(hint)[0]
        return tuple(convert(item, inner, what) for item in items)
    if isinstance(hint, type) and issubclass(hint, Scenario):
        if str(value) not in tuple(Scenario):
            raise UsageError(f'{what} is one of {", ".join(Scenario)}; got "{value}"')
        return Scenario(str(value))
    return _convert_scalar(value, hint, what)


def _convert_union(value: Any, options: tuple[Any, ...], what: str) -> Any:
    if value is None and type(None) in options:
        return None
    errors: list[UsageError] = []
    for option in options:
        if option is type(None):
            continue
        try:
            return convert(value, option, what)
        except UsageError as error:
            errors.append(error)
    raise errors[0]


def _convert_scalar(value: Any, hint: Any, what: str) -> Any:
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint is bool and isinstance(value, str) and value.lower() in {"on", "off"}:
        return value.lower() == "on"
    if isinstance(hint, type) and isinstance(value, hint) and not (hint is int and isinstance(value, bool)):
        return value
    name = getattr(hint, "__name__", str(hint))
    raise UsageError(f'{what} takes {name}; got "{value}" ({type(value).__name__})')
