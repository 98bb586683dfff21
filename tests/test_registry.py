"""Plugins: listed without importing anything, run like kgbench's own, and a broken one hurts nobody."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgbench import registry
from kgbench.errors import UsageError
from kgbench.registry import BrokenPlugin
from kgbench.testing import check_method, run_once

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(__file__).parent / "plugins" / "kgbench_example_plugin"
PACKAGE = "kgbench_example_plugin"


def install(target: Path, name: str, version: str, entry_points: dict[str, dict[str, str]]) -> None:
    """Lay out what ``pip install --target`` leaves behind for pure Python: metadata beside the package."""
    info = target / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = (
        f"[{group}]\n" + "".join(f"{entry} = {value}\n" for entry, value in entries.items())
        for group, entries in entry_points.items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups))


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which the example plugin is installed, on the path of this process."""
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shutil.copytree(SOURCE / PACKAGE, tmp_path / PACKAGE)
    install(tmp_path, project["name"], project["version"], project["entry-points"])
    monkeypatch.syspath_prepend(tmp_path)
    registry.forget()
    yield tmp_path
    registry.forget()
    for module in [module for module in sys.modules if module.partition(".")[0] == PACKAGE]:
        del sys.modules[module]


def test_plugins_are_listed_beside_the_own_methods_without_an_import(plugin: Path) -> None:
    names = registry.names("methods")
    assert names == sorted(names)
    assert {"arog", "io", "example-neighbours", "example-broken"} <= set(names)
    (entry,) = registry.plugins("methods")["example-broken"]
    assert (entry.distribution, entry.version) == ("kgbench-example-plugin", "1.2.3")
    assert PACKAGE not in sys.modules


def test_a_plugin_runs_like_an_own_method(plugin: Path) -> None:
    run = run_once("example-neighbours", parameters={"width": 2})
    assert run.summary.method == "example-neighbours"
    assert run.record("date")["prediction"]["items"][0]["text"] == "1911-05-04"
    assert run.manifest["plugins"] == {"example-neighbours": "kgbench-example-plugin 1.2.3"}
    with pytest.raises(UsageError, match='no parameter "widht"; did you mean width'):
        run_once("example-neighbours", parameters={"widht": 2})


def test_a_plugin_is_checked_like_an_own_method(plugin: Path) -> None:
    only = (
        "the card is complete",
        "names only where they may be shown: private, keyed",
        "the hash seed changes no request",
    )
    assert [result.passed for result in check_method("example-neighbours", only=only)] == [True] * (1 + len(only))


def test_a_broken_plugin_is_named_and_hurts_nobody_else(plugin: Path) -> None:
    with pytest.raises(BrokenPlugin) as caught:
        registry.load("methods", "example-broken")
    for said in (
        "example-broken",
        "kgbench-example-plugin 1.2.3",
        "the package gearbox is missing",
        "others still work",
    ):
        assert said in str(caught.value)
    assert registry.load("methods", "example-neighbours").card.name == "example-neighbours"
    assert registry.load("methods", "arog").card.name == "arog"


def test_the_command_line_sees_plugins_too(plugin: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(plugin), *sys.path])}
    listed = subprocess.run(
        [sys.executable, "-m", "kgbench", "list", "methods", "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    methods = {entry["name"]: entry for entry in json.loads(listed.stdout)["methods"]}
    assert methods["example-neighbours"]["from"] == "kgbench-example-plugin"
    assert methods["arog"]["state"] == "ok"
    assert methods["example-broken"]["state"] != "ok"
    assert "gearbox" in str(methods["example-broken"])


def test_a_name_of_two_owners_is_refused_with_both(plugin: Path) -> None:
    install(plugin, "second-owner", "0.1", {"kgbench.methods": {"example-neighbours": "nowhere:Nothing"}})
    registry.forget()
    with pytest.raises(BrokenPlugin, match=r"claimed by kgbench-example-plugin 1\.2\.3 and second-owner 0\.1"):
        registry.load("methods", "example-neighbours")
    assert registry.load("methods", "arog").card.name == "arog"


def test_one_package_seen_twice_on_the_path_is_one_owner(
    plugin: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = tmp_path_factory.mktemp("again")
    shutil.copytree(plugin, again, dirs_exist_ok=True)
    monkeypatch.syspath_prepend(again)
    registry.forget()
    assert len(registry.plugins("methods")["example-neighbours"]) == 1


def test_what_is_no_method_is_said_so(plugin: Path) -> None:
    from kgbench.run.plan import load_method

    install(plugin, "odd-owner", "0.1", {"kgbench.methods": {"odd": "json:JSONDecoder"}})
    registry.forget()
    with pytest.raises(BrokenPlugin, match="has no card or no answer"):
        load_method("odd", {})


@pytest.mark.parametrize(
    ("name", "said"), [("arogg", "did you mean arog"), ("cot_sc", "did you mean cot-sc"), ("zzz", "known are: ")]
)
def test_an_unknown_name_is_answered_with_near_ones(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=f'there is no method "{name}"; {said}'):
        registry.load("methods", name)
