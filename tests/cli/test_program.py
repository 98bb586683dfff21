"""The program as a process: start, pipes, signals."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import kgbench

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Program = Callable[..., Any]

PROGRAM = (sys.executable, "-c", "from kgbench.cli.app import main; main()")
HEAVY = (
    *("litellm", "openai", "torch", "datasets", "matplotlib", "pyoxigraph", "sentence_transformers", "model2vec"),
    "numpy",
)


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys\nfrom kgbench.cli.app import app\n"
        "try:\n    app(['run', '--help'])\nexcept SystemExit as ended:\n    assert not ended.code, ended.code\n"
        f"print('heavy:', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert "Questions and graph" in result.stdout
    assert result.stdout.splitlines()[-1] == "heavy: []"


def test_version(program: Program) -> None:
    done = program("--version")
    assert (done.code, done.out.strip()) == (0, f"kgbench {kgbench.__version__}")


def test_help_lists_every_verb(program: Program) -> None:
    done = program("--help")
    assert done.code == 0
    for verb in (
        *("run", "resume", "score", "compare", "leaderboard", "figures", "reproduce", "view"),
        *("doctor", "data", "list", "check", "audit"),
    ):
        assert f" {verb} " in done.out


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_narrow_pipe_crashes_nothing(program: Program, tmp_path: Path, encoding: str) -> None:
    odd = "Łódź 日本 [/red] <b> =1+1 | \ud7ff"
    (tmp_path / "triples.tsv").write_text("a\tknows\tb\n", encoding="utf-8")
    (tmp_path / "entities.tsv").write_text(f"a\t{odd}\nb\tBöb\n", encoding="utf-8")
    record = {"id": odd, "question": f"Whom does {odd} know?", "topic_entities": {"a": odd}, "answers": ["Böb"]}
    file = tmp_path / f"{odd.replace('/', '')}.jsonl"
    file.write_text(json.dumps(record), encoding="utf-8")
    run = program("run", "--dataset", f"jsonl:{file}", "--kg", tmp_path, PYTHONIOENCODING=encoding)
    assert (run.code, "Traceback" in run.err) == (0, False), run.err
    folder = next((tmp_path / "runs").iterdir())
    commands = [("compare", folder, folder, "--show"), ("leaderboard", folder, "--format", "md")]
    if encoding == "ascii":
        commands += [("audit", folder, "--questions"), ("leaderboard", folder)]
    for arguments in commands:
        done = program(*arguments, PYTHONIOENCODING=encoding)
        assert (done.code, "Traceback" in done.err) == (0, False), (arguments, done.err)
    data = json.loads(program("leaderboard", folder, "--format", "json", PYTHONIOENCODING=encoding).out)
    assert data["sections"][0]["rows"][0]["dataset"] == file.stem


def _hear_interrupts() -> None:
    """A shell lets its background jobs ignore Ctrl-C, and children inherit that: the test's own program must hear it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_stops_cleanly_and_tells_how_to_go_on(tmp_path: Path) -> None:
    command = [*PROGRAM, "run", "--jobs", "2", "--json"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hear_interrupts,  # noqa: PLW1509 - nothing else runs in the child before it starts
    )
    assert process.stderr is not None
    seen = []
    for line in process.stderr:  # the run has begun when its folder is named
        seen.append(line)
        if "120 questions" in line:
            process.send_signal(signal.SIGINT)
            break
    out, rest = process.communicate(timeout=60)
    folder = next((tmp_path / "runs").iterdir())
    assert process.returncode == 130, rest
    assert out == ""
    assert f"kgbench: stopped; go on with: kgbench resume runs/{folder.name}" in rest
    assert "Traceback" not in "".join(seen) + rest
    assert json.loads((folder / "manifest.json").read_text())["status"] == "stopped"


def test_a_reader_that_leaves_is_no_error() -> None:
    command = f"{shlex.join(PROGRAM)} list metrics | head -n 1"
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in result.stderr
    assert result.stdout.startswith("name")
