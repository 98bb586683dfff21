"""Labels of the schema, and the language chain."""

from __future__ import annotations

import pytest

from kgbench_adapters.labels import NamedText, by_language, schema_label, settle_clashes


@pytest.mark.parametrize(
    ("term_id", "label"),
    [
        ("hospital.ward.floor", "hospital.ward.floor"),
        ("a.b.c-d.e.f", "a.b.c-d.e.f"),
        ("/film/film/genre", "/film/film/genre"),
        ("http://orvane-steel.example/terms#worksIn", "worksIn"),
        ("http://orvane-steel.example/terms/worksIn", "worksIn"),
        ("http://orvane-steel.example/terms/worksIn/", "worksIn"),
        ("http://orvane-steel.example/terms/works%20in", "works in"),
        ("urn:orvane:worksIn", "worksIn"),
        ("http://www.w3.org/2000/01/rdf-schema#seeAlso", "rdfs:seeAlso"),
        ("http://www.w3.org/2002/07/owl#sameAs", "owl:sameAs"),
        ("http://www.w3.org/ns/org#memberOf", "memberOf"),
        ("http://rdf.freebase.com/key/wikipedia.en", "key:wikipedia.en"),
    ],
)
def test_without_a_label_the_last_part_speaks_and_never_the_namespace(term_id: str, label: str) -> None:
    assert schema_label(term_id) == label


def test_an_english_or_untagged_label_goes_first_and_other_languages_do_not_count() -> None:
    iri = "http://example.org/p1"
    assert schema_label(iri, [NamedText("arbeitet in", "de"), NamedText("works in")]) == "works in"
    assert schema_label(iri, [NamedText("plain"), NamedText("works \n in", "en")]) == "works in"
    assert schema_label(iri, [NamedText("arbeitet in", "de")]) == "p1"


def test_the_language_chain() -> None:
    texts = [
        NamedText("Deutschland", "de"),
        NamedText("Allemagne", "fr"),
        NamedText("Germany (plain)"),
        NamedText("Germany, GB", "en-gb"),
        NamedText("Germany", "en"),
        NamedText(" "),
        NamedText("Germany"),
    ]
    assert by_language(texts) == ["Germany", "Germany, GB", "Germany (plain)", "Deutschland", "Allemagne"]


def test_the_second_of_one_label_is_numbered_in_the_order_of_ids() -> None:
    labels = {"http://b/x": "x", "http://a/x": "x", "http://c/x": "x", "http://d/y": "y", "http://a/x2": "x [2]"}
    assert settle_clashes(labels) == {
        "http://a/x": "x",
        "http://a/x2": "x [2]",
        "http://b/x": "x [3]",
        "http://c/x": "x [4]",
        "http://d/y": "y",
    }
