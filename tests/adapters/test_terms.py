"""Ids, IRIs and literals."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.types import Literal
from kgbench_adapters.terms import XSD, canonical_literal, literal_from_text, literal_to_text, to_id, to_iri

PLAIN = "https://kgbench.invalid/id/"
FREEBASE = "http://rdf.freebase.com/ns/"


@pytest.mark.parametrize(
    ("node_id", "namespace", "iri"),
    [
        ("m.0b7k2xq1", FREEBASE, "http://rdf.freebase.com/ns/m.0b7k2xq1"),
        ("n0412x", PLAIN, "https://kgbench.invalid/id/n0412x"),
        (
            "Dad's_Root_Beer_(brand),_100%",
            PLAIN,
            "https://kgbench.invalid/id/Dad%27s_Root_Beer_%28brand%29%2C_100%25",
        ),
        ("two words", PLAIN, "https://kgbench.invalid/id/two%20words"),
        (
            "x> } UNION { ?s ?p ?o",
            PLAIN,
            "https://kgbench.invalid/id/x%3E%20%7D%20UNION%20%7B%20%3Fs%20%3Fp%20%3Fo",
        ),
        ("site/3", PLAIN, "https://kgbench.invalid/id/site%2F3"),
        ("Zoë", PLAIN, "https://kgbench.invalid/id/Zo%C3%AB"),
        ("a%20b", PLAIN, "https://kgbench.invalid/id/a%2520b"),
        ("http://example.org/a#b", PLAIN, "http://example.org/a#b"),
        ("http://example.org/a b", PLAIN, "https://kgbench.invalid/id/http%3A%2F%2Fexample.org%2Fa%20b"),
        ("http://example.org/Zoë", "", "http://example.org/Zoë"),
        ("x> } UNION { ?s ?p ?o", "", "x%3E%20%7D%20UNION%20%7B%20?s%20?p%20?o"),
    ],
)
def test_an_id_becomes_this_iri(node_id: str, namespace: str, iri: str) -> None:
    assert to_iri(node_id, namespace) == iri


@given(st.text(min_size=1))
def test_an_id_below_a_namespace_comes_back_and_its_iri_is_legal(node_id: str) -> None:
    iri = to_iri(node_id, PLAIN)
    assert to_id(iri, PLAIN) == node_id
    assert ox.NamedNode(iri).value == iri


@given(st.text(alphabet=st.characters(), min_size=1), st.sampled_from(["", PLAIN]))
def test_no_iri_holds_a_character_that_could_end_it(node_id: str, namespace: str) -> None:
    assert not set(to_iri(node_id, namespace)) & set('<>"{}|^`\\ \t\n\r')


@given(st.from_regex(r"https?://[a-z/.#?%0-9{} ]*", fullmatch=True))
def test_web_addresses_given_as_ids_come_back_too(node_id: str) -> None:
    iri = to_iri(node_id, PLAIN)
    assert to_id(iri, PLAIN) == node_id
    ox.NamedNode(iri)


def test_a_lone_surrogate_is_encoded() -> None:
    assert to_iri("\ud800", PLAIN) == f"{PLAIN}%ED%A0%80"


@pytest.mark.parametrize(
    ("given_literal", "expected"),
    [
        (("x", f"{XSD}string", ""), Literal("x")),
        (("x", "", "EN-gb"), Literal("x", "", "en-gb")),
        (("007", f"{XSD}integer", ""), Literal("7", f"{XSD}integer")),
        (("+5", f"{XSD}int", ""), Literal("5", f"{XSD}integer")),
        (("-0", f"{XSD}nonPositiveInteger", ""), Literal("0", f"{XSD}integer")),
        (("-03.50", f"{XSD}decimal", ""), Literal("-3.5", f"{XSD}decimal")),
        ((".5", f"{XSD}decimal", ""), Literal("0.5", f"{XSD}decimal")),
        (("1.0E3", f"{XSD}double", ""), Literal("1000", f"{XSD}double")),
        (("INF", f"{XSD}double", ""), Literal("INF", f"{XSD}double")),
        (("1", f"{XSD}boolean", ""), Literal("true", f"{XSD}boolean")),
        (("1954-07-17", f"{XSD}date", ""), Literal("1954-07-17", f"{XSD}date")),
        (("2006+01:00", f"{XSD}gYear", ""), Literal("2006+01:00", f"{XSD}gYear")),
        (("twelve", f"{XSD}integer", ""), Literal("twelve", f"{XSD}integer")),
        (("05", "http://example.org/integer", ""), Literal("05", "http://example.org/integer")),
    ],
)
def test_a_literal_is_canonical(given_literal: tuple[str, str, str], expected: Literal) -> None:
    assert canonical_literal(*given_literal) == expected


_NUMBERS = st.one_of(
    st.tuples(st.from_regex(r"[+-]?[0-9]{1,30}", fullmatch=True), st.sampled_from(["integer", "long", "byte"])),
    st.tuples(st.from_regex(r"[+-]?([0-9]{1,12}(\.[0-9]{0,6})?|\.[0-9]{1,6})", fullmatch=True), st.just("decimal")),
    st.tuples(st.floats(allow_nan=False, allow_infinity=False).map(repr), st.just("double")),
    st.tuples(st.sampled_from(["INF", "+INF", "-INF", "NaN"]), st.just("double")),
    st.tuples(st.sampled_from(["0", "1", "true", "false"]), st.just("boolean")),
)


@given(_NUMBERS)
def test_canonical_form_does_not_depend_on_the_engine_between(number: tuple[str, str]) -> None:
    lexical, kind = number
    store = ox.Store()
    node = ox.NamedNode("http://example.org/a")
    store.add(ox.Quad(node, node, ox.Literal(lexical, datatype=ox.NamedNode(XSD + kind))))
    stored = next(iter(store)).object
    assert isinstance(stored, ox.Literal)
    assert canonical_literal(stored.value, stored.datatype.value) == canonical_literal(lexical, XSD + kind)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"2021-03-04"^^xsd:date', Literal("2021-03-04", f"{XSD}date")),
        ('"2021-03-04"^^<http://www.w3.org/2001/XMLSchema#date>', Literal("2021-03-04", f"{XSD}date")),
        ('"blue"@EN', Literal("blue", "", "en")),
        ('"blue"', Literal("blue")),
        ('""', Literal("")),
        (r'"a \"b\"\n\t\\ \u00e9\U0001F600"', Literal('a "b"\n\t\\ é😀')),
        (r'"a\\tb"', Literal(r"a\tb")),
        ('"Blue Ann" Ovale', None),
        ('"unclosed', None),
        (r'"bad \q escape"', None),
        (r'"\ud800"', None),
        ('"x"^^other:thing', None),
        ('"x"@', None),
    ],
)
def test_the_n_triples_form_is_read(text: str, expected: Literal | None) -> None:
    assert literal_from_text(text) == expected


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["", "en", "de-at"]))
def test_a_literal_written_reads_back_and_closes_itself(lexical: str, language: str) -> None:
    literal = Literal(lexical, "", language)
    text = literal_to_text(literal)
    assert literal_from_text(text) == literal
    solutions = ox.Store().query(f"SELECT ({text} AS ?x) WHERE {{}}")
    assert [row[0].value for row in solutions] == [lexical]
