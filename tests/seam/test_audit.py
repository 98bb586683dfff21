"""The audit before anything leaves: taint over spans, and a scanner that reads the final text alone."""

from __future__ import annotations

from typing import Any

import pytest
from seam_desk import ASHGROVE, BRENKA, PAVO, VELM, Desk, desk, prompt, saying

from kgbench.contracts import Reply
from kgbench.prompts import Word
from kgbench.seam.audit import SensitiveIndex, common_words, read_text, sensitive_strings
from kgbench.seam.policy import LiteralPolicy, PseudonymMode
from kgbench.seam.render import Origin
from kgbench.testing import MemoryGraph, parse_triples, toy_records
from kgbench.types import Direction, Entity, Literal, NodeNames, Phase, Relation, Scenario, Zone

XSD = "http://www.w3.org/2001/XMLSchema#"
PROTECTED = [(Scenario.PRIVATE, Phase.RETRIEVAL), (Scenario.P_R, Phase.GENERATION), (Scenario.P_G, Phase.MIXED)]


def leaks(table: Desk, text: str, phase: Phase = Phase.GENERATION) -> bool:
    """Whether a request leaks in which a method has dressed a text as its own word."""
    return table.audit(prompt(phase, value=Word(text))).leaks > 0


def reading(*terms: Entity | Literal, scenario: Scenario = Scenario.PRIVATE, **policy: Any) -> Desk:
    """A desk at which terms were read."""
    table = desk(scenario, **policy)
    table.session.touch(terms)
    return table


# --- taint -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", [Origin.NAME, Origin.LITERAL, Origin.LOCAL_TEXT])
def test_a_span_that_names_is_a_leak_in_a_protected_phase(origin: Origin) -> None:
    """Even where the scanner knows nothing of the string."""
    table = desk()
    filled = prompt(value=Word("zzzz"))
    rendered = table.render(filled)
    rendered.spans = [(0, 4, origin)]
    verdict = table.auditor.audit(filled, rendered, Zone.REMOTE)
    assert (verdict.leaks, verdict.counts["taint"]) == (1, 1)
    rendered.exposed = True
    assert table.auditor.audit(filled, rendered, Zone.REMOTE).leaks == 0
    assert table.auditor.audit(filled, rendered, Zone.LOCAL) == (0, {})


def test_names_in_exposed_phases_are_counted_and_no_leak() -> None:
    table = reading(ASHGROVE, scenario=Scenario.P_G)
    literal = Literal("1911-05-04", f"{XSD}date")
    verdict = table.audit(prompt(topic=BRENKA, entity=ASHGROVE, date=literal))
    assert verdict == (0, {"names": 1, "literals": 1})


# --- the scanner catches what goes around the renderer -----------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "phase"), PROTECTED)
def test_a_name_dressed_as_something_else_is_a_leak(scenario: Scenario, phase: Phase) -> None:
    name = "Ashgrove Works"
    for value in (Word(name), Relation(name, name), Relation("x", f"works.at.{name}.now")):
        assert reading(ASHGROVE, scenario=scenario).audit(prompt(phase, value=value)).leaks >= 1


def test_names_aliases_descriptions_literals_and_ids_are_sensitive() -> None:
    literal = Literal("0417 3301")
    for text in ("Ashgrove Works", "The Works", "What is told of Ashgrove Works.", "0417 3301", "ashgrove"):
        assert leaks(reading(ASHGROVE, literal), text), text


@pytest.mark.parametrize(
    "text", ["ASHGROVE  works", "(Ashgrove-Works)", "ａｓｈｇｒｏｖｅ ｗｏｒｋｓ", "x Ashgrove\nWorks, y"]
)
def test_spelling_does_not_hide_a_name(text: str) -> None:
    assert leaks(reading(VELM, ASHGROVE), text)


@pytest.mark.parametrize("text", ["Ashgroves Works", "Work", "Port", "xVelm", "Velma", "Works Ashgroven"])
def test_other_words_are_no_leak(text: str) -> None:
    assert not leaks(reading(VELM, ASHGROVE), text)


def test_only_what_the_question_read_is_looked_for() -> None:
    table = desk()
    assert not leaks(table, "Pavo Moll")
    table.session.touch([PAVO])
    assert leaks(table, "Pavo Moll")


# --- what explains a hit, in this order --------------------------------------------------------------------------------


def test_a_string_of_the_question_is_no_leak() -> None:
    table = reading(BRENKA)
    assert table.audit(prompt(value=Word("Brenka Moll"))) == (0, {})


def test_a_topics_name_that_the_question_does_not_say_is_a_leak() -> None:
    table = Desk(saying(toy_records("forward mediator")[0], "Where does that woman work?"))
    assert leaks(table, "Brenka Moll")


def test_a_string_of_the_templates_own_text_is_no_leak() -> None:
    table = reading(Entity("asked"))
    table.graph.all_names["asked"] = NodeNames("Asked")  # "You are asked." is the system line
    assert table.audit(prompt(value=Word("x"))) == (0, {})


def test_what_the_model_said_first_is_an_echo() -> None:
    table = reading(ASHGROVE)
    assert leaks(table, "Ashgrove Works")
    table.session.hear("Perhaps the ashgrove works?")
    verdict = table.audit(prompt(value=Reply("the Ashgrove Works").echo("Ashgrove Works")))
    assert verdict.leaks == 0
    assert verdict.counts["echo"] >= 1


def test_an_echo_explains_no_other_name() -> None:
    table = reading(ASHGROVE, PAVO)
    table.session.hear("Ashgrove Works")
    assert leaks(table, "Pavo Moll")


def test_labels_and_common_words_are_ambiguous() -> None:
    graph = MemoryGraph(
        parse_triples("brenka  film.film.starring  film1\nbrenka  film.film.starring  starring1"),
        names={"film1": NodeNames("Film"), "starring1": NodeNames("Starring")},
    )
    table = Desk(toy_records("forward mediator")[0], graph)
    table.session.touch([Entity("film1"), Entity("starring1")])
    assert "film" in common_words()
    assert "starring" not in common_words()
    assert table.audit(prompt(value=Word("film"))) == (0, {"ambiguous": 1})
    assert leaks(table, "starring")
    table.session.labels.add("film.film.starring")
    assert table.audit(prompt(value=Word("starring"))) == (0, {"ambiguous": 1})


def test_the_order_of_explanations() -> None:
    """The question explains before an echo does, and an echo before a common word: each hit is counted once."""
    graph = MemoryGraph(parse_triples("brenka  knows  job1"), names={"job1": NodeNames("Job")})
    table = Desk(toy_records("forward mediator")[0], graph)
    table.session.touch([Entity("job1")])
    table.session.hear("a job")
    assert table.audit(prompt(value=Word("job"))) == (0, {})
    heard = Desk(saying(toy_records("forward mediator")[0], "Where does Brenka Moll work?"), graph)
    heard.session.touch([Entity("job1")])
    heard.session.hear("a job")
    heard.session.labels.add("person.job")
    assert heard.audit(prompt(value=Word("job"))) == (0, {"echo": 1})


# --- literals, ids, short strings --------------------------------------------------------------------------------------


def test_literals_in_clear_count_and_do_not_stop() -> None:
    literal = Literal("1911-05-04", f"{XSD}date")
    for policy in (LiteralPolicy.TYPED, LiteralPolicy.PLAIN):
        verdict = reading(literal, literals=policy).audit(prompt(value=literal))
        assert verdict.leaks == 0
        assert verdict.counts["literals"] >= 1
    assert leaks(reading(literal), "1911-05-04")


def test_source_ids_leak_unless_the_mode_shows_them() -> None:
    node = Entity("m.0qz77")
    assert leaks(reading(node), "m.0qz77")
    table = reading(node, pseudonyms=PseudonymMode.SOURCE_ID)
    verdict = table.audit(prompt(value=node))
    assert verdict.leaks == 0
    assert verdict.counts["source_ids"] >= 1


@pytest.mark.parametrize(
    ("term", "names", "count"),
    [
        (Literal("12"), (), 0),
        (Literal("212", f"{XSD}integer"), (), 0),
        (Literal("1911", f"{XSD}gYear"), (), 1),
        (Literal("12-05"), (), 1),
        (Literal("0999-05-04"), (), 1),
        (Literal("AB"), (), 0),
        (Literal("Abc"), (), 1),
        (Entity("e1"), ("Al", "Bo!", "Cleo"), 1),
        (Entity("node7"), (), 1),
        (Entity("--"), ("...",), 0),
    ],
    ids=str,
)
def test_short_strings_and_plain_numbers_say_nothing(term: Any, names: tuple[str, ...], count: int) -> None:
    assert len(sensitive_strings(term, names)) == count


def test_the_index_finds_runs_of_whole_tokens_each_once() -> None:
    index = SensitiveIndex()
    for name in ("New Velm", "New Velm City", "Velm"):
        index.add(sensitive_strings(Entity("--"), [name]))
    found = {" ".join(hit.tokens) for hit in index.hits(read_text("In new VELM; new Velm citys, new, velm?"))}
    assert found == {"new velm", "velm"}
    assert index.hits(read_text("newvelm city")) == []


def test_what_a_view_reads_is_audited() -> None:
    from kgbench.seam.view import GraphView

    table = desk()
    view = GraphView(table.graph, table.session)
    assert not leaks(table, "Ashgrove Works")
    for relation in view.relations(VELM, Direction.IN):
        view.neighbours(VELM, relation, Direction.IN)
    assert leaks(table, "Ashgrove Works")
    assert leaks(table, "Dovra Loor")
