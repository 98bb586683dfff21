"""SimpleQuestions and WebQuestions in their published forms: linked topics, and names alone as gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.data.fields import required_list, text_field, text_list
from kgbench.data.published import PublishedCounts, check_counts, freebase_topics
from kgbench.data.records import Dataset, TopicFields, make_record, tags_of, without_repeats
from kgbench.data.source import Reading, open_source
from kgbench.types import Gold, GoldAnswer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.types import JsonObject, QuestionRecord

SIMPLEQA_PUBLISHED: PublishedCounts = {1000: {1: 1000}}
WEBQUESTIONS_PUBLISHED: PublishedCounts = {2032: {}}


def load_simpleqa(path: Path, insist: bool = False, strict: bool = True) -> Dataset:
    """Loads SimpleQuestions (`SimpleQA.json`): one name is the gold, though other objects may be right as well.

    Records have no id; theirs is the place in the file. Arguments and errors as for `load_webqsp`.
    """

    def names(record: JsonObject) -> list[str]:
        return [text_field(record, "answer")]

    reading = _read(path, "simpleqa", "answer", names, strict)
    check_counts(reading, SIMPLEQA_PUBLISHED, insist)
    return Dataset("simpleqa", tuple(reading.questions), reading.report())


def load_webquestions(path: Path, insist: bool = False, strict: bool = True) -> Dataset:
    """Loads WebQuestions (`WebQuestions.json`), which holds every one of WebQSP's first 1,000 questions.

    Records have no id; theirs is the place in the file. Arguments and errors as for `load_webqsp`.
    """

    def names(record: JsonObject) -> list[str]:
        required_list(record, "answers")
        return text_list(record, "answers")

    reading = _read(path, "webquestions", "answers", names, strict)
    check_counts(reading, WEBQUESTIONS_PUBLISHED, insist)
    return Dataset("webquestions", tuple(reading.questions), reading.report())


def _read(
    path: Path, name: str, gold_field: str, gold_names: Callable[[JsonObject], list[str]], strict: bool
) -> Reading:
    file = open_source(path)
    reading = Reading(file, strict)
    fields = ("question", "topic_entity", gold_field)

    def make(record: JsonObject) -> QuestionRecord:
        question_id = f"{name}-{reading.total:04d}"
        answers = without_repeats(GoldAnswer(name=answer) for answer in gold_names(record) if answer.strip())
        topics = TopicFields(freebase_topics(record), {})
        gold = Gold(question_id, answers)
        return make_record(question_id, text_field(record, "question"), topics, gold, tags_of(record, fields))

    reading.read(file.records(), make)
    return reading
