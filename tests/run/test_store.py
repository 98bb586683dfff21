"""The folder of a run: readable after a kill at any byte."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import DataError, PrerequisiteMissing, UsageError
from kgbench.run.store import GOLD, MANIFEST, RECORDS, Appender, RunFolder, read_lines

if TYPE_CHECKING:
    from pathlib import Path

LINES = [
    {"question_id": "q1", "trial": 0, "text": "ü\u2028\x85|\n"},
    {"question_id": "q2", "trial": 0, "text": "half \ud800 a pair"},
    {"question_id": "q1", "trial": 1, "text": ""},
]


def written(path: Path) -> bytes:
    appender = Appender(path)
    for line in LINES:
        appender.append(line)
    appender.close()
    return path.read_bytes()


def test_a_file_cut_at_any_byte_opens_and_goes_on(tmp_path: Path) -> None:
    """Whole lines are kept, a torn one is dropped, and what is appended then stands on a line of its own."""
    path = tmp_path / RECORDS
    content = written(path)
    ends = [number + 1 for number, byte in enumerate(content) if byte == 10]
    for cut in range(len(content) + 1):
        path.write_bytes(content[:cut])
        whole = sum(end <= cut for end in ends)
        # A line whose line end alone is missing may count; nothing else may be gained or lost.
        assert list(read_lines(path)) in (LINES[:whole], LINES[: whole + 1])
        appender = Appender(path)
        appender.append({"question_id": "new", "trial": 0})
        appender.close()
        assert list(read_lines(path)) == [*LINES[:whole], {"question_id": "new", "trial": 0}]


def test_the_last_line_of_a_key_wins(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    for status in ("llm_error", "ok"):
        folder.append(RECORDS, {"question_id": "q", "trial": 0, "status": status})
    folder.close()
    assert {key: record["status"] for key, record in folder.records().items()} == {("q", 0): "ok"}


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / RECORDS
    path.write_text('{"a": 1}\n{"a": \n{"a": 3}\n')
    with pytest.raises(DataError, match=r"line 2: no JSON\. Delete that line"):
        list(read_lines(path))


def test_a_folder_without_a_manifest_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / MANIFEST).write_text("{}")
    with pytest.raises(UsageError, match=r"no run folder.*Runs beside it: other"):
        RunFolder.open(tmp_path / "nothing")


def test_a_taken_name_gets_a_number(tmp_path: Path) -> None:
    names = [RunFolder.create(tmp_path / "runs", "a").run_id for _ in range(3)]
    assert names == ["a", "a-2", "a-3"]
    (tmp_path / "file").write_text("")
    with pytest.raises(PrerequisiteMissing, match="choose another --out"):
        RunFolder.create(tmp_path / "file" / "runs", "a")


def test_any_text_can_be_kept(tmp_path: Path) -> None:
    """Models send half characters; nothing that they say may end a run."""
    folder = RunFolder(tmp_path)
    odd = {"schema": 1, "prepared": {"said": "half \ud800 a pair"}}
    folder.write_lines(GOLD, [odd])
    assert list(folder.lines(GOLD)) == [odd]
    folder.write_manifest(odd)
    assert json.loads((tmp_path / MANIFEST).read_text(encoding="utf-8")) == odd
    folder.write_scores(odd)
    assert folder.scores() == odd


def test_a_manifest_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text('{"schema": 999}')
    with pytest.raises(DataError, match="newer kgbench"):
        RunFolder(tmp_path).manifest()
