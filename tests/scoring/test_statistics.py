from __future__ import annotations

import itertools
import math
import statistics as plain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgbench.scoring.statistics import bootstrap_interval, compare, mean_and_deviation, randomisation_test, ratio


def test_interval_of_hits_is_near_the_binomial_one() -> None:
    low, high = bootstrap_interval([1.0] * 300 + [0.0] * 700) or (0, 0)
    half = 1.96 * math.sqrt(0.3 * 0.7 / 1000)
    assert low == pytest.approx(0.3 - half, abs=0.004)
    assert high == pytest.approx(0.3 + half, abs=0.004)


def test_interval_agrees_with_resampling_questions_one_by_one() -> None:
    values = np.random.default_rng(1).random(200)
    generator = np.random.default_rng(2)
    means = values[generator.integers(0, 200, (4000, 200))].mean(axis=1)
    expected = np.percentile(means, (2.5, 97.5))
    assert bootstrap_interval(list(values)) == pytest.approx(tuple(expected), abs=0.004)


def test_interval_of_a_ratio_leaves_uncounted_questions_out() -> None:
    counted = bootstrap_interval([1.0] * 30 + [0.0] * 70)
    padded = bootstrap_interval([1.0] * 30 + [0.0] * 170, [1.0] * 100 + [0.0] * 100)
    assert padded == pytest.approx(counted, abs=0.02)


def test_small_cases_of_the_interval() -> None:
    assert bootstrap_interval([]) is None
    assert bootstrap_interval([0.25]) == (0.25, 0.25)
    assert bootstrap_interval([1.0, 1.0]) == (1.0, 1.0)
    assert bootstrap_interval([0.0], [0.0]) is None
    assert ratio([], []) is None


def test_interval_depends_on_seed_and_not_on_order() -> None:
    values = [float(number % 7) for number in range(100)]
    assert bootstrap_interval(values) == bootstrap_interval(values[::-1])
    assert bootstrap_interval(values, seed=1) != bootstrap_interval(values, seed=2)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, -1.0]), min_size=1, max_size=30))
def test_interval_lies_within_the_values(values: list[float]) -> None:
    low, high = bootstrap_interval(values, resamples=50) or (0, 0)
    assert min(values) <= low <= high <= max(values)


@pytest.mark.parametrize(
    "differences",
    [
        [1.0, 1.0, 1.0, 1.0, 1.0],
        [1.0, -1.0, 1.0, 0.0, 1.0],
        [0.5, 0.25, -1.0, 0.125, 0.75],
        [0.3, 0.1, 0.2, -0.6],
        [1 / 3, 1 / 3, -2 / 3, 1.0],
    ],
)
def test_small_randomisation_tests_are_exact(differences: list[float]) -> None:
    signs = list(itertools.product((1, -1), repeat=len(differences)))
    observed = abs(sum(differences))
    sums = [sum(sign * value for sign, value in zip(flips, differences, strict=True)) for flips in signs]
    extreme = sum(abs(total) >= observed - 1e-9 for total in sums)
    assert randomisation_test(differences) == pytest.approx(extreme / len(signs))


def test_equal_differences_are_an_exact_sign_test() -> None:
    gained, lost = 40, 20
    tail = sum(math.comb(60, k) for k in range(gained, 61)) / 2**60
    assert randomisation_test([1.0] * gained + [-1.0] * lost + [0.0] * 900) == pytest.approx(2 * tail)


def test_drawn_flips_agree_with_the_normal_approximation() -> None:
    differences = list(np.random.default_rng(3).normal(0.05, 1.0, 2000))
    z = abs(sum(differences)) / math.sqrt(sum(value**2 for value in differences))
    expected = 2 * (1 - plain.NormalDist().cdf(z))
    assert randomisation_test(differences) == pytest.approx(expected, abs=0.015)
    assert randomisation_test(differences, seed=1) == randomisation_test(differences, seed=1)


def test_a_drawn_p_value_is_never_zero() -> None:
    differences = [1.0 + number / 1000 for number in range(100)]
    assert randomisation_test(differences, flips=99) == 0.01


def test_a_resample_without_a_counted_question_is_left_out() -> None:
    low, high = bootstrap_interval([1.0, 0.0, 0.0], [1.0, 1.0, 0.0]) or (math.nan, math.nan)
    assert (low, high) == (0.0, 1.0)


def test_no_difference_is_no_evidence() -> None:
    assert randomisation_test([]) == 1.0
    assert randomisation_test([0.0, 0.0]) == 1.0
    assert randomisation_test([1.0, -1.0]) == 1.0


def test_mean_and_deviation_over_trials() -> None:
    assert mean_and_deviation([0.5]) == (0.5, None)
    mean, deviation = mean_and_deviation([0.4, 0.5, 0.6])
    assert (mean, deviation) == (pytest.approx(0.5), pytest.approx(0.1))


def test_comparison_uses_shared_questions_and_lists_flips() -> None:
    first = {"a": 1.0, "b": 0.0, "c": 0.0, "only first": 1.0}
    second = {"c": 1.0, "b": 1.0, "a": 0.0, "only second": 1.0}
    comparison = compare(first, second)
    assert comparison.n == 3
    assert comparison.difference == pytest.approx(1 / 3)
    assert comparison.gained == ("b", "c")
    assert comparison.lost == ("a",)
    assert comparison.p_value == 1.0
    assert comparison.ci is not None
    low, high = comparison.ci
    assert low < 1 / 3 < high
    assert compare({}, second).difference is None
