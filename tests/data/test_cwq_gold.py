"""CWQ's gold from the files beside it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from kgbench.data.cwq import load_cwq
from kgbench.data.cwq_gold import ALIASES_FILE, IDS_FILES, NAMES_FILE
from kgbench.errors import DataError, PrerequisiteMissing

FIXTURE = Path(__file__).parent / "fixtures" / "cwq" / "cwq.json"
FIRST = json.loads(FIXTURE.read_text(encoding="utf-8"))[0]
RELEASE, AROG = IDS_FILES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(FIXTURE, tmp_path)
    write(tmp_path, NAMES_FILE, {FIRST["question"]: [FIRST["answer"], "Ulm Quay"]})
    return tmp_path


def write(folder: Path, name: str, content: Any) -> None:
    (folder / name).write_text(json.dumps(content), encoding="utf-8")


def answers(folder: Path, gold: str = "expanded") -> list[tuple[str | None, str | None, tuple[str, ...]]]:
    return [(a.id, a.name, a.aliases) for a in load_cwq(folder / "cwq.json", gold).questions[0].gold.answers]


def test_aliases_are_names_of_each_answer(folder: Path) -> None:
    write(folder, ALIASES_FILE, {"Ulm Quay": ["The Quay"]})
    assert answers(folder, "aliases") == [(None, FIRST["answer"], ()), (None, "Ulm Quay", ("The Quay",))]
    assert answers(folder) == [(None, FIRST["answer"], ()), (None, "Ulm Quay", ())]


def test_aliases_need_their_file(folder: Path) -> None:
    with pytest.raises(PrerequisiteMissing, match=ALIASES_FILE):
        load_cwq(folder / "cwq.json", "aliases")
    write(folder, ALIASES_FILE, {"Ulm Quay": "The Quay"})
    with pytest.raises(DataError, match="entry 1 must be a list of strings"):
        load_cwq(folder / "cwq.json", "aliases")


def test_ids_of_the_release(folder: Path) -> None:
    named = [
        {"answer": "Ulm Quay", "answer_id": "m.0q1"},
        {"answer": "Ulm Quay", "answer_id": "m.0q2"},
        {"answer": None, "answer_id": "m.0q3"},
        {"answer": "Far Quay", "answer_id": "m.0q4"},
        {"answer": "1931", "answer_id": "1931"},
    ]
    write(folder, RELEASE, [{"question": FIRST["question"], "answers": named}])
    assert answers(folder) == [
        (None, FIRST["answer"], ()),
        ("m.0q1", "Ulm Quay", ()),
        ("m.0q2", "Ulm Quay", ()),
        ("m.0q3", None, ()),
        ("m.0q4", "Far Quay", ()),
    ]
    assert answers(folder, "single") == [(None, FIRST["answer"], ())]


def test_ids_side_by_side_and_a_query_without_result(folder: Path) -> None:
    second = json.loads(FIXTURE.read_text(encoding="utf-8"))[1]["question"]
    write(
        folder,
        AROG,
        [
            {"question": FIRST["question"], "answer_names": ["Ulm Quay"], "answer_ids": ["m.0q1"]},
            {"question": second, "answer_names": "Ulm Quay", "answer_ids": []},
        ],
    )
    assert answers(folder)[1] == ("m.0q1", "Ulm Quay", ())
    questions = load_cwq(folder / "cwq.json").questions
    assert ["gold_unexecuted" in record.gold.flags for record in questions[:2]] == [False, True]


def test_lists_of_other_lengths_are_not_taken_together(folder: Path) -> None:
    write(folder, AROG, [{"question": FIRST["question"], "answer_names": ["Ulm Quay", "x"], "answer_ids": ["m.0q1"]}])
    assert answers(folder)[1] == (None, "Ulm Quay", ())


def test_a_file_of_ids_with_a_fault(folder: Path) -> None:
    write(folder, RELEASE, [{"question": FIRST["question"], "answers": "Ulm Quay"}])
    with pytest.raises(DataError, match=f"{RELEASE}: record 1: .*must be a list"):
        load_cwq(folder / "cwq.json")


def test_the_files_beside_are_part_of_the_content_hash(folder: Path) -> None:
    hashes = [load_cwq(folder / "cwq.json", gold).report.sha256 for gold in ("single", "expanded")]
    write(folder, NAMES_FILE, {})
    hashes.append(load_cwq(folder / "cwq.json").report.sha256)
    assert len(set(hashes)) == 3


@pytest.mark.parametrize("name", IDS_FILES)
def test_what_stands_for_a_missing_name_is_no_gold_name(folder: Path, name: str) -> None:
    written: dict[str, dict[str, Any]] = {
        RELEASE: {"answers": [{"answer": "UnName_Entity", "answer_id": "m.0q9"}]},
        AROG: {"answer_names": ["UnName_Entity"], "answer_ids": ["m.0q9"]},
    }
    write(folder, name, [{"question": FIRST["question"], **written[name]}])
    assert answers(folder)[-1] == ("m.0q9", None, ())
