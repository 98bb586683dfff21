from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.report.columns import HITS1
from kgbench.report.faces import Face, read
from kgbench.report.table import Measured, cell_text

if TYPE_CHECKING:
    from collections.abc import Callable

    Cli = Callable[..., Any]


def test_score_rebuilds_the_scores_from_the_records(cli: Cli, demo_run: Path, tmp_path: Path) -> None:
    run = shutil.copytree(demo_run, tmp_path / "copy")
    before = (run / "scores.json").read_text()
    (run / "scores.json").unlink()
    done = cli("score", run)
    assert done.code == 0
    assert (run / "scores.json").read_text() == before
    assert "arog" in done.out.splitlines()[1]
    assert f"scored     {run}/scores.json" in done.out
    data = json.loads(cli("score", run, demo_run, "--json").out)
    assert [row["n"] for row in data["runs"]] == [5, 5]


def test_score_refuses_a_folder_that_is_no_run(cli: Cli, tmp_path: Path) -> None:
    done = cli("score", tmp_path)
    assert done.code == 2
    assert "is no run folder: it has no manifest.json" in done.err


def test_compare_prints_difference_test_and_flips(cli: Cli, closed_book_run: Path, demo_run: Path) -> None:
    done = cli("compare", closed_book_run, demo_run)
    assert done.code == 0
    assert "differs in method: io -> arog" in done.out
    assert "on 5 shared questions, p = " in done.out
    assert "better in second: 2: demo-001" in done.out
    assert "better in first: 0" in done.out
    assert "--show" in done.out


def test_compare_shows_questions_and_answers(cli: Cli, closed_book_run: Path, demo_run: Path) -> None:
    done = cli("compare", closed_book_run, demo_run, "--show", "--metric", "hit_any")
    assert "hit_any@1" in done.out
    assert "  demo-001: What sums are set down" in done.out
    assert "    first: (no_answer)" in done.out
    assert "    second: 47860" in done.out


def test_compare_as_json(cli: Cli, closed_book_run: Path, demo_run: Path) -> None:
    data = json.loads(cli("compare", closed_book_run, demo_run, "--json").out)
    assert data["n"] == 5
    assert data["difference"] == 0.4
    assert data["lost"] == []
    assert data["warnings"] == []


def test_compare_with_an_unknown_metric(cli: Cli, demo_run: Path) -> None:
    done = cli("compare", demo_run, demo_run, "--metric", "hits")
    assert (done.code, "did you mean hits1" in done.err) == (2, True)


@pytest.mark.parametrize("face", Face)
def test_every_form_of_the_leaderboard_has_the_same_numbers(
    cli: Cli, closed_book_run: Path, demo_run: Path, face: Face
) -> None:
    runs = (closed_book_run, demo_run)
    expected = read(cli("leaderboard", *runs, "--format", "json").out, Face.JSON)
    back = read(cli("leaderboard", *runs, "--format", face).out, face)
    assert [row["method"] for row in back.sections[0].rows] == ["arog", "io"]
    keys = {column.key for column in back.columns}
    assert {
        "method",
        "scenario",
        "model",
        "lm",
        "n",
        "hits1",
        "calls",
        "usd_per_question",
        "leaks",
        "signature",
    } <= keys
    for row, other in zip(back.sections[0].rows, expected.sections[0].rows, strict=True):
        assert {key: row[key] for key in keys} == {key: other[key] for key in keys}
        assert isinstance(row["hits1"], Measured)
    plain = cli("leaderboard", *runs).out
    assert all(cell_text(HITS1, row["hits1"]) in plain for row in back.sections[0].rows)


def test_a_standalone_document_and_no_other_form(cli: Cli, demo_run: Path) -> None:
    done = cli("leaderboard", demo_run, "--format", "latex", "--standalone")
    assert done.out.startswith(r"\documentclass")
    assert len(read(done.out, Face.LATEX).sections) == 1
    assert cli("leaderboard", demo_run, "--format", "latex").out.startswith("% Needs in the preamble")
    wrong = cli("leaderboard", demo_run, "--standalone")
    assert (wrong.code, "--standalone belongs to --format latex" in wrong.err) == (2, True)


def test_columns_are_chosen(cli: Cli, demo_run: Path) -> None:
    done = cli("leaderboard", demo_run, "--columns", "tog_loose_arog,coverage", "--format", "csv")
    assert "n,tog_loose_arog,tog_loose_arog_low,tog_loose_arog_high,p_best,group,coverage,marks" in done.out
    wrong = cli("leaderboard", demo_run, "--columns", "tog_lose")
    assert (wrong.code, "did you mean tog_loose" in wrong.err) == (2, True)


PUBLISHED = """source,table,method,model,dataset,published_as,conditions,tog_loose_arog
Journal of Tests 1,table1,io,m,demo,Hits@1,as they were,0.25
Journal of Tests 1,table2,cot,m,demo,Hits@1,as they were,0.75
"""


def test_published_numbers_are_imported_and_shown_beside_runs(
    cli: Cli, demo_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "mine.csv").write_text(PUBLISHED)
    done = cli("leaderboard", "import", tmp_path / "mine.csv")
    assert done.code == 0
    assert "rows       2 in table1, table2" in done.out
    assert "next       kgbench leaderboard runs/* --reported mine" in done.out
    both = read(cli("leaderboard", demo_run, "--reported", "mine", "--format", "json").out, Face.JSON)
    assert [row["group"] for row in both.sections[0].rows] == ["", "reported", "reported"]
    one = read(cli("leaderboard", demo_run, "--reported", "mine:table2", "--format", "html").out, Face.HTML)
    assert [(row["method"], row["n"]) for row in one.sections[0].rows] == [("arog", 5), ("cot", None)]
    assert "reported: Journal of Tests 1, table2" in cli("leaderboard", "--reported", "mine:table2").out
    assert cli("leaderboard", "show", "--reported", tmp_path / "mine.csv").code == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--reported", "arog"], "no file or name of published numbers"),
        (["--reported", "arog-2508.08785:table9"], 'there is no table "table9"; did you mean table'),
        ([], "no run is named; give run folders"),
        (["import", "mine.csv"], "mine.csv, line 2: tog_loose_arog must be a share from 0 to 1; for percent"),
        (["import", "absent.csv"], "cannot read absent.csv"),
    ],
)
def test_what_is_wrong_with_published_numbers_is_said(cli: Cli, arguments: list[str], expected: str) -> None:
    Path("mine.csv").write_text(PUBLISHED.replace("0.25", "25"))
    done = cli("leaderboard", *arguments)
    assert done.code in (2, 3)
    assert expected in done.err


def test_a_leaderboard_is_written_to_a_file_in_the_form_of_its_name(cli: Cli, demo_run: Path, tmp_path: Path) -> None:
    done = cli("leaderboard", demo_run, "--output", tmp_path / "board.csv")
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "board.csv").read_text().startswith("dataset,data,questions,")
    for name, face in (("b.tex", Face.LATEX), ("b.html", Face.HTML), ("b.md", Face.MARKDOWN), ("b.txt", Face.MARKDOWN)):
        assert cli("leaderboard", demo_run, "--output", tmp_path / name).code == 0
        assert len(read((tmp_path / name).read_text(), face).sections[0].rows) == 1
    assert cli("leaderboard", demo_run, "--output", tmp_path / "no" / "board.md").code == 3
    done = cli("leaderboard", demo_run, "--output", tmp_path / "board.pdf")
    assert done.code == 2
    assert "say the form with --format" in done.err
    assert not (tmp_path / "board.pdf").exists()


def test_a_pattern_that_matches_more_runs_is_said_to(cli: Cli, demo_run: Path, closed_book_run: Path) -> None:
    for command, wanted in (("compare", "two runs, the baseline first"), ("audit", "one run")):
        done = cli(command, demo_run, closed_book_run, demo_run)
        assert done.code == 2
        assert f"{command} takes {wanted}, and 3 are named: {demo_run}, {closed_book_run}" in done.err


def test_a_folder_that_is_no_run_hurts_no_other(cli: Cli, demo_run: Path, tmp_path: Path) -> None:
    damaged = shutil.copytree(demo_run, tmp_path / "damaged")
    (damaged / "records.jsonl").write_text("no JSON\n{}\n")
    emptied = shutil.copytree(demo_run, tmp_path / "emptied")
    (emptied / "gold.jsonl").write_text("{}\n")
    foreign = shutil.copytree(demo_run, tmp_path / "foreign")
    (foreign / "manifest.json").write_text("{}")
    done = cli("leaderboard", tmp_path, damaged, emptied, foreign, demo_run, demo_run)
    assert done.code == 0
    assert done.err.count("kgbench: left out: ") == 4
    assert done.out.count(demo_run.name) == 1
    assert cli("leaderboard", tmp_path).code == 2


def test_splitting_by_a_tag(cli: Cli, demo_run: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(cli("leaderboard", demo_run, "--by", "hops:2", "--format", "csv").out)))
    assert [row["subset"] for row in rows] == ["hops<2", "hops>=2"]
    assert sum(int(row["n"]) for row in rows) == 5
    done = cli("leaderboard", demo_run, "--by", "hop")
    assert (done.code, "did you mean hops" in done.err) == (2, True)


def test_audit_tells_who_saw_what(cli: Cli, demo_run: Path) -> None:
    done = cli("audit", demo_run)
    assert done.code == 0
    assert "seen by    builtin/reader, which runs in this process: nothing left the machine" in done.out
    assert (
        "verdict    No name, alias, literal or source id of the graph reached the model in a protected phase."
        in done.out
    )
    lines = [line.split() for line in done.out.splitlines()]
    assert any(line[:4] == ["retrieval", "hidden", "relation", "labels"] for line in lines)
    assert any(line[:3] == ["generation", "hidden", "handles"] for line in lines)


def test_audit_as_json_and_by_question(cli: Cli, demo_run: Path) -> None:
    data = json.loads(cli("audit", demo_run, "--json").out)
    assert data["leaks"] == data["blocked"] == data["disclosed"] == 0
    assert data["prompts"] == sum(data["prompts_by_phase"].values())
    assert "0 question(s) with findings" in cli("audit", demo_run, "--questions").out


def test_audit_of_a_run_with_a_stopped_request_exits_with_four(cli: Cli, demo_run: Path, tmp_path: Path) -> None:
    run = shutil.copytree(demo_run, tmp_path / "copy")
    call = json.loads((run / "calls.jsonl").read_text().splitlines()[0])
    kept = ("question_id", "trial", "call", "stage", "template", "phase", "zone")
    stopped = {key: call[key] for key in kept} | {"error": "privacy_blocked", "audit": {"leaks": 2, "scan": 2}}
    with (run / "calls.jsonl").open("a") as file:
        file.write(json.dumps(stopped) + "\n")
    done = cli("audit", run, "--questions")
    assert done.code == 4
    assert "1 request(s) with 2 protected string(s) were stopped before they left." in done.out
    assert f"  {call['question_id']}: requests stopped 1, leaks 2" in done.out


def test_a_run_is_found_by_its_name_in_runs(cli: Cli, demo_run: Path) -> None:
    shutil.copytree(demo_run, Path("runs") / "mine")
    assert cli("audit", "mine").code == 0
    assert cli("audit", "runs/mine/manifest.json").code == 0
    missing = cli("audit", "runs/other")
    assert missing.code == 2
    assert "Runs beside it: mine" in missing.err
