from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from kgbench.embed import EmbeddingService, SentenceTransformerEmbedder, StaticEmbedder, load, open_service
from kgbench.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def test_builtin_static_is_one_object_per_process() -> None:
    assert isinstance(load("builtin/static"), StaticEmbedder)
    assert load("builtin/static") is load("builtin/static")


@pytest.mark.parametrize("name", ["", "builtin/other", "st/", "st", "minilm"])
def test_an_unknown_name_says_what_there_is(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(name)
    assert str(caught.value) == (
        f'unknown embedder "{name}": use builtin/static, or st/NAME for a sentence-transformers model, '
        "such as st/all-MiniLM-L6-v2"
    )


def test_the_missing_extra_is_named_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra) as caught:
        load("st/all-MiniLM-L6-v2")
    assert str(caught.value) == (
        'the embedder st/all-MiniLM-L6-v2 needs the extra "embed": pip install "kgbench[embed]"'
    )
    assert caught.value.extra == "embed"


@pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="the extra embed is not installed")
def test_a_sentence_transformer_is_not_loaded_by_its_name() -> None:
    assert isinstance(load("st/nobody/no-such-model"), SentenceTransformerEmbedder)


def test_builtin_static_keeps_nothing_on_disk(tmp_path: Path) -> None:
    with open_service("builtin/static", tmp_path / "vectors.sqlite") as service:
        assert isinstance(service, EmbeddingService)
        assert service.encode(["ward"]).shape == (1, service.card.dimensions)
    assert list(tmp_path.iterdir()) == []
