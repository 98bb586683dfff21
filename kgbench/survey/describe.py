"""What a graph is like: sizes, names, relations, classes, values, mediators, degrees."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kgbench.survey.reach import components
from kgbench.survey.shapes import labels_with_names
from kgbench.types import Entity, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import GraphCard, WholeGraph
    from kgbench.survey.census import Census
    from kgbench.types import JsonObject

HUBS = 10
"""Entities of the highest degree that are listed."""
QUANTILES = (50, 90, 99)
_XSD = "http://www.w3.org/2001/XMLSchema#"

Counts = tuple[tuple[str, int], ...]
"""Label and number, largest first, then by label."""


@dataclass(frozen=True)
class Hub:
    """An entity of high degree."""

    id: str
    facts: int
    classes: tuple[str, ...]
    name: str | None = None
    """Only where names are asked for."""


@dataclass(frozen=True)
class GraphDescription:
    """What a graph is like. A number that was not counted is None, and ``not_counted`` says why."""

    name: str
    profile: str
    fingerprint: str
    triples: int | None
    """As the graph counts them: names, types and schema may be among them."""
    facts: int | None = None
    """Distinct facts that methods can read: names, types and schema are none."""
    entities: int | None = None
    """Entities that stand in facts and are no mediators."""
    named: int | None = None
    """How many of these have a name."""
    listed_only: int | None = None
    """Entities that have a name and stand in no fact."""
    mediators: int | None = None
    relations: Counts = ()
    """Facts by relation."""
    classes: Counts = ()
    """Members by class."""
    mediator_classes: tuple[str, ...] = ()
    """Classes whose members are all mediators."""
    values: Counts = ()
    """Facts that end in a literal, by datatype."""
    degrees: JsonObject = field(default_factory=dict)
    """Facts an entity: ``p50``, ``p90``, ``p99``, ``max``."""
    hubs: tuple[Hub, ...] = ()
    components: int | None = None
    largest_component: int | None = None
    """Entities and mediators in it."""
    labels_with_names: tuple[str, ...] | None = None
    """Relation and class labels that hold an entity's name; only where names are asked for."""
    not_counted: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        """For machines."""
        return asdict(self)


def describe_graph(graph: WholeGraph, census: Census, *, names: bool = False) -> GraphDescription:
    """Describe a graph that was read whole.

    Args:
        graph: the open graph.
        census: the same graph.
        names: whether names may be in the description.
    """
    standing = census.entity.copy()
    standing[census.in_facts :] = False
    parts, largest = components(census)
    labels = [*(relation.label for relation in census.relations), *census.classes]
    return GraphDescription(
        **card_fields(graph.card),
        facts=len(census.facts),
        entities=int(standing.sum()),
        named=int((standing & census.named).sum()),
        listed_only=len(census.nodes) - census.in_facts,
        mediators=int(census.mediator.sum()),
        relations=_relations(census),
        classes=by_size({label: len(members) for label, members in census.classes.items()}),
        mediator_classes=tuple(label for label, members in census.classes.items() if census.mediator[members].all()),
        values=_values(census),
        degrees=quantiles(census.degree[standing]),
        hubs=_hubs(graph, census, names=names),
        components=parts,
        largest_component=largest,
        labels_with_names=tuple(labels_with_names(graph, labels)) if names else None,
    )


def card_fields(card: GraphCard) -> JsonObject:
    """What a graph's card says, by the fields of a description."""
    return {
        "name": card.name,
        "profile": card.profile.name,
        "fingerprint": card.fingerprint,
        "triples": card.triples,
    }


def by_size(counts: dict[str, int]) -> Counts:
    """Order counts: largest first, then by label."""
    return tuple(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def quantiles(numbers: Sequence[int] | np.ndarray[tuple[int], np.dtype[np.int64]]) -> JsonObject:
    """Quantiles of some whole numbers, each one of them, and the largest; empty where there are none."""
    if not len(numbers):
        return {}
    found = np.percentile(numbers, QUANTILES, method="inverted_cdf")
    return {
        **{f"p{share}": int(value) for share, value in zip(QUANTILES, found, strict=True)},
        "max": int(max(numbers)),
    }


def _relations(census: Census) -> Counts:
    counts = np.bincount(census.facts[:, 1], minlength=len(census.relations))
    return by_size({relation.label: int(count) for relation, count in zip(census.relations, counts, strict=True)})


def _values(census: Census) -> Counts:
    objects = np.bincount(census.facts[:, 2], minlength=len(census.nodes))
    counts: Counter[str] = Counter()
    for number in np.flatnonzero(census.literal):
        node = census.nodes[number]
        if isinstance(node, Literal):
            counts[datatype_label(node.datatype, tagged=bool(node.language))] += int(objects[number])
    return by_size(counts)


def datatype_label(datatype: str, *, tagged: bool = False) -> str:
    """A datatype in a few characters: ``xsd:date``, ``text``, ``text with a language``, else its IRI."""
    if tagged:
        return "text with a language"
    return datatype.replace(_XSD, "xsd:") or "text"


def _hubs(graph: WholeGraph, census: Census, *, names: bool) -> tuple[Hub, ...]:
    order = np.lexsort((census.degree * -1,))
    order = order[census.entity[order]]
    if not len(order):
        return ()
    # Ties at the cut are settled by id, not by the order in which the store gave its facts.
    least = census.degree[order[:HUBS][-1]]
    candidates = [int(number) for number in order if census.degree[number] >= max(1, least)]
    entities = {number: node for number in candidates if isinstance(node := census.nodes[number], Entity)}
    first = sorted(entities, key=lambda number: (-census.degree[number], entities[number].id))[:HUBS]
    shown = graph.names([entities[number] for number in first]) if names else {}
    kinds = graph.types([entities[number] for number in first])
    return tuple(
        Hub(
            id=entities[number].id,
            facts=int(census.degree[number]),
            classes=tuple(label.label for label in kinds[entities[number]].classes),
            name=shown[entities[number]].name if names else None,
        )
        for number in first
    )
