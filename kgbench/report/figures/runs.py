"""The scores of a run as figures read them: ``scores.json`` alone, no record, no model, no graph."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgbench.errors import DataError, UsageError
from kgbench.run.results import SCORES_SCHEMA
from kgbench.run.store import SCORES

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.types import JsonObject

MOST_ERRORS = 0.01
"""Share of errors above which a run is marked, as in the leaderboard."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number of a run with its 95 % interval."""

    value: float | None
    """None: not measured. Never to be shown as 0."""
    low: float | None = None
    high: float | None = None
    n: int = 0
    """Questions, or questions and trials, that it is a mean over."""


NOT_MEASURED = Value(None)


@dataclass(frozen=True)
class RunScores:
    """One run's ``scores.json``."""

    source: str
    """The file that it was read from, for messages."""
    data: JsonObject

    @property
    def header(self) -> JsonObject:
        """What was run: settings, contents, versions."""
        header: JsonObject = self.data["run"]
        return header

    def text(self, name: str) -> str:
        """A field of the header as text; empty where there is none."""
        value = self.header.get(name)
        return "" if value is None else str(value)

    @property
    def run_id(self) -> str:
        """Name of the run."""
        return self.text("run_id")

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Every parameter of the method, defaults included."""
        parameters: Mapping[str, Any] = self.header["parameters"]["effective"]
        return parameters

    @property
    def lm(self) -> bool:
        """True where the model is a language model."""
        return bool(self.header["lm"])

    @property
    def n(self) -> int:
        """Questions asked."""
        return int(self.header["n"])

    def measure(self, *path: str) -> Value:
        """A number by the keys that lead to it, such as ``("hits1",)`` or ``("usage", "stages", "judge", "calls")``."""
        entry: Any = self.data
        for key in path:
            entry = entry.get(key) if isinstance(entry, Mapping) else None
        return value_of(entry)

    def part(self, *path: str) -> Mapping[str, Any]:
        """A part of the file by the keys that lead to it; empty where it is not there."""
        entry: Any = self.data
        for key in path:
            entry = entry.get(key) if isinstance(entry, Mapping) else None
        return entry if isinstance(entry, Mapping) else {}

    @property
    def doubtful(self) -> str:
        """Why the run's numbers are to be read with care; empty where they are not."""
        if self.text("status") != "finished":
            return "not finished"
        errors = self.measure("error_rate").value
        return f"{errors:.1%} errors" if errors is not None and errors > MOST_ERRORS else ""


def value_of(entry: object) -> Value:
    """Read ``{"value", "ci", "n"}``; what is absent or malformed was not measured."""
    if not isinstance(entry, Mapping):
        return NOT_MEASURED
    value, interval = _number(entry.get("value")), entry.get("ci")
    low = high = None
    if isinstance(interval, Sequence) and len(interval) == 2:
        low, high = map(_number, interval)
    return Value(value, low, high, int(_number(entry.get("n")) or 0))


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def read_scores(path: Path) -> RunScores:
    """Read the scores of a run.

    Args:
        path: the run's folder, or a file that was its ``scores.json``.

    Raises:
        UsageError: there is no such file, or the run was not scored by this version.
        DataError: it is damaged, or from a newer kgbench.
    """
    file = path / SCORES if path.is_dir() else path
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError:
        raise UsageError(f"{path} has no {SCORES}; score the run first: kgbench score {path}") from None
    except ValueError:
        raise DataError(f"{file} is no JSON; make it again: kgbench score RUN") from None
    if not isinstance(data, dict) or not isinstance(data.get("run"), dict):
        raise UsageError(f"{file} does not say which run it is of; make it again: kgbench score RUN")
    if int(_number(data.get("schema")) or 0) > SCORES_SCHEMA:
        raise DataError(f"{file} was written by a newer kgbench; upgrade to read it")
    if lacking := _lacking(data["run"]):
        raise DataError(f"{file}: its header lacks {', '.join(lacking)}; make it again: kgbench score RUN")
    return RunScores(str(file), data)


def _lacking(header: JsonObject) -> list[str]:
    """What a header must say and does not."""
    known = {"run_id": str, "spec_id": str, "method": str, "scenario": str, "dataset": str, "lm": bool, "n": int}
    lacking = [name for name, kind in known.items() if not isinstance(header.get(name), kind)]
    parameters = header.get("parameters")
    told = isinstance(parameters, dict) and all(
        isinstance(parameters.get(key), dict) for key in ("changed", "effective")
    )
    return lacking if told else [*lacking, "parameters"]
