"""Tango's statistic and limits; those of mcnemar_test stand in test_mcnemar.py."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from evalstats.paired.accuracy_difference_interval import newcombe_limit, swapped, tango_limit, tango_statistic

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
