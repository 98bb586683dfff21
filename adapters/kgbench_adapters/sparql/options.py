"""How an endpoint is asked: what a caller may choose, and what holds where nothing is chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from kgbench.errors import UsageError
from kgbench_adapters.sparql.retry import RetryPolicy, Timing
from kgbench_adapters.sparql.transport import RequestSettings

if TYPE_CHECKING:
    from kgbench_adapters.sparql.cache import CacheMode

_TIMEOUT_SECONDS = 30.0
_GRACE_SECONDS = 5.0


class ServerOptions(TypedDict, total=False):
    """Options of a graph behind a SPARQL endpoint."""

    graph: str | None
    """IRI of the named graph to read; by default the server's default graph."""
    schema: str | Path | None
    """Folder with ``relations.tsv`` (inverses, domains, ranges) or ``graph.toml`` (mediator classes, name, profile), for
    what the server does not say of its graph."""
    timeout: float
    """Seconds that the server may work on one query, 30 by default."""
    grace: float
    """Seconds that the client waits longer than that, 5 by default."""
    user_agent: str
    """What requests say of their sender; public servers want a way to reach you in it."""
    parallel: int | None
    """Most requests at a time, over all threads; by default 8, and 2 for Wikidata's and DBpedia's servers."""
    cache: str | Path | None
    """File that keeps complete reads; by default ``graph-reads.sqlite`` in the user's cache folder."""
    cache_mode: CacheMode
    """``on`` (default), ``off``, ``read`` (never write) or ``refresh`` (never read)."""
    retries: RetryPolicy
    """How often and how long failed requests are sent again."""
    timing: Timing
    """Clock, sleep and chance, for tests."""


@dataclass(frozen=True)
class Wire:
    """How an endpoint is asked."""

    settings: RequestSettings
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    timing: Timing = field(default_factory=Timing)
    parallel: int | None = None
    """Most requests at a time; None for the kind of server's default."""
    cache: Path | None = None
    """File of the cache of reads; None for the one in the user's cache folder."""
    cache_mode: CacheMode = "on"


def wire_of(options: ServerOptions) -> Wire:
    """Check options and fill in what was left out.

    Raises:
        UsageError: an unknown option, or one out of range.
    """
    known = ServerOptions.__annotations__
    for name in options:
        if name not in known:
            raise UsageError(f'a SPARQL graph has no option "{name}"; it has {", ".join(known)}')
    agent, timeout = options.get("user_agent") or _user_agent(), options.get("timeout", _TIMEOUT_SECONDS)
    parallel, cache = options.get("parallel"), options.get("cache")
    if timeout <= 0 or (parallel is not None and parallel < 1) or not (agent.isascii() and agent.isprintable()):
        raise UsageError(
            "a SPARQL graph needs timeout > 0, parallel >= 1 and a user_agent of printable ASCII characters"
        )
    return Wire(
        settings=RequestSettings(agent, timeout, options.get("grace", _GRACE_SECONDS)),
        policy=options.get("retries") or RetryPolicy(),
        timing=options.get("timing") or Timing(),
        parallel=parallel,
        cache=None if cache is None else Path(cache).expanduser(),
        cache_mode=options.get("cache_mode", "on"),
    )


def _user_agent() -> str:
    try:
        number = version("kgbench")
    except PackageNotFoundError:
        number = "0"
    return f"kgbench/{number} (SPARQL client; https://pypi.org/project/kgbench)"
