"""The runs that are there already: which of them is the one wanted, how much of it is left to do, and what it has cost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from kgbench.errors import KgbenchError
from kgbench.llm.prices import load_prices
from kgbench.run.store import CALLS, LOCAL_CALLS, MANIFEST, RunFolder
from kgbench.types import RETRIED_ON_RESUME, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kgbench.types import JsonObject

FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a run is."""

    path: Path
    planned: int
    """Questions times trials."""
    answered: int
    """Of these, how many a resumed run leaves as they are."""
    finished: bool
    """True where nothing is left to do."""
    usd: float | None
    """What it has cost so far; None where a price is unknown."""
    leaks: int = 0
    """Protected names that its requests would have shown so far."""


@dataclass
class Shelf:
    """The runs in a folder, by what they are runs of. The manifests are read once."""

    out: Path
    """The folder of run folders."""
    key_id: str | None
    """Id of the pseudonym key; None where there is no key yet, and so no run by it."""

    def find(self, spec_id: str) -> Standing | None:
        """Return the run of a spec that is furthest on; None where there is none.

        A run made with another pseudonym key is another run. A folder that cannot be read is none.
        """
        fitting = [entry for entry in self._manifests if entry[1].get("spec_id") == spec_id]
        found = [standing_of(path, manifest) for path, manifest in fitting if manifest.get("key_id") == self.key_id]
        # The first by name wins among equals, so that every look finds the same one.
        return max(found, key=lambda one: (one.finished, one.answered), default=None)

    @cached_property
    def _manifests(self) -> list[tuple[Path, JsonObject]]:
        found = []
        for file in sorted(self.out.glob(f"*/{MANIFEST}")):
            try:
                found.append((file.parent, RunFolder(file.parent).manifest()))
            except (KgbenchError, OSError):
                continue
        return found


def standing_of(path: Path, manifest: JsonObject | None = None) -> Standing:
    """Tell how far a run is.

    Args:
        path: its folder.
        manifest: its manifest, where it has been read already.

    Raises:
        DataError: a file in it is damaged.
    """
    folder = RunFolder(path)
    manifest = manifest or folder.manifest()
    planned = len(manifest["questions"]) * int(manifest["spec"]["trials"])
    records = folder.records()
    answered = sum(record["status"] not in tuple(RETRIED_ON_RESUME) for record in records.values())
    finished = manifest["status"] == FINISHED and answered == planned
    leaks = sum(record["audit"].get("leaks", 0) for record in records.values())
    return Standing(path, planned, answered, finished, _cost(folder, manifest, records), leaks)


def _cost(folder: RunFolder, manifest: JsonObject, records: dict[tuple[str, int], JsonObject]) -> float | None:
    costs = [record["total"]["billed_usd"] for record in records.values()]
    if manifest.get("setup"):
        costs.append(manifest["setup"]["billed_usd"])
    if manifest["status"] != FINISHED:
        costs += _calls_without_record(folder, records)
    return None if any(cost is None for cost in costs) else float(sum(costs))


def _calls_without_record(folder: RunFolder, records: dict[tuple[str, int], JsonObject]) -> Iterator[float | None]:
    """What calls have cost whose question was interrupted: they are served again on resume, and paid once."""
    prices = load_prices()
    for name in (CALLS, LOCAL_CALLS):
        for call in folder.lines(name):
            key = (str(call["question_id"]), int(call["trial"]))
            if key not in records and "usage" in call:
                yield prices.cost(call["usage"]["priced_as"], Usage(**call["usage"]["billed"]))
