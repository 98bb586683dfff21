"""From run folders to a page: questions numbered, traces written down in chunks, everything put into one document."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import kgbench
from kgbench.errors import DataError, UsageError
from kgbench.report.page.asked import Asked
from kgbench.report.page.calls import SETUP
from kgbench.report.page.document import PLAIN_LIMIT, Block, compressed, document, to_json
from kgbench.report.page.overview import findings_json, origins_json, run_json, tables_json
from kgbench.report.page.reveal import open_revealer
from kgbench.report.page.runs import LETTERS, PageRun, open_run
from kgbench.report.page.trace import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kgbench.report.page.reveal import Revealer
    from kgbench.types import JsonObject

CHUNK_SIZE = 400_000
"""Characters of traces after which a new chunk begins."""


@dataclass(frozen=True)
class PageReport:
    """A page, and what to say of it."""

    html: str
    revealed: bool
    questions: int
    """On the page."""
    left_out: int
    """Left out for the limit."""
    notes: tuple[str, ...] = ()


def build_page(
    paths: Sequence[Path],
    *,
    revealed: bool = False,
    limit: int | None = None,
    packed: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PageReport:
    """Build the page of one run, or of several side by side.

    Args:
        paths: folders of runs.
        revealed: show what only the owner may see; needs the key that the runs were made with.
        limit: put only the first questions on the page; scores stay those of all.
        packed: compress the traces; by default where they are large.
        progress: hears after each question how many are written down, and of how many.

    Raises:
        UsageError: no runs, too many, or another key than theirs.
        DataError: a file of a run is damaged.
    """
    if not paths or len(paths) > len(LETTERS):
        raise UsageError(f"a page shows 1 to {len(LETTERS)} runs, not {len(paths)}")
    try:
        return _built(paths, revealed=revealed, limit=limit, packed=packed, progress=progress)
    except KeyError:  # its text could be anything
        listed = ", ".join(map(str, paths))
        raise DataError(
            f"a manifest or record of {listed} lacks a field that every run has: it is damaged, or an early version of "
            "kgbench wrote it; kgbench score RUN may tell more"
        ) from None


def _built(
    paths: Sequence[Path],
    *,
    revealed: bool,
    limit: int | None,
    packed: bool | None,
    progress: Callable[[int, int], None] | None,
) -> PageReport:
    page_runs = [open_run(path, LETTERS[place], revealed=revealed) for place, path in enumerate(paths)]
    revealers = [open_revealer(page_run) if revealed else None for page_run in page_runs]
    every = list(dict.fromkeys(question_id for one in page_runs for question_id in one.run.question_ids))
    chosen = every if limit is None else every[:limit]
    writer = _Writer(page_runs, revealers)
    writer.setup()
    for number, question_id in enumerate(chosen, 1):
        writer.question(number, question_id)
        if progress is not None:
            progress(number, len(chosen))
    notes = tuple(f"run {one.page_run.label}: {note}" for one in revealers if one for note in one.notes)
    meta = {
        "revealed": revealed,
        "kgbench": kgbench.__version__,
        "total": len(every),
        "shown": len(chosen),
        "runs": [run_json(page_run, revealed=revealed) for page_run in page_runs],
        "tables": tables_json(page_runs, revealed=revealed),
        "origins": origins_json(),
        "findings": findings_json(),
        "notes": list(notes),
        "chunks": writer.first_rows(),
    }
    chunks = writer.chunks()
    if packed is None:
        packed = sum(len(chunk.data) for chunk in chunks) > PLAIN_LIMIT
    text = document(
        _title(page_runs, revealed=revealed),
        revealed=revealed,
        heads=[Block("meta", to_json(meta | {"packed": packed})), Block("index", to_json(writer.rows))],
        chunks=map(compressed, chunks) if packed else chunks,
        packed=packed,
        noscript=f"{len(chosen)} questions. Everything is in this file; a browser draws it with the scripts in it.",
    )
    return PageReport(text, revealed, len(chosen), len(every) - len(chosen), notes)


def _title(page_runs: Sequence[PageRun], *, revealed: bool) -> str:
    told = ", ".join(f"{one.run.spec['method']} {one.run.spec['scenario']}" for one in page_runs[:4])
    return f"{'REVEALED: ' if revealed else ''}{told} - kgbench"


@dataclass
class _Chunk:
    first: int
    texts: Texts = field(default_factory=Texts)
    questions: list[str] = field(default_factory=list)
    """Each as JSON."""
    size: int = 0


class _Writer:
    """Writes questions down, one after the other, in chunks of bounded size."""

    def __init__(self, page_runs: Sequence[PageRun], revealers: Sequence[Revealer | None]) -> None:
        self._pairs = list(zip(page_runs, revealers, strict=True))
        self.rows: list[JsonObject] = []
        """One entry a question: number, text, and a cell a run."""
        self._done: list[tuple[int, Block]] = []
        self._chunk = _Chunk(0)

    def setup(self) -> None:
        """Write down the calls before the first question, where a method made some."""
        question_id, trials = SETUP[0], 1
        asked = [Asked(page_run, revealer, question_id, trials) for page_run, revealer in self._pairs]
        if not any(one.calls[0] for one in asked):
            return
        told = [one.setup(self._chunk.texts) if one.calls[0] else None for one in asked]
        row: JsonObject = {"number": 0, "text": None, "runs": [None if one is None else {} for one in told]}
        self._add(row, {"number": 0, "runs": told})

    def question(self, number: int, question_id: str) -> None:
        """Write down one question with its results in every run that has it."""
        row: JsonObject = {"number": number, "text": None, "runs": []}
        entry: JsonObject = {"number": number, "runs": []}
        for page_run, revealer in self._pairs:
            if question_id not in page_run.run.loaded.golds:
                row["runs"].append(None)
                entry["runs"].append(None)
                continue
            asked = Asked(page_run, revealer, question_id, page_run.run.trials)
            row["text"] = row["text"] or asked.text
            row["runs"].append(asked.cell())
            entry["runs"].append(asked.told(self._chunk.texts))
            if revealer is not None and "owner" not in entry:
                entry["owner"] = revealer.question(question_id)
                row["id"] = question_id
        self._add(row, entry)

    def _add(self, row: JsonObject, entry: JsonObject) -> None:
        text = to_json(entry)
        self.rows.append(row)
        self._chunk.questions.append(text)
        self._chunk.size += len(text)
        if self._chunk.size + self._chunk.texts.size > CHUNK_SIZE:
            self._close()

    def _close(self) -> None:
        if self._chunk.questions:
            texts, questions = to_json(self._chunk.texts.listed()), ",".join(self._chunk.questions)
            block = Block(f"chunk-{len(self._done)}", f'{{"texts":{texts},"questions":[{questions}]}}')
            self._done.append((self._chunk.first, block))
        self._chunk = _Chunk(len(self.rows))

    def chunks(self) -> list[Block]:
        """All chunks."""
        self._close()
        return [block for _, block in self._done]

    def first_rows(self) -> list[int]:
        """The place of each chunk's first question."""
        self._close()
        return [first for first, _ in self._done]
