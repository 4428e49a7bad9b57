from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from evalstats.distributions import binomial
from evalstats.distributions.binomial import binomial_left_tail


def cdf(k: int, n: int) -> float:
    return float(Fraction(sum(comb(n, i) for i in range(k + 1)), 2**n))


@pytest.mark.parametrize("n", [0, 1, 2, 7, 60, 1000])
def test_tail_is_a_sum_of_binomial_coefficients(n: int) -> None:
    k = np.unique(np.linspace(0, n, 12).astype(int))

    tail = binomial_left_tail(k, np.full_like(k, n))

    np.testing.assert_allclose(tail, [cdf(int(i), n) for i in k], rtol=1e-13)


def test_fewer_than_none_is_impossible() -> None:
    np.testing.assert_array_equal(binomial_left_tail(np.array([-1, -1]), np.array([0, 9])), [0.0, 0.0])


def test_many_tails_are_those_of_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last bit, whether equal tails are computed once or not."""
    rng = np.random.default_rng(1)
    n = rng.integers(0, 40, (50, 40))
    k = rng.integers(-1, n + 1)

    together = binomial_left_tail(k, n)

    monkeypatch.setattr(binomial, "MANY", k.size + 1)
    np.testing.assert_array_equal(together, binomial_left_tail(k, n))


def test_counts_too_large_to_pack() -> None:
    k, n = np.full(2000, 2**40), np.full(2000, 2**41)

    np.testing.assert_allclose(binomial_left_tail(k, n), 0.5, rtol=1e-6)


def test_tails_of_several_threads_are_those_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    n = np.arange(2, 200)
    k = n // 3
    alone = binomial_left_tail(k, n)

    monkeypatch.setattr(binomial, "FOR_ONE_THREAD", 16)

    np.testing.assert_array_equal(binomial_left_tail(k, n), alone)
