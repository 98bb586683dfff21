"""Opening a graph by location through the registered adapters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kgbench import registry
from kgbench.errors import PrerequisiteMissing, UsageError
from kgbench.kg.open import open_graph
from kgbench.types import Direction, Entity

if TYPE_CHECKING:
    from pathlib import Path


class Recorder:
    """An adapter that accepts what begins with its prefix, and remembers how it was opened."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.opened: list[object] = []

    def accepts(self, location: str) -> bool:
        return location.startswith(self.prefix)

    def open(self, location: str, profile: object = None, **options: Any) -> object:
        self.opened.append((location, profile, options))
        return self


def install(monkeypatch: pytest.MonkeyPatch, adapters: dict[str, object]) -> None:
    def load(group: str, name: str) -> object:
        assert group == "adapters"
        if isinstance(adapters[name], Exception):
            raise adapters[name]  # type: ignore[misc]
        return adapters[name]

    monkeypatch.setattr(registry, "names", lambda group: sorted(adapters) if group == "adapters" else [])
    monkeypatch.setattr(registry, "load", load)


def test_the_embedded_adapter_is_registered_and_opens_a_folder(tmp_path: Path) -> None:
    (tmp_path / "triples.tsv").write_text("m.01\tx.y.z\tm.02\n")
    graph = open_graph(str(tmp_path))
    assert graph.card.profile.name == "freebase", "the guessed profile is on the card"
    assert len(graph.relations([Entity("m.01")], Direction.OUT)[Entity("m.01")]) == 1
    assert open_graph(str(tmp_path), "plain").card.profile.name == "plain"


def test_the_first_adapter_that_accepts_gets_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Recorder("x"), Recorder("http")
    install(monkeypatch, {"a": first, "b": second})
    assert open_graph("http://localhost/sparql", "freebase", strict=True) is second
    assert second.opened == [("http://localhost/sparql", "freebase", {"strict": True})]
    assert first.opened == []


def test_a_broken_adapter_hurts_nobody_and_is_named_where_nothing_else_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    working = Recorder("http")
    install(monkeypatch, {"a": registry.BrokenPlugin("a of orvane 1.0 cannot be imported"), "b": working})
    assert open_graph("http://localhost/sparql") is working
    with pytest.raises(UsageError, match=r"no adapter reads .*\(adapters: a, b\).*Not asked: a of orvane"):
        open_graph("ftp://localhost/graph")


def test_a_missing_path_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteMissing, match=r"there is no graph at .*nowhere.*give a folder with triples\.tsv"):
        open_graph(str(tmp_path / "nowhere"))


def test_without_adapters_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, {})
    with pytest.raises(UsageError, match="none is installed"):
        open_graph("http://localhost/sparql")


@pytest.mark.parametrize(
    "location",
    [
        "ftp://reader:QuillPass@example.org/graph",
        "gopher://example.org/graph?key=QuillPass",
        "x://a@b:QuillPass@example.org/graph#QuillPass",
    ],
)
def test_an_address_that_nothing_reads_is_shown_without_its_secrets(location: str) -> None:
    with pytest.raises(UsageError, match=r'no adapter reads "[a-z]+://example\.org/graph"') as caught:
        open_graph(location)
    assert "QuillPass" not in str(caught.value)
