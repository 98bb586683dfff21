from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from kgbench.contracts import TransientFailure
from kgbench.errors import RunStopped, UsageError
from kgbench.llm.limits import Limiters, ModelLimiter, ModelLimits, TokenBucket


class Clock:
    """Time that passes only while one sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def limiter(clock: Clock, **limits: float) -> ModelLimiter:
    return ModelLimiter(ModelLimits(**limits), clock=clock, sleep=clock.sleep)  # type: ignore[arg-type]


def test_without_rates_nothing_waits(clock: Clock) -> None:
    model = limiter(clock, concurrent=1)
    for _ in range(100):
        with model.slot(10_000) as waited:
            assert waited == 0.0
    assert clock.slept == []


def test_requests_a_minute_are_kept(clock: Clock) -> None:
    model = limiter(clock, requests_per_minute=60)
    for _ in range(190):
        with model.slot():
            pass
    # A burst of ten seconds' worth is free, the other 180 come one a second.
    assert clock.now == pytest.approx(180.0)


def test_tokens_a_minute_are_kept_and_settled(clock: Clock) -> None:
    model = limiter(clock, tokens_per_minute=6000)
    with model.slot(1000) as waited:
        assert waited == 0.0
    with model.slot(500) as waited:
        assert waited == pytest.approx(5.0)
    model.settle(500, 800)
    with model.slot(0) as waited:
        assert waited == pytest.approx(3.0)
    model.settle(800, 0)
    with model.slot(700) as waited:
        assert waited == 0.0


def test_a_request_larger_than_the_bucket_is_slow_but_not_stuck(clock: Clock) -> None:
    bucket = TokenBucket(60, clock)
    assert bucket.take(100) == pytest.approx(90.0)


def test_a_slow_rate_lets_the_first_request_through(clock: Clock) -> None:
    bucket = TokenBucket(1, clock)
    assert bucket.take(1) == 0.0
    assert bucket.take(1) == pytest.approx(60.0)


def test_a_server_that_asks_to_wait_is_left_alone_by_all(clock: Clock) -> None:
    model = limiter(clock)
    with pytest.raises(TransientFailure), model.slot():
        raise TransientFailure("busy", retry_after=7.0)
    with model.slot() as waited:
        assert waited == 7.0
    with model.slot() as waited:
        assert waited == 0.0


def test_no_more_than_the_allowed_requests_run_at_once() -> None:
    model = ModelLimiter(ModelLimits(concurrent=3), clock=lambda: 0.0, sleep=lambda _: None)
    lock = threading.Lock()
    full = threading.Barrier(3, timeout=10)
    running, most = 0, 0

    def work(_: int) -> None:
        nonlocal running, most
        with model.slot():
            with lock:
                running += 1
                most = max(most, running)
            full.wait()  # passes only when three are inside together
            with lock:
                running -= 1

    with ThreadPoolExecutor(9) as pool:
        list(pool.map(work, range(9)))
    assert most == 3


def test_a_failure_gives_its_place_back(clock: Clock) -> None:
    model = limiter(clock, concurrent=1)
    for _ in range(3):
        with pytest.raises(ValueError, match="bug"), model.slot():
            raise ValueError("bug")
    with model.slot():
        pass


def test_a_stopped_run_ends_while_it_waits_for_a_rate() -> None:
    def stopped(_: float) -> None:
        raise RunStopped("stopped")

    model = ModelLimiter(ModelLimits(concurrent=1, requests_per_minute=1), clock=lambda: 0.0, sleep=stopped)
    with model.slot():
        pass
    for _ in range(2):  # the place of the first is free again
        with pytest.raises(RunStopped), model.slot():
            pass


def test_one_limiter_a_model(clock: Clock) -> None:
    limiters = Limiters(ModelLimits(concurrent=2), clock=clock, sleep=clock.sleep)
    one = limiters.of("openai", "a")
    assert limiters.of("openai", "a") is one
    assert limiters.of("openai", "a", "http://localhost:1/v1") is not one
    assert limiters.of("litellm", "a") is not one
    assert limiters.of("openai", "b", limits=ModelLimits(concurrent=9)).limits.concurrent == 9
    assert one.limits.concurrent == 2


@pytest.mark.parametrize("limits", [{"concurrent": 0}, {"requests_per_minute": 0.0}, {"tokens_per_minute": -1.0}])
def test_senseless_limits_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="positive"):
        ModelLimits(**limits)  # type: ignore[arg-type]
