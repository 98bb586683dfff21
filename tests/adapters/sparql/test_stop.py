"""A run that is stopped waits for no server and asks nothing more."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import RunStopped
from kgbench.llm.retry import interruptible_sleep
from kgbench.run.plan import Given, make_plan
from kgbench.run.runner import start
from kgbench.seam.pseudonyms import MasterKey
from kgbench.spec import RunSpec
from kgbench.testing import sparql_fake as fake
from kgbench.types import Direction, Entity, Relation

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.testing.http_fake import ServerResponse
    from kgbench.testing.sparql_fake import Fault, SparqlServer
    from kgbench_adapters.sparql.adapter import SparqlAdapter

    Serve = Callable[..., SparqlServer]
    Connect = Callable[..., SparqlAdapter]

DATA = "<http://example.org/a> <http://example.org/r> <http://example.org/b> ."
A = Entity("http://example.org/a")
SOON = 20.0
"""Seconds after which a test gives up; the wait that must not be waited for is longer."""


class Watched(threading.Event):
    """An event that tells when somebody begins to wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self.awaited = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        if timeout:
            self.awaited.set()
        return super().wait(timeout)


@pytest.mark.parametrize("retry_after", ["30", None])
def test_a_stop_ends_the_wait_before_a_retry(serve: Serve, connect: Connect, retry_after: str | None) -> None:
    server, stop = serve(DATA), Watched()
    graph = connect(server, sleep=interruptible_sleep(stop))
    server.script(*[fake.too_many_requests(retry_after)] * 9)
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(graph.relations, [A], Direction.OUT)
        assert stop.awaited.wait(SOON)
        stop.set()
        with pytest.raises(RunStopped, match="kgbench resume"):
            reading.result(SOON)
    assert len(server.queries) == 1
    assert graph.traffic.retries == 0, "the wait was not served in full, and no request followed it"


def test_a_stop_ends_the_waits_of_all_threads_that_an_endpoint_holds_back(serve: Serve, connect: Connect) -> None:
    server, stop = serve(DATA), Watched()
    graph = connect(server, sleep=interruptible_sleep(stop), parallel=1)
    server.script(fake.too_many_requests("30"))
    with ThreadPoolExecutor(4) as pool:
        readings = [pool.submit(graph.relations, [A], Direction.OUT) for _ in range(4)]
        assert stop.awaited.wait(SOON)
        stop.set()
        for reading in readings:
            with pytest.raises(RunStopped):
                reading.result(SOON)
    assert len(server.queries) == 1


def test_what_is_stopped_asks_nothing_more(serve: Serve, connect: Connect) -> None:
    server, stop = serve(DATA), threading.Event()
    graph = connect(server, sleep=interruptible_sleep(stop))
    stop.set()
    with pytest.raises(RunStopped):
        graph.neighbours([A], Relation("http://example.org/r", "r"), Direction.OUT)
    assert server.queries == ()


def test_a_run_that_is_stopped_does_not_wait_for_its_graph(serve: Serve, tmp_path: Path) -> None:
    own = "https://kgbench.invalid"  # ids of the bundled questions stand below it
    server, asked = serve(f"<{own}/id/a> <{own}/relation/r> <{own}/id/b> ."), threading.Event()

    def busy(answer: Fault) -> Fault:
        def fault(right: ServerResponse) -> ServerResponse:
            asked.set()
            return answer(right)

        return fault

    spec = RunSpec(method="arog", kg=server.url, kg_profile="plain", limit=3, jobs=2, cache="off", out=str(tmp_path))
    plan = make_plan(spec, Given(key=MasterKey(bytes(32))))
    server.script(*[busy(fake.too_many_requests("30"))] * 20)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(start, plan)
        assert asked.wait(SOON)
        plan.stop.set()
        with pytest.raises(RunStopped):
            running.result(SOON)
