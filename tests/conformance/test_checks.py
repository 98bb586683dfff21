"""The checks bite: each double breaks one rule and fails the checks that hold it, and no other."""

from __future__ import annotations

import bad_methods
import pytest

from kgbench.testing import check_method
from kgbench.testing.conformance import check_names

EXPOSURE = "names only where they may be shown: "
REPEATS = ("jobs change no request", "one key, the same bytes", "the hash seed changes no request")


EXPOSURES = tuple(name for name in check_names() if name.startswith(EXPOSURE))


def failed(method: type, *only: str) -> dict[str, str]:
    return {result.name: result.detail for result in check_method(method, only=only) if not result.passed}


def test_a_good_method_passes() -> None:
    assert failed(bad_methods.Good) == {}


def test_names_that_a_model_repeats_are_hidden_again() -> None:
    """Notes of a retrieval reply that showed names stand in generation prompts of ``p-r`` by their handles."""
    assert failed(bad_methods.NamesHeard, *EXPOSURES) == {}


@pytest.mark.parametrize("method", [bad_methods.NameAsWord, bad_methods.NameAsRelation, bad_methods.NameInTemplate])
def test_a_stolen_name_is_found(method: type) -> None:
    """Also in exposed phases, where a name may stand in a slot for nodes only."""
    assert set(failed(method, *EXPOSURES)) == set(EXPOSURES)


@pytest.mark.parametrize(
    ("method", "name", "detail"),
    [
        (bad_methods.SetOrder, "the hash seed changes no request", "the order of a set"),
        (bad_methods.Counting, "one key, the same bytes", "first at"),
        (bad_methods.Brittle, "malformed replies do no harm", "the method raised ValueError"),
        (bad_methods.Swallowing, "a failing model ends in a status", "ended in ok after a model that never answers"),
        (bad_methods.GraphSwallowing, "a failing graph ends in kg_error", "though the graph is away"),
        (bad_methods.Endless, "malformed replies do no harm", "the method raised RecursionError"),
        (bad_methods.Understated, "calls stay within what the card announces", "announces at most 1"),
        (bad_methods.Bare, "the card is complete", "name must be one line and not empty"),
        (bad_methods.Bare, "every template sent is on the card", "double.setup, double.tell"),
        (bad_methods.LateParameters, "the method can be built", "TypeError"),
        (bad_methods.NearHandle, "invented handles stay unknown", "invents m.0b7ak2x"),
        (bad_methods.UnknownKind, "every template has a known kind", 'unknown kind "guess"'),
    ],
)
def test_a_broken_rule_fails_its_check(method: type, name: str, detail: str) -> None:
    found = failed(method, name)
    assert detail in found.get(name, ""), found


def test_a_class_inside_a_function_is_checked_as_far_as_it_can_be() -> None:
    class Local(bad_methods.Good):
        pass

    assert failed(Local, *REPEATS) == {}
