"""The script that chose the thresholds runs on files of PathQuestion's form."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "scripts" / "calibrate_reader.py"


def write_file(folder: Path, name: str) -> None:
    triples = "x.1\tspouse\tx.2\nx.2\tplace_of_birth\tx.3\nx.1\tgender\tx.4\n"
    record = {
        "question": "where was the wife of ann lee born ?",
        "topic_entities": {"x.1": "ann lee"},
        "answers": [{"mid": "x.3", "name": "lidport"}],
    }
    (folder / "questions").mkdir(exist_ok=True)
    (folder / "pathquestion").mkdir(exist_ok=True)
    (folder / "questions" / f"{name}.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    with gzip.open(folder / "pathquestion" / f"{name}.triples.tsv.gz", "wt", encoding="utf-8") as file:
        file.write(triples)


def test_the_script_prints_a_table_and_marks_the_best_pair(tmp_path: Path) -> None:
    for name in ("pathquestion2h", "pathquestion3h"):
        write_file(tmp_path, name)
    done = subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], capture_output=True, text=True, check=True)
    rows = [line for line in done.stdout.splitlines() if line.startswith("| 0.")]
    assert len(rows) == 7 * 5
    assert sum(row.endswith("best |") for row in rows) == 1
    assert any("100.0,   0 / 100 /   0" in row for row in rows)
