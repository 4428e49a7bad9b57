"""What the tests of pairs after Friedman share: which pairs, how far apart, how likely."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalstats.multiple.rank_sum_pvalues import (
    mean_zero,
    normal_statistic,
    pair_differences,
    reason_against_t,
    residual,
    t_pvalue,
    t_statistic,
)

ROWS = np.array([[-2.0, 0, 2], [0, -2, 2], [-2, 2, 0], [-2, 0, 2]])  # doubled ranks less k + 1


def test_all_pairs_or_one_column() -> None:
    sums = np.array([1.0, 4.0, 9.0])

    assert pair_differences(sums, None).tolist() == [[0, -3, -8], [3, 0, -5], [8, 5, 0]]
    np.testing.assert_array_equal(pair_differences(sums, 1), [-3, np.nan, 5])


def test_ranks_become_whole_numbers_with_mean_zero() -> None:
    assert mean_zero(np.array([[1.0, 2.5, 2.5]])).tolist() == [[-2, 1, 1]]


def test_residual_is_that_of_two_way_analysis_of_variance() -> None:
    """It is n times the squares of what rows and columns leave."""
    left = ROWS - ROWS.mean(axis=0) - ROWS.mean(axis=1, keepdims=True) + ROWS.mean()

    assert residual(ROWS) == pytest.approx(len(ROWS) * (left**2).sum(), rel=1e-14)


def test_residual_of_agreement_is_zero_whatever_the_size() -> None:
    """Beyond 2^53 the difference of two large numbers would not be 0."""
    rows = np.tile([-98765431.0, 32921810, 65843621], (7, 1))

    assert residual(rows) == 0


def test_t_is_students() -> None:
    difference = pair_differences(ROWS.sum(axis=0), None)
    t = t_statistic(difference, ROWS)

    np.testing.assert_allclose(t_pvalue(difference, ROWS), 2 * stats.t.sf(np.abs(t), 6), rtol=1e-13)


def test_agreement_leaves_no_variance() -> None:
    """An infinite statistic has no p-value; a difference of 0 has p = 1."""
    rows = np.tile([-2.0, 1, 1], (4, 1))
    difference = pair_differences(rows.sum(axis=0), None)

    np.testing.assert_array_equal(
        t_statistic(difference, rows), [[0, -np.inf, -np.inf], [np.inf, 0, 0], [np.inf, 0, 0]]
    )
    np.testing.assert_array_equal(t_pvalue(difference, rows), [[1, np.nan, np.nan], [np.nan, 1, 1], [np.nan, 1, 1]])
    assert "the t distribution does not apply" in reason_against_t(rows)


def test_many_tables_are_done_in_blocks() -> None:
    """More pairs than a block holds give what each table gives."""
    rows = mean_zero(np.random.default_rng(1).random((500, 6, 9)).argsort(axis=-1) + 1.0)
    difference = pair_differences(rows.sum(axis=-2), None)

    together = t_pvalue(difference, rows)

    np.testing.assert_array_equal(together[499], t_pvalue(difference[499], rows[499]))


def test_no_variance_is_no_difference() -> None:
    assert normal_statistic(np.zeros(3), np.array(0.0)).tolist() == [0, 0, 0]
