"""Two models under one judge, corrected by people: the mean of differences, its test, and what has no answer."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from evalstats import clustered_ttest
from evalstats.metrics import ppi_mean
from evalstats.paired import ppi_ttest

RNG = np.random.default_rng(41)
NAN = math.nan
X, Y = (RNG.random((2, 120)) < [[0.7], [0.55]]).astype(float)
X_JUDGE, Y_JUDGE = (np.where(RNG.random(120) < 0.85, truth, 1 - truth) for truth in (X, Y))
IS_LABELLED = np.arange(120) < 30
ARGUMENTS = (np.where(IS_LABELLED, X, NAN), np.where(IS_LABELLED, Y, NAN), X_JUDGE, Y_JUDGE)


def test_numbers_are_those_of_the_paper() -> None:
    """PPI++ for the mean of d = x - y (Angelopoulos, Duchi & Zrnic 2023, example 6.1), with n - 1."""
    d, f = (X - Y)[IS_LABELLED], X_JUDGE - Y_JUDGE
    own, others = f[IS_LABELLED], f[~IS_LABELLED]
    weight = np.cov(d, own)[0, 1] / ((1 + 30 / 90) * np.var(f, ddof=1))
    mean = np.mean(weight * others) + np.mean(d - weight * own)
    parts = np.var(d - weight * own, ddof=1) / 30, np.var(weight * others, ddof=1) / 90

    result = ppi_ttest(*ARGUMENTS)

    assert result.mean_difference == pytest.approx(mean, rel=1e-12)
    assert result.standard_error == pytest.approx(math.sqrt(sum(parts)), rel=1e-12)


def test_t_is_that_of_the_labels_with_cases_at_the_corners() -> None:
    """A quarter of a case at each of (-1, -1), (-1, 1), (1, -1) and (1, 1), and one less for the weight."""
    d, f = (X - Y)[IS_LABELLED], X_JUDGE - Y_JUDGE
    result = ppi_ttest(*ARGUMENTS)
    w = result.judge_weight
    values = np.append(d - w * f[IS_LABELLED], [w - 1, -w - 1, w + 1, 1 - w])
    counts = np.append(np.ones(30), np.full(4, 0.25))
    mean = np.average(values, weights=counts)
    parts = (counts * (values - mean) ** 2).sum() / 29 / 31, np.var(w * f[~IS_LABELLED], ddof=1) / 90

    statistic = (mean + w * f[~IS_LABELLED].mean()) / math.sqrt(sum(parts))

    df = sum(parts) ** 2 / (parts[0] ** 2 / 29 + parts[1] ** 2 / 89)
    assert result.statistic == pytest.approx(statistic, rel=1e-12)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(statistic), df), rel=1e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_interval_leaves_out_zero_where_the_test_rejects(alternative: str) -> None:
    result = ppi_ttest(*ARGUMENTS, alternative=alternative)

    low, high = result.confidence_interval(1 - result.pvalue)
    assert min(abs(low), abs(high)) < 1e-9


def test_without_the_judge_it_is_the_test_of_the_labels() -> None:
    groups = np.arange(120) // 3
    result = ppi_ttest(*ARGUMENTS, clusters=groups, judge_weight=0)
    labels = clustered_ttest(X[:30], Y[:30], clusters=groups[:30])

    of_labels = labels.mean_difference, labels.standard_error
    assert (result.mean_difference, result.standard_error) == pytest.approx(of_labels, rel=1e-12)
    assert (result.n_clusters, result.n_labeled) == (40, 30)


def test_swapping_the_models_mirrors_the_result() -> None:
    x, y, x_judge, y_judge = ARGUMENTS
    result, swapped = ppi_ttest(x, y, x_judge, y_judge), ppi_ttest(y, x, y_judge, x_judge)

    assert swapped.statistic == pytest.approx(-result.statistic, rel=1e-12)
    assert swapped.pvalue == pytest.approx(result.pvalue, rel=1e-12)


def test_difference_is_judged_mean_of_differences() -> None:
    x, y, x_judge, y_judge = ARGUMENTS
    result, mean = ppi_ttest(*ARGUMENTS), ppi_mean(x - y, x_judge - y_judge)

    assert (result.mean_difference, result.standard_error) == (mean.estimate, mean.standard_error)
    assert tuple(result.confidence_interval()) == pytest.approx(tuple(mean.confidence_interval()), rel=1e-14)


def test_a_judge_with_a_favorite_does_not_reject_more_often() -> None:
    """Equal models, of which the judge calls many more answers of x right; 2000 samples, the error of .05 is .005."""
    rng = np.random.default_rng(7)
    x, y = rng.random((2, 2000, 400)) < 0.6
    x_judge, y_judge = x | (rng.random(x.shape) < 0.3), np.where(rng.random(y.shape) < 0.9, y, ~y)
    human = [np.where(np.arange(400) < 80, truth, NAN) for truth in (x, y)]

    corrected = ppi_ttest(*human, x_judge, y_judge)
    believed = clustered_ttest(x_judge, y_judge)

    assert 0.035 <= (corrected.pvalue <= 0.05).mean() <= 0.065
    assert (believed.pvalue <= 0.05).mean() > 0.95


def test_no_difference_anywhere() -> None:
    result = ppi_ttest([1, 0, NAN], [1, 0, NAN], [1, 1, 0], [1, 1, 0])

    assert (result.statistic, result.pvalue) == (0, 1)
    assert "equal for every instance" in result.reason


def test_the_same_difference_everywhere_has_no_pvalue() -> None:
    result = ppi_ttest([1, 1, NAN, NAN], [0, 0, NAN, NAN], [1, 1, 1, 1], [0, 0, 0, 0])

    assert (result.statistic, result.mean_difference) == (math.inf, 1)
    assert math.isnan(result.pvalue)
    assert "no variance" in result.reason


def test_a_case_labeled_for_one_model_only_is_refused() -> None:
    with pytest.raises(ValueError, match="instance 2 has a label in y and none in x; set it to nan in both"):
        ppi_ttest([1, 0, NAN], [1, 0, 1], [1, 1, 0], [1, 1, 0])


def test_scores_of_the_judge_must_be_there() -> None:
    with pytest.raises(ValueError, match=r"y_judge must be finite, but y_judge\[0\] is nan"):
        ppi_ttest([1, 0, NAN], [1, 0, NAN], [1, 1, 0], [NAN, 1, 0])
