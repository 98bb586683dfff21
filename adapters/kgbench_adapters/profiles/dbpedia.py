"""DBpedia: ids that are words, a curated ontology beside raw infobox keys, career stations and the like as mediators."""

from __future__ import annotations

from kgbench.contracts import Profile
from kgbench_adapters.profiles.vocabulary import LABEL, RDF_TYPE, RDFS, Namespaces, Vocabulary

RESOURCE = "http://dbpedia.org/resource/"
ONTOLOGY = "http://dbpedia.org/ontology/"
INFOBOX = "http://dbpedia.org/property/"

_BOOKKEEPING = (
    "rdf:*",
    "rdfs:*",
    "owl:*",
    "prov:*",
    "skos:*",
    "foaf:depiction",
    "foaf:isPrimaryTopicOf",
    "foaf:primaryTopic",
    "wikiPage*",
    "infobox:wikiPage*",
    "infobox:*image*",
    "infobox:*caption*",
    "infobox:*alt",
    "thumbnail*",
    "*hypernym*",
    "N/A",
)

VOCABULARY = Vocabulary(
    profile=Profile(
        name="dbpedia",
        # Nodes such as Alan_Turing__CareerStation__1, which stand between a person and a post.
        mediator_classes=tuple(
            f"{ONTOLOGY}{name}" for name in ("CareerStation", "PersonFunction", "SportsTeamMember", "TermOfOffice")
        ),
        skip=dict.fromkeys(("explore", "explore-official", "describe"), _BOOKKEEPING),
    ),
    folder=Namespaces(RESOURCE, ONTOLOGY, ONTOLOGY),
    rdf=Namespaces(RESOURCE, "", ""),
    names=(LABEL, "http://xmlns.com/foaf/0.1/name"),
    aliases=(
        *(f"{ONTOLOGY}{key}" for key in ("alias", "birthName", "longName", "formerName", "otherName")),
        *(f"{INFOBOX}{key}" for key in ("name", "birthName", "nativeName", "alternativeNames", "otherNames")),
    ),
    descriptions=(f"{RDFS}comment", f"{ONTOLOGY}abstract"),
    types=(RDF_TYPE,),
    labels_from_graph=False,
    languages=("en", ""),
    class_namespaces=(ONTOLOGY,),
    prefixes={
        ONTOLOGY: "",
        INFOBOX: "infobox:",
        "http://xmlns.com/foaf/0.1/": "foaf:",
        "http://purl.org/dc/terms/": "dct:",
        "http://www.w3.org/2004/02/skos/core#": "skos:",
        "http://www.w3.org/ns/prov#": "prov:",
        "http://www.w3.org/2003/01/geo/wgs84_pos#": "geo:",
        "http://purl.org/linguistics/gold/": "gold:",
    },
    hosts=("dbpedia.org",),
)
