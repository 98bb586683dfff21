from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.contracts import Completion, TransientFailure
from kgbench.errors import FatalModelError, ModelUnavailable, Refused, RunStopped, UsageError
from kgbench.llm.retry import (
    Attempted,
    Attempts,
    RetriesExhausted,
    RetryPolicy,
    attempts_of,
    interruptible_sleep,
    send_with_retries,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REPLY = Completion(texts=("hello",))


class Clock:
    """Time that passes only while one sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def script(outcomes: Sequence[Exception | Completion]) -> Callable[[], Completion]:
    left = iter(outcomes)

    def send() -> Completion:
        outcome = next(left)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return send


def run(
    outcomes: Sequence[Exception | Completion], clock: Clock, policy: RetryPolicy | None = None, chance: float = 0.0
) -> Attempted:
    return send_with_retries(
        script(outcomes), policy or RetryPolicy(), sleep=clock.sleep, random=lambda: chance, clock=clock
    )


def test_a_reply_at_once_waits_for_nothing(clock: Clock) -> None:
    assert run([REPLY], clock) == Attempted(REPLY, 1, ())
    assert clock.slept == []


def test_waits_double_up_to_the_cap_and_are_jittered_downwards(clock: Clock) -> None:
    failures = [TransientFailure("busy")] * 5
    attempted = run([*failures, REPLY], clock, RetryPolicy(retries=5, first_wait=2.0, cap=10.0), chance=0.0)
    assert attempted.attempts == 6
    assert clock.slept == [1.0, 2.0, 4.0, 5.0, 5.0]
    assert [wait.seconds for wait in attempted.waits] == clock.slept
    assert {wait.kind for wait in attempted.waits} == {"transient"}


@given(
    retry=st.integers(1, 2000),
    asked=st.none() | st.floats(0, 1e5, allow_nan=False),
    chance=st.floats(0, 1, exclude_max=True),
)
def test_a_wait_is_never_shorter_than_asked_nor_longer_than_needed(
    retry: int, asked: float | None, chance: float
) -> None:
    policy = RetryPolicy()
    seconds = policy.seconds_before(retry, asked, chance)
    assert seconds >= max(asked or 0.0, policy.first_wait / 2)
    assert seconds <= max(policy.cap, 1.1 * (asked or 0.0))


def test_the_server_may_ask_for_more_than_the_cap(clock: Clock) -> None:
    run([TransientFailure("busy", retry_after=90.0), REPLY], clock, chance=0.5)
    assert clock.slept == [pytest.approx(94.5)]


def test_at_most_retries_plus_one_requests(clock: Clock) -> None:
    failures = [TransientFailure(f"busy {number}") for number in range(10)]
    with pytest.raises(ModelUnavailable, match=r"3 of 3 requests failed.*busy 2.*resume") as caught:
        run(failures, clock, RetryPolicy(retries=2))
    assert caught.value.__cause__ is failures[2]
    assert isinstance(caught.value, RetriesExhausted)
    assert caught.value.attempts.requests == 3
    assert attempts_of(caught.value).waits == tuple(caught.value.attempts.waits)
    assert len(clock.slept) == 2, "no wait after the last failure"


def test_no_retries_is_one_request(clock: Clock) -> None:
    with pytest.raises(RetriesExhausted):
        run([TransientFailure("busy"), REPLY], clock, RetryPolicy(retries=0))
    assert clock.slept == []


def test_no_wait_passes_the_deadline(clock: Clock) -> None:
    policy = RetryPolicy(deadline=100.0)
    with pytest.raises(RetriesExhausted, match="deadline of 100 s") as caught:
        run([TransientFailure("a"), TransientFailure("b", retry_after=3600.0), REPLY], clock, policy)
    assert caught.value.attempts.requests == 2
    assert sum(clock.slept) < 1.0


@pytest.mark.parametrize("error", [Refused("no"), FatalModelError("key"), ValueError("bug"), KeyboardInterrupt()])
def test_other_errors_go_through_at_once_and_tell_what_was_sent(clock: Clock, error: BaseException) -> None:
    failures: list[BaseException] = [TransientFailure("busy"), error]

    def send() -> Completion:
        raise failures.pop(0)

    with pytest.raises(type(error)) as caught:
        send_with_retries(send, RetryPolicy(), sleep=clock.sleep, random=lambda: 0.0, clock=clock)
    assert caught.value is error
    assert attempts_of(error) == Attempts(2, ((("transient"), 0.5),))
    assert attempts_of(error).retries == 1


def test_attempts_of_an_error_from_elsewhere() -> None:
    assert attempts_of(ValueError()) == Attempts(1)


def test_a_stop_ends_the_wait() -> None:
    stop = threading.Event()

    def send() -> Completion:
        stop.set()
        raise TransientFailure("busy", retry_after=500.0)

    with pytest.raises(RunStopped, match="resume") as caught:
        send_with_retries(send, RetryPolicy(), sleep=interruptible_sleep(stop), random=lambda: 0.0, clock=lambda: 0.0)
    assert attempts_of(caught.value) == Attempts(1)


def test_sleep_returns_while_nobody_stops() -> None:
    interruptible_sleep(threading.Event())(0.0)


@pytest.mark.parametrize("values", [{"retries": -1}, {"first_wait": 0.0}, {"cap": 0.5}])
def test_senseless_policies_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="retry policy"):
        RetryPolicy(**values)  # type: ignore[arg-type]
