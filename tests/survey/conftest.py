"""A small good graph with questions, to be spoilt."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.survey.check import Checked, check_data

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TRIPLES = """\
j1\temployee\tp1
j1\tteam\tt1
j1\tsince\t"2019-04-01"^^xsd:date
j2\temployee\tp2
j2\tteam\tt1
j2\tsince\t"2021-11-15"^^xsd:date
p2\treports_to\tp1
t1\tbased_at\ts1
t1\theadcount\t"2"^^xsd:integer
"""
FILES = {
    "triples.tsv": TRIPLES,
    "entities.tsv": "p1\tOlva Brent\tO. Brent\np2\tTarn Quisp\ns1\tFenn Wharf\nt1\tGlaze Lab\n",
    "types.tsv": "j1\tjob\nj2\tjob\np1\tperson\np2\tperson\ns1\tsite\nt1\tteam\n",
    "relations.tsv": (
        "relation\tinverse\tdomain\trange\nemployee\t\tjob\tperson\nteam\t\tjob\tteam\nsince\t\tjob\txsd:date\n"
        "reports_to\t\tperson\tperson\nbased_at\t\tteam\tsite\nheadcount\t\tteam\txsd:integer\n"
    ),
    "graph.toml": 'name = "works"\nprofile = "plain"\nmediator_classes = ["job"]\n',
}
QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "a",
        "question": "Who works in the Glaze Lab?",
        "topic_entities": {"t1": "Glaze Lab"},
        "answers": [{"id": "p1", "name": "Olva Brent"}, {"id": "p2", "name": "Tarn Quisp"}],
    },
    {
        "id": "b",
        "question": "Where does Tarn Quisp work?",
        "topic_entities": {"p2": "Tarn Quisp"},
        "answers": [{"id": "s1", "name": "Fenn Wharf"}],
    },
    {
        "id": "c",
        "question": "Since when has Olva Brent been there?",
        "topic_entities": {"p1": "Olva Brent"},
        "answers": [{"value": "2019-04-01", "datatype": "xsd:date"}],
    },
]


@dataclass
class Works:
    """The folder; edit it, then check it."""

    folder: Path
    questions: list[Any] = field(default_factory=lambda: json.loads(json.dumps(QUESTIONS)))

    @property
    def questions_file(self) -> Path:
        return self.folder / "q.jsonl"

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace a text of a file that stands there once."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, (name, old)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def check(self) -> Checked:
        lines = [line if isinstance(line, str) else json.dumps(line) for line in self.questions]
        self.questions_file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return check_data(str(self.folder), self.questions_file)

    def found(self) -> set[tuple[str, str, str, tuple[int, ...]]]:
        """Severity, kind, file and lines of every finding."""
        return {
            (str(entry.severity), entry.kind, entry.file, tuple(entry.lines))
            for entry in self.check().findings.entries()
        }


def fill(folder: Path) -> Works:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return Works(folder)


@pytest.fixture
def works(tmp_path: Path) -> Works:
    return fill(tmp_path / "works")


@pytest.fixture(scope="session")
def fill_works() -> Callable[[Path], Works]:
    return fill
