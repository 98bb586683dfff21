"""The converter of Neo4j exports, on a file of the documented form."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from kgbench.survey.check import check_data
from kgbench.survey.survey import survey

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "neo4j"


def convert(export: Path, folder: Path, *options: str) -> None:
    command = [sys.executable, FOLDER / "neo4j_to_tsv.py", export, folder, *options]
    subprocess.run(command, check=True, capture_output=True)


def test_the_example_becomes_a_sound_graph_with_its_mediators(tmp_path: Path) -> None:
    convert(FOLDER / "export.csv", tmp_path / "works", "--name", "name", "--alias", "nickname")
    assert check_data(str(tmp_path / "works"), None).findings.entries() == []
    assert (tmp_path / "works" / "entities.tsv").read_text(encoding="utf-8").splitlines() == [
        "n188\tGlaze Lab\t",
        "n189\tAda Orlund\t",
        "n190\tJoss Quillbrook\tQuill",
        "n191\tHarrow Wharf\t",
    ]
    facts = (tmp_path / "works" / "triples.tsv").read_text(encoding="utf-8").splitlines()
    assert {
        "n189\treports_to\tn190",
        "n189\tworks_in\tr1",
        "r1\tto\tn188",
        'r1\tsince\t"2021-01-04"^^xsd:date',
        'r1\tmonthly_pay\t"4100"^^xsd:integer',
        'r1\trole\t"Glaze Chemist"',
    } <= set(facts)
    assert len(facts) == 13
    graph = survey(str(tmp_path / "works"), None).graph
    assert (graph.mediators, graph.mediator_classes) == (2, ("works_in",))


def test_odd_values_keep_the_form(tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text(
        '"_id","_labels","name","note","_start","_end","_type"\n'
        '"1",":A","Tab\there","said ""hi""\nand\twent \\ on",,,\n'
        '"2","","","2021-02-30",,,\n'
        ',,,,"1","2","knowsOf"\n',
        encoding="utf-8",
    )
    convert(tmp_path / "odd.csv", tmp_path / "odd", "--name", "name")
    assert [entry.kind for entry in check_data(str(tmp_path / "odd"), None).findings.entries()] == ["unnamed_entities"]
    facts = (tmp_path / "odd" / "triples.tsv").read_text(encoding="utf-8").splitlines()
    assert facts == [
        "n1\tknowsOf\tn2",
        'n1\tnote\t"said \\"hi\\"\\nand\\twent \\\\ on"',
        'n2\tnote\t"2021-02-30"',
    ]
