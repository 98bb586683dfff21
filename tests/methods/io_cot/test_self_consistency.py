from __future__ import annotations

import pytest
from fake_context import FakeContext, question
from hypothesis import given
from hypothesis import strategies as st

from kgbench.contracts import Reply
from kgbench.errors import UsageError
from kgbench.types import Prediction, Source
from kgbench_methods.io_cot.method import ClosedBookParameters, Cot, CotSc, SelfConsistencyParameters
from kgbench_methods.io_cot.voting import vote_by_item, vote_by_set, vote_by_text

WHO = question("who?")


def run(context: FakeContext, **parameters: object) -> Prediction:
    return CotSc(SelfConsistencyParameters(**parameters)).answer(WHO, context)  # type: ignore[arg-type]


# --- Calls -------------------------------------------------------------------------------------------------------------


def test_clean_samples_five_at_a_temperature() -> None:
    context = FakeContext(["{Ann}"] * 5)
    prediction = run(context)
    assert prediction == Prediction(("Ann",), "{Ann}", Source.MODEL)
    (call,) = context.calls
    assert (call.n, call.sampling) == (5, {"temperature": 0.7, "max_tokens": 256, "top_p": 1.0})
    assert call.prompt.template is Cot.card.templates[0]


def test_official_samples_six_without_one() -> None:
    context = FakeContext(["{Ann}"] * 6)
    run(context, profile="official")
    (call,) = context.calls
    assert (call.n, call.sampling) == (6, {"temperature": 0.0, "max_tokens": 256})
    assert call.prompt.template is Cot.card.templates[1]


@pytest.mark.parametrize("profile", ["clean", "official"])
@pytest.mark.parametrize("script", [["so {Ann}"], ["no braces", "{Ann}"], ["{An", "no"], ["", ""], ["{unknown}"]])
def test_one_sample_at_zero_is_cot(profile: str, script: list[str]) -> None:
    alone, sampled = FakeContext(script), FakeContext(script)
    expected = Cot(ClosedBookParameters(profile=profile)).answer(WHO, alone)  # type: ignore[arg-type]
    assert run(sampled, profile=profile, n=1, temperature=0.0) == expected
    assert [call.wire for call in sampled.calls] == [call.wire for call in alone.calls]
    assert sampled.notes == alone.notes


def test_samples_that_the_server_did_not_list() -> None:
    assert run(FakeContext([Reply("{Ann}")]), n=3).answers == ("Ann",)


@pytest.mark.parametrize(("parameters", "calls"), [({}, (5, 5)), ({"profile": "official"}, (6, 6)), ({"n": 1}, (1, 2))])
def test_expected_calls(parameters: dict[str, object], calls: tuple[int, int]) -> None:
    assert CotSc.card.expected_calls is not None
    assert CotSc.card.expected_calls(SelfConsistencyParameters(**parameters)) == calls  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "parameters",
    [
        {"n": 0},
        {"n": -1},
        {"n": 101},
        {"profile": "paper"},
        {"quirks": ("x",)},
        {"per_item_vote": True, "profile": "official"},
    ],
)
def test_impossible_parameters_are_refused(parameters: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        SelfConsistencyParameters(**parameters)  # type: ignore[arg-type]


# --- Votes on sets -----------------------------------------------------------------------------------------------------


def test_the_majority_wins_in_its_first_spelling() -> None:
    context = FakeContext(["{Bob}", "{The Beatles}", "{Ann}", "so {beatles}", "{Beatles.}"])
    prediction = run(context)
    assert (prediction.answers, prediction.raw) == (("The Beatles",), "{The Beatles}")
    assert not context.notes


def test_ties_go_to_the_earliest_sample() -> None:
    assert run(FakeContext(["{Cy}", "{Bob}", "{Ann}", "{Ann}", "{Bob}"])).answers == ("Bob",)


def test_sets_vote_as_sets() -> None:
    context = FakeContext(["{Ann}", "{Bob | Ann}", "{Ann}", "{ann; bob}", "{BOB | ANN}"])
    assert run(context).answers == ("Bob", "Ann")


def test_unreadable_samples_do_not_vote_and_are_counted() -> None:
    context = FakeContext(["Bob", "Bob", "Bob", "{Ann}", ""])
    prediction = run(context)
    assert (prediction.answers, prediction.raw, prediction.flags) == (("Ann",), "{Ann}", ())
    assert context.notes == {"parse_failure:cot": 4}


def test_abstentions_do_not_vote() -> None:
    assert run(FakeContext(["{unknown}"] * 4 + ["{Ann}"])).answers == ("Ann",)


def test_all_unreadable() -> None:
    context = FakeContext(["Bob", "Ann", "", "x", "y"])
    prediction = run(context)
    assert (prediction.answers, prediction.raw, prediction.flags) == ((), "Bob", ("no_parse",))
    assert context.notes == {"parse_failure:cot": 5}
    assert len(context.calls) == 1


def test_one_abstention_among_unreadable_samples_is_an_abstention() -> None:
    prediction = run(FakeContext(["Bob", "Ann", "{unknown}", "x", "y"]))
    assert (prediction.answers, prediction.raw, prediction.flags) == ((), "{unknown}", ())


def test_a_winner_that_was_cut_off_says_so() -> None:
    assert run(FakeContext(["{An"] * 5)).flags == ("truncated",)


# --- Votes on items ----------------------------------------------------------------------------------------------------


def test_items_with_half_of_the_votes() -> None:
    context = FakeContext(["{Ann | Bob}", "{Bob}", "{Cy | bob}", "{Dee | cy}"])
    prediction = run(context, n=4, per_item_vote=True)
    assert (prediction.answers, prediction.raw, prediction.flags) == (("Bob", "Cy"), "{Ann | Bob}", ())


def test_items_are_ordered_by_their_votes() -> None:
    assert vote_by_item(["{Cy | Bob}", "{Bob}", "{Cy | Bob}"]).reading.answers == ("Bob", "Cy")


def test_a_sample_votes_once_for_an_item() -> None:
    assert vote_by_item(["{Ann | ANN | the Ann}", "{Bob}", "{Cy}"]).reading.answers == ()


def test_the_half_is_of_all_samples() -> None:
    vote = vote_by_item(["{Ann}", "no", "no", "no"])
    assert (vote.reading.answers, vote.reading.parsed, vote.unparsable) == ((), True, 3)
    assert vote_by_item(["{Ann}", "no"]).reading.answers == ("Ann",)


def test_items_all_unreadable() -> None:
    prediction = run(FakeContext(["no"] * 5), per_item_vote=True)
    assert (prediction.answers, prediction.flags) == ((), ("no_parse",))


# --- Votes on strings --------------------------------------------------------------------------------------------------


def test_strings_vote_in_lower_case_and_no_more() -> None:
    vote = vote_by_text(["{The Beatles}", "{Beatles}", "so {BEATLES}"])
    assert (vote.reading.answers, vote.raw) == (("Beatles",), "{Beatles}")
    assert vote_by_text(["{Ann; Bob}", "{Bob; Ann}", "{Cy}", "{cy}"]).reading.answers == ("Cy",)


def test_a_reply_without_braces_votes_with_all_of_it() -> None:
    context = FakeContext(["{Ann}", "Bob it is", "bob it is", "{Cy}", "x", "y"])
    prediction = run(context, profile="official")
    assert (prediction.answers, prediction.raw, prediction.flags) == ((), "Bob it is", ("no_parse",))
    assert context.notes == {"parse_failure:cot": 4}


def test_string_ties_go_to_the_first_seen() -> None:
    assert vote_by_text(["{Cy}", "{Bob}", "{Ann}", "{Ann}", "{Bob}"]).reading.answers == ("Bob",)


# --- Any samples -------------------------------------------------------------------------------------------------------

samples = st.lists(
    st.sampled_from(["{A}", "{a}", "{B}", "{A | B}", "{B; a}", "{unknown}", "", "none", "{C"]), min_size=1
)


@given(samples)
def test_the_outcome_is_one_of_the_samples(replies: list[str]) -> None:
    for vote in (vote_by_set(replies), vote_by_text(replies), vote_by_item(replies)):
        assert vote.raw in replies
        assert vote.unparsable == sum(reply in {"", "none"} for reply in replies)


@given(samples)
def test_equal_samples_decide_as_one(replies: list[str]) -> None:
    first = replies[0]
    assert vote_by_set([first] * 3).reading == vote_by_set([first]).reading
    assert vote_by_text([first] * 3).reading == vote_by_text([first]).reading
