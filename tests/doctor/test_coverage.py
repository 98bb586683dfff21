"""How much of what the questions name is in the graph: where a wrong dump shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from doctor_desk import FREEBASE, PLAIN, covered, graph_with, question, questions, rows_of

from kgbench.contracts import GraphCard
from kgbench.doctor import coverage
from kgbench.doctor.presence import in_graph, sample
from kgbench.doctor.rows import State
from kgbench.errors import GraphError, GraphPartial
from kgbench.run.plan import Given
from kgbench.spec import RunSpec
from kgbench.testing.graphs import MemoryGraph
from kgbench.testing.harness import dataset_of
from kgbench.types import Entity, GoldAnswer, NodeNames

if TYPE_CHECKING:
    from collections.abc import Sequence

IDS = [f"m.0{number:03d}" for number in range(100)]


@pytest.mark.parametrize(
    ("there", "state"), [(100, "ok"), (95, "ok"), (94, "warning"), (50, "warning"), (49, "failed"), (0, "failed")]
)
def test_the_share_of_topics_decides(there: int, state: str) -> None:
    topics = covered(questions(IDS), graph_with([*IDS[:there], "m.0other"]))["topics"]
    assert topics.state == state
    assert (topics.facts["present"], topics.facts["asked"]) == (there, 100)
    assert f"{there} of 100 topic entities" in topics.found
    assert bool(topics.next) is (state != "ok")


def test_gold_answers_alone_fail_no_run() -> None:
    rows = covered(questions(IDS[:4], gold=["m.0x", "m.0y", "m.0000"]), graph_with(IDS))
    assert (rows["topics"].state, rows["answers"].state) == (State.OK, State.WARNING)
    assert (rows["answers"].facts["present"], rows["answers"].facts["total"]) == (1, 3)
    assert "m.0x, m.0y" in rows["answers"].found


def test_a_name_or_a_statement_in_any_direction_is_enough() -> None:
    graph = MemoryGraph(
        (), names={"m.0a": NodeNames("Ilse"), "m.0b": NodeNames(None, ("Il",)), "m.0c": NodeNames(None)}
    )
    assert in_graph(graph, ["m.0a", "m.0b", "m.0c"], 9).missing == ("m.0c",)
    assert in_graph(graph_with(["m.0a"]), ["m.0a", "hub", "m.0z"], 9).missing == ("m.0z",)


@pytest.mark.parametrize(
    ("profile", "topic", "hint"),
    [
        (PLAIN, "m.0abc", "the ids are Freebase's and the graph is read as plain"),
        (PLAIN, "Q42", "the ids are Wikidata's and the graph is read as plain"),
        (FREEBASE, "m.0abc", "wrong dump or wrong profile: most of what the questions name is not in the graph"),
        (PLAIN, "boat7", "wrong dump or wrong profile: most of what the questions name is not in the graph"),
    ],
)
def test_another_graph_is_told_from_another_dump(profile: object, topic: str, hint: str) -> None:
    topics = covered(questions([topic]), graph_with(["else"], profile))["topics"]  # type: ignore[arg-type]
    assert topics.state is State.FAILED
    assert hint in topics.next


def test_ids_that_may_be_words_are_counted_and_not_shown() -> None:
    rows = covered(questions(["Ilse_Moll"], gold=["Pavo_Moll"]), graph_with(["else"], PLAIN))
    for name in ("topics", "answers"):
        assert "Moll" not in f"{rows[name]}"
        assert rows[name].facts["missing_ids"] is None
    public = covered(questions(["m.0abc"]), graph_with(["else"], FREEBASE))["topics"]
    assert public.facts["missing_ids"] == ["m.0abc"]
    assert "missing are m.0abc" in public.found


def test_questions_without_ids_are_not_checked() -> None:
    records = (question(1, [], [GoldAnswer(name="a text"), GoldAnswer(value="1911")]),)
    rows = covered(records, graph_with(["else"]))
    assert {rows["topics"].state, rows["answers"].state} == {State.NOT_CHECKED}
    assert rows["questions"].state is State.WARNING
    assert "1 of 1 name no topic entity" in rows["questions"].found


def test_a_sample_is_always_the_same_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sample(IDS, 10) == sample(IDS[::-1], 10) != IDS[:10]
    assert sample(IDS, 100) == IDS
    monkeypatch.setattr(coverage, "SAMPLE_HERE", 10)
    topics = covered(questions(IDS), graph_with(IDS))["topics"]
    assert topics.facts["sampled"]
    assert "10 of a sample of 10 of 100 topic entities" in topics.found


class Partial(MemoryGraph):
    """Gives names incompletely."""

    def names(self, entities: Sequence[Entity]) -> dict[Entity, NodeNames]:
        raise GraphPartial(super().names(entities), "its time was up")


def test_incomplete_answers_prove_nothing_missing() -> None:
    graph = Partial((), names={"m.0000": NodeNames("Ilse")}, profile=FREEBASE)
    topics = covered(questions(IDS[:3]), graph)["topics"]
    assert topics.state is State.WARNING
    assert "1 of 3 topic entities are in the graph (33.3%), at least" in topics.found


class Broken(MemoryGraph):
    """Cannot be read, and quotes an id."""

    def names(self, entities: Sequence[Entity]) -> dict[Entity, NodeNames]:
        raise ValueError(f"no names of {entities[0].id}")


def test_a_graph_that_cannot_be_read_fails_without_its_own_words() -> None:
    rows = covered(questions(["m.0abc"]), Broken(()))
    assert rows["coverage"].state is State.FAILED
    assert "reading names failed in the graph adapter (ValueError)" in rows["coverage"].found
    assert "m.0abc" not in f"{rows}"


class OwnGraphs:
    """Each question has a graph of its own, except q2."""

    card = GraphCard("own", FREEBASE, "0")

    def graph_for(self, question_id: str) -> MemoryGraph:
        if question_id == "q2":
            raise GraphError("no graph belongs to the question")
        return graph_with([f"m.0{question_id}", "m.0gold"])


def test_what_a_run_hides_of_graphs_of_their_own_is_there_all_the_same() -> None:
    records = tuple(question(number, [f"m.0q{number}"], ["m.0gold"]) for number in (0, 1, 3, 4, 5))
    spec = RunSpec(dataset="own", thin=0.999)
    found = rows_of(spec, Given(dataset=dataset_of(records), graph=OwnGraphs()))["topics"]
    assert (found.facts["present"], found.facts["total"]) == (5, 5)


def test_questions_with_graphs_of_their_own_are_looked_up_there() -> None:
    topics = [["m.0q0"], ["m.0q1", "m.0q0"], ["m.0q2"], []]
    records = tuple(question(number, ids, ["m.0gold"]) for number, ids in enumerate(topics))
    given = Given(dataset=dataset_of(records), graph=OwnGraphs())
    rows = rows_of(RunSpec(dataset="own"), given)
    found = rows["topics"]
    assert (found.facts["total"], found.facts["present"], found.state) == (4, 2, State.WARNING)
    assert found.facts["missing_ids"] == ["m.0q0", "m.0q2"]
    assert "in its question's own graph" in found.found
    assert rows["answers"].facts["present"] == 3
    assert rows["queries"].state is State.NOT_CHECKED
    assert rows["graph"].facts["per_question"]
