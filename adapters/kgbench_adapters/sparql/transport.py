"""One request over HTTP: built by SPARQLWrapper, sent by POST, bounded in time and bytes, its response left as it is."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgbench.errors import MissingExtra
from kgbench_adapters.sparql.failures import Kind, RequestFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kgbench_adapters.sparql.address import Address

_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class RequestSettings:
    """How requests are sent."""

    user_agent: str
    timeout: float
    """Seconds that the server may work on one query."""
    grace: float
    """Seconds that the client waits longer than that: the server's own word says more than a closed line."""
    most_bytes: int = 64 << 20
    """Longest answer that is read."""

    @property
    def deadline(self) -> float:
        """Seconds that the client waits for an answer."""
        return self.timeout + self.grace


@dataclass(frozen=True, slots=True)
class Response:
    """A response as it came."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes = field(repr=False)
    complete: bool = True
    """False where the connection closed before the announced length."""

    @property
    def content_type(self) -> str:
        """Media type without parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class HttpTransport:
    """Sends queries to one endpoint. Thread safe.

    Args:
        address: the endpoint.
        settings: User-Agent and bounds.
        clock: monotonic seconds.

    Raises:
        MissingExtra: SPARQLWrapper is not installed.
    """

    def __init__(self, address: Address, settings: RequestSettings, clock: Callable[[], float]) -> None:
        try:
            import SPARQLWrapper
        except ImportError as error:
            raise MissingExtra("sparql", "a graph behind a SPARQL endpoint") from error
        self._library: Any = SPARQLWrapper
        self._address = address
        self._settings = settings
        self._clock = clock
        # A private graph on this machine must not be asked through a proxy elsewhere.
        handlers: list[urllib.request.BaseHandler] = [_EveryStatus()]
        if address.is_loopback:
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    def send(self, query: str, make: str = "") -> Response:
        """Send one query.

        Args:
            query: SPARQL text.
            make: what kind of server it is, where known: each wants to be told its time limit in another way.

        Raises:
            RequestFailed: no response came, or one that is too long.
        """
        deadline = self._clock() + self._settings.deadline
        try:
            with self._opener.open(self._request(query, make), timeout=self._settings.deadline) as response:
                return self._read(response, deadline)
        except TimeoutError:
            failure = self._too_late()
        except urllib.error.URLError as error:
            late = isinstance(error.reason, TimeoutError)
            failure = self._too_late() if late else _no_connection(error.reason)
        except http.client.HTTPException:
            failure = RequestFailed(Kind.CUT_OFF, "sent a response that ends in the middle or is no HTTP")
        except OSError as error:
            failure = _no_connection(error)
        # Raised outside the handlers: a chained exception could bring the query into a traceback.
        raise failure

    def _request(self, query: str, make: str) -> urllib.request.Request:
        wrapper = self._library.SPARQLWrapper(
            self._address.url, returnFormat=self._library.JSON, agent=self._settings.user_agent
        )
        wrapper.setMethod(self._library.POST)
        wrapper.setOnlyConneg(True)
        # Set without setQuery(): that guesses the query's form by regular expressions, and warns with the query in the text.
        wrapper.queryString, wrapper.queryType = query, self._library.SELECT
        if self._address.user:
            wrapper.setCredentials(self._address.user, self._address.password)
        for graph in self._address.graphs:
            wrapper.addParameter("default-graph-uri", graph)
        for name, value in time_limit_parameters(make, self._settings.timeout).items():
            wrapper.addParameter(name, value)
        # Sent here and not by query(): that turns some statuses into exceptions without the headers, which say how long to
        # wait (Retry-After) and whether rows are missing (X-SQL-State).
        request: urllib.request.Request = wrapper._createRequest()
        return request

    def _read(self, response: Any, deadline: float) -> Response:
        chunks: list[bytes] = []
        size = 0
        while chunk := response.read1(_CHUNK):
            chunks.append(chunk)
            size += len(chunk)
            if size > self._settings.most_bytes:
                raise RequestFailed(Kind.TOO_LARGE, f"sent more than {self._settings.most_bytes >> 20} MB")
            if self._clock() > deadline:
                raise self._too_late()
        headers = {name.lower(): value for name, value in response.headers.items()}
        announced = headers.get("content-length", "")
        complete = not announced.isdecimal() or size >= int(announced)
        return Response(int(response.status), headers, b"".join(chunks), complete)

    def _too_late(self) -> RequestFailed:
        return RequestFailed(Kind.TIMEOUT, f"did not answer within {self._settings.deadline:g} s")


def time_limit_parameters(make: str, seconds: float) -> dict[str, str]:
    """Return the request parameters that tell a server how long it may work.

    Virtuoso reads milliseconds, Fuseki, RDF4J and GraphDB read seconds. Others pass over what they do not know.

    Args:
        make: as in the Server header, in lower case; empty where unknown.
        seconds: the limit.
    """
    if "oxigraph" in make:
        return {}
    if any(name in make for name in ("fuseki", "jena", "rdf4j", "graphdb")):
        return {"timeout": f"{max(1, round(seconds))}"}
    return {"timeout": f"{max(1000, round(seconds * 1000))}"}


def _no_connection(reason: object) -> RequestFailed:
    return RequestFailed(Kind.CONNECTION, f"cannot be reached ({type(reason).__name__})")


class _EveryStatus(urllib.request.HTTPErrorProcessor):
    """Hands on responses of every status. So a redirect is not followed either: a query goes to the address given alone."""

    def http_response(self, request: urllib.request.Request, response: Any) -> Any:
        return response

    https_response = http_response
