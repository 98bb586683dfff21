"""ComplexWebQuestions in the form published with linked topic entities (`cwq.json`, 3,531 test questions)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from kgbench.data.fields import text_field
from kgbench.data.published import PublishedCounts, check_counts, freebase_topics
from kgbench.data.records import Dataset, TopicFields, make_record, tags_of, without_repeats
from kgbench.data.source import Reading, open_source
from kgbench.errors import UsageError
from kgbench.types import Gold, GoldAnswer

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.types import JsonObject, QuestionRecord

PUBLISHED: PublishedCounts = {3531: {0: 11, 1: 2014, 2: 1397, 3: 109}, 1000: {}}
FIELDS = ("ID", "question", "topic_entity", "answer")
NAMES_FILE = "cwq_aname_dict.json"
"""Names of all results of each gold query, by question text (Plan-on-Graph's repository, folder `cope_alias`)."""
PLACEHOLDER_NAME = "UnName_Entity"
UNNAMED_DROPPED = "unnamed_results_dropped"
EXPANDED, SINGLE = "expanded", "single"

NamesByText = Mapping[str, list[str]]


def load_cwq(path: Path, gold: str = EXPANDED, insist: bool = False, strict: bool = True) -> Dataset:
    """Loads CWQ.

    The file gives one name as answer, where every third question has several right ones. `expanded` adds the names of
    all results of the gold query from `cwq_aname_dict.json` beside the file; without that file, or for a question that it
    lacks, the single answer stands, and the report says so. Golds are names: the file holds no ids of answers.

    Args:
        path: the file.
        gold: `expanded` or `single`.
        insist: a number of records other than the published ones is an error, not a note.
        strict: False drops and reports records with faults instead of stopping.

    Raises:
        UsageError: another `gold`.
        PrerequisiteMissing: there is no such file.
        DataError: faults in the file, each with the number of its record. An `answer` that is a list belongs to another
            release of the data and is such a fault.
    """
    if gold not in (EXPANDED, SINGLE):
        raise UsageError(f'the gold of cwq is "{EXPANDED}" or "{SINGLE}", not "{gold}"')
    reading = Reading(open_source(path), strict)
    names = _names(path.parent / NAMES_FILE, reading) if gold == EXPANDED else {}
    reading.read(reading.file.records(), _maker(names))
    check_counts(reading, PUBLISHED, insist)
    if names:
        _note_unexpanded(reading, names)
    return Dataset("cwq", tuple(reading.questions), reading.report())


def _names(path: Path, reading: Reading) -> NamesByText:
    if not path.is_file():
        reading.notes.append(f"gold is the single answer of each question: {NAMES_FILE} is not beside the file")
        return {}
    file = open_source(path)
    content = file.json()
    if not isinstance(content, dict):
        raise file.error("expected an object of question texts and lists of names")
    for number, names in enumerate(content.values(), start=1):
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise file.error(f"entry {number} must be a list of strings; a string would be read letter by letter")
    reading.notes.append(f"gold expanded by {NAMES_FILE}, sha256 {file.sha256}")
    return content


def _note_unexpanded(reading: Reading, names: NamesByText) -> None:
    missing = sum(record.question.text not in names for record in reading.questions)
    if missing:
        reading.notes.append(f"gold is the single answer of {missing} questions that {NAMES_FILE} lacks")


def _maker(names: NamesByText) -> Callable[[JsonObject], QuestionRecord]:
    def make(record: JsonObject) -> QuestionRecord:
        question_id = text_field(record, "ID")
        text = text_field(record, "question")
        gold = _gold(question_id, text_field(record, "answer"), names.get(text, []))
        topics = TopicFields(freebase_topics(record), {})
        return make_record(question_id, text, topics, gold, tags_of(record, FIELDS))

    return make


def _gold(question_id: str, single: str, results: list[str]) -> Gold:
    named = [name for name in results if name.strip() and name != PLACEHOLDER_NAME]
    answers = without_repeats(GoldAnswer(name=name) for name in (single, *named))
    return Gold(question_id, answers, flags=(UNNAMED_DROPPED,) if len(named) < len(results) else ())
