"""Replies kept on disk, so that no finished call is paid for twice.

One SQLite file, read and written by many threads and processes. It holds complete replies only: a failure, a refusal, an
empty or cut-off reply is asked for again, since the next one may be better. Values are JSON, never pickle.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
import threading
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Literal

from kgbench.contracts import Completion
from kgbench.errors import DataError, UsageError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

CacheMode = Literal["off", "read", "refresh", "on"]
"""``on``: read and write; ``read``: never write; ``refresh``: never read, overwrite; ``off``: neither."""

CACHE_MODES: tuple[CacheMode, ...] = ("off", "read", "refresh", "on")

_APPLICATION_ID = 0x6B676263
"""Marks the file as a reply cache ("kgbc"), so that no other program's database is written to."""
_LAYOUT_VERSION = 1
_HEADER = b"SQLite format 3\x00"
_BUSY_MILLISECONDS = 30_000
_CUT_OFF = ("length", "content_filter")

_log = logging.getLogger(__name__)


class ReplyCache:
    """Digest of a request -> complete reply.

    Calls of the LOCAL zone belong into a file of their own: their replies may hold names.

    Args:
        path: the SQLite file; made with its folder where it is absent (not in the mode ``read``).
        mode: what the cache may do, see :data:`CacheMode`.

    Raises:
        UsageError: unknown mode, or ``path`` is a database of another program.
        DataError: ``path`` holds no database and the mode forbids to set it aside.
    """

    def __init__(self, path: Path, mode: CacheMode = "on") -> None:
        if mode not in CACHE_MODES:
            raise UsageError(f'cache mode "{mode}" is unknown; choose one of {", ".join(CACHE_MODES)}')
        self.path = path
        self.mode = mode
        self._local = threading.local()
        self._lock = threading.Lock()
        self._connections: list[sqlite3.Connection] = []
        self._active = mode != "off" and self._prepare_file()
        if self._active:
            self._connection()

    def get(self, digest: str) -> Completion | None:
        """Return the reply kept for a digest of :func:`kgbench.llm.requests.request_digest`, or None."""
        if not self._active or self.mode == "refresh":
            return None
        try:
            row = self._connection().execute("SELECT reply FROM replies WHERE digest = ?", (digest,)).fetchone()
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from error
        return None if row is None else _from_json(row[0])

    def put(self, digest: str, completion: Completion) -> bool:
        """Keep a reply where it is complete.

        Returns:
            True where it was kept, False where the mode forbids it or the reply is a refusal, empty or cut off.
        """
        if not self._active or self.mode == "read" or not is_complete(completion):
            return False
        # The first reply stays, so that two processes that ask at once go on with the same one.
        verb = "REPLACE" if self.mode == "refresh" else "IGNORE"
        statement = f"INSERT OR {verb} INTO replies (digest, reply) VALUES (?, ?)"  # noqa: S608 - one of two words
        try:
            self._connection().execute(statement, (digest, _to_json(completion)))
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from error
        return True

    def __len__(self) -> int:
        """Number of replies kept."""
        if not self._active:
            return 0
        return int(self._connection().execute("SELECT count(*) FROM replies").fetchone()[0])

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            connections, self._connections = self._connections, []
            self._local = threading.local()
        for connection in connections:
            connection.close()

    def __enter__(self) -> ReplyCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _prepare_file(self) -> bool:
        """Make or check the file; False where there is none to read."""
        if not self.path.exists():
            if self.mode == "read":
                return False
            _create_private(self.path)
            return True
        with self.path.open("rb") as file:
            header = file.read(len(_HEADER))
        if header in (b"", _HEADER):
            return bool(header) or self.mode != "read"
        if self.mode == "read":
            raise DataError(f"{self.path} is no reply cache (not an SQLite file); move it away or use --cache off")
        aside = _set_aside(self.path)
        _log.warning(
            "%s is no reply cache (not an SQLite file); it was renamed to %s and a new one begun", self.path, aside
        )
        _create_private(self.path)
        return True

    def _connection(self) -> sqlite3.Connection:
        """The connection of this thread and process; SQLite connections are not shared between them."""
        owner, connection = getattr(self._local, "owned", (None, None))
        if connection is None or owner != os.getpid():
            connection = self._connect()
            self._local.owned = (os.getpid(), connection)
            with self._lock:
                self._connections.append(connection)
        return connection

    def _connect(self) -> sqlite3.Connection:
        try:
            # Closed from another thread at the end, used by its own until then.
            connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
            self._check_owner(connection)
            if self.mode != "read":
                _set_up(connection)
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from error
        return connection

    def _check_owner(self, connection: sqlite3.Connection) -> None:
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE name <> 'replies'").fetchone()[0]
        if owner not in (0, _APPLICATION_ID) or (owner == 0 and tables):
            raise UsageError(f"{self.path} is a database of another program; give the reply cache a file of its own")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > _LAYOUT_VERSION:
            raise UsageError(f"{self.path} was written by a newer kgbench; give this one a cache file of its own")

    def _unusable(self, error: sqlite3.DatabaseError) -> DataError:
        return DataError(
            f"the reply cache {self.path} cannot be used ({error}); "
            "move it away (a new one is begun) or go on with --cache off"
        )


def is_complete(completion: Completion) -> bool:
    """Tell whether a reply is worth keeping: every choice has text and none was cut off or filtered."""
    return (
        bool(completion.texts)
        and all(text is not None and text.strip() for text in completion.texts)
        and completion.finish not in _CUT_OFF
    )


def _set_up(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        # SQLite does not wait for this change: where it is refused, another process is just making it.
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS replies (digest TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID"
    )
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {_LAYOUT_VERSION}")


def _create_private(path: Path) -> None:
    """Make an empty file that its owner alone may read: replies tell what was asked."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _set_aside(path: Path) -> Path:
    """Rename a broken file and what SQLite left beside it; a stale log would be replayed into a new file."""
    number = 1
    while (aside := path.with_name(f"{path.name}.broken-{number}")).exists():
        number += 1
    path.replace(aside)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return aside


def _to_json(completion: Completion) -> str:
    return json.dumps(asdict(completion), separators=(",", ":"))


def _from_json(text: str) -> Completion | None:
    """Read a stored reply; None for one that is damaged or of another form, so that it is asked for again."""
    known = {field.name for field in fields(Completion)}
    try:
        values = json.loads(text)
        if not isinstance(values, dict) or not set(values) <= known or not isinstance(values.get("texts"), list):
            return None
        values["texts"] = tuple(values["texts"])
        values["dropped"] = tuple(values.get("dropped", ()))
        return Completion(**values)
    except (ValueError, TypeError):
        return None
