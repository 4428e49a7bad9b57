"""Noninferiority and equivalence of areas under ROC curves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalstats import EvalstatsError, delong_test
from evalstats.paired import equivalence_test, noninferiority_test

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

    noninferior = noninferiority_test(X, Y, y_true=TRUE, margin=margin, method="normal", test="auc")
    equivalent = equivalence_test(X, Y, y_true=TRUE, margin=margin, method="normal", test="auc")

    assert tuple(noninferior) == pytest.approx((literal(-margin), low), rel=1e-10)
    assert (equivalent.pvalue_low, equivalent.pvalue_high) == pytest.approx((low, high), rel=1e-10)
    assert equivalent.pvalue == max(equivalent.pvalue_low, equivalent.pvalue_high)


def test_interval_is_delongs():
    expected = delong_test(TRUE, X, Y, df="infinite").confidence_interval(0.9)

    found = equivalence_test(X, Y, y_true=TRUE, margin=0.1, method="normal", test="auc").confidence_interval(0.9)
    assert tuple(found) == pytest.approx(tuple(expected))


def test_a_margin_is_shown_where_it_is_larger_than_the_smallest():
    smallest = noninferiority_test(X, Y, y_true=TRUE, margin=0.1, test="auc").smallest_margin()

    assert noninferiority_test(X, Y, y_true=TRUE, margin=smallest, test="auc").pvalue == pytest.approx(0.05)


@pytest.mark.parametrize("margin", [0.01, 0.1, 0.3])
def test_t_has_half_a_case_more_in_each_class(margin):
    """Literally, from the places of each case and Satterthwaite's degrees of freedom."""

    def places(score):
        positive, negative = score[TRUE == 1][:, None], score[TRUE == 0][None, :]
        return (positive > negative) + 0.5 * (positive == negative)

    d = places(X) - places(Y)
    of_classes = d.mean(axis=1), d.mean(axis=0)
    largest = max(np.abs(one).max() for one in of_classes)
    parts = [(((one - one.mean()) ** 2).sum() + largest / 2) / (60 * 59) for one in of_classes]
    df = sum(parts) ** 2 / sum(part**2 / 59 for part in parts)
    t = (d.mean() + margin) / np.sqrt(sum(parts))

    result = noninferiority_test(X, Y, y_true=TRUE, margin=margin, test="auc")

    assert result.method == "t"
    assert tuple(result) == pytest.approx((t, stats.t.sf(t, df)), rel=1e-9)


def test_the_same_scores_have_the_variance_of_the_added_cases():
    """60 cases of each class: 1 / (2 * 60 * 59) of each, and 118 degrees of freedom."""
    result = noninferiority_test(X, X, y_true=TRUE, margin=0.1, test="auc")

    assert result.statistic == pytest.approx(0.1 / np.sqrt(1 / (60 * 59)))
    assert result.pvalue == pytest.approx(stats.t.sf(result.statistic, 118))
    assert np.isnan(noninferiority_test(X, X, y_true=TRUE, margin=0.1, method="normal", test="auc").pvalue)


def test_a_single_case_of_a_class_has_no_variance():
    result = noninferiority_test([1, 2, 4, 3], [1, 2, 3, 4], y_true=[0, 0, 0, 1], margin=0.1, test="auc")

    assert np.isnan(result.pvalue)
    assert np.isnan(result.smallest_margin())
    assert "single" in result.reason


@pytest.mark.parametrize(("n", "n_positive"), [(20, 10), (40, 20), (60, 6), (200, 100), (200, 20)])
@pytest.mark.parametrize(("old", "margin"), [(0.7, 0.05), (0.9, 0.1), (0.98, 0.05)])
@pytest.mark.long
def test_level_at_the_margin_with_few_cases(n, n_positive, old, margin):
    """1000 samples of normal scores with a correlation of .8; the error of .05 is .007. DeLong's rejects up to .23."""
    rng = np.random.default_rng([n, n_positive])
    true = np.arange(n) < n_positive
    scores = rng.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], (1000, n))
    shift = np.sqrt(2) * stats.norm.ppf([old - margin, old])

    result = noninferiority_test(
        *np.moveaxis(scores + true[:, None] * shift, -1, 0), y_true=true, margin=margin, test="auc"
    )

    assert (result.pvalue <= 0.05).mean() <= 0.072


def test_batch_and_positive_label():
    """Each row is a problem; the other positive class turns both areas around."""
    batch = noninferiority_test(np.stack([X, Y]), np.stack([Y, X]), y_true=TRUE, margin=0.1, test="auc")

    assert batch.pvalue[1] == noninferiority_test(Y, X, y_true=TRUE, margin=0.1, test="auc").pvalue
    turned = noninferiority_test(-X, -Y, y_true=TRUE, margin=0.1, pos_label=0, test="auc")
    assert turned.pvalue == pytest.approx(batch.pvalue[0], rel=1e-10)


def test_margin_is_no_percentage():
    with pytest.raises(EvalstatsError, match=r"write 0\.05"):
        equivalence_test(X, Y, y_true=TRUE, margin=5, test="auc")
