"""Kills runs of the demo at random bytes and resumes them; a process of its own, started by ``test_kill``.

Everything is imported once, before any thread exists; each attempt is a fork that dies by SIGKILL in the middle of an
append, which leaves a torn line behind. Writes a JSON report to stdout.
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

from kgbench.data.load import load_dataset
from kgbench.kg.open import open_graph
from kgbench.run import store
from kgbench.run.plan import Given, load_method, make_plan
from kgbench.run.runner import resume, start
from kgbench.seam.pseudonyms import MasterKey
from kgbench.spec import RunSpec

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.types import JsonObject

load_method("arog", {})  # imports it here, once for all forks
DEMO = load_dataset("demo")
GIVEN = Given(key=MasterKey(bytes(range(32))), dataset=DEMO, graph=open_graph(str(DEMO.graph)))


def begin(out: Path) -> None:
    start(make_plan(RunSpec(limit=4, jobs=2, cache="off", out=str(out)), GIVEN))


def go_on(out: Path) -> None:
    """Resume the run below ``out``, or begin where the kill came before there was one."""
    manifests = sorted(out.glob("*/manifest.json"))
    if manifests:
        resume(manifests[0].parent, given=GIVEN)
    else:
        begin(out)


def die_after(count: int) -> None:
    """Kill this process while it appends the byte with this number, whatever file it is in."""
    left = [count]

    def append(self: store.Appender, value: JsonObject) -> None:
        line = store.dumps(value) + "\n"
        with self._lock:
            self._file.write(line[: left[0]])
            self._file.flush()
            left[0] -= len(line)
            if left[0] <= 0:
                os.kill(os.getpid(), signal.SIGKILL)

    store.Appender.append = append  # type: ignore[method-assign]


def forked(work: Callable[[], None]) -> bool:
    """Do some work in a fork; True where it was killed.

    Raises:
        RuntimeError: it failed in another way.
    """
    child = os.fork()
    if child == 0:
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


def killed_attempt(out: Path, byte: int) -> bool:
    def work() -> None:
        die_after(byte)
        go_on(out)

    return forked(work)


def main(folder: Path, wanted: int) -> None:
    """Kill until there were ``wanted`` kills, up to four a run; then let each run end."""
    forked(lambda: begin(folder / "whole"))
    size = sum(file.stat().st_size for file in (folder / "whole").glob("*/*.jsonl"))
    chance = random.Random(20)  # noqa: S311 - the same kills each time
    kills: list[int] = []
    while sum(kills) < wanted:
        out = folder / f"killed{len(kills)}"
        kills.append(sum(killed_attempt(out, chance.randrange(1, size // 4)) for _ in range(4)))
        forked(lambda out=out: go_on(out))  # type: ignore[misc]
    sys.stdout.write(json.dumps({"kills": kills}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
