"""The demo graph: reproducible to the byte, invented, and holding every trap that it promises."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from kgbench.data.demo import demo_folder, generate, schema, write
from kgbench.data.demo.files import FILES
from kgbench.data.demo.gold_store import GoldStore
from kgbench.data.demo.questions import LEG_SEPARATOR
from kgbench.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

ODD_PIECES = (
    "{Awake}",
    "; ",
    " -> ",
    " | ",
    '"Quill"',
    "\n",
    "<b>",
    "[/red]",
    "=1+1",
    "#",
    "%",
    "&",
    "'",
    "Ö",
    "ü",
    "Ł",
)
XSD = "http://www.w3.org/2001/XMLSchema#"
LITERAL = re.compile(r'"(?P<value>(?:[^"\\]|\\")*)"(?:\^\^(?P<datatype>xsd:\w+)|@(?P<language>\w+))?')


def unescape(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\t", "\t")


def read_rows(name: str) -> list[list[str]]:
    text = (demo_folder() / name).read_text(encoding="utf-8")
    return [[unescape(value) for value in line.split("\t")] for line in text.removesuffix("\n").split("\n")]


class Shipped:
    """The shipped files, read without any code of the package."""

    def __init__(self) -> None:
        self.triples = [tuple(row) for row in read_rows("triples.tsv")]
        self.entities = {
            row[0]: (row[1], [alias for alias in row[2].split("|") if alias]) for row in read_rows("entities.tsv")
        }
        self.types = {row[0]: row[1].split("|") for row in read_rows("types.tsv")}
        self.relations = {row[0]: row[1:] for row in read_rows("relations.tsv")[1:]}
        self.settings = tomllib.loads((demo_folder() / "graph.toml").read_text(encoding="utf-8"))
        lines = (demo_folder() / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        self.questions = [json.loads(line) for line in lines]
        self.mediators = {
            node for node, classes in self.types.items() if set(classes) & set(self.settings["mediator_classes"])
        }
        self.bearers = Counter(name for name, _ in self.entities.values())

    def of_class(self, label: str) -> list[str]:
        return [node for node, classes in self.types.items() if label in classes]

    def answer_ids(self) -> set[str]:
        return {answer["id"] for question in self.questions for answer in question["answers"] if "id" in answer}


@pytest.fixture(scope="module")
def demo() -> Shipped:
    return Shipped()


@pytest.fixture(scope="module")
def edges(demo: Shipped) -> dict[tuple[str, str], list[str]]:
    """(node, step) -> nodes; a step back begins with `^`."""
    steps: dict[tuple[str, str], list[str]] = defaultdict(list)
    for head, relation, tail in demo.triples:
        steps[head, relation].append(tail)
        steps[tail, f"^{relation}"].append(head)
    return steps


def test_generator_gives_the_shipped_bytes(tmp_path: Path) -> None:
    write(generate(), tmp_path)
    assert sorted(path.name for path in demo_folder().iterdir()) == sorted(FILES)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (demo_folder() / name).read_bytes(), name


def test_hash_seed_changes_no_byte() -> None:
    script = (
        "import hashlib, pathlib, sys, tempfile\n"
        "from kgbench.data.demo import generate, write\n"
        "folder = pathlib.Path(tempfile.mkdtemp())\n"
        "write(generate(3, 3000), folder)\n"
        "data = b''.join(path.read_bytes() for path in sorted(folder.iterdir()))\n"
        "print(hashlib.sha256(data).hexdigest())\n"
    )
    digests = [
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert digests[0] == digests[1]
    assert len(digests[0].strip()) == hashlib.sha256().digest_size * 2


def test_files_are_small_sorted_and_end_lines_with_lf() -> None:
    assert sum(path.stat().st_size for path in demo_folder().iterdir()) < 600_000
    for name in ("triples.tsv", "entities.tsv", "types.tsv", "questions.jsonl"):
        data = (demo_folder() / name).read_bytes()
        assert b"\r" not in data
        assert data.endswith(b"\n")
        lines = data.decode("utf-8").removesuffix("\n").split("\n")
        keys = (
            [line.split("\t") for line in lines]
            if name.endswith(".tsv")
            else [json.loads(line)["id"] for line in lines]
        )
        assert all(first < second for first, second in itertools.pairwise(keys)), name


def test_another_seed_gives_another_graph_and_other_sizes_keep_the_proportions() -> None:
    base, other, larger = generate(0, 3000), generate(1, 3000), generate(0, 12_000)
    assert {row.name for row in base.entities if " " in row.name} != {
        row.name for row in other.entities if " " in row.name
    }
    for graph, triples in ((base, 3000), (other, 3000), (larger, 12_000)):
        assert abs(len(graph.triples) - triples) < 0.03 * triples
        assert Counter(question["hops"] for question in graph.questions) == {1: 50, 2: 45, 3: 25}
    people = [sum(schema.PERSON in row.classes for row in graph.types) for graph in (base, larger)]
    assert people[1] == pytest.approx(4 * people[0], rel=0.02)


def test_a_graph_too_small_for_its_questions_is_refused() -> None:
    with pytest.raises(UsageError, match="3000 or more"):
        generate(0, 100)


def test_size(demo: Shipped) -> None:
    assert 4_500 <= len(demo.triples) <= 6_000
    assert len(demo.questions) == 120


def test_settings(demo: Shipped) -> None:
    assert demo.settings == {
        "name": "demo",
        "profile": "plain",
        "mediator_classes": [
            "learning.attendance",
            "procurement.contract_line",
            "research.membership",
            "staff.assignment",
        ],
    }


def test_every_node_has_a_type_and_every_row_a_node(demo: Shipped) -> None:
    nodes = {head for head, _, _ in demo.triples} | {tail for _, _, tail in demo.triples if not tail.startswith('"')}
    assert nodes == set(demo.types)
    assert set(demo.entities) <= nodes


def test_mediators_have_no_name_and_stand_in_both_styles(demo: Shipped) -> None:
    assert demo.mediators.isdisjoint(demo.entities)
    reached = {tail for _, _, tail in demo.triples}
    for label in (schema.ASSIGNMENT, schema.ATTENDANCE):
        members = demo.of_class(label)
        assert members, label
        assert reached.isdisjoint(members), "n-ary: the mediator is the subject of all its roles"
    for label in (schema.MEMBERSHIP, schema.CONTRACT_LINE):
        members = demo.of_class(label)
        assert members, label
        assert reached.issuperset(members), "one direction: some node leads to the mediator"
    joined: dict[str, set[str]] = {node: set() for node in demo.of_class(schema.ASSIGNMENT)}
    for head, relation, _ in demo.triples:
        if head in joined:
            joined[head].add(relation)
    roles = {f"staff.assignment.{role}" for role in ("person", "ward", "role", "since")}
    assert all(relations == roles for relations in joined.values())


def test_a_missing_name_does_not_mean_mediator(demo: Shipped) -> None:
    unnamed = set(demo.types) - set(demo.entities) - demo.mediators
    by_class = Counter(demo.types[node][0] for node in unnamed)
    assert by_class[schema.INCIDENT] > 10
    assert by_class[schema.DEVICE] > 10
    for label in (schema.INCIDENT, schema.DEVICE):
        assert any(node in demo.entities for node in demo.of_class(label)), "others of the class are named"


def test_hub(demo: Shipped) -> None:
    degree = Counter(end for head, _, tail in demo.triples for end in (head, tail) if not end.startswith('"'))
    (hub, edges_of_hub), (_, next_most) = degree.most_common(2)
    assert edges_of_hub > 500 > 2 * next_most
    assert demo.types[hub] == [schema.ORGANISATION]


def test_homonyms_some_of_them_answers(demo: Shipped, edges: dict[tuple[str, str], list[str]]) -> None:
    by_name: dict[tuple[str, str], list[str]] = defaultdict(list)
    for label in (schema.PERSON, schema.WARD):
        for node in demo.of_class(label):
            by_name[label, demo.entities[node][0]].append(node)
    shared = {key: nodes for key, nodes in by_name.items() if len(nodes) > 1}
    wards = [nodes for (label, _), nodes in shared.items() if label == schema.WARD]
    assert sum(label == schema.PERSON for label, _ in shared) >= 4
    assert len(wards) >= 3
    for nodes in wards:
        sites = [edges[node, "hospital.ward.at_site"][0] for node in nodes]
        assert len(set(sites)) == len(sites), "two wards of one name stand at different sites"
    answers = demo.answer_ids()
    for label in (schema.PERSON, schema.WARD):
        assert any(node in answers for (kind, _), nodes in shared.items() if kind == label for node in nodes), label


def test_odd_names(demo: Shipped) -> None:
    names = [name for name, _ in demo.entities.values()]
    for piece in ODD_PIECES:
        assert any(piece in name for name in names), piece
    shown = {name for question in demo.questions for name in question["topic_entities"].values()}
    shown |= {answer.get("name", "") for question in demo.questions for answer in question["answers"]}
    assert sum(any(piece in name for name in shown) for piece in ODD_PIECES) >= 10


def test_aliases_join_cleanly(demo: Shipped) -> None:
    aliases = [alias for _, own in demo.entities.values() for alias in own]
    assert len(aliases) > 50
    assert len(set(aliases)) == len(aliases)
    assert not set(aliases) & set(demo.bearers)


def test_literals_of_every_kind(demo: Shipped) -> None:
    tails = [tail for _, _, tail in demo.triples if tail.startswith('"')]
    matches = [LITERAL.fullmatch(tail) for tail in tails]
    assert all(matches)
    kinds = Counter(match["datatype"] or match["language"] or "plain" for match in matches if match)
    assert set(kinds) == {"xsd:date", "xsd:gYear", "xsd:integer", "xsd:decimal", "plain", "en", "de"}
    assert any('\\"' in tail for tail in tails)


def test_schema_holds_for_every_triple(demo: Shipped) -> None:
    assert set(demo.relations) == {relation for _, relation, _ in demo.triples}
    for head, relation, tail in demo.triples:
        _, domain, range_ = demo.relations[relation]
        assert domain in demo.types[head]
        match = LITERAL.fullmatch(tail)
        if match is None:
            assert range_ in demo.types[tail]
        else:
            assert range_ == (match["datatype"] or ("rdf:langString" if match["language"] else "xsd:string"))


def test_some_relations_declare_inverses_and_most_do_not(demo: Shipped) -> None:
    inverses = {label: row[0] for label, row in demo.relations.items() if row[0]}
    assert 4 <= len(inverses) < len(demo.relations) / 4
    assert all(inverses[inverse] == label for label, inverse in inverses.items())
    facts = set(demo.triples)
    assert all((tail, inverses[label], head) in facts for head, label, tail in demo.triples if label in inverses)
    assert all(re.fullmatch(r"[a-z]+\.[a-z_]+\.[a-z_]+", label) for label in demo.relations)


def test_ids_tell_nothing(demo: Shipped) -> None:
    assert all(re.fullmatch(r"n\d{4}[b-df-hj-np-tv-z]", node) for node in demo.types)
    for node, (name, aliases) in demo.entities.items():
        words = [word for word in re.findall(r"\w+", f"{name} {' '.join(aliases)}".casefold()) if len(word) >= 3]
        assert not any(word in node for word in words), node
    order = [demo.types[node][0] for node in sorted(demo.types)]
    changes = sum(first != second for first, second in itertools.pairwise(order))
    assert changes > len(order) / 2, "ids in order do not give the classes away"


@pytest.fixture(scope="module")
def store(demo: Shipped) -> object:
    import pyoxigraph as ox

    def term(tail: str) -> object:
        match = LITERAL.fullmatch(tail)
        if match is None:
            return ox.NamedNode("https://kgbench.invalid/id/" + quote(tail, safe=""))
        value = match["value"].replace('\\"', '"')
        if match["datatype"]:
            return ox.Literal(value, datatype=ox.NamedNode(match["datatype"].replace("xsd:", XSD)))
        return ox.Literal(value, language=match["language"])

    graph = ox.Store()
    for head, relation, tail in demo.triples:
        predicate = ox.NamedNode("https://kgbench.invalid/relation/" + quote(relation, safe=""))
        graph.add(ox.Quad(term(head), predicate, term(tail)))
    return graph


def test_gold_is_what_the_query_finds(demo: Shipped, store: object) -> None:
    for question in demo.questions:
        found = set()
        for (term,) in store.query(question["sparql"]):  # type: ignore[attr-defined]
            node = term.value.removeprefix("https://kgbench.invalid/id/")
            datatype = getattr(term, "datatype", None)
            found.add(node if datatype is None else (term.value, datatype.value.replace(XSD, "xsd:")))
        gold = [answer.get("id") or (answer["value"], answer["datatype"]) for answer in question["answers"]]
        assert set(gold) == found, question["id"]
        assert len(gold) == len(found)


def walk(demo: Shipped, edges: dict[tuple[str, str], list[str]], starts: set[str], step: str) -> set[str]:
    """One step on the flattened graph, found without SPARQL; through a mediator where the step is joined."""
    first, _, second = step.removeprefix("^").partition("-")
    if not second:
        return {end for start in starts for end in edges[start, step]}
    if step.startswith("^"):
        ways = [(f"^{second}", f"^{first}")]
    else:
        ways = [(first, second), (f"^{first}", second)]
    return {
        end
        for start in starts
        for onto, off in ways
        for middle in edges[start, onto]
        if middle in demo.mediators
        for end in edges[middle, off]
    }


def test_chain_leads_to_the_gold_on_the_flattened_graph(demo: Shipped, edges: dict[tuple[str, str], list[str]]) -> None:
    for question in demo.questions:
        legs = "\t".join(question["chain"]).split(f"\t{LEG_SEPARATOR}\t")
        assert len(legs) == len(question["topic_entities"])
        reached: list[set[str]] = []
        for leg, topic in zip(legs, question["topic_entities"], strict=True):
            nodes = {topic}
            for step in leg.split("\t"):
                nodes = walk(demo, edges, nodes, step)
            reached.append(nodes)
        found = set.intersection(*reached)
        if "FILTER" in question["sparql"]:
            found -= set(question["topic_entities"])
        literals = {match["value"] for match in map(LITERAL.fullmatch, found) if match}
        gold = {answer.get("id", answer.get("value")) for answer in question["answers"]}
        assert gold == {node for node in found if not node.startswith('"')} | literals, question["id"]
        assert question["hops"] == max(len(leg.split("\t")) for leg in legs)


def test_hops_and_ways_through_mediators(demo: Shipped) -> None:
    assert Counter(question["hops"] for question in demo.questions) == {1: 50, 2: 45, 3: 25}
    steps = Counter(step for question in demo.questions for step in question["chain"] if "-" in step)
    assert sum(step.startswith(("staff.assignment", "learning.attendance")) for step in steps) >= 4
    assert any(step.startswith("procurement.contract.lines-") for step in steps)
    assert any(step.startswith("^research.project.staffing-") for step in steps)
    back = {question["type"] for question in demo.questions if "FILTER" in question["sparql"]}
    assert {"colleagues", "same_boss"} <= back
    assert any(
        question["chain"] == ["staff.person.reports_to", "^staff.person.reports_to"] for question in demo.questions
    )


def test_record_form(demo: Shipped) -> None:
    required = {"id", "question", "topic_entities", "answers", "hops", "type", "chain", "sparql", "answerable"}
    assert [question["id"] for question in demo.questions] == [f"demo-{number:03d}" for number in range(1, 121)]
    assert len({question["question"] for question in demo.questions}) == 120
    for question in demo.questions:
        assert required <= set(question) <= required | {"mentions"}
        assert question["answerable"] == "exact"
        for topic, name in question["topic_entities"].items():
            assert demo.entities[topic][0] == name


def test_answers(demo: Shipped) -> None:
    kinds: Counter[str] = Counter()
    for question in demo.questions:
        assert 1 <= len(question["answers"]) <= 12
        for answer in question["answers"]:
            kinds[answer.get("datatype", "entity")] += 1
            if "id" in answer:
                name, aliases = demo.entities[answer["id"]]
                assert (answer["name"], answer.get("aliases", [])) == (name, aliases)
                assert answer["id"] not in question["topic_entities"]
    several = sum(len(question["answers"]) > 1 for question in demo.questions)
    assert 36 <= several <= 48
    assert set(kinds) == {"entity", "xsd:date", "xsd:gYear", "xsd:integer", "xsd:decimal", "xsd:string"}


def test_mentions_of_topics(demo: Shipped) -> None:
    styles: Counter[str] = Counter()
    for question in demo.questions:
        given = question.get("mentions", {})
        assert set(given) <= set(question["topic_entities"])
        assert all(words in question["question"] for words in given.values())
        for topic, name in question["topic_entities"].items():
            words = given.get(topic, name)
            if words in demo.entities[topic][1]:
                styles["alias"] += 1
            elif words in question["question"]:
                styles["name"] += 1
            elif any(word in question["question"] for word in name.split() if len(word) > 4):
                styles["part"] += 1
            else:
                styles["none"] += 1
    assert styles["name"] > 80
    assert styles["alias"] >= 5
    assert styles["part"] >= 5
    assert styles["none"] >= 4
    assert sum(len(question["topic_entities"]) == 2 for question in demo.questions) >= 8


def test_a_topic_named_by_its_words_alone_has_no_homonym(demo: Shipped) -> None:
    for question in demo.questions:
        assert all(demo.bearers[name] == 1 for name in question["topic_entities"].values()), question["id"]


def test_wordings_vary_and_are_filled_once(demo: Shipped) -> None:
    openings = Counter(question["question"].split()[0] for question in demo.questions)
    assert len(openings) >= 8
    assert max(openings.values()) < 48
    assert not any(re.search(r"\{\d\}", question["question"]) for question in demo.questions)


def test_most_questions_do_not_copy_the_words_of_their_relations(demo: Shipped) -> None:
    copied = 0
    for question in demo.questions:
        last_words = set(re.split(r"[._]", question["chain"][-1].rpartition(".")[2]))
        copied += last_words <= set(re.findall(r"[a-z]+", question["question"].lower()))
    assert copied < 40


def test_gold_store_refuses_other_queries() -> None:
    with pytest.raises(TypeError, match="SELECT"):
        GoldStore([("a", "r", "b")]).select("ASK { ?s ?p ?o }")
