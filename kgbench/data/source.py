"""Reads a data file once: its bytes, its hash, its records, and the faults found in them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

from kgbench.data.fields import RecordFault, type_name
from kgbench.data.records import LoadReport, require_unique
from kgbench.errors import DataError, PrerequisiteMissing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kgbench.types import JsonObject, QuestionRecord

FAULTS_SHOWN = 20
_ID_FIELDS = ("id", "ID", "QuestionId", "qid")


class Origin(Protocol):
    """Where records come from: a file, or several that make one."""

    @property
    def name(self) -> str:
        """Name of the file, without its folder."""

    @property
    def sha256(self) -> str:
        """Hash of the content, in hex."""

    def error(self, what: str) -> DataError:
        """An error about the file as a whole."""


class Row(NamedTuple):
    """One record of a file and where it stands."""

    place: str
    """Such as `line 7` or `record 7`."""
    value: object
    """The parsed JSON, or the fault that kept it from being parsed."""


@dataclass(frozen=True)
class SourceFile:
    """A data file as read."""

    name: str
    data: bytes

    @cached_property
    def sha256(self) -> str:
        """Hash of the bytes, in hex."""
        return hashlib.sha256(self.data).hexdigest()

    def error(self, what: str) -> DataError:
        """An error about the file as a whole."""
        return DataError(f"{self.name}: {what}")

    def json(self) -> object:
        """The file's content as one JSON value.

        Raises:
            DataError: not UTF-8 or not JSON, with line and column.
        """
        try:
            return json.loads(self.data.decode("utf-8-sig"), parse_constant=_refuse_constant)
        except UnicodeDecodeError as error:
            raise self.error(f"not UTF-8 at byte {error.start}; save the file as UTF-8") from None
        except json.JSONDecodeError as error:
            raise self.error(f"line {error.lineno}, column {error.colno}: not JSON ({error.msg})") from None
        except (ValueError, RecursionError) as error:
            raise self.error(_beyond_bounds(error)) from None
        except RecordFault as fault:
            raise self.error(str(fault)) from None

    def records(self, key: str | None = None) -> list[Row]:
        """The records of a file that is one JSON list, or an object that holds the list under `key`.

        Raises:
            DataError: not JSON, or no list.
        """
        content = self.json()
        if key is not None and isinstance(content, dict):
            content = content.get(key)
        if not isinstance(content, list):
            raise self.error(f"expected a list of records, found {type_name(content)}")
        return [Row(f"record {number}", value) for number, value in enumerate(content, start=1)]

    def lines(self) -> list[Row]:
        """The records of a JSONL file; blank lines are passed over, a line that is no JSON holds its fault."""
        rows: list[Row] = []
        for number, line in enumerate(self.data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
            if line.strip():
                rows.append(Row(f"line {number}", _parsed(line)))
        return rows


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        return RecordFault(f"not UTF-8 at byte {error.start}")
    except json.JSONDecodeError as error:
        return RecordFault(f"not JSON at column {error.colno} ({error.msg})")
    except (ValueError, RecursionError) as error:
        return RecordFault(_beyond_bounds(error))
    except RecordFault as fault:
        return fault


def _beyond_bounds(error: ValueError | RecursionError) -> str:
    """What is wrong with JSON that Python's reader gives up on though its grammar allows it."""
    return "JSON nested too deeply" if isinstance(error, RecursionError) else "a number with too many digits"


def _refuse_constant(constant: str) -> object:
    raise RecordFault(f"{constant} is no JSON value")


def open_source(path: Path) -> SourceFile:
    """Reads a file.

    Raises:
        PrerequisiteMissing: there is no such file.
    """
    if not path.is_file():
        what = "is a folder, not a file" if path.is_dir() else "is not there"
        raise PrerequisiteMissing(f"{path} {what}; check the path of the data set")
    return SourceFile(path.name, path.read_bytes())


@dataclass
class Reading:
    """The records of a file while they are read."""

    file: Origin
    strict: bool = True
    """Faults stop the load; else the record is dropped and reported."""
    questions: list[QuestionRecord] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)
    """Place and fault of each record that could not be read."""
    ids: dict[str, str] = field(default_factory=dict)
    """Place -> question id, of those among them that have one."""
    notes: list[str] = field(default_factory=list)
    total: int = 0
    beside: list[SourceFile] = field(default_factory=list)
    """Further files that decide what a record says, such as one with more names of answers."""

    def read(self, rows: Iterable[Row], make: RecordMaker) -> None:
        """Makes a record of each row, collecting all faults before any is raised.

        Raises:
            DataError: in strict mode, with every fault and its place (the first 20 of them).
        """
        seen: dict[str, str] = {}
        for row in rows:
            self.total += 1
            try:
                record = make(_as_object(row.value))
                require_unique(record.question.id, row.place, seen)
                self.questions.append(record)
            except RecordFault as fault:
                self.faults.append((row.place, str(fault)))
                if (given := _given_id(row.value)) is not None:
                    self.ids[row.place] = given
        if self.faults and self.strict:
            raise self.file.error(_listing(self.faults))

    @property
    def sha256(self) -> str:
        """Hash of the file; over the hashes of all files where others were read beside it."""
        if not self.beside:
            return self.file.sha256
        digests = [self.file.sha256, *(file.sha256 for file in self.beside)]
        return hashlib.sha256("\n".join(digests).encode()).hexdigest()

    def _where(self, place: str) -> str:
        return f"{place} ({self.ids[place]})" if place in self.ids else place

    def report(self) -> LoadReport:
        """What became of the records."""
        return LoadReport(
            file=self.file.name,
            sha256=self.sha256,
            records=self.total,
            kept=len(self.questions),
            dropped=tuple((self._where(place), what) for place, what in self.faults),
            notes=tuple(self.notes),
        )


RecordMaker = Callable[["JsonObject"], "QuestionRecord"]
"""Turns a source record into the common one, or raises RecordFault."""


def _given_id(value: object) -> str | None:
    """The question id of a source record, whatever its format calls it; None where there is none to be read."""
    given = [value.get(name) for name in _ID_FIELDS] if isinstance(value, dict) else []
    return next((str(each) for each in given if isinstance(each, str | int) and not isinstance(each, bool)), None)


def _as_object(value: object) -> JsonObject:
    if isinstance(value, RecordFault):
        raise value
    if not isinstance(value, dict):
        raise RecordFault(f"expected an object, found {type_name(value)}")
    return value


def _listing(faults: list[tuple[str, str]]) -> str:
    shown = [f"{place}: {what}" for place, what in faults[:FAULTS_SHOWN]]
    if len(faults) == 1:
        return shown[0]
    rest = len(faults) - len(shown)
    return "\n  ".join([f"{len(faults)} faults", *shown, *([f"and {rest} more"] if rest else [])])
