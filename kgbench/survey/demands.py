"""What a method would have to cope with on a graph and its questions, in sentences with their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.survey.describe_questions import FURTHER, THIN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgbench.survey.describe import GraphDescription
    from kgbench.survey.describe_questions import QuestionsDescription

MANY_RELATIONS = 30
"""Relations of a topic above which a list of them fills a prompt."""
MANY_FACTS = 1000
MANY_ANSWERS = 5


def demands(graph: GraphDescription, questions: QuestionsDescription | None) -> list[str]:
    """Say what makes a graph and its questions hard.

    Args:
        graph: what the graph is like.
        questions: what the questions are like; None where there are none.
    """
    found = list(_of_graph(graph))
    if questions is not None:
        found += [*_of_gold(questions), *_of_ways(questions), *_of_topics(questions)]
    return found


def _of_graph(graph: GraphDescription) -> Iterable[str]:
    if graph.degrees.get("max", 0) >= MANY_FACTS:
        yield f"hubs: an entity stands in {graph.degrees['max']} facts; lists must be cut or ranked to fit a prompt"
    if graph.entities and graph.named is not None and graph.named < graph.entities:
        share = percent(graph.entities - graph.named, graph.entities)
        yield f"unnamed entities: {share} have no name and are told apart by handle and classes alone"
    if graph.mediators:
        yield f"mediators: {graph.mediators} nodes are read through, two facts as one step"


def _of_gold(questions: QuestionsDescription) -> Iterable[str]:
    if questions.without_gold:
        yield f"no gold: {questions.without_gold} questions have none and count as misses"
    if questions.gold_out_of_reach:
        yield f"gold out of reach: of {questions.gold_out_of_reach} questions no gold answer is in the graph"
    values = questions.gold - questions.gold_entities
    if values:
        yield f"answers that are no entities: {percent(values, questions.gold)} are values or texts"
    if questions.answers.get("p90", 0) >= MANY_ANSWERS:
        yield f"long answers: a tenth of the questions has {questions.answers['p90']} answers or more"


def _of_ways(questions: QuestionsDescription) -> Iterable[str]:
    if not questions.hops or not questions.hops_counted:
        return
    far = sum(count for hops, count in questions.hops.items() if hops not in ("0", "1", FURTHER))
    if far:
        yield f"several steps: {percent(far, questions.hops_counted)} of the questions need two or more"
    if questions.hops.get(FURTHER):
        yield f"not connected: of {questions.hops[FURTHER]} questions some topic is {FURTHER} steps from every answer"


def _of_topics(questions: QuestionsDescription) -> Iterable[str]:
    if questions.without_topic:
        yield f"no topic: {questions.without_topic} questions name no topic entity to start from"
    unsaid = questions.topics - questions.topics_mentioned
    if unsaid:
        yield f"unsaid topics: {percent(unsaid, questions.topics)} are not named by their question; prompts show handles"
    if questions.topic_relations.get("p90", 0) >= MANY_RELATIONS:
        yield f"wide topics: a tenth of the questions starts from {questions.topic_relations['p90']} relations or more"
    thin = questions.topic_relations.get(f"under_{THIN}", 0)
    if thin:
        share = percent(thin, questions.questions)
        yield f"thin topics: {share} start from fewer than {THIN} relations, where choosing is easy; report them apart"


def percent(part: int, whole: int) -> str:
    """A share in per cent, with one decimal; ``-`` of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"
