"""Descriptions count what is there: on a graph of a few lines by hand, on the demo against its files."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
import pyoxigraph as ox
import pytest

from kgbench.data.demo import demo_folder
from kgbench.errors import GraphError
from kgbench.survey.census import take_census
from kgbench.survey.demands import demands
from kgbench.survey.describe_remote import NEVER, describe_remote
from kgbench.survey.locations import graph_location, load_questions, questions_path
from kgbench.survey.reach import Reach, components
from kgbench.survey.survey import Survey, survey
from kgbench.testing.graphs import MemoryGraph
from kgbench.types import Entity, Literal
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.survey.census import Census

    Works = Any


def test_a_small_graph_by_hand(works: Works) -> None:
    graph, _ = survey(str(works.folder), None)
    assert graph.to_json() == {
        "name": "works",
        "profile": "plain",
        "fingerprint": graph.fingerprint,
        "triples": 9,
        "facts": 9,
        "entities": 4,
        "named": 4,
        "listed_only": 0,
        "mediators": 2,
        "relations": (
            *(("employee", 2), ("since", 2), ("team", 2)),
            *(("based_at", 1), ("headcount", 1), ("reports_to", 1)),
        ),
        "classes": (("job", 2), ("person", 2), ("site", 1), ("team", 1)),
        "mediator_classes": ("job",),
        "values": (("xsd:date", 2), ("xsd:integer", 1)),
        "degrees": {"p50": 2, "p90": 4, "p99": 4, "max": 4},
        "hubs": (
            {"id": "t1", "facts": 4, "classes": ("team",), "name": None},
            {"id": "p1", "facts": 2, "classes": ("person",), "name": None},
            {"id": "p2", "facts": 2, "classes": ("person",), "name": None},
            {"id": "s1", "facts": 1, "classes": ("site",), "name": None},
        ),
        "components": 1,
        "largest_component": 6,
        "labels_with_names": None,
        "not_counted": (),
    }


def test_names_are_shown_only_where_they_are_asked_for(works: Works) -> None:
    works.edit("triples.tsv", "p2\treports_to", "p2\tworks_at_fenn_wharf\ts1\np2\treports_to")
    plain, named = (survey(str(works.folder), None, names=names).graph for names in (False, True))
    text = json.dumps(plain.to_json()).replace("works_at_fenn_wharf", "")
    assert not any(name in text for name in ("Glaze", "Olva", "Tarn", "Fenn"))
    assert [hub.name for hub in named.hubs][:1] == ["Glaze Lab"]
    assert named.labels_with_names == ("works_at_fenn_wharf",)


def test_entities_that_are_only_listed_are_counted_apart(works: Works) -> None:
    works.edit("entities.tsv", "p1\t", "a9\tNobody\np1\t")
    graph = survey(str(works.folder), None).graph
    assert (graph.entities, graph.named, graph.listed_only) == (4, 4, 1)


class DemoFiles:
    """The demo's files, read without any code of the package."""

    def __init__(self) -> None:
        def rows(name: str) -> list[list[str]]:
            text = (demo_folder() / name).read_text(encoding="utf-8")
            return [line.split("\t") for line in text.removesuffix("\n").split("\n")]

        self.triples = rows("triples.tsv")
        self.named = {row[0] for row in rows("entities.tsv")}
        self.classes = {row[0]: row[1].split("|") for row in rows("types.tsv")}
        mediators = {"learning.attendance", "procurement.contract_line", "research.membership", "staff.assignment"}
        self.mediators = {node for node, classes in self.classes.items() if mediators & set(classes)}
        self.entities = set(self.classes) - self.mediators
        self.degree = Counter(end for head, _, tail in self.triples for end in (head, tail) if not end.startswith('"'))
        lines = (demo_folder() / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        self.questions = [json.loads(line) for line in lines]

    def hops(self, question: dict[str, Any]) -> int:
        """Breadth first, one edge at a time, mediators at no cost."""
        near: dict[str, set[str]] = defaultdict(set)
        for head, _, tail in self.triples:
            near[head].add(tail)
            near[tail].add(head)
        goals = {answer.get("id") or self._literal(answer) for answer in question["answers"]}
        return max(self._hops(topic, goals, near) for topic in question["topic_entities"])

    @staticmethod
    def _literal(answer: dict[str, str]) -> str:
        return (
            f'"{answer["value"]}"^^{answer["datatype"]}'
            if answer["datatype"] != "xsd:string"
            else f'"{answer["value"]}"'
        )

    def _hops(self, start: str, goals: set[str], near: dict[str, set[str]]) -> int:
        seen, frontier, hops = {start}, {start}, 0
        while not frontier & goals:
            direct = {end for node in frontier if not node.startswith('"') for end in near[node]} - seen
            through = {end for node in direct & self.mediators for end in near[node]} - seen
            frontier, hops = direct | through, hops + 1
            seen |= frontier
        return hops


@pytest.fixture(scope="module")
def files() -> DemoFiles:
    return DemoFiles()


@pytest.fixture(scope="module")
def demo() -> Survey:
    return survey(graph_location("demo"), load_questions("demo"))


def test_counts_of_the_demo_are_those_of_its_files(demo: Survey, files: DemoFiles) -> None:
    graph = demo.graph
    assert graph.facts == graph.triples == len(files.triples)
    assert graph.entities == len(files.entities)
    assert graph.named == len(files.named & files.entities)
    assert graph.mediators == len(files.mediators)
    assert dict(graph.relations) == Counter(relation for _, relation, _ in files.triples)
    assert dict(graph.classes) == Counter(label for classes in files.classes.values() for label in classes)
    assert sum(count for _, count in graph.values) == sum(tail.startswith('"') for _, _, tail in files.triples)
    assert dict(graph.values)["xsd:date"] == sum(tail.endswith("^^xsd:date") for _, _, tail in files.triples)
    largest = sorted(files.entities, key=lambda node: (-files.degree[node], node))[:10]
    assert [(hub.id, hub.facts) for hub in graph.hubs] == [(node, files.degree[node]) for node in largest]
    degrees = sorted(files.degree[node] for node in files.entities)
    assert graph.degrees["max"] == degrees[-1]
    assert graph.degrees["p50"] == degrees[(len(degrees) - 1) // 2]


def test_questions_of_the_demo(demo: Survey, files: DemoFiles) -> None:
    about = demo.questions
    assert about is not None
    topics = [topic for question in files.questions for topic in question["topic_entities"]]
    answers = [answer for question in files.questions for answer in question["answers"]]
    assert (about.questions, about.topics, about.topics_in_graph) == (120, len(topics), len(topics))
    assert about.gold == about.gold_in_graph == len(answers)
    assert about.gold_entities == about.gold_entities_in_graph == sum("id" in answer for answer in answers)
    assert (about.without_topic, about.without_gold, about.gold_out_of_reach) == (0, 0, 0)
    assert about.hops == {str(hops): n for hops, n in sorted(Counter(map(files.hops, files.questions)).items())}
    assert about.hops_counted == 120
    unsaid = about.topics - about.topics_mentioned
    assert 0 < unsaid < 10


def test_relations_of_topics_are_counted_both_ways(demo: Survey, files: DemoFiles) -> None:
    fewest = []
    for question in files.questions:
        counts = []
        for topic in question["topic_entities"]:
            out = {relation for head, relation, _ in files.triples if head == topic}
            into = {relation for _, relation, tail in files.triples if tail == topic}
            counts.append(len(out) + len(into))
        fewest.append(min(counts))
    assert demo.questions is not None
    assert demo.questions.topic_relations["max"] == max(fewest)
    assert demo.questions.topic_relations["p50"] == sorted(fewest)[59]
    assert demo.questions.topic_relations["under_5"] == sum(number < 5 for number in fewest)


@pytest.mark.parametrize("name", ["webqsp.fb15k237"])
def test_real_questions_have_the_relations_and_hops_that_their_tags_say(real_data: Path, name: str) -> None:
    records = load_questions(str(real_data / "questions" / f"{name}.jsonl"))
    found = survey(str(real_data / name.rpartition(".")[2]), records).questions
    assert found is not None
    tags = sorted(record.tags["topic_relations"] for record in records)
    assert found.topic_relations["max"] == tags[-1]
    assert found.topic_relations["p50"] == tags[(len(tags) - 1) // 2]
    assert found.topic_relations["under_5"] == sum(number < 5 for number in tags)
    assert found.hops == {
        str(hops): n for hops, n in sorted(Counter(record.tags["hops"] for record in records).items())
    }


def census_of(folder: Path) -> Census:
    return take_census(OxigraphAdapter.open(str(folder)))


def test_ways_lead_through_mediators_and_never_through_values(works: Works) -> None:
    rows = 'q1\theadcount\t"2"^^xsd:integer\nq1\tknows\tq2\n'
    works.edit("triples.tsv", "j1\temployee", f"{rows}j1\temployee")
    census = census_of(works.folder)
    reach = Reach(census)

    def hops(start: str, *goals: str, most: int = 4) -> int | None:
        numbers = [census.number_of[Entity(goal)] for goal in goals]
        return reach.hops(census.number_of[Entity(start)], numbers, most)

    assert hops("p1", "p1") == 0
    assert hops("p1", "t1") == 1, "through the job"
    assert hops("p1", "s1", "q2") == 2
    assert hops("p1", "s1", most=1) is None
    assert hops("p1", "q1") is None, "they share a number, and that joins nothing"
    assert reach.hops(census.number_of[Entity("p1")], [census.number_of[Literal("2", XSD + "integer")]]) == 2
    assert components(census) == (2, 6)


XSD = "http://www.w3.org/2001/XMLSchema#"


def test_searches_stop_when_they_have_looked_at_enough(works: Works, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgbench.survey.reach.MOST_FACTS", 5)
    works.check()
    about = survey(str(works.folder), load_questions(str(works.questions_file))).questions
    assert about is not None
    assert about.questions == 3
    assert about.hops_counted == 1


def test_a_graph_of_named_graphs_counts_a_fact_once(tmp_path: Path) -> None:
    ends = [ox.NamedNode(f"http://e/{name}") for name in ("a", "r", "b")]
    store = ox.Store(tmp_path / "store")
    store.extend(ox.Quad(*ends, ox.NamedNode(f"http://e/{name}")) for name in ("g1", "g2"))
    store.flush()
    del store  # releases the lock
    census = census_of(tmp_path / "store")
    assert len(census.facts) == 1
    assert np.array_equal(census.degree, [1, 1])


def test_an_empty_graph_is_described(tmp_path: Path) -> None:
    (tmp_path / "triples.tsv").touch()
    graph, about = survey(str(tmp_path), [])
    assert (graph.facts, graph.entities, graph.degrees, graph.components, graph.hubs) == (0, 0, {}, 0, ())
    assert about is not None
    assert (about.questions, about.hops, about.topic_relations) == (0, {}, {})
    assert demands(graph, about) == []


def test_what_a_method_has_to_cope_with(demo: Survey, works: Works) -> None:
    kinds = [sentence.partition(":")[0] for sentence in demands(*demo)]
    assert kinds == [
        *("unnamed entities", "mediators", "answers that are no entities"),
        *("several steps", "unsaid topics", "thin topics"),
    ]
    works.questions[1]["topic_entities"] = {}
    works.questions[0]["answers"] = [{"id": "nowhere"}]
    works.questions.append({"id": "d", "question": "Who is Olva Brent?", "topic_entities": {"p1": "Olva Brent"}})
    works.check()
    told = demands(*survey(str(works.folder), load_questions(str(works.questions_file))))
    assert {"no topic", "no gold", "gold out of reach"} <= {sentence.partition(":")[0] for sentence in told}


class Server(MemoryGraph):
    """A graph that answers counting queries, or fails at some."""

    def __init__(self, answers: Callable[[str], Any]) -> None:
        super().__init__([])
        self._answers = answers

    def select(self, sparql: str) -> Any:
        return self._answers(sparql)


def number(value: int) -> Literal:
    return Literal(str(value), XSD + "integer")


def test_a_server_is_asked_four_questions_and_the_rest_is_said_to_be_uncounted() -> None:
    def answer(sparql: str) -> Any:
        if "GROUP BY" not in sparql:
            return ((number(12),),)
        if "?c" in sparql:
            raise GraphError("the server took too long")
        return ((Entity("http://e/r"), number(7)), (Entity("http://e/q"), number(5)))

    found = describe_remote(Server(answer))
    assert found.triples == 12
    assert found.relations == (("http://e/r", 7), ("http://e/q", 5))
    assert (found.facts, found.entities, found.classes) == (None, None, ())
    assert found.not_counted == (NEVER, "classes: the server took too long")


def test_where_graph_and_questions_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert graph_location("demo") == str(demo_folder())
    assert questions_path("demo") == demo_folder() / "questions.jsonl"
    assert str(questions_path("jsonl:q.jsonl")) == "q.jsonl"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").mkdir()
    assert graph_location("demo") == "demo", "a folder of that name goes before the bundled graph"
