"""How large the page of a large run is, and what it costs to write: a run's questions repeated under other ids.

    kgbench run --method arog --scenario private
    python benchmarks/page.py runs/arog-private-demo-* [--questions 5000]

Every question is written down anew, so the time is that of as many questions. Repetitions lie too far apart for the
compression to see them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from kgbench.report.page import build_page
from kgbench.run.store import CALLS, GOLD, MANIFEST, RECORDS


def repeat(run: Path, target: Path, questions: int) -> None:
    """Write a run with as many questions, which are those of another run over and over."""
    manifest = json.loads((run / MANIFEST).read_text(encoding="utf-8"))
    ids = manifest["questions"]
    wanted = [(f"{number}-{ids[number % len(ids)]}", ids[number % len(ids)]) for number in range(questions)]
    (target / MANIFEST).write_text(json.dumps(manifest | {"questions": [new for new, _ in wanted]}), encoding="utf-8")
    for name in (GOLD, RECORDS, CALLS):
        lines: dict[str, list[dict[str, Any]]] = {}
        for line in (run / name).read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            lines.setdefault(entry["question_id"], []).append(entry)
        with (target / name).open("w", encoding="utf-8") as file:
            for new, old in wanted:
                file.writelines(json.dumps(entry | {"question_id": new}) + "\n" for entry in lines[old])


def main() -> None:
    """Print sizes and the CPU time of this process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("run", type=Path)
    parser.add_argument("--questions", type=int, default=5_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder)
        repeat(given.run, target, given.questions)
        print(f"questions   {given.questions}")
        print(f"calls.jsonl {(target / CALLS).stat().st_size / 1e6:.1f} MB")
        for packed in (False, True):
            began = time.process_time()
            size = len(build_page([target], packed=packed).html.encode("utf-8"))
            name = "compressed " if packed else "plain      "
            print(f"{name} {size / 1e6:.1f} MB, {time.process_time() - began:.0f} s of CPU time")


if __name__ == "__main__":
    main()
