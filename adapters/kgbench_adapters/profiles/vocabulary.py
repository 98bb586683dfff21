"""What an adapter must know of a kind of graph beyond its :class:`~kgbench.contracts.Profile`: namespaces and properties."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from re import Pattern

    from kgbench.contracts import Profile

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"

RDF_TYPE = f"{RDF}type"
LABEL = f"{RDFS}label"
"""Property under which the names of an entity list are stored, whatever the profile."""
OTHER_LABEL = f"{SKOS}altLabel"
"""Property under which the other names of an entity list are stored."""


class Namespaces(NamedTuple):
    """Namespaces that stand before ids in the store; an empty one means that ids are full IRIs."""

    entity: str = ""
    relation: str = ""
    class_: str = ""


FULL_IRIS = Namespaces()
"""No namespace: ids are IRIs."""


class PropertyForm(NamedTuple):
    """A namespace in which one property stands as a predicate of its own, and how its label tells it from the others."""

    namespace: str
    suffix: str = ""


@dataclass(frozen=True)
class Vocabulary:
    """A profile with the IRIs that its kind of graph uses. Properties are tried in the order given."""

    profile: Profile
    folder: Namespaces
    """Where the ids of a folder of TSV files stand."""
    rdf: Namespaces = FULL_IRIS
    """Namespaces that are dropped from the ids of an RDF file or a store."""
    names: tuple[str, ...] = (LABEL,)
    aliases: tuple[str, ...] = (OTHER_LABEL,)
    descriptions: tuple[str, ...] = ()
    types: tuple[str, ...] = (RDF_TYPE,)
    domains: tuple[str, ...] = (f"{RDFS}domain",)
    ranges: tuple[str, ...] = (f"{RDFS}range",)
    inverses: tuple[str, ...] = (f"{OWL}inverseOf",)
    mediator_hint: str = ""
    """Property that says "true" of a class whose members are mediators."""
    labels_from_graph: bool = True
    """False where a relation's label follows from its IRI alone, or from its property's (``property_forms``): a graph too
    large to list needs no list then."""
    unlisted_ids: Pattern[str] | None = None
    """Ids that the rule "unlisted nodes are mediators" is about; None for all."""

    languages: tuple[str, ...] = ()
    """Languages that a server is asked for names in, "" for texts without one; empty for all."""
    mediator_ids: Pattern[str] | None = None
    """IRIs of nodes that are mediators by their form alone."""
    class_namespaces: tuple[str, ...] = ()
    """Namespaces of the classes that count; empty for all."""
    property_forms: tuple[PropertyForm, ...] = ()
    """Predicates whose label is that of another node, the property itself."""
    property_entities: str = ""
    """Namespace of these properties."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """Namespace -> what a label shows for it."""
    hosts: tuple[str, ...] = ()
    """Public servers of this kind of graph; few requests at a time are sent to them."""

    @cached_property
    def hidden(self) -> frozenset[str]:
        """Properties that hold names, types and the schema: never relations, never followed.

        Names reach the harness through ``names`` alone, so no read of a method's may bring one along.
        """
        schema = self.types + self.domains + self.ranges + self.inverses
        return frozenset(self.names + self.aliases + self.descriptions + schema)
