"""Cases for the doctor: rows by name, and small graphs and questions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kgbench.contracts import Profile
from kgbench.doctor.examine import examine
from kgbench.run.plan import Given
from kgbench.spec import RunSpec
from kgbench.testing.graphs import MemoryGraph, parse_triples
from kgbench.testing.harness import dataset_of
from kgbench.types import Entity, Gold, GoldAnswer, Question, QuestionRecord

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kgbench.doctor.rows import CheckRow

FREEBASE, PLAIN = Profile("freebase", opaque_ids=True), Profile("plain")


def rows_of(spec: RunSpec | None = None, given: Given | None = None, **options: Any) -> dict[str, CheckRow]:
    """Rows by the name of their check; on a busy machine checks may take long."""
    found = list(examine(spec or RunSpec(), given, **{"seconds": 120.0, **options}))
    named = {row.check: row for row in found}
    assert len(named) == len(found)
    return named


def question(number: int, topics: Iterable[str], gold: Iterable[str | GoldAnswer] = ()) -> QuestionRecord:
    answers = tuple(answer if isinstance(answer, GoldAnswer) else GoldAnswer(answer) for answer in gold)
    name = f"q{number}"
    return QuestionRecord(Question(name, f"Question {number}?", tuple(map(Entity, topics))), Gold(name, answers))


def questions(topics: Iterable[str], gold: Iterable[str] = ()) -> tuple[QuestionRecord, ...]:
    """One question a topic; the gold answers go to the first."""
    return tuple(question(number, [topic], [] if number else gold) for number, topic in enumerate(topics))


def graph_with(ids: Iterable[str], profile: Profile = FREEBASE) -> MemoryGraph:
    """A graph in which each id is the subject of one statement."""
    return MemoryGraph(parse_triples("".join(f"{each}  is_in  hub\n" for each in ids)), profile=profile)


def covered(records: tuple[QuestionRecord, ...], graph: Any) -> dict[str, CheckRow]:
    return rows_of(RunSpec(dataset="own"), Given(dataset=dataset_of(records), graph=graph))


def folder_graph(folder: Path, triples: str, names: str = "") -> Path:
    """A graph folder of tab-separated lines."""
    folder.mkdir()
    (folder / "triples.tsv").write_text(triples, encoding="utf-8")
    if names:
        (folder / "entities.tsv").write_text(names, encoding="utf-8")
    return folder


def jsonl(path: Path, topics: Iterable[str]) -> Path:
    """One's own questions, one a topic, each topic its own answer's neighbour."""
    lines = (
        json.dumps(
            {"id": f"q{n}", "question": f"Who {n}?", "topic_entities": {t: ""}, "answers": [{"id": t, "name": "x"}]}
        )
        for n, t in enumerate(topics)
    )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
