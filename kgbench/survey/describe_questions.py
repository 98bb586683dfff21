"""What questions are like beside their graph: what is there, how far apart, how much lies around the topics."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from kgbench.survey.describe import quantiles
from kgbench.survey.known import NOTHING, entities_of, look_up, mention_of
from kgbench.survey.reach import MOST_HOPS, Reach
from kgbench.survey.values import GoldNodes
from kgbench.types import Entity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kgbench.contracts import KnowledgeGraph, WholeGraph
    from kgbench.survey.census import Census
    from kgbench.survey.known import Known
    from kgbench.types import JsonObject, QuestionRecord

THIN = 5
"""Relations of a topic below which retrieval is trivial."""
FURTHER = f"over {MOST_HOPS}"
"""Key of questions whose topic and gold no way of four steps or fewer joins."""


@dataclass(frozen=True)
class QuestionsDescription:
    """What some questions are like beside a graph."""

    questions: int
    topics: int
    topics_in_graph: int
    topics_mentioned: int
    """Topics that the question says in its own words; the others are shown by their handle alone."""
    without_topic: int
    gold: int
    """Gold answers of all questions."""
    gold_entities: int
    """Of these, given by id."""
    gold_in_graph: int | None
    """None where values and names cannot be looked for; then ``gold_entities_in_graph`` is all that is known."""
    gold_entities_in_graph: int
    without_gold: int
    """Questions without a gold answer."""
    gold_out_of_reach: int | None
    """Questions with gold, none of which is in the graph."""
    answers: JsonObject
    """Gold answers a question: quantiles."""
    hops: JsonObject | None
    """Steps of the flattened graph from the farthest topic to its nearest gold answer -> questions, of those that have
    topics and gold in the graph. None where the graph cannot be read whole."""
    hops_counted: int | None
    """Questions whose hops were counted."""
    topic_relations: JsonObject
    """The fewest relations of any topic, by question: quantiles, and ``under_5``."""

    def to_json(self) -> JsonObject:
        """For machines."""
        return asdict(self)


def describe_questions(
    records: Sequence[QuestionRecord], graph: KnowledgeGraph, whole: tuple[WholeGraph, Census] | None
) -> QuestionsDescription:
    """Describe questions beside their graph.

    Args:
        records: the questions.
        graph: the open graph.
        whole: the same graph and its census, where it can be read whole.
    """
    known = look_up(graph, entities_of(records))
    gold_nodes = GoldNodes(*whole) if whole else None
    found = [[answer for answer in record.gold.answers if _is_there(answer.id, known)] for record in records]
    nodes = [gold_nodes.all_of(record.gold.answers) for record in records] if gold_nodes else None
    hops, counted = _hops(records, whole[1], nodes or []) if whole else (None, None)
    topics = [(record, topic) for record in records for topic in record.question.topics]
    return QuestionsDescription(
        questions=len(records),
        topics=len(topics),
        topics_in_graph=sum(known.get(topic, NOTHING).present for _, topic in topics),
        topics_mentioned=sum(
            mention_of(record, topic, known.get(topic, NOTHING)) is not None for record, topic in topics
        ),
        without_topic=sum(not record.question.topics for record in records),
        gold=sum(len(record.gold.answers) for record in records),
        gold_entities=sum(answer.id is not None for record in records for answer in record.gold.answers),
        gold_in_graph=_in_graph(records, gold_nodes),
        gold_entities_in_graph=sum(map(len, found)),
        without_gold=sum(not record.gold.answers for record in records),
        gold_out_of_reach=_out_of_reach(records, nodes),
        answers=quantiles([len(record.gold.answers) for record in records]),
        hops=hops,
        hops_counted=counted,
        topic_relations=_topic_relations(records, known),
    )


def _is_there(entity_id: str | None, known: Mapping[Entity, Known]) -> bool:
    return entity_id is not None and known.get(Entity(entity_id), NOTHING).present


def _in_graph(records: Iterable[QuestionRecord], gold_nodes: GoldNodes | None) -> int | None:
    if gold_nodes is None:
        return None
    return sum(bool(gold_nodes.of(answer)) for record in records for answer in record.gold.answers)


def _out_of_reach(records: Sequence[QuestionRecord], nodes: Sequence[set[int]] | None) -> int | None:
    if nodes is None:
        return None
    return sum(bool(record.gold.answers) and not found for record, found in zip(records, nodes, strict=True))


def _hops(records: Sequence[QuestionRecord], census: Census, gold: Sequence[set[int]]) -> tuple[dict[str, int], int]:
    reach = Reach(census)
    counts: Counter[str] = Counter()
    for record, goals in zip(records, gold, strict=True):
        starts = [census.number_of[topic] for topic in record.question.topics if topic in census.number_of]
        if reach.exhausted:
            break
        if starts and goals:
            steps = [reach.hops(start, goals) for start in starts]
            known = [step for step in steps if step is not None]
            counts[str(max(known)) if len(known) == len(steps) else FURTHER] += 1
    keys = [*map(str, range(MOST_HOPS + 1)), FURTHER]
    return {key: counts[key] for key in keys if counts[key]}, counts.total()


def _topic_relations(records: Iterable[QuestionRecord], known: Mapping[Entity, Known]) -> JsonObject:
    fewest = [
        min(known.get(topic, NOTHING).relations for topic in record.question.topics)
        for record in records
        if record.question.topics
    ]
    return {**quantiles(fewest), f"under_{THIN}": sum(number < THIN for number in fewest)} if fewest else {}
