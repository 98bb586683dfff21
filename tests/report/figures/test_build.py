"""What the figures show, without drawing: marks equal ``scores.json``, and what is not measured is no 0."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import UsageError
from kgbench.report.figures import ReportedPoint, RunScores
from kgbench.report.figures.captions import READER
from kgbench.report.figures.draw import FIGURES, build
from kgbench.report.figures.files import COLUMNS, to_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.report.figures.picture import Picture

    Change = Callable[..., RunScores]

EMPTY = {"value": None, "ci": None, "n": 5}


def lines(picture: Picture) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(picture))))


def entry_of(run: RunScores, *path: str) -> dict[str, object]:
    """A number as it stands in the file, read without the code under test."""
    entry = json.loads(Path(run.source).read_text())
    for key in path:
        entry = entry[key]
    return {"value": entry["value"], "low": entry["ci"][0], "high": entry["ci"][1]}


def numbers(line: dict[str, str], *columns: str) -> dict[str, float]:
    names = dict(zip(columns, ("value", "low", "high"), strict=True))
    return {name: float(line[column]) for column, name in names.items()}


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_can_be_made_and_says_what_it_was_made_from(name: str, runs: list[RunScores]) -> None:
    picture = build(name, runs)
    assert picture.caption[0].startswith("Data: demo@")
    assert "n = 5" in picture.caption[0]
    assert "95 % bootstrap intervals" in picture.caption[0]
    assert READER in picture.caption
    assert all("LM: no" in panel.subtitle for panel in picture.panels)
    assert list(lines(picture)[0]) == list(COLUMNS)


@pytest.mark.parametrize("name", ["scenarios", "width-depth", "abstraction", "cost", "leakage"])
def test_the_csv_equals_the_scores(name: str, runs: list[RunScores]) -> None:
    by_run = {run.run_id: run for run in runs}
    found = lines(build(name, runs, metric="f1"))
    assert found
    for line in found:
        run = by_run[line["run"]]
        assert numbers(line, "value", "low", "high") == entry_of(run, "f1")
        assert (line["measure"], line["source"], line["lm"], line["n"]) == ("f1", "run", "no", "5")
        assert line["signature"] == run.text("signature")


def test_what_accuracy_is_set_against_equals_the_scores_too(runs: list[RunScores]) -> None:
    by_run = {run.run_id: run for run in runs}
    paths = {
        "tokens a question, in and out": ("tokens_per_question",),
        "names and literals in clear": ("exposure", "in_clear"),
        "handles": ("exposure", "handles"),
        "relation labels": ("exposure", "relations"),
    }
    found = [*lines(build("cost", runs)), *lines(build("leakage", runs))]
    assert {line["axis"] for line in found} == set(paths)
    for line in found:
        assert numbers(line, "x", "x_low", "x_high") == entry_of(by_run[line["run"]], *paths[line["axis"]])


def test_stages_equal_the_scores_and_add_up(runs: list[RunScores]) -> None:
    found = lines(build("stages", runs[:1]))
    stages = json.loads(Path(runs[0].source).read_text())["usage"]["stages"]
    calls = {line["series"]: float(line["value"]) for line in found if line["measure"] == "calls"}
    total = calls.pop("all stages")
    assert calls == {stage: used["calls"] for stage, used in stages.items()}
    assert sum(calls.values()) == pytest.approx(total)
    tokens = {line["series"]: float(line["value"]) for line in found if line["measure"] == "tokens"}
    assert tokens["judge"] == pytest.approx(stages["judge"]["input_tokens"] + stages["judge"]["output_tokens"])
    assert {line["tag"] for line in found} == {"retrieval", "generation", ""}


def test_scenarios_are_grouped_by_method(runs: list[RunScores]) -> None:
    (panel,) = build("scenarios", runs).panels
    assert panel.categories == ("arog", "tog")
    assert [series.label for series in panel.series] == ["private", "p-rag"]


def test_width_and_depth_share_the_common_run(runs: list[RunScores]) -> None:
    width, depth = build("width-depth", runs).panels
    assert [panel.x_title for panel in (width, depth)] == ["width", "depth"]
    assert [mark.x for mark in width.series[0].marks] == [1.0, 3.0]
    assert width.series[0].marks[1].run == depth.series[0].marks[1].run == runs[0]


def test_strategies_stand_in_the_order_of_the_field(runs: list[RunScores], changed: Change) -> None:
    parameters = {"changed": {"sa": "dec"}, "effective": {**runs[0].parameters, "sa": "dec"}}
    (panel,) = build("abstraction", [*runs, changed(runs[0], parameters=parameters)]).panels
    assert [series.label for series in panel.series] == ["off", "dec", "path"]


@pytest.mark.parametrize(
    ("name", "kept", "command"),
    [
        ("scenarios", [0, 2, 4], "kgbench run --method NAME --scenario private, and again with p-r"),
        ("width-depth", [0, 1, 6], "kgbench run --method arog --set method.width=1, and again with 2, 3, 4"),
        ("abstraction", [0, 1, 4], "kgbench run --method arog --set method.sa=off, and again with cot, dec and path"),
    ],
)
def test_a_figure_that_cannot_be_made_names_the_command(
    name: str, kept: list[int], command: str, runs: list[RunScores]
) -> None:
    with pytest.raises(UsageError, match=f'figure "{name}" needs two or more runs of one method') as raised:
        build(name, [runs[number] for number in kept])
    assert command in str(raised.value)


def test_no_value_is_never_0(runs: list[RunScores], changed: Change) -> None:
    empty = changed(runs[1], at={"hits1": EMPTY})
    picture = build("scenarios", [runs[0], empty])
    assert [line["value"] for line in lines(picture) if line["series"] == "p-rag"] == [""]
    assert "No value, and so not drawn: p-rag arog." in picture.caption
    with pytest.raises(UsageError, match="would be empty: none of these runs has a value of hits1"):
        build("scenarios", [changed(runs[0], at={"hits1": EMPTY}), empty])


def test_old_runs_have_no_leakage_and_are_not_at_0(runs: list[RunScores], changed: Change) -> None:
    old = {f"exposure.{name}": EMPTY for name in ("in_clear", "handles", "relations")}
    with pytest.raises(UsageError, match="needs runs that recorded what the provider saw"):
        build("leakage", [changed(run, at=old) for run in runs])
    picture = build("leakage", [changed(runs[0], at=old), runs[2]])
    assert {line["x"] for line in lines(picture) if line["series"] == "arog"} == {""}
    assert "No value, and so not drawn: arog private." in picture.caption


def test_stages_of_runs_that_did_not_record_phases(runs: list[RunScores], changed: Change) -> None:
    picture = build("stages", [changed(runs[0], at={"usage.phases": None})])
    assert {line["tag"] for line in lines(picture)} == {"any", ""}
    assert "any: the phase was not recorded." in picture.caption


def test_doubtful_runs_are_marked(runs: list[RunScores], changed: Change) -> None:
    picture = build("scenarios", [changed(runs[0], status="stopped"), runs[1]])
    assert f"Marked *: {runs[0].run_id} (not finished)." in picture.caption
    assert {line["marks"] for line in lines(picture)} == {"", "not finished"}


def test_models_share_the_figure_of_cost_alone(runs: list[RunScores], changed: Change) -> None:
    usd = {"usd_per_question": {"value": 0.002, "ci": [0.001, 0.003], "n": 5}}
    model = changed(runs[0], model="openai/m", lm=True, at=usd)
    cost = build("cost", [runs[0], model])
    assert [panel.x_title for panel in cost.panels] == ["tokens a question, in and out", "US dollars a question"]
    assert [series.label for series in cost.panels[0].series] == ["arog, builtin/reader (LM: no)", "arog, openai/m"]
    assert [panel.subtitle for panel in build("leakage", [runs[0], model]).panels[::3]] == [
        "builtin/reader, LM: no",
        "openai/m, LM: yes",
    ]


def test_a_language_model_needs_no_warning(runs: list[RunScores], changed: Change) -> None:
    spoken = [changed(run, lm=True, model="openai/m") for run in runs[:2]]
    text = " ".join(build("scenarios", spoken).caption)
    assert "LM: no" not in text
    assert "studies of utility" in text


def published(runs: Sequence[RunScores], **fields: str) -> ReportedPoint:
    usual = {"dataset": runs[0].text("dataset"), "series": "arog", "x": "private", "source": "arXiv 0000.00000"}
    return ReportedPoint(value=0.747, **{**usual, **fields})


def test_reported_values_stand_beside_and_say_their_metric(runs: list[RunScores]) -> None:
    picture = build("scenarios", runs, reported=[published(runs), published(runs, dataset="other")])
    (panel,) = picture.panels
    assert [(one.label, one.marks[0].y.value) for one in panel.reported] == [("private", 0.747)]
    (line,) = [line for line in lines(picture) if line["source"] != "run"]
    assert (line["source"], line["measure"], line["low"], line["run"]) == ("arXiv 0000.00000", "tog_loose_arog", "", "")
    told = "Hollow, dashed: reported by arXiv 0000.00000 as tog_loose_arog, under other conditions."
    assert f"{told} The runs are measured by hits1." in picture.caption
    assert told in build("scenarios", runs, metric="tog_loose_arog", reported=[published(runs)]).caption


def test_reported_widths_stand_on_their_axis(runs: list[RunScores]) -> None:
    points = [published(runs, x=str(width), axis="width") for width in (4, 1)]
    width, depth = build("width-depth", runs, reported=points).panels
    assert [mark.x for mark in width.reported[0].marks] == [1.0, 4.0]
    assert width.reported[0].slot == width.series[0].slot
    assert depth.reported == ()


@pytest.mark.parametrize("name", ["stages", "cost", "leakage"])
def test_measured_figures_take_no_reported_values(name: str, runs: list[RunScores]) -> None:
    with pytest.raises(UsageError, match=f'figure "{name}" takes no reported values'):
        build(name, runs, reported=[published(runs)])


@pytest.mark.parametrize(
    ("name", "metric", "text"),
    [
        ("scenario", "hits1", "there is no figure"),
        ("scenarios", "hits", "there is no metric"),
    ],
)
def test_unknown_names(name: str, metric: str, text: str, runs: list[RunScores]) -> None:
    with pytest.raises(UsageError, match=text):
        build(name, runs, metric=metric)


def test_the_order_of_the_runs_does_not_matter(runs: list[RunScores]) -> None:
    for name in FIGURES:
        assert build(name, runs) == build(name, runs[::-1])
