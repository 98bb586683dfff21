"""What a response means: rows, rows that are not all, or a failure with a name. A success status proves nothing.

Server's own words stay out of messages, except the beginning of a page that should not be there: they quote queries.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from kgbench.errors import UsageError
from kgbench_adapters.sparql.address import Address
from kgbench_adapters.sparql.failures import Kind, RequestFailed
from kgbench_adapters.sparql.makes import make_of
from kgbench_adapters.sparql.retry import seconds_asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench_adapters.sparql.transport import Response

Binding = dict[str, Any]
"""Variable -> RDF term as SPARQL's JSON results write it."""

_JSON_TYPES = ("application/sparql-results+json", "application/json")
_VIRTUOSO_ERROR = re.compile(rb"Virtuoso (\w{5}) Error (\w+)?")
_NO_SQL_ERROR = ("", "00000")
_OVERLOADED = (408, 502, 503, 504)
_REDIRECTS = range(300, 400)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a SELECT query."""

    variables: tuple[str, ...]
    bindings: tuple[Binding, ...]
    partial: str = ""
    """Why rows are missing, by the server's own account; empty where it says nothing of that."""
    cap: int | None = None
    """Most rows that the server gives, where it says that the answer reached it."""
    make: str = ""
    """The server by its own account."""


def judge(response: Response, query: str, *, answered_before: bool, wall: Callable[[], float]) -> Answer:
    """Read a response.

    Args:
        response: what came.
        query: what was asked; its words are left out of messages.
        answered_before: True where the endpoint has answered a query before. Then a 404 is overload, not a wrong path.
        wall: seconds since 1970, for a Retry-After that names a moment.

    Raises:
        RequestFailed: it is no result of a SELECT query.
    """
    rows_lost = _interrupted(response)
    if rows_lost is not None:
        return rows_lost
    if response.status not in (200, 203, 206):
        raise _refusal(response, answered_before, seconds_asked(response.headers.get("retry-after"), wall))
    if response.content_type not in _JSON_TYPES:
        raise _no_json(response, query)
    if not response.complete:
        raise RequestFailed(Kind.CUT_OFF, "closed the connection in the middle of its answer")
    variables, bindings = _result(response)
    return Answer(variables, bindings, _partial(response), _cap(response), make_of(response.headers))


def _partial(response: Response) -> str:
    if response.headers.get("x-sql-state", "").strip() not in _NO_SQL_ERROR:
        return "its time limit was reached (X-SQL-State)"
    return "it said so (status 206)" if response.status == 206 else ""


def _cap(response: Response) -> int | None:
    cap = response.headers.get("x-sparql-maxrows", "").strip()
    return int(cap) if cap.isascii() and cap.isdecimal() else None


def _result(response: Response) -> tuple[tuple[str, ...], tuple[Binding, ...]]:
    try:
        content = json.loads(response.body)
    except (ValueError, RecursionError):
        # A whole body that is no JSON will be none the next time either.
        whole = response.body.rstrip().endswith(b"}")
        what = "sent JSON that cannot be read" if whole else "sent an answer that ends in the middle"
        raise RequestFailed(Kind.FORM if whole else Kind.CUT_OFF, what) from None
    try:
        variables, bindings = content["head"]["vars"], content["results"]["bindings"]
        if not (isinstance(variables, list) and isinstance(bindings, list)):
            raise TypeError
        if not all(_is_term(term) for row in bindings for term in row.values()):
            raise TypeError
    except (KeyError, TypeError, AttributeError):
        raise RequestFailed(Kind.FORM, "sent JSON that is no result of a SELECT query") from None
    return tuple(variables), tuple(bindings)


def _is_term(value: object) -> bool:
    """Tell whether a value has the form of an RDF term; a quoted triple is a term too, and its value an object."""
    if not isinstance(value, dict) or not isinstance(
        value.get("value"), dict if value.get("type") == "triple" else str
    ):
        return False
    return all(isinstance(value.get(key), str | None) for key in ("datatype", "xml:lang"))


# --- Failures ----------------------------------------------------------------------------------------------------------


def _refusal(response: Response, answered_before: bool, asked: float | None) -> RequestFailed:
    status = response.status
    said = f"answered with status {status}"
    if status == 429:
        return RequestFailed(Kind.RATE_LIMIT, f"{said} (too many requests)", retry_after=asked)
    if status in _OVERLOADED:
        return RequestFailed(Kind.OVERLOAD, f"{said} (overload)", retry_after=asked)
    if status == 404:
        if answered_before:
            what = f"{said}, though it answered before (overload)"
            return RequestFailed(Kind.OVERLOAD, what, retry_after=asked)
        return RequestFailed(Kind.NOT_FOUND, f"{said}: there is nothing at this path")
    if status in (401, 403, 407):
        return RequestFailed(Kind.CREDENTIALS, f"{said}: it wants other credentials")
    if status in _REDIRECTS:
        return RequestFailed(
            Kind.MOVED, f"{said}: it redirects{_target(response)}; queries go to the address given alone"
        )
    return _error_page(response, said, asked)


def _target(response: Response) -> str:
    """Where a redirect leads, without what nobody else should see."""
    try:
        return f" to {Address.parse(response.headers.get('location', '')).shown}"
    except UsageError:
        return ""


def _error_page(response: Response, said: str, asked: float | None) -> RequestFailed:
    """What an error of a server's query engine is about, by the marks that the known makes leave."""
    state = _VIRTUOSO_ERROR.search(response.body)
    code = state[1].decode() if state else ""
    shown = f"{said} ({' '.join(part.decode() for part in state.groups() if part)})" if state else said
    if b"estimated execution time" in response.body:
        return RequestFailed(Kind.COST, f"{shown}: it estimates that the query takes too long")
    if code.startswith("S1T") or any(mark in response.body for mark in (b"TimeoutException", b"QueryTimeout")):
        return RequestFailed(Kind.TIME_LIMIT, f"{shown}: its time limit was reached")
    if response.status >= 500:
        # A Virtuoso error other than a deadlock (class 40) is about this query and comes again.
        again = not code or code.startswith("40")
        return RequestFailed(Kind.SERVER_ERROR, shown, retry_after=asked, retriable=again)
    return RequestFailed(Kind.REFUSED, f"{shown}: it refuses the query")


def _no_json(response: Response, query: str) -> RequestFailed:
    said = (
        f"answered with status {response.status}, but with {response.content_type or 'no content type'} and no result"
    )
    if "html" not in response.content_type:
        return RequestFailed(Kind.FORM, said)  # it may be rows in another format, which no message may show
    return RequestFailed(Kind.HTML, f'{said}: "{excerpt(response.body, query)}"')


_SHOWS_DATA = re.compile(r"<(?:table|td|pre|li|dd|textarea)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s<>\"']*")
_WORD = re.compile(r"[\w%-]{2,}")


def excerpt(body: bytes, query: str) -> str:
    """The first 200 characters of a page that should not be there, without anything of the query or the graph.

    Left out are addresses, words that stand in the query, and all from the first table or list on: a server may show rows.
    """
    text = " ".join(body[:8192].decode("utf-8", "replace").split())
    text = _ADDRESS.sub("…", _SHOWS_DATA.split(text, maxsplit=1)[0])
    # Words in capitals are SPARQL's own.
    asked = {word.casefold() for word in _WORD.findall(f"{query} {unquote(query)}") if not word.isupper()}
    return _WORD.sub(lambda match: "…" if match[0].casefold() in asked else match[0], text)[:200]


# --- Answers that Virtuoso broke off ---------------------------------------------------------------------------------------


def _interrupted(response: Response) -> Answer | None:
    """Read the rows of an answer that Virtuoso had begun to write when its time was up.

    It then sends status 500 with the JSON so far and its error text behind (seen with 7.2.5). None for other responses,
    and where no row is whole.
    """
    if response.status != 500 or not response.body.lstrip().startswith(b"{") or b"Virtuoso S1TAT" not in response.body:
        return None
    text = response.body.decode("utf-8", "replace")
    opening = re.search(r'"vars"\s*:\s*(\[[^\]]*\]).*?"bindings"\s*:\s*\[', text, re.DOTALL)
    if opening is None:
        return None
    bindings = _whole_objects(text, opening.end())
    if not bindings:
        return None
    reason = "its time limit was reached while it wrote its rows"
    return Answer(tuple(json.loads(opening[1])), bindings, reason, make=make_of(response.headers))


def _whole_objects(text: str, start: int) -> tuple[Binding, ...]:
    found: list[Binding] = []
    decoder = json.JSONDecoder()
    while True:
        start = next((place for place in range(start, len(text)) if text[place] not in " \t\r\n,"), len(text))
        try:
            binding, start = decoder.raw_decode(text, start)
        except ValueError:
            return tuple(found)
        if not isinstance(binding, dict) or not all(map(_is_term, binding.values())):
            return tuple(found)
        found.append(binding)
