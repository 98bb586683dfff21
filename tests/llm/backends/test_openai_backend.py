from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import FatalModelError, UsageError
from kgbench.llm.backends.openai_backend import OpenAIModel
from kgbench.testing import ChatServer, chat

if TYPE_CHECKING:
    from kgbench.contracts import ModelRequest


def test_card() -> None:
    card = OpenAIModel("gpt-4o-mini-2024-07-18").card
    assert (card.name, card.backend, card.base_url) == ("openai/gpt-4o-mini-2024-07-18", "openai", None)
    assert card.cacheable
    assert card.language_model
    assert OpenAIModel("a/b", "http://localhost:8000/v1/").card.base_url == "http://localhost:8000/v1"


def test_the_address_of_the_environment_is_part_of_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the cache would serve one server's replies under another's name."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:9/v1")
    assert OpenAIModel("a").card.base_url == "http://localhost:9/v1"


def test_without_a_key_nothing_is_sent(request_one: ModelRequest) -> None:
    model = OpenAIModel("gpt-4o-mini-2024-07-18", api_key_env="MY_KEY")
    for send in (model.check, lambda: model.complete(request_one)):
        with pytest.raises(FatalModelError, match=r"MY_KEY.*--base-url"):
            send()


@pytest.mark.parametrize("key", ["sk-with space", "sk-schlüssel", "sk-line\nbreak"])
def test_a_key_that_cannot_be_one_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, request_one: ModelRequest, key: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(FatalModelError, match="OPENAI_API_KEY holds characters") as caught:
        OpenAIModel("a").complete(request_one)
    assert key not in str(caught.value)


def test_the_key_comes_from_the_named_variable(monkeypatch: pytest.MonkeyPatch, request_one: ModelRequest) -> None:
    monkeypatch.setenv("MY_KEY", " my-key-1 \n")
    with ChatServer([chat("hello")]) as server:
        OpenAIModel("a", server.base_url, api_key_env="MY_KEY").complete(request_one)
        assert server.requests[0].headers["authorization"] == "Bearer my-key-1"


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://host/v1", "http://", "http://me:pw@host/v1", "http://h/v1?key=1"]
)
def test_base_urls_that_cannot_be_recorded_are_refused(url: str) -> None:
    with pytest.raises(UsageError, match="--base-url") as caught:
        OpenAIModel("a", url)
    assert "pw" not in str(caught.value)


def test_the_sdk_is_imported_with_the_first_request_only() -> None:
    code = (
        "import sys; from kgbench.llm.models import open_model; open_model('openai/a', 'http://localhost:1/v1');"
        "print([m for m in ('openai', 'litellm', 'httpx') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
