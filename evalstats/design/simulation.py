"""Simulated rejections of tests for normal scores."""

from __future__ import annotations

__all__ = [
    "Simulation",
    "area_rejections",
    "friedman_rejections",
    "nemenyi_rejections",
    "permutation_margin",
    "permutation_rejections",
    "signed_rank_margin",
    "signed_rank_power",
    "standard_error",
    "wilcoxon_rejections",
]

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.multiple.critical_differences import critical_difference
from evalstats.multiple.friedman import friedman_test
from evalstats.paired.auc_noninferiority import area_margin
from evalstats.paired.wilcoxon import wilcoxon_test

# maximum number of random numbers in one chunk, so the chunk fits into the cache
CHUNK = 2**18
# maximum number of differences with all sign flips; for more, a random sample of sign flips
FLIPPED_EXACTLY, N_FLIPS = 12, 1999


class Simulation(NamedTuple):
    """Number of experiments, seed, and progress function of a simulation."""

    n_simulations: int
    seed: int
    progress: Callable[[int], object] | None

    @classmethod
    def understood(cls, given: Mapping[str, Any]) -> tuple[Simulation, int | None]:
        """Validate `rng`, `n_simulations` and `progress` of a plan. Return the simulation, and the seed of `rng`."""
        source = _checks.random_source(given["rng"])
        n_simulations, progress = _checks.count(given["n_simulations"], "n_simulations"), given["progress"]
        seed = int(source.generator().integers(2**63))
        told = None if progress is None else lambda done: progress(done, n_simulations, "experiments")
        return cls(n_simulations, seed, told), source.seed

    def chunks(self, numbers_per_experiment: int) -> Iterator[tuple[int, np.random.Generator]]:
        """Yield the size and the random generator of each chunk; the method `generator` reproduces a chunk."""
        size = max(1, CHUNK // numbers_per_experiment)
        for i, start in enumerate(range(0, self.n_simulations, size)):
            yield min(size, self.n_simulations - start), self.generator(i)
            if self.progress is not None:
                self.progress(min(start + size, self.n_simulations))

    def generator(self, chunk: int) -> np.random.Generator:
        """Return the random generator of one chunk."""
        return np.random.default_rng([self.seed, chunk])


def wilcoxon_rejections(n: int, effect: float, alpha: float, alternative: str, simulation: Simulation) -> int:
    """Count the rejections of Wilcoxon's test for n normal differences with mean `effect` and variance 1."""
    count = 0
    for size, rng in simulation.chunks(n):
        d = rng.standard_normal((size, n)) + effect
        pvalue = wilcoxon_test(d, np.zeros(n), alternative=alternative, tie_tolerance=0).pvalue
        count += int(np.count_nonzero(pvalue <= alpha))
    return count


def signed_rank_margin(n: int, lower: float, upper: float, alpha: float, simulation: Simulation) -> int:
    """Count the experiments in which Wilcoxon's test shows that normal differences lie within the margins.

    `lower` and `upper` are the distances of the mean from the margins, in standard deviations. Without an upper margin,
    `upper` is infinite.
    """
    count = 0
    for size, rng in simulation.chunks(n):
        d, zero = rng.standard_normal((size, n)), np.zeros(n)
        shown = wilcoxon_test(d + lower, zero, alternative="greater", tie_tolerance=0).pvalue <= alpha
        if upper < math.inf:
            shown &= wilcoxon_test(d - upper, zero, alternative="less", tie_tolerance=0).pvalue <= alpha
        count += int(np.count_nonzero(shown))
    return count


def permutation_margin(n: int, lower: float, upper: float, alpha: float, simulation: Simulation) -> int:
    """Count the experiments in which the permutation test shows that the difference lies within the margins.

    All experiments use the same random signs.
    """

    def rejects(d: FloatArray, pvalues: _Pvalues) -> BoolArray:
        shown: BoolArray = pvalues(d + lower, (1,))[0] <= alpha
        return shown if upper == math.inf else shown & (pvalues(d - upper, (-1,))[0] <= alpha)

    return _permutation_count(n, simulation, rejects)


def permutation_rejections(n: int, effect: float, alpha: float, alternative: str, simulation: Simulation) -> int:
    """Count the rejections of the permutation test for n normal differences with mean `effect` and variance 1."""
    signs = {"two-sided": (1, -1), "greater": (1,), "less": (-1,)}[alternative]
    level = alpha / len(signs)

    def rejects(d: FloatArray, pvalues: _Pvalues) -> BoolArray:
        return np.asarray((pvalues(d + effect, signs) <= level).any(axis=0))

    return _permutation_count(n, simulation, rejects)


# one-sided p-values, a row for each sign of the alternative, from differences of shape (size, n)
_Pvalues = Callable[[FloatArray, Sequence[int]], FloatArray]


def _permutation_count(n: int, simulation: Simulation, rejects: Callable[[FloatArray, _Pvalues], BoolArray]) -> int:
    """Count the experiments in which the permutation test rejects, from standard normal differences."""
    is_exact = n <= FLIPPED_EXACTLY
    if is_exact:
        signs = 1.0 - 2 * (np.arange(2**n)[:, np.newaxis] >> np.arange(n) & 1)
    else:
        signs = 1.0 - 2 * np.random.default_rng([simulation.seed, 2**32 - 1]).integers(0, 2, (N_FLIPS, n))
    extra, total = (0, len(signs)) if is_exact else (1, len(signs) + 1)

    def pvalues(d: FloatArray, alternatives: Sequence[int]) -> FloatArray:
        observed, flipped = d.sum(axis=1, keepdims=True), d @ signs.T
        # the observed sum is one of the sums of all sign flips, up to rounding
        rounding = 1e-9 * np.abs(d).sum(axis=1, keepdims=True)
        as_extreme = [
            flipped >= observed - rounding if sign > 0 else flipped <= observed + rounding for sign in alternatives
        ]
        return np.array([np.count_nonzero(one, axis=1) + extra for one in as_extreme]) / total

    count = 0
    for size, rng in simulation.chunks(len(signs) + n):
        count += int(np.count_nonzero(rejects(rng.standard_normal((size, n)), pvalues)))
    return count


def area_rejections(
    sizes: tuple[int, int],
    apart: tuple[float, ...],
    correlation: float,
    margins: tuple[float, float],
    alpha: float,
    simulation: Simulation,
) -> int:
    """Count the experiments in which the test shows that two areas under ROC curves differ by less than the margins.

    `sizes` are the numbers of positive and negative instances. `apart` contains, for each of the two classifiers, the
    distance between the means of the two classes. All scores have the variance 1.
    """
    y_true = np.repeat([1, 0], sizes)
    count = 0
    for size, rng in simulation.chunks(3 * sum(sizes)):
        common, *own = rng.standard_normal((3, size, sum(sizes)))
        x, y = (
            math.sqrt(correlation) * common + math.sqrt(1 - correlation) * noise + distance * y_true
            for noise, distance in zip(own, apart, strict=True)
        )
        areas = area_margin(y_true, x, y)
        shown = areas.one_sided(margins[0], "greater").pvalue <= alpha
        if margins[1] < math.inf:
            shown &= areas.one_sided(margins[1], "less").pvalue <= alpha
        count += int(np.count_nonzero(shown))
    return count


def signed_rank_power(n: int, win_probability: float, alpha: float, alternative: str) -> float:
    """Return the exact power of Wilcoxon's test if every difference is positive with the same probability."""
    null = _signed_rank_law(n, 0.5)
    upper = null[::-1].cumsum()[::-1]  # P(W >= w); by symmetry also P(W <= total - w)
    rejects = {"two-sided": 2 * upper, "greater": upper, "less": upper}[alternative] <= alpha
    greater, less = (float(_signed_rank_law(n, p)[rejects].sum()) for p in (win_probability, 1 - win_probability))
    # if both sides reject, they are different sides, because a two-sided p of less than 1 has one smaller tail
    return {"two-sided": greater + less, "greater": greater, "less": less}[alternative]


def friedman_rejections(
    n: int, means: FloatArray, alpha: float, method: str, simulation: Simulation
) -> tuple[int, str]:
    """Count the rejections of Friedman's test for n datasets of normal scores around the means; name the method.

    For every null distribution, the p-value decreases with the spread of the rank sums. Therefore, the function
    computes p-values for only a few tables, to find the smallest spread with a rejection.
    """
    spreads = np.concatenate(
        [
            ((2 * sums - n * (len(means) + 1)) ** 2).sum(axis=-1)
            for sums in (_ranks(table).sum(axis=-2) for table in _tables(n, means, simulation))
        ]
    )
    found, first = np.unique(spreads, return_index=True)
    low, high = 0, len(found)
    while low < high:
        middle = (low + high) // 2
        result = friedman_test(_table_again(n, means, simulation, int(first[middle])), method=method, tie_tolerance=0)
        if result.pvalue <= alpha:
            high = middle
        else:
            low = middle + 1
    return int(np.count_nonzero(spreads >= found[low])) if low < len(found) else 0, result.method


def nemenyi_rejections(n: int, means: FloatArray, alpha: float, simulation: Simulation) -> tuple[int, IntArray]:
    """Count the experiments in which Nemenyi's test rejects for at least one pair, and for each pair."""
    k = len(means)
    bound = n * critical_difference(n, k, alpha=alpha)
    n_any, n_pairs = 0, np.zeros((k, k), dtype=np.int64)
    for table in _tables(n, means, simulation):
        sums = _ranks(table).sum(axis=-2)
        is_different = np.abs(sums[:, :, None] - sums[:, None, :]) >= bound
        n_any += int(np.count_nonzero(is_different.any(axis=(1, 2))))
        n_pairs += np.count_nonzero(is_different, axis=0)
    return n_any, n_pairs


def _signed_rank_law(n: int, win_probability: float) -> FloatArray:
    """Return P(W+ = w) for w = 0, 1, ..., n (n + 1) / 2, if the signs at all ranks are independent."""
    law = np.zeros(n * (n + 1) // 2 + 1)
    law[0] = 1.0
    for rank in range(1, n + 1):
        largest = rank * (rank + 1) // 2
        moved = law[: largest + 1 - rank] * win_probability
        law[: largest + 1] *= 1 - win_probability
        law[rank : largest + 1] += moved
    return law


def _tables(n: int, means: FloatArray, simulation: Simulation) -> Iterator[FloatArray]:
    """Yield scores of shape (chunk, n, k), without dataset effects, which would not change the ranks."""
    for size, rng in simulation.chunks(n * len(means)):
        yield rng.standard_normal((size, n, len(means))) + means


def _table_again(n: int, means: FloatArray, simulation: Simulation, number: int) -> FloatArray:
    """Generate one of the simulated tables again."""
    k = len(means)
    size = max(1, CHUNK // (n * k))
    chunk, place = divmod(number, size)
    drawn = simulation.generator(chunk).standard_normal((place + 1, n, k))
    return np.asarray(drawn[place] + means)


def _ranks(tables: FloatArray) -> IntArray:
    """Return the ranks within each dataset. Ties have probability 0."""
    return np.argsort(np.argsort(tables, axis=-1), axis=-1) + 1


def standard_error(count: int, n_simulations: int) -> float:
    """Return the standard error of a simulated probability, which is at least the error for a single event."""
    share = count / n_simulations
    return math.sqrt(max(share * (1 - share), (1 - 1 / n_simulations) / n_simulations) / n_simulations)
