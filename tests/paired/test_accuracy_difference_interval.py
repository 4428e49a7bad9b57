"""Tango's statistic and limits; those of mcnemar_test stand in test_mcnemar.py."""

from __future__ import annotations

import itertools
from math import factorial

import numpy as np
import pytest
from scipy import optimize

from evalstats.paired.accuracy_difference_interval import (
    most_only_y,
    newcombe_limit,
    right_tail,
    swapped,
    tango_limit,
    tango_statistic,
    unconditional_limit,
    unconditional_pvalue,
)

TABLES = [[[43, 0], [1, 0]], [[59, 6], [16, 80]], [[1, 1], [7, 12]], [[0, 0], [0, 5]], [[2, 30], [1, 4]]]


def z_by_search(b, c, n, difference):
    """Maximise the likelihood over the share of cases that only y gets right, whatever its formula."""

    def loss(q):
        cells = np.array([q + difference, q, 1 - 2 * q - difference])
        counts = np.array([b, c, n - b - c])
        return -np.sum(np.where(counts > 0, counts * np.log(np.maximum(cells, 1e-300)), 0.0))

    bounds = max(0.0, -difference), (1 - difference) / 2
    q = optimize.minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-12}).x
    return (b - c - n * difference) / np.sqrt(n * (2 * q + difference * (1 - difference)))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("difference", [-0.6, -0.1, 0.05, 0.3])
def test_statistic_is_that_of_the_most_likely_probabilities(table, difference):
    b, c, n = table[0][1], table[1][0], int(np.sum(table))

    assert float(tango_statistic(b, c, n, difference)) == pytest.approx(z_by_search(b, c, n, difference), abs=1e-4)


def test_published_statistic():
    """Tango (1998), section 5: 44 pairs of eyes, z = 1.709."""
    assert round(float(tango_statistic(0, 1, 44, -0.1)), 3) == 1.709


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("z", [-1.3, 0.5, 1.645, 3.0])
def test_limit_is_where_the_statistic_is_z(table, z):
    table = np.array(table)
    limit = float(tango_limit(table, z))

    assert float(tango_statistic(table[0, 1], table[1, 0], table.sum(), limit)) == pytest.approx(z, abs=1e-6)


def test_limits_of_a_swapped_table_are_mirrored():
    table = np.array(TABLES)
    for limit in (tango_limit, newcombe_limit):
        np.testing.assert_allclose(limit(table, 1.2), -limit(swapped(table), -1.2), atol=1e-12)


def test_statistic_without_any_difference_is_zero():
    assert tango_statistic(0, 0, 10, 0.0) == 0


def probability(b, c, n, p, q):
    ways = factorial(n) // (factorial(b) * factorial(c) * factorial(n - b - c))
    return ways * p**b * q**c * max(1 - p - q, 0.0) ** (n - b - c)


def by_brute_force(only_x, only_y, n, shift):
    """Add up all tables with so large a z, at 4001 values of the probability that only y is right."""
    observed = float(tango_statistic(only_x, only_y, n, shift))
    tables = [(b, c) for b, c in itertools.product(range(n + 1), repeat=2) if b + c <= n]
    extreme = [(b, c) for b, c in tables if float(tango_statistic(b, c, n, shift)) >= observed - 1e-9]
    grid = np.linspace(max(0, -shift), (1 - shift) / 2, 4001)
    return max(sum(probability(b, c, n, q + shift, q) for b, c in extreme) for q in grid)


@pytest.mark.parametrize(
    ("only_x", "only_y", "n", "shift"),
    [
        (3, 2, 9, -0.2),
        (0, 0, 10, -0.1),
        (1, 7, 12, -0.3),
        (5, 1, 8, 0.1),
        (0, 3, 6, -0.9),
        (2, 0, 7, -0.01),
        (4, 4, 8, 0),
    ],
)
def test_pvalue_is_the_largest_probability(only_x, only_y, n, shift):
    ours, theirs = unconditional_pvalue(only_x, only_y, n, shift), by_brute_force(only_x, only_y, n, shift)

    assert ours == pytest.approx(theirs, rel=1e-5)
    assert ours >= theirs - 1e-12  # the grid finds no larger one


def test_two_models_that_agree_everywhere():
    """Without a discordant case the largest probability is that no case is: (1 - margin)^n."""
    assert unconditional_pvalue(0, 0, 30, -0.1) == pytest.approx(0.9**30, rel=1e-12)


@pytest.mark.parametrize("n", [7, 25])
@pytest.mark.parametrize("shift", [-0.8, -0.1, -0.01, 0.2])
def test_more_wrong_answers_never_look_better(n, shift):
    """So that each number of cases that only x gets right has one bound, which `most_only_y` finds by halving."""
    for only_x in range(n + 1):
        only_y = np.arange(n - only_x + 1)
        z = tango_statistic(np.full(only_y.shape, only_x), only_y, np.full(only_y.shape, n), shift)
        assert (np.diff(z) <= 1e-9).all()
        expected = np.count_nonzero(z >= 0.7) - 1
        assert most_only_y(n, shift, 0.7)[only_x] == expected


def test_tail_is_a_probability_that_adds_up():
    """All tables together have the probability 1, at any probabilities."""
    n = 40

    np.testing.assert_allclose(right_tail(n - np.arange(n + 1), np.array([0.05, 0.2, 0.5]), -0.05), 1, rtol=1e-10)


@pytest.mark.parametrize(("n", "margin"), [(12, 0.1), (30, 0.2)])
def test_it_never_rejects_too_often(n, margin):
    """Its size, over all tables at the margin: at most alpha, where the normal test of the same z exceeds it."""
    tables = [(b, c) for b, c in itertools.product(range(n + 1), repeat=2) if b + c <= n]
    pvalue = {(b, c): unconditional_pvalue(b, c, n, -margin) for b, c in tables}
    z = {(b, c): float(tango_statistic(b, c, n, -margin)) for b, c in tables}
    sizes = []
    for rejected in ([t for t in tables if pvalue[t] <= 0.05], [t for t in tables if z[t] >= 1.6448536]):
        grid = np.linspace(margin, (1 + margin) / 2, 201)
        sizes.append(max(sum(probability(b, c, n, q - margin, q) for b, c in rejected) for q in grid))

    assert 0.01 < sizes[0] <= 0.05 < sizes[1]


@pytest.mark.parametrize(("only_x", "only_y", "n"), [(1, 7, 21), (0, 0, 15), (9, 2, 40), (5, 0, 5)])
def test_limit_is_where_the_test_begins_to_reject(only_x, only_y, n):
    low = unconditional_limit(only_x, only_y, n, 0.05)

    assert unconditional_pvalue(only_x, only_y, n, low - 1e-6) <= 0.05
    assert unconditional_pvalue(only_x, only_y, n, low + 1e-6) > 0.05


def test_nothing_is_below_minus_one():
    assert unconditional_limit(0, 4, 4, 0.05) == -1
