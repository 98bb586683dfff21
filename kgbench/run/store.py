"""The folder of a run: written as things happen, never rewritten, readable after a kill at any byte.

``manifest.json`` is replaced atomically; ``records.jsonl`` and ``calls.jsonl`` are appended line by line and flushed; the
last line of a key wins and a torn last line is dropped.
"""

from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgbench.errors import DataError, PrerequisiteMissing, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from kgbench.types import JsonObject

MANIFEST, RECORDS, CALLS, GOLD, SCORES = "manifest.json", "records.jsonl", "calls.jsonl", "gold.jsonl", "scores.json"
LOCAL_CALLS = "calls.local.jsonl"
"""Calls of the LOCAL zone, which hold names; no page, bundle or export reads it."""
SCHEMA_VERSION = 1


_LINE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def dumps(value: Any) -> str:
    """One line of JSON; text that is no Unicode (lone surrogates) is escaped instead of failing."""
    text = _LINE.encode(value)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    # Line separators that are legal in JSON but that line readers split at.
    return text.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _pretty(value: Any) -> str:
    """A JSON document for people; text that is no Unicode is escaped, as in :func:`dumps`."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2, ensure_ascii=True)
    return text + "\n"


def write_atomically(path: Path, text: str) -> None:
    """Replace a file whole or not at all."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def read_lines(path: Path) -> Iterator[JsonObject]:
    """Yield the JSON objects of a file; a torn last line is dropped, a torn line elsewhere is an error with its number."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                value = json.loads(line)
            except ValueError:
                if not line.endswith(b"\n"):
                    return
                raise DataError(
                    f"{path}, line {number}: no JSON. Delete that line; the run can then be resumed or scored."
                ) from None
            if isinstance(value, dict):
                yield value


class Appender:
    """Appends JSON lines to a file, each whole and flushed; safe for threads.

    A torn last line left by a kill is cut off when the file is opened again.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        _cut_torn_line(path)
        self._file = path.open("a", encoding="utf-8", newline="\n")

    def append(self, value: JsonObject) -> None:
        """Append one object."""
        line = dumps(value) + "\n"
        with self._lock:
            self._file.write(line)
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()


def _cut_torn_line(path: Path) -> None:
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("rb+") as file:
        content_end = file.seek(0, os.SEEK_END)
        file.seek(content_end - 1)
        if file.read(1) == b"\n":
            return
        position = content_end
        while position > 0:
            step = min(65536, position)
            file.seek(position - step)
            cut = file.read(step).rfind(b"\n")
            if cut >= 0:
                file.truncate(position - step + cut + 1)
                return
            position -= step
        file.truncate(0)


@dataclass
class RunFolder:
    """One run on disk."""

    path: Path
    _appenders: dict[str, Appender] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def create(cls, out: Path, name: str) -> RunFolder:
        """Make a new folder, with ``-2``, ``-3`` ... where the name is taken."""
        try:
            out.mkdir(parents=True, exist_ok=True)
            number = 1
            while True:
                path = out / (name if number == 1 else f"{name}-{number}")
                try:
                    path.mkdir()
                except FileExistsError:
                    number += 1
                else:
                    return cls(path)
        except OSError as error:
            raise PrerequisiteMissing(
                f"cannot make a run folder in {out}: {error.strerror}; choose another --out"
            ) from None

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Open an existing run.

        Raises:
            UsageError: the folder is none, or holds no run.
        """
        if not (path / MANIFEST).is_file():
            near = (
                sorted(entry.parent.name for entry in path.parent.glob(f"*/{MANIFEST}")) if path.parent.is_dir() else []
            )
            known = f" Runs beside it: {', '.join(near[:8])}." if near else ""
            raise UsageError(f"{path} is no run folder: it has no {MANIFEST}.{known}")
        return cls(path)

    @property
    def run_id(self) -> str:
        """Name of the folder."""
        return self.path.name

    def manifest(self) -> JsonObject:
        """Read the manifest."""
        try:
            manifest = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
        except ValueError:
            raise DataError(f"{self.path / MANIFEST} is no JSON; the run cannot be read") from None
        if not isinstance(manifest, dict) or manifest.get("schema", 0) > SCHEMA_VERSION:
            raise DataError(f"{self.path / MANIFEST} was written by a newer kgbench; upgrade to read it")
        return manifest

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Replace the manifest atomically."""
        write_atomically(self.path / MANIFEST, _pretty(manifest))

    def append(self, name: str, value: JsonObject) -> None:
        """Append one line to a file of the run."""
        with self._lock:
            appender = self._appenders.get(name)
            if appender is None:
                appender = self._appenders[name] = Appender(self.path / name)
        appender.append(value)

    def write_lines(self, name: str, values: Iterable[JsonObject]) -> None:
        """Write a whole file of lines atomically."""
        write_atomically(self.path / name, "".join(dumps(value) + "\n" for value in values))

    def lines(self, name: str) -> Iterator[JsonObject]:
        """Read a file of lines."""
        return read_lines(self.path / name)

    def records(self) -> dict[tuple[str, int], JsonObject]:
        """Records by (question id, trial), the last line of a key winning."""
        found: dict[tuple[str, int], JsonObject] = {}
        for record in self.lines(RECORDS):
            found[(str(record["question_id"]), int(record["trial"]))] = record
        return found

    def scores(self) -> JsonObject:
        """The derived scores; empty where the run has none yet."""
        path = self.path / SCORES
        if not path.exists():
            return {}
        scores = json.loads(path.read_text(encoding="utf-8"))
        return scores if isinstance(scores, dict) else {}

    def write_scores(self, scores: Mapping[str, Any]) -> None:
        """Replace the scores atomically."""
        write_atomically(self.path / SCORES, _pretty(scores))

    def close(self) -> None:
        """Close every open file."""
        with self._lock:
            for appender in self._appenders.values():
                appender.close()
            self._appenders.clear()
