from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

import pytest

from kgbench import registry
from kgbench.registry import Plugin
from kgbench.scoring.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Callable

    Cli = Callable[..., Any]


def plugin(name: str, target: str, group: str = "methods") -> Plugin:
    return Plugin(name, group, "strange-pack", "1.2", target, EntryPoint(name, target, f"kgbench.{group}"))


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("methods", "arog"),
        ("datasets", "demo"),
        ("models", "builtin/reader"),
        ("metrics", "hits1"),
        ("adapters", "oxigraph"),
        ("presets", "arog-paper"),
    ],
)
def test_what_can_be_named_is_listed(cli: Cli, what: str, name: str) -> None:
    done = cli("list", what)
    assert done.code == 0
    assert name in [line.split()[0] for line in done.out.splitlines() if line]
    assert "next  kgbench " in done.out
    entries = json.loads(cli("list", what, "--json").out)[what]
    assert name in [next(iter(entry.values())) for entry in entries]


def test_graphs_are_listed_by_their_forms(cli: Cli) -> None:
    assert "FOLDER" in cli("list", "kgs").out


def test_methods_come_with_their_summary_and_owner(cli: Cli) -> None:
    entries = {entry["name"]: entry for entry in json.loads(cli("list", "methods", "--json").out)["methods"]}
    assert entries["io"]["from"] == "kgbench"
    assert entries["io"]["state"] == "ok"
    assert entries["io"]["summary"].startswith("Ask the model")


def test_every_metric_has_a_summary(cli: Cli) -> None:
    entries = json.loads(cli("list", "metrics", "--json").out)["metrics"]
    assert [entry["name"] for entry in entries] == list(METRICS)
    assert all(entry["summary"] and entry["version"] == "1" for entry in entries)


def test_a_broken_plugin_is_named_and_hurts_no_other(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    good = registry.plugins("methods")["io"][0]
    found = (
        good,
        plugin("broken", "no_such_module_anywhere:Method"),
        plugin("no-card", "json:JSONDecoder"),
        plugin("io", "json:JSONEncoder"),
        plugin("[/red]|<b>", "no_such_module_anywhere:=1+1"),
    )
    monkeypatch.setattr(registry, "_all_plugins", lambda: found)
    done = cli("list", "methods")
    assert done.code == 0
    entries = json.loads(cli("list", "methods", "--json").out)["methods"]
    by_name = {(entry["name"], entry["from"]): entry for entry in entries}
    broken = by_name["broken", "strange-pack"]
    assert broken["state"] == "broken"
    assert "strange-pack 1.2" in broken["summary"]
    assert "ModuleNotFoundError" in broken["summary"]
    assert by_name["no-card", "strange-pack"]["state"] == "broken"
    assert "is claimed by" in by_name["io", "kgbench"]["summary"]
    assert "[/red]|<b>" in done.out


def test_an_unknown_thing_to_list(cli: Cli) -> None:
    done = cli("list", "nonsense")
    assert done.code == 2
    assert "methods" in done.err


@dataclass(frozen=True)
class Result:
    name: str
    passed: bool
    detail: str = ""


def test_check_prints_its_results_and_fails_with_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    results = [Result("private shows no name", passed=True), Result("card", passed=False, detail="no [bold]summary")]
    monkeypatch.setattr("kgbench.testing.conformance.check_method", lambda _name: results)
    done = cli("check", "io")
    assert done.code == 1
    assert "FAILED  no [bold]summary" in done.out
    assert "1 of 2 checks passed" in done.out
    data = json.loads(cli("check", "io", "--json").out)
    assert data["passed"] is False
    assert data["checks"][1] == {"name": "card", "passed": False, "detail": "no [bold]summary"}
    monkeypatch.setattr("kgbench.testing.conformance.check_method", lambda _name: results[:1])
    assert cli("check", "io").code == 0


def test_check_of_an_unknown_method(cli: Cli) -> None:
    done = cli("check", "aroq")
    assert (done.code, "did you mean arog" in done.err) == (2, True)
