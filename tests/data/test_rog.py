"""RoG's releases: questions from parquet files, whose ids are names."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from rog_files import ROWS, write_release, write_rows

from kgbench.data import hub
from kgbench.data.load import LoadOptions, load_dataset
from kgbench.errors import DataError, MissingExtra, PrerequisiteMissing, UsageError
from kgbench.types import Entity, GoldAnswer

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.data.records import Dataset


COMMIT = "0123456789abcdef0123456789abcdef01234567"


def load(path: Path, name: str = "rog-webqsp", **options: Any) -> Dataset:
    return load_dataset(name, path, LoadOptions(**options))


def test_questions_of_all_files_in_order_with_names_as_ids(tmp_path: Path) -> None:
    dataset = load(write_release(tmp_path))
    assert [record.question.id for record in dataset.questions] == [row["id"] for row in ROWS]
    first, second, third = dataset.questions
    assert first.question.topics == (Entity("Velmora"),)
    assert first.topic_names == {Entity("Velmora"): "Velmora"}
    assert first.gold.answers == (GoldAnswer(id="Port Zell", name="Port Zell"),)
    assert second.question.topics == (Entity("Ada Fenn"), Entity("Velmora"))
    # A bare date is compared as a date; a MID names nothing.
    assert second.gold.answers == (GoldAnswer(name="1931-05-06"), GoldAnswer(id="m.0nameless"))
    assert set(third.gold.flags) == {"no_gold", "no_topic"}


def test_neither_the_graph_nor_the_choices_are_read_with_the_questions(tmp_path: Path) -> None:
    dataset = load(write_release(tmp_path))
    assert [set(record.tags) for record in dataset.questions] == [{"a_entity"}] * 3


def test_the_graph_is_named_by_the_pattern_of_its_files(tmp_path: Path) -> None:
    release = write_release(tmp_path)
    assert load(release).graph == f"rog:{release / 'data' / 'test-*.parquet'}"
    alone = release / "data" / "test-00000-of-00002-ab.parquet"
    assert load(alone).graph == f"rog:{alone}"
    assert [record.question.id for record in load(alone).questions] == ["WebQTest-9001"]


def test_splits_go_by_file_name(tmp_path: Path) -> None:
    write_rows(tmp_path / "train-0.parquet", ROWS[:1])
    write_rows(tmp_path / "validation-0.parquet", ROWS[1:2])
    assert [r.question.id for r in load(tmp_path, split="train").questions] == ["WebQTest-9001"]
    assert [r.question.id for r in load(tmp_path, split="dev").questions] == ["WebQTest-9002"]
    with pytest.raises(PrerequisiteMissing, match=r"no folder with test-\*\.parquet"):
        load(tmp_path)


def test_half_a_release_is_refused(tmp_path: Path) -> None:
    release = write_release(tmp_path)
    (release / "data" / "test-00001-of-00002-cd.parquet").unlink()
    with pytest.raises(PrerequisiteMissing, match=r"1 of the files .* are missing: by their names there are 2"):
        load(release)


def test_content_hash_follows_content_alone(tmp_path: Path) -> None:
    one, same = load(write_release(tmp_path / "a")), load(write_release(tmp_path / "b"))
    other = load(write_release(tmp_path / "c", [*ROWS[:2], {**ROWS[2], "question": "who sang it"}]))
    assert one.report.sha256 == same.report.sha256 != other.report.sha256


def test_the_published_number_is_insisted_on_where_the_file_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (
        "3 records, where the published test split of rog-webqsp has 1628" in load(write_release(tmp_path)).report.notes
    )
    write_release(tmp_path / "rog-webqsp")
    monkeypatch.setenv("KGBENCH_DATA", str(tmp_path))
    with pytest.raises(DataError, match="3 records, where the published test split of rog-webqsp has 1628"):
        load_dataset("rog-webqsp")


def test_the_release_says_how_many_questions_it_leaves_out(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "id": f"WebQTest-{number}"} for number in range(1628)]
    notes = load(write_rows(tmp_path / "test-0.parquet", rows)).report.notes
    assert notes == ("1628 of the 1639 questions: the release leaves out those without an answer",)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"id": "WebQTest-9001"}, "row 2: the id is given twice, first in row 1"),
        ({"question": None}, 'row 2: field "question" must be a string, found null'),
        ({"answer": ["Port Zell", None]}, r'row 2: field "answer\[\]" must be a string, found null'),
    ],
)
def test_faults_are_told_with_their_row(tmp_path: Path, change: dict[str, Any], expected: str) -> None:
    path = write_rows(tmp_path / "test-0.parquet", [ROWS[0], {**ROWS[1], **change}])
    with pytest.raises(DataError, match=f"test-0.parquet: {expected}"):
        load(path)
    assert load(path, strict=False).report.kept == 1


def test_files_of_another_form(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="the extra hub is not installed")
    path = tmp_path / "test-0.parquet"
    path.write_bytes(b"no parquet")
    with pytest.raises(DataError, match="not readable as parquet"):
        load(path)
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"id": ["a"], "question": ["b"]}), path)
    with pytest.raises(DataError, match="no column answer, q_entity, a_entity; is it another data set"):
        load(path)


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_rows(tmp_path / "test-0.parquet", ROWS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r'the data set rog-webqsp needs the extra "hub"'):
        load(path)


# --- The hub: never reached from here ----------------------------------------------------------------------------------


@pytest.fixture
def hub_calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Stands in for the hub's client: remembers what it was asked for and has nothing."""
    client = pytest.importorskip("huggingface_hub", reason='the extra "hub" is not installed')
    calls: list[dict[str, Any]] = []

    def snapshot_download(repository: str, **options: Any) -> str:
        calls.append({"repository": repository, **options})
        raise OSError("no network")

    monkeypatch.setattr(client, "snapshot_download", snapshot_download)
    monkeypatch.delenv("KGBENCH_DATA", raising=False)
    return calls


def test_the_hub_is_asked_for_a_pinned_commit_and_parquet_alone(hub_calls: list[dict[str, Any]]) -> None:
    with pytest.raises(PrerequisiteMissing) as caught:
        load_dataset("rog-cwq")
    assert [call["local_files_only"] for call in hub_calls] == [True, False]
    for call in hub_calls:
        assert (call["repository"], call["repo_type"]) == ("rmanluo/RoG-cwq", "dataset")
        assert call["allow_patterns"] == "data/test-*.parquet"
        assert len(call["revision"]) == 40
    message = str(caught.value)
    assert f"huggingface.co/datasets/rmanluo/RoG-cwq/tree/{hub_calls[0]['revision']}" in message
    assert "rog-cwq:FOLDER" in message
    assert caught.value.exit_code == 3


def test_another_commit_can_be_asked_for(hub_calls: list[dict[str, Any]]) -> None:
    with pytest.raises(PrerequisiteMissing, match=f"at commit {COMMIT}"):
        load_dataset("rog-webqsp", options=LoadOptions(revision=COMMIT, split="dev"))
    assert {call["revision"] for call in hub_calls} == {COMMIT}
    assert {call["allow_patterns"] for call in hub_calls} == {"data/validation-*.parquet"}


@pytest.mark.parametrize("revision", ["main", "v1.0", COMMIT[:12], ""])
def test_what_may_change_is_no_commit(revision: str, hub_calls: list[dict[str, Any]]) -> None:
    with pytest.raises(UsageError, match=r"data\.revision is a commit in full"):
        load_dataset("rog-webqsp", options=LoadOptions(revision=revision))
    assert hub_calls == []


def test_the_hub_is_not_asked_where_the_files_are_here(
    tmp_path: Path, hub_calls: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    load(write_release(tmp_path / "rog-webqsp"))
    monkeypatch.setenv("KGBENCH_DATA", str(tmp_path))
    with pytest.raises(DataError, match="published"):
        load_dataset("rog-webqsp")
    with pytest.raises(UsageError, match=r"data\.revision chooses a commit on the hub, and a path was given"):
        load(tmp_path / "rog-webqsp", revision=COMMIT)
    assert hub_calls == []


def test_what_the_hub_gave_before_needs_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = pytest.importorskip("huggingface_hub", reason='the extra "hub" is not installed')
    write_release(tmp_path)
    asked: list[bool] = []

    def snapshot_download(repository: str, *, local_files_only: bool, **options: Any) -> str:
        asked.append(local_files_only)
        return str(tmp_path)

    monkeypatch.setattr(client, "snapshot_download", snapshot_download)
    release = hub.Release("someone/some", "c" * 40)
    assert hub.fetch(release, "data/test-*.parquet", "some") == tmp_path
    assert asked == [True]
    (tmp_path / "data" / "test-00000-of-00002-ab.parquet").unlink()  # a download that was broken off
    hub.fetch(release, "data/test-*.parquet", "some")
    assert asked == [True, True, False]
