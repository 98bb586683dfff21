"""The files that a grid leaves: its table in several forms, what stands behind it, and its pictures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kgbench.errors import PrerequisiteMissing
from kgbench.report.faces import Face, render
from kgbench.run.store import RunFolder, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.report.table import Table
    from kgbench.reproduce.execute import Outcome
    from kgbench.reproduce.result import GridResult

TABLES = {"table.md": Face.MARKDOWN, "table.csv": Face.CSV, "table.json": Face.JSON}
RESULT, RUNS = "result.json", "runs.json"
"""What stands behind the table; which run each number is of. Only the second names folders."""


def write_files(result: GridResult, table: Table, outcome: Outcome, folder: Path) -> list[Path]:
    """Write the result of a grid.

    Everything but ``runs.json`` is equal to the byte for two grids with the same answers. No file holds a name, literal
    or id of the graph; the files of the splits hold ids of questions.

    Returns:
        The files written.

    Raises:
        PrerequisiteMissing: the folder cannot be written.
    """
    texts = {name: render(table, face) for name, face in TABLES.items()}
    texts[RESULT] = _json(result.to_json())
    texts[RUNS] = _json(_runs(result, outcome))
    for dataset, split in result.splits.items():
        texts[f"split-{_safe(dataset)}.json"] = _json(
            {"metric": split.metric, "filter": result.grid.filter, "kept": split.kept, "dropped": split.dropped}
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write_atomically(folder / name, text)
    except OSError as error:
        raise PrerequisiteMissing(f"cannot write into {folder}: {error.strerror}; choose another --report") from None
    return [folder / name for name in texts]


def _runs(result: GridResult, outcome: Outcome) -> list[dict[str, str]]:
    found = {}
    for source in result.sources:
        path = outcome.runs.get(source.job.spec_id)
        if path is not None and source.job.spec_id not in found:
            manifest = RunFolder(path).manifest()
            found[source.job.spec_id] = {
                "row": source.job.label,
                "scenario": str(source.cell.spec.scenario),
                "dataset": source.dataset,
                "spec_id": source.job.spec_id,
                "folder": str(path),
                "status": manifest["status"],
                "signature": manifest["signature"],
            }
    return list(found.values())


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _safe(name: str) -> str:
    return "".join(char if char.isalnum() or char in "._-" else "-" for char in name)
