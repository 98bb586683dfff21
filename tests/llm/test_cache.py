from __future__ import annotations

import json
import logging
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kgbench.contracts import Completion
from kgbench.errors import DataError, UsageError
from kgbench.llm.cache import ReplyCache

if TYPE_CHECKING:
    from pathlib import Path

GOOD = Completion(
    texts=("{Paris}", "{Lyon}"),
    finish="stop",
    model="gpt-4o-mini-2024-07-18",
    input_tokens=120,
    output_tokens=None,
    reasoning_tokens=3,
    cached_tokens=100,
    dropped=("seed",),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "replies.sqlite"


def test_a_reply_comes_back_whole_after_reopening(path: Path) -> None:
    with ReplyCache(path) as cache:
        assert cache.get("a") is None
        assert cache.put("a", GOOD)
        assert cache.get("a") == GOOD
    with ReplyCache(path) as cache:
        assert cache.get("a") == GOOD
        assert cache.get("b") is None
        assert len(cache) == 1


@pytest.mark.parametrize(
    "completion",
    [
        replace(GOOD, texts=()),
        replace(GOOD, texts=(None, "{Paris}")),
        replace(GOOD, texts=("", "{Paris}")),
        replace(GOOD, texts=("{Paris}", " \n")),
        replace(GOOD, finish="length"),
        replace(GOOD, finish="content_filter"),
    ],
)
def test_incomplete_replies_are_never_kept(path: Path, completion: Completion) -> None:
    with ReplyCache(path) as cache:
        assert not cache.put("a", completion)
        assert cache.get("a") is None
        assert len(cache) == 0


def test_modes(path: Path) -> None:
    first, second = GOOD, replace(GOOD, texts=("{Nice}",))
    with ReplyCache(path, "off") as cache:
        assert not cache.put("a", first)
        assert cache.get("a") is None
    assert not path.exists()
    with ReplyCache(path, "read") as cache:
        assert cache.get("a") is None
        assert not cache.put("a", first)
    assert not path.exists()
    with ReplyCache(path, "on") as cache:
        cache.put("a", first)
        cache.put("a", second)
        assert cache.get("a") == first, "the first reply stays"
    with ReplyCache(path, "refresh") as cache:
        assert cache.get("a") is None
        assert cache.put("a", second)
    with ReplyCache(path, "read") as cache:
        assert cache.get("a") == second
        assert not cache.put("b", first)
        assert cache.get("b") is None
    with pytest.raises(UsageError, match="off, read, refresh, on"):
        ReplyCache(path, "yes")  # type: ignore[arg-type]


def test_only_the_owner_can_read_the_file(path: Path) -> None:
    with ReplyCache(path):
        assert path.stat().st_mode & 0o777 == 0o600


def test_values_are_json(path: Path) -> None:
    odd = replace(GOOD, texts=("\ud800 'x' \x00 北京", "{Paris}"))
    with ReplyCache(path) as cache:
        cache.put("a", odd)
        assert cache.get("a") == odd
    [(text,)] = sqlite3.connect(path).execute("SELECT reply FROM replies").fetchall()
    assert json.loads(text)["model"] == "gpt-4o-mini-2024-07-18"


def test_a_broken_file_is_set_aside_and_told(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("this was never a database")
    path.with_name(path.name + "-wal").write_text("nor this its log")
    with pytest.raises(DataError, match="--cache off"):
        ReplyCache(path, "read")
    with caplog.at_level(logging.WARNING), ReplyCache(path) as cache:
        assert cache.put("a", GOOD)
        assert cache.get("a") == GOOD
    aside = path.with_name("replies.sqlite.broken-1")
    assert aside.read_text() == "this was never a database"
    assert str(aside) in caplog.text


def test_damage_inside_the_file_is_a_clear_error(path: Path) -> None:
    with ReplyCache(path) as cache:
        for number in range(2000):
            cache.put(f"{number:064}", GOOD)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"replies\.sqlite.*move it away"), ReplyCache(path) as cache:
        cache.get(f"{7:064}")


@pytest.mark.parametrize("stored", ["not json", "[]", "{}", '{"texts": "ab"}', '{"texts": ["a"], "surprise": 1}'])
def test_a_damaged_entry_is_asked_for_again(path: Path, stored: str) -> None:
    with ReplyCache(path) as cache:
        cache.put("a", GOOD)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE replies SET reply = ?", (stored,))
    connection.close()
    with ReplyCache(path) as cache:
        assert cache.get("a") is None


def test_databases_of_others_are_not_touched(path: Path) -> None:
    path.parent.mkdir(parents=True)
    foreign = sqlite3.connect(path)
    foreign.execute("CREATE TABLE bookmarks (url TEXT)")
    foreign.commit()
    foreign.close()
    before = path.read_bytes()
    with pytest.raises(UsageError, match="another program"):
        ReplyCache(path)
    assert path.read_bytes() == before


def test_a_file_of_a_newer_version_is_refused(path: Path) -> None:
    ReplyCache(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(UsageError, match="newer kgbench"):
        ReplyCache(path)


def test_threads_share_it(path: Path) -> None:
    def work(number: int) -> Completion | None:
        cache.put(str(number % 50), replace(GOOD, input_tokens=number % 50))
        return cache.get(str(number % 50))

    with ReplyCache(path) as cache:
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(work, range(400)))
        assert [reply.input_tokens for reply in replies if reply] == [number % 50 for number in range(400)]
        assert len(cache) == 50


_WRITER = """
import sys
from pathlib import Path
from kgbench.contracts import Completion
from kgbench.llm.cache import ReplyCache
sys.stdin.readline()
with ReplyCache(Path(sys.argv[1])) as cache:
    for number in range(200):
        assert cache.put(f"{sys.argv[2]}-{number}", Completion(texts=(sys.argv[2],)))
        assert cache.put(f"both-{number}", Completion(texts=(sys.argv[2],)))
"""


def test_processes_share_it_from_the_first_moment(path: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), name], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for name in ("one", "two")
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        _, errors = writer.communicate(timeout=60)
        assert writer.returncode == 0, errors
    with ReplyCache(path, "read") as cache:
        assert len(cache) == 600


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_opens_its_own_connection(path: Path) -> None:
    with ReplyCache(path) as cache:
        cache.put("a", GOOD)
        inherited = cache._connection()
        assert cache._connection() is inherited
        child = os.fork()
        if child == 0:  # pragma: no cover - runs in the child
            ok = cache.get("a") == GOOD and cache.put("b", GOOD) and cache._connection() is not inherited
            os._exit(0 if ok else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert cache.get("b") == GOOD
