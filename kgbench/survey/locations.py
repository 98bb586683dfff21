"""Where a graph and its questions are, from what the user wrote: a path, or the word ``demo``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kgbench.data.demo import demo_folder
from kgbench.data.load import DATASET_NAMES, DEMO, JSONL, QUESTIONS_FILE, LoadOptions, load_dataset

if TYPE_CHECKING:
    from kgbench.types import QuestionRecord


def graph_location(text: str) -> str:
    """Return the location of a graph; ``demo`` is the bundled one, unless a file or folder has that name."""
    return str(demo_folder()) if text == DEMO and not Path(text).exists() else text


def questions_path(text: str) -> Path:
    """Return the path of one's own questions; ``jsonl:`` may stand before it, and ``demo`` is the bundled file."""
    if text == DEMO and not Path(text).exists():
        return demo_folder() / QUESTIONS_FILE
    return Path(text.removeprefix(f"{JSONL}:")).expanduser()


def load_questions(text: str) -> tuple[QuestionRecord, ...]:
    """Load questions to describe: a JSONL file, or any data set as ``kgbench run --dataset`` names it.

    Records with faults are left out.

    Raises:
        PrerequisiteMissing: there is no such file.
        UsageError: no data set has this name.
    """
    options = LoadOptions(strict=False)
    known = text.partition(":")[0] in DATASET_NAMES and not Path(text).exists()
    return load_dataset(text if known else f"{JSONL}:{text}", options=options).questions
