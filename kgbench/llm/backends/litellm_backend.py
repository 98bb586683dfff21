"""Models of many providers through litellm (extra ``litellm``)."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import threading
from dataclasses import replace
from typing import Any

from kgbench.contracts import ModelCard
from kgbench.errors import FatalModelError, MissingExtra, UsageError
from kgbench.llm.backends.catalogue import Catalogue
from kgbench.llm.backends.dialect import SAMPLING
from kgbench.llm.backends.failures import Endpoint, ServerFailure
from kgbench.llm.backends.openai_backend import failure_of_sdk
from kgbench.llm.backends.served import NO_KEY, ServedModel, checked_base_url

_ENVIRONMENT = {
    # Without it the import fetches a price map from the network.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_OFFLINE_MODE": "true",
    # Without it the import reads a .env file of whatever folder one stands in.
    "LITELLM_MODE": "PRODUCTION",
}
_CODES = {
    "ContextWindowExceededError": "context_length_exceeded",
    "ContentPolicyViolationError": "content_policy_violation",
    "UnsupportedParamsError": "unsupported_parameter",
}
"""litellm's exceptions that say what the status does not."""
_NO_CONNECTION = re.compile(r"connection error|name or service not known|connection refused", re.IGNORECASE)

_import_lock = threading.Lock()


class LiteLLMModel(ServedModel):
    """A model that litellm can reach.

    Args:
        name: provider and model, such as ``mistral/mistral-small``.
        base_url: address of the provider's API; None: the provider's own.
        timeout: seconds that a request may take.

    Raises:
        MissingExtra: litellm is not installed.
        UsageError: ``name`` has no provider, or the base URL is malformed or holds a password.
    """

    def __init__(self, name: str, base_url: str | None = None, timeout: float = 120.0) -> None:
        provider, slash, model = name.partition("/")
        if not (provider and slash and model):
            raise UsageError(f'"litellm/{name}" names no provider; the form is litellm/PROVIDER/NAME')
        if importlib.util.find_spec("litellm") is None:
            raise MissingExtra("litellm", f"the model litellm/{name}")
        base_url = checked_base_url(base_url)
        self._key_variable = f"{provider.upper().replace('-', '_')}_API_KEY"
        super().__init__(
            ModelCard(name=f"litellm/{name}", backend="litellm", base_url=base_url),
            Endpoint(f"litellm/{name}", base_url or provider, self._key_variable),
            _known_parameters(name),
        )
        self._name = name
        self._base_url = base_url
        self._timeout = timeout
        self._checked = False

    def check(self) -> None:
        """Make sure that a key is set, without a request; a run whose replies are all cached needs none.

        Raises:
            FatalModelError: the provider wants nothing but a key and it is not set.
        """
        if self._base_url is not None or self._checked:
            return
        missing = import_litellm().validate_environment(self._name)["missing_keys"]
        # With several variables missing, litellm does not say which of them will do.
        if missing == [self._key_variable]:
            raise FatalModelError(f"{self.card.name} needs a key: set the environment variable {self._key_variable}")
        self._checked = True

    def catalogue(self) -> Catalogue:
        """What litellm's own list says of the model; nothing is sent."""
        try:
            window = import_litellm().get_model_info(self._name).get("max_input_tokens")
        except Exception:  # noqa: BLE001 - it raises the base class for a model that it does not know
            window = None
        return Catalogue(None, window=window, silence="litellm cannot ask a provider for its models")

    def _send(self, messages: list[dict[str, str]], parameters: dict[str, Any]) -> dict[str, Any] | ServerFailure:
        import openai

        self.check()
        litellm = import_litellm()
        try:
            response = litellm.completion(
                model=self._name,
                messages=messages,
                api_base=self._base_url,
                api_key=None if self._base_url is None or self._secret() else NO_KEY,
                timeout=self._timeout,
                num_retries=0,
                max_retries=0,
                drop_params=False,
                **parameters,
            )
        except openai.APIError as error:
            return _failure_of(error)
        body: dict[str, Any] = response.model_dump(warnings=False)
        return body

    def _secret(self) -> str:
        return os.environ.get(self._key_variable, "").strip()


def import_litellm() -> Any:
    """Import litellm so that the import opens no socket and prints nothing."""
    with _import_lock:
        os.environ.update(_ENVIRONMENT)
        litellm: Any = importlib.import_module("litellm")
        litellm.suppress_debug_info = True
        litellm.drop_params = False
        return litellm


def _known_parameters(name: str) -> tuple[str, ...] | None:
    """Parameters that litellm can pass on to this model, or None where it does not know."""
    import openai

    try:
        known = import_litellm().get_supported_openai_params(model=name)
    except openai.APIError:
        return None
    return tuple(known) if known and set(known) & set(SAMPLING) else None


def _failure_of(error: Any) -> ServerFailure:
    """Read an exception of litellm; some of its types and words say more than the status that it makes up."""
    failure = failure_of_sdk(error)
    kind = type(error).__name__
    if kind == "InternalServerError" and _NO_CONNECTION.search(failure.message):
        return ServerFailure(kind="connection")
    if "LLM Provider NOT provided" in failure.message:
        return ServerFailure(404, code="model_not_found")
    return replace(failure, status=400, code=_CODES[kind]) if kind in _CODES else failure
