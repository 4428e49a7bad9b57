"""The staircase is the double sum of the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.distributions.dirichlet_process import DirichletProcess, UnorderedProcess, draws_of_weights


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
    """Small integers, so that many sums lie exactly on an edge of the rope."""
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


def test_draws_have_the_law_of_dirichlet() -> None:
    """Means and variances of the normalised weights, and as many as asked for."""
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
