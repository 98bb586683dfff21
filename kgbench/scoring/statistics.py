"""Intervals and tests over questions. Every draw is seeded; no result depends on the order of the questions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

SEED = 0
"""Seed of every bootstrap and randomisation, printed beside the results."""
RESAMPLES = 2_000
FLIPS = 10_000
"""Sign flips drawn where all of them would be too many."""
_EXACT_OUTCOMES = 100_000
_EXACT_COUNT = 1_000
_CELLS = 4_000_000
"""Numbers held at once; bounds the memory of a bootstrap."""


def ratio(values: Sequence[float], weights: Sequence[float]) -> float | None:
    """Return the sum of values over the sum of weights, or None where the weights are 0; exact in any order."""
    total = math.fsum(weights)
    return math.fsum(values) / total if total else None


def bootstrap_interval(
    values: Sequence[float], weights: Sequence[float] | None = None, *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[float, float] | None:
    """Return the 95 % percentile interval of a mean, by drawing questions with replacement.

    Questions of equal value are drawn together: how often each distinct value comes up is one multinomial draw, which is
    the same resampling and far less work.

    Args:
        values: one number a question, shape [n].
        weights: for a ratio, what each question adds to the denominator, shape [n]; default 1.
        resamples: number of bootstrap samples.
        seed: seed of the generator.

    Returns:
        (low, high), or None without questions or with a denominator of 0.
    """
    if ratio(values, [1.0] * len(values) if weights is None else weights) is None:
        return None
    table = np.column_stack([values, np.ones(len(values)) if weights is None else weights]).astype(np.float64)
    distinct, counts = np.unique(table, axis=0, return_counts=True)
    if len(distinct) == 1:
        only = float(distinct[0, 0] / distinct[0, 1])
        return (only, only)
    low, high = np.percentile(_resampled_ratios(distinct, counts, resamples, seed), (2.5, 97.5))
    return (float(low), float(high))


def _resampled_ratios(
    distinct: NDArray[np.float64], counts: NDArray[np.int64], resamples: int, seed: int
) -> NDArray[np.float64]:
    generator = np.random.default_rng(seed)
    size = int(counts.sum())
    chunk = max(1, _CELLS // len(distinct))
    sums = np.concatenate(
        [
            generator.multinomial(size, counts / size, min(chunk, resamples - done)) @ distinct
            for done in range(0, resamples, chunk)
        ]
    )
    # A resample without any weight says nothing about the ratio.
    sums = sums[sums[:, 1] > 0]
    ratios: NDArray[np.float64] = sums[:, 0] / sums[:, 1]
    return ratios


def randomisation_test(differences: Sequence[float], *, flips: int = FLIPS, seed: int = SEED) -> float:
    """Return the two-sided p value of a paired randomisation test: signs of the differences flipped at random.

    All outcomes are counted where they are few enough (16 questions that differ, or 1,000 that differ by the same amount);
    otherwise flips are drawn and p is (extreme + 1) / (flips + 1).

    Args:
        differences: second minus first, one number a question.
        flips: number of random flips.
        seed: seed of the generator.
    """
    nonzero = np.array([difference for difference in differences if difference], dtype=np.float64)
    if not len(nonzero):
        return 1.0
    magnitudes: NDArray[np.float64] = np.abs(nonzero).round(12)
    sizes, counts = np.unique(magnitudes, return_counts=True)
    observed = abs(math.fsum(differences)) - 1e-9
    if counts.max() <= _EXACT_COUNT and math.prod(count + 1 for count in counts.tolist()) <= _EXACT_OUTCOMES:
        sums, chances = _all_outcomes(sizes, counts)
        return min(1.0, float(chances[np.abs(sums) >= observed].sum()))
    generator = np.random.default_rng(seed)
    sums = np.zeros(flips)
    for size, count in zip(sizes, counts, strict=True):
        sums += size * (2 * generator.binomial(count, 0.5, flips) - count)
    extreme = int((np.abs(sums) >= observed).sum())
    return (extreme + 1) / (flips + 1)


def _all_outcomes(
    sizes: NDArray[np.float64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Every sum that flipping signs can give, with its chance; differences of equal size count as one binomial."""
    sums, chances = np.zeros(1), np.ones(1)
    for size, count in zip(sizes, counts.tolist(), strict=True):
        signed = size * (2 * np.arange(count + 1) - count)
        chance = np.array([math.comb(count, ups) / 2**count for ups in range(count + 1)])
        sums = np.add.outer(sums, signed).ravel()
        chances = np.multiply.outer(chances, chance).ravel()
    return sums, chances


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float | None]:
    """Return mean and sample standard deviation over trials; no deviation for one trial."""
    return fmean(values), stdev(values) if len(values) > 1 else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A paired comparison of two runs on their shared questions; differences are second minus first."""

    difference: float | None
    ci: tuple[float, float] | None
    """95 % paired bootstrap interval of the difference."""
    p_value: float
    n: int
    """Shared questions."""
    gained: tuple[str, ...]
    """Ids of questions on which the second is better."""
    lost: tuple[str, ...]


def compare(first: Mapping[str, float], second: Mapping[str, float], *, seed: int = SEED) -> Comparison:
    """Compare two runs question by question.

    Args:
        first: question id -> score of the first run, as :func:`kgbench.scoring.score.per_question` gives it.
        second: the same of the second run.
        seed: seed of bootstrap and randomisation.
    """
    shared = sorted(first.keys() & second.keys())
    differences = {question: second[question] - first[question] for question in shared}
    values = list(differences.values())
    return Comparison(
        difference=ratio(values, [1.0] * len(values)),
        ci=bootstrap_interval(values, seed=seed),
        p_value=randomisation_test(values, seed=seed),
        n=len(shared),
        gained=tuple(question for question, value in differences.items() if value > 0),
        lost=tuple(question for question, value in differences.items() if value < 0),
    )
