"""Sums of differences with random signs: every assignment counted, and the shifts that are not rejected."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from evalstats._checks import random_source
from evalstats.distributions import sign_flips
from evalstats.distributions.sign_flips import typical_limits

SOURCE = random_source(None)


def tails_of(d: np.ndarray, alternative: str, method: str = "auto") -> tuple[float, float, str]:
    zero = np.zeros(())
    law = sign_flips.sign_flips(
        d, zero, zero, alternative=alternative, n_resamples=20_000, method=method, source=SOURCE
    )
    return float(law.pvalue), float(law.min_attainable_pvalue), str(law.method)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_every_assignment_is_counted(alternative: str) -> None:
    d = np.array([3.0, -1, 4, 1, -5, 9, 2, 6, -5, 3])
    sums = [sum(s * abs(v) for s, v in zip(signs, d, strict=True)) for signs in itertools.product((-1, 1), repeat=10)]
    total = d.sum()
    extreme = {
        "greater": [s >= total for s in sums],
        "less": [s <= total for s in sums],
        "two-sided": [abs(s) >= abs(total) for s in sums],
    }[alternative]

    pvalue, smallest, method = tails_of(d, alternative)

    assert (pvalue, method) == (sum(extreme) / 1024, "exact")
    assert smallest == (2 if alternative == "two-sided" else 1) / 1024


@pytest.mark.parametrize("n", [21, 24, 30])
def test_half_by_half_counts_what_whole_numbers_count(n: int) -> None:
    """Two roads to one number, for differences that the one adds up in floating point."""
    multiples = np.random.default_rng(n).integers(1, 10_000, n)
    bound = int(multiples.sum() * 0.4)
    ways = [0] * (bound + 1)
    ways[0] = 1
    for size in multiples.tolist():
        for total in range(bound, size - 1, -1):
            ways[total] += ways[total - size]

    count = sign_flips._count_up_to(multiples * 0.001, bound * 0.001 + 1e-9)

    assert Fraction(count, 2**n) == Fraction(sum(ways), 2**n)


def test_random_signs_are_near_the_exact_law() -> None:
    d = np.random.default_rng(3).normal(0.3, 1, 18)
    exact, _, _ = tails_of(d, "greater")

    drawn, _, method = tails_of(d, "greater", "monte-carlo")

    assert method == "monte-carlo"
    assert drawn == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 20_000))


@pytest.mark.parametrize("d", [np.array([3.0, -1, 2, 3, -2, 1, 1]), np.array([0.3, -0.1, 0.2, 0.3, -0.2, 0.1, 0.1])])
def test_random_sums_that_equal_the_observed_one_are_as_extreme(d: np.ndarray) -> None:
    exact, _, _ = tails_of(d, "greater")

    drawn, _, _ = tails_of(d, "greater", "monte-carlo")

    assert drawn == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 20_000))


def test_weighted_limits_are_the_shifts_that_are_not_rejected() -> None:
    """Subtract t times its weight from each difference: the test rejects at 10 % exactly outside the limits."""
    d, weights = np.array([4.0, 1, 7, -2, 5, 3, 6, 2]), np.array([2.0, 1, 3, 1, 2, 1, 2, 1])
    zero = np.zeros(())

    low, high, attained = typical_limits(
        d, weights, zero, zero, level=0.9, alternative="two-sided", n_resamples=9, source=SOURCE
    )

    for shift, is_inside in ((low - 1e-6, False), (low + 1e-6, True), (high - 1e-6, True), (high + 1e-6, False)):
        assert (tails_of(d - shift * weights, "two-sided")[0] > 0.1) == is_inside
    assert attained >= 0.9


@pytest.mark.parametrize(("total", "is_exact"), [(8_000_000, True), (8_000_001, False)])
def test_auto_is_exact_up_to_a_sum_of_80_000_units_for_each_of_100_pairs(total: int, is_exact: bool) -> None:
    signs = SimpleNamespace(sizes=np.array([1.0] * 40 + [total - 40]))
    lattice = sign_flips._Lattice(signs.sizes.astype(np.int64), total)

    assert sign_flips._is_exact(signs, lattice, "auto") is is_exact


@pytest.mark.parametrize("seed", range(3))
def test_weighted_limits_are_means_of_subsets_of_both_signs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d, weights, zero = rng.normal(size=7), rng.integers(1, 4, 7).astype(float), np.zeros(())
    subsets = [np.array(one, dtype=bool) for one in itertools.product((False, True), repeat=7) if any(one)]
    means = np.sort([d[one].sum() / weights[one].sum() for one in subsets])

    low, high, attained = typical_limits(
        d, weights, zero, zero, level=0.9, alternative="two-sided", n_resamples=9, source=SOURCE
    )

    # 128 intervals, of which 6 lie in each tail of 5 %
    assert (low, high) == (pytest.approx(means[5], rel=1e-12), pytest.approx(means[-6], rel=1e-12))
    assert attained == pytest.approx(1 - 12 / 128, rel=1e-12)


def test_two_differences_limit_nothing() -> None:
    zero = np.zeros(())

    limits = typical_limits(
        np.array([1.0, 2.0]),
        np.ones(2),
        zero,
        zero,
        level=0.9,
        alternative="two-sided",
        n_resamples=9,
        source=SOURCE,
    )

    assert [float(one) for one in limits] == [-math.inf, math.inf, 1]


def test_random_signs_are_even_in_every_eight() -> None:
    """Of 40,000 draws of eight signs each of the 256 patterns comes up about 156 times."""
    drawn = np.concatenate(list(sign_flips._random_subsets(8, 40_000, np.random.default_rng(4))))

    counts = np.bincount((drawn @ 2 ** np.arange(8)).astype(int), minlength=256)

    assert np.abs(counts - 40_000 / 256).max() < 5 * math.sqrt(40_000 / 256)
