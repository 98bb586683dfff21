"""Loading real questions of the evaluation data, where they are at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgbench.data.filters import filter_records
from kgbench.data.load import load_dataset

if TYPE_CHECKING:
    from pathlib import Path

COUNTS = {
    "webqsp.fb15k237": (429, 63),
    "webqsp.fbmini": (885, 118),
    "cwq.fb15k237": (40, 118),
    "cwq.fbmini": (449, 240),
    "grailqa.fbmini": (364, 3),
    "metaqa_2hop.metaqa": (751, 0),
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
