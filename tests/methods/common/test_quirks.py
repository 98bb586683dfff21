from __future__ import annotations

import pytest

from kgbench.errors import UsageError
from kgbench_methods.common.quirks import Quirk, active_quirks

KNOWN = (
    Quirk("Q1", "published"),
    Quirk("Q2", "published and kept", clean=True),
    Quirk("Q3", "an option", official=False),
    Quirk("Q4", "impossible", refused="it would need a name"),
)


def active(profile: str, *chosen: str) -> frozenset[str]:
    return active_quirks("some-method", profile, chosen, KNOWN)


def test_profiles_have_their_quirks_and_never_a_refused_one() -> None:
    assert active("official") == {"Q1", "Q2"}
    assert active("clean") == {"Q2"}


def test_single_quirks_are_switched() -> None:
    assert active("clean", "Q3", "-Q2") == {"Q3"}
    assert active("official", "-Q1") == {"Q2"}
    assert active("clean", "-Q1") == {"Q2"}, "what is off stays off"
    assert active("clean", "-Q4") == {"Q2"}


@pytest.mark.parametrize(
    ("profile", "chosen", "said"),
    [
        ("clean", ["Q9"], "no quirk Q9; choose from Q1, Q2, Q3, Q4"),
        ("clean", ["-Q9"], "no quirk Q9"),
        ("clean", ["Q1", "-Q1"], "Q1 is switched on and off at once"),
        ("clean", ["Q4"], "refuses quirk Q4: it would need a name"),
        ("exact", [], 'no profile "exact"'),
    ],
)
def test_what_cannot_be_is_refused(profile: str, chosen: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        active(profile, *chosen)
