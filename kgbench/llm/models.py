"""Opens a model by the name given with ``--model``."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgbench.errors import UsageError

if TYPE_CHECKING:
    from kgbench.contracts import ChatModel
    from kgbench.llm.backends.reader.text import Embeddings

READER = "builtin/reader"
_RUNS = Path("runs")


@dataclass(frozen=True, slots=True)
class Backend:
    """A line of ``kgbench list models``."""

    form: str
    """What to write after ``--model``."""
    summary: str
    needs: str = "nothing"
    """What must be there to use it."""


KNOWN_BACKENDS: tuple[Backend, ...] = (
    Backend(READER, "deterministic retrieval over embeddings; no language model, knows nothing beside the prompt"),
    Backend(
        "openai/NAME",
        "OpenAI, or any compatible server (vLLM, llama.cpp, Ollama) with --base-url",
        "OPENAI_API_KEY or --base-url",
    ),
    Backend("litellm/PROVIDER/NAME", "other providers through litellm", "the extra litellm and the provider's key"),
    Backend("replay:RUN", "the recorded replies of an earlier run", "a run folder"),
)
"""Every kind of model that this version can open."""

_PREFIXES = (READER, "openai/", "litellm/", "replay:", "gguf:")


def open_model(name: str, base_url: str | None = None, embeddings: Embeddings | None = None) -> ChatModel:
    """Open a model; no request is sent.

    Args:
        name: one of the forms of :data:`KNOWN_BACKENDS`.
        base_url: address of the server, for ``openai/`` and ``litellm/``.
        embeddings: the embedding service that ``builtin/reader`` reads with.

    Raises:
        UsageError: unknown form, or a base URL for a model that has none.
        PrerequisiteMissing: an extra, a key or a run folder is not there.
    """
    kind = next((prefix for prefix in _PREFIXES if name.startswith(prefix)), None)
    rest = name[len(kind) :] if kind else ""
    if kind is None or (kind == READER) is bool(rest):
        raise UsageError(_unknown(name))
    if base_url is not None and kind not in ("openai/", "litellm/"):
        raise UsageError(f"--base-url is for openai/NAME and litellm/PROVIDER/NAME; {name} has no server")
    if kind == READER:
        return _reader(embeddings)
    if kind == "replay:":
        return _replay(rest)
    if kind == "gguf:":
        raise UsageError(
            f"{name}: models in this process are not in this version; serve the file with llama.cpp "
            "(llama-server -m FILE) and use --model openai/NAME --base-url http://localhost:8080/v1"
        )
    return _served(kind, rest, base_url)


def _served(kind: str, name: str, base_url: str | None) -> ChatModel:
    if kind == "openai/":
        from kgbench.llm.backends.openai_backend import OpenAIModel

        return OpenAIModel(name, base_url)
    from kgbench.llm.backends.litellm_backend import LiteLLMModel

    return LiteLLMModel(name, base_url)


def _reader(embeddings: Embeddings | None) -> ChatModel:
    if embeddings is None:
        raise UsageError(f"{READER} reads with an embedder; open_model needs the run's embedding service")
    from kgbench.llm.backends.reader import Reader

    return Reader(embeddings)


def _replay(run: str) -> ChatModel:
    from kgbench.llm.backends.replay import ReplayModel

    folder = Path(run)
    if not folder.is_dir() and (_RUNS / run).is_dir():
        folder = _RUNS / run
    return ReplayModel(folder)


def _unknown(name: str) -> str:
    forms = [backend.form for backend in KNOWN_BACKENDS]
    heads = {_head(form): form for form in forms}
    close = difflib.get_close_matches(_head(name), heads, n=1, cutoff=0.5)
    if close:
        hint = f"did you mean {heads[close[0]]}?"
    elif name.startswith(("gpt-", "o1", "o3", "o4")):
        hint = f"did you mean openai/{name}?"
    else:
        hint = f"the forms are {', '.join(forms)}"
    return f'"{name}" names no model; {hint} kgbench list models shows them all'


def _head(name: str) -> str:
    """What stands before the first ``/`` or ``:``."""
    return name.partition("/")[0].partition(":")[0]
