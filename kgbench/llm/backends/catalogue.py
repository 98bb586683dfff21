"""What a model server tells of itself when it is asked which models it serves. Asking costs nothing.

The list of models is OpenAI's ``GET /models``; the servers add fields of their own, of which the context window is read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_OWNERS = {"vllm": "vLLM", "llamacpp": "llama.cpp", "library": "Ollama", "sglang": "SGLang"}
"""What ``owned_by`` says -> the server that says so."""
_WINDOWS = ("max_model_len", "context_length", "context_window", "max_context_length")
"""Fields with the context window: of vLLM and SGLang, OpenRouter, Groq, Mistral."""
_DEFAULT_TAG = ":latest"
"""Ollama's tag for a name without one."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What a server tells of itself."""

    models: tuple[str, ...] | None
    """Names that it serves, sorted; None where it does not say."""
    product: str = ""
    """``vLLM``, ``llama.cpp``, ``Ollama``, ...; empty where it is not known."""
    window: int | None = None
    """Tokens of prompt and reply together, for the model that was asked about; None where it does not say."""
    silence: str = ""
    """Why there is no list, in a few words."""

    def knows(self, name: str) -> bool | None:
        """Tell whether a name is served; None where the server does not list its models, or answers to any name."""
        if self.models is None:
            return None
        if name in self.models or f"{name}{_DEFAULT_TAG}" in self.models:
            return True
        return None if self.answers_to_any_name else False

    @property
    def answers_to_any_name(self) -> bool:
        """True for llama.cpp, which serves the one model that it has loaded."""
        return self.product == "llama.cpp"

    @property
    def cuts_prompts(self) -> bool:
        """True for servers that shorten a prompt that is too long, or end its reply early, without an error."""
        return self.product in ("llama.cpp", "Ollama")


def read_catalogue(body: Mapping[str, Any], name: str) -> Catalogue:
    """Read a list of models.

    Args:
        body: parsed JSON; entries of an unknown form are left out.
        name: the model that the window is wanted of.
    """
    listed = body.get("data")
    if not isinstance(listed, list):
        return Catalogue(None, silence="its answer is no list of models")
    entries = {str(entry["id"]): entry for entry in listed if isinstance(entry, dict) and "id" in entry}
    owners = {str(entry.get("owned_by", "")).lower() for entry in entries.values()}
    product = next((product for owner, product in _OWNERS.items() if owner in owners), "")
    catalogue = Catalogue(tuple(sorted(entries)), product)
    chosen = entries.get(name) or entries.get(f"{name}{_DEFAULT_TAG}")
    if chosen is None and catalogue.answers_to_any_name and len(entries) == 1:
        chosen = next(iter(entries.values()))
    return replace(catalogue, window=_window(chosen or {}))


def with_window(catalogue: Catalogue, properties: Mapping[str, Any]) -> Catalogue:
    """Add the context window that one request has, from llama.cpp's ``GET /props``."""
    settings = properties.get("default_generation_settings")
    window = _number(settings.get("n_ctx")) if isinstance(settings, dict) else None
    return replace(catalogue, window=window or catalogue.window)


def _window(entry: Mapping[str, Any]) -> int | None:
    return next((window for window in (_number(entry.get(key)) for key in _WINDOWS) if window is not None), None)


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
