"""The probability to be the largest is that of the definition, far into the tail."""

from __future__ import annotations

import math
from fractions import Fraction
from math import factorial

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from evalstats.distributions.dirichlet import _density_of_logarithm, largest_share_probabilities


def exact(a: int, b: int, c: int) -> Fraction:
    """P(the first of three gamma variables with whole shapes is the largest): a sum over 1 - F of the others.

    F_b = 1 - sum of exp(-g) g^j / j! over j < b, so that the integral of f_a F_b F_c is a sum of factorials.
    """

    def term(power: int, rate: int) -> Fraction:
        return Fraction(factorial(power), rate ** (power + 1))

    def tail(m: int) -> list[Fraction]:
        return [Fraction(1, factorial(j)) for j in range(m)]

    total = Fraction(factorial(a - 1))
    for m in (b, c):
        total -= sum(w * term(a - 1 + j, 2) for j, w in enumerate(tail(m)))
    total += sum(v * w * term(a - 1 + i + j, 3) for i, v in enumerate(tail(b)) for j, w in enumerate(tail(c)))
    return total / factorial(a - 1)


@pytest.mark.parametrize("alpha", [(1, 1, 1), (2, 1, 1), (5, 3, 7), (1, 1, 30), (40, 2, 25), (60, 1, 4), (20, 19, 21)])
def test_whole_parameters_have_an_exact_sum(alpha: tuple[int, int, int]) -> None:
    a, b, c = alpha
    expected = [float(exact(a, b, c)), float(exact(b, a, c)), float(exact(c, a, b))]

    assert largest_share_probabilities(np.array(alpha, float)) == pytest.approx(expected, rel=2e-12)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (0.5, 3), (30, 2), (1e4, 1.1e4), (1, 100.5)])
def test_two_shares_have_a_beta_distribution(a: float, b: float) -> None:
    expected = [special.betainc(b, a, 0.5), 0, special.betainc(a, b, 0.5)]

    assert largest_share_probabilities(np.array([a, 0, b])) == pytest.approx(expected, rel=1e-11)


def test_one_share_is_all() -> None:
    assert largest_share_probabilities(np.array([0, 3.0, 0])) == pytest.approx([0, 1, 0], abs=1e-14)


@given(st.tuples(*3 * [st.floats(0.01, 300)]).filter(lambda alpha: max(alpha) >= 1))
def test_probabilities_add_up_to_one(alpha: tuple[float, ...]) -> None:
    assert largest_share_probabilities(np.array(alpha)).sum() == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("n", [1e5, 1e6])
def test_many_datasets_keep_their_digits(n: float) -> None:
    p = largest_share_probabilities(np.array([n, n + 100, 1]))

    assert p[:2] == pytest.approx([special.betainc(n + 100, n, 0.5), special.betainc(n, n + 100, 0.5)], rel=1e-9)
    assert p.sum() == pytest.approx(1, rel=1e-11)


def test_batch_is_its_members() -> None:
    alpha = np.random.default_rng(0).integers(1, 5, (4, 6, 3)).astype(float)

    batch = largest_share_probabilities(alpha)

    assert all((batch[at] == largest_share_probabilities(alpha[at])).all() for at in np.ndindex(4, 6))


@pytest.mark.parametrize("alpha", [(0.0, 2.0, 0.0), (1.0, 1.0, 1.0), (4.0, 7.0, 0.5), (0.0, 1e9, 3.0)])
def test_no_probability_is_above_one(alpha: tuple[float, ...]) -> None:
    assert largest_share_probabilities(np.array(alpha)).max() <= 1


@pytest.mark.parametrize(("a", "b"), [(200, 40), (1e4, 9e3), (1e4, 8e3)])
def test_share_that_is_hardly_ever_the_largest_keeps_its_digits(a: float, b: float) -> None:
    found = largest_share_probabilities(np.array([a, b, 0.0]))

    assert found[1] == pytest.approx(special.betainc(a, b, 0.5), rel=1e-10)


@pytest.mark.parametrize("alpha", [20.0, 23.5, 60.0, 1e6])
def test_density_of_a_large_parameter_is_exact_to_rounding(alpha: float) -> None:
    """At its mode the density of the logarithm of a gamma variable is alpha^alpha e^-alpha / Gamma(alpha)."""
    with mpmath.workdps(50):
        expected = float(mpmath.exp(alpha * mpmath.log(alpha) - alpha - mpmath.loggamma(alpha)))

    assert _density_of_logarithm(np.array([math.log(alpha)]), alpha) == pytest.approx(expected, rel=2e-14, abs=0)
