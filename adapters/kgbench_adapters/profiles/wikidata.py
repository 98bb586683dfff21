"""Wikidata: opaque ids, statement nodes with qualifiers as mediators, relation labels from the properties' own names."""

from __future__ import annotations

import re

from kgbench.contracts import Profile
from kgbench_adapters.profiles.vocabulary import LABEL, OTHER_LABEL, SKOS, Namespaces, PropertyForm, Vocabulary

ENTITY = "http://www.wikidata.org/entity/"
_PROPERTY = "http://www.wikidata.org/prop/"
DIRECT = f"{_PROPERTY}direct/"
STATEMENT_ID = re.compile(rf"{re.escape(ENTITY)}statement/.+")
"""IRI of a statement node: one claim, with its qualifiers and references."""

_BOOKKEEPING = (
    "rdf:*",
    "rdfs:*",
    "owl:*",
    "schema:*",
    "prov:*",
    "wikibase:*",
    # Values once more, as nodes with precision or calendar, or in other units.
    "value node:*",
    "normalised:*",
    "reference:*",
    # Identifiers of other catalogues, and pages about the page.
    "* ID",
    "* ID (*",
    "* identifier",
    "* identifier (*",
    "Commons *",
    "topic's main *",
    "described by source*",
    "described at URL*",
    "on focus list of *",
    "maintained by WikiProject*",
    "*image*",
    # The statement's own value: the direct relation says it already.
    "* (value)",
)

VOCABULARY = Vocabulary(
    profile=Profile(
        name="wikidata", opaque_ids=True, skip=dict.fromkeys(("explore", "explore-official", "describe"), _BOOKKEEPING)
    ),
    folder=Namespaces(ENTITY, DIRECT, ENTITY),
    rdf=Namespaces(ENTITY, "", ENTITY),
    # The public server leaves out the last two, which repeat the first; dumps hold them.
    names=(LABEL, f"{SKOS}prefLabel", "http://schema.org/name"),
    aliases=(OTHER_LABEL,),
    descriptions=("http://schema.org/description",),
    types=(f"{DIRECT}P31",),
    domains=(),
    ranges=(),
    inverses=(),
    labels_from_graph=False,
    # "mul" holds names that are the same in all languages.
    languages=("en", "mul", ""),
    mediator_ids=STATEMENT_ID,
    property_forms=(
        PropertyForm(DIRECT),
        PropertyForm(f"{_PROPERTY}statement/", " (value)"),
        PropertyForm(f"{_PROPERTY}qualifier/", " (qualifier)"),
        PropertyForm(_PROPERTY, " (statement)"),
    ),
    property_entities=ENTITY,
    prefixes={
        f"{_PROPERTY}statement/value/": "value node:",
        f"{_PROPERTY}statement/value-normalized/": "normalised:",
        f"{_PROPERTY}qualifier/value/": "value node:",
        f"{_PROPERTY}qualifier/value-normalized/": "normalised:",
        f"{_PROPERTY}direct-normalized/": "normalised:",
        f"{_PROPERTY}reference/": "reference:",
        f"{_PROPERTY}novalue/": "wikibase:no value of ",
        "http://wikiba.se/ontology#": "wikibase:",
        "http://schema.org/": "schema:",
        "http://www.w3.org/ns/prov#": "prov:",
    },
    hosts=("wikidata.org",),
)
