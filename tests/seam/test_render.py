"""What stands in a prompt for each noun, by scenario, phase and zone."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from seam_desk import ASHGROVE, BRENKA, PAVO, UNNAMED, VELM, Desk, desk, prompt, saying

from kgbench.contracts import Echo, LocalText, Reply
from kgbench.errors import PrivacyBlocked
from kgbench.prompts import Described, Fact, Layout, Word
from kgbench.seam.policy import LiteralPolicy, TopicNames
from kgbench.seam.render import Origin, embedding_text
from kgbench.testing import MemoryGraph, parse_triples, toy_records
from kgbench.types import (
    ClassLabel,
    Direction,
    Entity,
    JoinedRelation,
    Literal,
    NodeNames,
    Phase,
    Relation,
    Scenario,
    Triple,
    Zone,
)

XSD = "http://www.w3.org/2001/XMLSchema#"
FOUNDED = Literal("1911-05-04", f"{XSD}date")
JOB, EMPLOYER = Relation("person.job", "person.job"), Relation("job.employer", "job.employer")
JOINED = JoinedRelation(JOB, Direction.OUT, EMPLOYER, Direction.OUT)
EXPOSED = {
    (Scenario.P_R, Phase.RETRIEVAL),
    (Scenario.P_G, Phase.GENERATION),
    (Scenario.P_RAG, Phase.RETRIEVAL),
    (Scenario.P_RAG, Phase.GENERATION),
    (Scenario.P_RAG, Phase.MIXED),
}
CASES = [
    (scenario, phase, zone)
    for scenario, phase, zone in itertools.product(Scenario, Phase, Zone)
    if phase is not Phase.SETUP
]


@pytest.mark.parametrize(("scenario", "phase", "zone"), CASES)
def test_every_noun(scenario: Scenario, phase: Phase, zone: Zone) -> None:
    """Names where the scenario exposes the phase, and always in the LOCAL zone; all else alike."""
    table = desk(scenario)
    handle = table.session.handle
    named = zone is Zone.LOCAL or (scenario, phase) in EXPOSED
    company = "Ashgrove Works" if named else handle(ASHGROVE)
    date = "1911-05-04" if named else handle(FOUNDED)
    shown = table.show(
        phase,
        zone,
        question=table.record.question,
        topic=BRENKA,
        entity=ASHGROVE,
        unnamed=UNNAMED,
        described=Described(ASHGROVE, (Word("entity"), JOB)),
        literal=FOUNDED,
        relation=JOB,
        joined=JOINED,
        label=ClassLabel("company"),
        triple=Triple(BRENKA, JOINED, ASHGROVE),
        fact=Fact(Triple(ASHGROVE, Relation("founded", "founded"), FOUNDED), (Word("firm"),), (Word("date value"),)),
        word=Word("yes"),
        count=7,
        weight=0.25,
    )
    assert shown.splitlines() == [
        "At which employer does Brenka Moll have a job?",
        "Brenka Moll",
        company,
        handle(UNNAMED),
        f"{company} (entity, job)",
        date,
        "person.job",
        "person.job-job.employer",
        "company",
        f"Brenka Moll, person.job-job.employer, {company}",
        f"{company} (firm), founded, {date} (date value)",
        "yes",
        "7",
        "0.25",
    ]


def test_spans_tell_where_everything_comes_from() -> None:
    table = desk(Scenario.P_G)
    rendered = table.render(prompt(topic=BRENKA, entity=ASHGROVE, unnamed=UNNAMED, date=FOUNDED, word=Word("yes")))
    text = rendered.messages[-1]["content"]
    assert [(text[start:end], origin) for start, end, origin in rendered.spans] == [
        ("Brenka Moll", Origin.MENTION),
        ("Ashgrove Works", Origin.NAME),
        (table.session.handle(UNNAMED), Origin.HANDLE),
        ("1911-05-04", Origin.LITERAL),
        ("yes", Origin.WORD),
    ]


def test_spans_of_a_flat_prompt_count_from_its_beginning() -> None:
    table = desk(Scenario.P_G)
    filled = prompt(entity=ASHGROVE)
    rendered = table.render(replace(filled, template=replace(filled.template, flat=True)))
    (message,) = rendered.messages
    assert [message["content"][start:end] for start, end, _ in rendered.spans] == ["Ashgrove Works"]


@pytest.mark.parametrize("value", [ASHGROVE, FOUNDED, Triple(ASHGROVE, JOB, FOUNDED), Described(ASHGROVE)])
def test_a_setup_prompt_holds_no_node(value: Any) -> None:
    for scenario in Scenario:
        with pytest.raises(PrivacyBlocked, match="SETUP"):
            desk(scenario).show(Phase.SETUP, value=value)


# --- topics ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", Scenario)
def test_a_topic_that_the_question_does_not_name_is_its_handle(scenario: Scenario) -> None:
    """Even where names are shown: the link from question to node is what the data set knows, not the question."""
    table = Desk(
        saying(toy_records("forward mediator")[0], "Where does that woman have a job?"), policy=policy(scenario)
    )
    handle = table.session.handle(BRENKA)
    assert table.show(topic=BRENKA) == f"{handle} (topic of the question)"
    assert table.show(Phase.RETRIEVAL, topic=BRENKA) == f"{handle} (topic of the question)"
    assert table.show(zone=Zone.LOCAL, topic=BRENKA) == "Brenka Moll"


def policy(scenario: Scenario, **more: Any) -> Any:
    return desk(scenario, **more).policy


def test_the_data_sets_name_on_request() -> None:
    said = desk(topic_names=TopicNames.LABEL)
    assert said.show(topic=BRENKA) == "Brenka Moll"
    record = saying(toy_records("forward mediator")[0], "Where does B. have a job?")
    unsaid = Desk(record, policy=policy(Scenario.PRIVATE, topic_names=TopicNames.LABEL))
    rendered = unsaid.render(prompt(topic=BRENKA))
    assert [origin for _, _, origin in rendered.spans] == [Origin.TOPIC_LABEL]
    assert unsaid.audit(prompt(topic=BRENKA)).counts["topic_label"] > 0
    assert unsaid.audit(prompt(topic=BRENKA)).leaks == 0


def test_masked_topics_are_masked_in_the_question_too() -> None:
    table = desk(topic_names=TopicNames.MASK)
    handle = table.session.handle(BRENKA)
    question = table.record.question
    assert table.show(question=question, topic=BRENKA) == f"At which employer does {handle} have a job?\n{handle}"
    assert table.show(zone=Zone.LOCAL, question=question, topic=BRENKA).endswith("\nBrenka Moll")


# --- lists -------------------------------------------------------------------------------------------------------------


def test_lists_stand_in_one_order_in_all_scenarios() -> None:
    """By label, then by handle: neither as given, nor by id, nor by name."""
    residents = [Entity(f"resident{number:02d}") for number in range(1, 25)]
    tables = [desk(scenario) for scenario in Scenario]
    orders = [table.render(prompt(items=residents)).shown["items"] for table in tables]
    assert all(order == orders[0] for order in orders)
    assert list(orders[0]) == sorted(residents, key=tables[0].session.handle)
    assert list(orders[0]) != residents
    assert desk().render(prompt(items=residents[::-1])).shown["items"] == orders[0]
    facts = [Triple(resident, relation, VELM) for resident in residents[:5] for relation in (JOB, EMPLOYER)]
    labels = [line.split(", ")[1] for line in desk(Scenario.P_RAG).show(items=facts).splitlines()]
    assert labels == sorted(labels)


def test_an_empty_list_says_so() -> None:
    assert desk().show(items=[]) == "none"


ODD = ("Awake {now}", "AC; DC", "A -> B", "x | y", 'Line one\nand "two"', "tab\tand\x00null", " padded ", "\u2028")


@pytest.mark.parametrize("scenario", [Scenario.PRIVATE, Scenario.P_RAG])
def test_odd_names_stay_on_their_line_and_keep_their_number(scenario: Scenario) -> None:
    graph = MemoryGraph(
        parse_triples("\n".join(f"brenka  likes  odd{number}" for number in range(len(ODD)))),
        names={f"odd{number}": NodeNames(name) for number, name in enumerate(ODD)},
    )
    table = Desk(toy_records("forward mediator")[0], graph, policy(scenario))
    items = [Entity(f"odd{number}") for number in range(len(ODD))]
    rendered = table.render(prompt(layout=Layout.NUMBERED, items=items))
    lines = rendered.messages[-1]["content"].split("\n")
    assert len(lines) == len(ODD)
    for number, (line, entity) in enumerate(zip(lines, rendered.shown["items"], strict=True), 1):
        assert isinstance(entity, Entity)
        name = " ".join(
            "".join(c if c.isprintable() else " " for c in graph.names([entity])[entity].name or "").split()
        )
        expected = name if name and scenario is Scenario.P_RAG else table.session.handle(entity)
        assert line == f"{number}. {expected}"


# --- literals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("literal", "typed"),
    [
        (FOUNDED, "1911-05-04"),
        (Literal("212", f"{XSD}integer"), "212"),
        (Literal("true", f"{XSD}boolean"), "true"),
        (Literal("0417 3301"), "HANDLE (text)"),
        (Literal("hallo", language="de"), "HANDLE (text)"),
    ],
)
def test_literal_policies(literal: Literal, typed: str) -> None:
    handle = desk().session.handle(literal)
    assert desk().show(value=literal) == handle
    assert desk(literals=LiteralPolicy.TYPED).show(value=literal) == typed.replace("HANDLE", handle)
    assert desk(literals=LiteralPolicy.PLAIN).show(value=literal) == literal.lexical


# --- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["text", b"text", True, None, object(), {"a": 1}, [["nested"]], {BRENKA}])
def test_bare_text_and_foreign_types_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match='slot "value" of template "desk"'):
        prompt(value=value)


@pytest.mark.parametrize("value", [-1, 1000, 1911, 10**9, -0.1, 1.0001, 0.12345, float("nan"), float("inf")])
def test_numbers_that_could_be_values_of_the_graph_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="a value of the graph is a Literal"):
        prompt(value=value)


@pytest.mark.parametrize(("value", "shown"), [(0, "0"), (999, "999"), (0.0, "0"), (1.0, "1"), (0.1234, "0.1234")])
def test_small_numbers_are_shown(value: float, shown: str) -> None:
    assert desk().show(value=value) == shown


def test_slots_must_be_filled_and_known() -> None:
    template = prompt(value=1).template
    for values in ({}, {"value": 1, "more": 2}, {"other": 1}):
        with pytest.raises(ValueError, match="slots"):
            template.fill(**values)


@pytest.mark.parametrize(("scenario", "phase"), [(s, p) for s, p, z in CASES if z is Zone.REMOTE])
def test_local_text_leaves_only_where_the_phase_is_exposed(scenario: Scenario, phase: Phase) -> None:
    text = LocalText("Brenka works at Ashgrove.")
    if (scenario, phase) in EXPOSED:
        assert desk(scenario).show(phase, value=text) == text.text
    else:
        with pytest.raises(PrivacyBlocked, match="text derived from the graph"):
            desk(scenario).show(phase, value=text)
    assert desk(scenario).show(phase, Zone.LOCAL, value=text) == text.text


# --- echoes ------------------------------------------------------------------------------------------------------------


def test_an_echo_is_made_by_a_reply_alone_from_its_own_words() -> None:
    with pytest.raises(TypeError, match=r"Reply\.echo"):
        Echo("Ashgrove Works", exposed=False)
    reply = Reply("A Famous  company, in Velm.", samples=("A Famous  company, in Velm.", "Another one"))
    assert reply.echo("famous company").text == "famous company"
    assert reply.echo("a velm").text == "a velm"
    assert reply.echo("another").text == "another"
    for fragment in ("company famous", "Ashgrove", "famous companies", "famous famous", "another velm"):
        with pytest.raises(ValueError, match="words"):
            reply.echo(fragment)
    assert isinstance(replace(reply, local=True).echo("company"), LocalText)


def test_an_echo_written_in_sight_of_names_is_masked_again() -> None:
    table = desk(Scenario.P_R)
    table.show(Phase.RETRIEVAL, items=[ASHGROVE, PAVO])
    handles = {entity: table.session.handle(entity) for entity in (ASHGROVE, PAVO)}
    echo = Reply("ASHGROVE works, Pavo Moll's firm, not Pavo Mollison", exposed=True).echo
    heard = echo("ASHGROVE works, Pavo Moll's firm, not Pavo Mollison")
    assert table.show(value=heard) == f"{handles[ASHGROVE]}, {handles[PAVO]}'s firm, not Pavo Mollison"
    assert table.show(value=Described(VELM, (heard,))).count("(" + handles[ASHGROVE]) == 1
    assert table.show(Phase.RETRIEVAL, value=heard) == heard.text
    assert table.audit(prompt(value=heard)).leaks == 0


def test_masking_an_echo_takes_the_longest_name_and_survives_odd_letters() -> None:
    graph = MemoryGraph(
        parse_triples("brenka  likes  a\nbrenka  likes  b\nbrenka  likes  c"),
        names={"a": NodeNames("Moll"), "b": NodeNames("Moll (Jr.)"), "c": NodeNames("İzmir")},
    )
    table = Desk(toy_records("forward mediator")[0], graph, policy(Scenario.P_R))
    table.show(Phase.RETRIEVAL, items=[Entity("a"), Entity("b")])
    heard = Reply("Moll (Jr.) and Moll", exposed=True).echo("Moll (Jr.) and Moll")
    a, b = (table.session.handle(Entity(node)) for node in "ab")
    assert table.show(value=heard) == f"{b} and {a}"
    table.show(Phase.RETRIEVAL, items=[Entity("c")])
    assert table.show(value=Reply("see izmir", exposed=True).echo("see izmir")).startswith("see ")


# --- embedding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", Scenario)
def test_embedded_texts_hold_no_name_in_any_scenario(scenario: Scenario) -> None:
    """Else what is kept would depend on names, and differ from scenario to scenario."""
    session = desk(scenario).session
    concept = Reply("company").echo("company")
    items = [
        (BRENKA, "Brenka Moll"),
        (ASHGROVE, "entity"),
        (Described(ASHGROVE, (concept, Word("firm"))), "company, firm"),
        (Described(BRENKA, (concept,)), "Brenka Moll"),
        ((Described(ASHGROVE), ", ", JOINED, ", ", "x"), "entity, person job job employer, x"),
        (ClassLabel("bigCompany"), "big Company"),
        (FOUNDED, "entity"),
    ]
    assert [embedding_text(session, item) for item, _ in items] == [text for _, text in items]
    with pytest.raises(TypeError, match="cannot embed a int"):
        embedding_text(session, 1911)


def test_a_topic_without_a_mention_is_embedded_without_its_name() -> None:
    table = Desk(saying(toy_records("forward mediator")[0], "Where does she have a job?"))
    assert embedding_text(table.session, BRENKA) == "the topic"
