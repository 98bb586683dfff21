"""What can go wrong with one request, by name: which failures are worth another try, and what to do about the others."""

from __future__ import annotations

from enum import StrEnum

from kgbench_adapters.environment import LARGER_TIME_LIMIT, PASSWORD


class Kind(StrEnum):
    """Kinds of failures."""

    TIMEOUT = "timeout"
    """No answer, or no more of it, within the client's deadline."""
    CONNECTION = "connection"
    CUT_OFF = "cut_off"
    """The answer ends in the middle."""
    RATE_LIMIT = "rate_limit"
    OVERLOAD = "overload"
    SERVER_ERROR = "server_error"
    TIME_LIMIT = "time_limit"
    """The server gave up at its own time limit and sent no rows."""
    COST = "cost"
    """The server refused the query for its estimated cost."""
    REFUSED = "refused"
    CREDENTIALS = "credentials"
    NOT_FOUND = "not_found"
    MOVED = "moved"
    HTML = "html"
    FORM = "form"
    """A success status, but no result of a SELECT query."""
    TOO_LARGE = "too_large"


_WORTH_ANOTHER_TRY = frozenset(
    {Kind.TIMEOUT, Kind.CONNECTION, Kind.CUT_OFF, Kind.RATE_LIMIT, Kind.OVERLOAD, Kind.SERVER_ERROR}
)
_ADVICE = {
    Kind.TIMEOUT: f"ask for less at once, or {LARGER_TIME_LIMIT}",
    Kind.CONNECTION: "look whether the server runs and the address is right",
    Kind.CUT_OFF: "look into the server's log",
    Kind.RATE_LIMIT: "wait, send fewer requests at a time (--jobs), or use a server of your own",
    Kind.OVERLOAD: "wait, or send fewer requests at a time (--jobs)",
    Kind.SERVER_ERROR: "look into the server's log",
    Kind.TIME_LIMIT: "ask for less at once, or raise the limit in the server's settings",
    Kind.COST: "raise the limit of estimated cost in the server's settings (Virtuoso: MaxQueryCostEstimationTime)",
    Kind.REFUSED: "look whether it is a SPARQL 1.1 endpoint and which queries it allows",
    Kind.CREDENTIALS: f"name the user in the address, http://USER@HOST/PATH, and set {PASSWORD}",
    Kind.NOT_FOUND: "check the path of the address (Virtuoso: /sparql, oxigraph: /query)",
    Kind.MOVED: "give the address to which it redirects",
    Kind.HTML: "check the path of the address, and whether a proxy or a login page stands before the server",
    Kind.FORM: "check the path of the address",
    Kind.TOO_LARGE: "ask for less at once",
}


class RequestFailed(Exception):
    """One request failed. Its text holds nothing of the query and nothing of the graph.

    Args:
        kind: what failed.
        what: the same in words, as the end of "the SPARQL server at ADDRESS ...".
        retry_after: seconds that the server asked to wait, where it did.
        retriable: overrides what the kind says.
    """

    def __init__(
        self, kind: Kind, what: str, *, retry_after: float | None = None, retriable: bool | None = None
    ) -> None:
        super().__init__(what)
        self.kind = kind
        self.retry_after = retry_after
        self.retriable = kind in _WORTH_ANOTHER_TRY if retriable is None else retriable

    @property
    def advice(self) -> str:
        """What to do next."""
        return _ADVICE[self.kind]
