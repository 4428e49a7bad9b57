"""Tests by a proper score: values of riskRegression, Redelmeier's test, clusters, and infinite losses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from forecasts import P, Q, Y

from evalstats import metrics, report
from evalstats.paired import clustered_ttest, metric_bootstrap_test, permutation_test, proper_score_test


def test_values_are_those_of_riskregression() -> None:
    """Score(metrics='brier') of riskRegression 2022.11.28: normal, standard deviation with n - 1."""
    result = proper_score_test(Y, Q, P, method="asymptotic")
    low, high = result.confidence_interval()

    assert result.difference == pytest.approx(0.02308, abs=1e-12)
    assert result.standard_error == pytest.approx(0.0222877611, abs=1e-10)
    assert (low, high) == pytest.approx((-0.0206032, 0.0667632), abs=1e-7)
    assert result.pvalue == pytest.approx(0.3004140, abs=1e-7)


def test_log_loss() -> None:
    result = proper_score_test(Y, P, Q, score="log_loss", method="asymptotic")

    found = (result.score_x, result.score_y, result.difference, result.standard_error)
    assert found == pytest.approx((0.44687751, 0.54393289, -0.09705537, 0.06717352), abs=1e-8)


def test_redelmeier() -> None:
    """By a loop over the instances: the mean of both probabilities is calibrated."""
    result = proper_score_test(Y, Q, P, method="redelmeier")

    lead = sum((q - p) * (q + p - 2 * y) for y, p, q in zip(Y, P, Q, strict=True))
    variance = sum(4 * (q - p) ** 2 * (p + q) / 2 * (1 - (p + q) / 2) for p, q in zip(P, Q, strict=True))
    assert result.statistic == pytest.approx(lead / math.sqrt(variance))
    assert result.statistic == pytest.approx(1.02891391, abs=1e-8)


def test_few_instances_flip_signs_and_many_use_t() -> None:
    losses = [(np.array(p) - Y) ** 2 for p in (P, Q)]
    few, many = proper_score_test(Y, P, Q), proper_score_test(Y * 2, P * 2, Q * 2)

    assert few.method == "exact"
    assert few.pvalue == permutation_test(*losses).pvalue
    assert many.method == "t"


def test_clusters_are_those_of_the_clustered_test() -> None:
    groups = [i // 2 for i in range(20)]
    losses = [(np.array(p) - Y) ** 2 for p in (P, Q)]

    result, inner = proper_score_test(Y, P, Q, clusters=groups, method="t"), clustered_ttest(*losses, clusters=groups)

    assert (result.statistic, result.pvalue, result.n_clusters) == (inner.statistic, inner.pvalue, 10)
    assert tuple(result.confidence_interval()) == tuple(inner.confidence_interval())


@pytest.mark.parametrize("method", ["permutation", "t", "asymptotic", "redelmeier"])
def test_swap_mirrors_the_result(method: str) -> None:
    first = proper_score_test(Y, P, Q, method=method, alternative="less")
    second = proper_score_test(Y, Q, P, method=method, alternative="greater")

    assert second.statistic == pytest.approx(-first.statistic)
    assert second.pvalue == pytest.approx(first.pvalue)
    assert tuple(second.confidence_interval()) == pytest.approx([-v for v in reversed([*first.confidence_interval()])])


@pytest.mark.parametrize("method", ["permutation", "t", "asymptotic", "redelmeier"])
def test_equal_probabilities_have_p_one(method: str) -> None:
    result = proper_score_test(Y, P, P, method=method)

    assert (result.statistic, result.pvalue, result.difference) == (0, 1, 0)
    assert "the same loss" in result.reason


def test_infinite_log_loss_is_told() -> None:
    result = proper_score_test([1, 0, 1], [0.0, 0.2, 0.9], [0.5, 0.5, 0.5], score="log_loss")

    assert result.score_x == result.difference == math.inf
    assert math.isnan(result.pvalue)
    assert "the probability 0 by x in 1 of 3 instances" in result.reason
    assert all(math.isnan(limit) for limit in result.confidence_interval())


def test_three_classes_have_the_brier_score_of_all_classes() -> None:
    rng = np.random.default_rng(1)
    y, x, z = rng.integers(0, 3, 40), rng.dirichlet([1, 1, 1], 40), rng.dirichlet([1, 1, 1], 40)

    result = proper_score_test(y, x, z)

    assert result.score_x == pytest.approx(metrics.brier_score_loss(y, x))


@pytest.mark.parametrize(
    "metric",
    ["expected_calibration_error", "miscalibration", metrics.calibration_slope, metrics.squared_calibration_error],
)
def test_calibration_is_compared_by_the_paired_bootstrap(metric: object) -> None:
    result = metric_bootstrap_test(Y, P, Q, metric=metric, n_resamples=99)
    low, high = result.confidence_interval()

    assert low <= result.difference <= high


def test_choices_that_do_not_apply_are_refused() -> None:
    with pytest.raises(ValueError, match="method='redelmeier' is for the Brier score of two classes without clusters"):
        proper_score_test(Y, P, Q, score="log_loss", method="redelmeier")
    with pytest.raises(ValueError, match=r"x must hold probabilities from 0 to 1, but x\[0\] is 1.5"):
        proper_score_test([0, 1], [1.5, 0.5], [0.5, 0.5])


def test_sentence() -> None:
    assert report.sentence(proper_score_test(Y, Q, P, method="asymptotic"), names=("new", "old")) == (
        "Comparison by Brier score: 0.172 and 0.149 in 20 instances, difference 0.023, p = 0.300 (normal "
        "approximation)."
    )
