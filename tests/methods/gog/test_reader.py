"""``builtin/reader`` reads every task and walks the toy world; no question is lost."""

from __future__ import annotations

from typing import Any

import pytest

from kgbench.testing import run_once
from kgbench.testing.canary import canary_world
from kgbench.types import Scenario
from kgbench_methods.gog.method import Gog
from kgbench_methods.gog.schema import short_label


@pytest.mark.parametrize("parameters", [{}, {"profile": "official"}, {"mid_rules": "naive"}, {"incomplete": 0.3}])
@pytest.mark.parametrize("scenario", [Scenario.PRIVATE, Scenario.P_RAG])
def test_the_toy_world(parameters: dict[str, Any], scenario: Scenario) -> None:
    run = run_once(Gog, parameters=parameters, scenario=scenario)
    assert run.summary.leaks == 0
    assert {record["status"] for record in run.records} <= {"ok", "no_answer", "no_topic_entity"}
    assert all(record["error"] is None for record in run.records)


def test_questions_that_it_answers() -> None:
    run = run_once(Gog)
    right = {record["question_id"] for record in run.records if record["prediction"]["source"] == "graph"}
    assert right >= {"date", "homonyms", "hub", "two hops", "two topics"}


def test_the_canary_world_in_private() -> None:
    world = canary_world()
    run = run_once(Gog, graph=world.graph, records=world.records, parameters={"mid_rules": "naive"})
    assert run.summary.leaks == 0
    graph_answers = [r for r in run.records if r["prediction"]["source"] == "graph"]
    # Entities cannot be answers under the naive rules; what remains are the mentions of topics.
    assert all(item["kind"] != "literal" for record in graph_answers for item in record["prediction"]["items"])


@pytest.mark.parametrize(
    ("label", "short"),
    [
        ("people.person.place_of_birth", "person.place_of_birth"),
        ("person.child.godchild", "child.godchild"),
        ("person.child", "person.child"),
        ("directed_by", "directed_by"),
        ("a.b.c-d.e.f", "b.c-e.f"),
        ("http://x.org/a.b.c", "http://x.org/a.b.c"),
        ("a label. of three. words", "a label. of three. words"),
        ("", ""),
    ],
)
def test_short_labels(label: str, short: str) -> None:
    assert short_label(label) == short
