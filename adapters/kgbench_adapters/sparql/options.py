"""How an endpoint is asked: what a caller may choose, and what holds where nothing is chosen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from kgbench.errors import UsageError
from kgbench_adapters import environment
from kgbench_adapters.sparql.retry import RetryPolicy, Timing
from kgbench_adapters.sparql.transport import RequestSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench_adapters.sparql.cache import CacheMode

_GRACE_SECONDS = 5.0


class ServerOptions(TypedDict, total=False):
    """Options of a graph behind a SPARQL endpoint."""

    graph: str | None
    """IRI of the named graph to read; by default the server's default graph."""
    schema: str | Path | None
    """Folder with ``relations.tsv`` (inverses, domains, ranges) or ``graph.toml`` (mediator classes, name, profile), for
    what the server does not say of its graph."""
    timeout: float
    """Seconds that the server may work on one query; by default 30, or what ``KGBENCH_KG_TIMEOUT`` says."""
    grace: float
    """Seconds that the client waits longer than that, 5 by default."""
    user_agent: str
    """What requests say of their sender; public servers want a way to reach you in it. By default what
    ``KGBENCH_USER_AGENT`` says, else kgbench's own name."""
    parallel: int | None
    """Most requests at a time, over all threads; by default 8, and 2 for Wikidata's and DBpedia's servers."""
    cache: str | Path | None
    """File that keeps complete reads; by default ``graph-reads.sqlite`` in the user's cache folder."""
    cache_mode: CacheMode
    """``on`` (default), ``off``, ``read`` (never write) or ``refresh`` (never read)."""
    retries: RetryPolicy | int
    """How often and how long failed requests are sent again; a number alone says how often."""
    timing: Timing
    """Clock, sleep and chance, for tests."""
    sleep: Callable[[float], None]
    """Waits some seconds, in place of ``timing``'s; it may raise to end a wait, as a run does that is stopped. Before each
    request it is called too, with 0 where nothing is to be waited for: what is stopped asks nothing more."""


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
    agent = options.get("user_agent") or environment.user_agent() or _own_name()
    timeout = options["timeout"] if "timeout" in options else environment.time_limit()
    parallel, cache = options.get("parallel"), options.get("cache")
    timing = options.get("timing") or Timing()
    if timeout <= 0 or (parallel is not None and parallel < 1) or not (agent.isascii() and agent.isprintable()):
        raise UsageError(
            "a SPARQL graph needs timeout > 0, parallel >= 1 and a user_agent of printable ASCII characters"
        )
    return Wire(
        settings=RequestSettings(agent, timeout, options.get("grace", _GRACE_SECONDS)),
        policy=_policy(options.get("retries")),
        timing=replace(timing, sleep=options.get("sleep", timing.sleep)),
        parallel=parallel,
        cache=None if cache is None else Path(cache).expanduser(),
        cache_mode=options.get("cache_mode", "on"),
    )


def _policy(retries: RetryPolicy | int | None) -> RetryPolicy:
    if isinstance(retries, int):
        return RetryPolicy(retries)
    return retries or RetryPolicy()


def _own_name() -> str:
    try:
        number = version("kgbench")
    except PackageNotFoundError:
        number = "0"
    return f"kgbench/{number} (SPARQL client; https://pypi.org/project/kgbench)"
