from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.errors import UsageError
from kgbench.report.page import build_page
from kgbench.run.plan import Given, make_plan
from kgbench.run.runner import start
from kgbench.seam.pseudonyms import MasterKey
from kgbench.spec import RunSpec
from kgbench.testing import TEST_KEY
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEY = MasterKey(bytes(32))


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Runs of three demo questions, made with the key of the environment."""
    from pathlib import Path

    monkeypatch.setenv("KGBENCH_KEY", "00" * 32)

    def make(**settings: Any) -> Path:
        fixed = {"method": "arog", "limit": 3, "jobs": 1, "cache": "off", "out": str(tmp_path / "runs")}
        return Path(start(make_plan(RunSpec(**{**fixed, **settings}), Given(key=KEY))).path)

    return make


def owner(page: Any, number: int = 1) -> dict[str, Any]:
    return page.question(number)["runs"][0]["trials"][0]["owner"]


def test_a_revealed_page_tells_what_every_handle_stood_for(
    demo: Callable[..., Path], page_of: Callable[..., Any]
) -> None:
    run = demo()
    page = page_of(run, revealed=True)
    assert page.meta["notes"] == []
    for number in (1, 2, 3):
        calls = page.question(number)["runs"][0]["trials"][0]["calls"]
        handles = {s[1] for call in calls for s in call["turn"] if isinstance(s, list) and s[1].startswith("m.0")}
        terms = owner(page, number)["terms"]
        assert handles <= terms.keys()
        assert handles or number == 1
        assert all(kind in ("entity", "literal") and ident for kind, ident, _ in terms.values())
        named = [name for kind, _, name in terms.values() if kind == "entity"]
        assert sum(map(bool, named)) >= len(named) * 0.6  # some nodes of the demo have no name
    assert page.question(1)["owner"]["gold"][0]["value"] == "47860"
    assert owner(page)["items"][0]["text"] == "47860"
    assert page.index[0]["id"] == "demo-001"
    assert "47860" not in page_of(run).everything


def test_a_revealed_page_says_so_on_top_and_in_its_title(demo: Callable[..., Path]) -> None:
    html = build_page([demo()], revealed=True).html
    assert "<title>REVEALED: " in html
    assert '<body class="revealed">' in html
    assert "default-src &#x27;none&#x27;" in html


def test_handles_of_a_whole_run(demo: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    page = page_of(demo(pseudonym_scope="run"), revealed=True)
    calls = page.question(3)["runs"][0]["trials"][0]["calls"]
    handles = {s[1] for call in calls for s in call["turn"] if isinstance(s, list) and s[1].startswith("m.0")}
    assert handles
    assert handles <= owner(page, 3)["terms"].keys()


def test_another_key_is_refused_without_naming_it(demo: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    run = demo()
    monkeypatch.setenv("KGBENCH_KEY", TEST_KEY.secret.hex())
    with pytest.raises(UsageError, match="another pseudonym key") as caught:
        build_page([run], revealed=True)
    assert TEST_KEY.secret.hex() not in str(caught.value)
    build_page([run])  # a scrubbed page needs no key


def test_without_its_graph_ids_stand_in_place_of_names(demo: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    run = demo()
    manifest = json.loads((run / "manifest.json").read_text())
    manifest["spec"]["kg"] = str(run / "gone")
    (run / "manifest.json").write_text(json.dumps(manifest))
    page = page_of(run, revealed=True)
    assert page.meta["notes"] == ["run A: the run's graph cannot be opened here: ids stand in place of names"]
    assert {term[2] for term in owner(page, 3)["terms"].values() if term[0] == "entity"} == {""}


def test_a_graph_that_changed_is_mentioned(demo: Callable[..., Path], page_of: Callable[..., Any]) -> None:
    run = demo()
    manifest = json.loads((run / "manifest.json").read_text())
    manifest["identity"]["kg_fingerprint"] = "0" * 64
    (run / "manifest.json").write_text(json.dumps(manifest))
    assert any("has changed since" in note for note in page_of(run, revealed=True).meta["notes"])


def test_names_shown_to_the_provider_are_shown_to_the_owner(
    demo: Callable[..., Path], page_of: Callable[..., Any]
) -> None:
    run = demo(scenario=Scenario.P_RAG)
    assert "[4,null,1]" in page_of(run).html
    assert "null,1]" not in page_of(run, revealed=True).html
