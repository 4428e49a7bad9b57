"""Ranks of classifiers, dataset by dataset and on average."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from evalstats.examples import example_table
from evalstats.multiple.mean_ranks import (
    dataset_ranks,
    mean_ranks,
    mean_zero,
    normal_statistic,
    pair_differences,
    reason_against_t,
    reason_if_all_tied,
    residual,
    standard_error,
    standardized,
    t_pvalue,
    t_statistic,
)

tables = hnp.arrays(float, st.tuples(st.integers(1, 9), st.integers(2, 7)), elements=st.integers(-9, 9).map(float))


def test_by_hand() -> None:
    """The best gets 1, two that tie behind it share 2.5."""
    scores = np.array([[0.9, 0.7, 0.7], [0.6, 0.8, 0.7]])

    assert dataset_ranks(scores, True, 1e-12).tolist() == [[1, 2.5, 2.5], [3, 1, 2]]
    assert dataset_ranks(scores, False, 1e-12).tolist() == [[3, 1.5, 1.5], [1, 3, 2]]
    assert mean_ranks(scores, True, 1e-12).tolist() == [2, 1.75, 2.25]


def test_demsar_table_6() -> None:
    """From the printed scores: 3.143, 2.000, 2.929, 1.929; the paper has 2.893 and 1.964, where it breaks a tie."""
    ranks = mean_ranks(example_table("demsar-2006").scores, True, 1e-12)

    assert ranks.round(3).tolist() == [3.143, 2.0, 2.929, 1.929]


@given(tables, st.booleans())
def test_follows_scipy(scores: np.ndarray, greater_is_better: bool) -> None:
    expected = stats.rankdata(-scores if greater_is_better else scores, axis=1)

    np.testing.assert_array_equal(dataset_ranks(scores, greater_is_better, 1e-12), expected)


@given(tables)
def test_ranks_of_a_dataset_have_a_fixed_sum(scores: np.ndarray) -> None:
    k = scores.shape[1]

    np.testing.assert_array_equal(dataset_ranks(scores, True, 1e-12).sum(axis=1), k * (k + 1) / 2)


def test_noise_is_a_tie() -> None:
    """0.1 + 0.2 and 0.3 are equal to twelve digits, and not bit by bit."""
    scores = np.array([[0.1 + 0.2, 0.3]])

    assert mean_ranks(scores, True, 1e-12).tolist() == [1.5, 1.5]
    assert mean_ranks(scores, True, 0).tolist() == [1, 2]


def test_standard_error_is_that_of_random_ranks() -> None:
    """Demšar (2006): sqrt(k (k + 1) / (6 n)); every order of three classifiers on one dataset is equally likely."""
    orders = np.array([[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]])

    assert math.isclose(standard_error(1, 3), (orders[:, 0] - orders[:, 1]).std())
    assert math.isclose(standard_error(14, 4), math.sqrt(4 * 5 / (6 * 14)))


def test_equal_differences_of_rank_sums_are_equal_statistics() -> None:
    """As mean ranks over ten datasets they are 2.2 - 1.1 and 3.3 - 2.2, which differ in the last bit."""
    sums = np.array([11.0, 22.0, 33.0])

    first, second = standardized(np.diff(sums), 10, 3)

    assert first == second
    assert sums[1] / 10 - sums[0] / 10 != sums[2] / 10 - sums[1] / 10


def test_reason_only_where_every_dataset_is_a_tie() -> None:
    ranks = np.array([[[1.5, 1.5], [1.5, 1.5]], [[1, 2], [2, 1]]])

    assert reason_if_all_tied(ranks[0]) == "all classifiers are tied on every dataset"
    assert reason_if_all_tied(ranks[1]) is None
    assert reason_if_all_tied(ranks).tolist() == ["all classifiers are tied on every dataset", None]


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
