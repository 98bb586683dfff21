"""Servers that give fewer rows than they have, in whatever order: all rows once each, a cut, or a name for it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import GraphError, GraphPartial
from kgbench.testing import sparql_fake as fake
from kgbench.types import Direction, Entity, Neighbours, Relation
from kgbench_adapters.profiles import vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.contracts import Profile
    from kgbench.testing.http_fake import ServerResponse
    from kgbench.testing.sparql_fake import SparqlServer
    from kgbench_adapters.sparql.adapter import SparqlAdapter

    Serve = Callable[..., SparqlServer]
    Connect = Callable[..., SparqlAdapter]

HUB = Entity("http://example.org/hub")
LINK = Relation("http://example.org/link", "link")


def spokes(count: int) -> str:
    return "".join(f"<http://example.org/n{number:05}> <{LINK.id}> <{HUB.id}> .\n" for number in range(count))


def plain(row_limit: int) -> Profile:
    return replace(vocabulary("plain").profile, row_limit=row_limit)


def read(graph: SparqlAdapter, limit: int | None = None) -> Neighbours:
    return graph.neighbours([HUB], LINK, Direction.IN, limit)


def ids(found: Neighbours) -> list[str]:
    return [term.id.rpartition("/")[2] for _, term in found.pairs if isinstance(term, Entity)]


def test_twenty_five_thousand_rows_behind_a_cap_in_another_order_each_time(serve: Serve, connect: Connect) -> None:
    server = serve(spokes(25_003), always=(fake.first_rows(10_000),))
    graph = connect(server, plain(30_000))
    everything = read(graph)
    assert not everything.cut
    assert ids(everything) == [f"n{number:05}" for number in range(25_003)]
    assert graph.server.row_cap == 10_000
    usual = read(graph, 10_000)
    assert (len(usual.pairs), usual.cut) == (10_000, True)


@pytest.mark.parametrize(
    ("rows", "limit", "cut"), [(5, 9, False), (9, 9, False), (10, 9, True), (23, 9, True), (23, 22, True), (23, 23, False)]
)  # fmt: skip
@pytest.mark.parametrize("cap", [4, 7, 10_000])
def test_every_row_once_or_a_cut_with_the_first_rows(
    serve: Serve, connect: Connect, rows: int, limit: int, cut: bool, cap: int
) -> None:
    server = serve(spokes(rows), always=(fake.first_rows(cap),))
    found = read(connect(server, plain(1_000)), limit)
    assert ids(found) == [f"n{number:05}" for number in range(min(rows, limit))]
    assert found.cut is cut


def test_a_sample_at_a_cut_is_the_same_whatever_the_servers_order(serve: Serve, connect: Connect) -> None:
    text = spokes(400)
    in_order, disorder = serve(text), serve(text, always=(fake.another_order(3),))
    wanted = read(connect(in_order), 50)
    graph = connect(disorder)
    assert read(graph, 50) == read(graph, 50) == wanted
    assert ids(wanted) == [f"n{number:05}" for number in range(50)]
    assert wanted.cut


def without_order(number: int, query: str) -> str:
    """The query as a server reads it that sorts in another way each time."""
    return re.sub(r"ORDER BY [^}]*", f'ORDER BY SHA1(CONCAT("{number}", STR(?o))) ', query)


def test_pages_in_another_order_each_time_are_not_taken_for_complete(serve: Serve, connect: Connect) -> None:
    graph = connect(serve(spokes(400), always=(fake.first_rows(100),), rewrite=without_order))
    with pytest.raises(GraphPartial, match="do not add up") as caught:
        read(graph)
    kept = ids(caught.value.result)
    assert 100 < len(kept) < 400
    assert len(set(kept)) == len(kept)
    with pytest.raises(GraphPartial, match="do not add up"):
        read(graph, 250)


def test_a_cap_above_the_rows_that_were_tried_at_the_opening(serve: Serve, connect: Connect) -> None:
    graph = connect(serve(spokes(12_400), always=(fake.first_rows(12_345),)), plain(15_000))
    assert graph.server.row_cap is None
    found = read(graph)
    assert (len(found.pairs), found.cut) == (12_400, False)
    assert graph.server.row_cap == 12_345


def test_a_cap_that_only_a_header_tells_of(serve: Serve, connect: Connect) -> None:
    server = serve(spokes(23))
    graph = connect(server)

    def capped(right: ServerResponse) -> ServerResponse:
        return replace(fake.first_rows(7)(right), headers={"X-SPARQL-MaxRows": "7"})

    server.script(capped)
    found = read(graph)
    assert (ids(found), found.cut) == ([f"n{number:05}" for number in range(23)], False)
    server.script(capped)
    with pytest.raises(GraphPartial, match="it gives 7 rows at most"):
        graph.select("SELECT ?s { ?s ?p ?o }")


def test_a_server_that_gives_more_rows_than_it_was_asked_for(serve: Serve, connect: Connect) -> None:
    endless = serve(spokes(400), rewrite=lambda number, query: re.sub(r"LIMIT \d+|OFFSET \d+", "", query))
    found = read(connect(endless, plain(100)))
    assert (ids(found), found.cut) == ([f"n{number:05}" for number in range(100)], True)


def test_a_hub_takes_few_requests_and_rows_and_gives_one_sample_whatever_the_order(
    serve: Serve, connect: Connect
) -> None:
    rows = 0

    def counted(right: ServerResponse) -> ServerResponse:
        nonlocal rows
        rows += len(json.loads(right.body)["results"]["bindings"])
        return right

    server = serve(spokes(30_000), always=(fake.another_order(4), counted))
    graph = connect(server, "freebase")  # not listed: the hub alone is read
    link = Relation(LINK.id, LINK.id)
    rows, samples = 0, []
    for _ in range(3):
        samples.append(graph.neighbours([HUB], link, Direction.IN, 1_000))
    assert samples[0] == samples[1] == samples[2]
    assert (len(samples[0].pairs), samples[0].cut) == (1_000, True)
    assert rows <= 3 * (1_001 + 1_000)
    assert len(server.queries) <= 3 * 2
    rows = 0
    assert len(graph.relations([HUB], Direction.IN)[HUB]) == 1
    assert rows == 1


def test_rows_that_do_not_add_up_to_their_count_are_partial(serve: Serve, connect: Connect) -> None:
    server = serve(spokes(23), always=(fake.first_rows(10),))
    graph = connect(server)
    # First answer, look for one more, three pages; the second of them repeats the first.
    first_page = fake.other_json(
        {
            "head": {"vars": ["s", "o"]},
            "results": {"bindings": [{"s": _uri(HUB.id), "o": _uri(f"http://example.org/n{n:05}")} for n in range(10)]},
        }
    )
    server.script(*[fake.no_fault()] * 2, first_page, first_page, fake.no_fault())
    with pytest.raises(GraphPartial, match="do not add up") as caught:
        read(graph)
    assert len(caught.value.result.pairs) == 13
    server.script(*[fake.no_fault()] * 3, fake.first_rows(1))
    with pytest.raises(GraphPartial, match="do not add up") as caught:
        read(graph)
    assert len(caught.value.result.pairs) == 11
    server.script(*[fake.no_fault()] * 5, fake.sql_state("S1TAT", 1))
    with pytest.raises(GraphPartial, match="do not add up"):
        read(graph)
    assert len(read(graph).pairs) == 23


def _uri(iri: str) -> dict[str, str]:
    return {"type": "uri", "value": iri}


def test_a_server_that_cannot_sort_gives_a_sample_that_says_so(serve: Serve, connect: Connect) -> None:
    server = serve(spokes(40))
    graph = connect(server)
    server.script(fake.no_fault(), fake.virtuoso_error("S1T00", "SR171", "Transaction timed out"))
    with pytest.raises(GraphPartial, match="could not sort") as caught:
        read(graph, 10)
    assert len(caught.value.result.pairs) == 10
    server.script(fake.no_fault(), fake.sql_state("S1TAT", 0))
    with pytest.raises(GraphPartial, match="time limit") as caught:
        read(graph, 10)
    assert len(caught.value.result.pairs) == 10


def test_a_cap_that_cuts_inside_one_batch_of_relations_is_found(serve: Serve, connect: Connect) -> None:
    text = "".join(f"<http://example.org/n{n}> <http://example.org/r{n % 7}> <{HUB.id}> .\n" for n in range(30))
    server = serve(text, always=(fake.first_rows(5),))
    graph = connect(server)
    entities = [Entity(f"http://example.org/n{n}") for n in range(30)]
    found = graph.relations(entities, Direction.OUT)
    assert [relation.label for entity in entities for relation in found[entity]] == [f"r{n % 7}" for n in range(30)]


def test_rows_that_do_not_fit_one_answer_are_read_by_halves_of_the_batch(serve: Serve, connect: Connect) -> None:
    text = "".join(f"<http://example.org/n{n}> <http://example.org/r{r}> 1 .\n" for n in range(8) for r in range(3))
    server = serve(text, always=(fake.first_rows(7),))
    graph = connect(server)
    entities = [Entity(f"http://example.org/n{n}") for n in range(8)]
    found = graph.relations(entities, Direction.OUT)
    assert [len(found[entity]) for entity in entities] == [3] * 8
    assert not any("ORDER BY" in query.query for query in server.queries)


def test_more_rows_than_any_read_should_have_are_an_error(
    serve: Serve, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = connect(serve(spokes(30)))
    monkeypatch.setattr("kgbench_adapters.sparql.reads._MOST_ROWS", 20)
    entities = [Entity(f"http://example.org/n{n:05}") for n in range(30)]
    with pytest.raises(GraphError, match="more than 20 rows for one read; ask for fewer"):
        graph.relations(entities, Direction.OUT)


def test_a_capped_query_of_ones_own_is_partial(serve: Serve, connect: Connect) -> None:
    graph = connect(serve(spokes(23), always=(fake.first_rows(10),)))
    with pytest.raises(GraphPartial, match="it gives 10 rows at most"):
        graph.select("SELECT ?s { ?s ?p ?o }")
    assert len(graph.select("SELECT ?s { ?s ?p ?o } LIMIT 7")) == 7


def test_a_partial_look_for_one_more_row_proves_nothing(serve: Serve, connect: Connect) -> None:
    server = serve(spokes(100))
    graph = connect(server)
    server.script(fake.no_fault(), fake.sql_state("S1TAT", 0))
    assert len(read(graph).pairs) == 100
    assert [query.query.rpartition("LIMIT")[2] for query in server.queries][:2] == [" 10001", " 1 OFFSET 100"]
    assert "COUNT" in server.queries[-1].query


def test_a_batch_larger_than_one_request_shares_its_limit(serve: Serve, connect: Connect) -> None:
    text = "".join(
        f"<http://example.org/n{n:05}> <{LINK.id}> <http://example.org/x>, <http://example.org/y> .\n"
        for n in range(700)
    )
    graph = connect(serve(text))
    entities = [Entity(f"http://example.org/n{n:05}") for n in reversed(range(700))]
    everything = graph.neighbours(entities, LINK, Direction.OUT)
    assert (len(everything.pairs), everything.cut) == (1400, False)
    some = graph.neighbours(entities, LINK, Direction.OUT, 900)
    assert (some.pairs, some.cut) == (everything.pairs[:900], True)
    first_batch = graph.neighbours(entities, LINK, Direction.OUT, 600)
    assert (first_batch.pairs, first_batch.cut) == (everything.pairs[:600], True)
    exact = graph.neighbours(entities[-300:], LINK, Direction.OUT, 600)
    assert (len(exact.pairs), exact.cut) == (600, False)
    assert len(graph.relations(entities, Direction.OUT)) == 700


def test_a_limit_below_one_is_refused(serve: Serve, connect: Connect) -> None:
    with pytest.raises(GraphError, match="at least 1"):
        read(connect(serve(spokes(1))), 0)
