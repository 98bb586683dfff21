"""Graphs of any size: the same bytes everywhere, nothing overwritten unasked, questions that differ."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from kgbench.data.demo import demo_folder, generate, write
from kgbench.data.demo.files import FILES, SHIPPED_NAME, read_triples, write_tables
from kgbench.data.demo.graph import Tables
from kgbench.data.demo.making import Size, make
from kgbench.data.demo.questions import PLAN, shares
from kgbench.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_folder_way_makes_what_the_shipped_way_makes(tmp_path: Path) -> None:
    make(tmp_path / "made", Size())
    settings = (demo_folder() / "graph.toml").read_bytes().replace(b'name = "demo"', b'name = "demo-5000-0"')
    assert content(tmp_path / "made") == {**content(demo_folder()), "graph.toml": settings}


def test_hash_seed_changes_no_byte(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from kgbench.data.demo.making import Size, make\n"
        "make(Path(sys.argv[1]), Size(3000, 5, 30))"
    )
    for seed in ("1", "2"):
        subprocess.run([sys.executable, "-c", script, tmp_path / seed], env={"PYTHONHASHSEED": seed}, check=True)
    assert content(tmp_path / "1") == content(tmp_path / "2")
    assert sorted(content(tmp_path / "1")) == sorted(FILES)


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "triples.tsv").write_text("a\tr\tb\n", encoding="utf-8")
    (folder / "notes.txt").touch()
    with pytest.raises(UsageError, match="--force"):
        make(folder, Size(3000, 0, 0))
    assert (folder / "triples.tsv").read_text(encoding="utf-8") == "a\tr\tb\n"
    make(folder, Size(3000, 0, 0), force=True)
    assert sorted(path.name for path in folder.iterdir()) == sorted((*FILES, "notes.txt"))
    with pytest.raises(UsageError, match="is a file"):
        make(folder / "notes.txt", Size(3000, 0, 0), force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"], "nothing is left beside it"


def test_what_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="3000 or more"):
        make(tmp_path / "small", Size(10))
    with pytest.raises(UsageError, match="has material for"):
        make(tmp_path / "greedy", Size(3000, 0, 3000))
    assert list(tmp_path.iterdir()) == []


def test_numbers_of_questions_keep_the_shares_of_lengths() -> None:
    assert shares(120) == list(PLAN)
    for count in (0, 1, 7, 240, 1001):
        assert sum(part for _, part in shares(count)) == count
    assert [part for _, part in shares(240)] == [100, 90, 50]


def test_more_questions_than_wordings_and_none_twice() -> None:
    graph = generate(2, 12_000, 400)
    texts = [question["question"] for question in graph.questions]
    assert len(texts) == len(set(texts)) == 400
    assert [question["id"] for question in graph.questions] == [f"demo-{number:03d}" for number in range(1, 401)]


def test_triples_are_read_as_they_were_written(tmp_path: Path) -> None:
    graph = generate(0, 3000, 0)
    write(graph, tmp_path)
    assert tuple(read_triples(tmp_path)) == graph.triples
    odd = Tables((("a", "r", '"x\ty"'), ("b", "r", '"x\ny"')), (), ())
    write_tables(odd, 0, tmp_path, SHIPPED_NAME)
    assert tuple(read_triples(tmp_path)) == odd.triples
    assert f'name = "{SHIPPED_NAME}"' in (tmp_path / "graph.toml").read_text(encoding="utf-8")


def test_questions_are_records_of_their_own_graph(tmp_path: Path) -> None:
    make(tmp_path / "made", Size(3000, 9, 12))
    ids = {line.split("\t")[0] for line in (tmp_path / "made" / "types.tsv").read_text(encoding="utf-8").splitlines()}
    lines = (tmp_path / "made" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 12
    for line in lines:
        assert set(json.loads(line)["topic_entities"]) <= ids
