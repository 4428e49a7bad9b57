"""The staircase is the double sum of the definition."""

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

from evalstats.distributions.dirichlet_process import (
    DirichletProcess,
    UnorderedProcess,
    _density_of_logarithm,
    draws_of_weights,
    largest_share_probabilities,
)


def double_sums(d: np.ndarray, weights: np.ndarray, rope: float, prior_at: float, ties: str) -> np.ndarray:
    """Benavoli et al. (2017), section 4.2, literally; 'split' has the step function that is 1/2 at 0."""
    z = np.concatenate([[prior_at], d])
    at_edge = 0.5 if ties == "split" else 0.0
    shares = np.zeros((2, weights.shape[1]))
    for i, a in enumerate(z):
        for j, b in enumerate(z):
            product = weights[i] * weights[j]
            shares[0] += product * ((a + b < -2 * rope) + at_edge * (a + b == -2 * rope))
            shares[1] += product * ((a + b > 2 * rope) + at_edge * (a + b == 2 * rope))
    shares /= weights.sum(axis=0) ** 2
    return np.array([shares[0], 1 - shares.sum(axis=0), shares[1]])


@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=9),
    st.sampled_from([0, 1, 2, 0.5]),
    st.sampled_from([0.0, np.inf, -np.inf]),
    st.sampled_from(["rope", "split"]),
    st.sampled_from([True, False]),
)
def test_staircase_is_the_double_sum(d: list[int], rope: float, prior_at: float, ties: str, is_rounded: bool) -> None:
    """Small integers, so many sums lie exactly on an edge of the rope."""
    weights = np.random.default_rng(len(d)).exponential(size=(len(d) + 1, 5))
    process = DirichletProcess(np.array(d, float), rope, prior_at, ties, is_rounded=is_rounded)

    expected = double_sums(np.array(d, float), weights, rope, prior_at, ties)

    assert process.shares(weights) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("rope", [0.0, 0.01, 0.05])
@pytest.mark.parametrize("n", [1, 2, 30])
def test_continuous_differences_too(n: int, rope: float) -> None:
    rng = np.random.default_rng(n)
    d, weights = rng.normal(0.01, 0.04, n), rng.dirichlet(np.ones(n + 1), 20).T

    shares = DirichletProcess(d, rope, 0.0, "rope", is_rounded=False).shares(weights)

    assert shares == pytest.approx(double_sums(d, weights, rope, 0.0, "rope"), abs=1e-14)


def test_noise_of_floating_point_does_not_leave_the_rope() -> None:
    """0.1 + 0.2 is more than twice 0.15 by one bit."""
    d = np.array([0.1, 0.2])
    weights = np.ones((3, 1))

    rounded = DirichletProcess(d, 0.15, 0.0, "rope", is_rounded=True).shares(weights)[2]
    bits = DirichletProcess(d, 0.15, 0.0, "rope", is_rounded=False).shares(weights)[2]

    assert (rounded * 9).tolist() == pytest.approx([1])
    assert (bits * 9).tolist() == pytest.approx([3])


def test_expectation_is_the_mean_of_the_samples() -> None:
    d = np.array([-3.0, 1, 1, 2, 2, 0, 4, -1])
    for ties in ("rope", "split"):
        process = DirichletProcess(d, 1, 0.0, ties, is_rounded=True)
        shares = np.concatenate([process.shares(w) for w in draws_of_weights(8, 0.5, 100_000, 3)], axis=1)

        assert process.expected(np.array([0.5, *np.ones(8)])) == pytest.approx(shares.mean(axis=1), abs=0.002)


def test_expectation_of_an_empty_rope_is_not_negative() -> None:
    """Without a rope, the two other probabilities sum to 1, or to more by rounding."""
    rng = np.random.default_rng(5)
    for n in range(1, 31):
        process = DirichletProcess(rng.normal(size=n), 0.0, np.inf, "split", is_rounded=True)
        probability = process.expected(np.array([0.6] + n * [1.0]))[1]

        assert 0 <= probability < 1e-15


def test_draws_have_the_law_of_dirichlet() -> None:
    """Means and variances of the normalized weights, and as many as asked for."""
    weights = np.concatenate([w.copy() for w in draws_of_weights(3, 0.5, 50_000, 1)], axis=1)
    shares = weights / weights.sum(axis=0)
    mean = np.array([0.5, 1, 1, 1]) / 3.5

    assert weights.shape == (4, 50_000)
    assert shares.mean(axis=1) == pytest.approx(mean, abs=0.005)
    assert shares.var(axis=1) == pytest.approx(mean * (1 - mean) / 4.5, abs=0.002)


def test_prior_of_strength_0_has_no_weight() -> None:
    assert all((w[0] == 0).all() for w in draws_of_weights(3, 0, 10, 1))


@pytest.mark.parametrize(
    ("d", "prior_at", "is_symmetric"),
    [
        ([-2.0, 0.0, 2.0], 0.0, True),
        ([-2.0, 0.5, 2.0], 0.0, False),
        ([-2.0, 0.0, 2.0], 1.0, False),
        ([1.0, 2.0, 3.0], 0.0, False),
    ],
)
def test_differences_are_symmetric_where_the_prior_is_too(d: list[float], prior_at: float, is_symmetric: bool) -> None:
    process = UnorderedProcess(np.array(d), 0.1, prior_at, "rope", is_rounded=False)

    assert process.is_symmetric is is_symmetric


def exact(a: int, b: int, c: int) -> Fraction:
    """P(the first of three gamma variables with whole shapes is the largest): a sum over 1 - F of the others.

    F_b = 1 - sum of exp(-g) g^j / j! over j < b, so the integral of f_a F_b F_c is a sum of factorials.
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
