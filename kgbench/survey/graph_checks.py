"""What may be wrong with a graph that its files do not show line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.survey.shapes import (
    HUB,
    joined_entities,
    labels_with_names,
    mediator_lookalikes,
    undeclared_inverses,
    unnamed_hubs,
)
from kgbench.types import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kgbench.contracts import WholeGraph
    from kgbench.survey.census import Census

_Fault = tuple[Severity, str, str]


def check_graph(graph: WholeGraph, census: Census, tell: Callable[[Finding], None]) -> None:
    """Look at names, mediators, inverses and labels.

    Args:
        graph: the open graph.
        census: the same graph.
        tell: hears each finding.
    """
    for severity, kind, text in (*_names(graph, census), *_mediators(census), *_inverses(graph, census)):
        tell(Finding(severity, kind, text))


def _names(graph: WholeGraph, census: Census) -> Iterable[_Fault]:
    in_facts = census.entity.copy()
    in_facts[census.in_facts :] = False
    unnamed = int((in_facts & ~census.named).sum())
    total = int(in_facts.sum())
    if total and not census.named.any():
        text = (
            "nothing in the graph has a name (entities.tsv, or rdfs:label in RDF): there is none to show or to protect"
        )
        yield Severity.WARNING, "no_names", text
    elif unnamed:
        yield (
            Severity.HINT,
            "unnamed_entities",
            f"{unnamed} of {total} entities have no name: prompts show their handle or classes, answers their id",
        )
    hubs = unnamed_hubs(census) if census.named.any() else 0
    if hubs:
        text = f"{hubs} entities without a name stand in {HUB} facts or more; a name, or a place among the mediators, helps"
        yield Severity.WARNING, "unnamed_hub", text
    labels = labels_with_names(graph, [*(relation.label for relation in census.relations), *census.classes])
    if labels:
        text = (
            f"{len(labels)} relation or class label(s) hold words that are also a name: labels are sent in clear; "
            "kgbench data describe --names lists them"
        )
        yield Severity.HINT, "name_in_label", text


def _mediators(census: Census) -> Iterable[_Fault]:
    for label, members in mediator_lookalikes(census):
        if label:
            text = (
                f'the {members} members of class "{label}" have no name and join other entities; if they are no answers '
                f'themselves, add "{label}" to mediator_classes in the graph.toml of a folder (in RDF, use blank nodes)'
            )
        else:
            text = (
                f"{members} nodes have neither name nor class and join other entities; if they are no answers themselves, "
                "give them a class in types.tsv and name it in mediator_classes of graph.toml"
            )
        yield Severity.HINT, "mediator_lookalike", text
    named = int((census.mediator & census.named).sum())
    if named:
        text = f"{named} mediators have a name: methods read through a mediator and never answer with it"
        yield Severity.HINT, "named_mediator", text
    loose = int((census.mediator & (census.degree < 2)).sum())
    if loose:
        yield Severity.HINT, "loose_mediator", f"{loose} mediators stand in fewer than two facts and join nothing"
    alone = int((census.mediator & (joined_entities(census) == 0)).sum()) - loose
    if alone > 0:
        yield Severity.HINT, "loose_mediator", f"{alone} mediators join values alone and no entity"


def _inverses(graph: WholeGraph, census: Census) -> Iterable[_Fault]:
    for first, second in undeclared_inverses(census, graph.card.inverses):
        text = (
            f'"{first}" and "{second}" say the same facts, each in its own direction; relations.tsv can state the inverse, '
            "so that methods offer one of them"
        )
        yield Severity.HINT, "undeclared_inverse", text
