"""A run as a page reads it: settings, questions, records and calls; on a scrubbed page without what may name anything."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kgbench.report.measures import read_run
from kgbench.report.page.calls import CallFile
from kgbench.run.store import LOCAL_CALLS
from kgbench.scoring.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kgbench.report.measures import FinishedRun
    from kgbench.types import JsonObject

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
METRIC = "hits1"
"""What decides whether a question counts as right."""
_PATH = re.compile(r"(^|[:=@\s|+,(/])(?:~|[A-Za-z]:)?[\\/].*[\\/]")
"""From the beginning of an absolute path, or of an address behind its scheme, to its last separator."""
_FILTERED = "filtered"


@dataclass(frozen=True)
class PageRun:
    """One run of a page."""

    label: str
    """A letter."""
    run: FinishedRun
    """As read from its folder; on a scrubbed page with a label for its name and without paths and filters."""
    original: JsonObject
    """The manifest as it is."""
    calls: CallFile
    local_zone: bool
    """True where a model of the trusted zone was asked, whose calls no page reads."""

    def hits(self, question_id: str) -> list[float | None]:
        """The score of a question in each trial; None where the metric does not count it. No record is a miss."""
        gold, metric = self.run.loaded.golds[question_id], METRICS[METRIC]
        rows = [self._rows.get((question_id, trial)) for trial in range(self.run.trials)]
        items = [metric.item(row.question, row.scored, gold) if row else metric.item("", None, gold) for row in rows]
        return [metric.total([item]).value for item in items]

    @cached_property
    def _rows(self) -> Mapping[tuple[str, int], Any]:
        return {(row.question_id, row.trial): row for row in self.run.loaded.rows}


def open_run(path: Path, label: str, *, revealed: bool) -> PageRun:
    """Open a run for a page.

    Raises:
        UsageError: it is none.
        DataError: a file in it is damaged.
    """
    run = read_run(path)
    original = run.manifest
    if not revealed:
        run = replace(run, run_id=label, manifest=open_manifest(original))
    return PageRun(label, run, original, CallFile(path), (path / LOCAL_CALLS).exists())


def open_manifest(manifest: JsonObject) -> JsonObject:
    """A manifest that holds no path, no address, no filter and no question id."""
    spec, where = manifest["spec"], manifest["spec"].get("where") or ""
    spec = {key: _open_value(value) for key, value in spec.items()}
    spec |= {"where": _FILTERED if where else "", "base_url": None, "out": ""}
    signature = str(manifest["signature"])
    if manifest["spec"].get("base_url"):
        signature = signature.replace("@" + manifest["spec"]["base_url"], "")
    if where:
        signature = signature.replace(f"[{where}]", f"[{_FILTERED}]")
    kept = ("schema", "status", "spec_id", "key_id", "identifiers_public", "versions", "began", "ended")
    model = {"name": without_paths(str(manifest["model"]["name"])), "base_url": None}
    return {key: manifest[key] for key in kept if key in manifest} | {
        "spec": spec,
        "identity": {key: _open_value(value) for key, value in manifest["identity"].items()},
        "model": model | {"language_model": manifest["model"]["language_model"]},
        "signature": "|".join(without_paths(part) for part in signature.split("|")),
    }


def without_paths(text: str) -> str:
    """A text without absolute paths and addresses; of each the last part stays."""
    return _PATH.sub(r"\1", text)


def _open_value(value: Any) -> Any:
    if isinstance(value, str):
        return without_paths(value)
    if isinstance(value, dict):
        return {key: _open_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_open_value(item) for item in value]
    return value
