"""Loading real questions of the evaluation data, where they are at hand."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from kgbench.data.filters import filter_records
from kgbench.data.load import load_dataset
from kgbench.kg.open import open_graph
from kgbench.types import Direction, Entity

if TYPE_CHECKING:
    from pathlib import Path

COUNTS = {
    "webqsp.fb15k237": (429, 63),
    "webqsp.fbmini": (885, 118),
    "cwq.fb15k237": (40, 118),
    "cwq.fbmini": (449, 240),
    "grailqa.fb15k237": (1, 0),
    "grailqa.fbmini": (364, 3),
    "simplequestions.fb15k237": (177, 0),
    "simplequestions.fbmini": (1214, 0),
    "webquestions.fb15k237": (0, 48),
    "webquestions.fbmini": (0, 72),
    "metaqa_1hop.metaqa": (741, 0),
    "metaqa_2hop.metaqa": (751, 0),
    "metaqa_3hop.metaqa": (734, 0),
    "pathquestion2h": (293, 0),
    "pathquestion3h": (1129, 0),
}
"""Questions that are answerable exactly, and the others, as the data's own notes state."""


@pytest.mark.parametrize("name", COUNTS)
def test_counts_and_gold(real_data: Path, name: str) -> None:
    dataset = load_dataset(f"jsonl:{real_data / 'questions' / f'{name}.jsonl'}")
    exact = filter_records(dataset.questions, "answerable=exact")
    relaxed = filter_records(dataset.questions, "answerable!=exact")
    assert (len(exact), len(relaxed)) == COUNTS[name]
    assert dataset.report.dropped == ()
    for record in dataset.questions:
        assert record.question.topics
        assert record.gold.answers
        assert all(answer.id for answer in record.gold.answers)


def test_split_by_thin_topics(real_data: Path) -> None:
    dataset = load_dataset("jsonl", real_data / "questions" / "cwq.fbmini.jsonl")
    exact = filter_records(dataset.questions, "answerable=exact")
    thin = filter_records(exact, "topic_relations<5")
    thick = filter_records(exact, "topic_relations>=5")
    assert len(thin) + len(thick) == len(exact)
    assert 0.8 < len(thin) / len(exact) < 0.9


def published_metaqa(real_data: Path, folder: Path) -> None:
    """Write MetaQA's published layout from the real graph and questions: names in place of made-up ids."""
    names: dict[str, str] = {}
    with gzip.open(real_data / "metaqa" / "entities.tsv.gz", "rt", encoding="utf-8") as file:
        for line in file:
            identifier, name, *_ = line.rstrip("\n").split("\t")
            names[identifier] = name
    with (
        gzip.open(real_data / "metaqa" / "triples.tsv.gz", "rt", encoding="utf-8") as file,
        (folder / "kb.txt").open("w", encoding="utf-8") as facts,
    ):
        for line in file:
            head, relation, tail = line.rstrip("\n").split("\t")
            facts.write(f"{names[head]}|{relation}|{names[tail]}\n")
    with (folder / "qa_test.txt").open("w", encoding="utf-8") as questions:
        for line in (real_data / "questions" / "metaqa_2hop.metaqa.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            (topic,) = record["topic_entities"].values()
            answers = "|".join(names[answer["mid"]] for answer in record["answers"])
            questions.write(f"{record['question'].replace(topic, f'[{topic}]', 1)}\t{answers}\n")


def test_metaqa_in_its_published_layout(real_data: Path, tmp_path: Path) -> None:
    published_metaqa(real_data, tmp_path)
    dataset = load_dataset("metaqa-2hop", tmp_path)
    own = load_dataset("jsonl", real_data / "questions" / "metaqa_2hop.metaqa.jsonl")
    assert [record.question.text for record in dataset.questions] == [record.question.text for record in own.questions]
    assert dataset.report.dropped == ()
    graph = open_graph(str(dataset.graph))
    assert graph.card.triples is not None
    assert graph.card.triples > 130_000
    for record in dataset.questions[:50]:
        ends = [*record.question.topics, *(Entity(answer.id or "") for answer in record.gold.answers)]
        found = [graph.relations(ends, direction) for direction in Direction]
        assert all(found[0][end] or found[1][end] for end in ends)
