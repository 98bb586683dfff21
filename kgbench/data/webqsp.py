"""WebQSP in its published form (`WebQSP.json`, with linked topic entities; 1,639 test questions or their first 1,000)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.data.fields import RecordFault, object_list, optional_text, text_field, wrong_type
from kgbench.data.published import PublishedCounts, check_counts, freebase_topics, require_freebase_id
from kgbench.data.records import Dataset, TopicFields, make_record, tags_of
from kgbench.data.source import Reading, open_source
from kgbench.types import Gold, GoldAnswer

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.types import JsonObject, QuestionRecord

PUBLISHED: PublishedCounts = {1639: {}, 1000: {1: 979, 2: 19, 3: 1, 5: 1}}
FIELDS = ("QuestionId", "RawQuestion", "topic_entity")


def load_webqsp(path: Path, insist: bool = False, strict: bool = True) -> Dataset:
    """Loads WebQSP.

    The gold is the union of the answers of all parses; which parse gave which answers is kept for the official F1, the
    best over parses. Questions without an answer (11 of the test set) are kept and flagged.

    Args:
        path: the file: a list of questions, or an object with the list under `Questions`.
        insist: a number of records other than the published ones is an error, not a note.
        strict: False drops and reports records with faults instead of stopping.

    Raises:
        PrerequisiteMissing: there is no such file.
        DataError: faults in the file, each with the number of its record.
    """
    file = open_source(path)
    reading = Reading(file, strict)
    reading.read(file.records("Questions"), webqsp_record)
    check_counts(reading, PUBLISHED, insist)
    return Dataset("webqsp", tuple(reading.questions), reading.report())


def webqsp_record(record: JsonObject) -> QuestionRecord:
    """Make the common record of a source record.

    Raises:
        RecordFault: a field is missing or of another type.
    """
    question_id = text_field(record, "QuestionId")
    text = text_field(record, "RawQuestion")
    parses = object_list(record, "Parses")
    topics = freebase_topics(record) if "topic_entity" in record else _topics_of_parses(parses)
    gold = _gold(question_id, parses)
    return make_record(question_id, text, TopicFields(topics, {}), gold, tags_of(record, FIELDS))


def _topics_of_parses(parses: list[JsonObject]) -> dict[str, str]:
    """The union over parses, which is what the linked file holds."""
    topics: dict[str, str] = {}
    for parse in parses:
        identifier = optional_text(parse, "TopicEntityMid")
        if identifier:
            require_freebase_id(identifier, "TopicEntityMid")
            topics.setdefault(identifier, optional_text(parse, "TopicEntityName") or "")
    return topics


def _gold(question_id: str, parses: list[JsonObject]) -> Gold:
    places: dict[GoldAnswer, int] = {}
    of_parses: list[tuple[int, ...]] = []
    for parse in parses:
        answers = [_answer(item) for item in object_list(parse, "Answers")]
        numbers = [places.setdefault(answer, len(places)) for answer in answers]
        of_parses.append(tuple(dict.fromkeys(numbers)))
    return Gold(question_id, tuple(places), tuple(of_parses))


def _answer(item: JsonObject) -> GoldAnswer:
    kind = text_field(item, "AnswerType")
    argument = text_field(item, "AnswerArgument")
    if kind == "Value":
        return GoldAnswer(value=argument)
    if kind != "Entity":
        raise RecordFault('field "AnswerType" must be "Entity" or "Value"')
    name = item.get("EntityName")
    if name is not None and not isinstance(name, str):
        raise wrong_type("EntityName", "a string or null", name)
    return GoldAnswer(id=argument, name=name or None)
