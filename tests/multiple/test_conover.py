"""Conover's test of pairs after Friedman's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from evalstats._errors import InvalidValueError
from evalstats.examples import example_table
from evalstats.multiple.conover import conover_test
from evalstats.multiple.siegel_castellan import siegel_castellan_test
from evalstats.paired.ttest import paired_ttest

# scikit-posthocs 0.17.1, posthoc_conover_friedman, on Table 6 of Demšar (2006); PMCMRplus with p.adjust.method="none"
SCIKIT_POSTHOCS = [
    0.008605028569980435,
    0.6068195207234452,
    0.005493562959825505,
    0.030289182911854857,
    0.8635936275942139,
    0.02022493998418204,
]
SCIKIT_POSTHOCS_HOLM = [
    0.04302514284990218,
    1.0,
    0.03296137775895303,
    0.09086754873556457,
    1.0,
    0.08089975993672816,
]


def demsar() -> np.ndarray:
    return np.array(example_table("demsar-2006").scores)


def by_definition(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Conover (1999), section 5.8: rank sums, A and the t of each pair, in floating point."""
    ranks = np.array([stats.rankdata(-row) for row in scores])
    n, k = ranks.shape
    sums, a = ranks.sum(axis=0), (ranks**2).sum()
    scale = math.sqrt(2 * (n * a - (sums**2).sum()) / ((n - 1) * (k - 1)))
    t = (sums[:, None] - sums) / scale
    return t, 2 * stats.t.sf(np.abs(t), (n - 1) * (k - 1))


def test_three_datasets_by_hand() -> None:
    """Ranks (1, 2), (1, 2), (2, 1): sums 4 and 5, A = 15, t = -1 / sqrt(2 (45 - 41) / 2) = -1/2 on 2 df."""
    result = conover_test([[2, 1], [4, 3], [5, 6]])

    assert result.statistic[0, 1] == pytest.approx(-1 / 2, rel=1e-15)
    assert result.df == 2
    assert result.pvalue[0, 1] == pytest.approx(2 / 3, rel=1e-14)  # 1 - t / sqrt(2 + t^2)


def test_demsars_table() -> None:
    upper = np.triu_indices(4, 1)

    assert conover_test(demsar(), adjust="none").pvalue[upper] == pytest.approx(SCIKIT_POSTHOCS, rel=1e-10)
    assert conover_test(demsar()).pvalue[upper] == pytest.approx(SCIKIT_POSTHOCS_HOLM, rel=1e-10)


@pytest.mark.parametrize("seed", range(6))
def test_follows_the_definition(seed: int) -> None:
    scores = np.random.default_rng(seed).random((4 + seed, 2 + seed)).round(1)
    t, pvalue = by_definition(scores)

    result = conover_test(scores, adjust="none")

    np.testing.assert_allclose(result.statistic, t, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(result.pvalue, pvalue, rtol=1e-11)


def test_two_classifiers_are_the_t_test_of_their_ranks() -> None:
    scores = np.array([[2, 1], [4, 3], [5, 6], [8, 7], [9, 9], [1, 0]])
    ranks = np.array([stats.rankdata(-row) for row in scores])

    result = conover_test(scores)

    assert result.pvalue[0, 1] == pytest.approx(paired_ttest(ranks[:, 0], ranks[:, 1]).pvalue, rel=1e-12)


def test_agreement_of_the_datasets_finds_more_than_z() -> None:
    """Its standard error is that of the data, not that of the hypothesis that no classifiers differ."""
    scores = np.vstack([np.tile([4.0, 3, 2, 1], (9, 1)), [[3.0, 4, 2, 1]]])

    assert conover_test(scores).pvalue[0, 3] < siegel_castellan_test(scores).pvalue[0, 3] / 100


def test_complete_agreement_has_no_pvalue() -> None:
    result = conover_test(np.tile([3.0, 2, 1], (5, 1)))

    np.testing.assert_array_equal(result.statistic, [[0, -np.inf, -np.inf], [np.inf, 0, -np.inf], [np.inf, np.inf, 0]])
    assert np.isnan(result.pvalue[0, 1])
    assert result.pvalue[0, 0] == 1
    assert result.reason == (
        "all datasets agree, so there is no residual variance and the t distribution does not apply"
    )


def test_agreement_on_two_groups_leaves_the_tied_pair() -> None:
    result = conover_test(np.tile([3.0, 2, 2], (5, 1)))

    assert result.unadjusted_pvalue[1, 2] == 1
    assert np.isnan(result.unadjusted_pvalue[0, 1])


def test_relabeling_and_equal_differences_are_exact() -> None:
    scores = np.random.default_rng(5).random((11, 7))
    order = np.random.default_rng(6).permutation(7)

    pvalue = conover_test(scores).pvalue
    doubled = np.rint(2 * 11 * conover_test(scores).mean_ranks)
    difference = np.abs(doubled[:, None] - doubled)

    np.testing.assert_array_equal(conover_test(scores[:, order]).pvalue, pvalue[np.ix_(order, order)])
    assert all(len(set(pvalue[difference == d])) == 1 for d in set(difference.ravel()))


def test_far_tail_keeps_its_digits() -> None:
    """99 of 100 datasets agree: t = -70 on 99 degrees of freedom, against the tail of the beta distribution."""
    scores = np.vstack([np.tile([2.0, 1.0], (99, 1)), [[1.0, 2.0]]])

    result = conover_test(scores)

    t = 98 / math.sqrt(2 * (100 * 100 * 5 - 101**2 - 199**2) / 99)
    assert result.statistic[0, 1] == pytest.approx(-t, rel=1e-14)
    assert result.pvalue[0, 1] == pytest.approx(2 * stats.t.sf(t, 99), rel=1e-12)


def test_unknown_adjustment() -> None:
    with pytest.raises(InvalidValueError, match="adjust must be 'none' or"):
        conover_test(demsar(), adjust="single-step")


def test_batch_is_its_members() -> None:
    batch = np.random.default_rng(3).normal(size=(4, 6, 3))

    together, alone = conover_test(batch), [conover_test(scores) for scores in batch]

    assert together.statistic.tolist() == [one.statistic.tolist() for one in alone]
    assert together.pvalue.tolist() == [one.pvalue.tolist() for one in alone]
    assert together.df == alone[0].df == 10
