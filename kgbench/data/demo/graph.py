"""Makes a demo graph with its questions: the one entry into the generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kgbench.data.demo import schema
from kgbench.data.demo.draft import Draft
from kgbench.data.demo.events import add_events
from kgbench.data.demo.names import NameMaker, seeded
from kgbench.data.demo.places import add_places
from kgbench.data.demo.procurement import add_procurement
from kgbench.data.demo.questions import SHIPPED, Asker, Known
from kgbench.data.demo.sizes import REFERENCE_TRIPLES, sizes_for
from kgbench.data.demo.staff import add_staff
from kgbench.data.demo.world import World

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgbench.types import JsonObject


class EntityRow(NamedTuple):
    """One row of `entities.tsv`: a node that has a name."""

    id: str
    name: str
    aliases: tuple[str, ...]


class TypesRow(NamedTuple):
    """One row of `types.tsv`."""

    id: str
    classes: tuple[str, ...]


@dataclass(frozen=True)
class DemoGraph:
    """A demo graph: the rows of its files, each sorted, and its questions."""

    seed: int
    triples: tuple[tuple[str, str, str], ...]
    """Head id, relation label, and a tail id or a literal in N-Triples form."""
    entities: tuple[EntityRow, ...]
    types: tuple[TypesRow, ...]
    relations: tuple[schema.Relation, ...]
    questions: tuple[JsonObject, ...]
    """Records as in `questions.jsonl`, sorted by id."""


class Tables(NamedTuple):
    """The rows of a demo graph's files, each table sorted."""

    triples: tuple[tuple[str, str, str], ...]
    entities: tuple[EntityRow, ...]
    types: tuple[TypesRow, ...]

    def known(self) -> Known:
        """What questions may use beside the triples."""
        return Known(
            names={row.id: row.name for row in self.entities},
            aliases={row.id: row.aliases for row in self.entities if row.aliases},
            members=_members(self.types),
        )


def generate(seed: int = 0, triples: int = REFERENCE_TRIPLES, questions: int = SHIPPED) -> DemoGraph:
    """Makes a fictional hospital group as a graph, and questions with gold answers from SPARQL.

    The same arguments give the same graph on every machine. Time and memory grow with the number of triples;
    `kgbench.data.demo.making` needs less of both for a large one.

    Args:
        seed: another seed gives other names, facts and questions.
        triples: about how many triples (within three per cent).
        questions: how many questions.

    Raises:
        UsageError: if `triples` is too small for the questions.
    """
    tables = draw_tables(seed, triples)
    asked = Asker(tables.known(), tables.triples, seed, questions).questions()
    return DemoGraph(seed, *tables, relations=schema.RELATIONS, questions=tuple(asked))


def draw_tables(seed: int, triples: int) -> Tables:
    """Draws the graph, without questions. The draft is let go on return: it takes as much room as the rows.

    Args:
        seed: another seed gives other names and facts.
        triples: about how many triples (within three per cent).

    Raises:
        UsageError: if `triples` is too small for any questions.
    """
    draft = _build_world(seed, triples).draft
    ids = draft.ids(seeded(seed, "ids"))
    rows = {(ids[head], label, tail if isinstance(tail, str) else ids[tail]) for head, label, tail in draft.triples}
    entities = (
        EntityRow(ids[number], node.name, tuple(draft.aliases.get(number, ())))
        for number, node in enumerate(draft.nodes)
        if node.name
    )
    types = (TypesRow(ids[number], tuple(sorted(node.classes))) for number, node in enumerate(draft.nodes))
    return Tables(tuple(sorted(rows)), tuple(sorted(entities)), tuple(sorted(types)))


def _build_world(seed: int, triples: int) -> World:
    draft = Draft()
    group = draft.node("Quellorn Umvale Care Group", schema.ORGANISATION, alias="QUCG")
    world = World(seed, sizes_for(triples), NameMaker(seeded(seed, "names")), group, draft)
    add_places(world)
    add_staff(world)
    add_procurement(world)
    add_events(world)
    return world


def _members(types: Iterable[TypesRow]) -> dict[str, list[str]]:
    members: dict[str, list[str]] = {}
    for row in types:
        for name in row.classes:
            members.setdefault(name, []).append(row.id)
    return members
