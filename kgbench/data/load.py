"""Loads a data set by its name, and finds its file."""

from __future__ import annotations

import difflib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from kgbench.data.catalogue import DEMO, JSONL, NAMES, PUBLISHED, LoadOptions, Published
from kgbench.data.demo import demo_folder
from kgbench.data.hub import fetch
from kgbench.data.jsonl import load_jsonl
from kgbench.data.rog import files_pattern
from kgbench.errors import PrerequisiteMissing, UsageError

if TYPE_CHECKING:
    from kgbench.data.records import Dataset

__all__ = ["DATASET_NAMES", "DATA_VARIABLE", "DEMO", "JSONL", "PUBLISHED", "LoadOptions", "load_dataset"]

DATA_VARIABLE = "KGBENCH_DATA"
"""Environment variable with the folder in which published files are looked for."""
QUESTIONS_FILE = "questions.jsonl"
_COMMIT = re.compile(r"[0-9a-f]{40}")
DATASET_NAMES = NAMES
"""Every name that `load_dataset` knows."""


def load_dataset(name: str, path: Path | None = None, options: LoadOptions | None = None) -> Dataset:
    """Loads a data set.

    Args:
        name: one of `DATASET_NAMES`, or such a name, a colon and a path.
        path: the file, if the name does not hold it. Without a path a published file is looked for in `$KGBENCH_DATA` and
            must then have the published number of records; another file of its form is loaded by its path. Only a data
            set of the hub that is found in neither way is asked for there.
        options: choices about gold, topics, split and faults.

    Raises:
        UsageError: an unknown name, two paths, a path where none belongs, or an option that the data set does not have.
        PrerequisiteMissing: the file is not there; the message names it and its source.
        DataError: faults in the file, each with its place.
    """
    options = options or LoadOptions()
    kind, path = _split(name, path)
    source = PUBLISHED.get(kind)
    _check_options(kind, source, options, path)
    if source is not None:
        return source.load(path or _find(kind, source, options), options, path is None)
    if kind == JSONL:
        if path is None:
            raise UsageError(f"the data set {JSONL} needs a path: {JSONL}:PATH")
        return load_jsonl(path, JSONL, strict=options.strict)
    if path is not None:
        raise UsageError(f"the data set {DEMO} is part of kgbench and takes no path; use {JSONL}:PATH for a file")
    return load_jsonl(demo_folder() / QUESTIONS_FILE, DEMO, demo_folder(), options.strict)


def _split(name: str, path: Path | None) -> tuple[str, Path | None]:
    kind, colon, rest = name.partition(":")
    if kind not in NAMES:
        near = [known for known in NAMES if kind and known.startswith(kind)]
        near = near or difflib.get_close_matches(kind, NAMES, n=1)
        hint = f'; did you mean "{" or ".join(near)}"?' if near else ""
        raise UsageError(f'no data set is called "{kind}"{hint} (known: {", ".join(NAMES)})')
    if colon and not rest:
        raise UsageError(f'"{name}" lacks the path after the colon')
    if rest and path is not None:
        raise UsageError(f"the data set {kind} is given two paths")
    return kind, Path(rest).expanduser() if rest else path


def _check_options(kind: str, source: Published | None, options: LoadOptions, path: Path | None) -> None:
    known = source.options if source is not None else ()
    for option in options.given():
        if option not in known:
            having = ", ".join(name for name, other in PUBLISHED.items() if option in other.options)
            raise UsageError(f"the data set {kind} has no option data.{option}; it belongs to {having}")
    if options.revision is not None and not _COMMIT.fullmatch(options.revision):
        raise UsageError(
            "data.revision is a commit in full, 40 hexadecimal digits: a branch or tag may hold other questions tomorrow"
        )
    if options.revision is not None and path is not None:
        raise UsageError("data.revision chooses a commit on the hub, and a path was given: leave out one of them")


def _find(kind: str, source: Published, options: LoadOptions) -> Path:
    if source.release is not None:
        return _find_release(kind, source, options)
    if not source.files:
        raise PrerequisiteMissing(
            f"{kind} has several files, so say which: {kind}:PATH. They come from {source.origin}"
        )
    folder = os.environ.get(DATA_VARIABLE, "")
    found = _first(folder, source.folders or ("", kind), source.files)
    if found is not None:
        return found
    where = f"it is not in ${DATA_VARIABLE} ({folder})" if folder else f"${DATA_VARIABLE} is not set"
    raise PrerequisiteMissing(
        f"{kind} needs the file {' or '.join(source.files)}, and {where}. It comes from {source.origin}: "
        f"put it into a folder and set {DATA_VARIABLE} to it, or name the file: {kind}:PATH"
    )


def _find_release(kind: str, source: Published, options: LoadOptions) -> Path:
    """The folder of a data set of the hub: one that is here already, else what the hub gives."""
    assert source.release is not None  # noqa: S101
    pattern = files_pattern(options.split or "test")
    found = _first(os.environ.get(DATA_VARIABLE, ""), source.folders, (pattern,))
    if found is not None and options.revision is None:
        return found.parent
    return fetch(source.release, f"data/{pattern}", kind, options.revision)


def _first(folder: str, below: tuple[str, ...], names: tuple[str, ...]) -> Path | None:
    """The first file below a folder that has one of the names, or fits one of the patterns."""
    if not folder:
        return None
    found = (path for place in below for name in names for path in sorted((Path(folder) / place).glob(name)))
    return next((path for path in found if path.is_file()), None)
