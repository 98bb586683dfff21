"""Labels of relations and classes, and the choice of a name among several languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_PREFIXES = {
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
    "http://www.w3.org/2000/01/rdf-schema#": "rdfs:",
    "http://www.w3.org/2002/07/owl#": "owl:",
    "http://rdf.freebase.com/key/": "key:",
}
"""Namespaces of bookkeeping terms. Only these show in a label, so that skip lists can tell ``rdfs:member`` from a graph's
own ``member``; any other namespace may name a person or a firm."""
_ANY_SCHEME = re.compile(r"urn:|[A-Za-z][A-Za-z0-9+.-]*://")


class NamedText(NamedTuple):
    """A text with its language tag (lower case, empty for none)."""

    text: str
    language: str = ""

    @property
    def rank(self) -> int:
        """Place in the language chain: English, regional English, untagged, any other."""
        if self.language == "en":
            return 0
        if self.language.startswith("en-"):
            return 1
        return 2 if not self.language else 3


_OTHER_LANGUAGE = 3


def by_language(texts: Iterable[NamedText]) -> list[str]:
    """Return texts by language chain, texts of one rank by language and then as they come; no repeats, none empty."""
    ranked = sorted((entry for entry in texts if entry.text.strip()), key=lambda entry: (entry.rank, entry.language))
    return list(dict.fromkeys(entry.text for entry in ranked))


def schema_label(term_id: str, texts: Iterable[NamedText] = ()) -> str:
    """Return the label of a relation or class before clashes are settled.

    Args:
        term_id: its id: an IRI, or a label already where a folder gives it.
        texts: what the graph says of it by ``rdfs:label``.

    Returns:
        The English or untagged label, else the part of the IRI after the last ``#`` or ``/``; never the namespace.
    """
    named = by_language(entry for entry in texts if entry.rank < _OTHER_LANGUAGE)
    if named:
        return " ".join(named[0].split())
    for namespace, prefix in _PREFIXES.items():
        if term_id.startswith(namespace):
            return prefix + term_id.removeprefix(namespace)
    return _last_part(term_id) if _ANY_SCHEME.match(term_id) else term_id


def _last_part(iri: str) -> str:
    body = iri.rstrip("/#")
    separators = "#/" if "/" in body or "#" in body else ":"
    start = max(body.rfind(separator) for separator in separators)
    return unquote(body[start + 1 :]) or body


def settle_clashes(labels: Mapping[str, str]) -> dict[str, str]:
    """Make labels unique: in the order of their ids, the second of one label gets `` [2]``, the third `` [3]``.

    Args:
        labels: id -> label.

    Returns:
        id -> label, each label once.
    """
    taken: set[str] = set()
    settled: dict[str, str] = {}
    for term_id in sorted(labels):
        label, number = labels[term_id], 1
        while label in taken:
            number += 1
            label = f"{labels[term_id]} [{number}]"
        taken.add(label)
        settled[term_id] = label
    return settled
