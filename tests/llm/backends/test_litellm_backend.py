from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from kgbench.contracts import ModelRequest
from kgbench.errors import FatalModelError, MissingExtra, UsageError
from kgbench.llm.backends.litellm_backend import LiteLLMModel
from kgbench.testing import ChatServer, chat

installed = pytest.mark.skipif(importlib.util.find_spec("litellm") is None, reason="litellm is not installed")

_WITHOUT_NETWORK = """
import socket
tried = []
def blocked(*args, **kwargs):
    tried.append(args)
    raise OSError("no network in this test")
for name in ("connect", "connect_ex", "sendto"):
    setattr(socket.socket, name, blocked)
for name in ("getaddrinfo", "create_connection", "gethostbyname"):
    setattr(socket, name, blocked)
from kgbench.llm.backends.litellm_backend import LiteLLMModel
for name in ("openai/gpt-4o-mini", "mistral/mistral-small", "ollama/llama3", "nosuch/model"):
    LiteLLMModel(name)
import litellm
print(len(litellm.model_cost) > 100, litellm.drop_params, tried)
"""


@installed
def test_the_import_opens_no_socket_and_prints_nothing(tmp_path: object) -> None:
    out = subprocess.run(
        [sys.executable, "-c", _WITHOUT_NETWORK], capture_output=True, text=True, check=True, cwd=str(tmp_path)
    )
    assert out.stdout.strip() == "True False []"
    assert out.stderr == ""


@installed
def test_card_and_unsupported_parameters(request_one: ModelRequest) -> None:
    request = ModelRequest(
        request_one.messages, {"temperature": 0.0, "max_tokens": 5, "presence_penalty": 0.1, "seed": 1}
    )
    with ChatServer([chat("hello")]) as server:
        model = LiteLLMModel("mistral/mistral-small", server.base_url)
        assert (model.card.name, model.card.backend) == ("litellm/mistral/mistral-small", "litellm")
        assert model.complete(request).dropped == ("presence_penalty",)
        [sent] = server.requests
    assert "presence_penalty" not in sent.body
    assert sent.body["max_tokens"] == 5


@installed
def test_an_unknown_provider_stops_the_run(request_one: ModelRequest) -> None:
    with pytest.raises(FatalModelError, match="model's name"):
        LiteLLMModel("nosuch/model").complete(request_one)


@installed
def test_a_missing_key_stops_the_run(monkeypatch: pytest.MonkeyPatch, request_one: ModelRequest) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(FatalModelError, match="OPENAI_API_KEY"):
        LiteLLMModel("openai/gpt-4o-mini").complete(request_one)


@pytest.mark.parametrize("name", ["gpt-4o", "openai/", "/gpt-4o", ""])
def test_a_name_needs_a_provider(name: str) -> None:
    with pytest.raises(UsageError, match="litellm/PROVIDER/NAME"):
        LiteLLMModel(name)


def test_without_litellm_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r'litellm/mistral/small needs the extra "litellm": pip install'):
        LiteLLMModel("mistral/small")
