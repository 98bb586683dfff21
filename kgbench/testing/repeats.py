"""Checks that a method asks the same again: at any number of jobs, under any hash seed, and up to renaming under any key."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any

from kgbench.seam.pseudonyms import HANDLE
from kgbench.testing.harness import OTHER_KEY, TEST_KEY
from kgbench.testing.parrot import Parrot
from kgbench.testing.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kgbench.testing.harness import RunArtifacts
    from kgbench.types import JsonObject


def _wires(run: RunArtifacts) -> list[tuple[str, int, int, str]]:
    return [(call["question_id"], call["trial"], call["call"], call.get("wire", "")) for call in run.calls]


def requests_digest(run: RunArtifacts) -> str:
    """One hash over every request of a run, in the order of questions and calls."""
    return sha256(json.dumps(_wires(run)).encode()).hexdigest()


_NUMBER = re.compile(r"^\d+\. ")
_BETWEEN = re.compile(r" ?[;,|\[\]] ?")


def jobs_change_nothing(subject: Subject) -> Iterator[str]:
    """Questions side by side ask what they ask one after the other."""
    four = subject.run(Parrot(), jobs=4)
    yield from _first_difference(_wires(subject.usual_runs[-1]), _wires(four), "--jobs 1 and --jobs 4")


def same_key_same_bytes(subject: Subject) -> Iterator[str]:
    """A run repeated with one key sends the same bytes."""
    for model, first in zip(subject.models, subject.usual_runs, strict=True):
        yield from _first_difference(_wires(first), _wires(subject.run(model)), "two runs with one key")


def _first_difference(one: Sequence[Any], other: Sequence[Any], between: str) -> Iterator[str]:
    if one != other:
        place = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
        where = one[place][:3] if place < len(one) else "the end"
        yield f"requests differ between {between}, first at {where}"


def hash_seed_changes_nothing(subject: Subject) -> Iterator[str]:
    """Another process asks the same: the order of sets hangs on a seed that is drawn when Python starts."""
    target = _importable(subject.method)
    if target is None:
        return
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    script = "import sys; from kgbench.testing.repeats import write_requests_digest as w; w(*sys.argv[1:])"
    finished = subprocess.run(  # noqa: S603 - this interpreter, with a script of this module
        [sys.executable, "-c", script, target, json.dumps(subject.parameters)],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode:
        yield f"the run in another process failed: {finished.stderr.strip()[-300:]}"
    elif finished.stdout != requests_digest(subject.usual_runs[-1]):
        yield "requests differ under another PYTHONHASHSEED: something is in the order of a set"


def _importable(method: str | type) -> str | None:
    """How another process finds the method; None for a class that stands inside a function."""
    if isinstance(method, str):
        return method
    return None if "<locals>" in method.__qualname__ else f"{method.__module__}:{method.__qualname__}"


def write_requests_digest(target: str, parameters: str) -> None:
    """Write the digest of one run to stdout; for the process with another hash seed."""
    module, colon, name = target.partition(":")
    method = getattr(import_module(module), name) if colon else target
    subject = Subject(method, json.loads(parameters))
    sys.stdout.write(requests_digest(subject.run(Parrot())))


def another_key_renames(subject: Subject) -> Iterator[str]:
    """Another key gives other handles, and the same questions about the same evidence but for names and order."""
    one, other = (subject.run(Parrot(declines_ties=True), key=key) for key in (TEST_KEY, OTHER_KEY))
    for record in one.records:
        question = record["question_id"]
        first, second = one.handles(question, TEST_KEY), other.handles(question, OTHER_KEY)
        if first.keys() & second.keys():
            yield f"question {question!r} has a handle in common under two keys"
        if record["issued"] != other.record(question)["issued"]:
            yield f"question {question!r} shows other terms under another key"
        elif _renamed(one, question, first) != _renamed(other, question, second):
            yield f"question {question!r} asks something else under another key"


def _renamed(run: RunArtifacts, question: str, handles: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Calls of a question with handles replaced by what they stand for, and lists without their order."""

    def plain(call: JsonObject) -> list[str]:
        text = HANDLE.sub(lambda m: repr(handles.get(m.group(), m.group())), call["messages"][-1]["content"])
        return sorted(_NUMBER.sub("", piece) for line in text.splitlines() for piece in _BETWEEN.split(line))

    return [(call["stage"], plain(call)) for call in run.calls_of(question)]


def questions_share_no_handle(subject: Subject) -> Iterator[str]:
    """Handles of two questions are unlinkable."""
    run = subject.usual_runs[-1]
    owner: dict[str, str] = {}
    for record in run.records:
        for handle in run.handles(record["question_id"]):
            if handle in owner:
                yield f"{record['question_id']!r} and {owner[handle]!r} have a handle in common"
            owner[handle] = record["question_id"]
