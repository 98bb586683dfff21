"""Runs in which each question brings its own graph."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from run_desk import begin, given, go_on, only_run, steady, with_method

from kgbench.contracts import GraphCard, MethodCard, Profile
from kgbench.errors import GraphError, PrerequisiteMissing, UsageError
from kgbench.run.plan import Given, make_plan
from kgbench.run.runner import start
from kgbench.spec import RunSpec
from kgbench.testing import TEST_KEY, Parrot, ScriptedModel, canary_world, run_once, toy_graph, toy_records
from kgbench.testing.harness import dataset_of, read_run
from kgbench.types import Direction, Entity, Prediction, Scenario

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
from rog_files import ROWS, write_release, write_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context, KnowledgeGraph
    from kgbench.types import Question

NAMES = ("forward mediator", "homonyms", "hub")


class ToyGraphs:
    """The toy graph for each question; counts what is opened, and has none for some."""

    def __init__(self, missing: Sequence[str] = ()) -> None:
        self.card = GraphCard("toys", Profile("memory"), "f" * 64)
        self.opened: list[str] = []
        self.missing = tuple(missing)

    def graph_for(self, question_id: str) -> KnowledgeGraph:
        self.opened.append(question_id)
        if question_id in self.missing:
            raise GraphError("there is no graph for this question")
        return toy_graph()


def parts(graphs: ToyGraphs, **more: Any) -> Given:
    return given(graph=graphs, dataset=dataset_of(toy_records(*NAMES)), **more)


def test_each_question_opens_its_graph_once_and_answers_as_with_one_graph(tmp_path: Path) -> None:
    graphs = ToyGraphs()
    own = begin(tmp_path / "own", parts(graphs))
    shared = begin(tmp_path / "shared", given(dataset=dataset_of(toy_records(*NAMES))))
    assert sorted(graphs.opened) == sorted(NAMES)
    assert [call.get("messages") for call in own.calls] == [call.get("messages") for call in shared.calls]
    assert steady(own.records) == steady(shared.records)
    assert own.manifest["identity"]["kg"] == "toys"
    assert own.manifest["spec_id"] != shared.manifest["spec_id"]


def test_a_graph_that_fails_ends_its_question_alone_and_is_tried_again(tmp_path: Path) -> None:
    broken = begin(tmp_path, parts(ToyGraphs(missing=["hub"])))
    assert broken.record("hub")["status"] == "kg_error"
    assert broken.record("hub")["error"] == "there is no graph for this question"
    assert not broken.calls_of("hub")
    assert [broken.record(name)["status"] for name in NAMES[:2]] == ["ok", "ok"]
    mended = go_on(only_run(tmp_path), parts(ToyGraphs()))
    assert mended.record("hub")["status"] == "ok"
    whole = begin(tmp_path / "whole", parts(ToyGraphs()))
    assert steady(mended.records) == steady(whole.records)


class NamesFail(ToyGraphs):
    """Graphs whose names cannot be read: of the topics, before the method starts."""

    def graph_for(self, question_id: str) -> KnowledgeGraph:
        graph = toy_graph()

        def names(entities: object) -> Any:
            raise GraphError("the server is gone")

        graph.names = names  # type: ignore[method-assign]
        return graph


def test_names_that_cannot_be_read_do_not_end_the_run(tmp_path: Path) -> None:
    run = begin(tmp_path, parts(NamesFail()), max_errors=1.0)
    assert {record["status"] for record in run.records} == {"kg_error"}
    assert run.calls == ()


class AnswersNamesFail(ToyGraphs):
    """Graphs that know the names of topics, and fail when those of an answer are read."""

    def graph_for(self, question_id: str) -> KnowledgeGraph:
        graph = toy_graph()
        known, topics = graph.names, {topic for record in toy_records() for topic in record.question.topics}

        def names(entities: Sequence[Entity]) -> Any:
            if not topics.issuperset(entities):
                raise GraphError("the server is gone")
            return known(entities)

        graph.names = names  # type: ignore[method-assign]
        return graph


def test_names_of_answers_that_cannot_be_read_do_not_end_the_run(tmp_path: Path) -> None:
    class Constant:
        card = MethodCard(name="constant", version="1", summary="Answers with one entity")

        def answer(self, question: Question, ctx: Context) -> Prediction:
            return Prediction((Entity("ilse"),))

    run = begin(tmp_path, parts(AnswersNamesFail(), method=Constant()), method="constant", max_errors=1.0)
    assert {record["status"] for record in run.records} == {"kg_error"}
    assert not any(record["prediction"]["items"] for record in run.records)


def test_filtered_takes_the_same_graphs(tmp_path: Path) -> None:
    known = "forward mediator"

    def reply(request: Any) -> str:
        asked = request.messages[-1]["content"]
        return "{Ashgrove Works}" if "At which employer does Brenka Moll" in asked else "{unknown}"

    run = begin(tmp_path, parts(ToyGraphs(), model=ScriptedModel(reply)), method="io", setting="filtered")
    assert run.manifest["filtered"]["dropped"] == 1
    assert known not in run.manifest["questions"]


def test_a_method_that_reads_before_the_first_question_is_told_why_not(tmp_path: Path) -> None:
    class Early:
        card = MethodCard(name="early", version="1", summary="Reads the graph before the first question")

        def prepare(self, questions: Sequence[Question], ctx: Context) -> dict[str, Any]:
            return {"relations": len(ctx.kg.relations(questions[0].topics, Direction.OUT))}

        def answer(self, question: Question, ctx: Context) -> Prediction:
            return Prediction((str(ctx.prepared["relations"]),))

    with pytest.raises(UsageError, match="reads the graph before the first question"):
        begin(tmp_path / "own", parts(ToyGraphs(), method=Early()), method="early")
    assert begin(tmp_path / "one", given(method=Early()), method="early").records


# --- RoG's releases, from files to a row -------------------------------------------------------------------------------


@pytest.fixture
def release(tmp_path: Path) -> Path:
    pytest.importorskip("datasets", reason='the extra "hub" is not installed: pip install "kgbench[hub]"')
    return write_release(tmp_path / "release")


def rog_run(release: Path, out: Path, **settings: Any) -> Any:
    spec = RunSpec(dataset=f"rog-webqsp:{release}", jobs=2, cache="off", out=str(out), **settings)
    parts = with_method(Given(key=TEST_KEY), spec)
    summary = start(make_plan(spec, parts))
    return read_run(Path(summary.path), summary)


def test_a_release_runs_and_its_identity_is_its_content(release: Path, tmp_path: Path) -> None:
    run = rog_run(release, tmp_path / "runs", method="arog")
    assert run.record("WebQTest-9001")["prediction"]["items"][0]["ids"] == ["Port Zell"]
    assert run.record("WebQTest-9003")["status"] in ("no_topic_entity", "no_answer")
    assert run.summary.hits1 > 0
    assert run.manifest["identity"]["kg_profile"] == "rog"
    moved = rog_run(write_release(tmp_path / "elsewhere"), tmp_path / "again", method="arog")
    assert moved.manifest["spec_id"] == run.manifest["spec_id"]
    assert [c["messages"] for c in moved.calls] == [c["messages"] for c in run.calls]


def test_no_name_of_a_release_leaves(release: Path, tmp_path: Path) -> None:
    """The ids of these graphs are names: what stands for them must be a handle, in every phase."""
    run = rog_run(release, tmp_path / "runs", method="arog")
    sent = "\n".join(run.texts())
    assert "Velmora" in sent  # the question says it
    for name in ("Port Zell", "m.0cvt1", "m.0nameless", "1931-05-06"):
        assert name not in sent


def test_source_ids_are_refused(release: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="source-id would print names"):
        rog_run(release, tmp_path / "runs", method="arog", pseudonyms="source-id")


@pytest.mark.parametrize("method", ["io", "cot", "arog", "tog", "pog", "gog"])
def test_no_field_with_gold_reaches_a_prompt(tmp_path: Path, method: str) -> None:
    pytest.importorskip("datasets", reason='the extra "hub" is not installed: pip install "kgbench[hub]"')
    rows = [
        {
            **row,
            "answer": [*row["answer"], "Goldqz"],
            "a_entity": ["Entqz"],
            "graph": [*row["graph"], ["Zz", "r", "Yy"]],
        }
        for row in ROWS
    ]
    release = write_rows(tmp_path / "test-0.parquet", rows)
    for scenario in (Scenario.PRIVATE, Scenario.P_RAG):
        sent = "\n".join(rog_run(release, tmp_path / scenario, method=method, scenario=scenario).texts())
        assert sent
        assert "Goldqz" not in sent
        assert "Entqz" not in sent


def test_a_missing_release_is_told_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteMissing, match="no parquet file"):
        rog_run(tmp_path / "nowhere", tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_canaries_in_hidden_lists_reach_no_prompt() -> None:
    """The facts that a question lists to be hidden are gold."""
    world = canary_world()
    records = [
        replace(record, tags={**record.tags, "mid_crucial_triples": [["m.0cnyqz", "r.cnyqz", "m.1cnyqz"]]})
        for record in world.records[:4]
    ]
    run = run_once("arog", graph=world.graph, records=records, model=Parrot(), hide="crucial", scenario="p-rag")
    assert run.texts()
    assert "cnyqz" not in "\n".join(run.texts())
