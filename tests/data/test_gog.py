"""GoG's files: a list of answers, and facts to hide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgbench.data.crucial import crucial_triples
from kgbench.data.load import load_dataset
from kgbench.errors import DataError, PrerequisiteMissing
from kgbench.types import GoldAnswer

FIXTURES = Path(__file__).parent / "fixtures"
CRUCIAL = [["m.0inv01", "place.harbours", "m.0inv02"], ["m.0inv02", "harbour.place", "m.0inv01"]]


def gog_file(folder: Path, source: str, **fields: Any) -> Path:
    """A fixture in GoG's form."""
    records = json.loads((FIXTURES / source).read_text(encoding="utf-8"))
    extra = {"answer": ["Port Zell", "Ulm Quay", "Port Zell"], "mid_crucial_triples": CRUCIAL, "all_rels": ["ns:x"]}
    records = [{**record, **extra, **fields} for record in records]
    path = folder / "data_with_ct_0.4.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def test_cwq_form(tmp_path: Path) -> None:
    dataset = load_dataset("gog-cwq", gog_file(tmp_path, "cwq/cwq.json"))
    record = dataset.questions[0]
    assert record.gold.answers == (GoldAnswer(name="Port Zell"), GoldAnswer(name="Ulm Quay"))
    assert crucial_triples(record) == tuple(map(tuple, CRUCIAL))
    assert any("list facts, which --set kg.hide=crucial hides" in note for note in dataset.report.notes)
    assert any("where the published files have 1000" in note for note in dataset.report.notes)


def test_webqsp_form_keeps_ids_and_parses(tmp_path: Path) -> None:
    plain = load_dataset("webqsp", FIXTURES / "webqsp.json").questions
    dataset = load_dataset("gog-webqsp", gog_file(tmp_path, "webqsp.json"))
    assert [record.gold for record in dataset.questions] == [record.gold for record in plain]
    assert [record.question for record in dataset.questions] == [record.question for record in plain]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"answer": "Port Zell"}, 'field "answer" must be a list, found a string'),
        ({"mid_crucial_triples": [["m.1", "r"]]}, r"must be a list of \[head, relation, tail\]"),
        ({"mid_crucial_triples": "m.1"}, r"must be a list of \[head, relation, tail\]"),
        ({"mid_crucial_triples": [["m.1", "r", 3]]}, r"must be a list of \[head, relation, tail\]"),
    ],
)
@pytest.mark.parametrize(("name", "source"), [("gog-cwq", "cwq/cwq.json"), ("gog-webqsp", "webqsp.json")])
def test_faults(tmp_path: Path, name: str, source: str, fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(DataError, match=expected):
        load_dataset(name, gog_file(tmp_path, source, **fields))


def test_the_plain_file_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(DataError, match='field "answer" must be a string, found a list'):
        load_dataset("cwq", gog_file(tmp_path, "cwq/cwq.json"))
    with pytest.raises(DataError, match="is this a file data_with_ct"):
        load_dataset("gog-webqsp", _without_list(tmp_path))


def _without_list(folder: Path) -> Path:
    path = gog_file(folder, "webqsp.json")
    records = [{k: v for k, v in r.items() if k != "mid_crucial_triples"} for r in json.loads(path.read_text())]
    path.write_text(json.dumps(records))
    return path


def test_there_are_several_files_so_one_must_be_named() -> None:
    with pytest.raises(PrerequisiteMissing, match=r"gog-cwq:PATH.*github\.com/YaooXu/GoG"):
        load_dataset("gog-cwq")
