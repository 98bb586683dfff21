"""IO and CoT, and the fallback that is CoT."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_context import FakeContext, question

from kgbench.contracts import Reply
from kgbench.errors import UsageError
from kgbench.types import Source
from kgbench_methods.common.fallback import cot_fallback
from kgbench_methods.io_cot.method import ClosedBookParameters, Cot, Io

if TYPE_CHECKING:
    from collections.abc import Callable

    from kgbench.types import Prediction

WHO = question("who?")
OFFICIAL = ClosedBookParameters(profile="official")


def run(method: type[Io | Cot], context: FakeContext, parameters: ClosedBookParameters | None = None) -> Prediction:
    return method(parameters or ClosedBookParameters()).answer(WHO, context)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", [Io, Cot])
@pytest.mark.parametrize("parameters", [ClosedBookParameters(), OFFICIAL])
def test_a_good_reply_is_one_call(method: type[Io | Cot], parameters: ClosedBookParameters) -> None:
    context = FakeContext(["It was {Ann | Bob}."])
    prediction = run(method, context, parameters)
    assert prediction.answers == ("Ann", "Bob")
    assert prediction.raw == "It was {Ann | Bob}."
    assert prediction.source is Source.MODEL
    assert prediction.flags == ()
    (call,) = context.calls
    assert (call.n, call.sampling) == (1, {"temperature": 0.0, "max_tokens": 256})
    assert call.prompt.template is method.card.templates[0 if parameters.profile == "clean" else 1]
    assert not context.notes


def test_io_reads_the_first_group_and_cot_the_last() -> None:
    reply = "{Ann} wrote it. Not {Bob}."
    assert run(Io, FakeContext([reply])).answers == ("Ann",)
    assert run(Cot, FakeContext([reply])).answers == ("Bob",)


@pytest.mark.parametrize("method", [Io, Cot])
def test_abstention_is_no_malformed_reply(method: type[Io | Cot]) -> None:
    context = FakeContext(["{unknown}"])
    prediction = run(method, context)
    assert (prediction.answers, prediction.flags, len(context.calls)) == ((), (), 1)


@pytest.mark.parametrize("method", [Io, Cot])
@pytest.mark.parametrize("malformed", ["", "  ", "Ann wrote it.", "It was {An"])
def test_clean_asks_once_more_with_other_bytes(method: type[Io | Cot], malformed: str) -> None:
    context = FakeContext([malformed, "{Ann}"])
    prediction = run(method, context)
    assert (prediction.answers, prediction.raw, prediction.flags) == (("Ann",), "{Ann}", ("retried",))
    first, second = context.calls
    assert first.wire != second.wire
    assert first.sampling == second.sampling
    assert second.messages[-1]["content"] == f"Question: who?\n{method.card.templates[0].reminder}"
    assert context.notes == {f"parse_failure:{method.card.name}": 1}


@pytest.mark.parametrize("method", [Io, Cot])
def test_two_malformed_replies(method: type[Io | Cot]) -> None:
    context = FakeContext(["Ann wrote it.", "Ann."])
    prediction = run(method, context)
    assert (prediction.answers, prediction.raw) == ((), "Ann wrote it.")
    assert prediction.flags == ("retried", "no_parse")
    assert context.notes == {f"parse_failure:{method.card.name}": 2}
    assert len(context.calls) == 2


@pytest.mark.parametrize("second", ["Ann.", "{Bo", ""])
def test_a_second_reply_that_is_no_better_is_dropped(second: str) -> None:
    prediction = run(Cot, FakeContext(["It was {An", second]))
    assert (prediction.answers, prediction.raw) == (("An",), "It was {An")
    assert prediction.flags == ("retried", "truncated")


def test_a_second_reply_that_is_cut_off_is_better_than_none() -> None:
    prediction = run(Cot, FakeContext(["Ann wrote it.", "It was {Ann"]))
    assert (prediction.answers, prediction.flags) == (("Ann",), ("retried", "truncated"))


@pytest.mark.parametrize("method", [Io, Cot])
@pytest.mark.parametrize(
    ("reply", "answers", "flags"),
    [("Ann wrote it.", (), ("no_parse",)), ("It was {Ann", ("Ann",), ("truncated",)), ("", (), ("no_parse",))],
)
def test_official_never_asks_again(
    method: type[Io | Cot], reply: str, answers: tuple[str, ...], flags: tuple[str, ...]
) -> None:
    context = FakeContext([reply])
    prediction = run(method, context, OFFICIAL)
    assert (prediction.answers, prediction.raw, prediction.flags) == (answers, reply, flags)
    assert context.notes == {f"parse_failure:{method.card.name}": 1}


def test_a_reply_ended_by_its_length_limit_is_named_so() -> None:
    prediction = run(Cot, FakeContext([Reply("The one who", finish="length")]), OFFICIAL)
    assert set(prediction.flags) == {"no_parse", "truncated"}
    complete = run(Cot, FakeContext([Reply("It was {Ann}. She", finish="length")]), OFFICIAL)
    assert (complete.answers, complete.flags) == (("Ann",), ())


def test_parameters_reach_the_call() -> None:
    context = FakeContext(["{Ann}"])
    run(Io, context, ClosedBookParameters(temperature=0.3, max_tokens=20))
    assert context.calls[0].sampling == {"temperature": 0.3, "max_tokens": 20}


@pytest.mark.parametrize(
    ("make", "hint"),
    [
        (lambda: ClosedBookParameters(profile="paper"), "clean or official"),  # type: ignore[arg-type]
        (lambda: ClosedBookParameters(quirks=("Q1",)), "Q1"),
    ],
)
def test_unknown_profiles_and_quirks_are_refused(make: Callable[[], object], hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        make()


def test_expected_calls_hold_what_was_made() -> None:
    for parameters, largest in ((ClosedBookParameters(), 2), (OFFICIAL, 1)):
        assert Cot.card.expected_calls is not None
        assert Cot.card.expected_calls(parameters) == (1, largest)
        context = FakeContext(["no braces"] * 2)
        run(Cot, context, parameters)
        assert len(context.calls) == largest


@pytest.mark.parametrize("script", [["It was {Ann}."], ["no braces", "{Ann}"], ["no", "no"]])
def test_the_fallback_asks_as_cot_does_and_says_what_it_is(script: list[str]) -> None:
    alone, fallback = FakeContext(script), FakeContext(script)
    expected = run(Cot, alone)
    prediction = cot_fallback(WHO, fallback)  # type: ignore[arg-type]
    assert prediction.source is Source.FALLBACK
    assert (prediction.answers, prediction.raw, prediction.flags) == (expected.answers, expected.raw, expected.flags)
    assert [call.wire for call in fallback.calls] == [call.wire for call in alone.calls]
    assert [call.prompt.template for call in fallback.calls] == [call.prompt.template for call in alone.calls]
    assert prediction.evidence == ()


def test_the_official_fallback_asks_once() -> None:
    context = FakeContext(["no braces"])
    assert cot_fallback(WHO, context, "official").flags == ("no_parse",)  # type: ignore[arg-type]
    assert context.calls[0].prompt.template.flat
