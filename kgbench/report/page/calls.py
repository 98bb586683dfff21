"""The recorded calls of a run, found by question without holding them all in memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kgbench.errors import DataError
from kgbench.run.answer import SETUP
from kgbench.run.store import CALLS
from kgbench.types import Zone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kgbench.types import JsonObject

__all__ = ["SETUP", "CallFile"]


class CallFile:
    """Calls of the REMOTE zone by question and trial. Entries of any other zone are passed over: they hold names.

    Args:
        folder: of the run.

    Raises:
        DataError: a line other than a torn last one is no JSON.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / CALLS
        self.exists = self._path.is_file()
        self._places: dict[tuple[str, int], list[tuple[int, int]]] = {}
        if self.exists:
            self._read_places()

    def _read_places(self) -> None:
        begin = 0
        with self._path.open("rb") as file:
            for number, line in enumerate(file, 1):
                call = self._parsed(line, number)
                if call is not None:
                    key = (str(call.get("question_id")), int(call.get("trial", 0)))
                    self._places.setdefault(key, []).append((begin, len(line)))
                begin += len(line)

    def _parsed(self, line: bytes, number: int) -> JsonObject | None:
        try:
            call = json.loads(line)
        except ValueError:
            if not line.endswith(b"\n"):  # torn by a kill
                return None
            raise DataError(
                f"{self._path}, line {number}: no JSON. Delete that line; the run can then be read."
            ) from None
        return call if isinstance(call, dict) and call.get("zone") == Zone.REMOTE else None

    def of(self, question_id: str, trials: int) -> dict[int, list[JsonObject]]:
        """The calls of a question by trial, in the order in which they were made; of one number, in that of the file."""
        found = {}
        for trial in range(trials):
            calls = list(self._read(self._places.get((question_id, trial), [])))
            found[trial] = sorted(calls, key=lambda call: int(call.get("call", 0)))
        return found

    def _read(self, places: list[tuple[int, int]]) -> Iterator[JsonObject]:
        if not places:
            return
        with self._path.open("rb") as file:
            for begin, length in places:
                file.seek(begin)
                yield json.loads(file.read(length))
