from __future__ import annotations

import importlib.util
import json
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import PrerequisiteMissing, UsageError
from kgbench.llm.models import KNOWN_BACKENDS, READER, open_model

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


class NoEmbeddings:
    """The reader is only opened, not asked."""

    def similarities(self, query: str, texts: Sequence[str]) -> list[float]:
        raise AssertionError(query, texts)

    def similarity_matrix(self, queries: Sequence[str], texts: Sequence[str]) -> NDArray[np.float64]:
        raise AssertionError(queries, texts)


def test_the_reader() -> None:
    card = open_model(READER, embeddings=NoEmbeddings()).card
    assert card.name == READER
    assert not card.language_model
    with pytest.raises(UsageError, match="embedding service"):
        open_model(READER)


def test_served_models() -> None:
    card = open_model("openai/org/model-1", "http://localhost:8000/v1").card
    assert (card.name, card.base_url) == ("openai/org/model-1", "http://localhost:8000/v1")


@pytest.mark.skipif(importlib.util.find_spec("litellm") is None, reason="litellm is not installed")
def test_litellm_models() -> None:
    assert open_model("litellm/mistral/mistral-small").card.name == "litellm/mistral/mistral-small"


def test_a_replayed_run_is_found_by_folder_and_by_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "runs" / "arog-private-demo-1234"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps({"model": {"name": "builtin/reader"}}))
    (folder / "calls.jsonl").write_text("")
    monkeypatch.chdir(tmp_path)
    assert open_model(f"replay:{folder}").card.backend == "replay"
    assert open_model("replay:arog-private-demo-1234").card.backend == "replay"
    with pytest.raises(PrerequisiteMissing, match="nosuchrun"):
        open_model("replay:nosuchrun")


def test_models_in_this_process_are_not_there_yet() -> None:
    with pytest.raises(UsageError, match=r"not in this version.*llama-server"):
        open_model("gguf:/models/small.gguf")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("opnai/gpt-4o", "did you mean openai/NAME"),
        ("litelm/a/b", "did you mean litellm/PROVIDER/NAME"),
        ("reply:RUN", "did you mean replay:RUN"),
        ("builtin/reeder", "did you mean builtin/reader"),
        ("gpt-4o-mini", "did you mean openai/gpt-4o-mini"),
        ("builtin/reader2", "builtin/reader"),
        ("xyz", "the forms are builtin/reader, openai/NAME"),
        ("openai/", "openai/NAME"),
        ("openai", "openai/NAME"),
        ("replay:", "replay:RUN"),
        ("", "the forms are"),
    ],
)
def test_unknown_names_get_a_hint(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match="kgbench list models") as caught:
        open_model(name)
    assert hint in str(caught.value)


@pytest.mark.parametrize("name", [READER, "replay:x", "gguf:x"])
def test_a_base_url_needs_a_served_model(name: str) -> None:
    with pytest.raises(UsageError, match="has no server"):
        open_model(name, "http://localhost:1/v1", NoEmbeddings())


def test_every_backend_is_described() -> None:
    assert [backend.form for backend in KNOWN_BACKENDS] == [
        READER,
        "openai/NAME",
        "litellm/PROVIDER/NAME",
        "replay:RUN",
    ]
    assert all(backend.summary and backend.needs for backend in KNOWN_BACKENDS)
