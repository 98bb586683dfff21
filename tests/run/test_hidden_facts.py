"""Runs on incomplete graphs: settings, identity, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from run_desk import begin, given, go_on, only_run

from kgbench.config import build_spec
from kgbench.contracts import MethodCard
from kgbench.errors import DataError, UsageError
from kgbench.run.plan import Given, make_plan
from kgbench.run.store import RunFolder
from kgbench.spec import RunSpec
from kgbench.testing import toy_records
from kgbench.testing.harness import dataset_of
from kgbench.types import Direction, Prediction

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.contracts import Context
    from kgbench.types import Question, QuestionRecord

CHILD = ["pavo", "person.child", "brenka"]


class Walker:
    """Answers with everything around its topics."""

    card = MethodCard(name="walker", version="1", summary="Walks one step")

    def answer(self, question: Question, ctx: Context) -> Prediction:
        found: dict[Any, None] = {}
        for topic in question.topics:
            for direction in Direction:
                for relation in ctx.kg.relations(topic, direction):
                    found.update(dict.fromkeys(ctx.kg.neighbours(topic, relation, direction)))
        return Prediction(tuple(found))


class Asker:
    """Asks a query of its own."""

    card = MethodCard(name="asker", version="1", summary="Asks SPARQL")

    def answer(self, question: Question, ctx: Context) -> Prediction:
        ctx.kg.select("SELECT * WHERE { ?s ?p ?o }")
        return Prediction()


def listing(name: str, triples: Any) -> QuestionRecord:
    (record,) = toy_records(name)
    return replace(record, tags={**record.tags, "mid_crucial_triples": triples})


def parts(*records: QuestionRecord, method: Any = None) -> Given:
    return given(method=method or Walker(), dataset=dataset_of(records or toy_records("hub", "odd names")))


def reached(run: Any, question_id: str) -> set[str]:
    return {item["ids"][0] for item in run.record(question_id)["prediction"]["items"] if item["ids"]}


def test_a_thinned_run_reaches_less_and_says_so(tmp_path: Path) -> None:
    whole = begin(tmp_path / "whole", parts(), method="walker")
    thin = begin(tmp_path / "thin", parts(), method="walker", thin=0.5)
    assert reached(thin, "hub") < reached(whole, "hub")
    assert thin.manifest["identity"]["kg"] == "memory[thin=0.5,thin_seed=0]"
    assert "kg=memory[thin=0.5,thin_seed=0]/" in thin.manifest["signature"]
    assert thin.manifest["spec"]["thin"] == 0.5
    assert thin.manifest["identity"]["kg_fingerprint"] != whole.manifest["identity"]["kg_fingerprint"]
    other = begin(tmp_path / "other", parts(), method="walker", thin=0.5, thin_seed=4)
    assert reached(other, "hub") != reached(thin, "hub")
    assert len({run.manifest["spec_id"] for run in (whole, thin, other)}) == 3


def test_neither_the_seed_of_the_run_nor_the_trial_changes_the_graph(tmp_path: Path) -> None:
    one = begin(tmp_path / "one", parts(), method="walker", thin=0.5)
    two = begin(tmp_path / "two", parts(), method="walker", thin=0.5, seed=9, trials=2)
    assert reached(one, "hub") == reached(two, "hub")
    assert two.record("hub", 0)["prediction"] == two.record("hub", 1)["prediction"]


def test_hidden_facts_are_each_questions_own(tmp_path: Path) -> None:
    hub = listing("hub", [["resident01", "person.lives_in", "velm"]])
    same = listing("same relation twice", [CHILD])
    run = begin(tmp_path, parts(hub, same), method="walker", hide="crucial")
    assert "resident01" not in reached(run, "hub")
    assert {"resident02", "brenka"} <= reached(run, "hub")
    assert reached(run, "same relation twice") == set()
    assert "[hide=crucial]" in run.manifest["signature"]


def test_lists_hide_nothing_unless_asked(tmp_path: Path) -> None:
    run = begin(tmp_path, parts(listing("same relation twice", [CHILD])), method="walker")
    assert reached(run, "same relation twice") == {"brenka"}


def test_a_resumed_run_hides_the_same(tmp_path: Path) -> None:
    begun = begin(tmp_path, parts(), method="walker", thin=0.5)
    path = only_run(tmp_path)
    (path / "records.jsonl").write_text("", encoding="utf-8")
    resumed = go_on(path, parts())
    assert resumed.record("hub")["prediction"] == begun.record("hub")["prediction"]
    assert RunFolder.open(path).manifest()["spec_id"] == begun.manifest["spec_id"]


def test_a_query_that_would_see_hidden_facts_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="SPARQL query of its own"):
        begin(tmp_path, parts(method=Asker()), method="asker", thin=0.1)


def test_hiding_needs_lists_and_lists_need_their_form() -> None:
    spec = RunSpec(method="walker", hide="crucial", cache="off")
    with pytest.raises(UsageError, match=r"no question of this data set has it; the data sets gog-webqsp"):
        make_plan(spec, parts())
    with pytest.raises(DataError, match=r"question hub: .*list of \[head, relation, tail\]"):
        make_plan(spec, parts(listing("hub", [["a", "b"]])))
    make_plan(spec, parts(listing("hub", [])))  # nothing to hide here, and the file says so


def test_closed_book_methods_are_audited_against_the_graph_that_is_left(tmp_path: Path) -> None:
    run = begin(tmp_path, given(dataset=dataset_of(toy_records("hub"))), method="io", thin=0.9)
    assert run.record("hub")["audit"]["leaks"] == 0


# --- Settings ----------------------------------------------------------------------------------------------------------


def test_settings_by_their_keys() -> None:
    spec = build_spec({}, assignments=["kg.thin=0.2", "kg.thin_seed=3", "kg.hide=crucial", "kg.schema=folder"])
    assert (spec.thin, spec.thin_seed, spec.hide, spec.kg_schema) == (0.2, 3, "crucial", "folder")
    spec = build_spec({}, assignments=["data.gold=single", "data.split=dev", "data.topics_from_graph=true"])
    assert (spec.gold, spec.split, spec.topics_from_graph) == ("single", "dev", True)


def test_nothing_hidden_is_the_run_without_the_setting() -> None:
    assert build_spec({}, assignments=["kg.thin=0", "kg.thin_seed=0"]) == build_spec({})
    plans = [make_plan(replace(RunSpec(method="walker"), thin=thin), parts()) for thin in (None, 0.3)]
    assert plans[0].spec_id != plans[1].spec_id


def test_settings_that_came_later_leave_older_runs_what_they_were() -> None:
    plain = RunSpec().effective()
    assert not {"split", "gold", "topics_from_graph", "hide", "thin", "thin_seed"} & plain.keys()
    assert replace(RunSpec(), gold="single").effective()["gold"] == "single"


@pytest.mark.parametrize(
    ("assignment", "expected"),
    [
        ("kg.thin=1", "at least 0 and below 1; got 1"),
        ("kg.thin=-0.1", "must be at least 0"),
        ("kg.thin=some", "takes float"),
        ("kg.hide=all", "kg.hide is one of crucial"),
        ("data.gold=all", "data.gold is one of expanded, single, aliases"),
        ("data.split=validation", "data.split is one of test, train, dev"),
    ],
)
def test_wrong_values(assignment: str, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        build_spec({}, assignments=[assignment])


def test_a_seed_without_a_share() -> None:
    with pytest.raises(UsageError, match=r"set kg\.thin to the share"):
        make_plan(RunSpec(method="walker", thin_seed=3), parts())


def test_options_of_other_data_sets_are_refused() -> None:
    with pytest.raises(UsageError, match=r"the data set demo has no option data\.gold; it belongs to cwq"):
        make_plan(RunSpec(gold="single"), Given())


def test_a_described_graph_must_be_an_endpoint(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="describes the graph behind a SPARQL endpoint"):
        make_plan(RunSpec(kg_schema=str(tmp_path)), Given())


def test_the_description_reaches_the_adapter_and_the_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kgbench.run import graphs
    from kgbench.testing import toy_graph

    asked: list[dict[str, Any]] = []

    def opened(location: str, profile: Any, **options: Any) -> Any:
        asked.append(options)
        return toy_graph()

    monkeypatch.setattr(graphs, "open_graphs", opened)
    folder = tmp_path / "schema"
    folder.mkdir()
    (folder / "relations.tsv").write_text("relation\tinverse\nr\ts\n", encoding="utf-8")

    def fingerprint(schema: str | None) -> str:
        spec = RunSpec(kg="http://localhost:1/sparql", kg_schema=schema, cache="off")
        source = graphs.open_source(spec, dataset_of(toy_records()))
        assert source is not None
        return source.card.fingerprint

    prints = [fingerprint(None), fingerprint(str(folder)), fingerprint(str(folder))]
    (folder / "relations.tsv").write_text("relation\tinverse\nr\tt\n", encoding="utf-8")
    prints.append(fingerprint(str(folder)))
    assert [options.get("schema") for options in asked] == [None, *[str(folder)] * 3]
    assert prints[1] == prints[2]
    assert len(set(prints)) == 3
