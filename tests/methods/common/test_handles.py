from __future__ import annotations

import pytest

from kgbench_methods.common.handles import begins_with_handle, holds_handle


@pytest.mark.parametrize("text", ["m.0bcd123", "the river m.0bcd123.", "M.0BCD123", "(g.11b5v_x)"])
def test_handles_are_seen(text: str) -> None:
    assert holds_handle(text)


@pytest.mark.parametrize("text", ["", "Ilm", "film.film", "a.m.0bc", "m.", "8 p.m."])
def test_other_texts_hold_none(text: str) -> None:
    assert not holds_handle(text)


def test_the_published_test_looks_at_the_beginning_alone() -> None:
    assert begins_with_handle(" m.0bcd123")
    assert begins_with_handle("m. Dupont")
    assert not begins_with_handle("the river m.0bcd123")
    assert not begins_with_handle("g.11b5v_x")
