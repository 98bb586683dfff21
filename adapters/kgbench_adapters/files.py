"""Reads files of a graph: plain or gzip, hashed while they are read, TSV lines checked and bad ones reported.

Lenient reading skips a bad line and reports file, line and reason; strict reading stops at it.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from kgbench.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_KEPT = 100
"""Skipped lines that a report holds one by one; the rest are counted."""


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line that was left out. Holds nothing of the line itself: it may name what is private."""

    file: str
    line: int
    """Counted from 1; 0 where the file has no lines to count."""
    reason: str

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}: {self.reason}"


@dataclass
class ReadReport:
    """What was read of a graph's files, and what was left out."""

    strict: bool = False
    """True where a bad line is an error."""
    skipped_count: int = 0
    skipped: list[SkippedLine] = field(default_factory=list)
    """The first skipped lines, at most 100."""
    warnings: list[str] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    """Role of a file (``triples``, ``entities``, ...) -> SHA-256 of its content, unpacked."""

    def skip(self, path: Path, line: int, reason: str) -> None:
        """Count a bad line.

        Raises:
            DataError: in strict mode.
        """
        entry = SkippedLine(path.name, line, reason)
        if self.strict:
            raise DataError(f"{entry}. Mend the line, or leave strict mode to skip such lines")
        self.skipped_count += 1
        if len(self.skipped) < _KEPT:
            self.skipped.append(entry)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the content of all files read; neither names, paths, dates nor packing enter."""
        lines = "".join(f"{role} {digest}\n" for role, digest in sorted(self.digests.items()))
        return hashlib.sha256(lines.encode()).hexdigest()

    def all_warnings(self) -> list[str]:
        """Every warning as one sentence, skipped lines included."""
        if not self.skipped_count:
            return list(self.warnings)
        first = "; ".join(map(str, self.skipped[:3]))
        return [*self.warnings, f"skipped {self.skipped_count} bad lines of the graph's files, the first: {first}"]


class HashingReader(io.RawIOBase):
    """A byte stream that counts and hashes what passes."""

    def __init__(self, source: BinaryIO) -> None:
        super().__init__()
        self._source = source
        self._hash = hashlib.sha256()
        self.size = 0

    def readable(self) -> bool:
        """True: the stream can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill ``buffer`` with the next bytes and return how many there were."""
        data = self._source.read(len(buffer))
        buffer[: len(data)] = data
        self._hash.update(data)
        self.size += len(data)
        return len(data)

    def hexdigest(self) -> str:
        """SHA-256 of all bytes read so far."""
        return self._hash.hexdigest()


@contextmanager
def open_hashed(path: Path, role: str, report: ReadReport) -> Iterator[HashingReader]:
    """Open a file, unpacked where its name ends in ``.gz``; at the end its digest is in the report.

    Raises:
        DataError: the file cannot be read or unpacked.
    """
    try:
        with _open_bytes(path) as source:
            reader = HashingReader(source)
            yield reader
            while reader.read(1 << 20):
                pass  # a parser may stop before the end; the digest covers the whole file
            report.digests[role] = reader.hexdigest()
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{path.name} cannot be unpacked ({type(error).__name__}); the gzip file is damaged") from error
    except OSError as error:
        raise DataError(f"{path.name} cannot be read: {error.strerror or type(error).__name__}") from error
    if not reader.size:
        report.warnings.append(f"{path.name} is empty")


def _open_bytes(path: Path) -> BinaryIO:
    # The content decides nothing here: a plain file named .gz is a damaged file, and said to be one.
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def read_rows(path: Path, role: str, fields: range, report: ReadReport) -> Iterator[tuple[int, list[str]]]:
    """Read the rows of a TSV file: UTF-8, no quoting; escapes are left to the caller, who knows which values are literals.

    Args:
        path: the file.
        role: what the file is, for the fingerprint.
        fields: the numbers of fields that a row may have.
        report: where bad lines are counted: wrong field count, empty first field, not UTF-8.

    Yields:
        (line number, fields); empty lines are passed over in silence.
    """
    with open_hashed(path, role, report) as reader:
        lines = io.BufferedReader(reader, 1 << 16)
        for number, raw in enumerate(lines, start=1):
            line = _decoded(raw, number)
            if line == "":
                continue
            row = [] if line is None else line.split("\t")
            reason = _fault(line, row, fields)
            if reason:
                report.skip(path, number, reason)
            else:
                yield number, row
        lines.detach()  # else the buffer closes the reader, which still has its digest to give


def _decoded(raw: bytes, number: int) -> str | None:
    try:
        line = raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        return None
    return line.removeprefix("\ufeff") if number == 1 else line


def _fault(line: str | None, row: list[str], fields: range) -> str:
    if line is None:
        return "not UTF-8"
    if len(row) not in fields:
        wanted = " or ".join(map(str, fields))
        return f"{len(row)} fields in place of {wanted} (fields are separated by one tab)"
    return "" if row[0] else "empty id"


def unescape(value: str) -> str:
    r"""Undo ``\t`` and ``\n`` in a value; any other backslash is itself."""
    return value.replace("\\t", "\t").replace("\\n", "\n") if "\\" in value else value


def digest_of(path: Path) -> str:
    """SHA-256 of a file's content, unpacked: the digest that reading it leaves in a report."""
    report = ReadReport()
    with open_hashed(path, "file", report):
        pass
    return report.digests["file"]
