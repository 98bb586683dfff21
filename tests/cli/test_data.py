"""``kgbench data`` as its users see it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.cli import data_check, data_describe

if TYPE_CHECKING:
    from collections.abc import Callable

    Cli = Callable[..., Any]

HR = Path(__file__).resolve().parents[2] / "examples" / "hr"


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A graph with one fault of each severity, in a folder with a space."""
    folder = tmp_path / "my graph"
    folder.mkdir()
    rows = ["p1\tknows\tp2", "p2\tknows\tp3", "broken", *(["p1\tborn_on\t1990-02-01"] * 8)]
    (folder / "triples.tsv").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    (folder / "entities.tsv").write_text("p1\tOlva\np2\tTarn\np3\tQuisp\n", encoding="utf-8")
    return folder


def test_a_check_lists_findings_and_fails(cli: Cli, graph: Path) -> None:
    done = cli("data", "check", graph)
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0].startswith("error      triples.tsv, line 3: 1 fields in place of 3")
    assert lines[1].startswith("warning    triples.tsv, lines 4, 5, 6, 7, 8 and 3 more: a bare date, number")
    assert lines[2] == "hint       triples.tsv, lines 5, 6, 7, 8, 9 and 2 more: the row says what an earlier one said"
    assert "read       3 triples, 0 questions" in lines
    assert "found      1 error, 8 warnings, 8 hints" in lines
    assert lines[-1] == f"next       mend this, then again: kgbench data check {shlex.quote(str(graph))}"
    assert "Olva" not in done.out + done.err


def test_all_lists_every_line(cli: Cli, graph: Path) -> None:
    done = cli("data", "check", graph, "--all")
    assert "lines 4, 5, 6, 7, 8, 9, 10, 11: a bare date" in done.out
    assert "more" not in done.out.splitlines()[1]


def test_many_kinds_are_cut_and_counted(cli: Cli, graph: Path) -> None:
    rows = ["x\t" * number for number in range(3, 33)]
    (graph / "triples.tsv").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    done = cli("data", "check", graph)
    assert sum(line.startswith("error") for line in done.out.splitlines()) == 20
    assert "and 11 more kinds of error; --all lists them" in done.out
    everything = cli("data", "check", graph, "--all")
    assert sum(line.startswith("error") for line in everything.out.splitlines()) == 31


def test_strict_fails_on_warnings(cli: Cli, graph: Path) -> None:
    (graph / "triples.tsv").write_text("p1\tknows\tp2\np2\tborn_on\t1990-02-01\n", encoding="utf-8")
    assert cli("data", "check", graph).code == 0
    done = cli("data", "check", graph, "--strict")
    assert (done.code, "mend this" in done.out) == (1, True)


def test_a_check_for_machines(cli: Cli, graph: Path) -> None:
    done = cli("data", "check", graph, "--json")
    found = json.loads(done.out)
    assert done.code == 1
    assert {key: found[key] for key in ("facts", "questions", "errors", "warnings", "hints")} == {
        "facts": 3,
        "questions": 0,
        "errors": 1,
        "warnings": 8,
        "hints": 8,
    }
    assert found["findings"][0] | {"text": ""} == {
        "severity": "error",
        "kind": "bad_line",
        "file": "triples.tsv",
        "text": "",
        "count": 1,
        "lines": [3],
    }


@pytest.mark.parametrize("verb", ["check", "describe"])
def test_what_is_not_there(cli: Cli, tmp_path: Path, verb: str) -> None:
    nowhere = cli("data", verb, tmp_path / "nowhere")
    assert (nowhere.code, "there is no graph" in nowhere.err) == (3, True)
    no_questions = cli("data", verb, HR, tmp_path / "no.jsonl")
    assert (no_questions.code, "no.jsonl" in no_questions.err) == (3, True)
    assert "Traceback" not in nowhere.err + no_questions.err


def test_the_next_command_of_each_can_be_typed_in(cli: Cli) -> None:
    questions = HR / "hr.jsonl"
    checked = cli("data", "check", HR, questions)
    assert checked.code == 0
    assert "found      0 errors, 0 warnings, 0 hints" in checked.out
    command = checked.out.splitlines()[-1].removeprefix("next       kgbench ")
    described = cli(*shlex.split(command))
    assert described.code == 0
    command = described.out.splitlines()[-1].removeprefix("next       kgbench ")
    assert command == f"run --method arog --dataset jsonl:{questions} --kg {HR}"
    assert cli(*shlex.split(command), "--limit", "2").code == 0


@pytest.mark.parametrize("failed", [True, False])
def test_the_next_command_holds_no_password(failed: bool) -> None:
    graph = "http://reader:QuillPass@localhost/sparql"
    commands = [data_check._next(graph, None, None, failed=failed)]
    commands += [data_describe._next(graph, questions) for questions in (None, "q.jsonl")]
    for command in commands:
        assert "QuillPass" not in command
        assert "http://reader@localhost/sparql" in command


def test_a_description_shows_counts_and_no_names(cli: Cli) -> None:
    done = cli("data", "describe", HR, HR / "hr.jsonl")
    assert "entities   20, of them 20 with a name (100.0 %)" in done.out
    assert "mediators  6, the members of employment" in done.out
    assert "hops       1: 9, 2: 2 (from the farthest topic to its nearest gold; 11 questions)" in done.out
    assert "Tessandry" not in done.out
    assert "Tessandry" in cli("data", "describe", HR, "--names").out


def test_a_description_for_machines(cli: Cli) -> None:
    found = json.loads(cli("data", "describe", HR, "--json").out)
    assert (found["graph"]["facts"], found["questions"]) == (53, None)
    assert found["to_cope_with"] == ["mediators: 6 nodes are read through, two facts as one step"]
    assert json.loads(cli("data", "describe", HR, HR / "hr.jsonl", "--json").out)["questions"]["hops"] == {
        "1": 9,
        "2": 2,
    }


def test_a_made_graph_is_sound_and_runs(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    done = cli("data", "make", folder, "--triples", 3000, "--seed", 4, "--questions", 15)
    assert done.code == 0
    assert done.out.startswith("made       demo-3000-4 in ")
    checked = cli("data", "check", folder, folder / "questions.jsonl")
    assert (checked.code, "found      0 errors" in checked.out) == (0, True)
    run = cli("run", "--dataset", f"jsonl:{folder / 'questions.jsonl'}", "--kg", folder, "--limit", 2)
    assert run.code == 0
    again = cli("data", "make", folder, "--triples", 3000)
    assert (again.code, "--force" in again.err) == (2, True)
    other = json.loads(cli("data", "make", folder, "--triples", 3000, "--questions", 0, "--force", "--json").out)
    assert (other["name"], other["questions"]) == ("demo-3000-0", 0)


@pytest.mark.parametrize("option", [["--triples", "10"], ["--triples", "-1"], ["--questions", "-1"]])
def test_a_size_that_cannot_be(cli: Cli, tmp_path: Path, option: list[str]) -> None:
    done = cli("data", "make", tmp_path / "made", *option)
    assert done.code == 2
    assert not (tmp_path / "made").exists()
