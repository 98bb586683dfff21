"""A graph from a folder of TSV files."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import DataError, GraphError, PrerequisiteMissing, UsageError
from kgbench.types import ClassLabel, Direction, Entity, Literal, NodeKind, NodeNames, Relation
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter
from kgbench_adapters.profiles import vocabulary
from kgbench_adapters.terms import XSD

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    MakeFolder = Callable[..., Path]

OUT, IN = Direction.OUT, Direction.IN


def opened(folder: Path, profile: object = None, **options: object) -> OxigraphAdapter:
    return OxigraphAdapter.open(str(folder), profile, **options)  # type: ignore[arg-type]


def labels(graph: OxigraphAdapter, entity: str, direction: Direction) -> list[str]:
    return [relation.label for relation in graph.relations([Entity(entity)], direction)[Entity(entity)]]


def reached(graph: OxigraphAdapter, entity: str, relation: str, direction: Direction) -> list[object]:
    found = graph.neighbours([Entity(entity)], Relation(relation, relation), direction)
    assert not found.cut
    return [term.id if isinstance(term, Entity) else term for _, term in found.pairs]


@pytest.fixture
def town(graph_folder: MakeFolder) -> OxigraphAdapter:
    """Rivers and towns, with literals, a mediator class, declared inverses and an unnamed node."""
    return opened(
        graph_folder(
            triples=[
                "orvane\tflows_through\tbelt",
                "orvane\tflows_through\tcask",
                "sill\tflows_through\tbelt",
                'belt\tfounded\t"1954-07-17"^^xsd:date',
                'belt\tmotto\t"water"',
                'belt\tmotto\t"water"^^xsd:string',
                'belt\tmotto\t"Wasser"@DE',
                'belt\tpeople\t"007"^^xsd:int',
                "belt\ttwin\tlink1",
                "link1\twith\tcask",
                "belt\ttwin\tbelt",
            ],
            entities=["orvane\tOrvane\tThe Long Water|Orv", "belt\tBelt", "cask\t", "sill\tSill\t"],
            types=["orvane\triver|water", "belt\ttown", "link1\ttown.twinning"],
            relations=[
                "relation\tinverse\tdomain\trange\ttriples",
                "flows_through\tcrossed_by\triver\ttown\t3",
                "founded\t\ttown\t\t1",
            ],
            toml='name = "rivers"\nmediator_classes = ["town.twinning"]\n',
        )
    )


def test_relations_stand_in_both_directions_sorted_and_without_names_or_types(town: OxigraphAdapter) -> None:
    assert labels(town, "belt", OUT) == ["founded", "motto", "people", "twin"]
    assert labels(town, "belt", IN) == ["flows_through", "twin"]
    assert labels(town, "orvane", OUT) == ["flows_through"]
    assert labels(town, "orvane", IN) == []


def test_neighbours_stand_in_both_directions(town: OxigraphAdapter) -> None:
    assert reached(town, "orvane", "flows_through", OUT) == ["belt", "cask"]
    assert reached(town, "belt", "flows_through", IN) == ["orvane", "sill"]
    assert reached(town, "belt", "flows_through", OUT) == []
    assert reached(town, "belt", "twin", OUT) == ["belt", "link1"]


def test_a_batch_is_sorted_by_start_and_names_each_start_once(town: OxigraphAdapter) -> None:
    starts = [Entity("sill"), Entity("orvane"), Entity("nowhere"), Entity("sill")]
    found = town.neighbours(starts, Relation("flows_through", ""), OUT)
    assert [(start.id, term.id) for start, term in found.pairs] == [  # type: ignore[union-attr]
        ("orvane", "belt"),
        ("orvane", "cask"),
        ("sill", "belt"),
    ]
    assert set(town.relations(starts, OUT)) == set(starts)
    assert town.relations([], OUT) == {}


def test_literals_are_canonical_terms_after_the_entities(town: OxigraphAdapter) -> None:
    assert reached(town, "belt", "founded", OUT) == [Literal("1954-07-17", f"{XSD}date")]
    assert reached(town, "belt", "motto", OUT) == [Literal("Wasser", "", "de"), Literal("water")]
    assert reached(town, "belt", "people", OUT) == [Literal("7", f"{XSD}integer")]


def test_names_come_from_the_list_alone(town: OxigraphAdapter) -> None:
    ids = [Entity(node) for node in ("orvane", "cask", "link1", "nowhere")]
    assert town.names(ids) == {
        ids[0]: NodeNames("Orvane", ("Orv", "The Long Water")),
        ids[1]: NodeNames(None),
        ids[2]: NodeNames(None),
        ids[3]: NodeNames(None),
    }
    assert [(entity.id, names.name) for entity, names in town.all_names() if names.name] == [
        ("belt", "Belt"),
        ("orvane", "Orvane"),
        ("sill", "Sill"),
    ]


@pytest.mark.parametrize(
    "hidden",
    ["http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"],
)
def test_no_relation_leads_to_a_name_or_type(town: OxigraphAdapter, hidden: str) -> None:
    assert reached(town, "orvane", hidden, OUT) == []


def test_classes_and_mediators_come_from_the_schema(town: OxigraphAdapter) -> None:
    kinds = town.types([Entity("orvane"), Entity("link1"), Entity("cask"), Entity("nowhere")])
    assert list(kinds.values()) == [
        NodeKind((ClassLabel("river"), ClassLabel("water"))),
        NodeKind((ClassLabel("town.twinning"),), mediator=True),
        NodeKind(),
        NodeKind(),
    ]


def test_the_card(town: OxigraphAdapter) -> None:
    card = town.card
    assert (card.name, card.profile.name, card.triples) == ("rivers", "plain", 10)
    assert card.profile.mediator_classes == ("town.twinning",)
    assert card.domains == {"flows_through": ("river", "town"), "founded": ("town", None)}
    assert card.inverses == {"flows_through": "crossed_by", "crossed_by": "flows_through"}


def test_packing_and_place_do_not_change_the_fingerprint_but_content_does(graph_folder: MakeFolder) -> None:
    tables = {"triples": ["a\tr\tb"], "entities": ["a\tA"]}
    prints = [opened(graph_folder(packed=packed, **tables)).card.fingerprint for packed in (False, True)]
    assert prints[0] == prints[1]
    others = [
        graph_folder(triples=["a\tr\tc"], entities=["a\tA"]),
        graph_folder(triples=["a\tr\tb"], entities=["a\tB"]),
        graph_folder(triples=["a\tr\tb"]),
        graph_folder(**tables, toml='mediator_classes = ["x"]'),
    ]
    assert len({prints[0], *(opened(other).card.fingerprint for other in others)}) == 5


def test_a_packed_folder_gives_the_same_answers(graph_folder: MakeFolder) -> None:
    graph = opened(graph_folder(packed=True, triples=["a\tr\tb"], entities=["a\tA"], types=["a\tt"]))
    assert reached(graph, "a", "r", OUT) == ["b"]
    assert graph.names([Entity("a")])[Entity("a")].name == "A"


@pytest.mark.parametrize(
    "odd",
    [
        "Dad's_Root_Beer_(brand),_100%",
        "two words",
        "x> } UNION { ?s ?p ?o",
        'with "quotes" and \\ backslash',
        "http://example.org/Zoë river",
        "https://kgbench.invalid/relation/r",
        "%20",
        "Zoë 🜁",
        "a\tb\nc",
        "[/red]{}",
    ],
)
def test_an_odd_id_is_data_and_never_a_query(graph_folder: MakeFolder, odd: str) -> None:
    written = odd.replace("\t", "\\t").replace("\n", "\\n")
    graph = opened(
        graph_folder(
            triples=[f"{written}\tknows {written}\tb", f"c\tr\t{written}", "other\tr\tsecret"],
            entities=[f"{written}\tOdd"],
            types=[f"{written}\t{written}"],
        )
    )
    (relation,) = graph.relations([Entity(odd)], OUT)[Entity(odd)]
    assert relation.id == f"knows {odd}"
    assert graph.neighbours([Entity(odd)], relation, OUT).pairs == ((Entity(odd), Entity("b")),)
    assert reached(graph, "c", "r", OUT) == [odd]
    assert reached(graph, odd, "r", IN) == ["c"]
    assert graph.names([Entity(odd)])[Entity(odd)].name == "Odd"
    assert len(graph.types([Entity(odd)])[Entity(odd)].classes) == 1


@pytest.mark.parametrize("absent", ["x> } UNION { ?s ?p ?o", "_:a b", "_:", "", "\ud800", "\x00"])
def test_an_id_that_is_not_there_reads_as_nothing(town: OxigraphAdapter, absent: str) -> None:
    entity = Entity(absent)
    for direction in Direction:
        assert town.relations([entity], direction) == {entity: ()}
        assert town.neighbours([entity], Relation("flows_through", ""), direction).pairs == ()
        assert town.neighbours([Entity("belt")], Relation(absent, ""), direction).pairs == ()
    assert town.names([entity]) == {entity: NodeNames(None)}
    assert town.types([entity])[entity].classes == ()


def test_blank_nodes_are_mediators_and_can_be_followed(graph_folder: MakeFolder) -> None:
    graph = opened(graph_folder(triples=["a\trole\t_:x1", "_:x1\tat\tb", "a\tr\t_:bad label", "unnamed\tr\tb"]))
    assert any(re.search("must be a blank node label", note) for note in graph.card.notes)
    assert graph.report.skipped_count == 1
    assert graph.report.skipped[0].line == 3
    assert reached(graph, "a", "role", OUT) == ["_:x1"]
    assert reached(graph, "_:x1", "at", OUT) == ["b"]
    assert labels(graph, "_:x1", IN) == ["role"]
    kinds = graph.types([Entity("_:x1"), Entity("unnamed")])
    assert [kind.mediator for kind in kinds.values()] == [True, False]


# --- Freebase ----------------------------------------------------------------------------------------------------------

CVT_TRIPLES = [
    "m.01\tpeople.person.spouse_s\tm.0cvt",
    "m.0cvt\tpeople.marriage.spouse\tm.02",
    "m.01\tfilm.actor.film-film.performance.film\tg.03",
]


def mediators(graph: OxigraphAdapter, *ids: str) -> list[bool]:
    return [kind.mediator for kind in graph.types([Entity(node) for node in ids]).values()]


def test_a_freebase_folder_is_guessed_and_joined_labels_are_ordinary(graph_folder: MakeFolder) -> None:
    graph = opened(graph_folder(triples=CVT_TRIPLES, entities=["m.01\tAnn", "m.02\tBea", "g.03\tFilm"]))
    assert graph.card.profile.name == "freebase"
    assert labels(graph, "m.01", OUT) == ["film.actor.film-film.performance.film", "people.person.spouse_s"]
    assert reached(graph, "g.03", "film.actor.film-film.performance.film", IN) == ["m.01"]
    rows = graph.select("SELECT ?o { <http://rdf.freebase.com/ns/m.0cvt> ?p ?o }")
    assert rows == ((Entity("m.02"),),)


def test_in_a_bare_dump_unlisted_nodes_are_mediators(graph_folder: MakeFolder) -> None:
    graph = opened(graph_folder(triples=CVT_TRIPLES, entities=["m.01\tAnn", "m.02\t", "g.03\t\tAlias"]))
    assert mediators(graph, "m.01", "m.0cvt", "m.02", "g.03") == [False, True, False, False]
    # Neither a node of the schema nor one that is not in the graph follows from a missing name.
    assert mediators(graph, "people.person", "m.0absent") == [False, False]


def test_names_in_the_dump_itself_are_an_entity_list_too(graph_folder: MakeFolder) -> None:
    named = [
        'm.01\ttype.object.name\t"Anna"@de',
        'm.01\ttype.object.name\t"Ann"@en',
        'm.01\tcommon.topic.alias\t"Annie"@en',
        'm.02\ttype.object.name\t"Bea"@en',
        "m.02\ttype.object.type\tpeople.person",
    ]
    graph = opened(graph_folder(triples=CVT_TRIPLES + named))
    assert mediators(graph, "m.01", "m.0cvt", "m.02") == [False, True, False]
    assert graph.names([Entity("m.01")])[Entity("m.01")] == NodeNames("Ann", ("Anna", "Annie"))
    assert graph.types([Entity("m.02")])[Entity("m.02")].classes == (ClassLabel("people.person"),)
    assert labels(graph, "m.02", OUT) == []
    assert labels(graph, "m.01", OUT) == ["film.actor.film-film.performance.film", "people.person.spouse_s"]


def test_without_any_entity_list_nothing_follows_from_a_missing_name(graph_folder: MakeFolder) -> None:
    assert mediators(opened(graph_folder(triples=CVT_TRIPLES)), "m.01", "m.0cvt") == [False, False]


def test_known_mediator_classes_go_before_the_missing_name(graph_folder: MakeFolder) -> None:
    tables = {"triples": [*CVT_TRIPLES, "m.04\tx.y.z\tm.01"], "entities": ["m.01\tAnn"]}
    types = ["m.0cvt\tpeople.marriage", "m.02\tpeople.person"]
    by_settings = opened(graph_folder(**tables, types=types, toml='mediator_classes = ["people.marriage"]'))
    assert mediators(by_settings, "m.0cvt", "m.02", "m.04") == [True, False, False]
    hint = 'people.marriage\tfreebase.type_hints.mediator\t"true"^^xsd:boolean'
    tables["triples"].append(hint)
    assert mediators(opened(graph_folder(**tables, types=types)), "m.0cvt", "m.02", "m.04") == [True, False, False]


def test_the_rule_can_be_switched_off_and_is_never_on_in_a_plain_graph(graph_folder: MakeFolder) -> None:
    tables = {"triples": CVT_TRIPLES, "entities": ["m.01\tAnn"]}
    assert mediators(opened(graph_folder(**tables)), "m.0cvt") == [True]
    assert mediators(opened(graph_folder(**tables, toml="unlisted_are_mediators = false")), "m.0cvt") == [False]
    assert mediators(opened(graph_folder(**tables), "plain"), "m.0cvt") == [False]


# --- Labels, limits, faults --------------------------------------------------------------------------------------------


def test_relations_that_are_addresses_show_their_last_part_and_clashes_are_numbered(graph_folder: MakeFolder) -> None:
    graph = opened(
        graph_folder(
            triples=["a\thttp://firm.example/hr#works_in\tb", "a\thttp://agency.example/works_in\tb", "a\tworks_in\tc"],
            relations=["relation\tdomain\trange", "works_in\tx\thttp://firm.example/Ward"],
        )
    )
    found = graph.relations([Entity("a")], OUT)[Entity("a")]
    assert [(relation.id, relation.label) for relation in found] == [
        ("http://agency.example/works_in", "works_in"),
        ("http://firm.example/hr#works_in", "works_in [2]"),
        ("works_in", "works_in [3]"),
    ]
    assert [reached(graph, "a", relation.id, OUT) for relation in found] == [["b"], ["b"], ["c"]]
    assert graph.card.domains == {"works_in [3]": ("x", "Ward")}


def hub(graph_folder: MakeFolder, row_limit: int) -> OxigraphAdapter:
    rows = [f"hub\tr{number % 3}\tn{number:04}" for number in reversed(range(90))]
    rows += [f"hub\tr0\tz{number}" for number in range(5)] + ['hub\tr0\t"literal"']
    rows += [f"n{number:04}\tin\thub" for number in range(60)]
    return opened(graph_folder(triples=rows), replace(vocabulary("plain").profile, row_limit=row_limit))


def test_a_cut_is_told_and_keeps_the_first_rows(graph_folder: MakeFolder) -> None:
    graph = hub(graph_folder, 10)
    for relation, direction in (("r0", OUT), ("in", IN)):
        found = graph.neighbours([Entity("hub")], Relation(relation, relation), direction)
        assert found.cut
        step = 3 if direction is OUT else 1
        assert [term.id for _, term in found.pairs] == [f"n{number:04}" for number in range(0, 10 * step, step)]  # type: ignore[union-attr]
    assert labels(graph, "hub", OUT) == ["r0", "r1", "r2"]


@pytest.mark.parametrize(
    ("limit", "rows", "cut"), [(35, 35, True), (36, 36, False), (37, 36, False), (None, 36, False)]
)
def test_cut_is_true_only_where_there_is_more(
    graph_folder: MakeFolder, limit: int | None, rows: int, cut: bool
) -> None:
    found = hub(graph_folder, 10_000).neighbours([Entity("hub")], Relation("r0", "r0"), OUT, limit)
    assert (len(found.pairs), found.cut) == (rows, cut)


def test_no_limit_passes_that_of_the_profile(graph_folder: MakeFolder) -> None:
    found = hub(graph_folder, 10).neighbours([Entity("hub")], Relation("r0", "r0"), OUT, 1_000)
    assert (len(found.pairs), found.cut) == (10, True)
    with pytest.raises(GraphError, match="at least 1"):
        hub(graph_folder, 10).neighbours([Entity("hub")], Relation("r0", "r0"), OUT, 0)


def test_a_cut_does_not_depend_on_the_order_of_the_file(graph_folder: MakeFolder) -> None:
    rows = [f"hub\tr\tn{number:03}" for number in range(50)]
    profile = replace(vocabulary("plain").profile, row_limit=7)
    answers = [
        opened(graph_folder(triples=order), profile).neighbours([Entity("hub")], Relation("r", ""), OUT)
        for order in (rows, rows[::-1])
    ]
    assert answers[0] == answers[1]


def test_the_relations_of_a_large_hub_are_complete(graph_folder: MakeFolder) -> None:
    rows = [f"hub\tcommon\tn{number}" for number in range(3_000)]
    rows = ["hub\tfirst\tn1", *rows[:1_500], "hub\tmiddle\tn1", *rows[1_500:], "hub\tlast\tn1"]
    rows += [f"n{number}\tback\thub" for number in range(3_000)]
    graph = opened(graph_folder(triples=rows, entities=["hub\tHub"]))
    assert labels(graph, "hub", OUT) == ["common", "first", "last", "middle"]
    assert labels(graph, "hub", IN) == ["back"]


def test_the_name_of_the_first_row_of_an_entity_stands(graph_folder: MakeFolder) -> None:
    graph = opened(graph_folder(triples=["a\tr\tb"], entities=["a\tZoe\tZ", "a\tAnn"]))
    assert graph.names([Entity("a")])[Entity("a")] == NodeNames("Zoe", ("Ann", "Z"))


def test_an_empty_file_is_an_empty_graph_with_a_warning(graph_folder: MakeFolder) -> None:
    graph = opened(graph_folder(triples=""))
    assert any(re.search(r"triples\.tsv is empty", note) for note in graph.card.notes)
    assert (graph.card.triples, graph.card.profile.name) == (0, "plain")
    assert labels(graph, "a", OUT) == []
    assert graph.select("SELECT * { ?s ?p ?o }") == ()


def test_bad_lines_are_skipped_counted_and_warned_of_or_stop_strict_reading(graph_folder: MakeFolder) -> None:
    folder = graph_folder(triples=["a\tr\tb", "a\tr", "a\tr\tc\td", "c\tr\td"])
    graph = opened(folder)
    assert any(
        re.search(r"skipped 2 bad lines .*: triples\.tsv, line 2: 2 fields in place of 3", note)
        for note in graph.card.notes
    )
    assert (graph.card.triples, graph.report.skipped_count) == (2, 2)
    with pytest.raises(DataError, match=r"triples\.tsv, line 2"):
        opened(folder, strict=True)


def test_a_good_folder_warns_of_nothing(graph_folder: MakeFolder) -> None:
    assert opened(graph_folder(triples=["a\tr\tb"]), strict=True).card.notes == ()


def test_what_is_no_graph_is_an_error_that_says_so(graph_folder: MakeFolder, tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteMissing, match=r"triples\.tsv"):
        opened(graph_folder(entities="a\tA"))
    with pytest.raises(PrerequisiteMissing, match="there is no file or folder"):
        opened(tmp_path / "nowhere")
    other = tmp_path / "notes.txt"
    other.touch()
    with pytest.raises(UsageError, match="is no graph: give a folder"):
        opened(other)
    with pytest.raises(UsageError, match="no graph profile"):
        opened(graph_folder(triples="a\tr\tb"), "freebas")


def test_locations_are_told_from_addresses_and_names(tmp_path: Path) -> None:
    assert OxigraphAdapter.accepts(str(tmp_path))
    assert OxigraphAdapter.accepts("missing.ttl.gz")
    assert OxigraphAdapter.accepts("small.triples.tsv.gz")
    assert not OxigraphAdapter.accepts("http://localhost:8890/sparql")
    assert not OxigraphAdapter.accepts("http://localhost:8890/graph.ttl")
    assert not OxigraphAdapter.accepts("demo")


def test_many_threads_read_the_same(graph_folder: MakeFolder) -> None:
    rows = [f"n{number}\tr{number % 7}\tn{number * 7 % 200}" for number in range(200)]
    graph = opened(graph_folder(triples=rows, entities=[f"n{number}\tN {number}" for number in range(200)]))

    def read(number: int) -> object:
        entity = Entity(f"n{number}")
        relations = graph.relations([entity], OUT)
        query = f"SELECT ?o {{ <https://kgbench.invalid/id/n{number}> ?p ?o }} ORDER BY STR(?o)"
        return relations, graph.neighbours([entity], Relation("r1", ""), IN), graph.names([entity]), graph.select(query)

    alone = [read(number) for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read, range(200))) == alone
