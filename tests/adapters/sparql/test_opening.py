"""What is learned of a graph when it is opened: its kind, ids, labels, schema, size, and how mediators are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgbench.contracts import Profile
from kgbench.errors import GraphError, UsageError
from kgbench.testing import sparql_fake as fake
from kgbench.types import Direction, Entity
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.testing.sparql_fake import SparqlServer
    from kgbench_adapters.sparql.adapter import SparqlAdapter

    Serve = Callable[..., SparqlServer]
    Connect = Callable[..., SparqlAdapter]

PREFIXES = """
PREFIX e: <http://example.org/> PREFIX f: <http://rdf.freebase.com/ns/> PREFIX o: <http://other.example/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX wd: <http://www.wikidata.org/entity/> PREFIX dbr: <http://dbpedia.org/resource/>
PREFIX own: <https://kgbench.invalid/id/>
"""


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("f:m.01 f:people.person.friend f:m.02 .", "freebase"),
        ("wd:Q1 e:r wd:Q2 .", "wikidata"),
        ("dbr:Berlin e:r dbr:Paris .", "dbpedia"),
        ("e:a e:r e:b .", "plain"),
        ("", "plain"),
        (
            "<http://www.openlinksw.com/a> e:r e:b . <http://www.openlinksw.com/b> e:r e:b . f:m.01 f:r f:m.02 .",
            "freebase",
        ),
    ],
)
def test_the_profile_is_guessed_from_the_ids(serve: Serve, connect: Connect, data: str, name: str) -> None:
    assert connect(serve(PREFIXES + data), None).card.profile.name == name


def test_a_profile_of_ones_own_is_kept(serve: Serve, connect: Connect) -> None:
    own = Profile(name="ours", row_limit=7)
    assert connect(serve(), own).card.profile == own
    with pytest.raises(UsageError, match="did you mean wikidata"):
        connect(serve(), "wikidat")


LISTED = f"""{PREFIXES}
e:a e:works_in e:b ; o:works_in e:c ; e:born "1954-07-17"^^<http://www.w3.org/2001/XMLSchema#date> ; a e:Person, o:Person .
e:b e:led_by e:a ; a e:Ward .
e:led_by rdfs:label "is led by"@en, "wird geleitet von"@de ; rdfs:domain e:Ward ; rdfs:range e:Person ;
    owl:inverseOf e:leads .
e:a e:leads e:b ; rdfs:label "Anna" .
"""


def test_a_listed_graph_has_the_labels_and_the_schema_that_the_embedded_engine_reads(
    serve: Serve, connect: Connect, tmp_path: Path
) -> None:
    graph = connect(serve(LISTED), "plain")
    (tmp_path / "g.ttl").write_text(LISTED, encoding="utf-8")
    embedded = OxigraphAdapter.open(str(tmp_path / "g.ttl"), "plain")
    people = [Entity("http://example.org/a"), Entity("http://example.org/b"), Entity("http://example.org/c")]
    for direction in Direction:
        assert graph.relations(people, direction) == embedded.relations(people, direction)
    assert graph.types(people) == embedded.types(people)
    assert graph.names(people) == embedded.names(people)
    labels = [relation.label for relation in graph.relations(people, Direction.OUT)[people[0]]]
    assert labels == ["born", "leads", "works_in", "works_in [2]"]
    assert graph.card.domains == embedded.card.domains == {"is led by": ("Ward", "Person")}
    assert graph.card.inverses == embedded.card.inverses == {"is led by": "leads", "leads": "is led by"}
    assert graph.card.triples == embedded.card.triples


def test_labels_do_not_depend_on_what_is_read_first(serve: Serve, connect: Connect) -> None:
    server = serve(LISTED, always=(fake.another_order(5), fake.first_rows(3)))
    a = Entity("http://example.org/a")
    first, again = (connect(server, "plain").relations([a], Direction.OUT)[a] for _ in range(2))
    assert [relation.label for relation in first] == ["born", "leads", "works_in", "works_in [2]"]
    assert first == again


def test_a_graph_of_kgbenchs_own_has_the_ids_of_its_folder(serve: Serve, connect: Connect) -> None:
    data = "own:n1 <https://kgbench.invalid/relation/knows> own:odd%20id . own:n1 rdfs:label 'N 1' ."
    graph = connect(serve(PREFIXES + data), "plain")
    (relation,) = graph.relations([Entity("n1")], Direction.OUT)[Entity("n1")]
    assert (relation.id, relation.label) == ("knows", "knows")
    found = graph.neighbours([Entity("n1")], relation, Direction.OUT)
    assert found.pairs == ((Entity("n1"), Entity("odd id")),)
    assert graph.names([Entity("n1")])[Entity("n1")].name == "N 1"


def test_what_the_server_does_not_say_stands_in_a_folder(serve: Serve, connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "graph.toml").write_text('name = "clinic"\nprofile = "plain"\nmediator_classes = ["Stay"]\n')
    (tmp_path / "relations.tsv").write_text("relation\tinverse\tdomain\trange\nhttp://example.org/r\t\tWard\tStay\n")
    data = "e:a e:r e:stay . e:stay a e:Stay . e:b a e:Ward ."
    graph = connect(serve(PREFIXES + data), None, schema=tmp_path)
    assert (graph.card.name, graph.card.profile.name) == ("clinic", "plain")
    assert "Stay" in graph.card.profile.mediator_classes
    kinds = graph.types([Entity("http://example.org/stay"), Entity("http://example.org/a")])
    assert [kind.mediator for kind in kinds.values()] == [True, False]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(UsageError, match="describes no graph"):
        connect(serve(), None, schema=empty)


def test_a_schema_that_comes_incompletely_is_an_error(serve: Serve, connect: Connect) -> None:
    for number in range(2, 10):  # after the first rows, and the look whether there are more
        server = serve(LISTED)
        server.script(*[fake.no_fault()] * number, fake.sql_state("S1TAT", 1))
        with pytest.raises(GraphError, match="time limit"):
            connect(server, "plain")


def test_the_fingerprint_stands_for_address_profile_and_schema(serve: Serve, connect: Connect) -> None:
    server = serve(LISTED)
    first = connect(server, "plain").card
    assert connect(server, "plain").card == first
    assert len(first.fingerprint) == 64
    others = [
        connect(server, "freebase"),
        connect(server, "plain", graph="http://example.org/g"),
        connect(serve(LISTED), "plain"),
    ]
    server._store.update("INSERT DATA { <http://example.org/a> <http://example.org/new> <http://example.org/d> }")
    prints = [
        first.fingerprint,
        connect(server, "plain").card.fingerprint,
        *(graph.card.fingerprint for graph in others),
    ]
    assert len(set(prints)) == 5


def test_an_entry_without_a_name_and_one_without_triples(serve: Serve, connect: Connect) -> None:
    graph = connect(serve(LISTED), "plain")
    nobody = Entity("http://example.org/nobody")
    assert graph.relations([nobody], Direction.OUT) == {nobody: ()}
    assert graph.names([nobody])[nobody].name is None
    assert not graph.types([nobody])[nobody].mediator
    assert (graph.relations([], Direction.OUT), graph.names([]), graph.types([])) == ({}, {}, {})


# --- Blank nodes -------------------------------------------------------------------------------------------------------


def test_a_blank_node_is_a_mediator_and_no_read_of_it_looks_like_an_empty_one(serve: Serve, connect: Connect) -> None:
    graph = connect(serve(PREFIXES + "e:a e:stay [ e:ward e:b ] ."), "plain")
    a = Entity("http://example.org/a")
    (stay,) = graph.relations([a], Direction.OUT)[a]
    ((_, node),) = graph.neighbours([a], stay, Direction.OUT).pairs
    assert isinstance(node, Entity)
    assert node.id.startswith("_:")
    assert graph.types([node])[node].mediator
    assert graph.names([node])[node].name is None
    for read in (
        lambda: graph.relations([a, node], Direction.OUT),
        lambda: graph.neighbours([node], stay, Direction.IN),
    ):
        with pytest.raises(GraphError, match="skolemisation"):
            read()


# --- Freebase ----------------------------------------------------------------------------------------------------------

FREEBASE = f"""{PREFIXES}
f:m.anna f:people.person.spouse_s f:m.cvt ; f:type.object.type f:people.person ; rdfs:label "Anna"@en .
f:m.cvt f:people.marriage.spouse f:m.ben ; f:type.object.type f:people.marriage .
f:m.ben rdfs:label "Ben"@en ; f:type.object.type f:people.person .
f:people.person.spouse_s f:type.property.schema f:people.person ; f:type.property.expected_type f:people.marriage .
"""
HINT = "f:people.marriage f:freebase.type_hints.mediator true . f:people.ghost f:freebase.type_hints.mediator false ."


@pytest.mark.parametrize("hint", ["", HINT])
def test_freebase_mediators_by_hint_or_by_missing_name(
    serve: Serve, connect: Connect, tmp_path: Path, hint: str
) -> None:
    data = FREEBASE + hint + (" f:m.ghost f:r f:m.anna ." if hint else "")
    graph = connect(serve(data), None)
    (tmp_path / "g.ttl").write_text(data, encoding="utf-8")
    embedded = OxigraphAdapter.open(str(tmp_path / "g.ttl"))
    nodes = [Entity(f"m.{name}") for name in ("anna", "cvt", "ben", "ghost", "nobody")]
    kinds = graph.types(nodes)
    assert kinds == embedded.types(nodes)
    assert [kind.mediator for kind in kinds.values()] == [False, True, False, False, False]
    assert graph.names(nodes) == embedded.names(nodes)
    for direction in Direction:
        assert graph.relations(nodes, direction) == embedded.relations(nodes, direction)
    assert graph.card.domains == {"people.person.spouse_s": ("people.person", "people.marriage")}
    assert graph.card.triples is None


# --- Wikidata and DBpedia ----------------------------------------------------------------------------------------------

WIKIDATA = """
PREFIX wd: <http://www.wikidata.org/entity/> PREFIX wds: <http://www.wikidata.org/entity/statement/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/> PREFIX p: <http://www.wikidata.org/prop/>
PREFIX ps: <http://www.wikidata.org/prop/statement/> PREFIX pq: <http://www.wikidata.org/prop/qualifier/>
PREFIX psv: <http://www.wikidata.org/prop/statement/value/> PREFIX wikibase: <http://wikiba.se/ontology#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX schema: <http://schema.org/>
wd:Q1 rdfs:label "Douglas"@en, "Doug"@de, "Duglas"@mul ; skos:altLabel "DNA"@en, "Adamski"@pl ;
    schema:description "writer"@en ; wdt:P31 wd:Q5 ; wdt:P69 wd:Q2 ; p:P69 wds:Q1-abc ; wdt:P213 "0000" .
wds:Q1-abc ps:P69 wd:Q2 ; pq:P580 "1971" ; psv:P69 wd:x ; wikibase:rank wikibase:NormalRank .
wd:Q5 rdfs:label "human"@en . wd:Q2 rdfs:label "Hochschule"@de .
wd:P69 rdfs:label "educated at"@en, "besuchte Schule"@de . wd:P580 rdfs:label "start time"@en .
wd:P213 rdfs:label "ISNI ID"@en .
"""


def test_wikidata_statements_are_mediators_and_properties_have_their_names(serve: Serve, connect: Connect) -> None:
    graph = connect(serve(WIKIDATA), None)
    douglas, college, statement = Entity("Q1"), Entity("Q2"), Entity("statement/Q1-abc")
    out = graph.relations([douglas, statement], Direction.OUT)
    assert [r.label for r in out[douglas]] == ["ISNI ID", "educated at", "educated at (statement)"]
    assert [r.label for r in out[statement]] == [
        "educated at (value)",
        "start time (qualifier)",
        "value node:P69",
        "wikibase:rank",
    ]
    first = next(r for r in out[douglas] if r.label == "educated at (statement)")
    assert graph.neighbours([douglas], first, Direction.OUT).pairs == ((douglas, statement),)
    second = next(r for r in out[statement] if r.label == "start time (qualifier)")
    ((_, year),) = graph.neighbours([statement], second, Direction.OUT).pairs
    assert getattr(year, "lexical", None) == "1971"
    kinds = graph.types([douglas, statement, college])
    assert [kind.mediator for kind in kinds.values()] == [False, True, False]
    assert [label.label for label in kinds[douglas].classes] == ["human"]
    names = graph.names([douglas, college])
    assert (names[douglas].name, names[douglas].aliases) == ("Douglas", ("Duglas", "DNA"))
    assert names[douglas].description == "writer"
    assert names[college].name is None, "the languages asked for hold none"


def test_wikidatas_labels_are_asked_for_once(serve: Serve, connect: Connect) -> None:
    server = serve(WIKIDATA)
    graph = connect(server, "wikidata")
    for _ in range(3):
        graph.relations([Entity("Q1")], Direction.OUT)
    assert sum("P69>" in query.query for query in server.queries) == 1


def test_dbpedia(serve: Serve, connect: Connect) -> None:
    data = """
    PREFIX dbr: <http://dbpedia.org/resource/> PREFIX dbo: <http://dbpedia.org/ontology/>
    PREFIX dbp: <http://dbpedia.org/property/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
    dbr:Ada rdfs:label "Ada"@en, "Ada L."@de ; a dbo:Person, <http://dbpedia.org/class/yago/Person1> ;
        dbo:birthPlace <http://dbpedia.org/resource/London> ; dbp:birthPlace "London"@en ; dbo:careerStation dbr:Ada__1 ;
        dbo:wikiPageID 1 ; dbp:name "Ada Lovelace"@en .
    dbr:Ada__1 a dbo:CareerStation .
    """
    graph = connect(serve(data), None)
    ada, station = Entity("Ada"), Entity("Ada__1")
    labels = [r.label for r in graph.relations([ada], Direction.OUT)[ada]]
    assert labels == ["birthPlace", "careerStation", "infobox:birthPlace", "wikiPageID"]
    kinds = graph.types([ada, station])
    assert [label.label for label in kinds[ada].classes] == ["Person"]
    assert [kind.mediator for kind in kinds.values()] == [False, True]
    assert graph.names([ada])[ada].aliases == ("Ada Lovelace",)
