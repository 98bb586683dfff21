"""Freebase: opaque ids, dotted relation labels, mediators without names (CVTs)."""

from __future__ import annotations

import re

from kgbench.contracts import Profile
from kgbench_adapters.profiles.vocabulary import LABEL, OTHER_LABEL, OWL, RDF_TYPE, RDFS, Namespaces, Vocabulary

NAMESPACE = "http://rdf.freebase.com/ns/"
NODE_ID = re.compile(r"[mg]\.[0-9a-z_]+")
"""Form of a node's id; everything else in the namespace is schema."""


def looks_alike(node_id: str) -> bool:
    """Tell whether an id or IRI has the form of Freebase's."""
    return node_id.startswith(NAMESPACE) or NODE_ID.fullmatch(node_id) is not None


_ALWAYS_SKIPPED = (
    "common.*",
    "freebase.*",
    "type.*",
    "kg.*",
    "*sameAs*",
    # W3C terms: as labelled here, as full IRIs, and as cut off after the last slash.
    "rdf:*",
    "rdfs:*",
    "owl:*",
    "*www.w3.org*",
    "*#*",
    # Key namespaces (external identifiers).
    "key:*",
    "key.*",
    "* *",
    "N/A",
)

_PROFILE = Profile(
    name="freebase",
    opaque_ids=True,
    unlisted_are_mediators=True,
    skip={
        # Labels under user.* hold people's names, and weak models pick them.
        "explore": (*_ALWAYS_SKIPPED, "user.*"),
        "explore-official": _ALWAYS_SKIPPED,
        "describe": (*_ALWAYS_SKIPPED, "user.*", "base.*"),
    },
)

_NAMESPACES = Namespaces(NAMESPACE, NAMESPACE, NAMESPACE)

VOCABULARY = Vocabulary(
    profile=_PROFILE,
    folder=_NAMESPACES,
    rdf=_NAMESPACES,
    names=(LABEL, f"{NAMESPACE}type.object.name"),
    aliases=(OTHER_LABEL, f"{NAMESPACE}common.topic.alias"),
    descriptions=(f"{NAMESPACE}common.topic.description",),
    types=(RDF_TYPE, f"{NAMESPACE}type.object.type"),
    domains=(f"{NAMESPACE}type.property.schema", f"{RDFS}domain"),
    ranges=(f"{NAMESPACE}type.property.expected_type", f"{RDFS}range"),
    inverses=(f"{NAMESPACE}type.property.reverse_property", f"{OWL}inverseOf"),
    mediator_hint=f"{NAMESPACE}freebase.type_hints.mediator",
    labels_from_graph=False,
    unlisted_ids=NODE_ID,
)
