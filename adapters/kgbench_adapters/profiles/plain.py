"""Any other graph: one's own TSV files, RDF with the common naming properties."""

from __future__ import annotations

from kgbench.contracts import Profile
from kgbench_adapters.profiles.vocabulary import LABEL, OTHER_LABEL, RDFS, SKOS, Namespaces, Vocabulary

BASE = "https://kgbench.invalid/"
"""Ids that are no IRIs stand below this; ``.invalid`` never resolves, so nothing can be fetched by mistake."""

_BOOKKEEPING = ("rdf:*", "rdfs:*", "owl:*")

VOCABULARY = Vocabulary(
    profile=Profile(name="plain", skip=dict.fromkeys(("explore", "explore-official", "describe"), _BOOKKEEPING)),
    folder=Namespaces(f"{BASE}id/", f"{BASE}relation/", f"{BASE}class/"),
    names=(
        LABEL,
        f"{SKOS}prefLabel",
        "http://schema.org/name",
        "https://schema.org/name",
        "http://xmlns.com/foaf/0.1/name",
    ),
    aliases=(OTHER_LABEL, "http://schema.org/alternateName", "https://schema.org/alternateName"),
    descriptions=(f"{RDFS}comment", "http://schema.org/description", "https://schema.org/description"),
)
