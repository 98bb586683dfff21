"""Every kind of fault is named, with its file and line, and a good graph has none."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.errors import PrerequisiteMissing, UsageError
from kgbench.survey.check import check_data
from kgbench.testing.graphs import MemoryGraph
from kgbench.types import Entity, Relation, Severity, Triple

if TYPE_CHECKING:
    from collections.abc import Callable

    Works = Any
    Fault = tuple[str, str, str, tuple[int, ...]]


def test_a_good_graph_has_no_finding(works: Works) -> None:
    checked = works.check()
    assert [entry.text for entry in checked.findings.entries()] == []
    assert (checked.errors, checked.warnings, checked.facts, checked.questions) == (0, 0, 9, 3)


TRIPLE_FAULTS: list[tuple[str, Fault]] = [
    ("p1\tknows\n", ("error", "bad_line", "triples.tsv", (10,))),
    ("p1\tknows\tp2\tx\n", ("error", "bad_line", "triples.tsv", (10,))),
    ("\tknows\tp2\n", ("error", "bad_line", "triples.tsv", (10,))),
    ("p1\t\tp2\n", ("error", "bad_line", "triples.tsv", (10,))),
    ("p1\tteam\t\n", ("error", "bad_line", "triples.tsv", (10,))),
    ('p1\tteam\t"x"^^<y>\n', ("error", "bad_line", "triples.tsv", (10,))),
    ("_:a b\tteam\tp1\n", ("error", "bad_line", "triples.tsv", (10,))),
    ('t1\theadcount\t"2\n', ("error", "bad_literal", "triples.tsv", (10,))),
    ('t1\theadcount\t"two"^^xsd:integer\n', ("warning", "literal_value", "triples.tsv", (10,))),
    ('j1\tsince\t"2023-02-29"^^xsd:date\n', ("warning", "literal_value", "triples.tsv", (10,))),
    ("j1\tsince\t2023-02-28\n", ("warning", "value_as_id", "triples.tsv", (10,))),
    ("t1\theadcount\t17\n", ("warning", "value_as_id", "triples.tsv", (10,))),
    ("p1 \tteam\tt1\n", ("warning", "id_margin", "triples.tsv", (10,))),
    ("Olva Brent\tteam\tt1\n", ("hint", "id_words", "triples.tsv", (10,))),
    ("Olva Brent\tteam\tTarn Quisp\n", ("hint", "id_words", "triples.tsv", (10,))),
    ("p2\treports_to\tp1\n", ("hint", "repeated_fact", "triples.tsv", (10,))),
]


@pytest.mark.parametrize(("line", "fault"), TRIPLE_FAULTS)
def test_a_fault_among_the_triples(works: Works, line: str, fault: Fault) -> None:
    works.edit("triples.tsv", '"2"^^xsd:integer\n', f'"2"^^xsd:integer\n{line}')
    found = {one for one in works.found() if one[2] == "triples.tsv"}
    assert found == {fault}


def test_numbers_that_are_used_as_ids_are_no_values(works: Works) -> None:
    works.edit("triples.tsv", "j1\temployee", "17\treports_to\t18\n18\treports_to\t19\nj1\temployee")
    works.edit("entities.tsv", "p1\t", "19\tOttil Varn\np1\t")
    assert not any(kind == "value_as_id" for _, kind, _, _ in works.found())


def test_triples_that_are_not_utf8(works: Works) -> None:
    (works.folder / "triples.tsv").write_bytes("p1\treports_to\tp2\np2\tmüde\tp1\n".encode("latin-1"))
    assert ("error", "bad_line", "triples.tsv", (2,)) in works.found()


def test_a_heading_is_told_from_a_fact(works: Works) -> None:
    works.edit("triples.tsv", "j1\temployee", "Subject\tPredicate\tObject\nj1\temployee")
    assert ("warning", "heading", "triples.tsv", (1,)) in works.found()


@pytest.mark.parametrize("name", ["entities.tsv", "types.tsv"])
def test_a_heading_of_the_other_files(works: Works, name: str) -> None:
    path = works.folder / name
    path.write_text("id\tname\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert ("warning", "heading", name, (1,)) in works.found()
    assert not any(kind == "unused_id" for _, kind, _, _ in works.found())


TABLE_FAULTS: list[tuple[str, str, str, Fault]] = [
    ("entities.tsv", "p2\tTarn Quisp\n", "p2\n", ("error", "bad_line", "entities.tsv", (2,))),
    (
        "entities.tsv",
        "p2\tTarn Quisp\n",
        "p2\tTarn Quisp\np2\tTarn\n",
        ("warning", "repeated_id", "entities.tsv", (3,)),
    ),
    ("entities.tsv", "p2\tTarn Quisp\n", "p2\t\n", ("warning", "no_name", "entities.tsv", (2,))),
    ("entities.tsv", "p2\tTarn Quisp\n", 'p2\t"Tarn Quisp"\n', ("warning", "quoted_name", "entities.tsv", (2,))),
    ("entities.tsv", "s1\tFenn Wharf\n", "s1\tFenn Wharf\ns9\tOdd\n", ("warning", "unused_id", "entities.tsv", (4,))),
    ("types.tsv", "p1\tperson\n", "p1\n", ("error", "bad_line", "types.tsv", (3,))),
    ("types.tsv", "p1\tperson\n", "p1\t\n", ("warning", "no_class", "types.tsv", (3,))),
    ("types.tsv", "p1\tperson\n", "p1\tperson\np1\tboss\n", ("hint", "repeated_id", "types.tsv", (4,))),
    ("types.tsv", "s1\tsite\n", "s1\tsite\ns9\tsite\n", ("warning", "unused_id", "types.tsv", (6,))),
    ("relations.tsv", "relation\tinverse", "relatoin\tinverse", ("error", "bad_heading", "relations.tsv", (1,))),
    ("relations.tsv", "based_at\t\t", "based_at\t", ("error", "bad_line", "relations.tsv", (6,))),
    ("relations.tsv", "based_at\t\t", "basde_at\t\t", ("warning", "unused_relation", "relations.tsv", (6,))),
    ("relations.tsv", "based_at\t\t", "team\t\t", ("warning", "repeated_relation", "relations.tsv", (6,))),
    ("relations.tsv", "based_at\t\tteam", "based_at\t\tgang", ("hint", "unknown_class", "relations.tsv", (6,))),
    ("relations.tsv", "based_at\t\tteam\tsite\n", "", ("hint", "unlisted_relations", "relations.tsv", ())),
    ("graph.toml", "profile = ", "profil = ", ("error", "bad_settings", "graph.toml", ())),
    ("graph.toml", 'profile = "plain"', 'profile = "in"', ("error", "bad_settings", "graph.toml", ())),
    ("graph.toml", '["job"]', "[", ("error", "bad_settings", "graph.toml", ())),
    ("graph.toml", '["job"]', '["jobs"]', ("warning", "empty_mediator_class", "graph.toml", ())),
]


@pytest.mark.parametrize(("name", "old", "new", "fault"), TABLE_FAULTS)
def test_a_fault_in_a_file_beside_the_triples(works: Works, name: str, old: str, new: str, fault: Fault) -> None:
    works.edit(name, old, new)
    found = works.found()
    assert fault in found
    consequence = ("hint", "unlisted_relations", "relations.tsv", ())
    assert {one for one in found if one[2] == name} - {consequence} == {fault} - {consequence}


def test_an_inverse_that_is_only_named_is_no_fault(works: Works) -> None:
    works.edit("relations.tsv", "reports_to\t\t", "reports_to\tmanages\t")
    assert works.found() == set()


@pytest.mark.parametrize(("name", "severity"), [("triples.tsv", "error"), ("entities.tsv", "warning")])
def test_an_empty_file(works: Works, name: str, severity: str) -> None:
    (works.folder / name).write_bytes(b"")
    found = works.found()
    assert (severity, "empty_file", name, ()) in found
    assert not any(kind == "no_facts" for _, kind, _, _ in found), "once is enough"


def test_triples_of_which_none_can_be_read(works: Works) -> None:
    (works.folder / "triples.tsv").write_text("a,b,c\n", encoding="utf-8")
    assert {("error", "bad_line", "triples.tsv", (1,)), ("error", "no_facts", "triples.tsv", ())} <= works.found()


def test_a_graph_without_names(works: Works) -> None:
    (works.folder / "entities.tsv").unlink()
    assert ("warning", "no_names", "", ()) in works.found()


def test_a_damaged_gzip_file_and_a_file_given_twice(works: Works) -> None:
    packed = works.folder / "triples.tsv.gz"
    packed.write_bytes(gzip.compress((works.folder / "triples.tsv").read_bytes() * 99)[:80])
    assert ("error", "bad_folder", "", ()) in works.found()
    (works.folder / "triples.tsv").unlink()
    checked = works.check()
    assert [entry.kind for entry in checked.findings.entries() if entry.severity is Severity.ERROR] == ["unreadable"]
    assert (checked.facts, checked.errors) == (None, 1), "the inspector and the loader say it once"


RDF = "@prefix : <http://example.org/> .\n:a :r :b .\n"
RDF_FAULTS: list[tuple[str, str, Fault]] = [
    ("g.ttl", RDF + ':a :r "x .\n', ("error", "not_well_formed", "g.ttl", (3,))),
    ("g.rdf", "<rdf:RDF\n<", ("error", "not_well_formed", "g.rdf", ())),
    ("g.nt", "<http://e/a> <http://e/r> <http://e/b> .\nrubbish\n", ("error", "bad_line", "g.nt", (2,))),
    ("g.ttl", RDF + ':a :n "x"^^<http://www.w3.org/2001/XMLSchema#int> .\n', ("warning", "literal_value", "g.ttl", ())),
    ("g.nt", "", ("error", "empty_file", "g.nt", ())),
    ("g.rdf", "", ("error", "empty_file", "g.rdf", ())),
    ("g.ttl", "# nothing\n", ("error", "no_facts", "g.ttl", ())),
]


@pytest.mark.parametrize(("name", "text", "fault"), RDF_FAULTS)
def test_a_fault_in_rdf(tmp_path: Path, name: str, text: str, fault: Fault) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = check_data(str(tmp_path / name), None).findings.entries()
    listed = {(str(entry.severity), entry.kind, entry.file, tuple(entry.lines)) for entry in found}
    assert {one for one in listed if one[2] == name} == {fault}


def test_what_is_not_there_is_an_error_of_its_own(works: Works, tmp_path: Path) -> None:
    for graph in (tmp_path / "nowhere", tmp_path / "no.ttl", tmp_path):
        with pytest.raises(PrerequisiteMissing):
            check_data(str(graph), None)
    with pytest.raises(PrerequisiteMissing):
        check_data(str(works.folder), tmp_path / "no.jsonl")
    (tmp_path / "letter.txt").touch()
    with pytest.raises(UsageError):
        check_data(str(tmp_path / "letter.txt"), None)


def spoilt(number: int, **changes: Any) -> dict[str, Any]:
    from_conftest: list[dict[str, Any]] = [
        {"id": "a", "question": "Who works in the Glaze Lab?", "topic_entities": {"t1": "Glaze Lab"}},
        {"id": "b", "question": "Where does Tarn Quisp work?", "topic_entities": {"p2": "Tarn Quisp"}},
    ]
    record = {**from_conftest[number], "answers": [{"id": "s1", "name": "Fenn Wharf"}], **changes}
    return {key: value for key, value in record.items() if value is not None}


QUESTION_FAULTS: list[tuple[Any, str, str]] = [
    ("{not json", "error", "bad_record"),
    ('["a"]', "error", "bad_record"),
    ('{"id": NaN}', "error", "bad_record"),
    (spoilt(1, id=None), "error", "bad_record"),
    (spoilt(1, id="a"), "error", "bad_record"),
    (spoilt(1, question=None), "error", "bad_record"),
    (spoilt(1, answers="Fenn Wharf"), "error", "bad_record"),
    (spoilt(1, topic_entities=["p2"]), "error", "bad_record"),
    (spoilt(1, mentions={"p2": "Quispy"}), "error", "bad_record"),
    (spoilt(1, mentions={"p1": "Tarn"}), "error", "bad_record"),
    (spoilt(1, answers=[]), "warning", "no_gold"),
    (spoilt(1, topic_entities={}), "warning", "no_topic"),
    (spoilt(1, answers=[{"id": "p2", "name": "Tarn Quisp"}]), "warning", "gold_is_topic"),
    (spoilt(1, topic_entities={"p9": "Tarn Quisp"}), "error", "unknown_topic"),
    (spoilt(1, answers=[{"id": "s9"}]), "error", "unknown_gold"),
    (spoilt(1, answers=[{"id": "s9"}, {"id": "s1"}]), "warning", "unknown_gold"),
    (spoilt(1, answers=[{"value": "3", "datatype": "xsd:integer"}]), "warning", "unknown_value"),
    (spoilt(1, answers=["Fenn Warf"]), "warning", "unknown_value"),
    (spoilt(1, question="Where does he work?"), "warning", "no_mention"),
    (spoilt(1, question="Where does Quilla work?", topic_entities={"p2": "Quilla"}), "warning", "other_topic_name"),
    (spoilt(1, answers=[{"id": "s1", "name": "Fen Wharf"}]), "warning", "other_gold_name"),
    (spoilt(1, answers=[{"id": "j2"}]), "warning", "mediator_gold"),
    (spoilt(1, question="What is j1?", topic_entities={"j1": "j1"}), "warning", "mediator_topic"),
]


@pytest.mark.parametrize(("question", "severity", "kind"), QUESTION_FAULTS)
def test_a_fault_of_a_question(works: Works, question: Any, severity: str, kind: str) -> None:
    works.questions[1] = question
    assert works.found() == {(severity, kind, "q.jsonl", (2,))}


@pytest.mark.parametrize(
    ("given", "meant"),
    [("answer", "answers"), ("gold", "answers"), ("topic_entity", "topic_entities"), ("topics", "topic_entities")],
)
def test_a_field_under_another_name_is_told(works: Works, given: str, meant: str) -> None:
    record = works.questions[1]
    record[given] = record.pop(meant)
    entries = works.check().findings.entries()
    (told,) = [entry for entry in entries if entry.kind == "misnamed_field"]
    assert told.lines == [2]
    assert f'"{given}"' in told.text
    assert f'"{meant}"' in told.text


def test_a_tag_beside_the_field_is_no_misnamed_field(works: Works) -> None:
    works.questions[1]["answer"] = "Fenn Wharf"
    assert works.found() == set()


def test_a_json_list_in_place_of_lines(works: Works) -> None:
    works.questions = ["[", '{"id": "a"}', "]"]
    assert ("hint", "json_not_lines", "q.jsonl", ()) in works.found()


def test_a_text_that_was_encoded_twice(works: Works) -> None:
    text = "Who is at Fäng Wharf with Tarn Quisp?".encode().decode("cp1252")
    works.questions[1] = spoilt(1, question=text)
    assert ("hint", "encoded_twice", "q.jsonl", (2,)) in works.found()


def test_no_question_at_all(works: Works) -> None:
    works.questions = []
    assert ("error", "no_questions", "q.jsonl", ()) in works.found()


def test_lines_are_those_of_the_file_blank_and_bad_ones_counted(works: Works) -> None:
    works.questions = ["", "{", works.questions[0], "", spoilt(1, topic_entities={"p9": "Tarn Quisp"})]
    assert works.found() == {
        ("error", "bad_record", "q.jsonl", (2,)),
        ("error", "unknown_topic", "q.jsonl", (5,)),
    }


def test_mediators_that_nobody_declared(works: Works) -> None:
    works.edit("graph.toml", '["job"]', "[]")
    assert works.found() == {("hint", "mediator_lookalike", "", ()), ("hint", "unnamed_entities", "", ())}
    works.edit("types.tsv", "j1\tjob\nj2\tjob\n", "")
    works.edit("relations.tsv", "since\t\tjob\txsd:date\n", "since\t\t\txsd:date\n")
    works.edit("relations.tsv", "employee\t\tjob\t", "employee\t\t\t")
    works.edit("relations.tsv", "team\t\tjob\t", "team\t\t\t")
    (told,) = [entry for entry in works.check().findings.entries() if entry.kind == "mediator_lookalike"]
    assert told.text.startswith("2 nodes have neither name nor class")


def test_mediators_with_a_name_or_with_nothing_to_join(works: Works) -> None:
    works.edit("entities.tsv", "p2\t", "j2\tThe Job\np2\t")
    works.edit("triples.tsv", "j1\temployee\tp1\nj1\tteam\tt1\n", "p1\tteam\tt1\n")
    assert {("hint", "named_mediator", "", ()), ("hint", "loose_mediator", "", ())} <= works.found()


def test_a_hub_without_a_name(works: Works) -> None:
    rows = "".join(f"x{number}\tpart_of\tx0\n" for number in range(1, 52))
    works.edit("triples.tsv", "j1\temployee", f"{rows}j1\temployee")
    assert ("warning", "unnamed_hub", "", ()) in works.found()


def test_inverse_pairs_that_are_not_declared(works: Works) -> None:
    pairs = "p2\thelps\tp1\ns1\thelps\tp1\np1\thelped_by\tp2\np1\thelped_by\ts1\n"
    works.edit("triples.tsv", "j1\temployee", f"{pairs}j1\temployee")
    (told,) = [entry for entry in works.check().findings.entries() if entry.kind == "undeclared_inverse"]
    assert '"helped_by" and "helps"' in told.text
    works.edit("relations.tsv", "based_at\t\t", "helps\thelped_by\t\t\nbased_at\t\t")
    assert not any(kind == "undeclared_inverse" for _, kind, _, _ in works.found())


def test_a_name_in_a_label(works: Works) -> None:
    works.edit("triples.tsv", "p2\treports_to", "p2\tworks_at_fenn_wharf\ts1\np2\treports_to")
    entries = works.check().findings.entries()
    assert "name_in_label" in {entry.kind for entry in entries}
    assert not any("fenn" in entry.text.casefold() for entry in entries)


SECRETS = ("Olva", "Tarn", "Glaze", "Fenn", "p1", "p2", "2019")


def test_findings_hold_nothing_of_the_graph(works: Works) -> None:
    for line, _ in TRIPLE_FAULTS:
        with (works.folder / "triples.tsv").open("a", encoding="utf-8") as file:
            file.write(line)
    works.questions += [question for question, _, _ in QUESTION_FAULTS]
    texts = [entry.text for entry in works.check().findings.entries()]
    assert len(texts) >= 25
    assert not [text for text in texts for secret in SECRETS if secret in text]


def test_a_graph_that_cannot_be_read_whole_is_said_to_be_so(works: Works, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = MemoryGraph([Triple(Entity("t1"), Relation("based_at", "based_at"), Entity("s1"))])
    monkeypatch.setattr("kgbench.survey.check.open_graph", lambda *_: graph)
    assert ("hint", "not_read_whole", "", ()) in works.found()
    assert ("error", "unknown_topic", "q.jsonl", (2, 3)) in works.found(), "p2 and p1 are not in that graph"


NAMES = ("triples.tsv", "entities.tsv", "types.tsv", "relations.tsv", "graph.toml", "q.jsonl")


@given(seed=st.integers(0, 2**32), name=st.sampled_from(NAMES))
def test_random_damage_never_crashes_a_check(fill_works: Callable[[Path], Works], seed: int, name: str) -> None:
    rng = random.Random(seed)  # noqa: S311 - damage, no secret
    with TemporaryDirectory() as place:
        works = fill_works(Path(place) / "works")
        works.check()
        path = works.folder / name
        data = bytearray(path.read_bytes())
        for _ in range(rng.randint(1, 4)):
            position = rng.randrange(len(data) + 1)
            data[position : position + rng.randint(0, 5)] = rng.randbytes(rng.randint(0, 3))
        path.write_bytes(data)
        check_data(str(works.folder), works.questions_file)


BREAKS = {
    "cut": lambda row: row.split("\t")[0],
    "field": lambda row: f"{row}\tx\tx\tx\tx",
    "no id": lambda row: "\t" + row.partition("\t")[2],
}


@given(
    name=st.sampled_from(NAMES[:3]),
    chosen=st.integers(0, 99),
    how=st.sampled_from(sorted(BREAKS)),
)
def test_a_broken_row_is_always_named_with_its_line(
    fill_works: Callable[[Path], Works], name: str, chosen: int, how: str
) -> None:
    with TemporaryDirectory() as place:
        works = fill_works(Path(place) / "works")
        rows = (works.folder / name).read_text(encoding="utf-8").splitlines()
        number = chosen % len(rows)
        rows[number] = BREAKS[how](rows[number])
        (works.folder / name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        assert ("error", "bad_line", name, (number + 1,)) in works.found()


def test_files_that_their_adapter_cannot_inspect_still_tell_what_was_left_out(tmp_path: Path) -> None:
    facts = tmp_path / "kb.txt"
    facts.write_text("Old Lantern|directed_by|Ada Fenn\nno fact\n", encoding="utf-8")
    (entry,) = [entry for entry in check_data(str(facts), None).findings.entries() if entry.kind == "left_out"]
    assert entry.severity is Severity.WARNING
    assert "kb.txt, line 2" in entry.text
