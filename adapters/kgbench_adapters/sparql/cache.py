"""Reads kept on disk, so that no endpoint is asked twice for the same rows.

One SQLite file, used by many threads and processes. It holds complete reads only: nothing that a server broke off, capped
or failed to give. It holds names, so its owner alone may read it. Values are JSON, never pickle.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from kgbench.errors import DataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kgbench_adapters.sparql.responses import Binding

CacheMode = Literal["off", "read", "refresh", "on"]
"""``on``: read and write; ``read``: never write; ``refresh``: never read, overwrite; ``off``: neither."""

CACHE_MODES: tuple[CacheMode, ...] = ("off", "read", "refresh", "on")

_APPLICATION_ID = 0x6B676772
"""Marks the file as a cache of graph reads ("kggr"), so that no other program's database is written to."""
_LAYOUT_VERSION = 1
_BUSY_SECONDS = 30.0
_LONGEST = 16 << 20
"""Characters of the longest read that is kept."""


class ReadCache:
    """Query -> complete rows. Thread safe.

    Args:
        path: the SQLite file; made with its folder where it is absent (not in the mode ``read``).
        mode: what the cache may do, see :data:`CacheMode`.
        graph: what tells one graph from another: address, named graphs, profile, and what is known of the content.

    Raises:
        UsageError: unknown mode, or ``path`` is a database of another program or a newer kgbench.
        DataError: ``path`` cannot be used as a database.
    """

    def __init__(self, path: Path, mode: CacheMode, graph: Sequence[str]) -> None:
        if mode not in CACHE_MODES:
            raise UsageError(f'cache mode "{mode}" is unknown; choose one of {", ".join(CACHE_MODES)}')
        self._path = path
        self._mode = mode
        self._graph = json.dumps(list(graph))
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._owner = os.getpid()
        if mode != "off" and (mode != "read" or path.exists()):
            self._connection = self._open()

    def get(self, query: str) -> tuple[tuple[Binding, ...], bool] | None:
        """Return the rows kept for a query and whether there are more, or None."""
        if self._connection is None or self._mode == "refresh":
            return None
        with self._lock, self._guarded():
            statement = "SELECT rows FROM reads WHERE digest = ?"
            row = self._own().execute(statement, (self._digest(query),)).fetchone()
        if row is None:
            return None
        try:
            bindings, more = json.loads(row[0])
            return tuple(cast("list[Binding]", bindings)), bool(more)
        except (ValueError, TypeError):
            return None  # damaged: asked for again

    def put(self, query: str, bindings: Sequence[Binding], *, more: bool) -> None:
        """Keep the complete rows of a query.

        Args:
            query: what was asked.
            bindings: its rows.
            more: True where these are as many as were asked for, and there are more.
        """
        if self._connection is None or self._mode == "read":
            return
        text = json.dumps([list(bindings), more], ensure_ascii=False, separators=(",", ":"))
        if len(text) > _LONGEST or not _encodable(text):
            return
        # The first read stays, so that two processes that ask at once go on with the same rows.
        verb = "REPLACE" if self._mode == "refresh" else "IGNORE"
        statement = f"INSERT OR {verb} INTO reads (digest, rows) VALUES (?, ?)"  # noqa: S608 - one of two words
        with self._lock, self._guarded():
            self._own().execute(statement, (self._digest(query), text))

    def __len__(self) -> int:
        """Number of reads kept, of all graphs."""
        if self._connection is None:
            return 0
        with self._lock, self._guarded():
            return int(self._own().execute("SELECT count(*) FROM reads").fetchone()[0])

    def close(self) -> None:
        """Close the file; nothing is read or kept from then on."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _digest(self, query: str) -> str:
        return hashlib.sha256(f"{self._graph}\n{query}".encode("utf-8", "surrogatepass")).hexdigest()

    def _own(self) -> sqlite3.Connection:
        """The connection of this process: one that was opened before a fork belongs to the parent."""
        if self._connection is None or self._owner != os.getpid():
            self._connection, self._owner = self._open(), os.getpid()
        return self._connection

    def _open(self) -> sqlite3.Connection:
        if not self._path.exists():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        with self._guarded():
            # One connection, used under a lock: reads from the network take far longer than those from here.
            connection = sqlite3.connect(
                self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._check_owner(connection)
            if self._mode != "read":
                _set_up(connection)
        return connection

    def _check_owner(self, connection: sqlite3.Connection) -> None:
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE name <> 'reads'").fetchone()[0]
        if owner not in (0, _APPLICATION_ID) or (owner == 0 and tables):
            raise UsageError(f"{self._path} is a database of another program; give the cache a file of its own")
        if connection.execute("PRAGMA user_version").fetchone()[0] > _LAYOUT_VERSION:
            raise UsageError(f"{self._path} was written by a newer kgbench; give this one a cache file of its own")

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise DataError(
                f"the cache of graph reads {self._path} cannot be used ({error}); move it away, or leave the cache off"
            ) from None


def cache_file() -> Path:
    """The file used where none is named: in the user's cache folder for kgbench, or in ``$KGBENCH_CACHE``."""
    given = os.environ.get("KGBENCH_CACHE")
    if given:
        return Path(given) / "graph-reads.sqlite"
    from platformdirs import user_cache_path

    return user_cache_path("kgbench") / "graph-reads.sqlite"


def _encodable(text: str) -> bool:
    """SQLite holds UTF-8; lone surrogates, which JSON escapes can bring in, are none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _set_up(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        # SQLite does not wait for this change: where it is refused, another process is just making it.
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE TABLE IF NOT EXISTS reads (digest TEXT PRIMARY KEY, rows TEXT NOT NULL) WITHOUT ROWID")
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {_LAYOUT_VERSION}")
