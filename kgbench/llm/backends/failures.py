"""What a model server's refusal means: try again, too long, refused, or never going to work.

Providers agree on few status codes and on fewer words; the patterns here are the wordings of OpenAI, Azure, Anthropic,
Gemini, xAI, OpenRouter, vLLM, llama.cpp and Ollama. A server's own words may repeat the prompt or the key, so they are
shown only where they help, with both blanked, and no foreign exception is chained.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from kgbench.contracts import TransientFailure
from kgbench.errors import FatalModelError, ModelUnavailable, PromptTooLong, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgbench.contracts import Completion, ModelRequest

_TOO_LONG = re.compile(
    r"context[ _](length|window|size|limit)|(maximum|max) (context|prompt|input) (length|size|tokens)"
    r"|(prompt|input|request)( is|'s)? too (long|large)|(prompt|input) (token count|length)\b.{0,60}\bexceed"
    r"|exceed\w*\b.{0,40}\b(maximum number of tokens|context)|reduce the length of the (messages|prompt|input)",
    re.IGNORECASE,
)
_TOO_LARGE_FOR_RATE = re.compile(r"request too large", re.IGNORECASE)
"""OpenAI's 429 for one request above the whole tokens-a-minute limit: no wait helps."""
_POLICY = re.compile(
    r"content[ _-]?(filter|policy|management)|usage polic|policy[ _]?violation|safety (system|filter|setting|polic)"
    r"|moderation|(was|been) flagged|data_inspection_failed|invalid_prompt",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(r"insufficient_quota|credit balance", re.IGNORECASE)
"""No wait helps, though OpenAI sends it as 429. Gemini's "exceeded your current quota" is a mere rate limit."""
_TRANSIENT = {
    408: "timeout",
    409: "conflict",
    425: "too_early",
    429: "rate_limit",
    499: "connection",
}
_REFUSABLE = (400, 403, 422, 451)
_KEY = re.compile(r"\b(sk|pk|key|gsk|xai|hf)[-_][\w*.-]{6,}|bearer\s+\S+", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_COMMON = frozenset(
    "a an and are as at be but by can default does exceeds expected false field for from given has have in input integer "
    "invalid is it its less maximum message messages minimum missing model more must n not null number of on one only or "
    "output parameter prompt request role should string supported system temperature text than that the this to token "
    "tokens true type unsupported use user value with you your".split()
)
"""Words of error messages that tell nothing, though the prompt has them too."""


class Transient(TransientFailure):
    """A failure worth another try, with a word for what it was."""

    def __init__(self, message: str, kind: str, retry_after: float | None = None) -> None:
        super().__init__(message, retry_after)
        self.kind = kind
        """``timeout``, ``connection``, ``rate_limit``, ``server_error``, ``conflict``, ``bad_reply``, ``parameter``, ..."""


class RefusedReply(Refused):
    """A refusal that came as a reply: its tokens were paid for."""

    def __init__(self, message: str, completion: Completion) -> None:
        super().__init__(message)
        self.completion = completion


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What messages say of the server that was asked."""

    model: str
    """As given with ``--model``."""
    address: str
    """Its URL, or the provider's name."""
    key_variable: str
    """Environment variable that holds the key."""


@dataclass(frozen=True, slots=True)
class ServerFailure:
    """A failed request, in the words of the HTTP API. Not an exception: it holds the server's own words."""

    status: int | None = None
    """HTTP status; None where no response came."""
    kind: str = ""
    """What failed where there is no error response: ``timeout``, ``connection`` or ``bad_reply``."""
    code: str = ""
    """The provider's codes and type, such as ``context_length_exceeded invalid_request_error``."""
    parameter: str = ""
    """Parameter that the provider complains of."""
    message: str = ""
    """The provider's words."""
    retry_after: float | None = None
    """Seconds that the server asked to wait."""

    @property
    def words(self) -> str:
        """All that the server said."""
        return f"{self.code} {self.message}"


def failure_from_body(status: int | None, body: object, headers: Mapping[str, str] | None = None) -> ServerFailure:
    """Read an error response.

    Args:
        status: HTTP status.
        body: parsed JSON in whatever form the server uses, or text.
        headers: of the response; ``Retry-After`` is read.
    """
    retry_after = seconds_asked(headers or {})
    if isinstance(body, dict):
        error = body.get("error", body)
        body = error if isinstance(error, (dict, str)) else body
    if not isinstance(body, dict):
        return ServerFailure(status, message=str(body or "")[:4000], retry_after=retry_after)
    inner = body.get("innererror")
    codes = (body.get("code"), inner.get("code") if isinstance(inner, dict) else None, body.get("type"))
    return ServerFailure(
        status if status is not None else _as_status(body.get("code")),
        code=" ".join(str(code) for code in codes if code and not str(code).isdigit()),
        parameter=str(body.get("param") or ""),
        message=str(body.get("message") or body.get("detail") or "")[:4000],
        retry_after=retry_after,
    )


def exception_for(failure: ServerFailure, endpoint: Endpoint, request: ModelRequest, secret: str = "") -> Exception:
    """Return the exception that a failed request is raised as.

    Args:
        failure: what the server said.
        endpoint: who was asked.
        request: what was asked; its words are blanked in the server's message.
        secret: the key, blanked as well.

    Returns:
        TransientFailure for 408, 409, 429, 5xx, time-outs, lost connections and unreadable replies; PromptTooLong;
        Refused; FatalModelError for a key, an account or a model that will never work; else ModelUnavailable.
    """
    return (
        _too_long(failure, endpoint)
        or _refused(failure, endpoint)
        or _fatal(failure, endpoint)
        or _transient(failure, endpoint)
        or _rejected(failure, endpoint, request, secret)
    )


def seconds_asked(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a response asks to wait: ``Retry-After`` as seconds or as an HTTP date.

    A date is read against the response's own ``Date``, so that a wrong local clock does no harm.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    milliseconds = _number(lower.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000.0
    text = lower.get("retry-after")
    seconds = _number(text)
    if seconds is not None or text is None:
        return seconds
    until = _date(text)
    if until is None:
        return None
    now = _date(lower.get("date", "")) or datetime.datetime.now(datetime.UTC)
    return max(0.0, (until - now).total_seconds())


def _too_long(failure: ServerFailure, endpoint: Endpoint) -> Exception | None:
    if failure.status in (401, 402, 403, 404, None):
        return None
    pattern = _TOO_LARGE_FOR_RATE if failure.status == 429 else _TOO_LONG
    if failure.status != 413 and not pattern.search(failure.words):
        return None
    return PromptTooLong(f"{endpoint.model}: the prompt does not fit the model (HTTP {failure.status}{_code(failure)})")


def _refused(failure: ServerFailure, endpoint: Endpoint) -> Exception | None:
    if failure.status not in _REFUSABLE or not _POLICY.search(failure.words):
        return None
    return Refused(
        f"{endpoint.model}: refused by the provider's content policy (HTTP {failure.status}{_code(failure)})"
    )


def _fatal(failure: ServerFailure, endpoint: Endpoint) -> Exception | None:
    where = f"{endpoint.model} at {endpoint.address}"
    answer = f"HTTP {failure.status}{_code(failure)}"
    variable = f"environment variable {endpoint.key_variable}"
    if failure.status == 401:
        return FatalModelError(f"{where}: the key was not accepted ({answer}); check the {variable}")
    if failure.status == 403:
        return FatalModelError(f"{where}: the key in the {variable} may not use this model ({answer})")
    if failure.status == 404 or "model_not_found" in failure.code:
        return FatalModelError(f"{where}: not found ({answer}); check the model's name and --base-url (often .../v1)")
    if failure.status == 402 or (failure.status in (400, 429) and _NO_CREDIT.search(failure.words)):
        return FatalModelError(f"{where}: the account has no credit left ({answer}); then: kgbench resume RUN")
    return None


def _transient(failure: ServerFailure, endpoint: Endpoint) -> Exception | None:
    where = f"{endpoint.model} at {endpoint.address}"
    kind = (
        failure.kind or _TRANSIENT.get(failure.status or 0) or ("server_error" if (failure.status or 0) >= 500 else "")
    )
    if not kind:
        return None
    if failure.kind == "bad_reply":
        return Transient(f"{where}: {failure.message}", kind, failure.retry_after)
    if failure.status is None:
        return Transient(f"{where}: {kind}, no response", kind)
    return Transient(f"{where}: {kind} (HTTP {failure.status}{_code(failure)})", kind, failure.retry_after)


def _rejected(failure: ServerFailure, endpoint: Endpoint, request: ModelRequest, secret: str) -> Exception:
    words = _blanked(failure.message, request, secret)
    return ModelUnavailable(
        f"{endpoint.model} at {endpoint.address}: the request was rejected (HTTP {failure.status}{_code(failure)}"
        f"{', parameter ' + failure.parameter if failure.parameter.isidentifier() else ''}): "
        f"{words or 'the server gave no reason'}"
    )


def _blanked(message: str, request: ModelRequest, secret: str) -> str:
    """The server's words without the key and without what they repeat of the prompt."""
    text = " ".join(message.split())
    if secret:
        text = text.replace(secret, "***")
    text = _KEY.sub("***", text)
    sent = {word.casefold() for each in request.messages for word in _WORD.findall(each["content"])} - _COMMON
    blank = _WORD.sub(lambda word: "…" if word.group().casefold() in sent else word.group(), text)
    return blank[:300]


def _code(failure: ServerFailure) -> str:
    """The provider's code, else its type, where it is a plain word of the API and not text."""
    code = failure.code.partition(" ")[0]
    return f", {code}" if re.fullmatch(r"[A-Za-z][\w.-]{0,60}", code) and not _KEY.search(code) else ""


def _as_status(code: Any) -> int | None:
    """A code that is an HTTP status: some proxies send errors with status 200."""
    text = str(code)
    return int(text) if text.isdigit() and 400 <= int(text) <= 599 else None


def _number(text: str | None) -> float | None:
    """A finite number >= 0, or None."""
    try:
        value = float(text) if text is not None else -1.0
    except ValueError:
        return None
    return value if 0.0 <= value < float("inf") else None


def _date(text: str) -> datetime.datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=datetime.UTC)
