"""Noninferiority and equivalence of areas under ROC curves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalstats import EvalstatsError, auc_equivalence_test, auc_noninferiority_test, delong_test

DRAWS = np.random.default_rng(3)
TRUE = np.repeat([0, 1], 60)
X, Y = (np.round(DRAWS.normal(TRUE, 1), 1) for _ in range(2))


def literal(shift):
    """Liu et al. (2006): the difference less the shift over its error, from DeLong's components of each case."""

    def kernel(score):
        positive, negative = score[TRUE == 1][:, None], score[TRUE == 0][None, :]
        return (positive > negative) + 0.5 * (positive == negative)

    d = kernel(X) - kernel(Y)
    variance = np.var(d.mean(axis=1), ddof=1) / 60 + np.var(d.mean(axis=0), ddof=1) / 60
    return (d.mean() - shift) / np.sqrt(variance)


@pytest.mark.parametrize("margin", [0.01, 0.1, 0.3])
def test_definition(margin):
    low, high = stats.norm.sf(literal(-margin)), stats.norm.cdf(literal(margin))

    noninferior = auc_noninferiority_test(TRUE, X, Y, margin=margin)
    equivalent = auc_equivalence_test(TRUE, X, Y, margin=margin)

    assert tuple(noninferior) == pytest.approx((literal(-margin), low), rel=1e-10)
    assert (equivalent.pvalue_low, equivalent.pvalue_high) == pytest.approx((low, high), rel=1e-10)
    assert equivalent.pvalue == max(equivalent.pvalue_low, equivalent.pvalue_high)


def test_interval_is_delongs():
    expected = delong_test(TRUE, X, Y).confidence_interval(0.9)

    assert tuple(auc_equivalence_test(TRUE, X, Y, margin=0.1).confidence_interval(0.9)) == pytest.approx(
        tuple(expected)
    )


def test_a_margin_is_shown_where_it_is_larger_than_the_smallest():
    smallest = auc_noninferiority_test(TRUE, X, Y, margin=0.1).smallest_margin()

    assert auc_noninferiority_test(TRUE, X, Y, margin=smallest).pvalue == pytest.approx(0.05)


def test_the_same_scores_have_no_variance():
    result = auc_noninferiority_test(TRUE, X, X, margin=0.1)

    assert np.isnan(result.pvalue)
    assert np.isnan(result.smallest_margin())
    assert "no variance" in result.reason


def test_batch_and_positive_label():
    """Each row is a problem; the other positive class turns both areas around."""
    batch = auc_noninferiority_test(TRUE, np.stack([X, Y]), np.stack([Y, X]), margin=0.1)

    assert batch.pvalue[1] == auc_noninferiority_test(TRUE, Y, X, margin=0.1).pvalue
    turned = auc_noninferiority_test(TRUE, -X, -Y, margin=0.1, pos_label=0)
    assert turned.pvalue == pytest.approx(batch.pvalue[0], rel=1e-10)


def test_margin_is_no_percentage():
    with pytest.raises(EvalstatsError, match=r"write 0\.05"):
        auc_equivalence_test(TRUE, X, Y, margin=5)
