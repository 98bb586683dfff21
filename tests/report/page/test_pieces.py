from __future__ import annotations

import pytest

from kgbench.report.page.pieces import Turn, turn_of
from kgbench.testing import run_once, toy_records


def facts_of(turn: Turn) -> list[tuple[str, str, str]]:
    return [tuple(turn.pieces[place].text for place in fact) for fact in turn.facts()]  # type: ignore[misc]


def turn(text: str, *marked: tuple[str, str]) -> Turn:
    """A turn whose marked words stand in this order in the text."""
    spans, end = [], 0
    for word, origin in marked:
        start = text.index(word, end)
        end = start + len(word)
        spans.append([start, end, origin])
    made = turn_of({"messages": [{"content": text}], "spans": spans})
    assert made is not None
    return made


def test_facts_are_read_off_the_spans() -> None:
    made = turn(
        "Triples:\nBrenka, person.job, m.01 (firm)\nm.01 (firm), firm.since, m.02 (date); m.03 (x), r, m.04",
        ("Brenka", "mention"),
        ("person.job", "relation"),
        ("m.01", "handle"),
        ("firm", "concept"),
        ("m.01", "handle"),
        ("firm", "concept"),
        ("firm.since", "relation"),
        ("m.02", "handle"),
        ("m.03", "handle"),
        ("r", "relation"),
        ("m.04", "handle"),
    )
    assert facts_of(made) == [
        ("Brenka", "person.job", "m.01"),
        ("m.01", "firm.since", "m.02"),
        ("m.03", "r", "m.04"),
    ]


def test_a_list_of_relations_is_no_fact() -> None:
    assert facts_of(turn("m.01, r.a, r.b", ("m.01", "handle"), ("r.a", "relation"), ("r.b", "relation"))) == []


@pytest.mark.parametrize("scenario", ["private", "p-rag"])
def test_every_fact_of_a_real_prompt_is_found(scenario: str) -> None:
    """Counted against the text itself: a line of evidence is one fact."""
    run = run_once("tog", records=toy_records("forward mediator", "two hops"), scenario=scenario)
    answering = [
        call for call in run.calls if call["phase"] == "generation" and "person." in call["messages"][-1]["content"]
    ]
    assert answering
    for call in answering:
        made = turn_of(call)
        assert made is not None
        lines = [line for line in call["messages"][-1]["content"].splitlines() if line.count(", ") == 2]
        assert len(facts_of(made)) >= len(lines) > 0


@pytest.mark.parametrize(
    "spans",
    [None, [[0, 99, "name"]], [[3, 1, "name"]], [[0, 2, "name"], [1, 3, "name"]], [[0, 2]], [["0", 2, "name"]], [5]],
)
def test_spans_that_do_not_fit_the_text_give_no_turn(spans: object) -> None:
    assert turn_of({"messages": [{"content": "some text"}], "spans": spans}) is None
