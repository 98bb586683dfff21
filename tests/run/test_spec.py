"""The identity of a run: whatever can change an answer changes it, and nothing else does."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from run_desk import given, with_method

from kgbench.run.plan import make_plan
from kgbench.spec import RESOLVED, Identity, RunSpec, signature, spec_id
from kgbench.types import Scenario

SPEC = RunSpec()
IDENTITY = Identity("demo", "0" * 64, "1" * 16, "demo", "2" * 16, "plain", "1", "3" * 12, "4" * 8, {"width": 3})
OTHERS: dict[str, Any] = {
    "method": "tog",
    "scenario": Scenario.P_RAG,
    "setting": "filtered",
    "where": "hops=1",
    "limit": 5,
    "split": "dev",
    "gold": "single",
    "topics_from_graph": True,
    "hide": "crucial",
    "thin": 0.2,
    "thin_seed": 3,
    "model": "openai/x",
    "base_url": "http://localhost:1/v1",
    "local_model": "openai/y",
    "embedder": "st/x",
    "pseudonyms": "source-id",
    "pseudonym_scope": "run",
    "literals": "typed",
    "topic_names": "label",
    "shield": ("names",),
    "trials": 3,
    "seed": 7,
    "jobs": 1,
    "executor": "other",
    "out": "elsewhere",
    "budget": 1.0,
    "cache": "off",
    "max_errors": 0.5,
}
NO_EFFECT = {"jobs", "executor", "out", "budget", "cache", "max_errors"}


def sign(spec: RunSpec, identity: Identity) -> str:
    return signature(spec, identity, n=10, metric="hits1@1", version="0.1.0", key_id="abcdef01")


@pytest.mark.parametrize("name", sorted({item.name for item in fields(RunSpec)} - set(RESOLVED)))
def test_every_setting_with_an_effect_changes_the_identity(name: str) -> None:
    """A new setting fails here until it has a value to try."""
    changed = replace(SPEC, **{name: OTHERS[name]})
    same = name in NO_EFFECT
    assert (spec_id(changed, IDENTITY) == spec_id(SPEC, IDENTITY)) == same
    assert (sign(changed, IDENTITY) == sign(SPEC, IDENTITY)) == same


@pytest.mark.parametrize("item", fields(Identity), ids=lambda item: item.name)
def test_every_content_changes_the_identity(item: Any) -> None:
    changed = replace(IDENTITY, **{item.name: {"width": 2} if item.name == "parameters" else "other"})
    assert spec_id(SPEC, changed) != spec_id(SPEC, IDENTITY)
    assert sign(SPEC, changed) != sign(SPEC, IDENTITY)


def test_the_number_of_questions_the_metric_the_key_and_the_version_stand_in_the_signature() -> None:
    usual = {"n": 10, "metric": "hits1@1", "version": "0.1.0", "key_id": "abcdef01"}
    others = {"n": 11, "metric": "hits1@2", "version": "0.2.0", "key_id": "abcdef02"}
    for name, value in others.items():
        assert signature(SPEC, IDENTITY, **{**usual, name: value}) != signature(SPEC, IDENTITY, **usual)


def test_a_spec_survives_its_own_json() -> None:
    spec = replace(SPEC, **OTHERS, parameters={"steps": (1, 3)})
    assert RunSpec.from_json(spec.to_json()).to_json() == spec.to_json()
    assert spec_id(RunSpec.from_json(spec.to_json()), IDENTITY) == spec_id(spec, IDENTITY)


@pytest.mark.parametrize(
    ("method", "parameters"),
    [("arog", {"width": 2}), ("arog", {"steps": (1, 3)}), ("cot", {"profile": "official"}), ("cot-sc", {"n": 3})],
)
def test_parameters_of_every_method_are_part_of_the_plan(method: str, parameters: dict[str, Any]) -> None:
    plans = [
        make_plan(spec, with_method(given(), spec))
        for spec in (RunSpec(method=method), RunSpec(method=method, parameters=parameters))
    ]
    assert plans[0].spec_id != plans[1].spec_id
    assert plans[0].identity.parameters


def test_parameters_at_their_defaults_are_the_same_run() -> None:
    plans = [
        make_plan(spec, with_method(given(), spec))
        for spec in (RunSpec(), RunSpec(parameters={"width": 3, "steps": (1, 2, 3)}))
    ]
    assert plans[0].spec_id == plans[1].spec_id


@pytest.mark.parametrize(
    ("kg", "shown"),
    [
        ("http://reader:QuillPass@localhost:8890/sparql", "http://reader@localhost:8890/sparql"),
        ("https://reader:Quill:P@ss@example.org/a:b@c", "https://reader@example.org/a:b@c"),
        ("http://:QuillPass@localhost/sparql", "http://@localhost/sparql"),
        ("http://localhost:8890/sparql?default-graph-uri=http://u:p@x", None),
        ("http://reader@localhost/sparql", None),
        ("folder/a:b@c", None),
        ("rog:folder/test-*.parquet", None),
    ],
)
def test_a_password_is_no_setting(kg: str, shown: str | None) -> None:
    assert RunSpec(kg=kg).to_json()["kg"] == (shown or kg)
