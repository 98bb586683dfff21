"""What backends of served models have in common: translate, send once, read the reply or name the failure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from kgbench.contracts import Completion
from kgbench.errors import UsageError
from kgbench.llm.backends.dialect import Dialect
from kgbench.llm.backends.failures import Endpoint, ServerFailure, exception_for
from kgbench.llm.backends.replies import read_reply

if TYPE_CHECKING:
    from kgbench.contracts import ModelCard, ModelRequest

NO_KEY = "no-key-needed"
"""Sent to a server of one's own where no key is set; the SDKs want one."""


class ServedModel(ABC):
    """A model behind a chat completions API. One call of :meth:`complete` sends one request.

    Args:
        card: what the model is.
        endpoint: the server, for messages.
        known: parameters that the server is known to take; None: all usual ones.
    """

    def __init__(self, card: ModelCard, endpoint: Endpoint, known: tuple[str, ...] | None = None) -> None:
        self._card = card
        self._endpoint = endpoint
        self._dialect = Dialect(endpoint, known)

    @property
    def card(self) -> ModelCard:
        """What the model is."""
        return self._card

    @property
    def key_variable(self) -> str:
        """Environment variable that holds the key."""
        return self._endpoint.key_variable

    def complete(self, request: ModelRequest) -> Completion:
        """Send one request; a server that gives fewer than ``n`` choices is not asked again here.

        Raises:
            TransientFailure: worth another try.
            Refused: by the content policy, with a refusal, or with no choice at all.
            PromptTooLong: it does not fit the model.
            FatalModelError: key, account or model will never work.
            ModelUnavailable: the server rejects this request for another reason.
        """
        parameters, dropped = self._dialect.parameters(request)
        body = self._send([dict(message) for message in request.messages], parameters)
        outcome = body if isinstance(body, ServerFailure) else read_reply(body, dropped)
        if isinstance(outcome, Completion):
            return outcome
        # Raised here, outside any except block: the SDK's exception would carry the server's words along.
        learned = self._dialect.learn(outcome, parameters)
        raise learned or exception_for(outcome, self._endpoint, request, self._secret())

    @abstractmethod
    def _send(self, messages: list[dict[str, str]], parameters: dict[str, Any]) -> dict[str, Any] | ServerFailure:
        """Send one request and return the parsed body, or what failed."""

    @abstractmethod
    def _secret(self) -> str:
        """The key, so that it can be blanked in a server's words; empty where there is none."""


def checked_base_url(base_url: str | None) -> str | None:
    """Return a base URL without a slash at its end.

    Raises:
        UsageError: it is no http(s) URL, or holds a password or query: it is recorded and printed.
    """
    if base_url is None:
        return None
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("--base-url must be an http(s) URL, such as http://localhost:8000/v1")
    if parts.username or parts.password or parts.query:
        raise UsageError(
            "--base-url must hold no user, password or query, for it is recorded with the run; "
            "keys come from environment variables"
        )
    return base_url.rstrip("/")
