"""Kills grids of the demo at seeded moments and starts them again; a process of its own, started by ``test_kill``.

Everything is imported once, before any thread exists; each attempt is a fork that dies by SIGKILL in the middle of writing a
record, which leaves a torn line behind. Writes a JSON report to stdout.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import model2vec  # noqa: F401 - the embedder's library, imported once for all forks

from kgbench.cli.app import app
from kgbench.run import store
from kgbench.run.plan import load_method

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.types import JsonObject

METHODS = ("io", "cot", "tog", "gog", "arog", "arog-r")
QUESTIONS = 2
GRID = f"""
[grid]
measures = ["hits1"]
beside = ["tog_loose", "calls"]
scenarios = ["private", "p-r", "p-g", "p-rag"]
settings = ["total", "filtered"]
[data]
limit = {QUESTIONS}
[run]
jobs = 2
cache = "off"
""" + "".join(f'[[row]]\nmethod = {{ name = "{name}" }}\n' for name in METHODS)
RECORDS_OF_ALL = len(METHODS) * 4 * QUESTIONS

for method in METHODS:
    load_method(method, {})  # imports it here, once for all forks


def reproduce(folder: Path) -> None:
    """What the user types, again and again."""
    os.chdir(folder)
    app(["reproduce", "grid.toml"], standalone_mode=False)


def die_after(count: int) -> None:
    """Kill this process while it writes the record with this number."""
    left = [count]
    append = store.RunFolder.append

    def counting(self: store.RunFolder, name: str, value: JsonObject) -> None:
        left[0] -= name == store.RECORDS
        if left[0] > 0 or name != store.RECORDS:
            append(self, name, value)
            return
        with (self.path / name).open("a", encoding="utf-8") as file:
            file.write(store.dumps(value)[:40])
        os.kill(os.getpid(), signal.SIGKILL)

    store.RunFolder.append = counting  # type: ignore[method-assign]


def forked(work: Callable[[], None]) -> bool:
    """Do some work in a fork; True where it was killed.

    Raises:
        RuntimeError: it failed in another way.
    """
    child = os.fork()
    if child == 0:
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - a fork may not go on in its parent's code
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    if os.WEXITSTATUS(status):
        raise RuntimeError(f"an attempt failed with exit {os.WEXITSTATUS(status)}")
    return False


def killed_attempt(folder: Path, record: int) -> bool:
    """Type the command, and kill it while it writes a record."""

    def work() -> None:
        die_after(record)
        reproduce(folder)

    return forked(work)


def main(folder: Path, kills: int) -> None:
    """Let one grid end undisturbed; kill another some times, then let it end."""
    chance = random.Random(20)  # noqa: S311 - the same kills each time
    for name in ("whole", "killed"):
        (folder / name).mkdir()
        (folder / name / "grid.toml").write_text(GRID)
    forked(lambda: reproduce(folder / "whole"))
    most = RECORDS_OF_ALL // (kills + 1)
    killed = [killed_attempt(folder / "killed", chance.randrange(1, most)) for _ in range(kills)]
    forked(lambda: reproduce(folder / "killed"))
    sys.stdout.write(json.dumps({"killed": killed}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
