from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from evalstats.distributions import binomial
from evalstats.distributions.binomial import binomial_left_tail, trinomial_lead_tail


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


def definition(lead: int, n_edges: int, n: int) -> Fraction:
    """Sum over all numbers of heads and tails, in whole numbers."""
    edge = Fraction(n_edges, n)
    side = (1 - edge) / 2
    return sum(
        (
            comb(n, heads) * comb(n - heads, tails) * side ** (heads + tails) * edge ** (n - heads - tails)
            for heads in range(n + 1)
            for tails in range(n - heads + 1)
            if heads - tails >= lead
        ),
        Fraction(0),
    )


@pytest.mark.parametrize("n", [1, 2, 7, 10, 25])
def test_tail_is_the_definition(n: int) -> None:
    for n_edges in range(n):
        leads = np.arange(-n, n + 1)
        expected = [float(definition(lead, n_edges, n)) for lead in leads.tolist()]

        assert trinomial_lead_tail(leads, np.full(leads.shape, n_edges), n) == pytest.approx(expected, rel=1e-13)


def test_without_edges_it_is_binomial() -> None:
    wins = np.arange(31)

    tail = trinomial_lead_tail(2 * wins - 30, np.zeros(31, dtype=int), 30)

    assert tail == pytest.approx(binomial_left_tail(30 - wins, 30), rel=1e-14)


def test_far_tail_keeps_its_digits() -> None:
    """400 heads and 100 edges, without any tails."""
    assert trinomial_lead_tail(np.array(400), np.array(100), 500) == pytest.approx(
        float(definition(400, 100, 500)), rel=1e-12
    )


def test_a_batch_is_its_members() -> None:
    rng = np.random.default_rng(1)
    edges = rng.integers(0, 40, (3, 5))
    lead = rng.integers(-40, 41, (3, 5))

    batch = trinomial_lead_tail(lead, edges, 40)

    for at in np.ndindex(3, 5):
        assert batch[at] == trinomial_lead_tail(lead[at], edges[at], 40)
