"""The fields ``reads`` and ``answered`` of a record: what was asked and taken, without a name, literal or source id."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from run_desk import begin, given

from kgbench.run.seen import Seen
from kgbench.run.steps import COLUMNS, steps
from kgbench.seam.policy import PrivacyPolicy, PseudonymMode, TopicNames
from kgbench.seam.session import Session, SessionSeed
from kgbench.seam.view import GraphView
from kgbench.testing import TEST_KEY, canary_world, toy_graph, toy_records
from kgbench.testing.harness import dataset_of
from kgbench.types import Direction, Entity, Literal, Prediction, Relation, Scenario, Triple

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.testing import CanaryWorld
    from kgbench.types import JsonObject

BRENKA, ASHGROVE, VELM, PAVO = Entity("brenka"), Entity("ashgrove"), Entity("velm"), Entity("pavo")
LIVES_IN = Relation("person.lives_in", "person.lives_in")
PHONE = Literal("0417 3301", "http://www.w3.org/2001/XMLSchema#string")


def session_of(**policy: Any) -> Session:
    """A session of a question whose text names its one topic, Brenka."""
    (record,) = toy_records("forward mediator")
    assert record.question.topics == (BRENKA,)
    return Session(record, PrivacyPolicy(**policy), TEST_KEY, SessionSeed("m", 0, 0), toy_graph().names)


def seen_of(text: str = "", *spans: tuple[int, int, str], zone: str = "remote") -> Seen:
    seen = Seen()
    usage = {"logical": {"calls": 1, "input_tokens": 1, "output_tokens": 1}}
    call = {"phase": "generation", "zone": zone, "stage": "s", "messages": [{"content": text}], "spans": spans}
    seen.read(call | {"usage": usage})
    return seen


def rows(session: Session, seen: Seen | None = None) -> list[dict[str, Any]]:
    told = steps(Prediction(), session, seen or Seen())
    return [dict(zip(COLUMNS, row, strict=True)) for row in told["reads"]["rows"]]


def answered(session: Session, *answers: Any, seen: Seen | None = None, evidence: tuple[Triple, ...] = ()) -> list[Any]:
    told = steps(Prediction(answers=answers, evidence=evidence), session, seen or Seen())["answered"]
    return [one["as"] for one in told]


def test_a_handle_where_one_was_issued_else_a_number_by_first_appearance() -> None:
    session = session_of()
    handle = session.handle(ASHGROVE)
    view = GraphView(toy_graph(), session)
    for entity in (VELM, ASHGROVE, BRENKA, PAVO, VELM):
        view.relations(entity, Direction.OUT)
    assert [row["of"] for row in rows(session)] == ["entity 1", handle, "topic 1", "entity 2", "entity 1"]
    assert answered(session, PAVO, PHONE, ASHGROVE) == ["entity 2", "literal 1", handle]


def test_a_topic_that_prompts_name_is_no_handle_and_one_that_they_mask_is() -> None:
    for policy, shown_by_handle in (({}, False), ({"topic_names": TopicNames.MASK}, True)):
        session = session_of(**policy)
        handle = session.handle(BRENKA)
        assert answered(session, BRENKA) == [handle if shown_by_handle else "topic 1"]


def test_where_handles_are_ids_numbers_stand_and_literals_keep_theirs() -> None:
    session = session_of(pseudonyms=PseudonymMode.SOURCE_ID, topic_names=TopicNames.MASK)
    assert session.handle(ASHGROVE) == ASHGROVE.id
    session.handle(BRENKA)
    literal = session.handle(PHONE)
    assert answered(session, ASHGROVE, BRENKA, PHONE) == ["entity 1", "topic 1", literal]


def test_a_label_that_no_prompt_showed_is_marked() -> None:
    session = session_of()
    GraphView(toy_graph(), session).neighbours(BRENKA, LIVES_IN, Direction.OUT)
    (hidden,) = rows(session, seen_of("person.friend", (0, 13, "relation")))
    (as_word,) = rows(session, seen_of("person.lives_in", (0, 15, "word")))
    (shown,) = rows(session, seen_of("person.lives_in", (0, 15, "relation")))
    assert (hidden["relation"], hidden["found"], hidden["direction"]) == ("person.lives_in", 1, "out")
    assert [hidden["shown"], as_word["shown"], shown["shown"]] == [False, False, True]


@pytest.mark.parametrize(
    ("seen", "quoted"),
    [
        (seen_of("m.0abc", (0, 6, "handle")), True),
        (seen_of("Brenka", (0, 6, "name")), False),
        (seen_of("4711", (0, 4, "literal")), False),
        (seen_of("Brenka", (0, 6, "topic_label")), False),
        (seen_of("m.0abc", (0, 6, "source_id")), False),
        (seen_of(zone="local"), False),
    ],
)
def test_words_of_the_model_are_kept_while_it_has_seen_no_word_of_the_graph(seen: Seen, quoted: bool) -> None:
    session = session_of()
    session.hear("I think: Port Velm, {m.0bcdfgh}")
    assert answered(session, "Port Velm", "m.0bcdfgh", seen=seen) == (
        ["Port Velm", "m.0bcdfgh"] if quoted else [None, None]
    )
    assert answered(session, "Ashgrove Works", "elm", seen=seen) == [None, None]


def test_evidence_is_told_of_entities() -> None:
    session = session_of()
    prediction = Prediction(answers=(VELM, PAVO), evidence=(Triple(BRENKA, LIVES_IN, VELM),))
    assert [one["in_evidence"] for one in steps(prediction, session, Seen())["answered"]] == [True, False]


def new_fields(world: CanaryWorld, tmp_path: Path, **settings: Any) -> list[JsonObject]:
    records = world.records[::3]
    run = begin(tmp_path, given(graph=world.graph, dataset=dataset_of(records)), **settings)
    said = {record.question.id: {t for t, _, _ in world.found(record.question.text)} for record in records}
    fields = []
    for record in run.records:
        told = {"reads": record["reads"], "answered": record["answered"]}
        found = [token for token, _, _ in world.found(json.dumps(told, ensure_ascii=False))]
        assert [token for token in found if token not in said[record["question_id"]]] == []
        fields.append(told)
    assert any(told["answered"] for told in fields)
    return fields


@pytest.mark.parametrize("scenario", list(Scenario))
@pytest.mark.parametrize("method", ["arog", "tog", "pog", "gog"])
def test_no_canary_is_in_the_new_fields(tmp_path: Path, method: str, scenario: Scenario) -> None:
    fields = new_fields(canary_world(), tmp_path, method=method, scenario=scenario)
    assert sum(len(told["reads"]["rows"]) for told in fields) > 50


@pytest.mark.parametrize("method", ["arog", "gog"])
@pytest.mark.parametrize(
    "settings",
    [
        {"pseudonyms": "source-id"},
        {"pseudonyms": "source-id", "topic_names": "mask"},
        {"literals": "plain"},
        {"literals": "typed"},
        {"topic_names": "label"},
        {"topic_names": "mask"},
    ],
    ids=str,
)
def test_no_setting_brings_a_canary_into_the_new_fields(tmp_path: Path, method: str, settings: dict[str, Any]) -> None:
    new_fields(canary_world(), tmp_path, method=method, scenario=Scenario.PRIVATE, **settings)


def test_one_or_several_at_a_time_give_the_same_fields(tmp_path: Path) -> None:
    def told(jobs: int) -> dict[str, JsonObject]:
        run = begin(tmp_path / str(jobs), method="arog", jobs=jobs)
        return {one["question_id"]: {"reads": one["reads"], "answered": one["answered"]} for one in run.records}

    alone, together = told(1), told(4)
    assert alone == together
    assert {row[0] for one in alone.values() for row in one["reads"]["rows"]} >= {1, 2, 3}
