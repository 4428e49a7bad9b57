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


def components(x, y, true):
    """Differences of the fraction of the other class that each instance wins against: positive, then negative."""

    def kernel(score):
        positive, negative = score[true == 1][:, None], score[true == 0][None, :]
        return (positive > negative) + 0.5 * (positive == negative)

    d = kernel(x) - kernel(y)
    return d.mean(axis=1), d.mean(axis=0)


def literal(shift):
    """Liu et al. (2006): the difference less the shift over its error, from DeLong's components of each case."""
    positive, negative = components(X, Y, TRUE)
    variance = np.var(positive, ddof=1) / 60 + np.var(negative, ddof=1) / 60
    return (positive.mean() - shift) / np.sqrt(variance)


def literal_t(x, y, true, shift):
    """Difference, t without and with the correction by Hall (1992) for each direction, and df, of 0.6 more cases."""
    parts, third, size = [], [], []
    for d in components(x, y, true):
        n, deviations = len(d), d - d.mean()
        parts.append(((deviations**2).sum() + 0.6) / (n * (n - 1)))
        third.append((deviations**3).sum() / (n * (n - 1) * (n - 2)))
        size.append(n)
    variance = sum(parts)
    t = (components(x, y, true)[0].mean() - shift) / np.sqrt(variance)
    skewness = sum(third) / variance**1.5
    corrected = []
    for sign in (1, -1):
        one, t_of = min(sign * skewness, 0), sign * t
        corrected.append(sign * (t_of + one * t_of**2 / 3 + one**2 * t_of**3 / 27 + one / 6))
    return t, corrected, variance**2 / sum(part**2 / (n - 1) for part, n in zip(parts, size, strict=True))


def skewed(size, n, n_positive, rng):
    """Areas of 0.96 and 0.98: the positive scores of the candidate have three times the standard deviation."""
    true = np.arange(n) < n_positive
    noise = np.sqrt(0.5) * (rng.standard_normal((size, n, 1)) + rng.standard_normal((size, n, 2)))
    x = noise[..., 0] * np.where(true, 3, 1) + np.sqrt(10) * stats.norm.ppf(0.96) * true
    return x, noise[..., 1] + np.sqrt(2) * stats.norm.ppf(0.98) * true, true.astype(int)


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


@pytest.mark.parametrize("swapped", [False, True])
def test_p_is_5_percent_at_the_smallest_margin(swapped):
    """The limits invert both one-sided tests, which have different corrections."""
    (x,), (y,), true = skewed(1, 100, 20, np.random.default_rng(4))
    x, y = (y, x) if swapped else (x, y)
    result = noninferiority_test(x, y, y_true=true, margin=0.5, test="auc")
    low, high = equivalence_test(x, y, y_true=true, margin=0.5, test="auc").confidence_interval(0.9)
    at_low, at_high = (equivalence_test(x, y, y_true=true, margin=abs(one), test="auc") for one in (low, high))

    assert result.smallest_margin() == -low
    assert noninferiority_test(x, y, y_true=true, margin=-low, test="auc").pvalue == pytest.approx(0.05, rel=1e-9)
    assert at_low.pvalue_low == pytest.approx(0.05, rel=1e-9)
    assert at_high.pvalue_high == pytest.approx(0.05, rel=1e-9)


@pytest.mark.parametrize("margin", [0.01, 0.1, 0.3])
def test_t_has_a_pseudo_instance_in_each_class_and_no_skewness(margin):
    """Literally, from the components of each case, Satterthwaite's degrees of freedom and Hall's transformation."""
    _, (low, _), df = literal_t(X, Y, TRUE, -margin)
    _, (_, high), _ = literal_t(X, Y, TRUE, margin)

    result = noninferiority_test(X, Y, y_true=TRUE, margin=margin, test="auc")
    equivalent = equivalence_test(X, Y, y_true=TRUE, margin=margin, test="auc")

    assert result.method == "t"
    assert tuple(result) == pytest.approx((low, stats.t.sf(low, df)), rel=1e-9)
    assert equivalent.pvalue_high == pytest.approx(stats.t.cdf(high, df), rel=1e-9)


def test_skewness_only_makes_p_larger():
    """A candidate with rare large losses: t is smaller. The other way round, t is the same."""
    (x,), (y,), true = skewed(1, 100, 20, np.random.default_rng(4))
    t, (corrected, _), df = literal_t(x, y, true, -0.2)
    turned, (unchanged, _), _ = literal_t(y, x, true, -0.05)

    assert corrected < t - 0.2
    found = noninferiority_test(x, y, y_true=true, margin=0.2, test="auc")
    assert tuple(found) == pytest.approx((corrected, stats.t.sf(corrected, df)), rel=1e-9)
    assert unchanged == turned
    assert noninferiority_test(y, x, y_true=true, margin=0.05, test="auc").statistic == pytest.approx(turned, rel=1e-9)


def test_the_same_scores_have_the_variance_of_the_added_cases():
    """60 cases of each class: 0.6 / (60 * 59) of each, 118 degrees of freedom, and no skewness."""
    result = noninferiority_test(X, X, y_true=TRUE, margin=0.1, test="auc")

    assert result.statistic == pytest.approx(0.1 / np.sqrt(1.2 / (60 * 59)))
    assert result.pvalue == pytest.approx(stats.t.sf(result.statistic, 118))
    assert np.isnan(noninferiority_test(X, X, y_true=TRUE, margin=0.1, method="normal", test="auc").pvalue)


def test_two_cases_of_each_class_have_no_skewness():
    x, y, true = np.array([1, 2, 4, 3]), np.array([1, 3, 2, 4]), np.array([0, 0, 1, 1])
    variance = sum((((d - d.mean()) ** 2).sum() + 0.6) / 2 for d in components(x, y, true))

    result = noninferiority_test(x, y, y_true=true, margin=0.1, test="auc")
    assert result.statistic == pytest.approx((0.25 + 0.1) / np.sqrt(variance))


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


@pytest.mark.parametrize(("n", "n_positive"), [(500, 50), (1000, 200)])
@pytest.mark.long
def test_level_at_the_margin_with_skewed_differences(n, n_positive):
    """4000 samples in chunks; 0.068 is 5 errors of .05 above .05. Without the correction, 8% to 12% are rejected."""
    rng = np.random.default_rng([n, n_positive])
    rejected = 0
    for _ in range(10):
        x, y, true = skewed(400, n, n_positive, rng)
        rejected += int((noninferiority_test(x, y, y_true=true, margin=0.02, test="auc").pvalue <= 0.05).sum())

    assert rejected <= 0.068 * 4000


def test_batch_and_positive_label():
    """Each row is a problem; the other positive class turns both areas around."""
    batch = noninferiority_test(np.stack([X, Y]), np.stack([Y, X]), y_true=TRUE, margin=0.1, test="auc")

    assert batch.pvalue[1] == noninferiority_test(Y, X, y_true=TRUE, margin=0.1, test="auc").pvalue
    turned = noninferiority_test(-X, -Y, y_true=TRUE, margin=0.1, pos_label=0, test="auc")
    assert turned.pvalue == pytest.approx(batch.pvalue[0], rel=1e-10)


def test_margin_is_no_percentage():
    with pytest.raises(EvalstatsError, match=r"write 0\.05"):
        equivalence_test(X, Y, y_true=TRUE, margin=5, test="auc")
