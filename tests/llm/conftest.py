from __future__ import annotations

import pytest

from kgbench.contracts import ModelRequest

SECRET = "51ee7c0ffee-neverprinted"
"""Of no form that a pattern would know."""


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    """A key that must show up in no text, set where the backends look for it."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    return SECRET


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture
def request_one() -> ModelRequest:
    """An ordinary request."""
    messages = ({"role": "system", "content": "Answer."}, {"role": "user", "content": "Who runs the Zanzibar ward?"})
    return ModelRequest(messages, {"temperature": 0.0, "max_tokens": 20})
