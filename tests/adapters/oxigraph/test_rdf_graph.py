"""A graph from an RDF file."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import DataError, PrerequisiteMissing
from kgbench.types import ClassLabel, Direction, Entity, Literal, NodeNames, Relation
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter
from kgbench_adapters.terms import XSD

if TYPE_CHECKING:
    from pathlib import Path

OUT, IN = Direction.OUT, Direction.IN
NS = "http://river.example/"

TURTLE = """
@prefix : <http://river.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix schema: <http://schema.org/> .
:orvane a :River ; rdfs:label "Orvane"@en, "Orwahn"@de ; skos:altLabel "Long Water" ; rdfs:comment "A river." ;
    :flowsThrough :belt ; :length "0120"^^xsd:integer ; owl:sameAs :other ; :crossedBy [ :bridge :b1 ; :since 1954 ] .
:belt rdfs:label "Gurt"@de ; schema:name "Belt" ; :motto "x", "x"^^xsd:string ; :crossedBy [ :bridge :b2 ] .
:nameless :flowsThrough :belt .
_:kept :flowsThrough :belt .
:flowsThrough rdfs:label "flows through"@en, "fließt durch"@de ; rdfs:domain :River ; rdfs:range :Town ;
    owl:inverseOf :crosses .
:River rdfs:label "river" .
<http://river.example/v2/motto> rdfs:comment "unused" .
:belt <http://river.example/v2/motto> "y" .
"""


def opened(path: Path, content: str | bytes, **options: object) -> OxigraphAdapter:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return OxigraphAdapter.open(str(path), **options)  # type: ignore[arg-type]


def labels(graph: OxigraphAdapter, entity: str, direction: Direction) -> list[str]:
    return [relation.label for relation in graph.relations([Entity(entity)], direction)[Entity(entity)]]


@pytest.fixture
def river(tmp_path: Path) -> OxigraphAdapter:
    return opened(tmp_path / "river.ttl", TURTLE)


def test_ids_are_iris_and_labels_come_from_the_graph(river: OxigraphAdapter) -> None:
    found = river.relations([Entity(f"{NS}orvane")], OUT)[Entity(f"{NS}orvane")]
    assert [(relation.label, relation.id) for relation in found] == [
        ("crossedBy", f"{NS}crossedBy"),
        ("flows through", f"{NS}flowsThrough"),
        ("length", f"{NS}length"),
        ("owl:sameAs", "http://www.w3.org/2002/07/owl#sameAs"),
    ]
    pairs = river.neighbours([Entity(f"{NS}belt")], Relation(f"{NS}flowsThrough", ""), IN).pairs
    assert [term for _, term in pairs] == [Entity("_:kept"), Entity(f"{NS}nameless"), Entity(f"{NS}orvane")]
    assert labels(river, f"{NS}belt", OUT) == ["crossedBy", "motto", "motto [2]"]


def test_literals_names_and_types(river: OxigraphAdapter) -> None:
    orvane, belt, nameless = (Entity(NS + name) for name in ("orvane", "belt", "nameless"))
    lengths = river.neighbours([orvane], Relation(f"{NS}length", ""), OUT).pairs
    assert lengths == ((orvane, Literal("120", f"{XSD}integer")),)
    assert river.neighbours([belt], Relation(f"{NS}motto", ""), OUT).pairs == ((belt, Literal("x")),)
    assert river.names([orvane, belt, nameless]) == {
        orvane: NodeNames("Orvane", ("Orwahn", "Long Water"), "A river."),
        belt: NodeNames("Belt", ("Gurt",)),
        nameless: NodeNames(None),
    }
    kinds = river.types([orvane, nameless])
    assert (kinds[orvane].classes, kinds[orvane].mediator) == ((ClassLabel("river"),), False)
    assert not kinds[nameless].mediator


def test_the_card_reads_the_schema(river: OxigraphAdapter) -> None:
    assert (river.card.name, river.card.profile.name) == ("river", "plain")
    assert river.card.domains == {"flows through": ("river", "Town")}
    assert river.card.inverses == {}, "an inverse that never occurs has no label to show"


def blank_answers(graph: OxigraphAdapter) -> list[str]:
    found = graph.neighbours([Entity(f"{NS}orvane"), Entity(f"{NS}belt")], Relation(f"{NS}crossedBy", ""), OUT)
    return [term.id for _, term in found.pairs if isinstance(term, Entity)]


def test_blank_nodes_are_mediators_that_keep_their_ids_from_load_to_load(
    tmp_path: Path, river: OxigraphAdapter
) -> None:
    ids = blank_answers(river)
    assert len(set(ids)) == 2
    assert ids == blank_answers(opened(tmp_path / "again.ttl", TURTLE))
    assert all(kind.mediator for kind in river.types([Entity(node) for node in [*ids, "_:kept"]]).values())
    bridges = river.neighbours([Entity(node) for node in ids], Relation(f"{NS}bridge", ""), OUT).pairs
    assert sorted(term.id for _, term in bridges if isinstance(term, Entity)) == [f"{NS}b1", f"{NS}b2"]
    assert sorted(labels(river, ids[1], OUT) + labels(river, ids[0], OUT)) == ["bridge", "bridge", "since"]


def test_labels_of_blank_nodes_in_n_triples_are_kept_whatever_they_look_like(tmp_path: Path) -> None:
    label = "d2c9e943644a27c883aba0f0c5812f30"
    graph = opened(tmp_path / "g.nt", f"<{NS}a> <{NS}r> _:{label} .\n")
    assert graph.neighbours([Entity(f"{NS}a")], Relation(f"{NS}r", ""), OUT).pairs[0][1] == Entity(f"_:{label}")


CONTENT = {
    ".nt": f"<{NS}a> <{NS}r> <{NS}b> .\n",
    ".ttl": f"<{NS}a> <{NS}r> <{NS}b> .\n",
    ".nq": f"<{NS}a> <{NS}r> <{NS}b> <{NS}g1> .\n<{NS}a> <{NS}r> <{NS}b> <{NS}g2> .\n",
    ".trig": f"<{NS}g1> {{ <{NS}a> <{NS}r> <{NS}b> }} <{NS}g2> {{ <{NS}a> <{NS}r> <{NS}b> }}",
    ".rdf": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:n="http://river.example/">'
    f'<rdf:Description rdf:about="{NS}a"><n:r rdf:resource="{NS}b"/></rdf:Description></rdf:RDF>',
}


@pytest.mark.parametrize("suffix", sorted(CONTENT))
@pytest.mark.parametrize("packed", [False, True])
def test_every_format_is_read_plain_and_packed_as_the_union_of_its_graphs(
    tmp_path: Path, suffix: str, packed: bool
) -> None:
    graph = opened(tmp_path / f"g{suffix}{'.gz' if packed else ''}", CONTENT[suffix])
    a, b, r = Entity(f"{NS}a"), Entity(f"{NS}b"), Relation(f"{NS}r", "r")
    assert graph.relations([a], OUT) == {a: (r,)}
    assert graph.neighbours([a], r, OUT).pairs == ((a, b),)
    assert graph.neighbours([b], r, IN, limit=1) == graph.neighbours([b], r, IN)
    assert graph.select(f"SELECT ?o {{ <{NS}a> <{NS}r> ?o }}") == ((b,),)


@pytest.mark.parametrize("suffix", sorted(CONTENT))
def test_an_empty_file_is_an_empty_graph_with_a_warning(tmp_path: Path, suffix: str) -> None:
    graph = opened(tmp_path / f"empty{suffix}", "")
    assert any(re.search(r"is empty", note) for note in graph.card.notes)
    assert graph.card.triples == 0
    assert labels(graph, f"{NS}a", OUT) == []


def test_bad_lines_of_a_line_format_are_skipped_and_counted(tmp_path: Path) -> None:
    content = f"<{NS}a> <{NS}r> <{NS}b> .\nnonsense about Ann\n<{NS}a> <{NS}r> <{NS}c> .\n<{NS}a b> <{NS}r> <{NS}c> .\n"
    graph = opened(tmp_path / "bad.nt", content)
    assert any(re.search(r"skipped 2 bad lines .*: bad\.nt, line 2", note) for note in graph.card.notes)
    assert graph.card.triples == 2
    assert [entry.line for entry in graph.report.skipped] == [2, 4]
    with pytest.raises(DataError, match=r"^bad\.nt, line 2") as caught:
        opened(tmp_path / "bad.nt", content, strict=True)
    assert "Ann" not in str(caught.value)


@pytest.mark.parametrize(
    ("suffix", "content"), [(".ttl", f"<{NS}a> <{NS}r>\n Ann ."), (".rdf", "<rdf:RDF>\n<Ann"), (".trig", "\n}")]
)
def test_a_fault_in_another_format_is_an_error_with_file_and_place(tmp_path: Path, suffix: str, content: str) -> None:
    with pytest.raises(DataError, match=rf"^bad\{suffix}, (line|an unknown line).* not well-formed") as caught:
        opened(tmp_path / f"bad{suffix}", content)
    assert "Ann" not in str(caught.value)


def test_quoted_triples_are_left_out_and_counted(tmp_path: Path) -> None:
    quoted = f"<{NS}a> <{NS}says> <<( <{NS}a> <{NS}r> <{NS}b> )>> .\n"
    graph = opened(tmp_path / "q.nt", quoted + CONTENT[".nt"])
    assert any(re.search("a quoted triple", note) for note in graph.card.notes)
    assert labels(graph, f"{NS}a", OUT) == ["r"]


def test_a_freebase_dump_has_short_ids_and_dotted_labels(tmp_path: Path) -> None:
    fb = "http://rdf.freebase.com/ns/"
    lines = [
        f'<{fb}m.01> <{fb}type.object.name> "Ann"@en .',
        f"<{fb}m.01> <{fb}people.person.spouse_s> <{fb}m.0cvt> .",
        f"<{fb}m.0cvt> <{fb}people.marriage.spouse> <{fb}m.02> .",
        f'<{fb}m.02> <{fb}type.object.name> "Bea"@en .',
        f'<{fb}m.02> <http://rdf.freebase.com/key/en> "bea" .',
        f'<{fb}people.person.spouse_s> <http://www.w3.org/2000/01/rdf-schema#label> "Spouses"@en .',
        f"<{fb}people.person.spouse_s> <{fb}type.property.expected_type> <{fb}people.marriage> .",
    ]
    graph = opened(tmp_path / "dump.nt", "\n".join(lines))
    assert graph.card.profile.name == "freebase"
    assert labels(graph, "m.01", OUT) == ["people.person.spouse_s"]
    assert labels(graph, "m.02", OUT) == ["key:en"]
    assert graph.names([Entity("m.01")])[Entity("m.01")].name == "Ann"
    assert [kind.mediator for kind in graph.types([Entity("m.01"), Entity("m.0cvt")]).values()] == [False, True]
    assert graph.card.domains == {"people.person.spouse_s": (None, "people.marriage")}


def test_a_hidden_property_takes_no_label_from_a_relation(tmp_path: Path) -> None:
    content = f'<{NS}a> <http://schema.org/name> "Ann" ; <http://z.example/name> "x" .'
    assert labels(opened(tmp_path / "g.ttl", content), f"{NS}a", OUT) == ["name"]


def test_the_fingerprint_is_that_of_the_content(tmp_path: Path) -> None:
    prints = {opened(tmp_path / name, CONTENT[".nt"]).card.fingerprint for name in ("a.nt", "b.nt.gz")}
    assert len(prints) == 1
    assert opened(tmp_path / "c.nt", CONTENT[".nt"] * 2).card.fingerprint not in prints


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteMissing, match=r"there is no file .*gone\.ttl"):
        OxigraphAdapter.open(str(tmp_path / "gone.ttl"))
