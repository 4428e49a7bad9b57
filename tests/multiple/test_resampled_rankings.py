"""Rankings by counts of instances: the same as those of repeated rows; Kendall's tau; enumerated resamples."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from literal_rankings import literal_ranks
from scipy import stats

from evalstats.multiple.resampled_rankings import RankingRule, kendall_tau_b, resample_counts, units_of

RNG = np.random.default_rng(3)
NOISY = RNG.normal(size=(40, 4)).round(1) + np.array([1.0, 0.9, 0.0, 0.0])


@pytest.mark.parametrize("rule", ["mean", "quantile", "significance"])
def test_counts_give_the_ranks_of_repeated_rows(rule: str) -> None:
    """Random resamples of 40 rows; the third classifier is far behind, so tests find it."""
    scores = NOISY - np.array([0, 0, 2.0, 0])
    counts = np.random.default_rng(0).multinomial(40, np.full(40, 1 / 40), size=30).astype(float)
    found = RankingRule(rule, scores, 0.1, 0.05, False, 1e-12).ranks(counts)

    expected = [literal_ranks(rule, np.repeat(scores, own.astype(int), axis=0), 0.1) for own in counts]
    assert np.array_equal(found, expected)
    assert found.max() > 1


def test_tau_is_that_of_scipy() -> None:
    rankings = np.random.default_rng(0).integers(1, 5, size=(50, 6))
    rankings[0] = 1

    for one in rankings[1:9]:
        expected = [stats.kendalltau(own, one).statistic for own in rankings]
        assert kendall_tau_b(rankings, one) == pytest.approx(np.array(expected), nan_ok=True)


def test_all_resamples_are_enumerated_once() -> None:
    scores = np.arange(8.0).reshape(4, 2)
    (counts,) = resample_counts(units_of(None, scores, scores, 0), 0, None)

    expected = [np.bincount(drawn, minlength=4) for drawn in itertools.product(range(4), repeat=4)]
    assert np.array_equal(counts, expected)


def test_random_resamples_do_not_depend_on_the_order_of_rows() -> None:
    scores = np.random.default_rng(0).normal(size=(9, 3))
    order = np.random.default_rng(1).permutation(9)
    one, other = (
        next(resample_counts(units_of(None, own, own, 0), 20, np.random.default_rng(5)))
        for own in (scores, scores[order])
    )

    assert np.array_equal(one[:, order], other)
