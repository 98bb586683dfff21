"""What identifies a request: the digests that the cache and a replayed run look replies up by."""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench.contracts import ModelRequest

SCHEMA_VERSION = 1
"""Raised whenever the meaning of a digest changes: old cache entries are then never found again."""


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def request_digest(request: ModelRequest, *, backend: str, model: str, base_url: str | None, trial: int) -> str:
    """Return what the cache knows a request by: everything that can change its reply.

    Args:
        request: messages, sampling parameters and number of samples; its ``task`` is not sent and does not count.
        backend: name of the backend, such as ``openai``.
        model: name of the model as the backend asks for it.
        base_url: where the model is served; None for the provider's own address. A slash at its end does not count.
        trial: number of the trial; repeats of a run are not served from one another's replies.

    Returns:
        64 hex digits (SHA-256 of canonical JSON, which also holds the schema version).
    """
    address = base_url.rstrip("/") if base_url else None
    place = _canonical({"backend": backend, "model": model, "base_url": address, "trial": trial})
    return _digest(f"{place}\n{_wire(request)}")


def wire_digest(request: ModelRequest) -> str:
    """Return what a replayed run knows a request by: messages, sampling parameters and number of samples alone.

    Returns:
        64 hex digits (SHA-256 of canonical JSON).
    """
    return _digest(_wire(request))


def messages_digest(messages: Sequence[Mapping[str, str]]) -> str:
    """Return a digest of some messages alone; it tells where two requests part.

    Returns:
        64 hex digits (SHA-256 of canonical JSON).
    """
    return _digest("[" + ",".join(_message(message["role"], message["content"]) for message in messages) + "]")


def _wire(request: ModelRequest) -> str:
    """What is sent, as canonical JSON: keys sorted, ascii, no spaces."""
    messages = ",".join(_message(message["role"], message["content"]) for message in request.messages)
    # As floats: a temperature of 0 and one of 0.0 are one request.
    sampling = {name: float(value) for name, value in request.sampling.items()}
    return f'{{"messages":[{messages}],"n":{request.n},"sampling":{_canonical(sampling)},"schema":{SCHEMA_VERSION}}}'


@lru_cache(maxsize=2_000)
def _message(role: str, content: str) -> str:
    """One message as JSON; a template's fixed messages come with every call."""
    return _canonical({"content": content, "role": role})


def _canonical(value: object) -> str:
    return _ENCODER.encode(value)


def _digest(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()
