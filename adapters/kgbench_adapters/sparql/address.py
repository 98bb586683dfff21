"""Where a SPARQL endpoint is: its address without what nobody else should see."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from kgbench.errors import UsageError
from kgbench_adapters.environment import password

_GRAPH = "default-graph-uri"


@dataclass(frozen=True, slots=True)
class Address:
    """The address of an endpoint."""

    url: str
    """Where requests go: without user, password and graph."""
    user: str = ""
    password: str = field(default="", repr=False)
    graphs: tuple[str, ...] = ()
    """IRIs of the named graphs to read; none for the server's default graph."""

    @classmethod
    def parse(cls, location: str, graph: str | None = None) -> Address:
        """Read a location.

        Args:
            location: ``http://`` or ``https://``, perhaps with ``user:password@`` and ``?default-graph-uri=IRI``; with a
                user alone, the password is what ``KGBENCH_KG_PASSWORD`` says.
            graph: IRI of one more named graph to read.

        Raises:
            UsageError: no such address. The text does not quote it: it may hold a password.
        """
        try:
            parts = urlsplit(location)
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if not host or parts.scheme not in ("http", "https"):
            raise UsageError("the address of a SPARQL endpoint must look like http://localhost:8890/sparql")
        parameters = parse_qsl(parts.query, keep_blank_values=True)
        graphs = [value for name, value in parameters if name == _GRAPH] + ([graph] if graph else [])
        rest = urlencode([pair for pair in parameters if pair[0] != _GRAPH])
        place = f"[{host}]" if ":" in host else host
        place = f"{place}:{port}" if port is not None else place
        return cls(
            url=urlunsplit((parts.scheme, place, quote(parts.path or "/", safe="/%:@!$&'()*+,;=~"), rest, "")),
            user=unquote(parts.username or ""),
            password=unquote(parts.password or "") or (password() if parts.username else ""),
            graphs=tuple(dict.fromkeys(graphs)),
        )

    @property
    def shown(self) -> str:
        """The address as messages show it: without parameters, among which may be a key."""
        return self.url.partition("?")[0]

    @property
    def host(self) -> str:
        """The host's name or number."""
        return urlsplit(self.url).hostname or ""

    @property
    def is_loopback(self) -> bool:
        """True for this machine: requests to it never go through a proxy."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost" or self.host.endswith(".localhost")

    @property
    def identity(self) -> str:
        """What identifies the graph behind it: address and graphs, no user, no password."""
        return "\n".join((self.url, *self.graphs))
