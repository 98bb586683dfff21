"""What stands in the table: our number, the published one, a difference where it may be worked out, and what differs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from grid_desk import KNOWN, Heard, files_of, grid, knows_one, model, opened, run, toy

from kgbench.errors import UsageError
from kgbench.report.faces import to_json, to_plain
from kgbench.reproduce.beside import beside
from kgbench.reproduce.files import write_files
from kgbench.reproduce.layout import OTHER_DATA, result_table
from kgbench.reproduce.shelf import standing_of
from kgbench.run.plan import make_plan
from kgbench.run.runner import start
from kgbench.run.store import RunFolder
from kgbench.spec import RunSpec
from kgbench.testing import ScriptedModel

if TYPE_CHECKING:
    from kgbench.contracts import ModelRequest
    from kgbench.reproduce.result import GridResult

PUBLISHED = """
source = "Nobody 2031"
[[tables]]
name = "first"
published_as = "Hits@1"
unit = "percent"
model = "gpt-4o-mini-2024-07-18"
trials = 1
conditions = "by hand"
rows = [
    { method = "io", dataset = "toy", n = 3, tog_loose_arog = 50.0 },
    { method = "io", dataset = "toy", setting = "filtered", tog_loose_arog = 25.0 },
    { method = "cot", dataset = "toy", n = 3, tog_loose_arog = 60.0 },
    { method = "cot", dataset = "toy", setting = "filtered", tog_loose_arog = 0.0 },
    { method = "kb-binder", dataset = "toy", n = 3, tog_loose_arog = 70.0 },
]
"""
GRID = """
[grid]
title = "A table of nobody"
published = "nobody.toml"
table = "first"
measures = ["tog_loose_arog"]
beside = ["hits1"]
settings = ["total", "filtered"]
filter = "cot-official"
notes = ["For everybody."]
notes_without_lm = ["For a floor."]

[conditions]
kg = "the whole of it"
embedder = "builtin/static"
pseudonyms = "source-id"

[[row]]
preset = "io-official"
published = "io"
[[row]]
preset = "cot-official"
published = "cot"
[[row]]
optional = true
method = { name = "kb-binder" }
"""


@pytest.fixture(autouse=True)
def numbers() -> None:
    Path("nobody.toml").write_text(PUBLISHED)


def knows_one_and_guesses(request: ModelRequest) -> str:
    """Chain of thought knows one answer; asked at once, the model also guesses another."""
    reasons = len(request.messages[-1]["content"]) > 1000  # exemplars that reason are longer
    said = knows_one(request)
    return said if reasons or said != "{unknown}" else "{Tamsin Orrel}"


def cells_of(result: GridResult) -> list[tuple[object, ...]]:
    return [
        (line.setting, line.label, line.n, line.ours.value, line.published, line.difference) for line in result.lines
    ]


def test_a_difference_stands_where_questions_are_the_same() -> None:
    _, result = run(GRID, opened())
    third = pytest.approx(1 / 3, abs=1e-6)
    assert cells_of(result) == [
        ("total", "io-official", 3, third, 0.5, pytest.approx(1 / 3 - 0.5, abs=1e-6)),
        ("total", "cot-official", 3, third, 0.6, pytest.approx(1 / 3 - 0.6, abs=1e-6)),
        ("total", "kb-binder", None, None, 0.7, None),
        ("filtered", "io-official", 2, 0.0, 0.25, -0.25),
        ("filtered", "cot-official", 2, 0.0, 0.0, 0.0),
        ("filtered", "kb-binder", None, None, None, None),
    ]
    assert [line.marks for line in result.lines][:3] == [(), (), ("not in this version",)]
    assert all(line.lm for line in result.lines if line.n is not None)


def test_no_difference_across_data_sets() -> None:
    _, result = run(GRID, opened(dataset=toy("other")))
    assert all(line.published is None and line.difference is None for line in result.lines)
    assert [dict(line.elsewhere) for line in result.lines][:3] == [{"toy": 0.5}, {"toy": 0.6}, {"toy": 0.7}]
    table = result_table(result)
    assert "reported_toy" in {column.key for column in table.columns}
    assert not {"published", "difference"} & {column.key for column in table.columns}
    assert OTHER_DATA in table.notes
    assert "differs: data set: published toy, here other" in table.notes


@pytest.mark.parametrize(
    ("options", "mark"),
    [({"limit": 2}, "2 questions, published 3"), ({"where": "homonym=yes"}, "only homonym=yes")],
)
def test_no_difference_over_other_questions_of_the_data_set(options: dict[str, object], mark: str) -> None:
    data = toy()
    tagged = tuple(replace(record, tags={"homonym": "yes"}) for record in data.questions)
    _, result = run(GRID, opened(dataset=replace(data, questions=tagged)), **options)
    measured = [line for line in result.lines if line.n is not None]
    assert all(line.difference is None and mark in line.marks for line in measured)
    assert [line.published for line in result.lines][:2] == [0.5, 0.6]


def test_questions_of_another_data_set_are_marked_where_they_are_not_all() -> None:
    _, result = run(GRID, opened(dataset=toy("other")), limit=2)
    assert result.lines[0].marks == ("2 of 3 questions",)


def test_conditions_that_are_the_same_are_not_listed() -> None:
    _, result = run(GRID, opened())
    found = {one.what: (one.published, one.ours) for one in result.conditions}
    assert set(found) == {"metric", "graph", "pseudonyms"}
    assert found["pseudonyms"] == ("source-id", "keyed")
    _, result = run(GRID, opened(model(name="openai/other"), dataset=toy(questions=(KNOWN, "homonyms"))), trials=2)
    found = {one.what: (one.published, one.ours) for one in result.conditions}
    assert found["model"] == ("gpt-4o-mini-2024-07-18", "openai/other")
    assert found["trials"] == ("1", "2")
    assert found["questions of toy"] == ("3", "2")


def test_what_is_no_language_model_is_marked_everywhere() -> None:
    from kgbench.testing import Parrot

    _, result = run(GRID, opened(Parrot()))
    table = result_table(result)
    shown = [row["lm"] for section in table.sections for row in section.rows if row["n"] is not None]
    assert set(shown) == {"no"}
    assert "For a floor." in table.notes
    assert any('Rows with "LM: no"' in note for note in table.notes)
    assert "(no language model)" in to_plain(table)
    _, with_lm = run(GRID, opened(), out="other")
    assert "For a floor." not in result_table(with_lm).notes


def test_filtered_is_what_a_run_over_the_kept_questions_gives() -> None:
    """The numbers come from the run over all questions; a run of its own over those kept gives the same."""
    _, result = run(GRID, opened(model(knows_one_and_guesses)))
    line = next(one for one in result.lines if (one.setting, one.label) == ("filtered", "io-official"))
    split = result.splits["toy"]
    data = toy()
    kept = tuple(record for record in data.questions if record.question.id in split.kept)
    parts = opened(model(knows_one_and_guesses), replace(data, questions=kept))
    spec = RunSpec(method="io", parameters={"profile": "official"}, jobs=1, cache="off", out="alone")
    alone = start(make_plan(spec, parts.given_for(spec)))
    scores = RunFolder(Path(alone.path)).scores()["tog_loose_arog"]
    assert (line.n, line.ours.value) == (len(kept), scores["value"])
    assert [line.ours.low, line.ours.high] == scores["ci"]
    assert scores["value"] > 0  # the model guesses one that chain of thought does not know


def test_without_chain_of_thought_there_is_no_filtered_number() -> None:
    from kgbench.errors import PrerequisiteMissing

    def reply(request: ModelRequest) -> str:
        raise PrerequisiteMissing("the disk is full")

    text = GRID.replace('preset = "cot-official"\npublished = "cot"', 'preset = "cot-sc-official"\npublished = "cot"')
    failing = ScriptedModel(reply, model().card)
    done, _ = run(text, opened(failing))
    assert len(done.failed) == 3
    # io and cot-sc succeed now, chain of thought has failed and is not resumed: only its run is taken away
    done, _ = run(text, opened())
    cot = next(key for key, path in done.runs.items() if path.name.startswith("cot-private"))
    del done.runs[cot]
    from grid_desk import surveyed

    from kgbench.reproduce.result import results

    (result,) = results(surveyed(text, opened()), done)
    filtered = [line for line in result.lines if line.setting == "filtered" and line.n is None]
    assert all(line.ours.value is None for line in filtered)
    assert filtered[0].marks == ("no split: the run of chain of thought is missing",)
    assert next(line.n for line in result.lines if line.setting == "total") == 3


def test_wrong_names_of_published_numbers_are_named_with_their_key() -> None:
    with pytest.raises(
        UsageError, match=r'own\.toml: grid\.published: there is no file or name of published numbers "x"'
    ):
        beside(grid(GRID.replace("nobody.toml", "x")))
    with pytest.raises(UsageError, match=r'own\.toml: grid\.table: "nobody\.toml" has no table "second"; it has first'):
        beside(grid(GRID.replace('table = "first"', 'table = "second"')))


def test_a_grid_without_published_numbers_has_ours_alone() -> None:
    _, result = run('[[row]]\npreset = "io-official"\n', opened())
    table = result_table(result)
    keys = {column.key for column in table.columns}
    assert {"ours", "n", "lm", "marks"} <= keys
    assert not {"published", "difference"} & keys
    assert result.conditions == ()
    assert table.notes[0].startswith("Nothing is published for this grid")
    assert [section.title for section in table.sections] == ["toy, total: hits1"]


def test_usage_is_compared_like_scores() -> None:
    text = '[grid]\nmeasures = ["calls", "total_tokens"]\n[[row]]\npreset = "cot-sc-official"\n'
    _, result = run(text, opened())
    calls, tokens = result.lines
    assert (calls.ours.value, calls.ours.low, calls.ours.high) == (6.0, 6.0, 6.0)
    assert tokens.ours.value is not None
    assert tokens.ours.value > 6


def test_files_hold_the_table_the_split_and_no_folder(tmp_path: Path) -> None:
    done, result = run(GRID, opened())
    written = write_files(result, result_table(result), done, tmp_path / "report")
    assert {file.name for file in written} == {
        "table.md",
        "table.csv",
        "table.json",
        "result.json",
        "runs.json",
        "split-toy.json",
    }
    assert json.loads((tmp_path / "report" / "table.json").read_text()) == to_json(result_table(result))
    split = json.loads((tmp_path / "report" / "split-toy.json").read_text())
    assert (split["metric"], split["dropped"], len(split["kept"])) == ("tog_loose_arog", [KNOWN], 2)
    kept = json.loads((tmp_path / "report" / "result.json").read_text())
    assert kept["published"]["source"] == "Nobody 2031"
    assert {one["what"] for one in kept["conditions"]} == {"metric", "graph", "pseudonyms"}
    runs = json.loads((tmp_path / "report" / "runs.json").read_text())
    assert {one["row"] for one in runs} == {"io-official", "cot-official"}
    assert all(standing_of(Path(one["folder"])).finished for one in runs)
    for name, content in files_of(tmp_path / "report").items():
        assert b"runs/" not in content, name
        assert b"Ashgrove" not in content, name


def test_the_filter_keeps_to_the_loose_form_that_is_shown() -> None:
    assert grid(GRID).filter_metric == "tog_loose_arog"
    assert grid('[[row]]\npreset = "io-official"\n').filter_metric == "tog_loose"
    _, result = run('[grid]\nsettings = ["filtered"]\n[[row]]\npreset = "io-official"\n', opened(), Heard())
    assert result.splits["toy"].metric == "tog_loose"
