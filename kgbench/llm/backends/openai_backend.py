"""OpenAI's models and every server that speaks its API (vLLM, llama.cpp, Ollama, ...), through the openai SDK."""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from kgbench.contracts import ModelCard, ModelRequest
from kgbench.errors import FatalModelError
from kgbench.llm.backends.catalogue import Catalogue, read_catalogue, with_window
from kgbench.llm.backends.failures import Endpoint, ServerFailure, exception_for, failure_from_body
from kgbench.llm.backends.served import NO_KEY, ServedModel, checked_base_url

if TYPE_CHECKING:
    from openai import APIError, OpenAI

BASE_URL_VARIABLE = "OPENAI_BASE_URL"
_CONNECT_SECONDS = 10.0
_NO_LIST = (403, 404, 405, 501)
"""Statuses of servers without a list of models, or with a key that may use models and not list them."""


class OpenAIModel(ServedModel):
    """A model of OpenAI or of a compatible server.

    Args:
        name: the model's name at the server.
        base_url: where it is served, such as ``http://localhost:8000/v1``; None: ``$OPENAI_BASE_URL``, else OpenAI.
        api_key_env: environment variable that holds the key; with a base URL it may be unset.
        timeout: most seconds between two bytes of a response.

    Raises:
        UsageError: the base URL is malformed or holds a password.
    """

    def __init__(
        self,
        name: str,
        base_url: str | None = None,
        api_key_env: str = "OPENAI_API_KEY",
        timeout: float = 120.0,
    ) -> None:
        base_url = checked_base_url(base_url or os.environ.get(BASE_URL_VARIABLE) or None)
        super().__init__(
            ModelCard(name=f"openai/{name}", backend="openai", base_url=base_url),
            Endpoint(f"openai/{name}", base_url or "api.openai.com", api_key_env),
        )
        self._name = name
        self._base_url = base_url
        self._key_variable = api_key_env
        self._timeout = timeout
        self._lock = threading.Lock()
        self._client: OpenAI | None = None

    def check(self) -> None:
        """Make sure that a key is set, without a request; a run whose replies are all cached needs none.

        Raises:
            FatalModelError: it is not, or it cannot be a key.
        """
        self._key()

    def catalogue(self) -> Catalogue:
        """Ask the server which models it serves; llama.cpp is asked for its context window too. Costs nothing.

        Raises:
            FatalModelError: no key, or one that is not accepted.
            TransientFailure: no answer, or one that says to come back later.
            ModelUnavailable: the server rejects the question.
        """
        body = self._list_models()
        if isinstance(body, ServerFailure):
            if body.status in _NO_LIST:
                return Catalogue(None, silence=f"it does not list them (HTTP {body.status})")
            raise exception_for(body, self._endpoint, ModelRequest((), {}), self._secret())
        catalogue = read_catalogue(body, self._name)
        if catalogue.product != "llama.cpp" or self._base_url is None:
            return catalogue
        parts = urlsplit(self._base_url)
        properties = self._properties(f"{parts.scheme}://{parts.netloc}/props")
        return catalogue if isinstance(properties, ServerFailure) else with_window(catalogue, properties)

    def _list_models(self) -> dict[str, Any] | ServerFailure:
        import openai

        client = self._open_client().with_options(timeout=_CONNECT_SECONDS)
        try:
            response = client.models.with_raw_response.list().http_response
        except openai.APIError as error:
            return failure_of_sdk(error)
        return _parsed(response.text, str(response.headers.get("content-type", "no content type")))

    def _properties(self, address: str) -> dict[str, Any] | ServerFailure:
        """Read what llama.cpp tells of itself beside OpenAI's interface."""
        import openai

        client = self._open_client().with_options(timeout=_CONNECT_SECONDS)
        try:
            return _parsed(client.get(address, cast_to=str), "text")
        except openai.APIError as error:
            return failure_of_sdk(error)

    def _send(self, messages: list[dict[str, str]], parameters: dict[str, Any]) -> dict[str, Any] | ServerFailure:
        import openai

        client = self._open_client()
        try:
            response = client.chat.completions.with_raw_response.create(
                model=self._name,
                messages=messages,  # type: ignore[arg-type]
                **parameters,
            ).http_response
        except openai.APIError as error:
            return failure_of_sdk(error)
        return _parsed(response.text, str(response.headers.get("content-type", "no content type")))

    def _open_client(self) -> OpenAI:
        """The SDK's client: one for all threads, made at the first request."""
        import openai

        with self._lock:
            if self._client is None:
                self._client = openai.OpenAI(
                    api_key=self._key(),
                    base_url=self._base_url,
                    max_retries=0,
                    timeout=openai.Timeout(self._timeout, connect=min(self._timeout, _CONNECT_SECONDS)),
                )
            return self._client

    def _key(self) -> str:
        key = os.environ.get(self._key_variable, "").strip()
        if not key and self._base_url is not None:
            return NO_KEY
        if not key:
            raise FatalModelError(
                f"{self.card.name} needs a key: set the environment variable {self._key_variable}, "
                "or name a server of your own with --base-url"
            )
        if not (key.isascii() and key.isprintable()) or " " in key:
            # The SDK's error would print the header, key and all.
            raise FatalModelError(f"the environment variable {self._key_variable} holds characters that no key has")
        return key

    def _secret(self) -> str:
        return os.environ.get(self._key_variable, "").strip()


def failure_of_sdk(error: APIError) -> ServerFailure:
    """Read an exception of the openai SDK, or of litellm, whose exceptions derive from it."""
    import openai

    if isinstance(error, openai.APITimeoutError):
        return ServerFailure(kind="timeout")
    if isinstance(error, openai.APIConnectionError):
        return ServerFailure(kind="connection")
    response = getattr(error, "response", None)
    headers = dict(response.headers) if response is not None else {}
    status = getattr(error, "status_code", None)
    if status is None or status < 400:
        return ServerFailure(status, kind="bad_reply", message="the response cannot be read")
    return failure_from_body(status, error.body if error.body is not None else error.message, headers)


def _parsed(text: str, content_type: str) -> dict[str, Any] | ServerFailure:
    """Parse a body with status 200; not its words but only its kind is told, for it may be anything."""
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if isinstance(body, dict):
        return body
    media_type = content_type.partition(";")[0][:40]
    return ServerFailure(
        200,
        kind="bad_reply",
        message=f"HTTP 200, but {len(text)} characters of {media_type} that are no JSON object; "
        "check --base-url (often .../v1)",
    )
