"""MetaQA in its published layout: a text file of questions for each number of hops, and one file of facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kgbench.data.fields import RecordFault, text_field, text_list
from kgbench.data.records import Dataset, TopicFields, make_record, without_repeats
from kgbench.data.source import Reading, Row, open_source
from kgbench.errors import PrerequisiteMissing
from kgbench.types import Gold, GoldAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from kgbench.data.source import SourceFile
    from kgbench.types import JsonObject, QuestionRecord

HOPS = {"metaqa-1hop": 1, "metaqa-2hop": 2, "metaqa-3hop": 3}
RECORDS = {
    "metaqa-1hop": {"train": 96_106, "dev": 9_992, "test": 9_947},
    "metaqa-2hop": {"train": 118_980, "dev": 14_872, "test": 14_872},
    "metaqa-3hop": {"train": 114_196, "dev": 14_274, "test": 14_274},
}
"""Published number of questions by split, of the release's folders ``vanilla``."""
FACTS = "kb.txt"
_TOPIC = re.compile(r"\[(?P<name>.+)\]")
"""From the first bracket to the last: there is one topic a question, and a title may hold brackets itself."""
_LEVELS_UP = 3
"""Folders in which the facts are looked for, from a file of questions upwards."""


def load_metaqa(name: str, path: Path, split: str = "test", insist: bool = False, strict: bool = True) -> Dataset:
    """Load the questions of one number of hops.

    A line is a question with its topic in brackets, a tab, and the answers joined by ``|``. The brackets are removed
    from the text and what they hold is the topic and its mention. Ids are names, as in the facts: equal names are one
    node.

    Args:
        name: ``metaqa-1hop``, ``metaqa-2hop`` or ``metaqa-3hop``.
        path: the folder with ``kb.txt`` and ``1-hop/vanilla/qa_test.txt`` (or ``qa_test.txt`` itself), the file of facts
            in that folder, or a file of questions.
        split: ``test``, ``train`` or ``dev``.
        insist: a number of questions other than the published one is an error, not a note.
        strict: False drops and reports lines with faults instead of stopping.

    Raises:
        PrerequisiteMissing: there are no questions, or no facts.
        DataError: faults in the file, each with its line.
    """
    hops = HOPS[name]
    questions, facts = _files(path, hops, split)
    file = open_source(questions)
    reading = Reading(file, strict)
    reading.read(_rows(file), _maker(f"{name}-{split}", hops, reading))
    _check_count(reading, RECORDS[name].get(split), insist)
    return Dataset(name, tuple(reading.questions), reading.report(), facts)


def _check_count(reading: Reading, expected: int | None, insist: bool) -> None:
    if expected in (None, reading.total):
        return
    problem = f"{reading.total} questions, where the published file has {expected}"
    if insist:
        raise reading.file.error(f"{problem}; name the path to load another file of this form")
    reading.notes.append(problem)


def _files(path: Path, hops: int, split: str) -> tuple[Path, Path]:
    """The file of questions and the file of facts."""
    name = f"qa_{split}.txt"
    if path.is_file() and path.name != FACTS:
        facts = [folder / FACTS for folder in path.parents[:_LEVELS_UP] if (folder / FACTS).is_file()]
        if not facts:
            raise PrerequisiteMissing(
                f"{FACTS} is not beside {path.name}, nor in a folder above; it holds MetaQA's facts"
            )
        return path, facts[0]
    folder = path.parent if path.is_file() else path
    candidates = (folder / f"{hops}-hop" / "vanilla" / name, folder / f"{hops}-hop" / name, folder / name)
    found = next((candidate for candidate in candidates if candidate.is_file()), None)
    if found is None or not (folder / FACTS).is_file():
        raise PrerequisiteMissing(
            f"{folder} is no folder of MetaQA: it must hold {FACTS} and {hops}-hop/vanilla/{name}, or {name} itself"
        )
    return found, folder / FACTS


def _rows(file: SourceFile) -> Iterator[Row]:
    for number, line in enumerate(file.data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            yield Row(f"line {number}", _parsed(line))


def _parsed(line: bytes) -> object:
    try:
        text = line.decode("utf-8").rstrip("\r")
    except UnicodeDecodeError as error:
        return RecordFault(f"not UTF-8 at byte {error.start}")
    question, tab, answers = text.partition("\t")
    if not tab or "\t" in answers:
        return RecordFault("must be a question, one tab, and answers joined by |")
    return {"question": question, "answers": answers.split("|")}


def _ends_early(inner: str) -> bool:
    """True where the first bracket of a question is closed before another one opens: they are two pairs."""
    depth = 0
    for place, character in enumerate(inner):
        depth += (character == "[") - (character == "]")
        if depth < 0:
            return "[" in inner[place:]
    return False


def _maker(prefix: str, hops: int, reading: Reading) -> Callable[[JsonObject], QuestionRecord]:
    def make(record: JsonObject) -> QuestionRecord:
        bracketed = text_field(record, "question")
        topic = _TOPIC.search(bracketed)
        name = topic["name"].strip() if topic is not None else ""
        if topic is None or not name:
            raise RecordFault("the question has no topic in brackets")
        if _ends_early(name):
            raise RecordFault("the question has two topics in brackets")
        text = bracketed[: topic.start()] + topic["name"] + bracketed[topic.end() :]
        question_id = f"{prefix}-{reading.total:05d}"  # lines have no id of their own
        named = (answer.strip() for answer in text_list(record, "answers"))
        answers = without_repeats(GoldAnswer(id=answer, name=answer) for answer in named if answer)
        topics = TopicFields({name: name}, {name: name})
        return make_record(question_id, text, topics, Gold(question_id, answers), {"hops": hops})

    return make
