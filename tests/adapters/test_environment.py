"""What the environment says of how graphs are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kgbench.errors import UsageError
from kgbench_adapters.environment import time_limit, user_agent
from kgbench_adapters.metaqa.adapter import MetaqaAdapter
from kgbench_adapters.oxigraph.adapter import OxigraphAdapter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KGBENCH_KG_TIMEOUT", raising=False)
    assert time_limit() == 30.0
    monkeypatch.setenv("KGBENCH_KG_TIMEOUT", " 2.5 ")
    assert time_limit() == 2.5


@pytest.mark.parametrize("text", ["0", "-1", "soon", "inf", "nan"])
def test_no_time_limit(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGBENCH_KG_TIMEOUT", text)
    with pytest.raises(UsageError, match=f'KGBENCH_KG_TIMEOUT is "{text}"; give a number of seconds'):
        time_limit()


def test_the_embedded_graph_keeps_to_it_unless_it_is_told_otherwise(
    graph_folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGBENCH_KG_TIMEOUT", "7")
    folder = str(graph_folder(triples="a\tr\tb"))
    assert OxigraphAdapter.open(folder)._timeout == 7.0
    assert OxigraphAdapter.open(folder, timeout=3.0)._timeout == 3.0


def test_so_do_graphs_of_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGBENCH_KG_TIMEOUT", "7")
    facts = tmp_path / "kb.txt"
    facts.write_text("Old Lantern|directed_by|Ada Fenn\n", encoding="utf-8")
    for graph, seconds in ((MetaqaAdapter.open(str(facts)), 7.0), (MetaqaAdapter.open(str(facts), timeout=3.0), 3.0)):
        assert isinstance(graph, OxigraphAdapter)
        assert graph._timeout == seconds


def test_a_sender(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KGBENCH_USER_AGENT", raising=False)
    assert user_agent() == ""
    monkeypatch.setenv("KGBENCH_USER_AGENT", "lab/1.0 (mail@example.org)\n")
    assert user_agent() == "lab/1.0 (mail@example.org)"
