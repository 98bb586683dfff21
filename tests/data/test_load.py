"""Finding and loading a data set by its name."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kgbench.data.demo import demo_folder
from kgbench.data.load import DATASET_NAMES, LoadOptions, load_dataset
from kgbench.errors import DataError, PrerequisiteMissing, UsageError
from kgbench.types import Entity

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(autouse=True)
def no_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KGBENCH_DATA", raising=False)


def test_demo_brings_its_graph() -> None:
    dataset = load_dataset("demo")
    assert dataset.name == "demo"
    assert len(dataset.questions) == dataset.report.kept == 120
    assert dataset.graph == demo_folder()
    assert all(record.gold.flags == () for record in dataset.questions)
    tags = dataset.questions[0].tags
    assert set(tags) == {"answerable", "chain", "hops", "sparql", "type"}
    topic = dataset.questions[0].question.topics[0]
    assert isinstance(topic, Entity)
    assert dataset.questions[0].topic_names[topic]


def test_jsonl_by_name_and_by_argument() -> None:
    by_name = load_dataset(f"jsonl:{FIXTURES / 'own.jsonl'}")
    by_argument = load_dataset("jsonl", FIXTURES / "own.jsonl")
    assert by_name == by_argument
    assert by_name.graph is None
    assert len(by_name.questions) == 4


@pytest.mark.parametrize(
    ("name", "fixture"),
    [
        ("webqsp", "webqsp.json"),
        ("cwq", "cwq/cwq.json"),
        ("grailqa", "grailqa.json"),
        ("simpleqa", "simpleqa.json"),
        ("webquestions", "webquestions.json"),
    ],
)
def test_published_file_by_its_path(name: str, fixture: str) -> None:
    dataset = load_dataset(f"{name}:{FIXTURES / fixture}")
    assert dataset.name == name
    assert dataset.questions
    assert any("published file has" in note for note in dataset.report.notes)


def test_options_reach_the_loaders(tmp_path: Path) -> None:
    cwq = load_dataset("cwq", FIXTURES / "cwq" / "cwq.json", LoadOptions(gold="single"))
    assert len(cwq.questions[0].gold.answers) == 1
    grailqa = load_dataset("grailqa", FIXTURES / "grailqa.json", LoadOptions(topics_from_graph=True))
    assert grailqa.questions[1].question.topics == (Entity("g.11inv9"),)
    path = tmp_path / "q.jsonl"
    path.write_text("no json\n", encoding="utf-8")
    assert load_dataset("jsonl", path, LoadOptions(strict=False)).report.dropped


@pytest.mark.parametrize("below", [".", "grailqa"])
@pytest.mark.parametrize("file_name", ["grailqa.json", "graliqa.json"])
def test_file_is_found_in_the_data_folder_and_must_be_the_published_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str, file_name: str
) -> None:
    (tmp_path / below).mkdir(exist_ok=True)
    shutil.copy(FIXTURES / "grailqa.json", tmp_path / below / file_name)
    monkeypatch.setenv("KGBENCH_DATA", str(tmp_path))
    with pytest.raises(DataError, match="3 records, where the published file has 1000; name the path"):
        load_dataset("grailqa")


@pytest.mark.parametrize("name", ["webqsp", "cwq", "grailqa", "simpleqa", "webquestions"])
def test_absent_file_is_named_with_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(PrerequisiteMissing, match=r"\$KGBENCH_DATA is not set") as unset:
        load_dataset(name)
    assert unset.value.exit_code == 3
    monkeypatch.setenv("KGBENCH_DATA", str(tmp_path))
    with pytest.raises(PrerequisiteMissing) as caught:
        load_dataset(name)
    message = str(caught.value)
    assert f"{name} needs the file" in message
    assert ".json" in message
    assert "github.com/IDEA-FinAI/ToG" in message
    assert f"{name}:PATH" in message


def test_absent_path() -> None:
    with pytest.raises(PrerequisiteMissing, match="is not there"):
        load_dataset("webqsp:no/such/file.json")


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        ("webqps", None, 'no data set is called "webqps"; did you mean "webqsp"'),
        ("zzz", None, "known: demo, jsonl, webqsp"),
        ("jsonl", None, "needs a path: jsonl:PATH"),
        ("jsonl:", None, "lacks the path"),
        ("demo:x", None, "takes no path"),
        ("demo", Path("x"), "takes no path"),
        ("jsonl:a", Path("b"), "two paths"),
    ],
)
def test_wrong_use(name: str, path: Path | None, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        load_dataset(name, path)


def test_every_name_is_listed() -> None:
    published = ("webqsp", "cwq", "grailqa", "simpleqa", "webquestions", "qald10")
    per_question = ("gog-webqsp", "gog-cwq", "rog-webqsp", "rog-cwq", "metaqa-1hop", "metaqa-2hop", "metaqa-3hop")
    assert DATASET_NAMES == ("demo", "jsonl", *published, *per_question)
