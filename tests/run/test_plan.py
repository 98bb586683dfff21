"""Which questions a run asks, and what is said where there is none."""

from __future__ import annotations

import pytest

from kgbench.errors import UsageError
from kgbench.run.plan import selected_records
from kgbench.spec import RunSpec
from kgbench.testing import toy_records
from kgbench.testing.harness import dataset_of


def test_a_filter_that_leaves_nothing_is_named() -> None:
    dataset = dataset_of(toy_records("hub"))
    with pytest.raises(UsageError, match='is left after --where "hops!=1,hops=1"; loosen the filter'):
        selected_records(RunSpec(where="hops!=1,hops=1"), dataset)


def test_a_file_without_questions_is_no_fault_of_a_filter() -> None:
    with pytest.raises(UsageError, match=r'the data set "\w+" holds no question; look at its file') as caught:
        selected_records(RunSpec(), dataset_of(()))
    assert "--where" not in str(caught.value)
