"""GrailQA in the form published with linked topic entities (`grailqa.json`, also spelt `graliqa.json`; 1,000 questions)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.data.fields import RecordFault, id_field, object_list, optional_text, text_field, wrong_type
from kgbench.data.published import PublishedCounts, check_counts, freebase_topics
from kgbench.data.records import Dataset, TopicFields, make_record, tags_of, without_repeats
from kgbench.data.source import Reading, open_source
from kgbench.types import Gold, GoldAnswer

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.types import JsonObject, QuestionRecord

PUBLISHED: PublishedCounts = {1000: {0: 12, 1: 925, 2: 63}}
FIELDS = ("qid", "question", "topic_entity", "answer")
NO_NAME = "null"
"""What the file writes as the name of an answer without one."""


def load_grailqa(path: Path, topics_from_graph: bool = False, insist: bool = False, strict: bool = True) -> Dataset:
    """Loads GrailQA.

    Args:
        path: the file.
        topics_from_graph: adds the entities of the gold query graph that the linked topics lack (a few ids of the form
            `g.…` were left out upstream); off for fidelity to published results.
        insist: a number of records other than the published one is an error, not a note.
        strict: False drops and reports records with faults instead of stopping.

    Raises:
        PrerequisiteMissing: there is no such file.
        DataError: faults in the file, each with the number of its record.
    """
    file = open_source(path)
    reading = Reading(file, strict)
    reading.read(file.records(), lambda record: _record(record, topics_from_graph))
    topics_as_published: PublishedCounts = {count: {} for count in PUBLISHED} if topics_from_graph else PUBLISHED
    check_counts(reading, topics_as_published, insist)
    return Dataset("grailqa", tuple(reading.questions), reading.report())


def _record(record: JsonObject, topics_from_graph: bool) -> QuestionRecord:
    question_id = id_field(record, "qid")
    text = text_field(record, "question")
    topics = freebase_topics(record)
    if topics_from_graph:
        topics = {**_entities_of_query_graph(record), **topics}
    answers = without_repeats(_answer(item) for item in object_list(record, "answer"))
    gold = Gold(question_id, answers)
    return make_record(question_id, text, TopicFields(topics, {}), gold, tags_of(record, FIELDS))


def _entities_of_query_graph(record: JsonObject) -> dict[str, str]:
    graph = record.get("graph_query")
    if not isinstance(graph, dict):
        raise wrong_type("graph_query", "an object", graph)
    nodes = [node for node in object_list(graph, "nodes") if node.get("node_type") == "entity"]
    return {text_field(node, "id"): optional_text(node, "friendly_name") or "" for node in nodes}


def _answer(item: JsonObject) -> GoldAnswer:
    kind = text_field(item, "answer_type")
    argument = text_field(item, "answer_argument")
    if kind == "Value":
        return GoldAnswer(value=argument)
    if kind != "Entity":
        raise RecordFault('field "answer_type" must be "Entity" or "Value"')
    name = optional_text(item, "entity_name")
    return GoldAnswer(id=argument, name=name if name and name != NO_NAME else None)
