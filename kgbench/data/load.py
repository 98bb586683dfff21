"""Loads a data set by its name, and finds its file."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgbench.data.cwq import EXPANDED, load_cwq
from kgbench.data.demo import demo_folder
from kgbench.data.grailqa import load_grailqa
from kgbench.data.jsonl import load_jsonl
from kgbench.data.name_gold import load_simpleqa, load_webquestions
from kgbench.data.webqsp import load_webqsp
from kgbench.errors import PrerequisiteMissing, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.data.records import Dataset

DATA_VARIABLE = "KGBENCH_DATA"
"""Environment variable with the folder in which published files are looked for."""
DEMO, JSONL = "demo", "jsonl"
QUESTIONS_FILE = "questions.jsonl"
TOG = "the data folder of github.com/IDEA-FinAI/ToG"


@dataclass(frozen=True)
class LoadOptions:
    """What a run may choose about its data."""

    gold: str = EXPANDED
    """For CWQ: `expanded` or `single`."""
    topics_from_graph: bool = False
    """For GrailQA: restore topic entities that the linked file lost."""
    strict: bool = True
    """A fault in a record stops the load; else the record is dropped and reported."""


@dataclass(frozen=True)
class PublishedFile:
    """A data set in its published form."""

    names: tuple[str, ...]
    """Names that the file goes by."""
    origin: str
    load: Callable[[Path, LoadOptions, bool], Dataset]
    """From path, options, and whether the published number of records is insisted on."""


PUBLISHED: dict[str, PublishedFile] = {
    "webqsp": PublishedFile(
        ("WebQSP.json",), TOG, lambda path, options, insist: load_webqsp(path, insist, options.strict)
    ),
    "cwq": PublishedFile(
        ("cwq.json",), TOG, lambda path, options, insist: load_cwq(path, options.gold, insist, options.strict)
    ),
    "grailqa": PublishedFile(
        ("grailqa.json", "graliqa.json"),
        TOG,
        lambda path, options, insist: load_grailqa(path, options.topics_from_graph, insist, options.strict),
    ),
    "simpleqa": PublishedFile(
        ("SimpleQA.json",), TOG, lambda path, options, insist: load_simpleqa(path, insist, options.strict)
    ),
    "webquestions": PublishedFile(
        ("WebQuestions.json",), TOG, lambda path, options, insist: load_webquestions(path, insist, options.strict)
    ),
}
"""Data sets that are files of others; nothing of them is shipped."""

DATASET_NAMES = (DEMO, JSONL, *PUBLISHED)
"""Every name that `load_dataset` knows."""


def load_dataset(name: str, path: Path | None = None, options: LoadOptions | None = None) -> Dataset:
    """Loads a data set.

    Args:
        name: one of `DATASET_NAMES`, or such a name, a colon and a path.
        path: the file, if the name does not hold it. Without a path a published file is looked for in `$KGBENCH_DATA` and
            must then have the published number of records; another file of its form is loaded by its path.
        options: choices about gold, topics and faults.

    Raises:
        UsageError: an unknown name, two paths, or a path where none belongs.
        PrerequisiteMissing: the file is not there; the message names it and its source.
        DataError: faults in the file, each with its place.
    """
    options = options or LoadOptions()
    kind, path = _split(name, path)
    if kind == DEMO:
        if path is not None:
            raise UsageError(f"the data set {DEMO} is part of kgbench and takes no path; use {JSONL}:PATH for a file")
        return load_jsonl(demo_folder() / QUESTIONS_FILE, DEMO, demo_folder(), options.strict)
    if kind == JSONL:
        if path is None:
            raise UsageError(f"the data set {JSONL} needs a path: {JSONL}:PATH")
        return load_jsonl(path, JSONL, strict=options.strict)
    source = PUBLISHED[kind]
    return source.load(path or _find(kind, source), options, path is None)


def _split(name: str, path: Path | None) -> tuple[str, Path | None]:
    kind, colon, rest = name.partition(":")
    if kind not in DATASET_NAMES:
        near = difflib.get_close_matches(kind, DATASET_NAMES, n=1)
        hint = f'; did you mean "{near[0]}"?' if near else ""
        raise UsageError(f'no data set is called "{kind}"{hint} (known: {", ".join(DATASET_NAMES)})')
    if colon and not rest:
        raise UsageError(f'"{name}" lacks the path after the colon')
    if rest and path is not None:
        raise UsageError(f"the data set {kind} is given two paths")
    return kind, Path(rest).expanduser() if rest else path


def _find(kind: str, source: PublishedFile) -> Path:
    folder = os.environ.get(DATA_VARIABLE, "")
    candidates = [Path(folder) / below / name for below in ("", kind) for name in source.names] if folder else []
    found = next((candidate for candidate in candidates if candidate.is_file()), None)
    if found is not None:
        return found
    where = f"not in ${DATA_VARIABLE} ({folder})" if folder else f"${DATA_VARIABLE} is not set"
    raise PrerequisiteMissing(
        f"{kind} needs the file {' or '.join(source.names)}, and {where}. It comes from {source.origin}: "
        f"put it into a folder and set {DATA_VARIABLE} to it, or name the file: {kind}:PATH"
    )
