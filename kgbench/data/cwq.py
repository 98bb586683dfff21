"""ComplexWebQuestions in the form published with linked topic entities (`cwq.json`, 3,531 test questions)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.data.cwq_gold import EXPANDED, GOLDS, note_unexpanded, read_cwq_gold
from kgbench.data.fields import text_field
from kgbench.data.published import PublishedCounts, check_counts, freebase_topics
from kgbench.data.records import Dataset, TopicFields, make_record, tags_of
from kgbench.data.source import Reading, open_source
from kgbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.data.cwq_gold import CwqGold
    from kgbench.types import JsonObject, QuestionRecord

PUBLISHED: PublishedCounts = {3531: {0: 11, 1: 2014, 2: 1397, 3: 109}, 1000: {}}
FIELDS = ("ID", "question", "topic_entity", "answer")


def load_cwq(path: Path, gold: str = EXPANDED, insist: bool = False, strict: bool = True) -> Dataset:
    """Loads CWQ.

    The file gives one name as answer, where every third question has several right ones. `expanded` adds the names of
    all results of the gold query from `cwq_aname_dict.json` beside the file; without that file, or for a question that it
    lacks, the single answer stands, and the report says so. `aliases` adds to each of these its other names. Golds are
    names, unless a file with ids lies beside as well; `kgbench.data.cwq_gold` lists the files.

    Args:
        path: the file.
        gold: `expanded`, `single` or `aliases`.
        insist: a number of records other than the published ones is an error, not a note.
        strict: False drops and reports records with faults instead of stopping.

    Raises:
        UsageError: another `gold`.
        PrerequisiteMissing: there is no such file, or none with aliases where they are wanted.
        DataError: faults in the file, each with the number of its record. An `answer` that is a list belongs to another
            release of the data and is such a fault.
    """
    if gold not in GOLDS:
        raise UsageError(f'the gold of cwq is one of {", ".join(GOLDS)}; got "{gold}"')
    file = open_source(path)
    reading = Reading(file, strict)
    known = read_cwq_gold(path.parent, gold, reading)
    reading.read(file.records(), _maker(known))
    check_counts(reading, PUBLISHED, insist)
    note_unexpanded(reading, known)
    return Dataset("cwq", tuple(reading.questions), reading.report())


def _maker(known: CwqGold) -> Callable[[JsonObject], QuestionRecord]:
    def make(record: JsonObject) -> QuestionRecord:
        question_id = text_field(record, "ID")
        text = text_field(record, "question")
        gold = known.gold(question_id, text, text_field(record, "answer"))
        topics = TopicFields(freebase_topics(record), {})
        return make_record(question_id, text, topics, gold, tags_of(record, FIELDS))

    return make
