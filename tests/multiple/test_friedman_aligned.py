"""Friedman's test on aligned ranks, and the pairs after it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from repetitions import repetitions
from scipy import stats

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.examples import example_table
from evalstats.multiple.friedman_aligned import friedman_aligned_posthoc_test, friedman_aligned_test

tables = hnp.arrays(float, st.tuples(st.integers(1, 4), st.integers(2, 3)), elements=st.integers(0, 6).map(float))


def aligned_ranks(scores: np.ndarray) -> np.ndarray:
    """Ranks of k x - sum, whole numbers for whole scores."""
    aligned = scores.shape[1] * scores - scores.sum(axis=1, keepdims=True)
    return stats.rankdata(-aligned).reshape(scores.shape)


def t_with_ties(ranks: np.ndarray) -> float:
    n, k = ranks.shape
    columns, rows = ranks.sum(axis=0), ranks.sum(axis=1)
    above = (k - 1) * ((columns**2).sum() - k * n**2 / 4 * (k * n + 1) ** 2)
    below = (ranks**2).sum() - (rows**2).sum() / k
    return above / below if below > 1e-9 else 0.0


def t_of_garcia(ranks: np.ndarray) -> float:
    """Garcia et al. (2010), as printed: for ranks without ties."""
    n, k = ranks.shape
    columns, rows = ranks.sum(axis=0), ranks.sum(axis=1)
    above = (k - 1) * ((columns**2).sum() - k * n**2 / 4 * (k * n + 1) ** 2)
    return above / (k * n * (k * n + 1) * (2 * k * n + 1) / 6 - (rows**2).sum() / k)


def test_two_datasets_by_hand() -> None:
    """Aligned 1, -1, 1/2, -1/2, ranks 1, 4, 2, 3, sums 3 and 7: T = (58 - 50) / (30 - 25) = 8/5."""
    result = friedman_aligned_test([[3, 1], [2, 1]])

    assert result.mean_aligned_ranks.tolist() == [1.5, 3.5]
    assert result.statistic == pytest.approx(1.6, rel=1e-15)
    assert (result.pvalue, result.method, result.df) == (0.5, "exact", 1)


@pytest.mark.parametrize("seed", range(5))
def test_formula_as_printed(seed: int) -> None:
    scores = np.random.default_rng(seed).random((6 + seed, 2 + seed))

    result = friedman_aligned_test(scores, method="chi2")

    assert result.statistic == pytest.approx(t_of_garcia(aligned_ranks(scores)), rel=1e-11)
    assert result.pvalue == pytest.approx(stats.chi2.sf(result.statistic, scores.shape[1] - 1), rel=1e-12)


@settings(max_examples=repetitions(50))
@given(tables)
def test_follows_the_definition_with_ties(scores: np.ndarray) -> None:
    """The statistic, and its exact p-value by all orders of the aligned ranks of all datasets."""
    ranks = aligned_ranks(scores)
    observed = t_with_ties(ranks)
    orders = itertools.product(*(itertools.permutations(row) for row in ranks.tolist()))
    reached = [t_with_ties(np.array(order)) >= observed - 1e-9 for order in orders]

    result = friedman_aligned_test(scores, method="exact")

    assert result.statistic == pytest.approx(observed, rel=1e-11, abs=1e-11)
    assert result.pvalue == pytest.approx(np.mean(reached), rel=1e-12)


def test_noise_of_floating_point_is_a_tie() -> None:
    """0.3 - 0.2 and 0.9 - 0.8 are equal distances, unless bits are compared."""
    scores = [[0.3, 0.2], [0.9, 0.8], [0.1, 0.2]]

    assert friedman_aligned_test(scores).mean_aligned_ranks == pytest.approx([3, 4], rel=1e-15)
    assert friedman_aligned_test(scores).statistic == pytest.approx(1 / 3, rel=1e-14)
    assert friedman_aligned_test(scores, tie_tolerance=0).statistic != pytest.approx(1 / 3, rel=1e-3)


@pytest.mark.parametrize("shift", [0.0, 3.0, 100.0])
def test_level_of_a_dataset_does_not_matter(shift: float) -> None:
    scores = np.round(np.random.default_rng(2).random((8, 3)), 3)
    moved = scores + shift * np.arange(8)[:, None]

    assert friedman_aligned_test(moved).statistic == friedman_aligned_test(scores).statistic


def test_chi2_keeps_its_level_nearly() -> None:
    """In 3,000 tables of noise, 25 datasets and 4 classifiers; .005 are for the approximation."""
    result = friedman_aligned_test(np.random.default_rng(1962).random((3000, 25, 4)), method="chi2")

    assert (result.pvalue <= 0.05).mean() == pytest.approx(0.05, abs=3 * math.sqrt(0.05 * 0.95 / 3000) + 0.005)


@pytest.mark.parametrize("k", [2, 3, 5, 10])
def test_posthoc_z_has_unit_variance_and_the_published_formula_has_not(k: int) -> None:
    """In noise, 3,000 tables of 20 datasets; within four standard errors of a standard deviation.

    scmamp, after Garcia et al. (2010), divides by k (nk + 1) / 6: that z has the variance k / (k - 1).
    """
    n, n_tables = 20, 3000
    result = friedman_aligned_posthoc_test(np.random.default_rng(k).normal(size=(n_tables, n, k)), adjust="none")
    difference = result.mean_aligned_ranks[:, 0] - result.mean_aligned_ranks[:, 1]
    margin = 4 / math.sqrt(2 * n_tables)

    assert result.statistic[:, 0, 1].std() == pytest.approx(1, abs=margin)
    published = difference.std() / math.sqrt(k * (n * k + 1) / 6)
    assert published == pytest.approx(math.sqrt(k / (k - 1)), rel=margin + 0.01)


def test_two_classifiers_have_one_z() -> None:
    """The square of the only z is the statistic of the test of all."""
    scores = np.random.default_rng(4).random((12, 2))

    z = friedman_aligned_posthoc_test(scores).statistic[0, 1]

    assert z**2 == pytest.approx(friedman_aligned_test(scores).statistic, rel=1e-13)


def test_control_is_a_column_of_all_pairs() -> None:
    scores = example_table("demsar-2006").scores
    every = friedman_aligned_posthoc_test(scores, adjust="none")
    one = friedman_aligned_posthoc_test(scores, control=2, adjust="none")

    np.testing.assert_array_equal(np.delete(one.pvalue, 2), np.delete(every.pvalue[:, 2], 2))
    assert np.isnan(one.statistic[2])


def test_batch_of_pairs_is_a_loop() -> None:
    scores = np.random.default_rng(7).random((5, 2, 6, 4)).round(1)

    result = friedman_aligned_posthoc_test(scores)

    for at in np.ndindex(5, 2):
        np.testing.assert_array_equal(result.pvalue[at], friedman_aligned_posthoc_test(scores[at]).pvalue)


def test_far_tail_is_no_zero() -> None:
    """Every one of 2,000 datasets in one order."""
    scores = np.arange(2000)[:, None] * 0.001 + np.array([2.0, 1.0, 0.0])

    assert friedman_aligned_test(scores).pvalue > 0
    assert friedman_aligned_posthoc_test(scores).unadjusted_pvalue[0, 2] == 5e-324


@pytest.mark.parametrize(
    ("choices", "error", "message"),
    [
        ({"method": "f"}, InvalidValueError, "method must be 'auto' or 'exact' or 'monte-carlo' or 'chi2', not 'f'"),
        ({"n_resamples": 0}, InvalidValueError, "n_resamples must be at least 1"),
        ({"rng": "seed"}, InvalidTypeError, "rng must be None, a seed"),
        ({"greater_is_better": 1}, InvalidTypeError, "greater_is_better must be True or False"),
    ],
)
def test_messages(choices: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        friedman_aligned_test([[1, 2], [3, 5]], **choices)

    assert message in str(caught.value)


def test_differences_too_large_for_a_float() -> None:
    with pytest.raises(InvalidValueError, match=r"but scores\[1\] are too large"):
        friedman_aligned_test([[1, 2, 3], [1.7e308, -1.7e308, -1.7e308]])
    with pytest.raises(InvalidValueError, match=r"but scores\[0\] are too large"):
        friedman_aligned_test([[1.7e308, 1.7e308], [1, 3]])
