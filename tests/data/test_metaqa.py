"""MetaQA's files: topics in brackets, answers by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgbench.data.load import LoadOptions, load_dataset
from kgbench.data.metaqa import RECORDS
from kgbench.errors import DataError, PrerequisiteMissing, UsageError
from kgbench.types import Entity, GoldAnswer

if TYPE_CHECKING:
    from pathlib import Path

LINES = (
    "who made [Old Lantern]\tAda Fenn|Borin Hulst\nwhich films did [[REC] Tide] win with\tCopper Quill|Copper Quill|\n"
)
KB = "Old Lantern|directed_by|Ada Fenn\n"


def published(folder: Path, lines: str = LINES, *, hops: int = 1, split: str = "test") -> Path:
    """A folder in the published layout."""
    questions = folder / f"{hops}-hop" / "vanilla"
    questions.mkdir(parents=True, exist_ok=True)
    (questions / f"qa_{split}.txt").write_text(lines, encoding="utf-8")
    (folder / "kb.txt").write_text(KB, encoding="utf-8")
    return folder


def test_brackets_are_removed_and_give_topic_and_mention(tmp_path: Path) -> None:
    first, second = load_dataset("metaqa-1hop", published(tmp_path)).questions
    assert first.question.text == "who made Old Lantern"
    assert first.question.topics == (Entity("Old Lantern"),)
    assert first.mentions == {Entity("Old Lantern"): "Old Lantern"}
    assert first.gold.answers == (
        GoldAnswer(id="Ada Fenn", name="Ada Fenn"),
        GoldAnswer(id="Borin Hulst", name="Borin Hulst"),
    )
    assert first.tags == {"hops": 1}
    assert second.question.text == "which films did [REC] Tide win with"
    assert second.question.topics == (Entity("[REC] Tide"),)
    assert second.gold.answers == (GoldAnswer(id="Copper Quill", name="Copper Quill"),)


def test_the_graph_is_the_file_of_facts(tmp_path: Path) -> None:
    folder = published(tmp_path, hops=2)
    for path in (folder, folder / "kb.txt", folder / "2-hop" / "vanilla" / "qa_test.txt"):
        dataset = load_dataset("metaqa-2hop", path)
        assert dataset.graph == folder / "kb.txt"
        assert dataset.questions[0].question.id == "metaqa-2hop-test-00001"


def test_flat_folder_and_splits(tmp_path: Path) -> None:
    (tmp_path / "qa_dev.txt").write_text(LINES, encoding="utf-8")
    (tmp_path / "kb.txt").write_text(KB, encoding="utf-8")
    dataset = load_dataset("metaqa-3hop", tmp_path, LoadOptions(split="dev"))
    assert dataset.questions[1].question.id == "metaqa-3hop-dev-00002"
    assert dataset.questions[0].tags == {"hops": 3}
    with pytest.raises(PrerequisiteMissing, match=r"3-hop/vanilla/qa_test\.txt"):
        load_dataset("metaqa-3hop", tmp_path)


def test_it_is_found_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    published(tmp_path / "metaqa")
    monkeypatch.setenv("KGBENCH_DATA", str(tmp_path))
    monkeypatch.setitem(RECORDS["metaqa-1hop"], "test", 2)
    assert len(load_dataset("metaqa-1hop").questions) == 2
    with pytest.raises(PrerequisiteMissing, match="2-hop"):
        load_dataset("metaqa-2hop")


def test_the_published_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {name: split["test"] for name, split in RECORDS.items()} == {
        "metaqa-1hop": 9_947,
        "metaqa-2hop": 14_872,
        "metaqa-3hop": 14_274,
    }
    report = load_dataset("metaqa-1hop", published(tmp_path / "metaqa")).report
    assert report.notes == ("2 questions, where the published file has 9947",)
    monkeypatch.setenv("KGBENCH_DATA", str(tmp_path))
    with pytest.raises(DataError, match=r"qa_test\.txt: 2 questions, .* has 9947; name the path"):
        load_dataset("metaqa-1hop")


def test_files_that_are_missing(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteMissing, match="is no folder of MetaQA"):
        load_dataset("metaqa-1hop", tmp_path)
    folder = published(tmp_path)
    (folder / "kb.txt").unlink()
    with pytest.raises(PrerequisiteMissing, match=r"must hold kb\.txt"):
        load_dataset("metaqa-1hop", folder)
    with pytest.raises(PrerequisiteMissing, match=r"kb\.txt is not beside qa_test\.txt"):
        load_dataset("metaqa-1hop", folder / "1-hop" / "vanilla" / "qa_test.txt")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("who made [Old Lantern]\n", "line 1: must be a question, one tab"),
        ("\nwho [A]\tb\nwho made it\tAda\n", "line 3: the question has no topic in brackets"),
    ],
)
def test_faults_are_told_with_their_line(tmp_path: Path, lines: str, expected: str) -> None:
    with pytest.raises(DataError, match=rf"qa_test\.txt: {expected}"):
        load_dataset("metaqa-1hop", published(tmp_path, lines))
    assert load_dataset("metaqa-1hop", tmp_path, LoadOptions(strict=False)).report.dropped


def test_a_line_that_is_no_text(tmp_path: Path) -> None:
    folder = published(tmp_path)
    (folder / "1-hop" / "vanilla" / "qa_test.txt").write_bytes(b"who [\xff]\tb\n")
    with pytest.raises(DataError, match="line 1: not UTF-8 at byte 5"):
        load_dataset("metaqa-1hop", folder)


def test_the_number_of_hops_must_be_said() -> None:
    with pytest.raises(UsageError, match='did you mean "metaqa-1hop or metaqa-2hop or metaqa-3hop"'):
        load_dataset("metaqa:folder")


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ("who made []", "no topic in brackets"),
        ("who made [ ]", "no topic in brackets"),
        ("who made [Old Lantern] and [Reed Song]", "two topics in brackets"),
        ("who made [[REC] Tide] and [Reed Song]", "two topics in brackets"),
    ],
)
def test_brackets_without_one_topic_are_a_fault(tmp_path: Path, question: str, fault: str) -> None:
    with pytest.raises(DataError, match=f"line 1: the question has {fault}"):
        load_dataset("metaqa-1hop", published(tmp_path, f"{question}\tAda Fenn\n"))


@pytest.mark.parametrize("title", ["[REC] Tide", "Tide [REC]", "[REC]", "Tide [1] and [2]"])
def test_a_title_may_hold_brackets(tmp_path: Path, title: str) -> None:
    (record,) = load_dataset("metaqa-1hop", published(tmp_path, f"who made [{title}]\tAda Fenn\n")).questions
    assert record.question.topics == (Entity(title),)


def test_spaces_around_a_topic_are_none_of_its_name_as_in_the_facts(tmp_path: Path) -> None:
    (record,) = load_dataset("metaqa-1hop", published(tmp_path, "who made [ Old Lantern ]\tAda Fenn\n")).questions
    assert record.question.topics == (Entity("Old Lantern"),)
    assert record.mentions == {Entity("Old Lantern"): "Old Lantern"}
