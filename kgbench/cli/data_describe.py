"""``kgbench data describe``: what a graph and its questions are like."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from kgbench.cli.data_check import AsJson, Graph, Profile  # noqa: TC001 - typer reads annotations at run time
from kgbench.cli.display import say, show_json, show_table, tell
from kgbench.cli.failures import Debug  # noqa: TC001 - likewise
from kgbench.seam.render import one_line
from kgbench.spec import without_password

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench.report.table import Cell
    from kgbench.survey.describe import Counts, GraphDescription
    from kgbench.survey.describe_questions import QuestionsDescription

ROWS_SHOWN = 10
"""Rows of a table that are shown; --json has all."""

Questions = Annotated[
    str | None,
    typer.Argument(metavar="[QUESTIONS]", help="Your questions, or a data set as for --dataset.", show_default=False),
]
Names = Annotated[
    bool, typer.Option("--names", help="Show names of hubs, and labels that hold a name: content of your graph.")
]


def describe(
    graph: Graph,
    questions: Questions = None,
    kg_profile: Profile = None,
    names: Names = False,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Count what a graph holds, and how far its questions' answers lie from their topics."""
    from kgbench.survey.demands import demands
    from kgbench.survey.locations import graph_location, load_questions
    from kgbench.survey.survey import survey

    records = None if questions is None else load_questions(questions)
    seen = survey(
        graph_location(graph), records, kg_profile, names=names, progress=lambda text: tell(f"kgbench: {text}")
    )
    hard = demands(seen.graph, seen.questions)
    if as_json:
        about = seen.questions.to_json() if seen.questions else None
        show_json({"graph": seen.graph.to_json(), "questions": about, "to_cope_with": hard})
        return
    _show_graph(seen.graph)
    if seen.questions:
        say()
        _show_questions(seen.questions)
    say()
    for number, sentence in enumerate(hard):
        say(f"{'' if number else 'cope with':<11}{one_line(sentence)}")
    say(f"next       {_next(graph, questions)}")


def _show_graph(found: GraphDescription) -> None:
    from kgbench.survey.demands import percent

    triples = "" if found.triples is None else f", {found.triples} triples"
    say(f"graph      {one_line(found.name)}: profile {found.profile}{triples}, content {found.fingerprint[:8]}")
    if found.facts is not None:
        say(f"facts      {found.facts} of {len(found.relations)} relations; names, types and schema are none")
    if found.entities is not None and found.named is not None:
        alone = f"; {found.listed_only} more have a name and stand in no fact" if found.listed_only else ""
        say(
            f"entities   {found.entities}, of them {found.named} with a name ({percent(found.named, found.entities)}){alone}"
        )
    if found.mediators is not None:
        of_classes = f", the members of {_listed(found.mediator_classes)}" if found.mediator_classes else ""
        say(f"mediators  {found.mediators}{one_line(of_classes)}")
    if found.values:
        say(f"values     {sum(count for _, count in found.values)} facts end in one: {one_line(_counts(found.values))}")
    if found.degrees:
        d = found.degrees
        say(
            f"degrees    facts an entity: half have {d['p50']} or fewer, 90 % {d['p90']}, 99 % {d['p99']}; "
            f"the largest {d['max']}"
        )
    if found.components is not None:
        say(
            f"parts      {found.components} component(s), the largest with {found.largest_component} entities and mediators"
        )
    for label in found.labels_with_names or ():
        say(f"label      {one_line(label)}: holds words that are also a name")
    for reason in found.not_counted:
        say(f"uncounted  {one_line(reason)}")
    whole = found.facts is not None  # a server counts its names and types among the predicates
    _show_counts("relation" if whole else "predicate", "facts" if whole else "triples", found.relations)
    _show_counts("class", "members", found.classes)
    _show_hubs(found)


def _listed(labels: Sequence[str]) -> str:
    shown = ", ".join(labels[:ROWS_SHOWN])
    return shown if len(labels) <= ROWS_SHOWN else f"{shown} and {len(labels) - ROWS_SHOWN} more classes"


def _counts(counts: Counts) -> str:
    return ", ".join(f"{count} {label}" for label, count in counts)


def _show_counts(title: str, number: str, counts: Counts) -> None:
    from kgbench.report.table import Column, Kind, make_table

    if counts:
        more = f" ({len(counts)}, the first {ROWS_SHOWN})" if len(counts) > ROWS_SHOWN else ""
        columns = (Column("label", title + more), Column("count", number, Kind.COUNT))
        rows: list[Mapping[str, Cell]] = [{"label": label, "count": count} for label, count in counts[:ROWS_SHOWN]]
        say()
        show_table(make_table(columns, [("", rows)]))


def _show_hubs(found: GraphDescription) -> None:
    from kgbench.report.table import Column, Kind, make_table

    if found.hubs:
        columns = [Column("id", "id of the largest"), Column("facts", "facts", Kind.COUNT)]
        if any(hub.classes for hub in found.hubs):
            columns.append(Column("classes", "classes"))
        if found.labels_with_names is not None:
            columns.append(Column("name", "name"))
        rows: list[Mapping[str, Cell]] = [
            {"id": hub.id, "facts": hub.facts, "classes": ", ".join(hub.classes), "name": hub.name}
            for hub in found.hubs
        ]
        say()
        show_table(make_table(columns, [("", rows)]))


def _show_questions(found: QuestionsDescription) -> None:
    from kgbench.survey.demands import percent

    say(f"questions  {found.questions}, {found.without_topic} without a topic, {found.without_gold} without gold")
    say(
        f"topics     {found.topics}, of them {found.topics_in_graph} in the graph "
        f"({percent(found.topics_in_graph, found.topics)}), {found.topics_mentioned} named in the question "
        f"({percent(found.topics_mentioned, found.topics)})"
    )
    if found.gold_in_graph is not None:
        there = f"{found.gold_in_graph} in the graph ({percent(found.gold_in_graph, found.gold)})"
    else:
        share = percent(found.gold_entities_in_graph, found.gold_entities)
        there = f"{found.gold_entities} entities, of which {found.gold_entities_in_graph} in the graph ({share})"
    say(f"gold       {found.gold} answers, of them {there}")
    if found.hops is None:
        say("hops       not counted: the graph stays on its server")
    else:
        say(
            f"hops       {_hops(found.hops)} (from the farthest topic to its nearest gold; "
            f"{found.hops_counted} questions)"
        )
    relations = found.topic_relations
    if relations:
        say(
            f"relations  of a question's narrowest topic: half {relations['p50']} or fewer, 90 % {relations['p90']}; "
            f"the most {relations['max']}; under 5 in {relations['under_5']} questions"
        )


def _hops(hops: Mapping[str, int]) -> str:
    return ", ".join(f"{key}: {count}" for key, count in hops.items()) or "none"


def _next(graph: str, questions: str | None) -> str:
    from kgbench.data.load import DATASET_NAMES

    graph = without_password(graph)
    if questions is None:
        return shlex.join(["kgbench", "data", "check", graph, "QUESTIONS.jsonl"])
    if graph == questions == "demo":
        return "kgbench run --method arog --scenario private"
    known = questions.partition(":")[0] in DATASET_NAMES
    dataset = questions if known else f"jsonl:{questions}"
    return shlex.join(["kgbench", "run", "--method", "arog", "--dataset", dataset, "--kg", graph])
